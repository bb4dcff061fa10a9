"""A progress bar."""

from __future__ import annotations

from typing import Any

from .base import Callback, History


class Progress(Callback):
    """A progress bar with the loss and the accuracy, by tqdm, in terminals and in notebooks."""

    def on_start(self, history: History) -> None:
        """Draw the bar: empty, or as far as a run that is resumed had come."""
        from tqdm.auto import tqdm

        done, total = len(history.losses), history.epochs * history.steps_per_epoch
        self.bar: Any = tqdm(initial=done, total=total, unit="step")

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
