"""Reads: globals, attributes, and what containers hold. Each is read once, guarded, and kept until an unknown call.

A replay must not read live containers, which are in a later state by then: reads go to a mirror, `contents`, and
writes to the mirror and the object.
"""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Sequence
from importlib.util import resolve_name
from types import BuiltinMethodType, CellType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any

from . import door, lookup
from .containers import KEYED, MAPPINGS, SEQUENCES, SETS, kind_of, mirror_of, plain_method
from .engine import entered_room
from .guards import answer, pinned
from .inpython import Attributes
from .keys import Keys
from .lookup import BINDING, MISSING, STORED, changes, describes, goes_first, held, hook, immutable, own_dict, owner_of
from .names import GiveUp, constant
from .protocols import GENERIC
from .tree import Identity, Int

ABSENT: Any = object()  # what is known of an attribute that was deleted
HEAP = 1 << 9  # the flag of a class that can be changed
LONGEST = 256  # containers with more entries are not mirrored
WRITTEN_ON_FUNCTIONS = {"__name__", "__qualname__", "__doc__", "__module__", "__annotations__", "__type_params__"}
VIEWS = (dict.keys, dict.values, dict.items)
BOUND = (MethodType, BuiltinMethodType, MethodWrapperType)
VARYING = (Int, float, complex, str)  # what has a name and no guard that tells its value
BUILTINS = frozenset(vars(builtins))
CHANGING = (FunctionType, ModuleType, type)  # constants of which the attributes may change


class Reads(Keys):
    """The part of the recorder that reads."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.contents: dict[int, Any] = {}
        self.orders = {}
        self.attributes: dict[Any, Any] = {}
        self.origins: dict[int, Any] = {}  # the dicts that views of them show
        self.relied: set[Any] = set()
        self.rewritten: set[int] = set()  # the objects of which an attribute was written

    def remembered(self, f: Any, part: str) -> Any:
        """The defaults of a function: what the tuple or dict holds that `relies_on` has guarded."""
        xs = getattr(f, part)
        if xs is None or ours(f.__module__) or f is self.c.function:
            return self.contents.get(id(xs), xs)
        if self.made_anew(f):
            return self.inside(self.do(getattr, f, part))
        if self.tracked(xs) and id(xs) not in self.names:
            self.track(xs, self.c.entry(xs))
        return self.inside(xs)

    def made_anew(self, f: FunctionType) -> bool:
        """Whether a function that comes from outside is another in every call, and only its code is known."""
        return id(f) in self.names and id(f) not in self.local

    def cells(self, f: FunctionType) -> Sequence[Any]:
        """The cells of a function."""
        if not f.__closure__ or not self.made_anew(f):
            return super().cells(f)
        return self.inside(self.do(getattr, f, "__closure__"))

    def remembers(self, x: Any, name: str) -> bool:
        """Whether an attribute has been written by this call."""
        return self.attributes.get((id(x), name), ABSENT) is not ABSENT

    def owns(self, x: Any, name: str) -> bool:
        """Whether an object has an entry of its own, where what its class says depends on that."""
        if (id(x), name) in self.attributes or own_dict(x) is None:
            return self.remembers(x, name)
        return self.has_own(x, name)

    def origin(self, view: Any) -> Any:
        """The dict that a view shows."""
        return self.origins.get(id(view))

    def release(self) -> None:
        """Hold no more of the user's objects."""
        super().release()
        self.attributes, self.contents, self.origins, self.orders = {}, {}, {}, {}

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
            self.orders[id(xs)] = tuple(keys)
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
        name, way = self.ref(xs, uses := set[str]()), plain_method(xs, None, "__iter__")
        each = f"{self.c.pool(way)}({name})" if way else name
        kind, keys, *_ = self.guard(f"tuple({each})", found, uses, id(xs))
        if kind == "keys":
            return keys
        count = self.length(xs)
        return [self.by_value(self.perform(door.entry_at, (xs, i), tag=id(xs), safe=True)) for i in range(count)]

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
        if (id(xs) in self.local and kind_of(xs) in KEYED) or type(key) is Identity:
            return True  # by now it may hold more than when this was asked first
        return len(xs) > LONGEST or (mapping and any(type(k) not in (int, str) for k in (key, *xs)))

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
            get, there = plain_method(d, operator.getitem, "__getitem__"), self.place_of(d, "has", key)
            safe = self.attributes.get(there, False)
            self.attributes[at] = self.perform(get, (d, key), tag=self.tag_of(d, key), safe=safe)
        return self.attributes[at]

    # ---- globals ----------------------------------------------------------------------------------------------------
    def read_global(self, globals_: dict[str, Any], name: str) -> Any:
        """A global variable, or a builtin that no global hides."""
        key = (id(globals_), name)
        if not entered_room(str(globals_.get("__name__"))):
            return door.load_global(globals_, name)
        if key not in self.attributes:
            if name not in globals_:
                return self.read_builtin(globals_, name)
            self.c.pool(globals_)
            self.attributes[key] = self.perform(operator.getitem, (globals_, name), tag=name, safe=True)
        return self.attributes[key]

    def read_builtin(self, globals_: dict[str, Any], name: str) -> Any:
        """A builtin: no global hides it, and nobody has put another in its place."""
        self.guard(f"{name!r} in {self.c.pool(globals_)}", False, (), name)
        known, where = vars(builtins).get(name, MISSING), f"{self.c.pool(builtins)}.__dict__"
        if known is MISSING:
            self.guard(f"{name!r} in {where}", False, ())
        elif known is not print:  # the program calls whatever has that name by then
            plain = name in BUILTINS and name not in self.c.parameters
            self.guard(f"{name if plain else f'{where}[{name!r}]'} is {self.c.entry(known)}", True, ())
        return door.load_global(globals_, name)

    # ---- attributes -------------------------------------------------------------------------------------------------
    def read_attribute(self, x: Any, name: str) -> Any:
        """`x.name`; NotImplemented where reading may do anything.

        What is not known to be harmless is not looked into: a hook, a property, a descriptor of another kind.
        """
        key, cls = (id(x), name), type(x)
        deleted = self.attributes.get(key) is ABSENT
        if key in self.attributes and not deleted:
            return self.attributes[key]
        if self.repeats(getattr, x, name):
            return self.stored(x, name)
        if cls in VARYING and id(x) in self.names:
            return self.of_value(x, name)
        if cls is Attributes or (constant(x) and not issubclass(cls, CHANGING) and not changes(x, name)):
            return getattr(x, name)
        if cls in BOUND and id(x) not in self.names:
            return getattr(x, name)  # the machine has bound it itself
        if issubclass(cls, type):
            return self.of_class(x, name)
        if name == "__dict__" and not constant(x) and own_dict(x) is not None:
            return Attributes(x)
        if hook(cls, "__getattribute__") is not None:
            return NotImplemented
        found, entries = held(cls, name), own_dict(x)
        if held(cls, "__getattribute__") not in GENERIC and type(found) not in BINDING and not immutable(cls):
            return self.stored(x, name)  # a class made in C that has a way of its own
        own = ((entries is not None and self.had(x, name, entries)) or cls is CellType) and not deleted
        if not own or goes_first(found):
            if found is not MISSING and describes(found) and type(found) not in BINDING and not deleted:
                return self.stored(x, name) if type(found) in STORED else NotImplemented
            if not own:
                return self.not_own(x, name, found, None if deleted else entries)
        return self.stored(x, name)

    def of_value(self, x: Any, name: str) -> Any:
        """`x.name` of a number or text that varies: a method is bound to it, and anything else is read in each call."""
        found = getattr(self.real(x), name)
        if type(found) in BOUND:
            return getattr(x, name)
        return found if isinstance(found, type) or name == "__doc__" else self.stored(x, name)

    def stored(self, x: Any, name: str) -> Any:
        """`x.name`, where reading runs no code: a line of the program."""
        key = (id(x), name)
        if key not in self.attributes:
            self.attributes[key] = self.perform(getattr, (x, name), tag=name, safe=True)
        if self.attributes[key] is ABSENT:
            raise door.no_attribute(x, name)
        return self.attributes[key]

    def not_own(self, x: Any, name: str, found: Any, entries: Any) -> Any:
        """`x.name`, which the object itself does not have."""
        cls = type(x)
        if entries is not None:
            if issubclass(cls, ModuleType) and "__getattr__" in entries:
                return self.stored(x, name) if loaded(x, name) else NotImplemented
            uses = set[str]()
            self.guard(f"{name!r} in {self.ref(x, uses)}.__dict__", False, uses, name)
        written = next((c for c in cls.__mro__ if self.remembers(c, name)), None)
        if written is not None:
            value = self.attributes[id(written), name]
            bound = type(value) is FunctionType
            return MethodType(value, x) if bound else NotImplemented if describes(value) else value
        if found is not MISSING and not describes(found):
            return self.stored(cls, name)
        if found is MISSING and immutable(cls):
            return self.stored(x, name)  # of a class made in C that has a way of its own
        if found is MISSING and hook(cls, "__getattr__") is not None:
            return NotImplemented  # one that is not entered: what it gives is made in each call
        self.class_attribute(cls, name)
        return lookup.by_class(x, name) if name in (entries or ()) else getattr(x, name)

    def has_own(self, x: Any, name: str) -> bool:
        """`name in vars(x)`."""
        if (id(x), name) in self.attributes:
            return self.remembers(x, name)
        uses = set[str]()
        return self.guard(f"{name!r} in {self.ref(x, uses)}.__dict__", name in vars(x), uses, name)[1]

    def own_names(self, x: Any) -> tuple[str, ...]:
        """`tuple(vars(x))`."""
        if id(x) in self.rewritten:
            raise GiveUp("the names of an object are asked for that has been written to")
        return self.guard(f"tuple({self.ref(x, uses := set[str]())}.__dict__)", tuple(vars(x)), uses)[1]

    def own(self, x: Any, name: str) -> Any:
        """`vars(x)[name]`."""
        key = (id(x), name)
        if key not in self.attributes:
            if not self.has_own(x, name):
                return vars(x)[name]
            self.attributes[key] = self.perform(door.own, (x, name), tag=name, safe=True)
        return self.attributes[key]

    def of_class(self, cls: type, name: str) -> Any:
        """What a class says of a name; NotImplemented where its metaclass may do anything."""
        meta = type(cls)
        if immutable(cls) or not entered_room(cls.__module__):
            return getattr(cls, name)
        above, found = held(meta, name), held(cls, name)
        if hook(meta, "__getattribute__") is not None or (found is MISSING and hook(meta, "__getattr__") is not None):
            return NotImplemented
        if above is not MISSING and (found is MISSING or goes_first(above)):
            return self.stored(cls, name) if type(above) in STORED else NotImplemented
        plain = found is MISSING or type(found) in (*BINDING, *STORED, property)
        if not plain and describes(found):
            return NotImplemented
        if not plain:
            return self.stored(cls, name)
        self.class_attribute(cls, name)
        return getattr(cls, name)

    def of_super(self, cls: type, me: Any, name: str) -> Any:
        """`super(cls, me).name`, where that is a method."""
        order = (me if isinstance(me, type) else type(me)).__mro__
        for base in order[order.index(cls) + 1 :]:
            found = base.__dict__.get(name, MISSING)
            if found is MISSING and changing(base):
                self.guard(f"{name!r} in {self.c.pool(base)}.__dict__", False, (), name)
            elif found is not MISSING:
                if changing(base):
                    self.guard(f"{self.c.pool(base)}.__dict__[{name!r}] is {self.c.entry(found)}", True, (), name)
                return door.super_attr(cls, me, name) if type(found) in BINDING else NotImplemented
        return NotImplemented

    def imported(self, name: str, globals_: dict[str, Any], fromlist: Any, level: int) -> Any:
        """`import name`: the same module, as long as that is what stands in `sys.modules`."""
        found = door.import_module(name, globals_, fromlist, level)
        whole = resolve_name("." * level + name, str(globals_.get("__package__")))
        for part in {whole, found.__name__} & sys.modules.keys():
            self.guard(f"{self.c.pool(sys.modules)}.get({part!r}) is {self.c.pool(sys.modules[part])}", True, ())
        return found

    def class_attribute(self, cls: type, name: str, anyhow: bool = False) -> None:
        """Guard what a class says of a name, unless it is a fact about what cannot be changed."""
        owner = owner_of(cls, name)
        before = cls.__mro__ if owner is None else cls.__mro__[: cls.__mro__.index(owner) + 1]
        if not any(changing(c) for c in before) and not anyhow:
            return
        what, found = self.c.pool(cls), held(cls, name)
        if owner is None and held(type(cls), name) is not MISSING:  # what its own class has is no answer
            for c in filter(changing, before):
                self.guard(f"{name!r} in {self.c.pool(c)}.__dict__", False, (), name)
        elif owner is None:
            self.guard(f"hasattr({what}, {name!r})", hasattr(cls, name), (), name)
        elif type(found) is classmethod:
            self.guard(f"{what}.{name}.__func__ is {self.c.pool(found.__func__)}", True, (), name)
        elif describes(found) and type(found) not in (*BINDING, *STORED, property):
            for c in before[:-1]:
                self.guard(f"{name!r} in {self.c.pool(c)}.__dict__", False, (), name)
            self.guard(f"{self.c.pool(owner)}.__dict__[{name!r}] is {self.c.pool(found)}", True, (), name)
        elif pinned(answer(value := getattr(cls, name))):
            self.guard(f"{what}.{name}", value, (), name)
        else:
            self.guard(f"{what}.{name} is {self.c.entry(value)}", True, (), name)

    # ---- what the machine has gone by -------------------------------------------------------------------------------
    def relies(self, cls: type, name: str) -> None:
        """Guard a special method, unless it belongs to Python or to this package."""
        key = (cls, name, self.epoch)
        if key in self.relied or cls.__module__.partition(".")[0] in ("builtins", "minitorch_lab"):
            return
        self.relied.add(key)
        self.class_attribute(cls, name)

    def relies_on(self, f: Any) -> None:
        """Guard the code of a function that is entered, and what it takes where nothing is given."""
        key = (id(f), self.epoch)
        if key in self.relied or ours(f.__module__):
            return
        self.relied.add(key)
        if f is self.c.function or id(f) in self.names or id(f) in self.unwritten:
            return
        name = self.c.pool(f)
        self.guard(f"{name}.__code__", f.__code__, ())
        for part in ("__defaults__", "__kwdefaults__"):
            if (given := getattr(f, part)) is not None:
                self.guard(f"{name}.{part} is {self.c.entry(given)}", True, ())


def ours(module: Any) -> bool:
    """Whether a module is one of this package."""
    return str(module).partition(".")[0] == "minitorch_lab"


def loaded(module: Any, name: str) -> bool:
    """Whether a module of the package has a part by now: some are imported when they are first asked for."""
    return ours(module.__name__) and getattr(module, name, None) is not None and name in vars(module)


def changing(cls: type) -> bool:
    """Whether a class may be changed: those made in C cannot, and those of the engine are left as they are."""
    return not immutable(cls) and entered_room(cls.__module__)
