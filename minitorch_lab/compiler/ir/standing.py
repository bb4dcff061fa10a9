"""On which of the user's lines a program stands while it runs again on fakes: what is written down then belongs there.

What a rule of the backward pass writes down belongs to the line of the op that it is a rule of.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from ...autograd.anomaly import Place
from ...autograd.node import Node
from ...func.reverse import Arriving, Tape, Traced
from ...ops.op import Op

standing: ContextVar[Place | None] = ContextVar("standing", default=None)


class Placed(Tape):
    """A tape that knows the line of every node."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[Node, Place | None] = {}

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Traced:
        """Record, and note the line."""
        out = super().apply(op, args, params)
        if out.node is not None:
            self.places[out.node] = standing.get()
        return out


class Returning(Arriving):
    """Rules that stand, while they run, on the line of their node."""

    def __init__(self, places: dict[Node, Place | None]) -> None:
        super().__init__()
        self.places = places

    def pull(self, node: Node, g: Any) -> list[Any]:
        """Run the rules of `node`."""
        token = standing.set(self.places.get(node))
        try:
            return super().pull(node, g)
        finally:
            standing.reset(token)
