"""Tracing: the function runs for real, and every op that it runs is written down.

What is captured is the path that this one call took. A branch that went another way, a loop that ran more often, a
number that Python read from a tensor: the graph knows nothing of them.
"""

from __future__ import annotations

from typing import Any

from ...autograd.anomaly import here
from ...autograd.custom import Call, Flat
from ...autograd.eager import Eager, elsewhere, fitted, met
from ...core.interpret import autocast_mode, grad_mode, interpreting
from ...errors import CaptureError
from ...ops.op import Op, as_given
from ...ops.precision import run_in_block
from ...tensors.tensor import Tensor
from ..ir.fake import facts_of
from ..ir.graph import Graph, Node
from .walking import Walking


class Tracing(Walking):
    """A layer on the imperative tape that writes down what runs as nodes of `graph`.

    A tensor is known by itself or, if it is another handle of the same value, by that value. Backward walks run on
    tensors here, so that their ops are written down like any others.
    """

    def __init__(self, graph: Graph, under: Eager) -> None:
        super().__init__(under)
        self.graph = graph
        self.nodes: dict[int, tuple[Any, Node]] = {}  # by the identity of a tensor or of its value, which is kept

    def argument(self, x: Tensor, name: str) -> None:
        """Let `x` be an argument of the program; the same tensor given twice is one argument."""
        if id(x) not in self.nodes:
            self.name(x, self.graph.placeholder(name, facts_of(x)))

    def name(self, x: Tensor, node: Node) -> None:
        """Let `node` stand for `x`."""
        self.nodes[id(x)] = x, node
        self.nodes.setdefault(id(x.value), (x.value, node))

    def known(self, a: Any) -> Any:
        """The node that stands for `a`; a tensor from outside becomes a constant of the program."""
        if not isinstance(a, Tensor):
            return a if not hasattr(a, "shape") else self.known(Tensor(a))
        found = self.nodes.get(id(a)) or self.nodes.get(id(a.value))
        if found is None:
            self.name(a, self.graph.get_attr(a, facts_of(a)))
            found = self.nodes[id(a)]
        return found[1]

    # ---- what runs --------------------------------------------------------------------------------------------------
    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op`, and write it down. The casts that bring its inputs together come first, as ops of their own."""
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given:
            args = met(op, args, self)
        inputs = tuple(map(self.known, args))
        out = self.under.run(op, args, params)
        self.name(out, self.graph.call(op, inputs, params, facts_of(out), grad=grad_mode.get(), line=here()))
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run a call with rules of its own, and write it down as one node; what it runs inside is its own affair."""
        inputs = tuple(map(self.known, args))
        with interpreting(self.under):
            outs = self.under.custom(call, args)
        results = [facts_of(x) if isinstance(x, Tensor) else x for x in outs]
        parts = self.graph.custom(call, inputs, results, grad=grad_mode.get(), line=here())
        for x, part in zip(outs, parts, strict=True):
            if isinstance(x, Tensor):
                self.nodes[id(x)], self.nodes[id(x.value)] = (x, part), (x.value, part)
        return outs

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write, and write that down: from then on the new node stands for `x`."""
        if (dtype := elsewhere(op, x, args)) is not None:
            return self.rounded(op, x, args, params, dtype)
        args = fitted(op, x, args, self)
        inputs = tuple(map(self.known, (x, *args)))
        self.under.inplace(op, x, args, params)
        node = self.graph.write(op, inputs, params, grad=grad_mode.get(), line=here())
        self.nodes[id(x)], self.nodes[id(x.value)] = (x, node), (x.value, node)
        return x

    def backward(self, root: Tensor, gradient: Any, retain: bool, create: bool) -> None:
        """Refused: what a walk adds to `.grad` is no value of the program.

        Raises:
            CaptureError: Always.
        """
        raise CaptureError(
            "backward() inside a function that is traced.",
            "A trace is a list of ops and their results, and the gradients of leaves are neither.",
            "Did you mean ml.autograd.grad inside, backward() on what the trace returns, or ml.compile?",
        )
