"""What a judge's kernel was given: the cells of a submission, a key, a keeper, and a pipe for its verdicts."""

from __future__ import annotations

import functools
import json
import os
import socket
from dataclasses import dataclass
from typing import Any

from ...errors import ArgumentError
from ..allowance import Purse
from ..limits import Limits
from ..start import PIPES
from .talk import Keeping, Talk


@dataclass
class Session:
    """A judge at work.

    Args:
        key: What the drawn numbers of this submission are derived from.
        cells: For each exercise the cells of the submission; None where one is missing.
        setup: For each exercise what runs before them.
        others: For each exercise the other cells of its notebook, as `extract.py` gives them.
        limits: What an exercise may use.
        purse: The time that all exercises have together.
        keeping: The keeper.
        verdicts: The pipe that verdicts leave by.
        exercise: The exercise that is judged now.
        talk: Its conversation.
    """

    key: bytes
    cells: dict[str, list[tuple[str, str]] | None]
    setup: dict[str, list[tuple[str, str]]]
    others: dict[str, list[tuple[str, bool, bool]]]
    limits: Limits
    purse: Purse
    keeping: Keeping
    verdicts: int
    exercise: str = ""
    talk: Talk | None = None

    def end(self) -> None:
        """End the conversation of the exercise that is judged now, and pay for it."""
        if self.talk is not None:
            self.talk.close()
            self.purse.pay(self.talk.seconds)

    def say(self, **verdict: Any) -> None:
        """Send a verdict to the grader."""
        os.write(self.verdicts, json.dumps({"exercise": self.exercise, **verdict}).encode() + b"\n")


@functools.cache
def session() -> Session:
    """Return the session of this kernel.

    Raises:
        ArgumentError: This is no kernel that the grader has started.
    """
    given = os.environ.pop(PIPES, None)
    if given is None:
        raise ArgumentError(
            "A judge notebook was run by hand.",
            "Its submission comes from the grader, which starts the kernel.",
            "Did you mean minitorch-lab grade SUBMISSION?",
        )
    job, keeper, verdicts = map(int, given.split())
    for descriptor in (job, keeper, verdicts):
        os.set_inheritable(descriptor, False)
    with os.fdopen(job, "rb") as file:
        said = json.load(file)
    keeping = Keeping(socket.socket(fileno=keeper))
    limits = Limits(**said["limits"])
    cells, setup, others = (said[name] for name in ("cells", "setup", "others"))
    purse = Purse(said["seconds"], said["sure"])
    begun = Session(bytes.fromhex(said["key"]), cells, setup, others, limits, purse, keeping, verdicts)
    begun.say(begun=True)
    return begun
