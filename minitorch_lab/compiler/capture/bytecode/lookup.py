"""Where an attribute comes from, without running code of the user's: `inspect.getattr_static`, for classes alone."""

from __future__ import annotations

from enum import Enum
from types import (
    BuiltinFunctionType,
    ClassMethodDescriptorType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()
# What gives the same function in every call: reading it runs no code.
BINDING = (
    FunctionType, BuiltinFunctionType, ClassMethodDescriptorType, MethodDescriptorType, WrapperDescriptorType,
    classmethod, staticmethod,
)  # fmt: skip
STORED = (MemberDescriptorType, GetSetDescriptorType)  # what shows a field of the object: reading it runs none either
HEAP = 1 << 9  # the bit of a class that was not made in C: it can be changed


def held(cls: type, name: str) -> Any:
    """What a class, or the first of its bases that has the name, holds under it; MISSING if none does."""
    owner = owner_of(cls, name)
    return MISSING if owner is None else owner.__dict__[name]


def owner_of(cls: type, name: str) -> type | None:
    """The class among those of `cls` that has the name."""
    return next((c for c in type.__dict__["__mro__"].__get__(cls) if name in c.__dict__), None)


def hook(cls: type, name: str) -> FunctionType | None:
    """A special method of a class, if it is written in Python."""
    found = held(cls, name)
    return found if type(found) is FunctionType else None


def found_by_name(method: MethodType) -> bool:
    """Whether an object has a method under the name of its function. It may have been put there under another."""
    me, name = method.__self__, method.__name__
    found = held(me if isinstance(me, type) else type(me), name)
    return getattr(found, "__func__", found) is method.__func__ and name not in (own_dict(me) or ())


def changes(x: Any, name: str) -> bool:
    """Whether an attribute of a constant may change: a member of an enumeration can be given some."""
    return isinstance(x, Enum) and name not in ("name", "value") and name[:1] != "_"


def describes(found: Any) -> bool:
    """Whether what a class holds decides by itself what reading it gives."""
    return held(type(found), "__get__") is not MISSING


def goes_first(found: Any) -> bool:
    """Whether it does so even if the object has an entry of its own: a data descriptor."""
    return describes(found) and (held(type(found), "__set__"), held(type(found), "__delete__")) != (MISSING, MISSING)


def by_class(x: Any, name: str) -> Any:
    """`x.name`, as if the object had no entry of its own."""
    cls, found = type(x), held(type(x), name)
    if found is MISSING:
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}", name=name, obj=x)
    return found.__get__(x, cls)


def own_dict(x: Any) -> dict[str, Any] | None:
    """The entries of an object itself, if it can have any."""
    if not type(x).__dictoffset__:
        return None
    found = object.__getattribute__(x, "__dict__") if not isinstance(x, type) else None
    return found if isinstance(found, dict) else None


def immutable(cls: type) -> bool:
    """Whether a class was made in C, and cannot be changed."""
    return not cls.__flags__ & HEAP
