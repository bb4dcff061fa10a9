"""Run a function on symbols, and write down what it does.

A symbol has a shape and a dtype but no numbers. The function cannot tell: it calls the same ops, and the tracer adds a
node for each. What Python does in between (loops, attributes, calls) happens once and leaves no trace. Where Python
needs a number, as in `if x.sum() > 0`, a symbol cannot answer: the graph ends there, in a question. That is a graph
break. Whoever has the answer traces again, with it.
"""

import numpy as np

from . import ops
from .errors import teach
from .graph import Graph
from .interpret import Interpreter, check_numbers, interpreting
from .shapes import size_of
from .tensor import Tensor, Value


class GraphBreak(Exception):
    """Python asked for the number behind a symbol."""

    def __init__(self, node, kind):
        super().__init__(f"Python needs the {kind.__name__} behind {node.line() if node.op else node.name}")
        self.node, self.kind = node, kind


class Symbol(Value):
    """A value that is not known yet."""

    def __init__(self, node, tracer):
        self.node, self.tracer = node, tracer

    shape = property(lambda self: self.node.shape)
    dtype = property(lambda self: self.node.dtype)

    def number(self, kind):
        """Answer from earlier runs, in the order of the questions, or break."""
        if size_of(self.shape) != 1:
            raise teach("one_number", shape=self.shape)
        self.tracer.asked.append(f"{kind.__name__} of {self.node.name} in {self.tracer.graph}")
        if not self.tracer.answers:
            raise GraphBreak(self.node, kind)
        return self.tracer.answers.pop(0)


class Tracer(Interpreter):
    """Adds a node to its graph for each op. Tensors and arrays from outside become inputs: their numbers may change."""

    def __init__(self, answers=()):
        self.graph, self.captured, self.answers, self.asked = Graph(), {}, list(answers), []

    def run(self, op, args, params):
        """Write the op down. What is computed without recording is detached."""
        node = self.graph.add(op, [self.node_of(op, x) for x in args], params)
        if not self.recording and op.vjp is not None:
            node = self.graph.add(ops.detach, [node], {})
        return Symbol(node, self)

    def node_of(self, op, x):
        """The node for an argument of `op`."""
        if isinstance(x, Symbol) and x.tracer is self:
            return x.node
        if isinstance(x, Tensor | np.ndarray):
            if id(x) not in self.captured:
                self.captured[id(x)] = x, self.graph.add_input(x.shape, x.dtype)
            return self.captured[id(x)][1]
        check_numbers(op, [x])
        return self.graph.add_constant(x)

    def input(self, like):
        """A symbol for an argument of the function."""
        return Symbol(self.graph.add_input(like.shape, like.dtype), self)


class Trace:
    """What a function did: a graph, what it found outside, and the question that ended it, if one did."""

    def __init__(self, f, args, answers=()):
        tracer = Tracer(answers)
        self.name, self.graph, self.question = getattr(f, "__name__", type(f).__name__), tracer.graph, None
        self.single = True
        with interpreting(tracer):
            try:
                results = f(*(tracer.input(x) if hasattr(x, "shape") else x for x in args))
                self.single = not isinstance(results, tuple)
                self.graph.outputs = [self.output(tracer, y) for y in ((results,) if self.single else results)]
            except GraphBreak as question:
                self.question, self.graph.outputs = question, [question.node]
        self.captured = [x for x, _ in tracer.captured.values()]
        self.asked, self.unused = tracer.asked, tracer.answers

    def output(self, tracer, y):
        """The node of a result."""
        if not isinstance(y, Value | np.ndarray | np.generic | int | float):
            raise teach("outputs", name=self.name, thing=y)
        return tracer.node_of(ops.detach, y)

    def equals(self, other):
        """Whether another trace did the same: a pure function does the same every time."""
        return (
            (str(self.graph), self.asked, len(self.captured)) == (str(other.graph), other.asked, len(other.captured))
            and not self.unused
            and all(map(is_same, self.captured, other.captured))
        )


def is_same(one, two):
    """Whether two captured things are the same tensor, or arrays of the same numbers."""
    return one is two or (
        isinstance(one, np.ndarray) and isinstance(two, np.ndarray) and np.array_equal(one, two, equal_nan=True)
    )
