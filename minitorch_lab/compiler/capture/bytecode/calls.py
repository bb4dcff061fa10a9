"""Calls: which are entered, which are asked of the world as they are, and how arguments find their parameters."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from enum import EnumMeta
from types import (
    BuiltinMethodType,
    FunctionType,
    GenericAlias,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import Any
from warnings import warn
from weakref import ref

from ....autograd.modes import GradMode
from ...runtime.optimized import Optimized, compiled_part
from .callers import caller, warn_above
from .containers import MAPPINGS
from .door import NULL, make_dict, make_tuple
from .engine import mode_begun
from .generators import Generator
from .guards import bound
from .lookup import MISSING, held, hook
from .making import Making
from .operators import ASKING, BINARY
from .polyfills import FOLDED, in_python
from .protocols import INDEXED, VIEWS
from .specials import SPECIAL

HERE = __file__.removesuffix("calls.py")  # the frames of what stands for functions of C
CACHED = type(functools.cache(id))
CHOICE = functools.singledispatch(id).dispatch.__code__
DESCRIPTORS = (MethodDescriptorType, WrapperDescriptorType)
ENTRIES = ("__getitem__", "__setitem__", "__contains__", "__iter__", "__len__", "append", "add", "clear", "keys")
DEEPEST = 25  # calls are entered no deeper than this: it takes several frames of Python's to run one


class Calls(Making):
    """The part of the machine that calls."""

    frames: list[Any]

    def enter(self, f: FunctionType, variables: dict[str, Any], twin: Callable[[], Any]) -> Any:
        """Run the code of `f`: see `machine.py`."""
        raise NotImplementedError

    def supports(self, f: FunctionType) -> bool:
        """Whether every instruction of `f` is known."""
        raise NotImplementedError

    def call(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """`f(*args, **kwargs)`."""
        if issubclass(type(f), Optimized):
            f = compiled_part(f).original
        if type(f) is MethodType:
            if type(f.__self__) is Generator:
                return f(*args, **kwargs)
            function, me = (self.world.do(getattr, f, part) for part in ("__func__", "__self__"))
            return self.call(function, me, *args, **kwargs)
        if type(f) is GenericAlias:
            return self.call(f.__origin__, *args, **kwargs)
        if has_owner(f):
            name, me = (self.world.do(getattr, f, part) for part in ("__name__", "__self__"))
            plain = unbound(f, name, me)
            f, args = (f, args) if plain is f else (plain, (me, *args))
        if self.world.unknown(f):
            return self.world.do(f, *args, **kwargs)
        f = self.world.within(f, args, kwargs)
        try:
            hash(f)
        except TypeError:
            return self.call_object(f, args, kwargs)
        if f in SPECIAL and not kwargs and (answer := SPECIAL[f](self, *args)) is not NULL:
            return answer
        if not args and (mode := mode_begun(f)) is not None:
            return self.call(GradMode, mode)
        if (found := self.looked_up(f, args, kwargs)) is not NULL:
            return found
        if f in BINARY and len(args) == 2:
            return self.operate(f, *args)
        if f in ASKING and args and (f is len or self.method(type(args[0]), ASKING[f]) is not None):
            return self.ask(f, *args)
        written = in_python(f, args, kwargs) if as_in_python(f, args) else None
        if written is not None and (f not in FOLDED or self.world.enters(f, args)):
            return self.function(written, args, kwargs, f)
        if isinstance(f, FunctionType):
            return self.function(f, args, kwargs, f)
        return self.construct(f, args, kwargs) if isinstance(f, type) else self.call_object(f, args, kwargs)

    def function(self, f: FunctionType | Callable[..., Any], args: Any, kwargs: Any, asked: Any) -> Any:
        """Enter a function, or ask the world if that cannot be done."""
        deep = len(self.frames) > DEEPEST and not self.world.polyfill(f)
        if deep or not isinstance(f, FunctionType) or self.world.opaque(f) or not self.supports(f):
            return self.world.do(asked, *args, **kwargs)
        self.world.relies_on(f)
        variables = self.bind(f, args, kwargs)
        if variables is None:
            return self.world.misfit(asked, args, kwargs)  # the real call raises the real TypeError
        return self.enter(f, variables, lambda: asked(*map(self.world.real, args), **kwargs))

    def looked_up(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function gives that only looks: a cached one of constants, the choice by type; NULL if `f` is none."""
        cached = type(f) is CACHED and self.world.fixed((*args, *kwargs.values()))
        if cached or getattr(f, "__code__", None) is CHOICE or (isinstance(f, EnumMeta) and len(args) == 1):
            return self.world.look(f, *args, **kwargs)
        if type(f) is WrapperDescriptorType and f.__name__ == "__init__" and args:
            return self.begun(f, *args, **kwargs)
        return NULL

    def call_object(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`f(*args)` of an object that may have a `__call__`; a `partial` is what it holds."""
        if type(f) is functools.partial:
            func, held, named = (self.getattr(f, name) for name in ("func", "args", "keywords"))
            named = {k: self.world.do(operator.getitem, named, k) for k in self.listing(named)}
            return self.call(func, *self.listing(held), *args, **{**named, **kwargs})
        if isinstance(f, ref) and not args:
            return self.world.look(f)
        if f is warn:
            return self.warned(*args, **kwargs)
        hook = self.method(type(f), "__call__")
        return self.world.do(f, *args, **kwargs) if hook is None else self.call(hook, f, *args, **kwargs)

    def warned(self, *args: Any, **kwargs: Any) -> Any:
        """`warnings.warn(...)`, which tells the line of the user's that it is called from, or of one above that."""
        frames = [frame for frame in self.frames if not frame.code.co_filename.startswith(HERE)]
        level = kwargs.get("stacklevel", args[2] if len(args) > 2 else 1)
        if type(level) is int and level > len(frames):
            return self.world.do(warn_above, level - len(frames), *args, **kwargs)
        return self.world.do(*[caller(f.code, f.line(), f.globals) for f in frames], warn, *args, **kwargs)

    # ---- arguments --------------------------------------------------------------------------------------------------
    def bind(self, f: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
        """The variables of `f` when it starts; None if the arguments do not fit."""
        code, count = f.__code__, f.__code__.co_argcount
        names = code.co_varnames[: count + code.co_kwonlyargcount]
        bound: dict[str, Any] = dict(zip(names[:count], args, strict=False))
        spare, extra = args[count:], dict[str, Any]()
        for k, v in kwargs.items():
            if k in bound and k in names[code.co_posonlyargcount :]:
                return None
            (bound if k in names[code.co_posonlyargcount :] else extra)[k] = v
        starred, keyworded = code.co_flags & inspect.CO_VARARGS, code.co_flags & inspect.CO_VARKEYWORDS
        if (spare and not starred) or (extra and not keyworded):
            return None
        defaults = self.defaults(f, names, count)
        if any(name not in bound and name not in defaults for name in names):
            return None
        bound = {name: bound[name] if name in bound else defaults[name] for name in names}
        rest = list(code.co_varnames[len(names) :])
        if starred:
            bound[rest.pop(0)] = self.world.do(make_tuple, *spare)
        if keyworded:
            bound[rest.pop(0)] = self.world.do(make_dict, *[x for pair in extra.items() for x in pair])
        return bound

    def defaults(self, f: FunctionType, names: tuple[str, ...], count: int) -> dict[str, Any]:
        """What parameters are when they are not given."""
        given = self.world.remembered(f, "__defaults__") or ()
        by_name = self.world.remembered(f, "__kwdefaults__") or {}
        return dict(zip(names[count - len(given) : count], given, strict=True)) | by_name


def as_in_python(f: Any, args: tuple[Any, ...]) -> bool:
    """Whether a builtin does what its Python version does: of classes that have a way of their own nothing is known."""
    if f is reversed:
        known = (*INDEXED, dict, *VIEWS)
        return bool(args) and (type(args[0]) in known or held(type(args[0]), "__reversed__") is MISSING)
    kind = getattr(f, "__objclass__", None)
    if kind is None:
        return True
    if kind in MAPPINGS and len(args) > 1 and hook(type(args[1]), "__hash__") is not None:
        return False  # Python asks for the hash once
    return bool(args) and isinstance(args[0], kind) and not any(hook(type(args[0]), name) for name in ENTRIES)


def has_owner(f: Any) -> bool:
    """Whether a method written in C is bound to an object: `xs.append`, in place of which `list.append` is called."""
    return type(f) is MethodWrapperType or (type(f) is BuiltinMethodType and bound(f))


def unbound(f: Any, name: str, owner: Any) -> Any:
    """`list.append` for `xs.append`, which a class derived from `list` may hide."""
    held = (vars(cls).get(name) for cls in type(owner).__mro__)
    return next((d for d in held if isinstance(d, DESCRIPTORS) and d.__get__(owner) == f), f)
