"""Walking the reader's tape in the reader's order, with the rules that the nodes carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..autograd.node import Leaf, Node
from ..autograd.pullback import OnArrays
from ..core.array import xp
from ..core.interpret import GROUND, interpreting
from ..tensors.tensor import Tensor

RULES = OnArrays(GROUND, retain=True)


def pull(node: Node, g: Any) -> list[Any]:
    """Run the rules of a node: one part per entry of `node.next_functions`, None where that entry leads nowhere.

    Args:
        node: A node of the tape. A leaf sends nothing on: its list is empty.
        g: Its cotangent, a number or an array of the shape of the node's result.

    Raises:
        GradientError: What the node had saved was freed, or written in place since.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(3.0, requires_grad=True)
        >>> pull((x * 5).grad_fn, 2.0)
        [10.0, None]
    """
    if isinstance(node, Leaf):
        return []
    with interpreting(GROUND):
        return [None if part is None else plain(part) for part in RULES.pull(node, xp.asarray(g))]


def plain(part: Any) -> Any:
    """A single number as Python's own; an array as it is."""
    return part if getattr(part, "ndim", 0) else float(part)


def nodes_of(root: Node) -> list[Node]:
    """Every node that can be reached from `root`, each once, in an order in which a node comes after its readers."""
    found = {root}
    pending = [root]
    while pending:
        fresh = {edge for edge in pending.pop().edges if edge is not None} - found
        found |= fresh
        pending += fresh
    return sorted(found, key=lambda node: node.order)


@dataclass
class Account:
    """How a walk went."""

    leaves: dict[Node, Any] = field(default_factory=dict[Node, Any])  # what arrived at each leaf, added up
    held: dict[Node, int] = field(default_factory=dict[Node, int])  # how many parts a node had when it ran
    late: list[tuple[Node, Node]] = field(default_factory=list[tuple[Node, Node]])  # (reader, node that had run)


def walk_in(root: Node, order: Sequence[Node], seed: Any = 1.0) -> Account:
    """Walk from `root`: each op node of `order` runs once, on what has arrived by then. A leaf adds up."""
    account, arrived = Account(), {root: [seed]}
    for node in order:
        if isinstance(node, Leaf) or node in account.held:
            continue
        parts = arrived.get(node, [])
        account.held[node] = len(parts)
        if not parts:
            continue
        for edge, part in zip(node.edges, pull(node, sum(parts)), strict=True):
            if edge is None:
                continue
            if edge in account.held:
                account.late.append((node, edge))
            arrived.setdefault(edge, []).append(part)
    account.leaves = {node: sum(parts) for node, parts in arrived.items() if isinstance(node, Leaf)}
    return account


def root_of(y: Tensor) -> Node:
    """The node that made `y`."""
    node = y.grad_fn
    assert node is not None
    return node
