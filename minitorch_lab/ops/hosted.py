"""Ops that run on the CPU wherever their inputs lie: LAPACK, and what walks along an axis step by step.

CuPy has some of it, but reports no singular matrix, and running extremes it lacks. So a GPU's arrays make the way there
and back, which costs more than the work for small matrices, and keeps the answers the same on every device.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..core.array import Array, device_of, to_device


def on_cpu(impl: Callable[..., Array]) -> Callable[..., Array]:
    """`impl`, with its arrays brought to the CPU and its result taken back to where the first one lies."""

    @wraps(impl)
    def run(*arrays: Any, **params: Any) -> Array:
        device = device_of(arrays[0])
        if device == "cpu":
            return impl(*arrays, **params)
        return to_device(impl(*(to_device(a, "cpu") for a in arrays), **params), device)

    return run
