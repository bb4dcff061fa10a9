"""The bank of beginners' mistakes: code, and what it is told. `python -m tests.wrong_uses.bank` writes the texts anew.

mistakes.txt holds one mistake after another, with an empty line between: the code, whose last line is the wrong one,
`raises` and the name of the error, and its text. Whoever writes them anew reads what has changed, as a beginner would.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import minitorch_lab as ml
from minitorch_lab import data, nn, optim

PAGE = Path(__file__).with_name("mistakes.txt")
WORDS = "\nraises "
NAMES = {"np": np, "ml": ml, "nn": nn, "optim": optim, "data": data, "F": nn.functional}
PLACE = "<a mistake>"


class Mistake(NamedTuple):
    """A piece of code, the name of the error that its last line raises, and what that says."""

    code: str
    kind: str
    text: str


class Told(NamedTuple):
    """What answered a mistake, and in which line of its code."""

    error: Exception
    line: int


def bank() -> list[Mistake]:
    """The mistakes, in order."""
    found: list[Mistake] = []
    for block in PAGE.read_text("utf-8").strip().split("\n\n"):
        code, _, told = block.partition(WORDS)
        kind, _, text = told.partition("\n")
        found.append(Mistake(code, kind, text))
    return found


def objects() -> dict[str, Any]:
    """What the code of a mistake finds: the same values in the same names each time."""
    ml.manual_seed(0)
    tensors = {"x": ml.randn(4, 3), "y": ml.tensor([0, 1, 2, 0]), "images": ml.randn(2, 3, 8, 8)}
    leaves = {"logits": ml.randn(4, 3, requires_grad=True), "w": ml.ones(3, requires_grad=True)}
    return {**tensors, **leaves, "model": nn.Linear(3, 3)}


def at_once(code: str, given: dict[str, Any]) -> None:
    """Run the code as it stands."""
    exec(compile(code, PLACE, "exec"), {**NAMES, **given})


def as_function(code: str) -> Callable[..., Any]:
    """The code as a function of the tensors and the model, which returns what does not matter."""
    body = "\n".join(f"    {line}" for line in code.splitlines())
    space: dict[str, Any] = dict(NAMES)
    exec(compile(f"def mistaken(x, y, images, logits, w, model):\n{body}\n    return w.sum()", PLACE, "exec"), space)
    return space["mistaken"]


def told(run: Callable[[], Any]) -> Told | None:
    """What answers a run; None if it passes."""
    try:
        run()
    except Exception as error:
        return Told(error, line_of(error))
    return None


def line_of(error: BaseException) -> int:
    """The last line of the mistake's own code at its top level that was running, counted from 1; 0 if none was."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == PLACE and not line:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def written(mistake: Mistake, error: Exception) -> str:
    """A block of the page."""
    return f"{mistake.code}{WORDS}{type(error).__name__}\n{error}"


if __name__ == "__main__":
    blocks = []
    for mistake in bank():
        answer = told(lambda code=mistake.code: at_once(code, objects()))
        assert answer is not None, f"nothing is said of: {mistake.code}"
        blocks.append(written(mistake, answer.error))
    PAGE.write_text("\n\n".join(blocks) + "\n", "utf-8")
