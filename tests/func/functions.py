"""Functions from R³ to R for the tests of transforms. Each is written for any array library: `lib` is ours or JAX's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

POINT = np.array([0.7, -0.4, 1.1])
TANGENT = np.array([0.3, -0.2, 0.5])
MATRIX = np.array([[0.2, -0.5, 0.1], [0.7, 0.3, -0.2]])


def smooth(x: Any, lib: Any) -> Any:
    return (lib.tanh(x) * x * x).sum() + lib.exp(x[0] * x[1])


def polynomial(x: Any, lib: Any) -> Any:
    a, b, c = x[0], x[1], x[2]
    p, q, r = a * b + a, a * 2.0 * c + b, b * 2.0 * c + c
    return p * p + q * q + r * r


def softmaxed(x: Any, lib: Any) -> Any:
    e = lib.exp(x - x.max())
    p = e / e.sum()
    return (p * p * x).sum()


def layered(x: Any, lib: Any) -> Any:
    h = lib.tanh(lib.matmul(MATRIX, x))
    return (h * h).sum() + lib.sin(h).mean()


def kinked(x: Any, lib: Any) -> Any:
    return (lib.maximum(x, 0.0 * x) ** 3 + lib.where(x > 0.5, x * x, lib.sin(x))).sum()


FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "smooth": smooth,
    "polynomial": polynomial,
    "softmaxed": softmaxed,
    "layered": layered,
    "kinked": kinked,
}
