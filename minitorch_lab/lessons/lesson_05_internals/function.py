"""The check of the exercise in which the reader writes a Function with a careful backward: log cosh x."""

from __future__ import annotations

from collections.abc import Callable
from math import cosh, isnan, log, tanh
from typing import Any

from ...autograd import Function
from ...core.array import float64
from ...errors import GradientError, MinitorchError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import described
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten

__all__ = ["check_log_cosh"]

Mistake = tuple[Callable[[float, float], float], str]

NEAR = (0.5, -1.5, 2.0)
FAR = (100.0, -100.0)
SEEDS = (1.0, 5.0, -2.0)

MISTAKES: list[Mistake] = [
    (lambda g, x: tanh(x), "your backward returns the derivative without g: it is right only when g is 1."),
    (lambda g, x: g * log(cosh(x)), "you sent g times the value. backward wants the derivative of log cosh, tanh."),
    (lambda g, x: g / cosh(x) ** 2, "1 − tanh² is the derivative of tanh: you differentiated once too often."),
    (lambda g, x: -g * tanh(x), "the sign is turned: log cosh grows to the right of 0."),
    (lambda g, x: g if x > 0 else -g, "±1 is right far away. Near 0 log cosh is as flat as x²/2: use tanh."),
    (
        lambda g, x: g * tanh(abs(x)),
        "with |x| the sign got lost: tanh(−x) = −tanh x.",
    ),
    (lambda g, x: g + tanh(x), "you added g. The chain rule multiplies."),
    (lambda g, x: g, "you sent g through, as if the derivative were 1."),
]


@answering
def check_log_cosh(function: Any) -> Verdict:
    """Check the reader's Function: value and gradient, near 0 and far away, and how it keeps x."""
    if not (isinstance(function, type) and issubclass(function, Function)):
        return not_yet(f"you gave {described(function)}, and a class is asked for: one with forward and backward, made "
                       "from ml.autograd.Function.")  # fmt: skip
    slopes, error = attempt(lambda: {(g, x): slope(function, g, x) for x in NEAR for g in SEEDS})
    if error is not None:
        return function_stopped(error)
    far = [slope(function, 5.0, x) for x in FAR]
    if not agrees(slopes, lambda g, x: g * tanh(x)):
        return not_yet(named(slopes))
    if any(isnan(found) for found in far):
        return unwritten("right near 0, and NaN at x = 100: e¹⁰⁰ is infinity in float32, and ∞ / ∞ is NaN.")
    if not near(far[0], 5.0):
        return not_yet(f"right near 0. At x = 100, with g = 5, it sends {far[0]:.4g}; the slope there is 1.")
    if not near(far[1], -5.0):
        return not_yet(f"right up to 100. But at x = −100 it sends {far[1]:.4g} for g = 5, and the slope there is −1.")
    if off := [x for x in (*NEAR, *FAR) if not near(function.apply(tensor([x])).item(), log(cosh(x)))]:
        return not_yet(f"backward is right, and forward is not: at x = {off[0]:g} log cosh is {log(cosh(off[0])):.4g}.")
    if not counted(function):
        return not_yet(
            "the numbers are right. x was overwritten before backward() and nobody noticed: what is hung on ctx has "
            "no version counter watching it. Use ctx.save_for_backward(x)."
        )
    return twice(function)


def slope(function: Any, g: float, x: float) -> float:
    """What x gets when g comes from above.

    Raises:
        GradientError: Nothing comes.
    """
    leaf = tensor([x], requires_grad=True)
    function.apply(leaf).backward(tensor([g]))
    if leaf.grad is None:
        raise GradientError("no gradient arrives at x: your backward returns None.", "Did you forget the return?")
    return leaf.grad.item()


def agrees(slopes: dict[tuple[float, float], float], wanted: Callable[[float, float], float]) -> bool:
    """Whether every slope is the wanted one."""
    return all(near(found, wanted(g, x)) for (g, x), found in slopes.items())


def near(a: float, b: float) -> bool:
    """Equal to the rounding of float32."""
    return abs(a - b) <= 1e-4 * max(1.0, abs(b))


def named(slopes: dict[tuple[float, float], float]) -> str:
    """The thought behind slopes that are wrong."""
    for thought, answer in MISTAKES:
        if agrees(slopes, thought):
            return answer
    (g, x), found = next((at, s) for at, s in slopes.items() if not near(s, at[0] * tanh(at[1])))
    return f"at x = {x:g} with g = {g:g} your backward sends {found:.4g}. It should be g · tanh x = {g * tanh(x):.4g}."


def function_stopped(error: Exception) -> Verdict:
    """The reader's Function ended with an exception."""
    if isinstance(error, MinitorchError):
        return not_yet(describe_error(error))
    if isinstance(error, ValueError) and "unpack" in str(error):
        return not_yet("saved_tensors is a tuple, also when one tensor is in it. Unpack it with a comma: (x,) = ...")
    return stopped("your Function", error)


def counted(function: Any) -> bool:
    """Whether a write to x between forward and backward is noticed, or does no harm."""
    leaf = tensor([0.5], requires_grad=True)
    h = leaf * 1
    y = function.apply(h)
    h += 1
    _, error = attempt(lambda: y.sum().backward())
    return isinstance(error, GradientError) or (leaf.grad is not None and near(leaf.grad.item(), tanh(0.5)))


def twice(function: Any) -> Verdict:
    """Right, and whether it can be differentiated once more."""
    x = tensor([0.5], requires_grad=True, dtype=float64)
    _, error = attempt(lambda: second(function, x))
    again = "" if error is not None or x.grad is None or not near(x.grad.item(), 1 / cosh(0.5) ** 2) else (
        " And since backward is made of ops, it has a derivative too."
    )  # fmt: skip
    return done(f"g · tanh x near 0 and far away, with x under guard of its version counter.{again}")


def second(function: Any, x: Tensor) -> None:
    """Leave the second derivative in x.grad."""
    function.apply(x).sum().backward(create_graph=True)
    first = x.grad
    assert first is not None
    x.grad = None
    first.sum().backward()
