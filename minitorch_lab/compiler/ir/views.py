"""Which nodes of a graph show the memory of another instead of having their own."""

from __future__ import annotations

from ...core.array import must_copy
from .fake import ghost_of
from .graph import Node


def is_view(node: Node) -> bool:
    """Whether a node may show the memory of its input instead of having its own."""
    return node.op is not None and node.op.put is not None and len(node.inputs) == 1


def shares(node: Node) -> bool:
    """Whether it does, as far as is known: a reshape of what lies at uneven steps has to copy."""
    if not is_view(node) or node.op is None or node.op.name != "reshape":
        return is_view(node)
    ghost = ghost_of(node.feeds[0])
    return ghost is None or not must_copy(ghost, node.shape)


def root(node: Node) -> Node:
    """The node whose memory `node` shows."""
    while is_view(node):
        node = node.feeds[0]
    return node
