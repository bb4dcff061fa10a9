"""fit: the training loop, as you would write it by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from os import PathLike
from typing import Any

from ..autograd import no_grad
from ..errors import ArgumentError
from ..nn import Module
from ..ops.front import taught
from ..ops.meant import describe_value
from ..optim import Optimizer
from ..optim.lr_scheduler import LRScheduler
from ..tensors.tensor import Tensor
from .amp.scaler import GradScaler
from .base import Callback, History
from .lossplot import LossPlot
from .progress import Progress
from .run import Loader, Run


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
    scheduler: LRScheduler | None = None,
    scaler: GradScaler | None = None,
    train_step: Callable[[Any, Any], Any] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    every: int | None = None,
    resume: bool = False,
) -> History:
    """Train `model` on all batches of `loader`, `epochs` times.

    Args:
        model: Takes the first part of a batch. Its weights change in place.
        loader: Batches of (input, target).
        loss: From the model's output and the target to a scalar tensor.
        optimizer: Holds the model's parameters.
        epochs: Passes over the data, at least 1; those before a crash count.
        validate: Batches on which the accuracy is measured after each epoch.
        callbacks: Who watches. By default a progress bar and, in a notebook, a plot of the loss; [] is silence.
        scheduler: Goes on by one after each epoch.
        scaler: Scales the loss, so that gradients in float16 do not vanish.
        train_step: What is done with a batch, in place of the usual step: from (input, target) to the loss. It sees to
            `zero_grad`, `backward` and the optimizer's step itself, and all else of the loop stays as it is.
        checkpoint: A path under which the whole run is saved after each epoch. However the process ends, a complete
            checkpoint stands there.
        every: Steps after which it is saved too.
        resume: Whether to go on from the checkpoint, if there is one. All comes back bit for bit: the model, the
            optimizer, the schedule, the scaler, the place in the data, the losses so far, and the global generators
            (`ml.manual_seed`, `random`, `numpy.random`); what follows is what would have followed. What a dataset
            draws in workers is not part of it, unless it draws by index.

    Returns:
        The loss of every step and the accuracy of every epoch, those before a crash included.

    Raises:
        ArgumentError: `epochs` or `every` is no positive whole number, the loader has no batches, the checkpoint is
            not one of this run, or `train_step` returns no number.

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
    check(loader, epochs, checkpoint, every, resume)
    run = Run(model, loader, optimizer, scheduler, scaler, History(epochs, len(loader)))
    run.resume(checkpoint if resume else None)
    history, watchers = run.history, [Progress(), LossPlot()] if callbacks is None else callbacks
    step = partial(usual_step, run, loss) if train_step is None else train_step
    for watcher in watchers:
        watcher.on_start(history)
    try:
        while run.epoch < epochs:
            model.train()
            for x, target in run.batches():
                history.losses.append(number(step(x, target)))
                for watcher in watchers:
                    watcher.on_step(history)
                if every is not None and len(history.losses) % every == 0:
                    run.save(checkpoint)
            end_epoch(run, validate)
            for watcher in watchers:
                watcher.on_epoch(history)
            run.save(checkpoint)
    finally:
        for watcher in watchers:
            watcher.on_end(history)
    return history


def usual_step(run: Run, loss: Callable[[Tensor, Tensor], Tensor], x: Any, target: Any) -> float:
    """One step: the loss on a batch, its gradients, and the update of the weights. Returns the loss."""
    run.optimizer.zero_grad()
    value = loss(run.model(x), target)
    if run.scaler is None:
        value.backward()
        run.optimizer.step()
    else:
        run.scaler.scale(value).backward()
        run.scaler.step(run.optimizer)
        run.scaler.update()
    return value.item()


def number(value: Any) -> float:
    """The loss that a step returned, as the history keeps it.

    Raises:
        ArgumentError: It is no number.
    """
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"fit's train_step returned {describe_value(value)}.",
            "It returns the loss of its batch, a single number, which the history keeps.",
            "Did you mean return value.item()?",
        ) from None


def end_epoch(run: Run, validate: Loader | None) -> None:
    """All batches were given: the rate of the next epoch, and the accuracy after this one."""
    if run.scheduler is not None:
        run.scheduler.step()
    if validate is not None:
        run.history.accuracies.append(evaluate(run.model, validate))
    run.epoch += 1


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


def check(loader: Loader, epochs: int, checkpoint: Any, every: Any, resume: bool) -> None:
    """Raise ArgumentError unless there is something to do, and a place for what is to be saved."""
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
    if every is not None and (not isinstance(every, int) or every < 1):
        raise ArgumentError(
            f"fit got every={every!r}.", "A run is saved after a whole number of steps.", "Did you mean every=100?"
        )
    if checkpoint is None and (resume or every is not None):
        raise ArgumentError(
            f"fit got {'resume=True' if resume else f'every={every}'}, and no checkpoint.",
            "A run is saved under a path, and goes on from what stands there.",
            'Did you mean checkpoint="run.npz"?',
        )
