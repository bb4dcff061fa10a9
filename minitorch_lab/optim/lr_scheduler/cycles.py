"""Schedules that rise and fall: one cycle, many, and cosines that start again. Two of them move the momentum too."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, floor, log, pi
from typing import Any

from ...errors import ArgumentError
from ...ops.front import taught
from ..optimizer import Optimizer
from .base import LRScheduler, whole


def per_group(owner: str, name: str, value: Any, groups: int) -> list[float]:
    """A number for each group; one stands for all.

    Raises:
        ArgumentError: There are more or fewer.
    """
    found = list(value) if isinstance(value, (tuple, list)) else [value] * groups
    if len(found) != groups:
        raise ArgumentError(
            f"{owner} got {len(found)} values of {name} for {groups} groups.",
            "There is one value for each group, or one for all.",
            f"Did you mean {name}={found[0]!r}?" if found else f"Give {name} a number.",
        )
    return found


def momentum_of(group: dict[str, Any]) -> str:
    """The setting of a group that is its momentum: "momentum", or "betas", of which it is the first; "" without."""
    return "betas" if "betas" in group else "momentum" if "momentum" in group else ""


def set_momentum(group: dict[str, Any], value: float) -> None:
    """Give a group another momentum."""
    if momentum_of(group) == "betas":
        group["betas"] = (value, *group["betas"][1:])
    else:
        group["momentum"] = value


class OneCycleLR(LRScheduler):
    """Up to a largest rate, then down to almost nothing, within one run; the momentum goes the other way.

    L. Smith and N. Topin, Super-Convergence, 2019. `step()` is called after every batch.

    Args:
        optimizer: Whose rates to set.
        max_lr: The largest rate, or one for each group.
        total_steps: How many steps the run has; or give `epochs` and `steps_per_epoch`.
        epochs: How many epochs.
        steps_per_epoch: How many steps each has.
        pct_start: The part of the run that goes up.
        anneal_strategy: "cos" or "linear".
        cycle_momentum: Whether to move the momentum.
        base_momentum: The least momentum, at the largest rate.
        max_momentum: The largest momentum, at both ends.
        div_factor: max_lr over the rate at the start.
        final_div_factor: The rate at the start over the one at the end.
        three_phase: Down to the rate of the start first, then to that of the end.

    Raises:
        ArgumentError: The length of the run is not said, or a setting has no meaning.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0, momentum=0.9)
        >>> schedule = ml.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=10)
        >>> [round(rate, 4) for rate in schedule.get_last_lr()]
        [0.04]
    """

    @taught
    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float = 0.85,
        max_momentum: float = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
    ) -> None:
        """Remember the settings."""
        if total_steps is None and (epochs is None or steps_per_epoch is None):
            raise ArgumentError(
                "OneCycleLR got no length of the run.",
                "It takes total_steps, or epochs and steps_per_epoch.",
                "Did you mean steps_per_epoch=len(loader)?",
            )
        self.total_steps = total_steps if total_steps is not None else (epochs or 0) * (steps_per_epoch or 0)
        whole("OneCycleLR", "total_steps", self.total_steps)
        if anneal_strategy not in ("cos", "linear"):
            raise ArgumentError(
                f"OneCycleLR got anneal_strategy={anneal_strategy!r}.", 'It is "cos" or "linear".', 'Take "cos".'
            )
        self.cosine, self.cycle_momentum = anneal_strategy == "cos", cycle_momentum
        self.momenta = (base_momentum, max_momentum)
        up = pct_start * self.total_steps - 1
        ends = [up, 2 * up, self.total_steps - 1] if three_phase else [up, self.total_steps - 1]
        self.turns = ends
        groups = optimizer.param_groups
        for group, largest in zip(groups, per_group("OneCycleLR", "max_lr", max_lr, len(groups)), strict=True):
            start = largest / div_factor
            group.update(initial_lr=start, max_lr=largest, min_lr=start / final_div_factor)
        super().__init__(optimizer)

    def between(self, epoch: int, stops: list[float]) -> float:
        """Where `epoch` stands on the way from stop to stop."""
        if epoch >= self.total_steps:
            raise ArgumentError(
                f"OneCycleLR got step {epoch + 1} of {self.total_steps}.",
                "The cycle is over after total_steps.",
                "Did you mean more epochs, or to call step() once per batch?",
            )
        begin = 0.0
        for k, end in enumerate(self.turns):
            if epoch <= end or k == len(self.turns) - 1:
                share = (epoch - begin) / (end - begin)
                a, b = stops[k], stops[k + 1]
                return b + (a - b) / 2 * (1 + cos(pi * share)) if self.cosine else (b - a) * share + a
            begin = end
        return stops[-1]

    def rate(self, base: float, epoch: int, group: int) -> float:
        """From the start to the largest rate, (back to the start,) to the end."""
        known = self.optimizer.param_groups[group]
        middle = [known["max_lr"], base] if len(self.turns) == 3 else [known["max_lr"]]
        if self.cycle_momentum and momentum_of(known):
            low, high = self.momenta
            set_momentum(known, self.between(epoch, [high, low, high, high]))
        return self.between(epoch, [base, *middle, known["min_lr"]])


class CyclicLR(LRScheduler):
    """Up and down between two rates, again and again (L. Smith, Cyclical Learning Rates, 2017).

    Args:
        optimizer: Whose rates to set.
        base_lr: The least rate, or one for each group.
        max_lr: The largest.
        step_size_up: Steps on the way up.
        step_size_down: Steps on the way down; as many if left out.
        mode: "triangular", "triangular2" (half as high each cycle), or "exp_range" (`gamma` per step).
        gamma: The factor of "exp_range".
        scale_fn: How high a cycle is, a function of the cycle's number or of the step, instead of a mode.
        scale_mode: "cycle" or "iterations": of which of the two.
        cycle_momentum: Whether to move the momentum the other way.
        base_momentum: The least momentum.
        max_momentum: The largest.

    Raises:
        ArgumentError: There is no such mode.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0, momentum=0.9)
        >>> schedule = ml.optim.lr_scheduler.CyclicLR(optimizer, 0.0, 1.0, step_size_up=2)
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    @taught
    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[int], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
    ) -> None:
        """Remember the settings."""
        scales: dict[str, tuple[Callable[[int], float], str]] = {
            "triangular": (lambda n: 1.0, "cycle"),
            "triangular2": (lambda n: 1 / 2.0 ** (n - 1), "cycle"),
            "exp_range": (lambda n: gamma**n, "iterations"),
        }
        if mode not in scales and scale_fn is None:
            raise ArgumentError(
                f"CyclicLR got mode={mode!r}.", f"It knows {', '.join(scales)}.", 'Did you mean mode="triangular"?'
            )
        self.scale_fn, self.scale_mode = scales[mode] if scale_fn is None else (scale_fn, scale_mode)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size, self.up = step_size_up + down, step_size_up / (step_size_up + down)
        self.cycle_momentum, self.momenta = cycle_momentum, (base_momentum, max_momentum)
        groups = optimizer.param_groups
        for group, base in zip(groups, per_group("CyclicLR", "base_lr", base_lr, len(groups)), strict=True):
            group["initial_lr"] = base
        self.max_lrs = per_group("CyclicLR", "max_lr", max_lr, len(groups))
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base + height · (how far up), with a height for each cycle."""
        cycle = floor(1 + epoch / self.total_size)
        place = 1.0 + epoch / self.total_size - cycle
        far = place / self.up if place <= self.up else (place - 1) / (self.up - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else epoch)
        known = self.optimizer.param_groups[group]
        if self.cycle_momentum and momentum_of(known):
            low, high = self.momenta
            set_momentum(known, high - (high - low) * far * scale)
        return base + (self.max_lrs[group] - base) * far * scale


class CosineAnnealingWarmRestarts(LRScheduler):
    """Down along half a cosine, then up at once, again and again (I. Loshchilov and F. Hutter, SGDR, 2017).

    Args:
        optimizer: Whose rates to set.
        T_0: How many epochs the first way down takes.
        T_mult: How many times longer each next one is.
        eta_min: Where a way down ends.

    Raises:
        ArgumentError: `T_0` or `T_mult` is no positive whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
        >>> rates = []
        >>> for epoch in range(4):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> [round(rate, 4) for rate in rates]
        [1.0, 0.5, 1.0, 0.5]
    """

    @taught
    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0) -> None:  # noqa: N803
        """Remember the settings."""
        whole("CosineAnnealingWarmRestarts", "T_0", T_0)
        whole("CosineAnnealingWarmRestarts", "T_mult", T_mult)
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer)

    def step(self, epoch: float | None = None) -> None:
        """Go on to the next epoch, or to `epoch`, which may be a fraction: epoch + batch / batches."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set()

    def rate(self, base: float, epoch: float, group: int) -> float:
        """eta_min + (base - eta_min) · (1 + cos(π · place / length)) / 2, in the way down that `epoch` is in."""
        length, place = float(self.T_0), epoch % self.T_0
        if self.T_mult > 1 and epoch >= self.T_0:
            n = int(log(epoch / self.T_0 * (self.T_mult - 1) + 1 + 1e-12, self.T_mult))
            place = epoch - self.T_0 * (self.T_mult**n - 1) / (self.T_mult - 1)
            length = self.T_0 * self.T_mult**n
        return self.eta_min + (base - self.eta_min) * (1 + cos(pi * place / length)) / 2
