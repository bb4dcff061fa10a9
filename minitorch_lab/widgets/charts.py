"""Charts on the clock of a view: plotly figures with a cursor at the step shown, and a click that goes there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ipywidgets import VBox

from ..errors import ArgumentError
from ..recording.recording import Recording
from .frame import Json
from .host import View
from .laboratory import Memory
from .numbers import plural

CURSOR = "clock"  # the name of the line in the figure
GREY = "#77818d"  # reads on white and on black
COLORS = {  # as in the views
    "parameter": "#0072b2",
    "optimizer state": "#a13f80",
    "input": "#868e99",
    "activation": "#12805c",
    "gradient": "#d55e00",
    "temporary": "#7b5ea8",
}


class Chart(VBox):
    """A view, and under it a plotly figure on the same clock: a line stands at the step, a click moves the view there.

    It needs a running kernel, as plotly's `FigureWidget` does.

    Args:
        view: A view, or a recording, whose `Memory` is then shown.
        figure: A plotly figure. Left out, the bytes alive by kind: then the view must have a picture of memory.
        x: Where each step of the view stands in the figure, never falling. Left out, 1, 2, 3, … as beside the scrubber.

    Attributes:
        view: The view.
        figure: The `FigureWidget`.

    Raises:
        ArgumentError: `view` is no view, `figure` is no plotly figure, or `x` does not fit the steps.

    Example:
        >>> from minitorch_lab.widgets import Chart, Memory
        >>> chart = Chart(Memory())
        >>> chart.view.step = 4
        >>> chart.cursor
        5
    """

    def __init__(self, view: View | Recording, figure: Any = None, x: Sequence[float] | None = None) -> None:
        import plotly.graph_objects as go

        shown = Memory(view) if isinstance(view, Recording) else view
        if not isinstance(shown, View):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"Chart got a {type(view).__name__}.",
                "It puts a plotly figure on the clock of a view.",
                "Did you mean Chart(ml.widgets.Memory(rec), figure)?",
            )
        if figure is not None and not isinstance(figure, go.Figure | go.FigureWidget):
            raise ArgumentError(
                f"Chart got a {type(figure).__name__} as its figure.",
                "The cursor is a line in a plotly figure.",
                "Did you mean plotly.graph_objects.Figure(...)?",
            )
        self.view, self.x = shown, places(shown, x)
        self.figure: Any = go.FigureWidget(go.Figure(alive(shown.scene)) if figure is None else figure)
        if self.figure.layout.hovermode is None:
            self.figure.update_layout(hovermode="x")
        self.figure.add_shape(
            name=CURSOR, type="line", yref="paper", y0=0, y1=1, x0=self.at, x1=self.at, line_color=GREY
        )
        for trace in self.figure.data:
            trace.on_click(self._clicked)
        shown.observe(self._moved, "step")
        super().__init__([shown, self.figure])

    @property
    def at(self) -> float:
        """Where the step that is shown stands."""
        return self.x[self.view.step]

    @property
    def cursor(self) -> float:
        """Where the line stands."""
        return self._line.x0

    @property
    def _line(self) -> Any:
        return next(shape for shape in self.figure.layout.shapes if shape.name == CURSOR)

    def _moved(self, _change: object) -> None:
        with self.figure.batch_update():
            self._line.x0 = self._line.x1 = self.at

    def _clicked(self, _trace: object, points: Any, _state: object) -> None:
        if points.xs:
            self.view.step = min(range(len(self.x)), key=lambda k: abs(self.x[k] - points.xs[0]))


def places(view: View, x: Sequence[float] | None) -> list[float]:
    """Where the steps stand.

    Raises:
        ArgumentError: There are not as many places as steps, or they fall.
    """
    if x is None:
        return list(range(1, view.steps + 1))
    found = [float(place) for place in x]
    if len(found) != view.steps or any(a > b for a, b in pairwise(found)):
        raise ArgumentError(
            f"Chart got {plural(len(found), 'place')} in x for {plural(view.steps, 'step')}.",
            "Each step of the view has one place on the axis, and none is left of the one before.",
            "Did you mean to leave x out? Then the steps are counted: 1, 2, 3, …",
        )
    return found


def alive(scene: Json) -> Json:
    """The bytes alive at each step, stacked by kind: a plotly figure as JSON.

    Raises:
        ArgumentError: The view has no picture of memory.
    """
    panel = next((panel for panel in scene.get("panels", []) if panel["kind"] == "memory"), None)
    if panel is None:
        raise ArgumentError(
            f"Chart got {scene['title']} without a figure.",
            "Without one it draws the bytes alive, which a picture of memory tells.",
            "Did you mean Chart(ml.widgets.Memory(rec)), or Chart(view, figure)?",
        )
    ats = [step["at"] for step in scene["steps"]]
    traces = [
        {
            "type": "scatter",
            "name": group["label"],
            "x": list(range(1, len(ats) + 1)),
            "y": [held(panel["blocks"], k, at) for at in ats],
            "stackgroup": "alive",
            "line": {"shape": "hv", "color": COLORS.get(group["role"], GREY)},
        }
        for k, group in enumerate(panel["groups"])
    ]
    clear = "rgba(0,0,0,0)"
    layout = {
        "height": 300,
        "paper_bgcolor": clear,
        "plot_bgcolor": clear,
        "font": {"color": GREY},
        "margin": {"l": 64, "r": 16, "t": 24, "b": 48},
        "xaxis": {"title": {"text": "step"}, "gridcolor": "rgba(128,128,128,0.25)"},
        "yaxis": {"title": {"text": "bytes alive"}, "gridcolor": "rgba(128,128,128,0.25)", "rangemode": "tozero"},
    }
    return {"data": traces, "layout": layout}


def held(blocks: Sequence[Json], group: int, at: float) -> int:
    """The bytes of a group that are alive when the clock says `at`."""
    return sum(
        block["bytes"]
        for block in blocks
        if block["group"] == group and block["born"] <= at and (block["died"] is None or block["died"] > at)
    )
