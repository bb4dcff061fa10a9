"""Builtins whose meaning is the machine's own business. Each gives NULL where a call is none of it."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from . import inpython
from .door import NULL, make_as, make_frozenset
from .operators import SHOWN

SPECIAL: dict[Any, Callable[..., Any]] = {}


def special(*fs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function as what the machine does for these."""

    def enter(meaning: Callable[..., Any]) -> Callable[..., Any]:
        SPECIAL.update(dict.fromkeys(fs, meaning))
        return meaning

    return enter


@special(getattr)
def get(m: Any, x: Any, name: Any, *default: Any) -> Any:
    """`getattr(x, name)`, perhaps with a default."""
    return m.getattr(x, name, *default) if type(name) is str else NULL


@special(hasattr)
def has(m: Any, x: Any, name: Any) -> Any:
    """`hasattr(x, name)`."""
    return m.getattr(x, name, inpython) is not inpython if type(name) is str else NULL


@special(setattr)
def put(m: Any, x: Any, name: Any, value: Any) -> Any:
    """`setattr(x, name, value)`."""
    return m.setattr(x, name, value) if type(name) is str else NULL


@special(object.__setattr__)
def put_plainly(m: Any, x: Any, name: Any, value: Any) -> Any:
    """`object.__setattr__(x, name, value)`."""
    return m.plain_setattr(x, name, value) if type(name) is str else NULL


@special(delattr)
def delete(m: Any, x: Any, name: Any) -> Any:
    """`delattr(x, name)`."""
    return m.delattr(x, name) if type(name) is str else NULL


@special(vars)
def attributes(m: Any, *xs: Any) -> Any:
    """`vars(x)`."""
    known = m.world.records and len(xs) == 1 and type(getattr(xs[0], "__dict__", None)) is dict
    return inpython.Attributes(xs[0]) if known else NULL


@special(super)
def above(m: Any, *of: Any) -> Any:
    """`super(cls, me)`."""
    return super(of[0], of[1]) if len(of) == 2 else NULL


@special(str)
def text(m: Any, *xs: Any) -> Any:
    """`str(x)`."""
    return m.text(xs[0]) if len(xs) == 1 else NULL


@special(repr)
def shown(m: Any, x: Any) -> Any:
    """`repr(x)`."""
    return m.shown(x)


@special(format)
def formatted(m: Any, x: Any, spec: Any = "") -> Any:
    """`format(x)`."""
    return m.text(x) if type(x) in SHOWN and type(spec) is str and not spec else NULL


@special(bool)
def truth(m: Any, *xs: Any) -> Any:
    """`bool(x)`."""
    return m.truth(xs[0]) if xs else NULL


@special(operator.contains)
def within(m: Any, xs: Any, x: Any) -> Any:
    """`x in xs`."""
    return m.within(xs, x)


@special(operator.getitem)
def item(m: Any, x: Any, key: Any) -> Any:
    """`x[key]`."""
    return m.getitem(x, key)


@special(FunctionType.__get__)
def bound(m: Any, f: Any, x: Any = None, cls: Any = None) -> Any:
    """`f` as a method of `x`."""
    return f if x is None else MethodType(f, x)


@special(tuple.__new__)
def named_tuple(m: Any, cls: Any, xs: Any = ()) -> Any:
    """`tuple.__new__(cls, xs)`."""
    return m.world.do(make_as, cls, *m.listing(xs))


@special(frozenset)
def frozen(m: Any, xs: Any = ()) -> Any:
    """`frozenset(xs)`."""
    return m.world.do(make_frozenset, *m.listing(xs))


@special(sys.exc_info)
def handled(m: Any) -> Any:
    """`sys.exc_info()`."""
    error = m.frames[-1].handled
    return (None, None, None) if error is None else (type(error), error, None)


@special(iter)
def iterator(m: Any, xs: Any, *end: Any) -> Any:
    """`iter(xs)`, or of a function and the value at which it stops."""
    return m.call(inpython.until, xs, *end) if end else m.iterator(xs)


@special(next)
def following(m: Any, it: Any, *default: Any) -> Any:
    """`next(it)`."""
    return m.call(inpython.next_or, it, *default) if default else m.next(it)
