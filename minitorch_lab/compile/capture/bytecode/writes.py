"""Writes: globals, attributes, containers; and objects that the program makes itself."""

from __future__ import annotations

import inspect
import operator
from types import CellType, MemberDescriptorType
from typing import Any

from ...sizes import Size
from . import door
from .containers import BLIND, MAPPINGS, kind_of
from .reads import VIEWS, Reads
from .tree import Int

BUILD = {
    door.make_list, door.make_tuple, door.make_dict, door.make_set, door.make_function, CellType, object.__new__,
    list.copy, dict.copy, set.copy, *VIEWS,
}  # fmt: skip
VARYING = (Int, Size)
FROM_PARTS = (door.make_list, door.make_tuple, door.make_dict, door.make_set)


class Writes(Reads):
    """The part of the recorder that writes."""

    def owner(self, x: Any) -> str:
        """The name of a local object: a line that writes to it serves only it."""
        return self.names[id(x)] if id(x) in self.local else ""

    def write_global(self, globals_: dict[str, Any], name: str, value: Any) -> None:
        """`global name; name = value`."""
        self.perform(operator.setitem, (globals_, name, value), guarded=False, early=False)
        self.written.add(name)
        self.attributes[id(globals_), name] = value

    def write_attribute(self, x: Any, name: str, value: Any, plain: bool) -> Any:
        """`x.name = value`; NotImplemented where writing may do anything."""
        found = inspect.getattr_static(type(x), name, None)
        special = hasattr(found, "__set__") and not isinstance(found, MemberDescriptorType)
        hooked = type(x).__setattr__ not in (object.__setattr__, BaseException.__setattr__)
        if isinstance(x, type) or (special and not isinstance(x, (CellType, BaseException))) or (hooked and not plain):
            return NotImplemented
        write = door.plain_setattr if plain and hooked else setattr
        if self.goes_without(x, (value,)):
            write(x, name, value)
            self.attributes[id(x), name] = value
            return None
        self.perform(write, (x, name, value), guarded=False, early=False, owner=self.owner(x))
        if id(x) not in self.local:  # what is read of others is not this object's
            self.written.add(name)
        self.attributes[id(x), name] = value
        return None

    def write_by_key(self, d: Any, key: Any, value: Any) -> None:
        """`d[key] = value`, of a dict that is not mirrored."""
        self.perform(operator.setitem, (d, key, value), guarded=False, early=False)
        self.written |= {self.tag_of(d, key), (id(d),)}
        self.attributes[self.place_of(d, "has", key)], self.attributes[self.place_of(d, "at", key)] = True, value

    def write_container(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`xs.append(x)` and its like, on the mirror and on the object."""
        xs, kind = args[0], kind_of(args[0])
        blind = id(xs) not in self.contents and (f in BLIND or (f is operator.setitem and kind in MAPPINGS))
        value = None
        if self.goes_without(xs, args[1:]):
            f(*args, **kwargs)
            return f(self.inside(xs), *args[1:], **kwargs)
        if not blind:  # a blind write need know nothing of the container
            taken = [self.inside(a) for a in args[1:]] if any(type(a) is slice for a in args) else args[1:]
            value = f(self.inside(xs), *taken, **kwargs)  # raises what it raises
        self.perform(f, args, kwargs, guarded=False, early=False, owner=self.owner(xs))
        self.written.add(id(xs))
        if blind:
            self.forget_keys(xs)
        return value

    def forget_keys(self, d: Any) -> None:
        """What was known of single keys of a dict may have changed."""
        for key in [k for k in self.attributes if len(k) == 3 and k[0] == id(d)]:
            del self.attributes[key]

    def build(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A new object, which the program makes itself."""
        if f is door.make_tuple and not any(map(self.tracked, args)):
            return args
        if any(map(self.unwritable, args)):
            return self.build_unwritten(f, args, kwargs)
        name = f"{self.c.prefix}{self.count + 1}"
        safe = f in FROM_PARTS or f is CellType
        v = self.track(self.perform(f, args, kwargs, guarded=False, early=False, owner="me", safe=safe), name)
        self.mirror(v, f, args, kwargs)
        return v

    def mirror(self, v: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Know what a new object holds."""
        self.local.add(id(v))
        if f in VIEWS:
            self.origins[id(v)] = args[0]
        elif kind_of(v) is not None:
            from_parts = f in FROM_PARTS
            self.contents[id(v)] = f(*args) if from_parts else f(*map(self.inside, args), **kwargs)
        if isinstance(v, CellType) and args:
            self.attributes[id(v), "cell_contents"] = args[0]

    def put_together(self, v: tuple[Any, ...]) -> str:
        """The name of a tuple of values that have names."""
        made = self.build(door.make_tuple, v, {})
        name = self.names[id(made)]
        self.track(v, name)
        return name

    # ---- objects that the program does without -----------------------------------------------------------------------
    def goes_without(self, x: Any, values: Any) -> bool:
        """Whether a write to an object stays out of the program: it holds what no program can make, or will now.

        Only an object made in this call can, and only as long as nobody else sees it.
        """
        if id(x) not in self.unwritten and id(x) in self.local and any(map(self.unwritable, values)):
            self.unwritten[id(x)] = x
        return id(x) in self.unwritten

    def build_unwritten(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A new object that the program does without."""
        v = f(*args, **kwargs)
        self.unwritten[id(v)] = v
        self.mirror(v, f, args, kwargs)
        return v

    def same(self, a: Any, b: Any) -> bool:
        """`a is b`: that two objects are two is guarded; that they are one is known by their one name.

        Of numbers it is asked whether they are equal: which of them are one object is Python's affair.
        """
        if isinstance(a, int) and isinstance(b, int) and (type(a) in VARYING or type(b) in VARYING):
            return self.concrete(a) == self.concrete(b)
        if (
            self.tracked(a)
            and self.tracked(b)
            and a is not b
            and type(a) is type(b)
            and not {id(a), id(b)} & self.local
        ):
            uses = set[str]()
            self.guard(f"{self.ref(a, uses)} is {self.ref(b, uses)}", False, uses)
        return a is b
