"""Where in the reference a name stands that a lesson, a docstring or a page says: `ml.stack` leads to its entry."""

from __future__ import annotations

import re
from functools import cache, reduce

import minitorch_lab
from minitorch_lab import compiler

from .reference import ROOMS, owner_of, shown

NAME = re.compile(r"ml((?:\.\w+)+)(?:\(.*\))?", re.DOTALL)


@cache
def entries() -> dict[int, str]:
    """Under which name everything stands in the reference, by id."""
    found = {id(thing): f"{owner_of(room)}.{name}" for room in ROOMS for name, thing in shown(room).items()}
    asked = {name: f"{compiler.__name__}.{place}.{name}" for name, place in compiler.ASKED.items()}
    return found | {id(getattr(minitorch_lab.compile, name)): entry for name, entry in asked.items()}


def entry_of(text: str) -> str | None:
    """The entry of a function, a class or a method that a piece of code names, if it names nothing else.

    Example:
        >>> entry_of("ml.compile"), entry_of("ml.nn.Linear"), entry_of("ml.Tensor.backward()"), entry_of("ml.x")
        ('minitorch_lab.compiler.capture.api.compile', 'minitorch_lab.nn.Linear', 'minitorch_lab.Tensor.backward', None)
    """
    match = NAME.fullmatch(text)
    if match is None:
        return None
    *path, last = match[1].split(".")[1:]
    owner = reduce(lambda thing, name: getattr(thing, name, None), path, minitorch_lab)
    thing = getattr(owner, last, None)
    if id(thing) in entries():
        return entries()[id(thing)]
    return f"{entries()[id(owner)]}.{last}" if id(owner) in entries() and thing is not None else None
