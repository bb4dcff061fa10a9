"""Calls as from a line of the user's: what looks at the frames above it, as `warnings.warn` does, sees that line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from types import CodeType
from typing import Any
from weakref import WeakValueDictionary

from ....autograd.anomaly import PACKAGE

CALLERS: WeakValueDictionary[Any, Callable[..., Any]] = WeakValueDictionary()
TEXT = "lambda f, *args, **kwargs: f(*args, **kwargs)"


def caller(code: CodeType, line: int, globals_: dict[str, Any]) -> Callable[..., Any]:
    """What calls a function from a line of `code`; the same each time that it is asked for.

    Example:
        >>> caller(caller.__code__, 7, globals())(lambda: sys._getframe(1).f_lineno)
        7
    """
    key = id(globals_), code, line
    found = CALLERS.get(key)
    if found is None:
        found = eval(compile("\n" * (line - 1) + TEXT, code.co_filename, "eval"), globals_)
        found.__code__ = found.__code__.replace(co_name=code.co_name, co_qualname=code.co_qualname)
        CALLERS[key] = found
    return found


def called_by(f: Any, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]]:
    """What is called in the end, where that goes through callers, and on what."""
    while any(f is known for known in CALLERS.values()):
        f, args = args[0], args[1:]
    return f, args


def warn_above(above: int, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None) -> None:
    """`warnings.warn` of the line `above` frames up, the first of them the one that called the compiled function."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code.co_filename.startswith((PACKAGE, "<compiled ")):
        frame = frame.f_back
    for _ in range(above - 1):
        frame = frame and frame.f_back
    if frame is None:
        warnings.warn(message, category, sys.getrecursionlimit(), source)
        return
    category = type(message) if isinstance(message, Warning) else category or UserWarning
    known = frame.f_globals
    registry = known.setdefault("__warningregistry__", {})
    where = frame.f_code.co_filename, frame.f_lineno, known.get("__name__", "<string>"), registry, known
    warnings.warn_explicit(message, category, *where, source)
