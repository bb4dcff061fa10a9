"""float16 and bfloat16: computed in float32, and rounded once, when the op is done.

A number of two bytes is for keeping, not for adding up: a running sum in float16 stops growing at 2048. PyTorch's
kernels accumulate in float32, and so does every op here, in its value and in its rule. What only moves entries works on
the two bytes as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache, wraps
from typing import Any, TypeVar

from ..core.array import Array, DType, converted, float32, is_narrow, is_number, xp
from .movement import cast
from .op import Op, Rule, as_given, call_of, general

F = TypeVar("F", bound=Callable[..., Any])


def narrow_dtype(args: Any) -> DType | None:
    """The first dtype of two bytes among `args`, if there is one."""
    for a in args:
        if (dtype := getattr(a, "dtype", float32)) is not float32 and is_narrow(dtype):
            return dtype
    return None


def suited(op: Op, args: tuple[Any, ...]) -> Op:
    """The form of `op` that computes with `args`: `narrow(op)` if one of them has entries of two bytes."""
    return op if op.casts is as_given or narrow_dtype(args) is None else narrow(op)


@cache
def narrow(op: Op) -> Op:
    """`op` as it is on float16 and bfloat16: what it computes, and its rules, run in float32."""
    twin = copy(op)  # of the same name: the registry has one op, whatever the width
    object.__setattr__(twin, "impl", in_float32(op.impl) if any(op.vjp) else comparing(op.impl))
    object.__setattr__(twin, "vjp", tuple(map(wide_rule, op.vjp)))
    object.__setattr__(twin, "call", call_of(twin, general))
    return twin


def in_float32(impl: Callable[..., Array]) -> Callable[..., Array]:
    """`impl` on arrays of two bytes: they are widened before, and what it gives is rounded after."""

    def wide(*args: Any, out: Array | None = None, **params: Any) -> Array:
        dtype = narrow_dtype(args)
        if dtype is None:
            return impl(*args, **params)
        value = impl(*(converted(a, float32) if narrow_dtype((a,)) else a for a in args), **params)
        if value.dtype == float32:
            value = converted(value, dtype)
        if out is None:
            return value
        out[...] = value
        return out

    return wide


def comparing(impl: Callable[..., Array]) -> Callable[..., Array]:
    """`impl`, which only compares, on arrays of two bytes as they are; a Python number is rounded as they were."""

    def rounded(*args: Any, **params: Any) -> Array:
        dtype: Any = narrow_dtype(args)
        return impl(*(converted(xp.asarray(a), dtype) if is_number(a) else a for a in args), **params)

    return rounded


def accumulating(impl: F) -> F:
    """`impl`, which adds up entries of its first input, for every width.

    For ops that belong to the rules of ops which only move entries, and so run by themselves on two bytes.
    """
    wide = in_float32(impl)

    @wraps(impl)
    def call(x: Array, *rest: Any, **params: Any) -> Array:
        return impl(x, *rest, **params) if x.dtype is float32 else wide(x, *rest, **params)

    return call  # pyright: ignore[reportReturnType]


def wide_rule(rule: Rule | None) -> Rule | None:
    """`rule` on cotangents of two bytes."""
    if rule is None:
        return None
    pull = rule.pull

    def wide(g: Any, *kept: Any, **params: Any) -> Any:
        return cast(pull(widened(g), *map(widened, kept), **params), dtype=g.dtype)

    return Rule(wide, rule.wants, rule.plain)


def widened(x: Any) -> Any:
    """`x` in float32 if its entries have two bytes, by a cast that is recorded where the walk is."""
    return cast(x, dtype=float32) if narrow_dtype((x,)) else x


def rounded_once(fn: F) -> F:
    """A function of several ops, whose tensors of two bytes are widened first, and whose result is rounded last."""

    @wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        dtype = narrow_dtype((*args, *kwargs.values()))
        if dtype is None:
            return fn(*args, **kwargs)
        return cast(fn(*map(widened, args), **{k: widened(v) for k, v in kwargs.items()}), dtype=dtype)

    return call  # pyright: ignore[reportReturnType]
