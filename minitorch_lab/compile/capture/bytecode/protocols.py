"""Attributes, truth and iteration as the language defines them, so that hooks written in Python are looked into."""

from __future__ import annotations

import builtins
import inspect
import operator
from collections import OrderedDict, defaultdict, deque
from enum import Enum
from functools import cached_property, partial
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from ....dtypes import FloatInfo
from ....tensor import Tensor
from ...optimized import original_of
from . import inpython
from .door import NULL, keys_of, plain_setattr, super_attr
from .generators import Generator

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

    def call(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """Call `f`: see `calls.py`."""
        raise NotImplementedError

    def method(self, cls: type, name: str) -> FunctionType | None:
        """A special method of a class, if it is written in Python and may be entered."""
        found = inspect.getattr_static(cls, name, None)
        if not isinstance(found, FunctionType) or self.world.opaque(found):
            return None
        self.world.relies(cls, name)
        return found

    # ---- attributes -------------------------------------------------------------------------------------------------
    def getattr(self, x: Any, name: str, default: Any = NULL) -> Any:
        """`getattr(x, name, default)`."""
        try:
            return self.lookup(x, name)
        except AttributeError:
            if default is NULL:
                raise
            return default

    def lookup(self, x: Any, name: str) -> Any:
        """`x.name`."""
        x = original_of(x, name)
        cls = type(x)
        if isinstance(x, Generator):
            return getattr(x, name)
        if cls is super:
            return self.world.do(super_attr, x.__thisclass__, x.__self__, name)
        if not isinstance(x, (type, ModuleType)) and cls.__getattribute__ in GENERIC:
            found = inspect.getattr_static(cls, name, None)
            if type(found) is FIELD:
                return self.world.do(operator.getitem, x, found.__reduce__()[1][0])
            if isinstance(found, cached_property):
                return self.call(inpython.cached, x, found.func, found.attrname)
            if self.describes(x, name, found, "__get__"):
                return self.call(self.method(type(found), "__get__"), found, x, cls)
            if isinstance(found, property) and isinstance(found.fget, FunctionType):
                if not self.world.opaque(found.fget):
                    self.world.relies(cls, name)
                    return self.call(found.fget, x)
            elif found is None and name not in getattr(x, "__dict__", {}):
                hook = self.method(cls, "__getattr__")
                if hook is not None and not self.world.remembers(x, name):
                    return self.call(hook, x, name)
        return self.world.do(getattr, x, name)

    def setattr(self, x: Any, name: str, value: Any) -> None:
        """`x.name = value`."""
        x = original_of(x, name)
        cls = type(x)
        hook = self.method(cls, "__setattr__") if not isinstance(x, (type, ModuleType)) else None
        found = inspect.getattr_static(cls, name, None)
        if hook is not None:
            self.call(hook, x, name, value)
        elif self.describes(x, name, found, "__set__"):
            self.call(self.method(type(found), "__set__"), found, x, value)
        elif isinstance(found, property) and isinstance(found.fset, FunctionType) and not self.world.opaque(found.fset):
            self.world.relies(cls, name)
            self.call(found.fset, x, value)
        else:
            self.world.do(setattr, x, name, value)

    def delattr(self, x: Any, name: str) -> None:
        """`del x.name`."""
        hook = self.method(type(x), "__delattr__") if not isinstance(x, (type, ModuleType)) else None
        if hook is not None:
            self.call(hook, x, name)
        else:
            self.world.do(delattr, x, name)

    def describes(self, x: Any, name: str, found: Any, how: str) -> bool:
        """Whether what a class holds under a name says in Python what reading or writing means."""
        if found is None or isinstance(x, Enum) or self.method(type(found), how) is None:
            return False
        return how == "__set__" or hasattr(type(found), "__set__") or name not in getattr(x, "__dict__", ())

    def plain_setattr(self, x: Any, name: str, value: Any) -> None:
        """`object.__setattr__(x, name, value)`: past the hook, not past a property."""
        found = inspect.getattr_static(type(x), name, None)
        if isinstance(found, property) and isinstance(found.fset, FunctionType) and not self.world.opaque(found.fset):
            self.call(found.fset, x, value)
        else:
            self.world.do(plain_setattr, x, name, value)

    # ---- truth ------------------------------------------------------------------------------------------------------
    def truth(self, x: Any) -> bool:
        """`bool(x)`."""
        if x is True or x is False:
            return x
        for name in ("__bool__", "__len__"):
            if inspect.getattr_static(type(x), name, None) is not None:
                hook = self.method(type(x), name)
                return self.truth(self.call(hook, x)) if hook is not None else self.world.do(bool, x)
        return self.world.do(bool, x)

    # ---- iteration --------------------------------------------------------------------------------------------------
    def iterator(self, xs: Any) -> Any:
        """`iter(xs)`."""
        if isinstance(xs, Generator):
            return xs
        if isinstance(xs, SEQUENCES) and type(xs).__iter__ in ITERATES:
            return self.call(inpython.iterate, xs)
        if isinstance(xs, KEYED) and type(xs).__iter__ in ITERATES:
            return self.call(inpython.iterate_keys, xs, self.world.do(keys_of, xs))
        if type(xs) in VIEWS and (origin := self.world.origin(xs)) is not None:
            if type(xs) is KEYS:
                return self.iterator(origin)
            view: Any = type(xs)
            return self.call(VIEWS[view], origin)
        if isinstance(xs, Tensor) and xs.ndim:
            return self.call(inpython.iterate_rows, xs)
        hook = self.method(type(xs), "__iter__")
        return self.world.do(iter, xs) if hook is None else self.call(hook, xs)

    def next(self, it: Any) -> Any:
        """`next(it)`."""
        if isinstance(it, Generator):
            return next(it)
        hook = self.method(type(it), "__next__")
        return self.world.do(next, it) if hook is None else self.call(hook, it)

    def listing(self, xs: Any) -> list[Any]:
        """All that an iterable gives, as a list of the machine's own."""
        it, out = self.iterator(xs), list[Any]()
        while True:
            try:
                out.append(self.next(it))
            except StopIteration:
                return out
