"""The checks of lesson 10 about choices: a function that can be traced, and one that can be scripted."""

from __future__ import annotations

import dis
import re
from collections.abc import Callable
from time import process_time
from typing import Any

from ...compiler.capture.script.script import script
from ...compiler.capture.trace import trace
from ...core.interpret import interpreting
from ...errors import CaptureError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..floors import Floor
from ..values import described, shown, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

# ---- a choice that can be traced ------------------------------------------------------------------------------------

Choice = Callable[[list[float]], Any]
POINTS = (
    [1.0, 2.0],
    [-1.0, -2.0],
    [3.0, -1.0],
    [1.0, -3.0],
    [1.0, -1.0],
    [0.5, -0.25],
    [0.25, -0.5],
    [0.015625, 0.0],
    [0.0, -0.015625],
)


def chosen(x: list[float]) -> list[float]:
    """What the exercise asks for."""
    return [v * (2 if sum(x) > 0 else 3) for v in x]


CHOICES: list[tuple[Choice, str]] = [
    (lambda x: [v * (2 if v > 0 else 3) for v in x],
     "you choose entry by entry. The function asks for the sum, and all entries go the same way: x.sum() > 0."),
    (lambda x: [v * (3 if sum(x) > 0 else 2) for v in x],
     "the sides are swapped: ml.where(condition, a, b) gives a where the condition holds."),
    (lambda x: [v * (2 if sum(x) >= 0 else 3) for v in x],
     "[1, −1] has the sum 0, which is not above 0: the function gives x * 3 there."),
    (lambda x: [v * 2 for v in x], "this is one of the two branches, whatever the sum is."),
    (lambda x: [v * 3 for v in x], "this is one of the two branches, whatever the sum is."),
    (lambda x: [v * 5 for v in x], "you add the two branches. One of them has to be left out."),
    (lambda x: 2.0 if sum(x) > 0 else 3.0, "you choose the factor, and do not multiply x by it."),
]  # fmt: skip


@answering
def check_mended(fn: Callable[..., Any]) -> Verdict:
    """Check that `fn` is `x * 2 if x.sum() > 0 else x * 3`, for a trace as well."""
    eager, error = attempt(lambda: [fn(tensor(x)) for x in POINTS])
    if error is not None or eager is None:
        return stopped("your function", error or TypeError())
    if any(y is None for y in eager):
        return not_yet("your function returns nothing. Did you forget the return?")
    if odd := [y for y in eager if not isinstance(y, Tensor)]:
        return not_yet(f"your function gives {described(odd[0])}. It gives a tensor: x * 2, or x * 3.")
    values = [y.tolist() for y in eager]
    if values != [chosen(x) for x in POINTS]:
        known = next((said for thought, said in CHOICES if values == [thought(x) for x in POINTS]), None)
        at, got = next((x, y) for x, y in zip(POINTS, values, strict=True) if y != chosen(x))
        return not_yet(known or f"for {at} your function gives {got}. It should be {chosen(at)}.")
    return traceable(fn)


def traceable(fn: Callable[..., Any]) -> Verdict:
    """The values are right; is a trace?"""
    first, *others = [tensor(x) for x in POINTS]
    made, error = attempt(lambda: trace(fn, first, check=[(x,) for x in others]))
    if isinstance(error, CaptureError) and "silently wrong" in str(error):
        if any("JUMP" in step.opname and "IF" in step.opname for step in dis.get_instructions(fn)):
            return unwritten("eager it is right, and its trace is not: the choice is still made by Python's if.")
        return not_yet("there is no if, and the trace still differs: a number was read out of the tensor, as item(), "
                       "float() or int() do, and Python computed with it. Keep the condition a tensor.")  # fmt: skip
    if error is not None or made is None:
        return stopped("the trace of your function", error or TypeError())
    if any(made(tensor(x)).tolist() != chosen(x) for x in POINTS):
        return not_yet("check= finds nothing, and the trace is wrong all the same: what it computes with has left the "
                       "ops on the way, through numpy() or tolist(), and came back as a constant.")  # fmt: skip
    names = [call.op.name for call in made.graph.calls]
    if "where" not in names:
        price = (
            "no ml.where among them: the question became a factor of 0 or 1. That is right as long as neither side can "
            "be infinite or NaN, for 0 times that is NaN; ml.where leaves the other side out."
        )
    elif names.count("mul") > 1:
        price = "both products are computed in every call: that is the price of ml.where."
    else:
        price = "one product with a factor that was chosen: nothing is computed in vain."
    return done(f"the choice is an op of the graph now. {len(names)} ops, and {price}")


# ---- a function that can be scripted --------------------------------------------------------------------------------

SECONDS = 6.0  # of computing: a loop of 10,000 rounds ends long before
ENDLESS = "The loop is still running,"


class Patience(Floor):
    """Lets ops through for some seconds of computing, so that a loop without an end has one."""

    def __init__(self) -> None:
        super().__init__()
        self.until = process_time() + SECONDS

    def run(self, op: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Pass the op on.

        Raises:
            CaptureError: The time is over.
        """
        if process_time() > self.until:
            raise CaptureError(
                f"{ENDLESS} and {op.name} is the next op.",
                "A loop goes on as long as its condition holds.",
                "Does the body change what the condition asks?",
            )
        return super().run(op, args, params)


def patiently(fn: Callable[..., Any], *args: Any) -> Any:
    """`fn(*args)`, ended after some seconds."""
    with interpreting(Patience()):
        return fn(*args)


@answering
def check_tame(fn: Callable[..., Any]) -> Verdict:
    """Check that the reader's `tame` is scriptable, and still does what it did."""
    made, error = attempt(script, fn)
    if error is not None or made is None:
        return refused(error or TypeError())
    for entries, limit in (
        ([10.0, -3.0], 1.0),
        ([0.5, 0.25], 1.0),
        ([-8.0, 1.0], 3.0),
        ([1.0, 0.0], 1.0),
        ([1.0, -1.0, 1.0], 2.0),
        ([1000.0, 0.0], 1.0),
        ([2.0**100, 1.0], 1.0),
        ([-(2.0**126)], 2.0**-126),
    ):
        x = tensor(entries)
        out, error = attempt(patiently, made, x, limit)
        if ENDLESS in str(error):
            return not_yet("the loop has no end: either x does not change inside, or it goes on while x is small.")
        if error is not None:
            return stopped(f"the script, for {entries} and {limit},", error)
        if x.tolist() != entries:
            return not_yet("you halve x in place (x /= 2), so the caller's tensor has changed. x = x / 2 makes a new "
                           "one, in a script too.")  # fmt: skip
        if said := tame_flaw(out, entries, limit):
            return not_yet(said)
    return done("a loop with a condition that nobody knows beforehand, kept whole: it runs as often as x needs.")


SOME = 4  # rounds after which a loop has not stopped for a reason that is told below


def short(entries: list[float]) -> str:
    """Numbers with four digits."""
    return f"[{', '.join(f'{v:.4g}' for v in entries)}]"


def refused(error: Exception) -> Verdict:
    """The script was refused."""
    found = re.search(r"cannot compile (.*?) in \w+ \(", str(error))
    if found is None:
        return stopped("script", error)
    what = found[1]
    if what == "an import":
        return unwritten("script refuses the very first line, the import. Do without it.")
    hints = {
        "break": "The condition of the loop can say it: while ... :",
        "an f-string": "An f-string makes text out of values, and a script holds none. print(steps, 'steps') does it.",
        "a dict": "Return a tuple: (x, steps).",
        "a second decorator": "Take it off.",
    }
    return not_yet(f"script still refuses {what}. {hints.get(what, 'The cell above shows the place.')}")


def tame_flaw(out: Any, entries: list[float], limit: float) -> str | None:
    """What is wrong with a result; None where nothing is."""
    if not isinstance(out, tuple) or len(out) != 2:
        return f"the script gives {described(out)}. It should give a pair: the new x, and the steps."
    if isinstance(out[0], int):
        return "the pair is turned round: first x, then the steps."
    if not isinstance(out[0], Tensor) or whole(out[1]) is None:
        return f"the script gives {described(out[0])} and {described(out[1])}. It should give the new x, and the steps."
    want, steps = entries, 0
    while max(map(abs, want)) >= limit:
        want, steps = [v / 2 for v in want], steps + 1
    got, taken = out[0].tolist(), out[1]
    if got == want and taken == steps:
        return None
    if SOME < taken < steps and max(map(abs, got)) >= limit:
        return (
            f"for {short(entries)} with limit {limit:g} it stops after {shown(taken)} steps, and x is still above the "
            f"limit. It takes {steps} steps: how many are needed, no range() knows beforehand. Only the condition does."
        )
    if got == want:
        return f"x is right, and the steps are not: {taken} for {entries}. It is {steps}; count from 0, once a round."
    if max(map(abs, entries)) == limit:
        return f"at the limit itself it stops: {entries} with limit {limit:g}. The break came only *below* the limit."
    if max(entries) < limit <= max(map(abs, entries)):
        return f"for {entries} it gives {got}: −8 is large as well. The size of an entry is its abs()."
    if max(map(abs, entries)) < limit:
        return f"{entries} is below {limit:g} from the start, and it was halved all the same: test first, then halve."
    if got == entries:
        return f"for {entries} nothing was halved. while says when to go *on*, break said when to stop: turn it round."
    return (
        f"for {short(entries)} with limit {limit:g} it gives {short(got)} after {shown(taken)} steps. It should be "
        f"{short(want)} after {steps}."
    )
