"""The loss of a sequence of labels whose places in a longer sequence are not known."""

from __future__ import annotations

from typing import Any

from ...core.array import int64
from ...errors import ShapeError
from ...ops.compare import where
from ...ops.front import taught
from ...ops.join import pad, stack
from ...ops.loss import check_reduction
from ...ops.narrow import rounded_once
from ...ops.precision import runs_in
from ...ops.reduce import logsumexp
from ...tensors.factories import arange, full, tensor
from ...tensors.tensor import Tensor
from .loss import reduced

NEVER = -1e30  # the logarithm of what cannot be: finite, so that differences of it are no NaN


def padded(targets: Tensor, lengths: Tensor, batch: int) -> Tensor:
    """The labels as (batch, longest), if they stand one after the other."""
    if targets.ndim == 2:
        return targets
    ends, longest = lengths.cumsum(0), max(int(lengths.max().item()), 1)
    places = (ends - lengths).reshape(batch, 1) + arange(longest)
    return targets[places.clamp(max=max(targets.shape[0] - 1, 0))] if targets.shape[0] else places * 0


@taught
@runs_in("full")
@rounded_once
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """-log of the probability of the labels, over all ways to stretch them (A. Graves and others, 2006).

    A way repeats labels and puts blanks between them; between two equal labels there is at least one.

    Args:
        log_probs: (time, batch, classes) or (time, classes), such as `log_softmax` gives.
        targets: Labels, int64: (batch, longest), or all one after the other, (n,).
        input_lengths: How much of the time counts: (batch,), a tensor or numbers.
        target_lengths: How many labels there are: (batch,).
        blank: The class that stands for no label.
        reduction: "mean" of the losses over the numbers of labels, their "sum", or "none".
        zero_infinity: A sequence that cannot hold its labels has loss 0 and no gradient, instead of infinity.

    Raises:
        ShapeError: The lengths are not one for each sequence.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> even = ml.full((2, 1, 2), 0.5).log()
        >>> round(ctc_loss(even, ml.tensor([[1]]), [2], [1]).exp().item(), 4)  # 3 of 4 ways: 1 1, 1 blank, blank 1
        1.3333
    """
    check_reduction("ctc_loss", reduction)
    if log_probs.ndim == 2:
        batched, labels = log_probs.unsqueeze(1), targets.reshape(1, -1)
        one = ctc_loss(batched, labels, input_lengths, target_lengths, blank, reduction, zero_infinity)
        return one.reshape(()) if reduction == "none" else one
    time, batch, _ = log_probs.shape
    until, count = (whole(lengths, batch) for lengths in (input_lengths, target_lengths))
    labels = padded(targets, count, batch)
    at = arange(2 * labels.shape[1] + 1)
    odd, step = at % 2 == 1, (at // 2).clamp(max=labels.shape[1] - 1)
    states = where(odd, labels[:, step], full((), blank, dtype=int64))  # blank, first, blank, second, …, blank
    skips = odd & (at > 1) & (states != pad(states[:, :-2], (2, 0)))
    emitted = log_probs.gather(2, states.expand(time, *states.shape))
    alpha = where(at < 2, emitted[0], NEVER)
    for t in range(1, time):
        late = pad(alpha, (2, 0), value=NEVER)
        ways = stack([alpha, late[:, 1:-1], where(skips, late[:, :-2], NEVER)])
        alpha = where((until > t).unsqueeze(1), logsumexp(ways, 0) + emitted[t], alpha)
    ends = (at <= 2 * count.unsqueeze(1)) & (at >= 2 * count.unsqueeze(1) - 1)
    losses = -logsumexp(where(ends, alpha, NEVER), 1)
    losses = where(losses < -NEVER / 2, losses, 0.0 if zero_infinity else float("inf"))
    return (losses / count.clamp(min=1)).mean() if reduction == "mean" else reduced(losses, reduction)


def whole(lengths: Any, batch: int) -> Tensor:
    """Lengths as a tensor of whole numbers, one for each sequence.

    Raises:
        ShapeError: There are more or fewer.
    """
    found = (lengths if isinstance(lengths, Tensor) else tensor(lengths)).to(int64).reshape(-1)
    if found.shape[0] != batch:
        raise ShapeError(
            f"ctc_loss got {found.shape[0]} lengths for {batch} sequences.",
            "There is one length of the input and one of the labels for each.",
            f"Did you mean input_lengths=[{batch} numbers]?",
        )
    return found


__all__ = ["ctc_loss"]
