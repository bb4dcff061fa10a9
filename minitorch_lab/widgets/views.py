"""The views as notebook widgets. With no recording they open on their worked example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import ArgumentError
from ..recording.ordered import Order
from ..recording.recording import Recording
from . import backward, forward, ordered, tape
from .example import backward_example, forward_example, tape_example
from .host import View
from .repeats import MANY


class Tape(View):
    """How the tape grows: each op as it runs, the value that it makes, what it keeps for backward and why.

    Args:
        recording: What `with ml.record() as rec:` recorded. Without one, y = 2x + 1 at x = 1.
        question: The heading.
        step: The first step to show, counted from 0.
        fold: Parts that repeat are folded into one box where there are at least so many ops; None: never.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running.

    Example:
        >>> Tape().transcript()[2]
        '3. `mul` makes y = 1 × 2 = 2 and keeps 2: it is the derivative by the other input.'
    """

    def __init__(
        self,
        recording: Recording | None = None,
        question: str = tape.QUESTION,
        step: int = 0,
        fold: int | None = MANY,
        **traits: Any,
    ) -> None:
        super().__init__(tape.tape_scene(given("Tape", recording, tape_example), question, fold), step, **traits)


class Backward(View):
    """Where a gradient comes from: the walk from the result to the leaves, node by node, with its numbers.

    Args:
        recording: What `with ml.record() as rec:` recorded, with a `backward()` in it. Default: exp(v)·(1 + exp(v)).
        question: The heading.
        step: The first step to show, counted from 0.
        fold: Parts that repeat are folded into one box where there are at least so many ops; None: never.
        order: `order(root)` lists the nodes behind `root`. The view then walks in that order, right or wrong.

    Raises:
        ArgumentError: `recording` is something else, there is no such step, or `order` returns no list of nodes.
        RecordingError: The recording is still running, or nothing in it ran backward.

    Example:
        >>> Backward().transcript()[10]
        '11. `v2` now holds 3 + 2 = 5: the second arrival is added.'
    """

    def __init__(
        self,
        recording: Recording | None = None,
        question: str = backward.QUESTION,
        step: int = 0,
        order: Order | None = None,
        fold: int | None = MANY,
        **traits: Any,
    ) -> None:
        seen = given("Backward", recording, backward_example)
        scene = (
            backward.backward_scene(seen, question, fold)
            if order is None
            else ordered.ordered_scene(seen, order, question)
        )
        super().__init__(scene, step, **traits)


class Forward(View):
    """Forward mode: every op computes its value and its tangent in one step, from left to right. Nothing is kept.

    Two calls of `jvp` on one function, along two directions, are told as two passes over one graph.

    Args:
        recording: What `with ml.record() as rec:` recorded, with an `ml.func.jvp` in it. Default: x² sin x at 2.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running, or nothing in it ran in forward mode.

    Example:
        >>> Forward().transcript()[4]
        '5. `mul` makes y = 4 × 0.9093 = 3.637; its tangent is 4 × 0.9093 + (−0.4161) × 4 = 1.973.'
    """

    def __init__(
        self, recording: Recording | None = None, question: str = forward.QUESTION, step: int = 0, **traits: Any
    ) -> None:
        super().__init__(forward.forward_scene(given("Forward", recording, forward_example), question), step, **traits)


def given(view: str, recording: object, example: Callable[[], Recording]) -> Recording:
    """The recording to show.

    Raises:
        ArgumentError: What was given is no recording.
    """
    if recording is None:
        return example()
    if isinstance(recording, Recording):
        return recording
    path = isinstance(recording, str)
    raise ArgumentError(
        f"{view} got a {type(recording).__name__}.",
        f"{view} shows a recording of code that has run.",
        f"Did you mean {view}(ml.Recording.load({recording!r}))?"
        if path
        else f"Did you mean `with ml.record() as rec:` around the code, then ml.widgets.{view}(rec)?",
    )
