"""Writes: globals, attributes, containers; and objects that the program makes itself."""

from __future__ import annotations

import functools
import inspect
import operator
from sys import getrefcount
from types import CellType, FunctionType, MemberDescriptorType, ModuleType
from typing import Any
from weakref import ref

from ...ir.sizes import Size
from . import door
from .containers import BLIND, MAPPINGS, kind_of, mirror_of
from .lookup import describes
from .protocols import GENERIC_SET
from .reads import ABSENT, HEAP, VIEWS, Reads, changing
from .tree import Int

BUILD = {
    door.make_list, door.make_tuple, door.make_dict, door.make_set, door.make_function, door.make_as, door.make_error,
    door.make_container, door.make_frozenset, CellType, object.__new__, functools.partial, ref,
    list.copy, dict.copy, set.copy, *VIEWS,
}  # fmt: skip
ALONE = 2  # references to an object that only a dict and this very question refer to
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
        ours = isinstance(x, (CellType, BaseException)) or (type(x) is FunctionType and id(x) in self.local)
        special = hasattr(found, "__set__") and not isinstance(found, MemberDescriptorType) and not ours
        hooked = type(x).__setattr__ not in GENERIC_SET and type(x).__setattr__ is not type.__setattr__
        closed = special or (hooked and not plain) or (isinstance(x, type) and not x.__flags__ & HEAP)
        again = self.repeats(setattr, x, name)
        if closed and not again:
            return NotImplemented
        if not again and id(x) not in self.local and not isinstance(x, (type, ModuleType)):
            self.kept_by(type(x), name)
        write = door.plain_setattr if plain and hooked else setattr
        if self.goes_without(x, (value,)):
            write(x, name, value)
            self.attributes[id(x), name] = value
            return None
        self.perform(write, (x, name, value), guarded=False, early=False, owner=self.owner(x))
        if id(x) not in self.local:  # what is read of others is not this object's
            self.written.add(name)
        self.rewritten.add(id(x))
        self.attributes[id(x), name] = value
        return None

    def kept_by(self, cls: type, name: str) -> None:
        """Guard that objects of a class keep what is written to them: it says nothing of the name, or gives a default.

        No question may run what the class says by then.
        """
        for c in filter(changing, cls.__mro__):
            where = f"{self.c.pool(c)}.__dict__"
            if (found := c.__dict__.get(name, ABSENT)) is ABSENT:
                self.guard(f"{name!r} in {where}", False, (), name)
            elif not describes(found):
                self.guard(f"type({where}[{name!r}])", type(found), (), name)

    def delete_attribute(self, x: Any, name: str) -> Any:
        """`del x.name`, of an attribute of its own; NotImplemented elsewhere."""
        if isinstance(x, type) or not (self.remembers(x, name) if id(x) in self.unwritten else self.has_own(x, name)):
            return NotImplemented
        if id(x) in self.unwritten and self.goes_without(x, ()):
            delattr(x, name)
            self.attributes[id(x), name] = ABSENT
            return None
        delete = delattr if type(x).__delattr__ is object.__delattr__ else object.__delattr__
        self.perform(delete, (x, name), guarded=False, early=False, owner=self.owner(x))
        self.written.add(name)
        self.attributes[id(x), name] = ABSENT
        return None

    def write_by_key(self, d: Any, key: Any, value: Any) -> None:
        """`d[key] = value`, of a dict that is not mirrored."""
        self.perform(operator.setitem, (d, key, value), guarded=False, early=False)
        self.written.update({self.tag_of(d, key), (id(d),)})
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
        if self.orders.pop(id(xs), None) is not None:  # it is asked for again
            del self.contents[id(xs)]
            self.epoch += 1
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
        elif f is door.make_frozenset:
            self.contents[id(v)] = frozenset(args)
        elif f is door.make_as:
            self.contents[id(v)] = args[1:]
        elif f is door.make_container:
            self.contents[id(v)] = mirror_of(args[1], (), v)
        elif f is functools.partial:
            self.hold_partial(v, args, kwargs)
        elif isinstance(v, BaseException):
            self.attributes[id(v), "args"] = self.build(door.make_tuple, args[1:] if f is door.make_error else args, {})
        elif kind_of(v) is not None:
            from_parts = f in FROM_PARTS
            self.contents[id(v)] = f(*args) if from_parts else f(*map(self.inside, args), **kwargs)
        if isinstance(v, CellType) and args:
            self.attributes[id(v), "cell_contents"] = args[0]

    def hold_partial(self, v: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Know what a partial function was made of."""
        func, given, named = args[0], args[1:], kwargs
        if type(func) is functools.partial:  # it is unfolded
            held = [self.machine.getattr(func, name) for name in ("func", "args", "keywords")]
            func, given, named = held[0], (*self.inside(held[1]), *given), {**self.inside(held[2]), **named}
        self.attributes[id(v), "func"] = func
        self.attributes[id(v), "args"] = self.build(door.make_tuple, given, {})
        self.attributes[id(v), "keywords"] = self.build(door.make_dict, tuple(flat(named)), {})

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
            self.inside(x)  # what it holds is asked while it still has a name
            self.unwritten[id(x)] = x
        return id(x) in self.unwritten

    def build_unwritten(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A new object that the program does without."""
        v = f(*args, **kwargs)
        self.unwritten[id(v)] = v
        self.mirror(v, f, args, kwargs)
        return v

    def drop_unheld(self) -> None:
        """Let go of what the program does without and nobody holds any more: iterators in it are closed then."""
        for key in [k for k in self.unwritten if getrefcount(self.unwritten[k]) == ALONE + (k in self.keep)]:
            for known in (self.contents, self.keep, self.names):
                known.pop(key, None)
            self.local.discard(key)
            del self.unwritten[key]

    def same(self, a: Any, b: Any) -> bool:
        """`a is b`: that two objects are two is guarded; that they are one is known by their one name.

        Of numbers it is asked whether they are equal: which of them are one object is Python's affair.
        """
        if {type(a), type(b)} & {*VARYING} and {type(a), type(b)} <= {int, *VARYING}:
            return self.concrete(a) == self.concrete(b)
        outside = a is not b and type(a) is type(b) and not {id(a), id(b)} & self.local
        named = self.tracked(a), self.tracked(b)
        if outside and (any(named) if type(a) is FunctionType else all(named)):
            uses = set[str]()
            self.guard(f"{self.ref(a, uses)} is {self.ref(b, uses)}", False, uses)
        return a is b


def flat(d: dict[str, Any]) -> Any:
    """Keys and values in turn."""
    return (x for pair in d.items() for x in pair)
