"""Ahead-of-time differentiation: forward and backward of a graph as one joint graph, before anything runs.

The graph runs on fakes under `vjp`, and what both the function and its pullback do is written down. A partition then
cuts the joint graph in two (see `partition`). After PyTorch's AOTAutograd.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...core.array import is_float
from ...core.interpret import grad_enabled, interpreting
from ...func.reverse import arrived, leaf_of
from ...func.trees import flatten
from ..ir.evaluate import evaluate
from ..ir.graph import LATER, Graph, Node
from ..ir.replay import Values
from ..ir.rewrite import WALK
from ..ir.standing import Placed, Returning
from ..ir.symbolic import Captured, Capturing


@dataclass(eq=False, slots=True)
class Joint:
    """Forward and backward in one graph.

    Its placeholders are the `primals`, then one tangent for every output that can be differentiated; its output is the
    list of `outputs`, then one gradient for every primal in `wanted`.
    """

    graph: Graph
    primals: list[Node]
    tangents: list[Node]
    outputs: list[Any]
    gradients: list[Node]
    wanted: tuple[int, ...]
    moving: list[int]  # which outputs have a tangent


def joint(graph: Graph, wanted: Sequence[int] | None = None) -> Joint:
    """The joint graph of a graph, by the primals at the positions `wanted` (all of floats if left out).

    The graph is pure (see `functionalise`). A result of integers or truth values has no tangent, nor has one that no
    wanted primal reaches.

    Example:
        >>> import minitorch_lab as ml
        >>> scaled = ml.jit.trace(lambda a: 0.1 * a, ml.randn(1)).graph
        >>> joint(scaled).graph
        joint(primals_1: f32[1], tangents_1: f32[1]):
            mul: f32[1] = mul(0.1, primals_1)
            mul_1: f32[1] = mul(tangents_1, 0.1)
            return [mul, mul_1]
    """
    floats = [i for i, n in enumerate(graph.placeholders) if is_float(n.dtype)]
    chosen = tuple(floats if wanted is None else (i for i in wanted if i in floats))
    new = Graph("joint")
    capturing = Values(new)
    primals = [capturing.imagined(f"primals_{i + 1}", n.facts) for i, n in enumerate(graph.placeholders)]
    first = [p.value for p in primals]
    moving = reached(graph, chosen)
    leaves = flatten(graph.returned)[0]
    turned = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Node) and leaf in moving]
    late = [new.placeholder(f"tangents_{k + 1}", leaves[i].facts, LATER) for k, i in enumerate(turned)]
    tangents = list(map(capturing.box, late))
    found: list[Any] = []

    def moved(*live: Any) -> list[Any]:
        given: list[Any] = list(primals)
        for i, x in zip(chosen, live, strict=True):
            given[i] = x
        found[:] = flatten(evaluate(graph, given))[0]
        return [found[i] for i in turned]

    with interpreting(capturing):
        tape = Placed()
        live = [leaf_of(tape, primals[i]) for i in chosen]
        with interpreting(tape), grad_enabled(True):
            ends = [tape.own(out) for out in moved(*(tape.box(x.value, x.node) for x in live))]
        forward = len(new.nodes)
        gradients = [g.value for g in arrived(ends, tangents, live, Returning(tape.places))]
    for node in new.nodes[forward:]:
        node.made_by = node.made_by or WALK
    outs = [opened(capturing, x) for x in found]
    for i, end in zip(turned, ends, strict=True):
        outs[i] = end.value.value
    new.output([*outs, *gradients])
    return Joint(new, first, [t.value for t in tangents], outs, gradients, chosen, turned)


def opened(capturing: Capturing, x: Any) -> Any:
    """The node in a result, under whatever levels of transforms it lies."""
    while hasattr(x, "level") and x.level > capturing.level:
        x = x.value
    return capturing.own(x).value if isinstance(x, Captured) or hasattr(x, "level") else x


def reached(graph: Graph, wanted: Sequence[int]) -> set[Node]:
    """The nodes to which a gradient path leads from the placeholders at the positions `wanted`."""
    placeholders = graph.placeholders
    moving = {placeholders[i] for i in wanted}
    for node in graph.nodes:
        if node.kind == "part" and node.feeds[0] in moving and is_float(node.dtype):
            moving.add(node)
        if node.kind == "custom" and node.grad and any(feed in moving for feed in node.feeds):
            moving.add(node)
        if node.op is None:
            continue
        pairs = zip(node.inputs, node.op.rules(len(node.inputs)), strict=True)
        if not node.grad:  # a write that is not recorded leaves the history that there was
            leads = node.kind == "write" and node.inputs[0] in moving
        else:
            leads = is_float(node.dtype) and any(
                isinstance(i, Node) and i in moving and rule is not None for i, rule in pairs
            )
        if leads:
            moving.add(node)
    return moving
