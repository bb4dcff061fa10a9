"""The world that a call can see change: found from the function and its arguments, remembered, and put back.

Each thing is remembered by what it holds, one level deep, and all that is held is remembered as well. So the things
themselves can be put back, and nothing needs a twin: functions, classes and globals are those of the user in both runs.
"""

from __future__ import annotations

import random
from typing import Any

from ....core.array import xp
from ....core.interpret import grad_mode
from ....ops.random import DEFAULT
from .holding import ENTRIES, Kind, kind_of, once_only


class Memory:
    """What can be reached from `roots`, and what it holds now; and where the generators of random numbers stand."""

    def __init__(self, *roots: Any) -> None:
        self.held: dict[int, tuple[Any, Kind, Any]] = {}  # by id: the thing, kept alive, its kind, and what it holds
        self.classes: dict[int, type] = {}  # by id too: a lazy layer becomes one of another class
        self.once: list[Any] = []  # what cannot be put back
        self.modes: dict[str, Any] = {"gradients": grad_mode.get(), "random": random.getstate(), "numpy": numpy_state()}
        pending = [DEFAULT, *reversed(roots)]
        while pending:
            x = pending.pop()
            kind = None if id(x) in self.held else kind_of(x)
            if kind is not None:
                content = kind.read(x)
                self.held[id(x)], self.classes[id(x)] = (x, kind, content), type(x)
                pending += reversed(inside(content))
            elif once_only(x):
                self.once.append(x)

    def __contains__(self, x: Any) -> bool:
        """Whether something was reached."""
        return id(x) in self.held

    def of(self, x: Any) -> Any:
        """What a thing held."""
        return self.held[id(x)][2]

    def part(self, x: Any, name: str) -> Any:
        """What a slot of a thing held."""
        return next(v for k, v in self.of(x).items() if getattr(k, "__name__", "") == name)

    def put_back(self) -> None:
        """Have all things hold again what they held."""
        for x, kind, content in self.held.values():
            if type(x) is not self.classes[id(x)]:
                x.__class__ = self.classes[id(x)]
            kind.put(x, content)
        grad_mode.set(self.modes["gradients"])
        random.setstate(self.modes["random"])
        xp.random.set_state(self.modes["numpy"])


def inside(content: Any) -> list[Any]:
    """The things in what a thing holds."""
    if not isinstance(content, dict):
        return list(content) if isinstance(content, (list, tuple)) else []
    found: list[Any] = []
    for key, value in content.items():
        found += [key, *inside(value)] if key is ENTRIES else [key, value]
    return found


def numpy_state() -> Any:
    """Where NumPy's global generator stands."""
    return xp.random.get_state(legacy=True)
