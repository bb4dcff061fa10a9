"""fit: the training loop, as you would write it by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from .autograd import no_grad
from .callbacks import Callback, History, LossPlot, Progress
from .errors import ArgumentError
from .nn import Module
from .ops.front import taught
from .optim import Optimizer
from .tensor import Tensor

__all__ = ["Callback", "History", "LossPlot", "Progress", "evaluate", "fit"]


class Loader(Protocol):
    """Batches of (input, target), as often as asked. A `DataLoader` is one, and so is a list of pairs."""

    def __len__(self) -> int:
        """How many batches there are."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """One pass over them."""
        ...


@taught
def fit(
    model: Module,
    loader: Loader,
    *,
    loss: Callable[[Tensor, Tensor], Tensor],
    optimizer: Optimizer,
    epochs: int,
    validate: Loader | None = None,
    callbacks: Sequence[Callback] | None = None,
) -> History:
    """Train `model` on all batches of `loader`, `epochs` times.

    Args:
        model: Takes the first part of a batch. Its weights change in place.
        loader: Batches of (input, target).
        loss: From the model's output and the target to a scalar tensor.
        optimizer: Holds the model's parameters.
        epochs: Passes over the data, at least 1.
        validate: Batches on which the accuracy is measured after each epoch.
        callbacks: Who watches. By default a progress bar and, in a notebook, a plot of the loss; [] is silence.

    Returns:
        The loss of every step and the accuracy of every epoch.

    Raises:
        ArgumentError: `epochs` is no positive whole number, or the loader has no batches.

    Example:
        >>> import minitorch_lab as ml
        >>> seed = ml.manual_seed(0)
        >>> x = ml.linspace(-1, 1, 20).reshape(20, 1)
        >>> line = ml.data.DataLoader(ml.data.TensorDataset(x, 3 * x + 1), batch_size=5, shuffle=True)
        >>> model = ml.nn.Linear(1, 1)
        >>> sgd = ml.optim.SGD(model.parameters(), lr=0.3)
        >>> history = ml.train.fit(model, line, loss=ml.nn.MSELoss(), optimizer=sgd, epochs=20, callbacks=[])
        >>> round(model.weight.item(), 3), round(model.bias.item(), 3), len(history.losses)
        (3.0, 1.0, 80)
    """
    check(loader, epochs)
    history = History(epochs, len(loader))
    watchers = [Progress(), LossPlot()] if callbacks is None else callbacks
    for watcher in watchers:
        watcher.on_start(history)
    try:
        for _ in range(epochs):
            model.train()
            for x, target in loader:
                optimizer.zero_grad()
                value = loss(model(x), target)
                value.backward()
                optimizer.step()
                history.losses.append(value.item())
                for watcher in watchers:
                    watcher.on_step(history)
            if validate is not None:
                history.accuracies.append(evaluate(model, validate))
            for watcher in watchers:
                watcher.on_epoch(history)
    finally:
        for watcher in watchers:
            watcher.on_end(history)
    return history


def evaluate(model: Module, loader: Iterable[Any]) -> float:
    """The part of the examples in `loader` whose own class gets the highest score, from 0 to 1.

    The model runs in evaluation mode and without a tape. Afterwards it is in the mode it was in.

    Args:
        model: From inputs (n, ...) to scores (n, classes).
        loader: Batches of (input, target), target int64 (n,).

    Raises:
        ArgumentError: The loader has no examples.

    Example:
        >>> import minitorch_lab as ml
        >>> scores, classes = ml.tensor([[2.0, 1.0], [0.0, 1.0]]), ml.tensor([0, 0])
        >>> ml.train.evaluate(ml.nn.Sequential(), [(scores, classes)])
        0.5
    """
    was_training, right, seen = model.training, 0, 0
    model.eval()
    try:
        with no_grad():
            for x, target in loader:
                right += int((model(x).argmax(dim=1) == target).sum().item())
                seen += int(target.shape[0])
    finally:
        model.train(was_training)
    if not seen:
        raise ArgumentError(
            "evaluate got a loader without examples.", "An accuracy needs at least one.", "Check len(loader.dataset)."
        )
    return right / seen


def check(loader: Loader, epochs: int) -> None:
    """Raise ArgumentError unless there is something to do."""
    if not isinstance(epochs, int) or epochs < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"fit got epochs={epochs!r}.",
            "The data is passed a whole number of times, at least once.",
            "Did you mean epochs=10?",
        )
    if len(loader) == 0:
        raise ArgumentError(
            "fit got a loader without batches.",
            "Training needs at least one batch.",
            "Is batch_size larger than the dataset, with drop_last=True?",
        )
