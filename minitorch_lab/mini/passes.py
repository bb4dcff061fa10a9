"""Make a graph smaller without changing what it computes.

Each pass takes a graph and returns a new one. A rewrite rule is two ordinary functions, before and after: traced, the
first is the pattern to look for; run, both are the proof that the rule is right, down to −0, inf and nan.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import ops
from .graph import copy, show
from .interpret import interpreting
from .trace import Symbol, Tracer
from .verify import verify


def remove_dead_code(graph):
    """What no output is computed from is not copied."""
    return copy(graph)


def fold_constants(graph):
    """Compute now what depends on numbers alone, and is a number."""

    def replace(new, node, inputs):
        if node.shape == () and all(n.is_constant for n in inputs):
            return new.add_constant(node.dtype.type(node.op.impl(*(n.value for n in inputs), **node.params)))
        return None

    return copy(graph, replace)


def share_common_subexpressions(graph):
    """What has been computed before is not computed again."""
    known = {}

    def key(node):
        return (repr(node.value), node.shape) if node.is_constant else id(node)

    def replace(new, node, inputs):
        same = (node.op, tuple(map(key, inputs)), tuple(sorted(node.params.items())))
        return known.get(same) or known.setdefault(same, new.add(node.op, inputs, node.params))

    return copy(graph, replace)


def drop_expansions(graph):
    """An elementwise op broadcasts by itself: it reads what was expanded directly, if its shape stays the same."""

    def source(n):
        """What an expansion reads, if it has as many axes, or is one number."""
        is_direct = n.op is ops.expand and (n.inputs[0].is_constant or len(n.inputs[0].shape) == len(n.shape))
        return n.inputs[0] if is_direct else n

    def replace(new, node, inputs):
        before = [source(n) for n in inputs]
        if node.op.c and before != list(inputs):
            try:
                found = new.add(node.op, before, node.params)
            except ValueError:
                return None
            return found if (found.shape, found.dtype) == (node.shape, node.dtype) else None
        return None

    return copy(graph, replace)


@dataclass
class Rule:
    """Wherever `before` is computed, `after` may be."""

    name: str
    before: Callable
    after: Callable

    def __post_init__(self):
        tracer = Tracer()
        self.holes = [tracer.graph.add_input((), np.float32) for _ in range(self.before.__code__.co_argcount)]
        with interpreting(tracer):
            self.pattern = self.before(*(Symbol(hole, tracer) for hole in self.holes)).node

    def match(self, node):
        """What stands in the holes of the pattern, where `node` is of its form; else None."""
        found = {}
        return [found[hole] for hole in self.holes] if matches(self.pattern, node, found) else None


def matches(pattern, node, found):
    """Whether `node` has the form of `pattern`; `found` learns what stands in its holes."""
    if pattern.is_constant:
        return node.is_constant and show(pattern) == repr(float(np.asarray(node.value).item()))
    if pattern.op is None:
        return found.setdefault(pattern, node) is node
    same = pattern.op is node.op and pattern.params == node.params
    return same and all(matches(p, n, found) for p, n in zip(pattern.inputs, node.inputs))


RULES = [
    Rule("multiply_by_one", lambda x: x * 1.0, lambda x: x),
    Rule("one_times", lambda x: 1.0 * x, lambda x: x),
    Rule("divide_by_one", lambda x: x / 1.0, lambda x: x),
    Rule("subtract_zero", lambda x: x - 0.0, lambda x: x),
    Rule("double_negation", lambda x: ops.neg(-x), lambda x: x),
    Rule("add_negated", lambda x, y: x + (-y), lambda x, y: x - y),
    Rule("negated_factor", lambda x, y: x * (-y), lambda x, y: -(x * y)),
    Rule("square", lambda x: x**2, lambda x: x * x),
    Rule("first_power", lambda x: x**1, lambda x: x),
    Rule("detached_twice", lambda x: x.detach().detach(), lambda x: x.detach()),
]


def rewrite(graph, rules=RULES):
    """Apply every rule wherever it matches."""

    def replace(new, node, inputs):
        candidate = new.add(node.op, inputs, node.params)
        for rule in rules:
            holes = rule.match(candidate)
            if holes is not None:
                better = write_after(rule, new, holes)
                if (better.shape, better.dtype) == (node.shape, node.dtype):
                    return better
        return candidate

    return copy(graph, replace)


def write_after(rule, graph, holes):
    """Add to `graph` what a rule puts in the place of its pattern."""
    tracer = Tracer()
    tracer.graph = graph
    with interpreting(tracer):
        return rule.after(*(Symbol(hole, tracer) for hole in holes)).node


PASSES = [fold_constants, rewrite, drop_expansions, share_common_subexpressions, remove_dead_code]


def simplify(graph, passes=PASSES):
    """Run all passes, each checked, until the graph stays as it is."""
    before = None
    while str(graph) != before:
        before = str(graph)
        for one in passes:
            graph = verify(one(graph), after=one.__name__)
    return graph
