"""Reads: globals, attributes, and what containers hold. Each is read once, guarded, and kept until an unknown call.

A replay must not read live containers, which are in a later state by then: reads go to a mirror, `contents`, and
writes to the mirror and the object.
"""

from __future__ import annotations

import inspect
import operator
from types import CellType, FunctionType, MemberDescriptorType, ModuleType, WrapperDescriptorType
from typing import Any

from . import door
from .containers import MAPPINGS, SEQUENCES, SETS, kind_of, mirror_of, plain_method
from .engine import entered_room
from .inpython import Attributes
from .lengths import Lengths
from .names import GiveUp, constant
from .protocols import GENERIC
from .tree import Identity

ABSENT: Any = object()  # what is known of an attribute that was deleted
HEAP = 1 << 9  # the flag of a class that can be changed
LONGEST = 256  # containers with more entries are not mirrored
WRITTEN_ON_FUNCTIONS = {"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__type_params__"}
VIEWS = (dict.keys, dict.values, dict.items)


class Reads(Lengths):
    """The part of the recorder that reads."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.contents: dict[int, Any] = {}
        self.attributes: dict[Any, Any] = {}
        self.origins: dict[int, Any] = {}  # the dicts that views of them show
        self.relied: set[Any] = set()

    def remembered(self, xs: Any) -> Any:
        """What a container is known to hold."""
        return self.contents.get(id(xs), xs)

    def remembers(self, x: Any, name: str) -> bool:
        """Whether an attribute has been written by this call."""
        return self.attributes.get((id(x), name), ABSENT) is not ABSENT

    def origin(self, view: Any) -> Any:
        """The dict that a view shows."""
        return self.origins.get(id(view))

    def release(self) -> None:
        """Hold no more of the user's objects."""
        super().release()
        self.attributes, self.contents, self.origins = {}, {}, {}

    # ---- containers -------------------------------------------------------------------------------------------------
    def inside(self, xs: Any) -> Any:
        """What a container holds, guarded on first sight."""
        kind = kind_of(xs)
        if kind is None or not self.tracked(xs):
            return xs
        if id(xs) not in self.contents:
            self.keep[id(xs)] = xs
            self.contents[id(xs)] = self.read_whole(xs, kind)
        return self.contents[id(xs)]

    def read_whole(self, xs: Any, kind: Any) -> Any:
        """A mirror of a container: its keys are guarded, and its entries have names."""
        if len(xs) > LONGEST:
            raise GiveUp(f"a container with more than {LONGEST} entries")
        keys = range(self.length(xs)) if kind in SEQUENCES else self.keys(xs)
        if kind in SETS:
            return kind(keys)
        get = plain_method(xs, operator.getitem, "__getitem__")
        values = [self.perform(get, (xs, k), tag=id(xs), safe=True) for k in keys]
        return mirror_of(kind, zip(keys, values, strict=True) if kind in MAPPINGS else values, xs)

    def length(self, xs: Any) -> int:
        """How many entries a container has."""
        name, count = self.ref(xs, uses := set[str]()), plain_method(xs, len, "__len__")
        return self.guard(f"{self.c.pool(count)}({name})", count(xs), uses, id(xs))[1]

    def keys(self, xs: Any) -> Any:
        """The keys of a dict, or the entries of a set. Those that are objects have names."""
        found = tuple(kind_of(xs).__iter__(xs))
        name, each = self.ref(xs, uses := set[str]()), plain_method(xs, None, "__iter__")
        each = name if each is None else f"{self.c.pool(each)}({name})"
        kind, keys, *_ = self.guard(f"tuple({each})", found, uses, id(xs))
        if kind == "keys":
            return keys
        return [self.perform(door.entry_at, (xs, i), tag=id(xs), safe=True) for i in range(self.length(xs))]

    def unfolded(self, x: Any) -> Any:
        """An argument with nested containers, every one read through the mirror."""
        if type(x) in (list, tuple):
            return type(x)([self.unfolded(part) for part in self.inside(x)])
        return {k: self.unfolded(v) for k, v in self.inside(x).items()} if type(x) is dict else x

    def plain(self, xs: Any) -> bool:
        """Whether a sequence holds constants only."""
        return type(xs) in (list, tuple) and not any(map(self.tracked, self.inside(xs)))

    # A dict whose keys are objects, as an optimizer's state, or a long one is not mirrored whole: each key is asked for
    # by itself.
    def by_key(self, xs: Any, key: Any) -> bool:
        """Whether a container is asked for one key by itself."""
        if kind_of(xs) is None or id(xs) in self.contents or not self.tracked(xs) or type(key) is slice:
            return False
        mapping = kind_of(xs) in MAPPINGS
        if mapping and self.identical(key):
            self.distinct(key, self.ref(key, set()))
            return True
        return len(xs) > LONGEST or type(key) is Identity or (mapping and any(type(k) not in (int, str) for k in xs))

    def identical(self, key: Any) -> bool:
        """Whether a key is an object that equals itself alone."""
        return id(key) in self.names and type(key).__hash__ is object.__hash__

    def place_of(self, xs: Any, what: str, key: Any) -> Any:
        """Where it is kept what is known of one key of a container."""
        return id(xs), what, id(key) if id(key) in self.names else (type(key), key)

    def tag_of(self, d: Any, key: Any) -> Any:
        """What a line reads or writes: of one key that is an object, which is known to be none of the others."""
        return (id(d), id(key)) if self.identical(key) else id(d)

    def has_key(self, d: Any, key: Any) -> bool:
        """`key in d`."""
        at = self.place_of(d, "has", key)
        if at not in self.attributes:
            uses = set[str]()
            subject = f"{self.ref(key, uses)} in {self.ref(d, uses)}"
            self.attributes[at] = self.guard(subject, key in d, uses, self.tag_of(d, key))[1]
        return self.attributes[at]

    def at_key(self, d: Any, key: Any) -> Any:
        """`d[key]`."""
        at = self.place_of(d, "at", key)
        if at not in self.attributes:
            there = self.attributes.get(self.place_of(d, "has", key), False)
            self.attributes[at] = self.perform(operator.getitem, (d, key), tag=self.tag_of(d, key), safe=there)
        return self.attributes[at]

    # ---- globals ----------------------------------------------------------------------------------------------------
    def read_global(self, globals_: dict[str, Any], name: str) -> Any:
        """A global variable, or a builtin that no global hides."""
        key = (id(globals_), name)
        if not entered_room(str(globals_.get("__name__"))):
            return door.load_global(globals_, name)
        if key not in self.attributes:
            if name not in globals_:
                self.guard(f"{name!r} in {self.c.pool(globals_)}", False, (), name)
                return door.load_global(globals_, name)
            self.c.pool(globals_)
            self.attributes[key] = self.perform(operator.getitem, (globals_, name), tag=name, safe=True)
        return self.attributes[key]

    # ---- attributes -------------------------------------------------------------------------------------------------
    def read_attribute(self, x: Any, name: str) -> Any:
        """`x.name`; NotImplemented where reading may do anything."""
        key = (id(x), name)
        deleted = self.attributes.get(key) is ABSENT
        if key in self.attributes and not deleted:
            return self.attributes[key]
        cls = type(x)
        if cls is Attributes:
            return getattr(x, name)
        if isinstance(x, type):
            return self.of_class(x, name)
        if cls.__module__ == "builtins" and not isinstance(x, (ModuleType, CellType, BaseException, FunctionType)):
            return getattr(x, name)  # built-in types do not change
        found = inspect.getattr_static(cls, name, None)
        own = name in getattr(x, "__dict__", ()) or isinstance(x, (ModuleType, CellType))
        asked = isinstance(x, FunctionType) and name in WRITTEN_ON_FUNCTIONS
        if own or asked or (isinstance(found, MemberDescriptorType) and not deleted):
            self.attributes[key] = self.perform(getattr, (x, name), tag=name, safe=True)
            return self.attributes[key]
        strange = cls.__getattribute__ not in GENERIC and cls is not FunctionType
        if isinstance(found, WrapperDescriptorType) and not cls.__flags__ & HEAP:
            return getattr(x, name)
        if isinstance(found, property) or strange or (cls is FunctionType and found is not None):
            return NotImplemented
        if hasattr(x, "__dict__") and not deleted:
            uses = set[str]()
            self.guard(f"{name!r} in {self.ref(x, uses)}.__dict__", False, uses, name)
        if found is not None:
            written = next((c for c in cls.__mro__ if self.remembers(c, name)), None)
            if written is not None:
                return self.attributes[id(written), name]
            self.class_attribute(cls, name)
            if held_by_class(found):
                return self.float_of(cls, name)
        return getattr(x, name)

    def has_own(self, x: Any, name: str) -> bool:
        """`name in vars(x)`."""
        if (id(x), name) in self.attributes:
            return self.remembers(x, name)
        uses = set[str]()
        return self.guard(f"{name!r} in {self.ref(x, uses)}.__dict__", name in vars(x), uses, name)[1]

    def own(self, x: Any, name: str) -> Any:
        """`vars(x)[name]`."""
        key = (id(x), name)
        if key not in self.attributes:
            if not self.has_own(x, name):
                return vars(x)[name]
            self.attributes[key] = self.perform(door.own, (x, name), tag=name, safe=True)
        return self.attributes[key]

    def of_class(self, cls: type, name: str) -> Any:
        """What a class says of a name."""
        if cls.__module__ == "builtins":
            return getattr(cls, name)
        self.class_attribute(cls, name)
        found = inspect.getattr_static(cls, name, None)
        return self.float_of(cls, name) if held_by_class(found) else getattr(cls, name)

    def class_attribute(self, cls: type, name: str) -> None:
        """Guard what a class says of a name, unless it is a fact about a built-in."""
        owner = next((c for c in cls.__mro__ if name in c.__dict__), None)
        if owner is None or not owner.__flags__ & HEAP or not entered_room(owner.__module__):
            return
        held = owner.__dict__[name]
        if constant(held) and not held_by_class(held):
            self.guard(f"{self.c.pool(cls)}.{name}", held, (), name)
        elif not held_by_class(held):
            self.guard(f"{self.c.pool(owner)}.__dict__[{name!r}] is {self.c.pool(held)}", True, (), name)

    def float_of(self, cls: type, name: str) -> Any:
        """A number that a class holds: a value of the program."""
        key = (id(cls), name)
        if key not in self.attributes:
            self.attributes[key] = self.perform(getattr, (cls, name), tag=name, safe=True)
        return self.attributes[key]

    # ---- what the machine has gone by -------------------------------------------------------------------------------
    def relies(self, cls: type, name: str) -> None:
        """Guard a special method, unless it belongs to Python or to this package."""
        key = (cls, name, self.epoch)
        if self.off or key in self.relied or cls.__module__.partition(".")[0] in ("builtins", "minitorch_lab"):
            return
        self.relied.add(key)
        self.class_attribute(cls, name)

    def relies_on(self, f: Any) -> None:
        """Guard the code of a function that is entered, and what it takes where nothing is given."""
        key = (id(f), self.epoch)
        if self.off or key in self.relied or str(f.__module__).partition(".")[0] == "minitorch_lab":
            return
        self.relied.add(key)
        if f is self.c.function or id(f) in self.local:
            return
        name = self.names.get(id(f)) or self.c.pool(f)
        uses = {name} if id(f) in self.names else ()
        self.guard(f"{name}.__code__", f.__code__, uses)
        for part in ("__defaults__", "__kwdefaults__"):
            if (held := getattr(f, part)) is not None:
                self.guard(f"{name}.{part} is {self.c.entry(held)}", True, uses)


def held_by_class(found: Any) -> bool:
    """Whether a class holds data under a name: a number that may change, a container, an object."""
    return type(found) in (int, float) or not (constant(found) or hasattr(type(found), "__get__"))
