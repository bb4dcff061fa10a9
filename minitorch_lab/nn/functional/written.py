"""Activations that write into their input: `relu_(x)` is `relu(x, inplace=True)`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from ...ops.front import taught
from ...tensors.tensor import Tensor
from . import activation


def written(fn: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`fn` with its result written into its input, under the name with `_` behind it."""
    asked = signature(fn)

    def call(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return fn(input, *args, **kwargs, inplace=True)

    call.__name__ = call.__qualname__ = f"{fn.__name__}_"
    call.__doc__ = f"`{fn.__name__}`, written into its input, which is given back."
    vars(call)["__signature__"] = asked.replace(
        parameters=[p for p in asked.parameters.values() if p.name != "inplace"]
    )
    return taught(call)


celu_ = written(activation.celu)
elu_ = written(activation.elu)
hardtanh_ = written(activation.hardtanh)
leaky_relu_ = written(activation.leaky_relu)
relu_ = written(activation.relu)
rrelu_ = written(activation.rrelu)
selu_ = written(activation.selu)
threshold_ = written(activation.threshold)

__all__ = ["celu_", "elu_", "hardtanh_", "leaky_relu_", "relu_", "rrelu_", "selu_", "threshold_"]
