"""A line search: how far to go along a direction, so that the loss falls enough and the slope is small enough."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

from ..tensors.tensor import Tensor

FALL, FLAT = 1e-4, 0.9  # c1 and c2: the part of the first slope that the loss falls by, and that is left of the slope


class Point(NamedTuple):
    """A place on the line: how far along, the loss there, its slope along the line, and the gradient."""

    at: float
    loss: float
    slope: float
    grad: Tensor


def lowest(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic through the losses and slopes of two points is lowest; within `bounds`, or between the two."""
    a, b = (a, b) if a.at <= b.at else (b, a)
    low, high = bounds or (a.at, b.at)
    mean = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.at - b.at)
    square = mean**2 - a.slope * b.slope
    below = b.slope - a.slope + 2 * sqrt(max(square, 0.0))
    if square < 0 or below == 0:
        return (low + high) / 2
    return min(max(b.at - (b.at - a.at) * (b.slope + sqrt(square) - mean) / below, low), high)


def inside(a: Point, b: Point, near: bool) -> tuple[float, bool]:
    """The next place to try between two points, and whether it is near an end; twice near is a tenth away instead."""
    low, high = sorted((a.at, b.at))
    where, margin = lowest(a, b), 0.1 * (high - low)
    if min(high - where, where - low) >= margin:
        return where, False
    if near or not low < where < high:
        return (high - margin if high - where < where - low else low + margin), False
    return where, True


def strong_wolfe(
    at: Callable[[float], Point], start: Point, length: float, most: int, narrow: float
) -> tuple[Point, int]:
    """A point with the strong Wolfe conditions (J. Nocedal and S. Wright, Numerical Optimization, 2006, chapter 3.5).

    Args:
        at: The point at a length along the line.
        start: The point at 0, where the line goes down.
        length: The first length to try.
        most: How many more points may be asked for.
        narrow: Stop where two points between which it lies are as near as this.

    Returns:
        The point, and how many were asked for. The lowest that was found, if none has the conditions.

    Example:
        >>> import minitorch_lab as ml
        >>> found, _ = strong_wolfe(lambda t: Point(t, (t - 3) ** 2, 2 * (t - 3), ml.ones(1)),
        ...                         Point(0.0, 9.0, -6.0, ml.ones(1)), 0.1, 20, 1e-9)
        >>> abs(found.slope) <= 0.9 * 6
        True
    """
    old, new, calls, near = start, at(length), 1, False
    while calls <= most:
        if too_high(new, start) or (calls > 2 and new.loss >= old.loss):
            break
        if abs(new.slope) <= -FLAT * start.slope:
            return new, calls
        if new.slope >= 0:
            break
        old, new = new, at(lowest(old, new, (new.at + 0.01 * (new.at - old.at), new.at * 10)))
        calls += 1
    else:
        old = start
    low, high = sorted((old, new), key=lambda point: point.loss)
    while calls <= most and abs(high.at - low.at) >= narrow:
        where, near = inside(low, high, near)
        new, calls = at(where), calls + 1
        if too_high(new, start) or new.loss >= low.loss:
            low, high = sorted((low, new), key=lambda point: point.loss)
            continue
        if abs(new.slope) <= -FLAT * start.slope:
            return new, calls
        low, high = new, low if new.slope * (high.at - low.at) >= 0 else high
    return low, calls


def too_high(point: Point, start: Point) -> bool:
    """Whether the loss has not fallen as the first slope promised."""
    return point.loss > start.loss + FALL * point.at * start.slope
