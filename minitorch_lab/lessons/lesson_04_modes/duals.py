"""The checks of the exercises about forward mode: a number with a slope, and the forward rule of an op."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, isclose, prod, sin
from typing import Any

from ...core.array import xp
from ...errors import GradientError
from ...func import jvp, vjp
from ...ops.op import Op
from ...tensors.factories import tensor
from ..own import turned
from ..values import described
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten

Thought = tuple[Callable[..., float], str]  # what one would get if one thought so, and the answer to that
Point = tuple[float, ...]


def near(a: Any, b: float) -> bool:
    """Equal to the rounding of float32."""
    known = isinstance(a, float | xp.number) or (isinstance(a, int) and abs(a) < 2**53)  # none beyond all floats
    return known and isclose(a, b, rel_tol=1e-4, abs_tol=1e-5)


def thought(answers: list[Any], points: list[Point], thoughts: list[Thought]) -> str | None:
    """The answer to the one thought that leads to all of these answers, if it is known."""
    for idea, said in thoughts:
        if all(near(answer, idea(*point)) for answer, point in zip(answers, points, strict=True)):
            return said
    return None


# ---- a number with a slope ------------------------------------------------------------------------------------------

PAIRS: list[Point] = [
    (2.0, 3.0, 5.0, 7.0),
    (-1.5, 0.5, 4.0, -2.0),
    (0.3, 1.0, -2.0, 0.25),
]  # a, its slope, b, its slope

PRODUCT: list[Thought] = [
    (lambda a, da, b, db: da * db, "you multiplied the slopes. If both factors move, each move counts on its own: two "
     "terms, each with one slope and the other's value."),
    (lambda a, da, b, db: da + db, "you added the slopes: that is the rule of a sum. In a product each slope is "
     "multiplied by the other factor."),
    (lambda a, da, b, db: da * b, "only the first factor moves in your rule. The second one has a slope as well."),
    (lambda a, da, b, db: a * db, "only the second factor moves in your rule. The first one has a slope as well."),
    (lambda a, da, b, db: da * b - a * db, "the minus belongs to the quotient. The parts of a product are added."),
    (lambda a, da, b, db: a * da + b * db, "each slope stands with its own value. It goes with the other one's: when a "
     "moves by a little, a · b moves b times as much."),
    (lambda a, da, b, db: da * b * a * db, "you multiplied the two terms. They are added."),
]  # fmt: skip

SINE: list[Thought] = [
    (lambda a, da, b, db: cos(a), "your sine forgets the slope that came in: cos is right only where that is 1. "
     "Multiply: the chain rule."),
    (lambda a, da, b, db: da, "the slope passes through your sine unchanged, as if sin x grew as fast as x."),
    (lambda a, da, b, db: -da * cos(a), "the sign of the sine is turned. It is cosine whose slope has a minus."),
    (lambda a, da, b, db: -da * sin(a), "that is the slope of cosine. The derivative of sin is cos."),
    (lambda a, da, b, db: da * sin(a), "you multiplied by the sine itself. The derivative of sin is cos."),
    (lambda a, da, b, db: sin(da), "you took the sine of the slope. The slope is multiplied by cos of the value."),
    (lambda a, da, b, db: cos(da), "you took the cosine of the slope. It is the cosine of the value, times the slope."),
    (lambda a, da, b, db: da + cos(a), "you added the slope that came in. The chain rule multiplies."),
]  # fmt: skip


@answering
def check_dual(kind: Callable[[float, float], Any]) -> Verdict:
    """Check the reader's class `Dual(value, slope)`: its products, its sine and its sums."""
    first, error = attempt(kind, 2.0, 3.0)
    if error is not None:
        return stopped("Dual(2.0, 3.0)", error)
    if missing := [name for name in ("value", "slope") if not hasattr(first, name)]:
        return not_yet(f"Dual(2.0, 3.0) is {described(first)}: your class has no attribute {missing[0]!r}. Call the "
                       "two value and slope: others read these.")  # fmt: skip
    products, error = attempt(lambda: [kind(a, da) * kind(b, db) for a, da, b, db in PAIRS])
    if error is not None:
        return stopped("a product of two Duals", error)
    sines, error = attempt(lambda: [kind(a, da).sin() for a, da, _, _ in PAIRS])
    if error is not None:
        return stopped("the sine of a Dual", error)
    for name, made in (("__mul__", products), ("sin", sines)):
        if not all(hasattr(d, "slope") for d in made):
            return not_yet(f"{name} returns {described(made[0])}. The next op wants a slope too: return a Dual.")
    if all(near(d.slope, 0.0) for d in (*products, *sines)):
        return unwritten("the slopes of a product and of a sine are still 0, as if nothing moved.")
    return (
        judged("__mul__", products, lambda a, da, b, db: a * b, lambda a, da, b, db: da * b + a * db, PRODUCT)
        or judged("sin", sines, lambda a, da, b, db: sin(a), lambda a, da, b, db: da * cos(a), SINE)
        or wrong_sums(kind)
        or written_over(kind)
        or done("x · x · sin x at 2 has the value 3.6372 and the slope 1.9726, from one pass, and nothing was kept.")
    )


def wrong_sums(kind: Callable[[float, float], Any]) -> Verdict | None:
    """What is wrong with sums of Duals, which came with the cell; None if nothing is."""
    sums, error = attempt(lambda: [kind(a, da) + kind(b, db) for a, da, b, db in PAIRS])
    if error is not None or sums is None or not all(hasattr(d, "slope") for d in sums):
        return not_yet("products and sines are right. A sum of two Duals was a Dual, and is none any more.")
    return judged("__add__", sums, lambda a, da, b, db: a + b, lambda a, da, b, db: da + db, [])


def written_over(kind: Callable[[float, float], Any]) -> Verdict | None:
    """Whether an op changes what it reads; None if it does not."""
    x, y = kind(2.0, 3.0), kind(5.0, 7.0)
    for name, op in (("__add__", lambda: x + y), ("__mul__", lambda: x * y), ("sin", x.sin)):
        op()
        if not (near(x.value, 2.0) and near(x.slope, 3.0) and near(y.value, 5.0) and near(y.slope, 7.0)):
            return not_yet(f"{name} changes the Dual that it reads, and others may read it too: return a new one.")
    return None


def judged(
    name: str, made: list[Any], value: Callable[..., float], slope: Callable[..., float], thoughts: list[Thought]
) -> Verdict | None:
    """What is wrong with the values or the slopes of these Duals; None if nothing is."""
    point = PAIRS[0]
    if not all(near(d.value, value(*p)) for d, p in zip(made, PAIRS, strict=True)):
        return not_yet(f"{name} changes the value: it gives {made[0].value:.4g} and should give {value(*point):.4g}.")
    if all(near(d.slope, slope(*p)) for d, p in zip(made, PAIRS, strict=True)):
        return None
    if all(near(d.slope, 0.0) for d in made):
        return not_yet(f"{name} still gives the slope 0, as if nothing moved.")
    a, da, b, db = point
    given = f"{a:g} with slope {da:g}" + (f" and {b:g} with slope {db:g}" if name != "sin" else "")
    plain = f"for {given}, {name} gives the slope {made[0].slope:.4g}. It should be {slope(*point):.4g}."
    return not_yet(thought([d.slope for d in made], PAIRS, thoughts) or plain)


# ---- the forward rule of an op --------------------------------------------------------------------------------------

MOVES: list[Point] = [  # dx, dy, x, y
    (dx, dy, x, y)
    for dx, dy in ((2.0, -3.0), (1.0, 1.0), (-0.5, 4.0))
    for x, y in ((6.0, 2.0), (-3.0, 0.5), (1.0, 4.0), (2.0, -4.0))
]

QUOTIENT: list[Thought] = [
    (lambda dx, dy, x, y: dx / y, "y may move too. You pushed the part of x alone."),
    (lambda dx, dy, x, y: -dy * x / y**2, "x may move too. You pushed the part of y alone."),
    (lambda dx, dy, x, y: 1 / y - x / y**2, "dx and dy are not in it: these are the derivatives. Each is multiplied by "
     "the tangent of its input."),
    (lambda dx, dy, x, y: dx * y + dy * x, "this is the rule of a product, and x is divided by y here."),
    (lambda dx, dy, x, y: dx / dy, "you divided the tangents. A tangent may well be 0: it only says how far an input "
     "moves. Each is multiplied by the derivative of its input, and the two are added."),
    (lambda dx, dy, x, y: dx / y + dy * x / y**2, "the sign of y's part is missing: when the denominator grows, x/y "
     "falls."),
    (lambda dx, dy, x, y: dx / y - dy * x / y, "y's part has x/y. The derivative of 1/y is −1/y²: one more y below."),
    (lambda dx, dy, x, y: (dx * y - dy * x) / y, "the quotient rule divides by y², and you divided by y."),
    (lambda dx, dy, x, y: dx / y - dy / y**2, "y's part has lost x: x/y is x times 1/y, so x stays as a factor."),
    (lambda dx, dy, x, y: dx + dy, "you added the tangents as they are. Each is multiplied by its derivative first."),
]  # fmt: skip


@answering
def check_push(op: Op) -> Verdict:
    """Check the reader's op x/y: its forward rule, and that it agrees with the two rules of the way back."""
    if op.jvp is None:
        return not_yet("your op has no forward rule: own_op(name, impl, *rules, push=push) gives it one.")
    pushed, error = attempt(lambda: [push(op, *point) for point in MOVES])
    if error is not None:
        return hinted(error)
    if all(near(moved, point[0]) for moved, point in zip(pushed, MOVES, strict=True)):
        return unwritten("your rule still passes dx on, as if x/y grew as fast as x, and y never moved.")
    for moved, (dx, dy, x, y) in zip(pushed, MOVES, strict=True):
        right = dx / y - dy * x / y**2
        if not near(moved, right):
            plain = f"at x = {x:g} and y = {y:g}, moving by {dx:g} and {dy:g}, you push {moved:.4g}; it is {right:.4g}."
            return not_yet(turned(getattr(op.jvp, "__wrapped__", None), 2) or thought(pushed, MOVES, QUOTIENT) or plain)
    if not all(near(back(op, *point), moved) for moved, point in zip(pushed, MOVES, strict=True)):
        return not_yet("the forward rule is right, and the two rules of the way back are not: they disagree with it.")
    return done(
        f"in {len(MOVES)} directions, what you push forward is what the two rules of the way back say together: "
        "two rules back, one forward, the same derivatives."
    )


def push(op: Op, dx: float, dy: float, x: float, y: float) -> float:
    """How the result moves, by the forward rule."""
    return jvp(op, (tensor(x), tensor(y)), (tensor(dx), tensor(dy)))[1].item()


def back(op: Op, dx: float, dy: float, x: float, y: float) -> float:
    """The same by the rules of the way back: what each input gets, times how far it moves."""
    parts = vjp(op, tensor(x), tensor(y))[1](tensor(1.0))
    return sum(prod(pair) for pair in zip((part.item() for part in parts), (dx, dy), strict=True))


def hinted(error: Exception) -> Verdict:
    """A forward rule ended with an exception."""
    if isinstance(error, GradientError):
        text = describe_error(error)
        if "returned a tuple" in text or "returned a list" in text:
            return not_yet("you return one part per input. That is the way back. Forward, one result has one tangent: "
                           "add the parts.")  # fmt: skip
        return not_yet(text)
    return stopped("your forward rule", error)
