"""The check of the exercise in which the reader takes Newton's step: a walk over a walk."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any, NamedTuple

from ...errors import GradientError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["check_newton"]

Step = Callable[[Callable[[Tensor], Tensor], Tensor], Any]


class Valley(NamedTuple):
    """A function to go down, where to start, and its two derivatives there."""

    line: str
    fn: Callable[[Tensor], Tensor]
    start: float
    slope: float
    bend: float


VALLEYS = (
    Valley("(x − 3)²", lambda x: (x - 3) ** 2, 1.0, -4.0, 2.0),
    Valley("eˣ − 2x", lambda x: x.exp() - 2 * x, 1.0, exp(1.0) - 2, exp(1.0)),
    Valley("−(x − 1)², a hill,", lambda x: -((x - 1) ** 2), 3.0, -4.0, -2.0),
    Valley("x⁴", lambda x: x**4, 2.0, 32.0, 48.0),
)

Thought = Callable[[float, float, float], float]

MISTAKES: list[tuple[Thought, str]] = [
    (lambda x, f1, f2: x + f1 / f2, "you added the quotient. It is subtracted: downhill is against the slope."),
    (lambda x, f1, f2: x - f2 / f1, "the quotient is upside down: the slope over the slope of the slope."),
    (lambda x, f1, f2: x - f1, "that is a step of gradient descent with lr = 1: the second derivative is missing."),
    (
        lambda x, f1, f2: x - f1 / (f1 + f2),
        "the second walk added f″ to the f′ still in x.grad. Empty the tray before it, or use autograd.grad.",
    ),
    (
        lambda x, f1, f2: x - (f1 + f2) / (f1 + f2),
        "you went by exactly 1: slope and slope of the slope were the same tensor, x.grad after both walks.",
    ),
    (lambda x, f1, f2: x - f1 * f2, "you multiplied by f″. Newton divides: where it bends much, the step is short."),
    (lambda x, f1, f2: f1 / f2, "this is the length of the step. Return where it leads: x minus that."),
]


@answering
def check_newton(step: Step) -> Verdict:
    """Check the reader's Newton step: `step(f, x)` gives x − f′(x) / f″(x)."""
    found: list[float] = []
    for valley in VALLEYS:
        x = tensor(valley.start, requires_grad=True)
        new, error = attempt(step, valley.fn, x)
        if error is not None:
            return newton_stopped(error)
        if new is None:
            return not_yet("newton() returns nothing. Return the new x.")
        if not isinstance(new, Tensor):
            return not_yet(f"newton() returns {described(new)}. The next step walks from it: return a tensor.")
        if new.numel() != 1:
            return not_yet(f"newton() returns {described(new)}. x is one number, and the new x is one as well.")
        if new.grad_fn is not None:
            return not_yet(
                "the new x has a history: it hangs on this step's whole graph, and the next step would hang on both. "
                "Return a fresh start, with .detach()."
            )
        found.append(new.item())
    if found == [valley.start for valley in VALLEYS]:
        return unwritten("x stays where it is.")
    for thought, answer in MISTAKES:
        if agrees(found, thought):
            return not_yet(answer)
    if not agrees(found, lambda x, f1, f2: x - f1 / f2):
        valley, new = next((v, n) for v, n in zip(VALLEYS, found, strict=True) if not near(n, target(v)))
        return not_yet(
            f"on {valley.line}, from x = {valley.start:g}, it leads to {new:.4g}. x − f′ / f″ is {target(valley):.4g}."
        )
    return done("(x − 3)² is at its lowest point after one step, as Newton promises for every parabola.")


def target(valley: Valley) -> float:
    """Where the step should lead."""
    return valley.start - valley.slope / valley.bend


def agrees(found: list[float], thought: Thought) -> bool:
    """Whether the steps are those of somebody who thinks so."""
    return all(near(new, thought(v.start, v.slope, v.bend)) for v, new in zip(VALLEYS, found, strict=True))


def near(a: float, b: float) -> bool:
    """Equal to the rounding of float32."""
    return abs(a - b) <= 1e-4 * max(1.0, abs(b))


def newton_stopped(error: Exception) -> Verdict:
    """The reader's step ended with an exception."""
    text = str(error)
    if isinstance(error, GradientError) and ("depends on nothing" in text or "requires no gradient" in text):
        return not_yet(
            "the slope has no history, so it has no slope of its own. The first walk needs create_graph=True."
        )
    if "freed what it had saved" in text:
        return not_yet("the first walk freed the graph. create_graph=True keeps it, and records the walk itself.")
    if "tuple" in text:
        return not_yet("autograd.grad returns a tuple, one gradient per input. Unpack it with a comma: (slope,) = ...")
    return stopped("newton()", error)
