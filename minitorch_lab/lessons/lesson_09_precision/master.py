"""Weights in two bytes: updates that are lost in them, and the check of a reader's master weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...core.array import xp
from ..values import described, plain
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Updates = Callable[[Any, list[Any], float], Any]  # weights, gradients and a rate to weights


class Steps(NamedTuple):
    """Weights, the gradient of every step, and the rate: all gradients are alike."""

    w: Sequence[float]
    g: Sequence[float]
    number: int
    lr: float
    what: str

    def given(self) -> tuple[Any, list[Any], float]:
        """As a reader's function gets them, in arrays of float16."""
        return xp.array(self.w, "float16"), [xp.array(self.g, "float16") for _ in range(self.number)], self.lr


CASES = (
    Steps([1.0, -1.0, 0.25], [0.7, 0.3, -0.9], 5, 0.3, "large steps"),
    Steps([1.0, 0.5], [0.01, -0.01], 1000, 0.01, "1000 steps of 0.0001"),
    Steps([0.001, -0.002], [0.0002, 0.0002], 2000, 1e-4, "2000 steps of 2e-08"),
    Steps([2.0, -8.0], [16.0, 64.0], 2000, 1e-4, "gradients of 16 and 64"),
)


def master(w: Any, grads: list[Any], lr: float, kind: str = "float32") -> Any:
    """The weights after all steps, in float16. Between the steps they are held in a dtype of more bytes.

    Example:
        >>> master(xp.array([1.0], "float16"), [xp.array([0.01], "float16")] * 1000, 0.01)
        array([0.9], dtype=float16)
    """
    held = xp.asarray(w, kind)
    for g in grads:
        held = held - lr * xp.asarray(g, kind)
    return held.astype("float16")


def lost(w: Any, grads: list[Any], lr: float) -> Any:
    """The same with every sum in float16."""
    held = xp.asarray(w, "float16")
    for g in grads:
        held = (held - xp.asarray(lr, "float16") * xp.asarray(g, "float16")).astype("float16")
    return held


def rounded_each_time(w: Any, grads: list[Any], lr: float) -> Any:
    """Every update in float32, and the weights back in float16 after it."""
    held = xp.asarray(w, "float16")
    for g in grads:
        held = (held.astype("float32") - xp.float32(lr) * xp.asarray(g, "float32")).astype("float16")
    return held


def small_products(w: Any, grads: list[Any], lr: float) -> Any:
    """Weights in float32, and lr · g in float16."""
    held = xp.asarray(w, "float32")
    for g in grads:
        held = held - (xp.asarray(lr, "float16") * xp.asarray(g, "float16")).astype("float32")
    return held.astype("float16")


def summed_first(w: Any, grads: list[Any], lr: float) -> Any:
    """The gradients added up in float16 first."""
    total = xp.zeros_like(xp.asarray(w, "float16"))
    for g in grads:
        total = total + xp.asarray(g, "float16")
    return (xp.asarray(w, "float32") - lr * total.astype("float32")).astype("float16")


THOUGHTS: list[tuple[Callable[[Any, list[Any], float], Any], str]] = [
    (rounded_each_time,
     "the update is computed in float32, and then the weights go back to float16 after every step, and it is lost "
     "there. Keep float32 from the first step to the last."),
    (small_products,
     "the weights are float32, and lr · g is still float16, in which it is 0 or has few digits. Bring g to float32 "
     "before it is multiplied."),
    (summed_first,
     "you add the gradients in float16, where a sum loses small parts and ends at 65504. Add in float32."),
    (lost, "every sum is rounded to float16, and the updates are smaller than half of its spacing there."),
    (lambda w, grads, lr: master(w, [-g for g in grads], lr), "the weights go up the slope. An update is w − lr · g."),
    (lambda w, grads, lr: master(w, grads, 1.0), "lr is missing: an update is w − lr · g."),
    (lambda w, grads, lr: master(w, grads[:1], lr), "only the first gradient is used."),
    (lambda w, grads, lr: master(w, grads[:-1], lr), "the last gradient is left out."),
    (lambda w, grads, lr: master(w, grads[1:], lr), "the first gradient is left out."),
]  # fmt: skip


@answering
def check_updated(updated: Updates) -> Verdict:
    """Check the reader's updates: large steps, small ones, tiny ones, and gradients with a large sum."""
    answers: list[Any] = []
    for steps in CASES:
        with xp.errstate(all="ignore"):
            found, error = attempt(updated, *steps.given())
        if error is not None:
            return stopped("your function", error)
        array, error = attempt(lambda found=found: xp.asarray(plain(found), "float64"))
        if error is not None or array is None or array.shape != (len(steps.w),):
            return not_yet(f"{steps.what}: you return {described(found)}. It is one weight for each that came.")
        answers.append(array)
    with xp.errstate(all="ignore"):
        if same_as(answers, lost):
            return unwritten(f"{CASES[1].what} leave the weights where they were.")
        for steps, found in zip(CASES, answers, strict=True):
            right = master(*steps.given(), kind="float64")
            if not near(found, right):
                return not_yet(f"{steps.what}: {why(steps, found, right)}")
    return done("no update is lost, and the weights that the model computes with have two bytes. Two dtypes, two jobs.")


def same_as(answers: list[Any], way: Callable[..., Any]) -> bool:
    """Whether all answers are what one way gives."""
    return all(xp.array_equal(found, way(*steps.given())) for found, steps in zip(answers, CASES, strict=True))


def near(found: Any, right: Any) -> bool:
    """Numbers of float16, at most one apart from the right ones: float32 rounds as well."""
    array = xp.asarray(found, "float64")
    if array.shape != right.shape:
        return False
    with xp.errstate(all="ignore"):
        held = xp.array_equal(array, array.astype("float16"))
        return bool(held and (xp.abs(array - right) <= xp.spacing(xp.abs(right)).astype("float64")).all())


def why(steps: Steps, found: Any, right: Any) -> str:
    """What is wrong with an answer."""
    with xp.errstate(all="ignore"):
        if near(xp.asarray(found).astype("float16"), right):
            return "your weights have more digits than float16 holds. The copy that is returned is float16: astype."
        known = [said for way, said in THOUGHTS if xp.array_equal(found, way(*steps.given()))]
    given, wanted = ([round(x, 6) for x in each.tolist()] for each in (found, right))
    return known[0] if known else f"you return {given}, and it is {wanted}."
