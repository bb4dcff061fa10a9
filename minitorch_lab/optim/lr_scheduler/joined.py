"""Schedules of schedules, and one that watches a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

from ...errors import ArgumentError
from ...ops.front import taught
from ..optimizer import Optimizer
from .base import LRScheduler


class SequentialLR(LRScheduler):
    """One schedule after another: a warm-up, then a cosine.

    Args:
        optimizer: Whose rates to set.
        schedulers: The schedules, made with the same optimizer. Each counts from 0 when its turn comes.
        milestones: The epochs at which the next one takes over.

    Raises:
        ArgumentError: There are not one fewer milestones than schedules, or a schedule has another optimizer.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.optim.lr_scheduler import ConstantLR, ExponentialLR, SequentialLR
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> parts = [ConstantLR(optimizer, 0.25, total_iters=9), ExponentialLR(optimizer, 0.5)]
        >>> schedule = SequentialLR(optimizer, parts, milestones=[2])
        >>> rates = []
        >>> for epoch in range(4):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> rates
        [0.25, 0.25, 1.0, 0.5]
    """

    @taught
    def __init__(self, optimizer: Optimizer, schedulers: Sequence[LRScheduler], milestones: Sequence[int]) -> None:
        """Start with the first schedule."""
        check_schedules("SequentialLR", optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ArgumentError(
                f"SequentialLR got {len(schedulers)} schedules and {len(milestones)} milestones.",
                "Between two schedules stands a milestone.",
                f"Give {len(schedulers) - 1} milestones.",
            )
        self.schedulers, self.milestones = list(schedulers), list(milestones)
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """The rate of the schedule whose turn it is."""
        k = bisect_right(self.milestones, epoch)
        return self.schedulers[k].rate(base, epoch - (self.milestones[k - 1] if k else 0), group)


class ChainedScheduler(LRScheduler):
    """Several schedules at once: their factors are multiplied.

    Args:
        schedulers: The schedules, made with one optimizer.
        optimizer: That optimizer; it may be left out.

    Raises:
        ArgumentError: There are no schedules, or one has another optimizer.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.optim.lr_scheduler import ChainedScheduler, ConstantLR, ExponentialLR
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ChainedScheduler([ConstantLR(optimizer, 0.5, total_iters=9), ExponentialLR(optimizer, 0.5)])
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.25]
    """

    @taught
    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        """Start with the product of all."""
        if not schedulers:
            raise ArgumentError("ChainedScheduler got no schedules.", "It multiplies their factors.", "Give two.")
        found = schedulers[0].optimizer if optimizer is None else optimizer
        check_schedules("ChainedScheduler", found, schedulers)
        self.schedulers = list(schedulers)
        super().__init__(found)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """The schedules one after the other, each from the rate that the one before gives."""
        for schedule in self.schedulers:
            base = schedule.rate(base, epoch, group)
        return base


def check_schedules(owner: str, optimizer: Optimizer, schedulers: Sequence[LRScheduler]) -> None:
    """Refuse schedules of another optimizer, and those that have no rate for every epoch.

    Raises:
        ArgumentError: There is one.
    """
    for schedule in schedulers:
        if not isinstance(schedule, LRScheduler) or schedule.optimizer is not optimizer:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"{owner} got {type(schedule).__name__}, which is no schedule of this optimizer.",
                "All its schedules set the rates of one optimizer, by the epoch.",
                "Make each with the same optimizer.",
            )


class ReduceLROnPlateau:
    """Multiply the rate by `factor` when a number has not got better for a while.

    `step(loss)` is called once per epoch with the number, such as the loss of the validation set.

    Args:
        optimizer: Whose rates to set.
        mode: "min" where less is better, "max" where more is.
        factor: Less than 1.
        patience: How many epochs without progress are borne.
        threshold: How much better counts as progress.
        threshold_mode: "rel" for a part of the best, "abs" for a difference.
        cooldown: How many epochs after a reduction are not counted.
        min_lr: The least rate, or one for each group.
        eps: A reduction by less is left out.

    Attributes:
        best: The best number so far.
        num_bad_epochs: How many epochs there were without progress.

    Raises:
        ArgumentError: `factor` is not less than 1, or there is no such mode.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
        >>> for loss in [1.0, 0.9, 0.9, 0.9]:
        ...     schedule.step(loss)
        >>> schedule.get_last_lr()
        [0.5]
    """

    @taught
    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0.0,
        eps: float = 1e-8,
    ) -> None:
        """Remember the settings."""
        if not factor < 1.0:
            raise ArgumentError(f"ReduceLROnPlateau got factor={factor!r}.", "It is less than 1.", "Take 0.1.")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ArgumentError(
                f"ReduceLROnPlateau got mode={mode!r} and threshold_mode={threshold_mode!r}.",
                'They are "min" or "max", and "rel" or "abs".',
                'Did you mean mode="min"?',
            )
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        groups = len(optimizer.param_groups)
        self.min_lrs = list(min_lr) if isinstance(min_lr, (tuple, list)) else [min_lr] * groups
        self.best, self.num_bad_epochs = inf if mode == "min" else -inf, 0
        self.cooldown_counter, self.last_epoch = 0, 0

    @taught
    def step(self, metrics: Any) -> None:
        """Look at the number of this epoch."""
        now = float(metrics)
        self.last_epoch += 1
        if self.is_better(now):
            self.best, self.num_bad_epochs = now, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        if self.num_bad_epochs > self.patience:
            self.reduce()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0

    def is_better(self, now: float) -> bool:
        """Whether a number is progress."""
        sign = 1.0 if self.mode == "min" else -1.0
        room = self.threshold if self.threshold_mode == "abs" else abs(self.best) * self.threshold
        return sign * now < sign * self.best - (room if abs(self.best) < inf else 0.0)

    def reduce(self) -> None:
        """Lower the rates, no further than `min_lr`."""
        for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
            new = max(group["lr"] * self.factor, least)
            if group["lr"] - new > self.eps:
                group["lr"] = new

    def get_last_lr(self) -> list[float]:
        """The rates of the groups now."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """What was seen so far. The settings are not part of it."""
        return {name: getattr(self, name) for name in ("best", "num_bad_epochs", "cooldown_counter", "last_epoch")}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what was seen."""
        vars(self).update(state_dict)
