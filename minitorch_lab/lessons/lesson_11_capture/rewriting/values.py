"""What the symbolic machine has on its stack: what it knows, what is a tensor to be, and what only the run will tell.

A `Captured` is a tensor of which the facts are known. A plain value (a number, a tuple, a module, a function) is known
outright. An `Unknown` is anything else; whatever touches one is left for the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from ....compiler.ir.symbolic import Captured
from ....core.array import xp
from ....tensors.tensor import Tensor

ATOMS = (int, float, complex, bool, str, bytes, type(None), type(...), range)
TOOLS = (ModuleType, FunctionType, BuiltinFunctionType, type)  # what a program is made of, not what it works on


class Unknown:
    """A value that only the run will tell."""

    __slots__ = ()


class Null:
    """The empty slot under or above the function of a call."""

    __slots__ = ()


NULL = Null()


def parts(value: Any) -> list[Any]:
    """What a container holds; nothing for anything else."""
    if isinstance(value, slice):
        return [value.start, value.stop, value.step]
    return list(value) if type(value) in (tuple, list) else []


def method_of(value: Any) -> Captured | None:
    """The tensor to be whose method `value` is."""
    owner = value.__self__ if isinstance(value, MethodType) else None
    return owner if isinstance(owner, Captured) else None


def holds(value: Any, kind: type) -> bool:
    """Whether `value` is, or holds somewhere, one of this kind."""
    return isinstance(value, kind) or any(holds(part, kind) for part in parts(value))


def captured_in(values: Iterable[Any]) -> list[Captured]:
    """The tensors to be in some values, in order."""
    found: list[Captured] = []
    for value in values:
        owner = value if isinstance(value, Captured) else method_of(value)
        found += captured_in(parts(value)) if owner is None else [owner]
    return found


def constant(value: Any) -> bool:
    """Whether `value` is known and can never change."""
    if type(value) in (tuple, slice):
        return all(map(constant, parts(value)))
    return type(value) in ATOMS or isinstance(value, xp.dtype)


def plain(value: Any) -> bool:
    """Whether an operator on `value` does nothing but compute: no user's class can have a say in it."""
    if type(value) in (tuple, list, slice):
        return all(map(plain, parts(value)))
    return isinstance(value, Tensor) or constant(value)
