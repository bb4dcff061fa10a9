"""The check of lesson 07 about a function that brings its own derivative."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import exp, isclose, log1p
from typing import Any

from ...errors import ArgumentError, GradientError
from ...func import grad, jvp, vmap
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import described
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten

POINTS = (0.0, 2.0, -1.5)
FAR = (100.0, -100.0)
Fn = Callable[[Any], Any]


def slope(x: float) -> float:
    """The derivative of log(1 + eˣ)."""
    return 1 / (1 + exp(-x))


THOUGHTS: list[tuple[Callable[[float], float], str]] = [
    (lambda x: float(x > 0), "this is the slope of relu, a step from 0 to 1. That of softplus climbs smoothly."),
    (lambda x: 1 - slope(x), "this one falls from 1 to 0. For large x, softplus is nearly x: its slope goes to 1."),
    (lambda x: slope(x) * (1 - slope(x)), "you differentiated once too often: this is the slope of the slope."),
    (lambda x: exp(x), "the chain rule is not through: log1p divides by 1 + eˣ."),
    (lambda x: 1 / (1 + exp(x)), "the inner derivative, eˣ, is missing."),
    (lambda x: log1p(exp(x)), "this is the value. The rule wants the derivative, eˣ/(1 + eˣ), times dx."),
]


@answering
def check_softplus(softplus: Fn) -> Verdict:
    """Check the reader's softplus with its own forward rule: values, slopes both ways, and far away from 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, about exp(100): the verdict says what came of it
        pushed, error = attempt(lambda: [pair(softplus, x, 1.0) for x in (*POINTS, *FAR)])
    if error is not None:
        return rule_stopped(error)
    values, slopes = zip(*pushed, strict=True)
    if all(s == 1.0 for s in slopes):
        return unwritten("your rule passes dx on, as if softplus grew as fast as x everywhere.")
    if all(close(v, slope(x)) for v, x in zip(values, POINTS, strict=False)):
        return not_yet("the pair is the wrong way round: the value comes first, then the tangent.")
    if not all(close(v, max(x, 0.0) + log1p(exp(-abs(x)))) for v, x in zip(values, (*POINTS, *FAR), strict=True)):
        return not_yet("the value has changed. The rule returns it as the function gives it: softplus(x).")
    if not all(close(number(softplus(tensor(x))), max(x, 0.0) + log1p(exp(-abs(x)))) for x in POINTS):
        return not_yet("the rule is one of softplus, and the function itself gives other values when no rule is asked.")
    if not all(close(pair(softplus, x, 3.0)[1], 3 * s) for x, s in zip(POINTS, slopes, strict=False)):
        return not_yet("three times the tangent gives something else than three times as much: the tangent is dx times "
                       "the derivative.")  # fmt: skip
    return sloped(softplus, slopes)


def sloped(softplus: Fn, slopes: tuple[float, ...]) -> Verdict:
    """Whether the slopes are right, near 0, far away, and on the way back."""
    near, far = slopes[: len(POINTS)], slopes[len(POINTS) :]
    if not all(map(close, near, map(slope, POINTS))):
        known = [said for idea, said in THOUGHTS if all(map(close, near, map(idea, POINTS)))]
        return not_yet(known[0] if known else f"at 0 your slope is {near[0]:.4g}, at 2 it is {near[1]:.4g}. "
                       f"It should be 0.5 and {slope(2.0):.4g}.")  # fmt: skip
    if not all(map(close, far, (1.0, 0.0))):
        return not_yet(f"right near 0, but at 100 it is {far[0]:.4g} and at −100 {far[1]:.4g}: exp(100) is infinite in "
                       "float32, and infinity by infinity is no number. Divide by 1 + exp(−x).")  # fmt: skip
    back, error = attempt(lambda: vmap(grad(softplus))(tensor(list(POINTS))).tolist())
    if "inside vmap" in str(error):
        return not_yet(
            "right for one number, and not inside vmap: your rule decides by a number, as `if x > 0` does, and all "
            "examples run the same lines. A formula for every x, or ml.where, does without."
        )
    if error is not None and not isinstance(error, GradientError):
        return not_yet(f"right forward, and inside vmap(grad(softplus)) it stops: {describe_error(error)}")
    if error is not None or not all(map(close, back, map(slope, POINTS))):
        return not_yet("right forward, and not on the way back. Make the rule of ops, and use dx as a factor only.")
    return done("one rule, and it serves jvp, grad and vmap: what is linear in dx can be walked in both directions.")


def number(value: Any) -> float:
    """The one number in a tensor.

    Raises:
        ArgumentError: It is anything else.
    """
    if not isinstance(value, Tensor) or value.numel() != 1:
        raise ArgumentError(f"softplus gives {described(value)}.", "It should give a tensor with one number.")
    return value.item()


def pair(softplus: Fn, x: float, dx: float) -> tuple[float, float]:
    """The value and the tangent at `x`."""
    value, moved = jvp(softplus, (tensor(x),), (tensor(dx),))
    return number(value), number(moved)


def close(a: float, b: float) -> bool:
    """Equal to the rounding of float32."""
    return isclose(a, b, rel_tol=1e-4, abs_tol=1e-6)


def rule_stopped(error: Exception) -> Verdict:
    """The reader's rule ended with an exception."""
    if isinstance(error, RecursionError):
        return not_yet("your function asks for itself without end.")
    if isinstance(error, AttributeError) and "tuple" in str(error):
        return not_yet("primals and tangents are tuples, one entry per argument: (x,), (dx,) = primals, tangents.")
    return stopped("your rule", error)
