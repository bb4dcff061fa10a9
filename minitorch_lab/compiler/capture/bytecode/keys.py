"""Keys: what stands in a set or dict is found by its value. So of a number or text that varies the value is asked for.

Which keys are equal decides what a container holds. It has to follow from guards, or the container is left to Python.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from types import FunctionType
from typing import Any
from weakref import ref

from . import door
from .containers import KEYED, SETS, WRITE, kind_of
from .lengths import Lengths
from .names import GiveUp, renewed
from .tree import Identity, Int

BY_KEY = {door.contains, operator.getitem, operator.setitem}
MADE_OF_KEYS = {door.make_set, door.make_frozenset}


class Keys(Lengths):
    """The part of the recorder that knows what is equal to what."""

    contents: dict[int, Any]  # the mirrors of containers
    orders: dict[int, tuple[Any, ...]]  # in which the entries of sets from outside come

    def inside(self, xs: Any) -> Any:
        """What a container holds: see `reads.py`."""
        raise NotImplementedError

    def identical(self, key: Any) -> bool:
        """Whether a key is an object that equals itself alone. A function may be one that has no name too."""
        named = id(key) in self.names and type(key).__hash__ is object.__hash__
        return named and (type(key) is not FunctionType or id(key) in self.local)

    def parts(self, key: Any) -> Any:
        """What a tuple or frozenset holds."""
        return self.inside(key) if id(key) in self.names else key

    def parts_of(self, key: Any) -> Iterator[Any]:
        """What a key is made of, at every depth."""
        if type(key) in (tuple, frozenset):
            for part in self.parts(key):
                yield from self.parts_of(part)
        else:
            yield key

    def by_value(self, key: Any) -> Any:
        """A key of which the value is guarded, and which is a constant then; one of another kind as it is."""
        if type(key) is tuple and self.tracked(key):
            parts = tuple(map(self.by_value, self.parts(key)))
            return key if all(map(operator.is_, parts, self.parts(key))) else parts
        if type(key) is str and id(key) in self.names:
            name = self.names[id(key)]
            self.guard(f"str({name})", key, {name})
            return renewed(key)
        # A NaN equals nothing, but two may be one and the same.
        return self.exact(key) if type(key) is Int or (type(key) is float and key == key) else key

    def in_order(self, xs: Any) -> Any:
        """The entries of a set as they come, if that does not follow from what was put in: objects lie anywhere.

        Raises:
            GiveUp: The call has made them, so that every call has an order of its own.
        """
        held = self.inside(xs)
        if id(xs) in self.orders:
            return self.orders[id(xs)]
        placed = list(filter(self.identical, (part for k in held for part in self.parts_of(k))))
        if len(held) < 2 or not placed:
            return NotImplemented
        if any(id(x) in self.local for x in placed):
            raise GiveUp("objects that the call has made come out of a set in an order of their own")
        return self.perform(door.keys_of, (xs,))

    def known_key(self, key: Any) -> bool:
        """Whether it follows from guards to which keys a key is equal."""
        kind = kind_of(key)
        if kind in (tuple, frozenset) and type(key).__hash__ is kind.__hash__ and self.tracked(key):
            return all(map(self.known_key, self.parts(key)))
        refers = type(key) is ref and type(key()).__hash__ is object.__hash__  # it equals those to the same object
        return id(key) not in self.names or refers or self.identical(key)

    def finds(self, mirror: Any, xs: Any, key: Any) -> bool:
        """Whether what a mirror says of a key follows from what has been guarded."""
        if not self.known_key(key):
            return any(k is key for k in mirror)
        if self.identical(key):
            return True
        if type(key) is Identity:
            return id(xs) in self.local
        return all(map(self.known_key, mirror))

    def positions(self, f: Any, args: tuple[Any, ...]) -> range:
        """Which arguments of a call are keys."""
        if f is door.make_dict:
            return range(0, len(args), 2)
        if f in MADE_OF_KEYS:
            return range(len(args))
        keyed = args and (f in BY_KEY or f in WRITE) and kind_of(args[0]) in KEYED
        return range(1, min(2, len(args))) if keyed else range(0)

    def with_keys(self, f: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments of a call, the values of its keys asked for."""
        at = self.positions(f, args)
        return tuple(self.by_value(a) if i in at else a for i, a in enumerate(args)) if at else args

    def confuses(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether a call looks among keys of which it is not known which are equal."""
        keys = [args[i] for i in self.positions(f, args)]
        if keys and f in WRITE:
            held = self.inside(args[0]) if kind_of(args[0]) in SETS else self.contents.get(id(args[0]), ())
            keys += held
        return not all(map(self.known_key, keys))
