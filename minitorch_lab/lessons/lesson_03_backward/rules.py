"""The checks of the exercises in which the reader writes the rule of an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.node import Node
from ...core.array import xp
from ...errors import ArgumentError, GradientError
from ...ops.op import Op
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import described
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten
from ..walks import pull, root_of

__all__ = ["check_cube", "check_ratio"]

Mistake = tuple[Callable[..., float], str]  # what a rule would send if one thought so, and the answer to that

SEEDS = (1.0, 5.0, -2.0)

CUBE: list[Mistake] = [
    (
        lambda g, x: 3 * x**2,
        "your rule returns the derivative without g: it is right only when g is 1. Multiply by what comes from above.",
    ),
    (lambda g, x: g * x**3, "you sent g times the value x³. The rule wants the derivative, 3x²."),
    (lambda g, x: g * x**2, "the power went down from 3 to 2, and the 3 got lost on the way: the derivative is 3x²."),
    (lambda g, x: g * 3 * x, "3x is one power too low: the derivative of x³ is 3x²."),
    (lambda g, x: g * x**4 / 4, "x⁴/4 is the way back: you integrated. The rule wants the derivative, 3x²."),
    (
        lambda g, x: 3 * g**2,
        "your rule has no g: what comes first is g, whatever you call it, and x is the second thing. rule(g, x).",
    ),
    (lambda g, x: g + 3 * x**2, "you added g. The chain rule multiplies: g times the derivative."),
    (lambda g, x: g * g * 3 * x**2, "g is in it twice. Once is enough: g times the derivative."),
]

BY_X: list[Mistake] = [
    (
        lambda g, x, y: 1 / y,
        "your rule for x returns 1/y without g: right only when g is 1. Multiply by what comes from above.",
    ),
    (lambda g, x, y: g / x, "your rule for x divides by x. How fast does x/y grow with x? By 1/y, whatever x is."),
    (lambda g, x, y: g * x / y, "your rule for x returns g times the value x/y. It wants the derivative, 1/y."),
    (lambda g, x, y: -g * x / y**2, "the rules have changed places: this one, −g·x/y², is for y."),
    (lambda g, x, y: g * y, "your rule for x multiplies by y. x is divided by y, so its derivative is 1/y."),
]

BY_Y: list[Mistake] = [
    (lambda g, x, y: g, "your rule for y still sends g through, as if the derivative were 1."),
    (
        lambda g, x, y: -x / y**2,
        "your rule for y returns the derivative without g: right only when g is 1. Multiply by what comes from above.",
    ),
    (lambda g, x, y: g * x / y**2, "the sign of the rule for y is missing: when the denominator grows, x/y falls."),
    (lambda g, x, y: -g * x / y, "your rule for y has x/y. The derivative of 1/y is −1/y²: one more y below."),
    (lambda g, x, y: -g / y**2, "your rule for y has lost x: x/y is x times 1/y, so x stays as a factor."),
    (lambda g, x, y: g / y, "both rules are the same. By x the derivative is 1/y; by y it is −x/y²."),
]


@answering
def check_cube(op: Op) -> Verdict:
    """Check the reader's op x³ and its rule."""
    points = [(x,) for x in (2.0, -1.5, 0.5)]
    if failed := stops(op, points[0]):
        return failed
    if agrees(op, 0, lambda g, x: g, points):
        return unwritten("the rule still sends g through unchanged, as if the derivative were 1. See what x receives.")
    problem = judge(op, 0, lambda g, x: g * 3 * x**2, CUBE, points)
    if problem is not None:
        return not_yet(problem)
    return twice(op)


@answering
def check_ratio(op: Op) -> Verdict:
    """Check the reader's op x/y and its two rules."""
    points = [(6.0, 2.0), (-3.0, 0.5), (1.0, 4.0), (2.0, -4.0)]
    if failed := stops(op, points[0]):
        return failed
    if all(agrees(op, i, lambda g, x, y: g, points) for i in (0, 1)):
        return unwritten("both rules still send g through unchanged. See what x and y receive.")
    first = judge(op, 0, lambda g, x, y: g / y, BY_X, points)
    second = judge(op, 1, lambda g, x, y: -g * x / y**2, BY_Y, points)
    problem = first or second
    if problem is not None:
        return not_yet(problem)
    return done("both rules are right, for every g. Yours is now an op like any other.")


def node_at(op: Op, point: tuple[float, ...]) -> Node:
    """The node that `op` leaves at `point`.

    Raises:
        ArgumentError: The op gives no tensor.
    """
    y: Any = op(*[tensor(x, requires_grad=True) for x in point])
    if not isinstance(y, Tensor):
        raise ArgumentError(f"The op gives {described(y)}.", "It should give a tensor.")
    return root_of(y)


def stops(op: Op, point: tuple[float, ...]) -> Verdict | None:
    """Whether the op or a rule ends with an exception, for numbers or for vectors."""
    _, error = attempt(lambda: pull(node_at(op, point), 1.0))
    if error is None:
        _, error = attempt(lambda: op(*[tensor([x, -x], requires_grad=True) for x in point]).sum().backward())
    return None if error is None else hinted(error)


def hinted(error: Exception) -> Verdict:
    """A rule ended with an exception."""
    if isinstance(error, GradientError):
        return not_yet(describe_error(error))
    if isinstance(error, RecursionError):
        return not_yet("inside a rule g and x are bare arrays: write g * ..., and make no tensors.")
    if isinstance(error, AttributeError) and isinstance(error.obj, xp.ndarray):
        return not_yet("inside a rule x is a bare array, without a tensor's methods: write ml.cos(x), not x.cos().")
    return stopped("your rule", error)


def sends(op: Op, i: int, g: float, point: tuple[float, ...]) -> float:
    """What the rule of input `i` sends at `point`, given g."""
    return float(pull(node_at(op, point), g)[i])


def agrees(op: Op, i: int, wanted: Callable[..., float], points: list[tuple[float, ...]]) -> bool:
    """Whether the rule of input `i` sends what `wanted` does, at every point and for every g."""
    return all(near(sends(op, i, g, point), wanted(g, *point)) for point in points for g in SEEDS)


def near(a: float, b: float) -> bool:
    """Equal to the rounding of float32."""
    return abs(a - b) <= 1e-4 * max(1.0, abs(b))


def judge(
    op: Op, i: int, right: Callable[..., float], mistakes: list[Mistake], points: list[tuple[float, ...]]
) -> str | None:
    """The misconception behind the rule of input `i`, or None where it is right."""
    if agrees(op, i, right, points):
        return None
    for thought, answer in mistakes:
        if agrees(op, i, thought, points):
            return answer
    point, g = next((p, g) for p in points for g in SEEDS if not near(sends(op, i, g, p), right(g, *p)))
    where = " and ".join(f"{name} = {x:g}" for name, x in zip("xy", point, strict=False))
    return (
        f"at {where} with g = {g:g} the rule for {'xy'[i]} sends {sends(op, i, g, point):.4g}. "
        f"Move {'xy'[i]} by a little and watch the result: it should be {right(g, *point):.4g}."
    )


def twice(op: Op) -> Verdict:
    """A right rule of x³, differentiated once more."""
    x = tensor(2.0, requires_grad=True)
    op(x).backward(create_graph=True)
    assert x.grad is not None
    slope, x.grad = x.grad, None
    _, error = attempt(slope.backward)
    if error is not None or x.grad is None or not near(x.grad.item(), 12.0):
        return not_yet("the rule is right, but it cannot be differentiated again: write it with x, g, * and ** only.")
    return done("g · 3x², for every g. And since it is made of ops, it has a derivative too: 6x, 12 at x = 2.")
