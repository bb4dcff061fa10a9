"""Finding a small graph in a large one: which nodes of the one can stand for which of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...core.array import is_number
from ...core.interpret import interpreting
from ...func.trees import flatten
from ...tensors.tensor import Tensor
from ..ir.graph import Graph, Node
from ..ir.symbolic import Capturing
from .cse import key

Bound = dict[Node, Any]  # for nodes of the pattern, what they stand for: a node of the graph, or a number
Pairs = Sequence[tuple[Any, Any]]
Agree = Callable[[Node, Node], bool]


def pattern_of(fn: Callable[..., Any], arguments: Sequence[Any]) -> Graph:
    """`fn` as a graph whose output is the list of its results. An argument is a number, or something with facts."""
    graph = Graph("pattern")
    capturing = Capturing(graph)
    boxes = [x if is_number(x) else capturing.imagined(f"argument_{i}", x.facts) for i, x in enumerate(arguments)]
    with interpreting(capturing):
        leaves = flatten(fn(*boxes))[0]
        graph.output([capturing.own(x).value if isinstance(x, Tensor) else x for x in leaves])
    return graph


def matches(results: Sequence[Node], graph: Graph, bound: Bound) -> Iterator[Bound]:
    """All ways in which calls of `graph` can stand for the results of a pattern and what they are made from."""
    if not results:
        yield bound
        return
    first, *rest = results
    for node in [bound[first]] if first in bound else graph.calls:
        for more in unified([(first, node)], bound, like):
            yield from matches(rest, graph, more)


def unified(pairs: Pairs, bound: Bound, agree: Agree) -> Iterator[Bound]:
    """All ways to let the second of each pair stand for the first, going on from `bound`.

    A placeholder of the pattern takes anything, but the same everywhere; a number takes that number; a call takes a
    call that agrees and whose inputs can be matched, in either order where order does not matter.
    """
    if not pairs:
        yield bound
        return
    (p, x), *rest = pairs
    if not isinstance(p, Node):
        if not isinstance(x, Node) and key(p) == key(x):
            yield from unified(rest, bound, agree)
    elif p in bound:
        if key(bound[p]) == key(x):
            yield from unified(rest, bound, agree)
    elif p.kind == "placeholder":
        yield from unified(rest, {**bound, p: x}, agree)
    elif isinstance(x, Node) and x.kind == p.kind == "call" and agree(p, x):
        for inputs in orders(x):
            yield from unified([*zip(p.inputs, inputs, strict=True), *rest], {**bound, p: x}, agree)


def orders(node: Node) -> list[tuple[Any, ...]]:
    """The inputs, in every order that gives the same value."""
    assert node.op is not None
    return [node.inputs, node.inputs[::-1]] if node.op.commutes else [node.inputs]


def like(p: Node, x: Node) -> bool:
    """Whether two calls are of one op: shapes may differ, and with them the parameters."""
    return p.op is x.op and len(p.inputs) == len(x.inputs)


def same(p: Node, x: Node) -> bool:
    """Whether two calls are the same, parameters and facts included."""
    return like(p, x) and key(p.params) == key(x.params) and str(p.facts) == str(x.facts)
