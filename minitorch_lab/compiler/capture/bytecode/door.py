"""What the machine asks of the world, as functions: everything that makes, reads or changes a value goes through one.

The machine calls `world.do(make_list, a, b)`, never `[a, b]`: a world that writes down what it is asked has seen all.
"""

from __future__ import annotations

import copy
from itertools import islice
from types import CodeType, FunctionType, ModuleType
from typing import Any


class Null:
    """The empty slot that a call finds on the stack."""

    def __repr__(self) -> str:
        return "NULL"


NULL: Any = Null()


def make_tuple(*xs: Any) -> tuple[Any, ...]:
    """`(a, b)`."""
    return xs


def make_list(*xs: Any) -> list[Any]:
    """`[a, b]`."""
    return list(xs)


def make_set(*xs: Any) -> set[Any]:
    """`{a, b}`."""
    return set(xs)


def make_dict(*pairs: Any) -> dict[Any, Any]:
    """`{k: v}`, from keys and values in turn."""
    return dict(zip(pairs[::2], pairs[1::2], strict=True))


def unpacked(x: Any) -> dict[Any, Any]:
    """`{**x}`, of what has ways of its own."""
    return {**x}


def make_slice(*xs: Any) -> slice:
    """`a:b:c`."""
    return slice(*xs)


def make_as(cls: type, *xs: Any) -> Any:
    """A tuple of a class of its own: a named one."""
    new: Any = tuple.__new__
    return new(cls, xs)


def make_frozenset(*xs: Any) -> frozenset[Any]:
    """`frozenset({a, b})`."""
    return frozenset(xs)


def make_error(cls: type, *args: Any) -> Any:
    """A new error, before its `__init__`."""
    new: Any = cls.__new__
    return new(cls, *args)


def make_container(cls: type, kind: type, *args: Any) -> Any:
    """A new container of a class, laid out as `kind`, before anything is in it."""
    new: Any = cls.__new__
    made = new(cls)
    kind.__init__(made, *args)
    return made


def make_function(
    code: CodeType, globals_: dict[str, Any], defaults: Any = None, kwdefaults: Any = None, closure: Any = None
) -> FunctionType:
    """`def` and `lambda`."""
    function = FunctionType(code, globals_, code.co_name, defaults, closure)
    function.__kwdefaults__ = kwdefaults
    return function


def concat(*xs: str) -> str:
    """The parts of an f-string, put together."""
    return "".join(xs)


def is_(a: Any, b: Any) -> bool:
    """`a is b`."""
    return a is b


def contains(xs: Any, x: Any) -> bool:
    """`x in xs`."""
    return x in xs


def keys_of(xs: Any) -> tuple[Any, ...]:
    """The keys of a dict, or the entries of a set."""
    return tuple(xs)


def entry_at(xs: Any, i: int) -> Any:
    """The key or entry that comes after `i` others."""
    return next(islice(xs, i, None))


def order_of(keys: Any, reverse: bool) -> tuple[int, ...]:
    """Where `sorted` puts what has these keys."""
    return tuple(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse))


def super_attr(cls: type, me: Any, name: str) -> Any:
    """`super(cls, me).name`."""
    return getattr(super(cls, me), name)


def has_own(x: Any, name: str) -> bool:
    """`name in vars(x)`."""
    return name in vars(x)


def own(x: Any, name: str) -> Any:
    """`vars(x)[name]`."""
    return vars(x)[name]


def own_names(x: Any) -> tuple[str, ...]:
    """The names of `vars(x)`."""
    return tuple(vars(x))


def really_copied(x: Any) -> Any:
    """`copy.copy` of what has its own way to be copied."""
    return copy.copy(x)


def really_deepcopied(x: Any, memo: dict[int, Any]) -> Any:
    """`copy.deepcopy` of what has its own way to be copied."""
    return copy.deepcopy(x, memo)


def entries(x: Any) -> dict[str, Any]:
    """`vars(x)`, as a dict like any other."""
    return vars(x)


def plain_setattr(x: Any, name: str, value: Any) -> None:
    """What `object.__setattr__` does."""
    object.__setattr__(x, name, value)


def write_own(x: Any, name: str, value: Any) -> None:
    """`vars(x)[name] = value`."""
    vars(x)[name] = value


def load_global(globals_: dict[str, Any], name: str) -> Any:
    """A global, or else a builtin."""
    if name in globals_:
        return globals_[name]
    builtins: Any = globals_["__builtins__"]
    found = builtins if isinstance(builtins, dict) else vars(builtins)
    if name not in found:
        raise as_python(NameError, f"name '{name}' is not defined")
    return found[name]


def store_global(globals_: dict[str, Any], name: str, value: Any) -> None:
    """`global name; name = value`."""
    globals_[name] = value


def delete_global(globals_: dict[str, Any], name: str) -> None:
    """`global name; del name`."""
    del globals_[name]


def matches(error: BaseException, wanted: Any) -> bool:
    """Whether `except wanted` takes an error."""
    return isinstance(error, wanted)


def import_module(name: str, globals_: dict[str, Any], fromlist: Any, level: int) -> Any:
    """`import name`, `from name import ...`."""
    return __import__(name, globals_, None, fromlist, level)


def import_missing(module: Any, name: str) -> Any:
    """`from module import name` of what is no attribute of the module: it may be one that is being imported."""
    bare = ModuleType(module.__name__)
    vars(bare).update({k: v for k, v in vars(module).items() if k in ("__name__", "__file__", "__spec__")})
    names: dict[str, Any] = {"__builtins__": {"__import__": lambda *_: bare}}
    exec(f"from module import {name}", names)
    return names[name]


def as_python(kind: type[Exception], text: str) -> Exception:
    """The error that Python itself raises here: what the machine runs must fail as it would without the machine."""
    return kind(text)


def no_attribute(x: Any, name: str) -> Exception:
    """The error of an attribute that an object of a class made in C has no more."""
    cls = type(x)
    where = "" if cls.__module__ == "builtins" else f"{cls.__module__}."
    return as_python(AttributeError, f"{where + cls.__name__!r} object has no attribute {name!r}")
