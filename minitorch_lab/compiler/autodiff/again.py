"""A region run again, op by op, where its backward walk is itself to be differentiated: a kernel leaves no tape.

The ops go on the tape, beginning with copies of the arguments as they were; that tape is walked, and the walk recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...autograd import EAGER
from ...autograd.custom import Part
from ...autograd.gradients import grad
from ...autograd.node import Node, next_order, stale
from ...core.interpret import grad_enabled, interpreting
from ...errors import GradientError
from ...func.trees import flatten
from ...ops.movement import clone
from ...tensors.tensor import Tensor, storage_of
from ..ir.evaluate import KINDS, evaluate
from ..ir.graph import Graph
from ..ir.graph import Node as Value
from ..ir.rewrite import draws
from .partition import behind


class Given:
    """The arguments of a call: what they hold, where, and at which version. Their histories are the node's edges.

    A number of Python's has neither memory nor version.
    """

    __slots__ = ("storages", "values", "versions")

    def __init__(self, args: Sequence[Any], values: list[Any]) -> None:
        self.values = values
        self.storages = [x.storage or storage_of(x) if isinstance(x, Tensor) else None for x in args]
        self.versions = [storage.version if storage else 0 for storage in self.storages]

    def operands(self, node: Node, read: Iterable[int]) -> list[Any]:
        """The arguments as they were.

        Raises:
            GradientError: One of those at the positions `read` was written since.
        """
        for i in read:
            storage = self.storages[i]
            if storage and storage.version != self.versions[i]:
                raise stale(node, f"argument {i}", self.versions[i], storage.version)
        held = zip(self.values, node.edges, self.storages, strict=True)
        return [Tensor(value, edge, storage) if storage else value for value, edge, storage in held]


def detached(x: Any) -> Any:
    """A tensor without its history; a number as it is."""
    return x.detach() if isinstance(x, Tensor) else x


def obstacle(graph: Graph, writes: Sequence[Any]) -> str:
    """Why a region cannot be run again; nothing if it can."""
    return "writes into its arguments" if writes else "draws random numbers" if any(map(draws, graph.nodes)) else ""


def gradients_again(
    core: Graph, given: Given, wanted: Sequence[int], cotangents: dict[int, Any], node: Node, retain: bool
) -> dict[int, Any]:
    """The gradients by the arguments `wanted`, with their history, for cotangents of some results.

    Raises:
        GradientError: An argument that matters was written since.
    """
    leaves = flatten(core.returned)[0]
    read = behind(leaves[k] for k in cotangents)
    operands = given.operands(node, (i for i, x in enumerate(core.placeholders) if x in read))
    copies = [clone(x) if i in wanted else detached(x) for i, x in enumerate(operands)]
    outs = flatten(evaluate(core, copies))[0]
    found = grad(
        [outs[k] for k in cotangents], [copies[i] for i in wanted], [*cotangents.values()],
        retain_graph=retain, create_graph=True, allow_unused=True,
    )  # fmt: skip
    return dict(zip(wanted, found, strict=True))


def taken_apart(
    core: Graph, written: Iterable[int], given: Given, node: Node, ends: dict[int, Part], shown: dict[str, Node]
) -> None:
    """Put the ops of a region on the tape after all, so that what depends on a result leads through its end.

    Args:
        core: What the region computes.
        written: The positions of the arguments into which it writes.
        given: The arguments.
        node: Its node.
        ends: Where the cotangents of its results go, by position.
        shown: The nodes of views outside, by the names of those in `core` that they may be.

    Raises:
        GradientError: The region draws random numbers, or an argument that matters was written by it or since.
    """
    leaves = flatten(core.returned)[0]
    read = behind(leaves[i] for i in ends)
    if why := obstacle(core, [i for i in written if core.placeholders[i] in read]):
        raise unwatched(node.name(), why)
    operands = given.operands(node, (i for i, x in enumerate(core.placeholders) if x in read))
    values, end_of = dict(zip(core.placeholders, operands, strict=True)), {leaves[i]: end for i, end in ends.items()}
    start = next_order()
    with interpreting(EAGER), grad_enabled(True):
        for value in (n for n in core.nodes if n in read and n not in values):
            made = KINDS[value.kind](value, [values[i] if isinstance(i, Value) else i for i in value.inputs])
            if value in end_of:
                end_of[value].lead_to(made.node)
                made = Tensor(made.value, end_of[value])
            view, last = shown.get(value.name), getattr(made, "node", None)
            if view and last and (view.op, view.edges, view.params) == (last.op, last.edges, last.params):
                view.order = next_order()
                made = Tensor(made.value, view)
            values[value] = made
    put_back(ends.values(), start, node.order)


def put_back(ends: Iterable[Node], start: float, order: float) -> None:
    """Let the nodes that were made since `start` have orders next to `order`: a walk comes to them as if made then."""
    stop, pending, seen = next_order(), list(ends), set[Node]()
    while pending:
        node = pending.pop()
        if stop < node.order < start and node not in seen:
            seen.add(node)
            pending += [edge for edge in node.edges if edge is not None]
    for node in seen:
        node.order = order - (start - node.order) / (start - stop)


def refused(name: str, why: str) -> GradientError:
    """The error of a second derivative through a region that cannot be run again."""
    return GradientError(
        f"backward(create_graph=True) through {name}, which {why}.",
        "A second derivative runs the region again, op by op, and that must give the same.",
        "Did you mean to take both derivatives inside the compiled function? Or to call it uncompiled here.",
    )


def unwatched(name: str, why: str) -> GradientError:
    """The error of a hook on a result from which another was computed, where the region cannot be run again."""
    return GradientError(
        f"A result of {name} is to be watched, from which it computed another, and it {why}.",
        "A hook, retain_grad() and autograd.grad run the region again, op by op, and that must give the same.",
        "Did you mean to watch it inside the compiled function? Or to call it uncompiled here.",
    )
