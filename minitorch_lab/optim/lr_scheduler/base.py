"""The base of all schedules: from the epoch's number to the rate of each group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ArgumentError
from ...ops.front import taught
from ...ops.meant import describe_value
from ..optimizer import Optimizer


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
                f"{type(self).__name__} got {describe_value(optimizer)}.",
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

    def get_lr(self) -> list[float]:
        """The rates of all groups in this epoch: what `rate` says, unless a schedule of PyTorch's kind says it here."""
        return [self.rate(base, self.last_epoch, i) for i, base in enumerate(self.base_lrs)]

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

    @taught
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
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=False):
            group["lr"] = rate


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
