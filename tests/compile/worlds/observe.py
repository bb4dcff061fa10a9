"""Running a program, compiled or not, and writing down all that it lets see."""

from __future__ import annotations

import contextlib
import io
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minitorch_lab as ml

Program = Callable[[Any], Iterator[Any]]
DEEPEST = 5
NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodType)


def show(v: Any, depth: int = 0) -> Any:
    """A value as text, types included: what equals another only by `==` is told from it."""
    if depth > DEEPEST:
        return "..."
    if isinstance(v, ml.Tensor):
        return type(v).__name__, str(v.dtype), repr(v.tolist()), v.requires_grad
    if isinstance(v, np.ndarray):
        return "array", str(v.dtype), v.tolist()
    if isinstance(v, (list, tuple)):
        return type(v).__name__, [show(x, depth + 1) for x in v]
    if isinstance(v, dict):
        return type(v).__name__, [(show(k), show(x, depth + 1)) for k, x in v.items()]
    if isinstance(v, (set, frozenset)):
        return type(v).__name__, sorted(map(repr, v))
    if isinstance(v, BaseException):
        return "error", type(v).__name__, str(v), show(v.__cause__), show(v.__context__, depth + 1)
    if isinstance(v, NAMED):
        return type(v).__name__, v.__name__
    if v is None or isinstance(v, (int, float, str, bytes, complex, slice, range)):
        return type(v).__name__, repr(v)
    return type(v).__name__, show(vars(v), depth + 1) if hasattr(v, "__dict__") else ""


def outcome(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a call gives or raises."""
    try:
        return f(*args, **kwargs)
    except Exception as error:
        return error


def observe(program: Program, compile: Any) -> list[Any]:
    """What a program yields, what it prints, and where it leaves the random numbers."""
    ml.manual_seed(0)
    out, seen = io.StringIO(), list[Any]()
    with contextlib.redirect_stdout(out):
        try:
            for v in program(compile):
                seen.append(show(v))
        except Exception as error:
            seen.append(("ESCAPED", show(error)))
    return [*seen, out.getvalue(), ml.rand(1).tolist()]


def programs_of(module: Any) -> dict[str, Program]:
    """The programs of a module: its generator functions of `compile`."""
    found = {name: f for name, f in vars(module).items() if isinstance(f, types.FunctionType)}
    own = {name: f for name, f in found.items() if f.__module__ == module.__name__}
    return {name: f for name, f in own.items() if f.__code__.co_varnames[:1] == ("compile",)}
