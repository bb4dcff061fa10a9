"""A region run again, op by op, where its backward walk is itself to be differentiated: a kernel leaves no tape.

The ops go on the tape, beginning with copies of the arguments as they were; that tape is walked, and the walk recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..autograd.gradients import grad
from ..autograd.node import Node, stale
from ..errors import GradientError
from ..func.trees import flatten
from ..ops.movement import clone
from ..tensor import Tensor, storage_of
from .evaluate import evaluate
from .graph import Graph
from .partition import behind
from .rewrite import draws


class Given:
    """The arguments of a call: what they hold, where, and at which version. Their histories are the node's edges."""

    __slots__ = ("storages", "values", "versions")

    def __init__(self, args: Sequence[Any], values: list[Any]) -> None:
        self.values = values
        self.storages = [x.storage or storage_of(x) for x in args]
        self.versions = [storage.version for storage in self.storages]

    def tensors(self, node: Node, read: Iterable[int]) -> list[Tensor]:
        """The arguments as they were.

        Raises:
            GradientError: One of those at the positions `read` was written since.
        """
        for i in read:
            if self.storages[i].version != self.versions[i]:
                raise stale(node, f"argument {i}", self.versions[i], self.storages[i].version)
        return list(map(Tensor, self.values, node.edges, self.storages))


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
    tensors = given.tensors(node, (i for i, x in enumerate(core.placeholders) if x in read))
    copies = [clone(x) if i in wanted else x.detach() for i, x in enumerate(tensors)]
    outs = flatten(evaluate(core, copies))[0]
    found = grad(
        [outs[k] for k in cotangents], [copies[i] for i in wanted], [*cotangents.values()],
        retain_graph=retain, create_graph=True, allow_unused=True,
    )  # fmt: skip
    return dict(zip(wanted, found, strict=True))


def refused(name: str, why: str) -> GradientError:
    """The error of a second derivative through a region that cannot be run again."""
    return GradientError(
        f"backward(create_graph=True) through {name}, which {why}.",
        "A second derivative runs the region again, op by op, and that must give the same.",
        "Did you mean to take both derivatives inside the compiled function? Or to call it uncompiled here.",
    )
