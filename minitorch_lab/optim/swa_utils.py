"""A model whose parameters are the mean of those that another went through (P. Izmailov and others, 2018)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from math import cos, pi
from typing import Any

from ..autograd import no_grad
from ..errors import ArgumentError
from ..nn.batchnorm import BatchNorm
from ..nn.module import Module
from ..ops.front import taught
from ..tensors.factories import tensor
from ..tensors.tensor import Tensor
from .lr_scheduler import LRScheduler
from .optimizer import Optimizer

SHAPES: dict[str, Callable[[float], float]] = {
    "linear": lambda line: line,
    "cos": lambda line: (1 - cos(pi * line)) / 2,
}


class AveragedModel(Module):
    """A copy of a model, with the mean of its parameters.

    Args:
        model: What is copied, and averaged at each `update_parameters`.
        device: Where the copy lies; that of the model if left out.
        avg_fn: From the mean so far, a parameter and the number of updates to the new mean; the plain mean if left out.
        multi_avg_fn: The same for all at once: it writes a list of means, given a list of parameters and the number.
        use_buffers: Average the buffers too, instead of copying them.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.optim.swa_utils import AveragedModel
        >>> model = ml.nn.Linear(1, 1, bias=False)
        >>> mean = AveragedModel(model)
        >>> for value in (1.0, 3.0):
        ...     _ = ml.nn.init.constant_(model.weight, value)
        ...     mean.update_parameters(model)
        >>> mean.module.weight.item()
        2.0
    """

    n_averaged: Tensor

    @taught
    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[[Tensor, Tensor, Tensor], Any] | None = None,
        multi_avg_fn: Callable[[Any, Any, Tensor], None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        """Copy the model."""
        super().__init__()
        self.module, self.use_buffers = deepcopy(model), use_buffers
        self.avg_fn, self.multi_avg_fn = avg_fn, multi_avg_fn
        self.register_buffer("n_averaged", tensor(0))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the copy computes."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the parameters of `model`, as they are now, into the mean."""
        count = self.n_averaged
        fn = self.avg_fn or (lambda mean, new, n: mean + (new - mean) * (1.0 / (n.item() + 1)))
        pairs = list(zip(self.module.parameters(), model.parameters(), strict=True))
        buffers = list(zip(self.module.buffers(), model.buffers(), strict=True))
        averaged, copied = (pairs + buffers, []) if self.use_buffers else (pairs, buffers)
        with no_grad():
            if count.item() == 0:
                averaged, copied = [], averaged + copied
            if averaged and self.multi_avg_fn:
                self.multi_avg_fn([mean for mean, _ in averaged], [new.detach() for _, new in averaged], count)
            for mean, new in [] if self.multi_avg_fn else averaged:
                mean.copy_(fn(mean, new.detach(), count))
            for mean, new in copied:
                mean.copy_(new)
            count.add_(1)


def get_ema_avg_fn(decay: float = 0.999) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """An `avg_fn` that moves the mean towards the parameters by 1 - decay.

    Example:
        >>> import minitorch_lab as ml
        >>> get_ema_avg_fn(0.75)(ml.tensor(0.0), ml.tensor(4.0), ml.tensor(1)).item()
        1.0
    """
    return lambda mean, new, count: mean * decay + new * (1.0 - decay)


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]:
    """A `multi_avg_fn` that moves all means towards the parameters by 1 - decay.

    Example:
        >>> import minitorch_lab as ml
        >>> mean = ml.tensor(0.0)
        >>> get_ema_multi_avg_fn(0.75)([mean], [ml.tensor(4.0)], 1)
        >>> mean.item()
        1.0
    """

    def follow(means: Sequence[Tensor], parameters: Sequence[Tensor], count: Any) -> None:
        for mean, new in zip(means, parameters, strict=True):
            mean.lerp_(new, 1.0 - decay)

    return follow


class SWALR(LRScheduler):
    """Go from the rate that a group has to `swa_lr` in `anneal_epochs` epochs, and stay there.

    Args:
        optimizer: Whose rates to set.
        swa_lr: Where the rate ends.
        anneal_epochs: How many epochs the way takes.
        anneal_strategy: "cos" or "linear".

    Raises:
        ArgumentError: There is no such strategy.

    Example:
        >>> import minitorch_lab as ml
        >>> optimizer = ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=1.0)
        >>> schedule = SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
        >>> schedule.step()
        >>> schedule.get_last_lr()
        [0.75]
    """

    @taught
    def __init__(
        self, optimizer: Optimizer, swa_lr: float, anneal_epochs: int = 10, anneal_strategy: str = "cos"
    ) -> None:
        """Remember the settings."""
        if anneal_strategy not in SHAPES:
            raise ArgumentError(
                f"SWALR got anneal_strategy={anneal_strategy!r}.",
                "The way is half a cosine or a line.",
                'Did you mean anneal_strategy="cos"?',
            )
        self.swa_lr, self.anneal_epochs, self.anneal_strategy = swa_lr, anneal_epochs, anneal_strategy
        super().__init__(optimizer)

    def part(self, epoch: int) -> float:
        """How much of the way lies behind."""
        return SHAPES[self.anneal_strategy](min(max(epoch / max(self.anneal_epochs, 1), 0.0), 1.0))

    def get_lr(self) -> list[float]:
        """From where the rates are, and what of the way lies behind: another schedule may have moved the start."""
        epoch = max(self.last_epoch, 0 if self.anneal_epochs else 1)
        before, now = self.part(epoch - 1), self.part(epoch)
        left = 0.0 if before == 1 else (1 - now) / (1 - before)
        return [self.swa_lr + (rate - self.swa_lr) * left for rate in self.get_last_lr()]


def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Give the batch norms of `model` the means and variances of the batches of `loader`, by one pass over it.

    Args:
        loader: Batches; of a tuple or list, the first entry.
        model: Called with each batch.
        device: Where the batches are moved to first.

    Example:
        >>> import minitorch_lab as ml
        >>> model = ml.nn.BatchNorm1d(1)
        >>> update_bn([ml.tensor([[1.0], [3.0]]), ml.tensor([[2.0], [6.0]])], model)
        >>> model.running_mean.tolist(), model.momentum
        ([3.0], 0.1)
    """
    norms = {module: module.momentum for module in model.modules() if isinstance(module, BatchNorm)}
    was = model.training
    model.train()
    for module in norms:
        module.reset_running_stats()
        module.momentum = None
    with no_grad():
        for batch in loader:
            x = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(x if device is None else x.to(device))
    for module, momentum in norms.items():
        module.momentum = momentum
    model.train(was)


__all__ = ["SWALR", "AveragedModel", "get_ema_avg_fn", "get_ema_multi_avg_fn", "update_bn"]
