"""The memory of a kernel whose lengths vary: kept from call to call, and planned anew when a length has changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Any

from ...core.array import Array
from ..ir.sizes import mapped_sizes
from .arena import Views, allocated, seen
from .buffers import Homes
from .plan import Plan, Planner, planned

Values = tuple[int, ...]


@dataclass(eq=False, slots=True)
class Room:
    """A block for some lengths, and the temporaries of the kernel as views of it."""

    lengths: Values
    memory: Array
    shown: Views


class Rooms:
    """The rooms of one kernel that nobody works in now.

    Args:
        name: The kernel.
        found: What its temporaries need.
        plan: Their plan at the lengths for which the kernel was made.
        planner: Who places them at other lengths.
        lengths: The names of the lengths.
    """

    def __init__(self, name: str, found: Homes, plan: Plan, planner: Planner | None, lengths: list[str]) -> None:
        self.name, self.found, self.plan, self.planner, self.names = name, found, plan, planner, lengths
        self.free: list[Room] = []

    def take(self, *lengths: int) -> Room:
        """A room for these lengths; one for others is let go."""
        try:
            room = self.free.pop()
        except IndexError:
            return self.made(lengths)
        return room if room.lengths == lengths else self.made(lengths)

    def keep(self, room: Room) -> None:
        """Take it back."""
        self.free.append(room)

    def made(self, lengths: Values) -> Room:
        """A new room."""
        at = dict(zip(self.names, lengths, strict=True))
        shapes: dict[Any, Any] = {n: mapped_sizes(lambda size: size.at(at), n.shape) for n in self.found.home}
        need = {i: n.dtype.itemsize * prod(shapes[n]) for n, i in self.found.home.items()}
        lives = [replace(life, nbytes=need[i]) for i, life in enumerate(self.found.lives)]
        plan = planned(lives, self.planner, steps=self.plan.steps)
        memory = allocated(self.name, plan, plan.size)
        views = [seen(memory, shapes[n], n.dtype, plan.offsets[i]) for n, i in self.found.home.items()]
        return Room(lengths, memory, tuple(views))
