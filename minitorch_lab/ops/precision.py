"""Mixed precision: in which dtype an op runs while a block of `autocast` is in force.

Each op says it in its record: products run in the low dtype ("low"), what would overflow or lose digits there in
float32 ("full"), and all else in the widest dtype of its inputs, as outside. A function made of several ops has a
decorator that says it. float64, whole numbers and truth values are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from ..core.array import DType, float32, float64, is_float
from ..core.interpret import autocast_cache, autocast_mode, grad_mode, stack, uncast
from .movement import cast
from .op import Op

F = TypeVar("F", bound=Callable[..., Any])
FUNCTIONS: dict[str, str] = {}  # functions made of several ops, by what `runs_in` says of them


def dtype_in_block(how: str, x: Any) -> DType | None:
    """The dtype to which the block in force brings an input of what runs in `how`; None: that which it has."""
    if not how or not hasattr(x, "dtype") or not is_float(x.dtype) or x.dtype == float64:
        return None
    low = next((dtype for kind, dtype in autocast_mode.get() if kind == str(x.device)), None)
    dtype = float32 if low is not None and how == "full" else low
    return None if dtype == x.dtype else dtype


def run_in_block(op: Op, args: tuple[Any, ...], params: dict[str, Any], runner: Any) -> Any:
    """`op` as the block in force wants it, run by `runner` after casts that are ops of their own.

    Whatever runs below, rules of derivatives and of batches among it, gets inputs that are brought to their dtypes
    already, and is not in the block.
    """
    wanted = [dtype_in_block(op.autocast, a) for a in args]
    with uncast():
        args = tuple(a if to is None else brought(a, to, runner) for a, to in zip(args, wanted, strict=True))
        return runner.run(op, args, params)


def brought(x: Any, dtype: DType, runner: Any) -> Any:
    """`x` in another dtype. A leaf that asks for a gradient is cast once in a block, until somebody writes into it."""
    cache = autocast_cache.get() if runner.caches and getattr(x, "is_leaf", False) and x.requires_grad else None
    if cache is None:
        return runner.run(cast, (x,), {"dtype": dtype})
    key, now = (id(x), dtype, grad_mode.get()), (x, x.value, x._version)
    found = cache.get(key)
    if found is None or any(a is not b for a, b in zip(found[0], now, strict=True)):
        cache[key] = found = now, runner.run(cast, (x,), {"dtype": dtype})
    return found[1]


def runs_in(how: str) -> Callable[[F], F]:
    """Decorate a function made of several ops: in a block of autocast its tensors are brought to one dtype first."""

    def mark(fn: F) -> F:
        FUNCTIONS[fn.__name__] = how

        def given(x: Any) -> Any:
            to = dtype_in_block(how, x)
            return x if to is None else brought(x, to, stack.get())

        @wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            if autocast_mode.get():
                args, kwargs = tuple(map(given, args)), {name: given(x) for name, x in kwargs.items()}
            return fn(*args, **kwargs)

        return call  # pyright: ignore[reportReturnType]

    return mark
