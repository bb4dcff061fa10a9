"""What of a program may be made in several ways, each right. Which is fastest only the stopwatch knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .fuse import Fusion
from .group import Axes, Group


class Bare(Fusion):
    """Fusion that leaves products and sums of columns alone: what is done to them is a kernel of its own."""

    def shared_tile(self, a: Group, b: Group) -> tuple[str, Axes, str | None, str] | None:
        """Nothing joins a tile."""
        return None


def as_reckoned(program: Any, target: Any) -> None:
    """Every tile has the shape that follows from the registers (see `tile_shape`)."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a program is made.

    Attributes:
        fusion: Who says which values are computed by one kernel.
        library: The ops that a library computes, though kernels could.
        tiles: Who says what shape the tiles of a program have, on a target.
        threads: How many threads may share the work of one kernel.
    """

    fusion: type[Fusion] = Fusion
    library: frozenset[str] = frozenset()
    tiles: Callable[[Any, Any], None] = as_reckoned
    threads: int = 1


USUAL = Recipe()
BY_LIBRARY = frozenset({"matmul"})
