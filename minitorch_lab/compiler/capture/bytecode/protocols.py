"""Attributes, truth and iteration as the language defines them, so that hooks written in Python are looked into."""

from __future__ import annotations

import builtins
import operator
from collections import OrderedDict, defaultdict, deque
from enum import Enum
from functools import cached_property, partial
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from ....tensors.dtypes import FloatInfo
from ....tensors.tensor import Tensor
from ...runtime.optimized import original_of
from . import inpython
from .containers import READING, overrides
from .door import NULL, entries, keys_of, make_dict, plain_setattr, super_attr, unpacked
from .generators import Generator
from .lookup import MISSING, goes_first, held, hook

INDEXED = (list, tuple, range, str, bytes)  # iterated by their places
KEYS, VALUES, ITEMS = type({}.keys()), type({}.values()), type({}.items())
VIEWS = {KEYS: inpython.iterate, VALUES: inpython.iterate_values, ITEMS: inpython.iterate_items}


# How the classes of C look up attributes, where they do it as `object` does.
PLAIN = (
    object, BaseException, list, tuple, dict, set, frozenset, int, float, str, bytes, complex, range, slice, deque,
    OrderedDict, defaultdict, SimpleNamespace, partial,
    *(cls for cls in vars(builtins).values() if isinstance(cls, type) and issubclass(cls, BaseException)),
)  # fmt: skip
GENERIC = {kind.__getattribute__ for kind in PLAIN}
GENERIC_SET = {kind.__setattr__ for kind in PLAIN}
FIELD = type(vars(FloatInfo)["max"])  # of a named tuple
SEQUENCES, KEYED = (list, tuple, deque, str, bytes, range), (dict, set, frozenset)
ITERATES = {kind.__iter__ for kind in (*SEQUENCES, *KEYED, OrderedDict, defaultdict)}


class Protocols:
    """The part of the machine that knows what `x.name`, `if x` and `for y in x` mean."""

    world: Any
    expected = 0  # how many calls are going on of which the machine would catch an error

    def function(self, f: Any, args: Any, kwargs: Any, asked: Any) -> Any:
        """Enter a function in place of `asked`: see `calls.py`."""
        raise NotImplementedError

    def call(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """Call `f`: see `calls.py`."""
        raise NotImplementedError

    def method(self, cls: type, name: str) -> FunctionType | None:
        """A special method of a class, if it is written in Python and may be entered."""
        found = hook(cls, name)
        if found is None or self.world.opaque(self.world.untaught(found)):
            return None
        self.world.relies(cls, name)
        return found

    # ---- attributes -------------------------------------------------------------------------------------------------
    def getattr(self, x: Any, name: str, default: Any = NULL) -> Any:
        """`getattr(x, name, default)`."""
        if default is NULL:
            return self.lookup(x, name)
        try:
            return self.expecting(self.lookup, x, name)
        except AttributeError:
            return default

    def lookup(self, x: Any, name: str) -> Any:
        """`x.name`."""
        x = original_of(x, name)
        if self.world.repeats(getattr, x, name):
            return self.world.do(getattr, x, name)
        cls = type(x)
        if cls is inpython.Attributes and not hasattr(x, name):
            return self.lookup(self.world.do(entries, x.of), name)
        if cls is Generator or cls is inpython.Attributes:  # the machine's own: the world knows them by other types
            return getattr(x, name)
        if cls is super:
            return self.world.do(super_attr, x.__thisclass__, x.__self__, name)  # pyright: ignore[reportAttributeAccessIssue]
        if issubclass(cls, (type, ModuleType)) or hook(cls, "__getattribute__") is not None:
            return self.world.do(getattr, x, name)
        found = held(cls, name)
        if type(found) is FIELD:
            return self.world.do(operator.getitem, x, found.__reduce__()[1][0])
        if isinstance(found, cached_property):
            self.world.relies(cls, name)
            return self.call(inpython.cached, x, found.func, found.attrname)
        asked = self.method(cls, "__getattr__") if found is MISSING else None
        if asked is not None and not self.world.owns(x, name):
            return self.call(asked, x, name)
        if type(found) is property and type(found.fget) is FunctionType and not self.world.opaque(found.fget):
            self.world.relies(cls, name)
            return self.call(found.fget, x)
        getter = hook(type(found), "__get__") if not isinstance(x, Enum) else None
        if getter is not None and not self.world.opaque(getter) and (goes_first(found) or not self.world.owns(x, name)):
            self.world.relies(cls, name)
            return self.call(self.method(type(found), "__get__"), found, x, cls)
        return self.world.do(getattr, x, name)

    def setattr(self, x: Any, name: str, value: Any) -> None:
        """`x.name = value`."""
        x = original_of(x, name)
        if self.world.repeats(setattr, x, name):
            self.world.do(setattr, x, name, value)
            return
        cls = type(x)
        own = self.method(cls, "__setattr__") if not issubclass(cls, (type, ModuleType)) else None
        found = held(cls, name)
        if own is not None:
            self.call(own, x, name, value)
        elif self.describes(x, name, found, "__set__"):
            self.call(self.method(type(found), "__set__"), found, x, value)
        elif type(found) is property and type(found.fset) is FunctionType and not self.world.opaque(found.fset):
            self.world.relies(cls, name)
            self.call(found.fset, x, value)
        else:
            self.world.do(setattr, x, name, value)

    def delattr(self, x: Any, name: str) -> None:
        """`del x.name`."""
        again = self.world.repeats(delattr, x, name)
        hook = None if again or isinstance(x, (type, ModuleType)) else self.method(type(x), "__delattr__")
        if hook is not None:
            self.call(hook, x, name)
        else:
            self.world.do(delattr, x, name)

    def describes(self, x: Any, name: str, found: Any, how: str) -> bool:
        """Whether what a class holds under a name says in Python what reading or writing means."""
        if found is MISSING or isinstance(x, Enum) or self.method(type(found), how) is None:
            return False
        return how == "__set__" or hasattr(type(found), "__set__") or name not in getattr(x, "__dict__", ())

    def plain_setattr(self, x: Any, name: str, value: Any) -> None:
        """`object.__setattr__(x, name, value)`: past the hook, not past a property."""
        found = held(type(x), name)
        if type(found) is property and type(found.fset) is FunctionType and not self.world.opaque(found.fset):
            self.world.relies(type(x), name)
            self.call(found.fset, x, value)
        else:
            self.world.do(plain_setattr, x, name, value)

    # ---- truth ------------------------------------------------------------------------------------------------------
    def truth(self, x: Any) -> bool:
        """`bool(x)`."""
        if x is True or x is False:
            return x
        for name in ("__bool__", "__len__"):
            if held(type(x), name) is not MISSING:
                asked = self.method(type(x), name)
                return self.truth(self.call(asked, x)) if asked is not None else self.world.do(bool, x)
            self.world.relies(type(x), name)
        return self.world.do(bool, x)

    # ---- iteration --------------------------------------------------------------------------------------------------
    def iterator(self, xs: Any) -> Any:
        """`iter(xs)`."""
        if type(xs) is Generator:
            return xs
        if isinstance(xs, SEQUENCES) and type(xs).__iter__ in ITERATES:
            if overrides(type(xs), ("__getitem__", "__len__")):
                return self.call(inpython.iterate_as, held(type(xs), "__iter__").__objclass__, xs)
            return self.function(inpython.iterate, (xs,), {}, iter)
        if isinstance(xs, KEYED) and type(xs).__iter__ in ITERATES:
            return self.call(inpython.iterate_keys, xs, self.world.do(keys_of, xs))
        origin = self.world.origin(xs) if type(xs) in VIEWS else None
        if origin is not None and not overrides(type(origin), READING):
            if type(xs) is KEYS:
                return self.iterator(origin)
            view: Any = type(xs)
            return self.call(VIEWS[view], origin)
        asked = self.method(type(xs), "__iter__")
        if asked is None and isinstance(xs, Tensor) and xs.ndim:
            return self.function(inpython.iterate_rows, (xs,), {}, iter)
        return self.world.do(iter, xs) if asked is None else self.call(asked, xs)

    def next(self, it: Any) -> Any:
        """`next(it)`."""
        if type(it) is Generator:
            return next(it)
        asked = self.method(type(it), "__next__")
        return self.world.do(next, it) if asked is None else self.call(asked, it)

    def listing(self, xs: Any) -> list[Any]:
        """All that an iterable gives, as a list of the machine's own."""
        return self.taken(self.iterator(xs))

    def mapping(self, x: Any) -> Any:
        """What `{**x}` copies: a dict past the methods of its class, unless that is iterated in a way of its own."""
        if isinstance(x, (dict, inpython.Attributes)) and not overrides(type(x), READING):
            return x
        if not hasattr(type(x), "keys") or (isinstance(x, dict) and type(x).__iter__ is dict.__iter__):
            return self.world.do(unpacked, x)
        keys = self.listing(self.call(self.getattr(x, "keys")))
        return self.world.do(make_dict, *[part for k in keys for part in (k, self.getitem(x, k))])

    def getitem(self, x: Any, k: Any) -> Any:
        """`x[k]`: see `operators.py`."""
        raise NotImplementedError

    def taken(self, it: Any, most: int = -1) -> list[Any]:
        """What an iterator gives, as far as that goes, but no more than so many."""
        out = list[Any]()
        while len(out) != most:
            try:
                out.append(self.expecting(self.next, it))
            except StopIteration:
                break
        return out

    def expecting(self, f: Any, *args: Any) -> Any:
        """`f(*args)`, of which the machine catches an error itself: the program must ask whether there is one."""
        self.expected += 1
        try:
            return f(*args)
        finally:
            self.expected -= 1
