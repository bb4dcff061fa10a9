"""Which calls of a compiled function are captured anew: a list of calls, and the check of what a reader foretells."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...autograd.modes import no_grad
from ...compiler.capture.api import compile
from ...tensors.factories import ones
from ..values import described, truth
from ..verdict import Verdict, answering, done, not_yet, unwritten
from .guarding import asked, said

__all__ = ["CALLS", "check_anew", "recaptured"]

SOURCE = """rate = 2.0


def scaled(x, k=3):
    return x * rate + k
"""
BELIEFS = {
    "scaled(ml.ones(2))": "nothing is captured yet.",
    "scaled(5 * ml.ones(2))": "the entries stand in no graph. Nobody has to ask for them.",
    "scaled(ml.ones(3))": "the kernel was made for two entries, and has memory for two.",
    "scaled(ml.ones(4))": "at the second length that axis became a symbol, so the graph of that capture is for any "
                          "length from 2 on. (With dynamic=False it would be captured anew.)",
    "scaled(ml.ones(2).double())": "another dtype is another kernel.",
    "scaled(ml.ones(2, requires_grad=True))": "this call needs a node on the tape, and a function may ask for it.",
    "with ml.no_grad(): scaled(ml.ones(2))": "whether gradients are on decides what an op leaves behind. It is the "
                                             "first thing that is asked.",
    "scaled(5 + ml.ones(2))": "what was captured is kept. The graph of the first call is still there.",
    "scaled(ml.ones(2), 4)": "Python may decide by an int (range(k), if k > 3), so it is a constant of the graph, and "
                             "guarded.",
    "scaled(ml.ones(2), 5)": "after the second value it is plain that k differs from call to call. From then on it is "
                             "an argument of the graph, and only its type is asked.",
    "rate = 10.0; scaled(ml.ones(2), 4)": "a float from outside is an argument of the graph: its type is guarded, and "
                                          "its value is read in every call.",
    "rate = 10; scaled(ml.ones(2), 4)": "it was a float, and now it is an int. x * 10 may give another dtype than x * "
                                        "10.0, so the type is guarded.",
}  # fmt: skip
CALLS = list(BELIEFS)


class Run(NamedTuple):
    """A call, whether it was captured anew, and which guard had failed."""

    call: str
    anew: bool
    why: str


def runs() -> list[Run]:
    """All calls, one after the other, with one compiled function."""
    space: dict[str, Any] = {"__name__": "calls", "ml": Names}
    exec(SOURCE, space)
    compiled = space["scaled"] = compile(space["scaled"])
    found: list[Run] = []
    for call in CALLS:
        before = compiled.captures, len(compiled.recompiles)
        exec(call, space)
        why = compiled.recompiles[before[1] :]
        found.append(Run(call, compiled.captures > before[0], reworded(compiled, why[0]) if why else ""))
    return found


def reworded(compiled: Any, why: str) -> str:
    """Why a guard failed, without the line (which is the same for all), and with the user's names."""
    subject, _, rest = why.partition(": ")
    meant = next(guard["stands_for"] for guard in asked(compiled) if guard["subject"] == subject)
    return f"{said(meant)}: {rest.partition(' (<string>')[0]}"


class Names:
    """What the calls need of the package."""

    ones, no_grad = staticmethod(ones), no_grad


def recaptured() -> str:
    """What happened in each call: kept, or captured anew and why.

    Example:
        >>> print(recaptured().splitlines()[1])
        kept            scaled(5 * ml.ones(2))
    """
    lines: list[str] = []
    for run in runs():
        lines.append(f"{'captured anew' if run.anew else 'kept':16}{run.call}")
        if run.why:
            lines.append(f"{'':16}    {run.why}")
    return "\n".join(lines)


@answering
def check_anew(anew: dict[str, Any]) -> Verdict:
    """Check which calls the reader thinks to be captured anew, against what happens."""
    said = {call: answer for call, answer in anew.items() if answer is not None}
    if not said.keys() - {CALLS[0]}:
        return unwritten("put True or False in place of None, for as many calls as you like.")
    if wrong := [answer for answer in said.values() if truth(answer) is None]:
        return not_yet(f"{described(wrong[0])} is neither True nor False.")
    for run in runs():
        if run.call in said and truth(said[run.call]) is not run.anew:
            return not_yet(f"{run.call}: it is {run.anew}. {BELIEFS[run.call]}")
    if left := len(CALLS) - len(said):
        return not_yet(f"right so far. {left} are still open.")
    return done(f"{len(CALLS)} calls. What a graph takes for granted is asked in every call, and nothing else.")
