"""Calls: which are entered, which are asked of the world as they are, and how arguments find their parameters."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable
from types import (
    BuiltinMethodType,
    FunctionType,
    GenericAlias,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from ...optimized import Optimized, compiled_part
from . import inpython
from .door import NULL, make_dict, make_tuple
from .generators import Generator
from .operators import ASKING, BINARY, Operators
from .polyfills import FOLDED, in_python

SPECIAL = {getattr, hasattr, setattr, super, iter, next, vars, object.__setattr__, str, bool, operator.contains}
DESCRIPTORS = (MethodDescriptorType, WrapperDescriptorType)
DEEPEST = 25  # calls are entered no deeper than this: it takes several frames of Python's to run one


class Calls(Operators):
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
        if isinstance(f, Optimized):
            f = compiled_part(f).original
        if isinstance(f, MethodType):
            return f(*args, **kwargs) if isinstance(f.__self__, Generator) else self.call(
                f.__func__, f.__self__, *args, **kwargs
            )  # fmt: skip
        if type(f) is GenericAlias:
            return self.call(f.__origin__, *args, **kwargs)
        if (owner := owner_of(f)) is not None and (plain := unbound(f, owner)) is not f:
            f, args = plain, (owner, *args)
        f = self.world.within(f, args, kwargs)
        try:
            hash(f)
        except TypeError:
            return self.call_object(f, args, kwargs)
        if f in SPECIAL and not self.world.opaque(f):
            answer = self.special(f, args, kwargs)
            if answer is not NULL:
                return answer
        if f in BINARY and len(args) == 2:
            return self.operate(f, *args)
        if f in ASKING and args and (f is len or self.method(type(args[0]), ASKING[f]) is not None):
            return self.ask(f, *args)
        written = in_python(f, args, kwargs)
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
            return self.world.do(asked, *args, **kwargs)  # the real call raises the real TypeError
        return self.enter(f, variables, lambda: asked(*map(self.world.real, args), **kwargs))

    def special(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Builtins whose meaning is the machine's own business; NULL if this call is not."""
        named = len(args) > 1 and type(args[1]) is str
        if f is getattr and named:
            return self.getattr(*args)
        if f is hasattr and named:
            return self.getattr(*args, default=inpython) is not inpython
        if f is setattr and named:
            return self.setattr(*args)
        if f is object.__setattr__ and named:
            return self.plain_setattr(*args)
        if f is vars and args and type(getattr(args[0], "__dict__", None)) is dict:
            return inpython.Attributes(args[0]) if self.world.records else NULL
        if f is super and len(args) == 2:
            return super(args[0], args[1])
        if f is str and len(args) == 1 and not kwargs:
            return self.text(args[0])
        if f is bool and args:
            return self.truth(args[0])
        if f is operator.contains:
            return self.within(*args)
        if f is iter:
            return self.iterator(args[0]) if len(args) == 1 else self.call(inpython.until, *args)
        if f is next and len(args) == 1:
            return self.next(args[0])
        if f is next and args:
            return self.call(inpython.next_or, *args)
        return NULL

    def construct(self, cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`cls(*args)`, its `__init__` entered if nothing else happens when an object is made."""
        init, new = inspect.getattr_static(cls, "__init__", None), getattr(cls, "__new__", None)
        plain = type(cls) is type and new is object.__new__ and not inspect.isabstract(cls)
        if plain and isinstance(init, FunctionType) and not self.world.opaque(init):
            self.world.relies(cls, "__init__")
            x = self.world.do(object.__new__, cls)
            self.call(init, x, *args, **kwargs)
            return x
        return self.world.do(cls, *args, **kwargs)

    def call_object(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`f(*args)` of an object that may have a `__call__`; a `partial` is what it holds."""
        if type(f) is functools.partial:
            return self.call(f.func, *f.args, *args, **{**f.keywords, **kwargs})
        hook = self.method(type(f), "__call__")
        return self.world.do(f, *args, **kwargs) if hook is None else self.call(hook, f, *args, **kwargs)

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
        given = self.world.remembered(f.__defaults__) or ()
        by_name = self.world.remembered(f.__kwdefaults__) or {}
        return dict(zip(names[count - len(given) : count], given, strict=True)) | by_name


def owner_of(f: Any) -> Any:
    """The object that a method written in C is bound to: `xs` of `xs.append`."""
    if type(f) not in (MethodWrapperType, BuiltinMethodType):
        return None
    owner = f.__self__
    return None if owner is None or isinstance(owner, (ModuleType, type)) else owner


def unbound(f: Any, owner: Any) -> Any:
    """`list.append` for `xs.append`."""
    if owner is None:
        return f
    held = (vars(cls).get(f.__name__) for cls in type(owner).__mro__)
    return next((d for d in held if type(d) in DESCRIPTORS and d.__get__(owner) == f), f)
