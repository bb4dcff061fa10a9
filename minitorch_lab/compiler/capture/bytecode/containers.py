"""Containers that are laid out as a built-in one, so that the recorder may hold a mirror of what is in them."""

from __future__ import annotations

import operator
from collections import OrderedDict, defaultdict, deque
from typing import Any

from . import door
from .lookup import held

MAPPINGS = (OrderedDict, defaultdict, dict)
SETS = (set, frozenset)
SEQUENCES = (list, tuple, deque)
KEYED = (*SETS, *MAPPINGS)
KINDS = (*SEQUENCES, *SETS, *MAPPINGS)
EXACT = {kind: kind for kind in KINDS}


def kind_of(x: Any) -> Any:
    """The built-in container that an object is laid out as; None if it is none."""
    return kind_of_class(type(x))


def kind_of_class(cls: type) -> Any:
    """The same of the objects of a class."""
    return EXACT.get(cls) or next((kind for kind in cls.__mro__ if kind in EXACT), None)


READING, FILLING = ("__iter__", "__len__", "__getitem__", "keys"), ("__setitem__", "append", "add", "clear")


def overrides(cls: type, names: tuple[str, ...]) -> bool:
    """Whether a class says anew what one of these methods of the built-in container does that it is derived from.

    Functions written in C ask some objects by their methods, and look into others past them.
    """
    kind = kind_of_class(cls)
    return kind not in (None, cls) and any(held(cls, name) is not held(kind, name) for name in names)


def plain_method(x: Any, f: Any, name: str) -> Any:
    """`f`, unless the class of `x` says in Python what that means: then the method of the built-in kind."""
    kind = kind_of(x)
    inherited = type(x) is kind or getattr(type(x), name) is getattr(kind, name)
    return f if inherited else getattr(kind, name)


def mirror_of(kind: Any, entries: Any, x: Any) -> Any:
    """A mirror with these entries (pairs, of a mapping)."""
    if kind is deque:
        return deque(entries, x.maxlen)
    return dict(entries) if kind is defaultdict else kind(entries)


WRITES = {
    list: "append pop insert clear reverse", dict: "pop clear", set: "add discard pop clear remove",
    deque: "append appendleft pop popleft clear extend extendleft rotate reverse insert remove",
    OrderedDict: "move_to_end popitem pop clear",
}  # fmt: skip
SLOTS = ("__setitem__", "__delitem__")
CHANGED = (list, deque, *MAPPINGS)
WRITE: set[Any] = {
    *(getattr(kind, name) for kind, names in WRITES.items() for name in names.split(" ")),
    *(getattr(kind, slot) for kind in CHANGED for slot in SLOTS), operator.setitem, operator.delitem,
}  # fmt: skip
# These need know nothing of what is there.
BLIND = {list.append, deque.append, *(kind.__setitem__ for kind in MAPPINGS)}
OF_SLOTS: dict[str, Any] = {"__len__": len, "__contains__": door.contains, "__getitem__": operator.getitem}
# What a class calls to ask the built-in one that it is made of.
ASKED_OF_KIND = {getattr(kind, slot): f for kind in KINDS for slot, f in OF_SLOTS.items() if hasattr(kind, slot)}
