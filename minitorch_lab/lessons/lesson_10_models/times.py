"""When a function runs: the table of lesson 10, a counter of Python lines, and whose lines a traceback names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from traceback import extract_tb
from types import CodeType, FrameType
from typing import Any

from ..values import alike, shown
from ..verdict import Verdict, answering, done, not_yet, unwritten

PACKAGE = str(Path(__file__).parents[2])
NUMBER, NAME = "a number", "a name"
ROWS = ("runs", "prints", "shows")
TRUTH: dict[str, dict[str, Any]] = {
    "eager": {"runs": 3, "prints": 3, "shows": NUMBER},
    "static": {"runs": 1, "prints": 1, "shows": NAME},
    "trace": {"runs": 1, "prints": 1, "shows": NUMBER},
    "script": {"runs": 0, "prints": 3, "shows": NUMBER},
}
WHY: dict[tuple[str, str], str] = {
    ("eager", "runs"): "Eager is plain Python: there is nothing to make, and each of the three calls runs the lines.",
    ("eager", "prints"): "The lines run three times, and print is one of them.",
    ("eager", "shows"): "y = x * 2 was computed on the line before.",
    ("static", "runs"): "The lines run once, to write the graph down. A session runs the graph, and not your lines.",
    ("static", "prints"): "print is Python, and no op: it runs while the graph is written down, and is not part of it.",
    ("static", "shows"): "Nothing is computed before run, so there is no number that print could show.",
    ("trace", "runs"): "The lines run once, on the example. After that the graph runs, and not your lines.",
    ("trace", "prints"): "print is Python, and no op: it runs along with the example, and is not part of the graph.",
    ("trace", "shows"): "A trace runs your function for real and takes notes: y is a tensor with numbers in it.",
    ("script", "runs"): "A script reads the text of the function. The lines themselves never run, not even once.",
    ("script", "prints"): "The text says print, so it is an instruction of the script, and runs in every call.",
    ("script", "shows"): "The instruction runs when the script does, and then y has been computed.",
}
BELIEFS: dict[tuple[str, str, Any], str] = {
    ("eager", "runs", 4): "You count the making too. Eager has none: a def makes a function and runs nothing of it.",
    ("static", "runs", 3): "A session does not call your function again: it has the graph.",
    ("static", "runs", 4): "A session does not call your function again: it has the graph.",
    ("static", "runs", 0): "Somebody has to write the graph down, and that is your function, called once.",
    ("trace", "runs", 4): "The example is one run. The three calls run the graph.",
    ("trace", "runs", 0): "A trace does not read your code: it watches it, and so it has to run once.",
    ("trace", "prints", 4): "You believe that print is written down like an op. Only ops are.",
    ("trace", "shows", NAME): "You took it for define-then-run. A trace computes while it takes notes.",
    ("script", "runs", 1): "You believe that it watches one run, as a trace does. It reads the text instead.",
    ("script", "prints", 0): "Your lines never run, and yet print is not lost: it was compiled like the rest.",
    ("script", "prints", 1): "Compiling prints nothing, and each of the three calls prints.",
}


@answering
def check_times(answers: Mapping[str, Any]) -> Verdict:
    """Check the table: for each style how often the lines run, how often something is printed, what is shown."""
    if odd := [style for style in TRUTH if not isinstance(answers.get(style, {}), Mapping)]:
        return not_yet(f"{odd[0]} has no dict of answers any more: leave runs, prints and shows in it.")
    given = {(style, row): answers.get(style, {}).get(row) for style in TRUTH for row in ROWS}
    if all(value is None for value in given.values()):
        return unwritten("put your guesses in place of None, for as many entries as you like.")
    wrong = [key for key, value in given.items() if value is not None and not alike(value, TRUTH[key[0]][key[1]])]
    if wrong:
        style, row = wrong[0]
        beliefs = {thought: said for (*at, thought), said in BELIEFS.items() if (*at,) == wrong[0]}
        said = next((said for thought, said in beliefs.items() if alike(given[wrong[0]], thought)), WHY[wrong[0]])
        others = f" ({len(wrong) - 1} more to look at.)" if wrong[1:] else ""
        return not_yet(f"{style}, {row}: you said {shown(given[wrong[0]])}. {said}{others}")
    left = [f"{style}, {row}" for (style, row), value in given.items() if value is None]
    if left:
        return not_yet(f"right so far. Still open: {'; '.join(left)}.")
    return done(
        "all twelve. Two questions tell the four styles apart: do your lines run while the program is made, and do "
        "they run when it is used?"
    )


def lines_run(fn: Callable[..., Any], run: Callable[[], Any]) -> int:
    """How many lines of `fn` Python runs during `run()`. What they print is not shown.

    Example:
        >>> def f(x):
        ...     y = x * 2
        ...     return y + 1
        >>> lines_run(f, lambda: [f(1), f(2)])
        4
    """
    code: CodeType = fn.__code__
    count = 0

    def seen(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if frame.f_code is not code:
            return None
        count += event == "line"
        return seen

    before = sys.gettrace()
    sys.settrace(seen)
    try:
        with redirect_stdout(StringIO()):
            run()
    finally:
        sys.settrace(before)
    return count


def your_lines(run: Callable[[], Any]) -> list[str]:
    """The lines of the traceback of `run()` that stand outside this package, without the call of `run` itself.

    Example:
        >>> your_lines(lambda: 2)
        ['no error']
    """
    try:
        run()
    except Exception as error:
        frames = extract_tb(error.__traceback__)[2:]
        yours = [frame.line or "" for frame in frames if not frame.filename.startswith(PACKAGE)]
        return yours or ["none of your lines"]
    return ["no error"]
