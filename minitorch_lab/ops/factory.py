"""Ops that make tensors from nothing: constants and ranges. Random numbers stand in random.py."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, DType, Shape, check_held, converted, is_float, xp
from .op import OPS, Op, Sample


def nothing(params: dict[str, Any]) -> Any:
    """Samples: no inputs, these parameters, and nothing to fill."""
    none = {"shape": (0, 4)} if "shape" in params else {"end": params["start"]}
    cases: list[Sample] = [((), params), ((), {**params, **none})]
    return lambda rng: cases


def factory(name: str, impl: Any, shape: Any, params: dict[str, Any], operands: Any = None) -> Op:
    """An op without inputs."""
    samples = nothing(params)
    return Op(name=name, impl=impl, shape=shape, vjp=(None,), samples=samples, gives="dtype", operands=operands)


def given(*, shape: Shape, **_: Any) -> Shape:
    """The shape is a parameter."""
    return shape


def steps_between(start: Any, end: Any, step: Any) -> int:
    """How many numbers there are from `start` on below `end`. Whole bounds may be symbols.

    Example:
        >>> steps_between(0, 5, 2), steps_between(5, 0, -2), steps_between(3, 1, 1), steps_between(0, 1.0, 0.25)
        (3, 3, 0, 4)
    """
    if not all(isinstance(n, int) for n in (start, end, step)):
        return len(xp.arange(start, end, step))
    count = -((start - end) // step)
    return count if count > 0 else 0


SAMPLE: dict[str, Any] = {"shape": (3, 4), "dtype": xp.dtype("float64")}


def filled(*, shape: Shape, value: Any, dtype: DType) -> Array:
    """One number everywhere."""
    check_held("full", value, dtype)
    out = xp.empty(shape, dtype)
    out.fill(converted(xp.asarray(value), dtype) if dtype.kind in "iu" else value)
    return out


def scaled_ones(*, shape: Shape, value: Any, dtype: DType) -> Any:
    """The number as an operand, which is exact; None where it would be cut to a whole one."""
    return OPS["mul"](full(shape=shape, value=1, dtype=dtype), value) if is_float(dtype) else None


full = factory("full", filled, given, {**SAMPLE, "value": 2.0}, scaled_ones)
arange = factory(
    "arange",
    lambda *, start, end, step, dtype: xp.arange(start, end, step).astype(dtype, copy=False),
    lambda *, start, end, step, dtype: (steps_between(start, end, step),),
    {"start": 0, "end": 5, "step": 2, "dtype": xp.dtype("int64")},
)
