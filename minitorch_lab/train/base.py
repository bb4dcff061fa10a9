"""What a callback is told, and when."""

from __future__ import annotations

from dataclasses import dataclass, field


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
