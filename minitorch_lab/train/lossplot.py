"""A live plot of the loss, for notebooks."""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Any

from .base import Callback, History
from .sketch import BLUE, ORANGE, epoch_points, sketch, step_points


class LossPlot(Callback):
    """A plot of the loss that grows while the model learns, in notebooks; elsewhere it does nothing.

    During the run it is a sketch in SVG, drawn again in the same place, at most every `seconds`. At the end a plotly
    figure takes that place, to look at closely. Not the figure all along: JupyterLab's plotly shows an output once and
    ignores what it is updated to. And no FigureWidget: it would save five megabytes with the notebook.

    Args:
        seconds: The shortest time between two drawings.

    Example:
        >>> import minitorch_lab as ml
        >>> slow_connection = ml.train.LossPlot(seconds=5)
    """

    def __init__(self, seconds: float = 0.5) -> None:
        """Nothing is drawn yet."""
        self.seconds = seconds
        self.place: Any = None  # IPython's handle on the output

    def on_start(self, history: History) -> None:
        """Show the empty axes."""
        if in_notebook():
            from IPython.display import display

            self.place = display(drawing(history), raw=True, display_id=True)
            self.drawn = monotonic()

    def on_step(self, history: History) -> None:
        """Draw again, if the last drawing is old enough."""
        if self.place is not None and monotonic() - self.drawn >= self.seconds:
            self.place.update(drawing(history), raw=True)
            self.drawn = monotonic()

    def on_end(self, history: History) -> None:
        """Put the figure in place of the sketch."""
        if self.place is not None:
            chart = json.loads(figure(history).to_json())
            self.place.update({"application/vnd.plotly.v1+json": chart, "text/plain": history.summary()}, raw=True)


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this code. Asks without importing IPython: a kernel has imported it."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel")


def drawing(history: History) -> dict[str, str]:
    """The sketch, with a sentence for readers that cannot show it."""
    return {"text/html": sketch(history), "text/plain": history.summary()}


def figure(history: History) -> Any:
    """A plotly figure of the loss of each step and of each epoch. White, so that it can be read on any page.

    Raises:
        ModuleNotFoundError: plotly is not installed.
    """
    import plotly.graph_objects as go

    x, y = zip(*step_points(history), strict=True) if history.losses else ((), ())
    steps = go.Scatter(x=x, y=y, mode="lines", name="each step", line={"color": BLUE, "width": 1}, opacity=0.5)
    x, y = zip(*epoch_points(history), strict=True) if history.losses else ((), ())
    epochs = go.Scatter(x=x, y=y, mode="lines+markers", name="mean of each epoch", line={"color": ORANGE, "width": 2})
    layout = {
        "template": "plotly_white",
        "title": {"text": history.summary(), "font": {"size": 14}},
        "xaxis": {"title": {"text": "step"}, "rangemode": "tozero"},
        "yaxis": {"title": {"text": "loss"}, "type": "log", "dtick": "D2", "tickformat": ".1r"},
        "legend": {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        "height": 320,
        "margin": {"l": 60, "r": 20, "t": 60, "b": 45},
    }
    return go.Figure([steps, epochs], layout)
