"""Ids for live objects, without keeping the objects alive."""

from __future__ import annotations

import weakref
from contextlib import suppress
from typing import Any


class Ids:
    """Hands out t1, t2, ... and remembers who has which, by identity and weakly.

    Example:
        >>> class Thing: ...
        >>> ids, a = Ids("t"), Thing()
        >>> ids.new(a), ids.get(a), ids.get(Thing())
        ('t1', 't1', None)
    """

    def __init__(self, letter: str) -> None:
        self.letter = letter
        self.made = 0
        self._held: dict[int, tuple[weakref.ref[Any], str]] = {}

    def fresh(self) -> str:
        """The next id, for something that will not be asked for again."""
        self.made += 1
        return f"{self.letter}{self.made}"

    def new(self, thing: Any) -> str:
        """A new id for `thing`, in place of the one it had."""
        return self.give(thing, self.fresh())

    def give(self, thing: Any, name: str) -> str:
        """Note that `thing` has the id `name`. What cannot be referred to weakly (a NumPy scalar) is not remembered."""
        with suppress(TypeError):
            self._held[id(thing)] = weakref.ref(thing), name
        return name

    def get(self, thing: Any) -> str | None:
        """The id of `thing`, or None if it was never seen. Python reuses addresses, so the object is compared too."""
        held = self._held.get(id(thing))
        return held[1] if held is not None and held[0]() is thing else None

    def living(self) -> dict[str, Any]:
        """The objects that still exist, by id."""
        found = {name: ref() for ref, name in self._held.values()}
        return {name: thing for name, thing in found.items() if thing is not None}
