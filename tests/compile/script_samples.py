"""Functions for the tests of scripting: those of the text, and one refusal of each kind, told after `# no:`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import minitorch_lab as ml

WEIGHT = ml.ones(2)
SCALE = 3.0


def plain(x):
    y = x * 2
    z = y + 1
    return z  # noqa: RET504


def conditional(x: ml.Tensor) -> ml.Tensor:
    if x.sum() > 0:
        return x * 2
    return x * 3


def example(x: ml.Tensor) -> ml.Tensor:
    return x * 2 + 1


def valid(x: ml.Tensor) -> ml.Tensor:
    return ml.full((3,), 2.0, dtype=x.dtype)


def collatz(n: int) -> int:
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


def newton(x, rounds: int = 20, tolerance: float = 1e-6):
    """The square root of every entry."""
    guess = x * 0.5 + 0.5
    i = 0
    while i < rounds and (guess * guess - x).abs().amax() > tolerance:
        guess = (guess + x / guess) * 0.5
        i += 1
    return guess, i


def helper(x, k: int):
    return x * k + SCALE


def calls(x):
    y = helper(x, 2)
    low, high = y.amin(), y.amax()
    values, order = y.sort()
    return (values[0] - low, high if high > 3 else low, -order[-1], math.sqrt(16.0), x.shape[0])


def loops(x, n: int):
    total = x * 0.0
    for i in range(1, n, 2):
        for j in range(i):
            if j == 1 or not (i > 2):
                total = total + i * j
            total = total + 1
    return total


def writes(x):
    y = x.clone()
    y[0] = 7.0
    y[1:] += 1.0
    y *= 2
    return y


def early(x, k: int):
    if k == 0:
        return x
    y = x * k
    if k == 1:
        return y + 1
    if k == 2:
        y = y - 1
    return y * 2


# ---- what is refused ------------------------------------------------------------------------------------------------


def importing(x):

    return x


def numpying(x):
    return np.array([1, 2, 3])  # no: a call of np.array


def formatting(x):
    print(f"Debug: {x}")  # no: an f-string
    return x


def global_tensor(x):
    return x * WEIGHT  # no: the Tensor WEIGHT


def missing(x):
    return x + nothing  # noqa: F821  # no: the name nothing


def one_branch(x):
    if x.sum() > 0:
        y = x
    return y  # no: the variable y


def two_types(x):
    if x.sum() > 0:  # no: the variable y after this if
        y = x
    else:
        y = 1
    return y


def two_results(x):
    if x.sum() > 0:  # no: the results of this if
        return x
    return 1


def changing(x):
    total = 0
    for _ in range(3):  # no: the variable total in this loop
        total = total + 0.5
    return total


def breaking(x):
    while x.sum() > 0:
        x = x - 1
        break  # no: break
    return x


def returning(x):
    for _ in range(3):  # no: a return inside this loop
        return x
    return x


def iterating(x):
    total = 0.0
    for row in x:  # no: a loop over this
        total = total + row
    return total


def listing(x):
    return [i * 2 for i in x]  # no: a comprehension


def catching(x):
    try:  # no: try
        return x
    except ValueError:
        return x


def leaving(x):
    return x.numpy()  # no: a call of .numpy()


def attribute(x):
    return x.grad  # no: the attribute .grad


def starred(*x):  # no: a function with *args
    return x


def annotated(x: dict[str, Any]):  # no: the annotation
    return x


def adding(x):
    return x + "1"  # no: Add of Tensor and str


def chained(x, n: int):
    return x if 0 < n < 3 else x * 2  # no: a chain of comparisons


def counting(x):
    for i in range(2.5):  # no: a float here
        x = x + i
    return x


def opening(x):
    return open(str(x))  # no: a call of str
