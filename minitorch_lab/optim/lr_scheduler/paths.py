"""Schedules that are a formula of the epoch: steps, lines, powers, a cosine, a function of one's own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import cos, pi

from ...errors import ArgumentError
from ...ops.front import taught
from ..optimizer import Optimizer
from .base import LRScheduler, whole


class StepLR(LRScheduler):
    """Multiply the rate by `gamma` every `step_size` epochs.

    Args:
        optimizer: Whose rates to set.
        step_size: How many epochs the rate stays.
        gamma: The factor.

    Raises:
        ArgumentError: `step_size` is no positive whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
        >>> rates = []
        >>> for epoch in range(5):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> rates
        [1.0, 1.0, 0.5, 0.5, 0.25]
    """

    @taught
    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1) -> None:
        """Remember the settings."""
        whole("StepLR", "step_size", step_size)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · gamma^(epoch // step_size)."""
        return base * self.gamma ** (epoch // self.step_size)


class CosineAnnealingLR(LRScheduler):
    """Lower the rate along half a cosine, from where it starts to `eta_min` after `T_max` epochs.

    I. Loshchilov and F. Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, 2017, equation 5.

    Args:
        optimizer: Whose rates to set.
        T_max: How many epochs the way down takes.
        eta_min: Where it ends.

    Raises:
        ArgumentError: `T_max` is no positive whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
        >>> schedule.step()
        >>> [round(rate, 12) for rate in schedule.get_last_lr()]
        [0.5]
    """

    @taught
    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0) -> None:  # noqa: N803
        """Remember the settings."""
        whole("CosineAnnealingLR", "T_max", T_max)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """eta_min + (base - eta_min) · (1 + cos(π · epoch / T_max)) / 2."""
        return self.eta_min + (base - self.eta_min) * (1 + cos(pi * epoch / self.T_max)) / 2


class LambdaLR(LRScheduler):
    """Multiply the first rate by a function of the epoch's number.

    Args:
        optimizer: Whose rates to set.
        lr_lambda: The function, or a list with one for each group.

    Raises:
        ArgumentError: There are not as many functions as groups.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> warm = ml.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: min(1.0, (epoch + 1) / 4))
        >>> warm.get_last_lr()
        [0.25]
    """

    @taught
    def __init__(
        self, optimizer: Optimizer, lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]]
    ) -> None:
        """Remember the functions."""
        groups = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * groups if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != groups:
            raise ArgumentError(
                f"LambdaLR got {len(self.lr_lambdas)} functions for {groups} groups.",
                "There is one function for each group, or one for all.",
                "Did you mean LambdaLR(optimizer, function)?",
            )
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · lr_lambda(epoch)."""
        return base * self.lr_lambdas[group](epoch)


class MultiStepLR(LRScheduler):
    """Multiply the rate by `gamma` at each milestone.

    Args:
        optimizer: Whose rates to set.
        milestones: The epochs, in any order.
        gamma: The factor.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 3], gamma=0.5)
        >>> rates = []
        >>> for epoch in range(4):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> [round(rate, 4) for rate in rates]
        [1.0, 0.5, 0.5, 0.25]
    """

    @taught
    def __init__(self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1) -> None:
        """Remember the settings."""
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · gamma^(milestones passed)."""
        return base * self.gamma ** bisect_right(self.milestones, epoch)


class ExponentialLR(LRScheduler):
    """Multiply the rate by `gamma` every epoch.

    Args:
        optimizer: Whose rates to set.
        gamma: The factor.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> rates = []
        >>> for epoch in range(3):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> [round(rate, 4) for rate in rates]
        [1.0, 0.5, 0.25]
    """

    @taught
    def __init__(self, optimizer: Optimizer, gamma: float) -> None:
        """Remember the settings."""
        self.gamma = gamma
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · gamma^epoch."""
        return base * self.gamma**epoch


class ConstantLR(LRScheduler):
    """Multiply the rate by `factor` in the first epochs.

    Args:
        optimizer: Whose rates to set.
        factor: The factor.
        total_iters: How many epochs.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)
        >>> rates = []
        >>> for epoch in range(3):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> [round(rate, 4) for rate in rates]
        [0.5, 0.5, 1.0]
    """

    @taught
    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5) -> None:
        """Remember the settings."""
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · factor, then base."""
        return base * (self.factor if epoch < self.total_iters else 1.0)


class LinearLR(LRScheduler):
    """Bring the rate along a line from one factor to another: a warm-up.

    Args:
        optimizer: Whose rates to set.
        start_factor: The factor at epoch 0.
        end_factor: The factor from epoch `total_iters` on.
        total_iters: How many epochs the way takes.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5, total_iters=2)
        >>> rates = []
        >>> for epoch in range(3):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> [round(rate, 4) for rate in rates]
        [0.5, 0.75, 1.0]
    """

    @taught
    def __init__(
        self, optimizer: Optimizer, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5
    ) -> None:
        """Remember the settings."""
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · (start + (end - start) · epoch / total_iters)."""
        share = min(epoch, self.total_iters) / self.total_iters
        return base * (self.start_factor + (self.end_factor - self.start_factor) * share)


class PolynomialLR(LRScheduler):
    """Lower the rate to 0 along a power of the way that is left.

    Args:
        optimizer: Whose rates to set.
        total_iters: How many epochs the way takes.
        power: The power; 1 is a line.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=2)
        >>> rates = []
        >>> for epoch in range(4):
        ...     rates += schedule.get_last_lr()
        ...     schedule.step()
        >>> [round(rate, 4) for rate in rates]
        [1.0, 0.5, 0.0, 0.0]
    """

    @taught
    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0) -> None:
        """Remember the settings."""
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer)

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · (1 - epoch / total_iters)^power."""
        return base * (1.0 - min(epoch, self.total_iters) / self.total_iters) ** self.power


class MultiplicativeLR(LambdaLR):
    """Multiply the rate of the epoch before by a function of the epoch's number.

    Args:
        optimizer: Whose rates to set.
        lr_lambda: The function, or a list with one for each group.

    Raises:
        ArgumentError: There are not as many functions as groups.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = ml.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.5)
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.5]
    """

    reached: list[tuple[int, float]]  # of each group the last epoch and the product of the factors so far

    def rate(self, base: float, epoch: int, group: int) -> float:
        """base · lr_lambda(1) · … · lr_lambda(epoch); the product goes on from where it was."""
        if not hasattr(self, "reached"):
            self.reached = [(0, 1.0)] * len(self.lr_lambdas)
        at, product = self.reached[group] if self.reached[group][0] <= epoch else (0, 1.0)
        for n in range(at + 1, epoch + 1):
            product *= self.lr_lambdas[group](n)
        self.reached[group] = (epoch, product)
        return base * product
