"""Ops that make tensors from nothing: constants and ranges. Random numbers stand in random.py."""

from __future__ import annotations

from typing import Any

from ..array import Shape, xp
from .op import Op, Sample


def nothing(params: dict[str, Any]) -> Any:
    """Samples: no inputs, these parameters, and nothing to fill."""
    none = {"shape": (0, 4)} if "shape" in params else {"end": params["start"]}
    cases: list[Sample] = [((), params), ((), {**params, **none})]
    return lambda rng: cases


def factory(name: str, impl: Any, shape: Any, params: dict[str, Any]) -> Op:
    """An op without inputs."""
    return Op(name=name, impl=impl, shape=shape, vjp=(None,), samples=nothing(params), gives="dtype")


def given(*, shape: Shape, **_: Any) -> Shape:
    """The shape is a parameter."""
    return shape


SAMPLE: dict[str, Any] = {"shape": (3, 4), "dtype": xp.dtype("float64")}

full = factory("full", lambda *, shape, value, dtype: xp.full(shape, value, dtype), given, {**SAMPLE, "value": 2.0})
arange = factory(
    "arange",
    lambda *, start, end, step, dtype: xp.arange(start, end, step).astype(dtype),
    lambda *, start, end, step, dtype: (len(xp.arange(start, end, step)),),
    {"start": 0, "end": 5, "step": 2, "dtype": xp.dtype("int64")},
)
