"""The Python end of a view: a widget that holds a scene and its step, and writes both to a page of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..errors import ArgumentError
from .frame import combine
from .page import asset, fallback, page


class View(anywidget.AnyWidget):
    """A scene, drawn in the browser; its step can be read and set here.

    Args:
        scene: What to draw, as `ml.widgets.Tape` and `ml.widgets.Backward` make it.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `scene` is not a scene, or there is no such step.

    Example:
        >>> from minitorch_lab.widgets.host import View
        >>> from minitorch_lab.widgets.sample import sample_scene
        >>> view = View(scene=sample_scene())
        >>> view.step, view.steps
        (0, 2)
        >>> view.step = 1
        >>> view.transcript()
        ['1. What is 1 + 1?', '2. `add` makes 2.']
    """

    _esm = traitlets.Unicode().tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)

    def __init__(self, scene: Mapping[str, Any], step: int = 0, **traits: Any) -> None:
        self._check(scene)
        super().__init__(_esm=asset("view.js"), scene=dict(scene), **traits)
        self.step = step

    @property
    def steps(self) -> int:
        """How many steps there are: `step` runs from 0 to `steps - 1`."""
        return len(self.scene["steps"])

    def transcript(self) -> list[str]:
        """The sentence of every step, numbered from 1 as in the view."""
        return [f"{k}. {step['say']}" for k, step in enumerate(self.scene["steps"], start=1)]

    def __or__(self, other: object) -> View:
        """Both on one scrubber: this view tells, the other one shows what it has of the same recording.

        Raises:
            ArgumentError: `other` is no view, shows another recording, or both have a graph.
        """
        if not isinstance(other, View):
            raise ArgumentError(
                f"{type(self).__name__} | {type(other).__name__}.",
                "| puts two views of one recording on one scrubber.",
                "Did you mean Tape(rec) | Memory(rec)?",
            )
        return View(combine(self.scene, other.scene), self.step)

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the scene as JSON, for `<minitorch-view src="...">` on a page. Returns the path."""
        target = Path(path)
        target.write_text(json.dumps(self.scene, ensure_ascii=False), encoding="utf-8")
        return target

    def to_html(self, path: str | PathLike[str]) -> Path:
        """Write one self-contained page, which also works opened as a file. Returns the path.

        It starts at the present step and asks no other host for anything. Without scripts it shows the transcript.
        """
        target = Path(path)
        target.write_text(page(self.scene, self.step), encoding="utf-8")
        return target

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.scene['question']!r}, {self.steps} steps, at {self.step})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/plain": repr(self), "text/html": fallback(self.scene, self.step)}, metadata

    @traitlets.validate("step")
    def _known_step(self, proposal: Any) -> int:
        step = int(proposal["value"])
        if not 0 <= step < self.steps:
            raise ArgumentError(
                f"There is no step {step}.",
                f"This view has the steps 0 to {self.steps - 1}.",
                f"Did you mean view.step = {min(max(step, 0), self.steps - 1)}?",
            )
        return step

    @staticmethod
    def _check(scene: object) -> None:
        if not isinstance(scene, Mapping) or "steps" not in scene or "schema" not in scene:
            raise ArgumentError(
                f"View got {type(scene).__name__} instead of a scene.",
                "A scene is made from a recording, by one of the views.",
                "Did you mean ml.widgets.Tape(rec) or ml.widgets.Backward(rec)?",
            )
