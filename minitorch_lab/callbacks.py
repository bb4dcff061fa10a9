"""What may watch a training run: a progress bar, a live plot, or your own."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

BLUE, ORANGE = "#0072b2", "#d55e00"  # Okabe-Ito
POINTS = 1000  # more than a plot of this width can show


@dataclass
class History:
    """What happened in training so far.

    Attributes:
        epochs: How many passes over the data were asked for.
        steps_per_epoch: Batches in one pass.
        losses: The loss of every step.
        accuracies: The accuracy on the validation data after every epoch, from 0 to 1; empty without validation.
    """

    epochs: int
    steps_per_epoch: int
    losses: list[float] = field(default_factory=list[float])
    accuracies: list[float] = field(default_factory=list[float])

    @property
    def epoch(self) -> int:
        """The number of the epoch that the last step belongs to, from 1."""
        return max(1, -(-len(self.losses) // self.steps_per_epoch))

    def mean_losses(self) -> list[float]:
        """The mean loss of every epoch that has begun."""
        n = self.steps_per_epoch
        epochs = [self.losses[i : i + n] for i in range(0, len(self.losses), n)]
        return [sum(losses) / len(losses) for losses in epochs]

    def summary(self) -> str:
        """One sentence on where the run stands.

        Example:
            >>> History(2, 1, [0.5, 0.25], [0.9, 0.975]).summary()
            'Step 2 of 2: mean loss of the epoch 0.2500, accuracy 97.50 %.'
        """
        if not self.losses:
            return "No step yet."
        accuracy = f", accuracy {self.accuracies[-1] * 100:.2f} %" if self.accuracies else ""
        done, total = len(self.losses), self.epochs * self.steps_per_epoch
        return f"Step {done} of {total}: mean loss of the epoch {self.mean_losses()[-1]:.4f}{accuracy}."


class Callback:
    """Watches `fit`. A subclass overrides what it wants to hear of; each call gets the history so far.

    Example:
        >>> import minitorch_lab as ml
        >>> class Diary(ml.train.Callback):
        ...     def on_epoch(self, history):
        ...         print(history.summary())
        >>> Diary().on_epoch(ml.train.History(epochs=1, steps_per_epoch=1, losses=[0.5]))
        Step 1 of 1: mean loss of the epoch 0.5000.
    """

    def on_start(self, history: History) -> None:
        """Before the first step."""

    def on_step(self, history: History) -> None:
        """After every step."""

    def on_epoch(self, history: History) -> None:
        """After every epoch and its validation."""

    def on_end(self, history: History) -> None:
        """At the end, also of a run that was interrupted."""


class Progress(Callback):
    """A progress bar with the loss and the accuracy, by tqdm, in terminals and in notebooks."""

    def on_start(self, history: History) -> None:
        """Draw the empty bar."""
        from tqdm.auto import tqdm

        self.bar: Any = tqdm(total=history.epochs * history.steps_per_epoch, unit="step")

    def on_step(self, history: History) -> None:
        """Move by one; tqdm decides when to draw."""
        self.bar.update()

    def on_epoch(self, history: History) -> None:
        """Write the numbers beside the bar."""
        numbers = {"loss": f"{history.mean_losses()[-1]:.4f}"}
        if history.accuracies:
            numbers["accuracy"] = f"{history.accuracies[-1] * 100:.2f} %"
        self.bar.set_description(f"epoch {history.epoch}/{history.epochs}", refresh=False)
        self.bar.set_postfix(numbers, refresh=False)

    def on_end(self, history: History) -> None:
        """Leave the last numbers standing."""
        self.bar.refresh()
        self.bar.close()


class LossPlot(Callback):
    """A live plot of the loss, in notebooks; elsewhere it does nothing.

    It is one plain plotly figure, changed in place and sent again to the same spot, at most every `seconds`.

    Args:
        seconds: The shortest time between two drawings.

    Attributes:
        figure: The plotly figure, once training has started in a notebook.

    Raises:
        ModuleNotFoundError: In a notebook without plotly, which comes with `minitorch-lab[lab]`.
    """

    def __init__(self, seconds: float = 0.5) -> None:
        """Nothing is drawn yet."""
        self.seconds = seconds
        self.figure: Any = None

    def on_start(self, history: History) -> None:
        """Show the empty axes."""
        if in_notebook():
            from IPython.display import display

            self.figure = empty_figure()
            self.spot: Any = display(bundle(self.figure, history), raw=True, display_id=True)
            self.drawn = monotonic()

    def on_step(self, history: History) -> None:
        """Draw again, if the last drawing is old enough."""
        if self.figure is not None and monotonic() - self.drawn >= self.seconds:
            self.draw(history)

    def on_end(self, history: History) -> None:
        """Draw what the run came to."""
        if self.figure is not None:
            self.draw(history)

    def draw(self, history: History) -> None:
        """Bring the figure up to date and send it."""
        every = 1 + len(history.losses) // POINTS
        means, n = history.mean_losses(), history.steps_per_epoch
        steps, epochs = self.figure.data
        steps.x, steps.y = list(range(1, len(history.losses) + 1, every)), history.losses[::every]
        epochs.x, epochs.y = [(i + 1) * n for i in range(len(means))], means
        self.figure.layout.title.text = history.summary()
        self.spot.update(bundle(self.figure, history), raw=True)
        self.drawn = monotonic()


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this code. Asks without importing IPython: a kernel has imported it."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel")


def empty_figure() -> Any:
    """Axes for the loss of each step and of each epoch. White, so that it can be read on light and dark pages."""
    import plotly.graph_objects as go

    steps = go.Scatter(x=[], y=[], mode="lines", name="each step", line={"color": BLUE, "width": 1}, opacity=0.5)
    epochs = go.Scatter(x=[], y=[], mode="lines+markers", name="mean of each epoch", line={"color": ORANGE, "width": 2})
    layout = {
        "template": "plotly_white",
        "title": {"text": "", "font": {"size": 14}},
        "xaxis": {"title": {"text": "step"}, "rangemode": "tozero"},
        "yaxis": {"title": {"text": "loss"}, "type": "log", "dtick": "D2", "tickformat": ".1r"},
        "legend": {"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        "height": 320,
        "margin": {"l": 60, "r": 20, "t": 60, "b": 45},
    }
    return go.Figure([steps, epochs], layout)


def bundle(figure: Any, history: History) -> dict[str, Any]:
    """The figure in plotly's MIME type, with a sentence for readers that cannot show it."""
    return {"application/vnd.plotly.v1+json": json.loads(figure.to_json()), "text/plain": history.summary()}
