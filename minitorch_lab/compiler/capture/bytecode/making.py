"""New objects: `cls(*args)` as the language defines it, so that what is written in Python of it is looked into."""

from __future__ import annotations

import inspect
from collections import OrderedDict, defaultdict, deque
from types import FunctionType
from typing import Any

from ....tensors.tensor import Tensor
from .containers import FILLING, kind_of, kind_of_class, overrides
from .door import NULL, make_as, make_container, make_error, make_tuple
from .lookup import hook
from .operators import Operators
from .polyfills import FILLED


class Making(Operators):
    """The part of the machine that makes objects."""

    def construct(self, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`cls(*args)`: what is written in Python of making an object is entered."""
        otherwise = type(cls).__call__ is not type.__call__ or issubclass(cls, (type, Tensor))
        if hook(cls, "__init__") is None and filled_past(cls):
            otherwise = True
        if otherwise or inspect.isabstract(cls):
            return self.world.do(cls, *args, **kwargs)
        x = self.make(cls, args, kwargs)
        if x is NULL:
            return self.world.do(cls, *args, **kwargs)
        if isinstance(x, cls) and (init := self.method(type(x), "__init__")) is not None:
            self.call(init, x, *args, **kwargs)
        elif isinstance(x, cls) and (filled := FILLED.get(kind_of(x))) is not None:
            self.call(filled, x, *args, **kwargs)
        return x

    def make(self, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`cls.__new__(cls, *args)`; NULL where the object cannot be made apart from its beginnings."""
        new, init, kind = (
            getattr(cls, "__new__", None),
            inspect.getattr_static(cls, "__init__", None),
            kind_of_class(cls),
        )
        if isinstance(new, FunctionType) and not self.world.opaque(new):
            return self.call(new, cls, *args, **kwargs)
        if isinstance(init, FunctionType) and self.world.opaque(self.world.untaught(init)):
            return NULL
        if new is object.__new__:
            ours = isinstance(init, FunctionType) or (init is vars(object)["__init__"] and not args and not kwargs)
            return self.world.do(object.__new__, cls) if ours else NULL
        if issubclass(cls, BaseException) and cls.__module__ != "builtins":
            return self.world.do(make_error, cls, *args)
        kind = kind_of_class(cls)
        return NULL if kind is None or new is not kind.__new__ else self.make_container(cls, kind, args, kwargs)

    def make_container(self, cls: type, kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A container with nothing in it; a tuple with all that is."""
        if kind is tuple:
            return self.world.do(make_as, cls, *self.listing(*args))
        if kind is deque:
            limit = kwargs.get("maxlen", args[1] if len(args) > 1 else None)
            return self.world.do(make_container, cls, kind, (), limit)
        if kind is defaultdict:
            return self.world.do(make_container, cls, kind, *args[:1])
        return NULL if kind is frozenset else self.world.do(make_container, cls, kind)

    def begun(self, init: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """`super().__init__(...)`, of a class of C."""
        if isinstance(x, BaseException):
            return self.world.do(setattr, x, "args", self.world.do(make_tuple, *args))
        filled = None if filled_past(type(x)) else FILLED.get(kind_of(x))
        if init.__objclass__ is object:
            return None
        return NULL if filled is None else self.call(filled, x, *args, **kwargs)


def filled_past(cls: type) -> bool:
    """Whether what a container begins with is put in past the methods of its class: only an `OrderedDict` asks them."""
    return kind_of_class(cls) is not OrderedDict and overrides(cls, FILLING)
