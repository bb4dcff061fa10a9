"""Schedules of the learning rate: from the epoch's number to the rate of each group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi
from typing import Any

from ..errors import ArgumentError
from ..ops.front import taught
from .optimizer import Optimizer


class LRScheduler:
    """The base of all schedules. A subclass says in `rate` what a group's first rate becomes.

    The rate is set when the schedule is made, and again by each `step()`, which is called once per epoch, after the
    optimizer's steps. It depends on the epoch's number only. Groups that are added later keep their own rate.

    Attributes:
        last_epoch: How many times `step()` was called.
        base_lrs: The rate of each group at the start.

    Raises:
        ArgumentError: The first argument is no optimizer, or the schedule gives rates for other groups.

    Example:
        >>> import minitorch_lab as ml
        >>> class Halving(ml.optim.lr_scheduler.LRScheduler):
        ...     def rate(self, base, epoch, group):
        ...         return base / 2**epoch
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=0.8)
        >>> schedule = Halving(optimizer)
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.4]
    """

    def __init__(self, optimizer: Optimizer) -> None:
        """Note the rates of the groups, and set those of epoch 0."""
        if not isinstance(optimizer, Optimizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"{type(self).__name__} got a {type(optimizer).__name__}.",
                "A schedule changes the rates of an optimizer.",
                "Did you mean StepLR(optimizer, step_size=30)?",
            )
        self.optimizer = optimizer
        self.base_lrs: list[float] = [group.setdefault("initial_lr", group["lr"]) for group in optimizer.param_groups]
        self.last_epoch = 0
        self._set()

    def rate(self, base: float, epoch: int, group: int) -> float:
        """The rate of the group with this number in epoch `epoch`, if it started at `base`. Every schedule has its own.

        Raises:
            ArgumentError: This schedule has none.
        """
        schedule = type(self).__name__
        raise ArgumentError(
            f"{schedule} has no rate.",
            "A schedule says what the rate of a group is in each epoch.",
            f"Write def rate(self, base, epoch, group): ... in class {schedule}.",
        )

    def step(self) -> None:
        """Go on to the next epoch."""
        self.last_epoch += 1
        self._set()

    def get_last_lr(self) -> list[float]:
        """The rates of the groups now."""
        return [group["lr"] for group in self.optimizer.param_groups]

    def state_dict(self) -> dict[str, Any]:
        """The epoch and the first rates. The settings of the schedule are not part of it."""
        return {"last_epoch": self.last_epoch, "base_lrs": list(self.base_lrs)}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a saved epoch.

        Raises:
            ArgumentError: The state is of another number of groups.
        """
        if len(state_dict["base_lrs"]) != len(self.base_lrs):
            raise ArgumentError(
                f"{type(self).__name__} got a state for {len(state_dict['base_lrs'])} groups.",
                f"The optimizer has {len(self.base_lrs)}.",
                "Build the optimizer as it was when it was saved.",
            )
        self.last_epoch, self.base_lrs = state_dict["last_epoch"], list(state_dict["base_lrs"])
        self._set()

    def _set(self) -> None:
        for i, base in enumerate(self.base_lrs):
            self.optimizer.param_groups[i]["lr"] = self.rate(base, self.last_epoch, i)


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


def whole(owner: str, name: str, n: int) -> None:
    """Refuse what is no positive whole number.

    Raises:
        ArgumentError: It is not.
    """
    if not isinstance(n, int) or n < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"{owner} got {name}={n!r}.",
            f"{name} counts epochs: a whole number, at least 1.",
            f"Did you mean {name}=1?",
        )
