"""linearize: the value at a point, and the linear function that is the derivative there. After JAX's `linearize`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ops.front import taught
from .boxing import zeros
from .forward import matched
from .reverse import vjp
from .trees import flatten


@taught
def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of `func(*primals)`, and the function from tangents of the primals to the tangent of the value.

    `func` runs once. What it leaves is the way back, which is linear in the cotangent; that way is put on a tape of its
    own, once, and each call of the linear function walks that tape back: the transpose of the transpose is the way
    forward (J. Townsend's trick, 2017).

    Raises:
        GradientError: A primal is no tensor of floats.
        ShapeError: A tangent has not the shape of its primal.

    Example:
        >>> import minitorch_lab as ml
        >>> y, push = ml.func.linearize(lambda x: x**2 * x.sin(), ml.tensor(2.0))
        >>> y, push(ml.tensor(1.0)), push(ml.tensor(10.0))
        (tensor(3.6372), tensor(1.9726), tensor(19.7260))
    """
    value, pull = vjp(func, *primals)
    leaves, build = flatten(value)
    _, back = vjp(lambda *cotangents: pull(build(list(cotangents))), *map(zeros, leaves))
    points = list(primals)

    def push(*tangents: Any) -> Any:
        return build(list(back(tuple(matched("the linear function", points, list(tangents))))))

    return value, push
