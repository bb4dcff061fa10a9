"""The check of the reader's roof, and their step under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...costmodel import Machine, Point, bound_by, plot_roofline
from ..charts import Chart
from ..values import plain, settled, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .amounts import amount
from .counting import Cost
from .rows import Row

Bound = Callable[[float, float, float, float], Any]
ASKED: dict[str, tuple[float, float, float, float]] = {
    "the first product, on an A100 in float32": (12_845_056, 935_936, 19.5e12, 2.039e12),
    "the first product, on an A100 in float16": (12_845_056, 935_936, 312e12, 2.039e12),
    "a ReLU": (8_192, 65_536, 19.5e12, 2.039e12),
    "a large product": (2 * 4096**3, 12 * 4096**2, 312e12, 2.039e12),
    "a copy": (0, 8_000_000, 1e12, 1e11),
    "just left of the ridge": (1000, 256, 4096, 1024),
    "on the ridge": (1024, 256, 4096, 1024),
    "just right of the ridge": (1040, 256, 4096, 1024),
    "a slow machine": (3_000, 1_000, 100, 400),
}


@answering
def check_bound(bound: Bound) -> Verdict:
    """Check the reader's bound left of the ridge, on it, and right of it."""
    answers: dict[str, Any] = {}
    for name, numbers in ASKED.items():
        found, error = attempt(bound, *numbers)
        if error is not None:
            return stopped(f"your function, at {name},", error)
        answers[name] = settled(found)
    if all(found == (0, "memory") for found in answers.values()):
        return unwritten("everything takes no time.")
    for name, (flop, nbytes, peak, bandwidth) in ASKED.items():
        found = answers[name]
        if not (isinstance(found, tuple) and len(found) == 2):
            return not_yet(f"for {name} you give {found!r:.60}. It is two things: seconds, and a word.")
        if (mine := amount(found[0])) is None:
            return not_yet(f"for {name} you say {found[0]!r:.20}. The first of the two is a number of seconds.")
        if not near(mine, max(flop / peak, nbytes / bandwidth)):
            return not_yet(f"{wrong_time(mine, name, answers)} That is {name}.")
        side = bound_by(Point(name, flop, nbytes), Machine(name, peak, bandwidth))
        if found[1] != side:
            return not_yet(wrong_side(name, found[1], side))
    return done("time cannot be less than the larger of the two, and the word says which of them to mend.")


def near(found: float, wanted: float) -> bool:
    """Whether two times are the same but for rounding.

    Example:
        >>> near(1e-12, 1.0000000001e-12), near(1e-12, 2e-12)
        (True, False)
    """
    return abs(found - wanted) <= 1e-6 * abs(wanted)


def wrong_time(found: float, name: str, answers: dict[str, Any]) -> str:
    """The thought behind another time: one that explains all answers, else one that explains this."""
    every = [(numbers, amount(parts(answers[each])[0])) for each, numbers in ASKED.items()]
    for thought, text in THOUGHTS:
        if all(mine is not None and near(mine, thought(*numbers)) for numbers, mine in every):
            return text
    for thought, text in THOUGHTS:
        if near(found, thought(*ASKED[name])):
            return text
    return "it is the longer of two times: operations divided by the peak, bytes divided by the bandwidth."


def parts(answer: Any) -> tuple[Any, ...]:
    """An answer as a tuple that is not empty."""
    return answer if isinstance(answer, tuple) and answer else (None,)


THOUGHTS: tuple[tuple[Callable[[float, float, float, float], float], str], ...] = (
    (lambda f, b, p, w: f / p, "that is the time of the arithmetic; moving the bytes takes longer here."),
    (lambda f, b, p, w: b / w, "that is the time of moving the bytes; the arithmetic takes longer here."),
    (lambda f, b, p, w: min(f / p, b / w), "you take the shorter time. The program waits for the slower of the two."),
    (
        lambda f, b, p, w: f / p + b / w,
        "you add the two. On the roof they overlap: while bytes are moved, arithmetic goes on.",
    ),
    (lambda f, b, p, w: 1e6 * max(f / p, b / w), "those are microseconds; seconds are asked for."),
    (
        lambda f, b, p, w: min(p, w * f / b),
        "that is how fast it can compute, in FLOP/s. Seconds are asked for: operations divided by that.",
    ),
)


def wrong_side(name: str, found: Any, side: str) -> str:
    """Why the other word is right."""
    if found not in ("memory", "arithmetic"):
        return f'the second is a word, "memory" or "arithmetic". For {name} you say {found!r:.20}.'
    if name == "on the ridge":
        return 'on the ridge both take the same time; the word is "arithmetic" there, from the ridge on.'
    if name == "the first product, on an A100 in float32":
        return "13.7 FLOP for each byte are right of this ridge, 9.6. An intensity alone says nothing: compare it."
    if name == "a slow machine":
        return "the ridge belongs to the machine, peak / bandwidth: 0.25 here. No fixed number of FLOP/B will do."
    longer = "moving the bytes" if side == "memory" else "the arithmetic"
    return f"it waits for {side}: {longer} takes longer. That is {name}."


def step_on_the_roof(cost: Cost, bound: Bound, rows: Sequence[Row], machine: Machine) -> Chart | Verdict:
    """A training step under the roof of a machine, by the reader's own two functions. A point for each kind of op.

    Args:
        cost: From an op, what it reads and what it writes to operations and bytes.
        bound: From operations, bytes, peak and bandwidth to seconds and a word.
        rows: The step.
        machine: Whose roof.

    Example:
        >>> from minitorch_lab.costmodel import A100_FLOAT32
        >>> row = Row("forward", "relu", (((32, 256), 4),), ((32, 256), 4))
        >>> step_on_the_roof(lambda *_: (8192, 65536), lambda *_: (3.2e-8, "memory"), [row], A100_FLOAT32)
        1 op under the roof of A100, float32: 1 bound by memory, 0 by arithmetic. At least 0.0 µs by your two functions.
    """
    shown: dict[tuple[str, float], Point] = {}
    seconds, sides = 0.0, {"memory": 0, "arithmetic": 0}
    for row in rows:
        numbers, error = attempt(cost, row.op, row.reads, row.write)
        pair = plain(numbers)
        if error is not None or not isinstance(pair, list) or len(pair) != 2 or None in map(whole, pair):
            return Verdict("no picture", f"cost gives no two numbers for {row.op}.")
        flop, nbytes = map(whole, pair)
        if not nbytes or not flop or nbytes < 0 or flop < 0:
            said = f"{row.op} does {flop} operations on {nbytes} bytes, you say"
            return Verdict("no picture", f"{said}: no place for that.")
        answer, error = attempt(bound, flop, nbytes, machine.peak, machine.bandwidth)
        known = settled(answer)
        if error is not None or not isinstance(known, tuple) or len(known) != 2 or known[1] not in sides:
            return Verdict("no picture", f"bound gives no seconds and word for {row.op}.")
        if (time := amount(known[0])) is None or not time > 0:
            return Verdict("no picture", f"bound says that {row.op} takes {known[0]!r:.20} seconds.")
        seconds, sides[known[1]] = seconds + time, sides[known[1]] + 1
        name = row.op if row.part != "optimizer" else f"{row.op} of the optimizer"
        shown.setdefault((name, round(flop / nbytes, 2)), Point(f"{name}, {known[1]}", flop, nbytes, time))
    figure = plot_roofline([machine], list(shown.values()))
    figure.update_layout(title={"text": f"A training step under the roof of {machine.name}", "font": {"size": 14}})
    aside = {"orientation": "v", "x": 1.02, "xanchor": "left", "y": 1, "yanchor": "top"}
    figure.update_layout(showlegend=True, legend=aside)
    said = f"{sides['memory']} bound by memory, {sides['arithmetic']} by arithmetic"
    many = f"{len(rows)} op{'s' if len(rows) != 1 else ''}"
    text = f"{many} under the roof of {machine.name}: {said}. At least {1e6 * seconds:.1f} µs by your two functions."
    return Chart(figure, text)
