"""Losses as functions, made of ops: entry by entry, then averaged, summed, or as they are (`reduction`)."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

from ...errors import ArgumentError, ShapeError
from ...ops.chances import probabilities
from ...ops.compare import where
from ...ops.elementwise import exp, log, log1p
from ...ops.families import broadcast
from ...ops.families import fits as stretch
from ...ops.front import taught
from ...ops.kinks import abs, relu
from ...ops.loss import IGNORED, check_labels, check_reduction, check_target, cross_entropy, mse_loss, scored
from ...ops.narrow import rounded_once
from ...ops.precision import runs_in
from ...ops.refit import same_as
from ...tensors.factories import arange
from ...tensors.tensor import Tensor
from .activation import plain_softplus
from .distance import cosine_similarity, pairwise_distance

FLOOR = -100.0  # a logarithm in `binary_cross_entropy` is no lower, so that log 0 has a price


def reduced(losses: Tensor, reduction: str) -> Tensor:
    """The losses of a batch as one number, or as they are."""
    return losses if reduction == "none" else losses.sum() if reduction == "sum" else losses.mean()


def check_pair(name: str, input: Tensor, target: Tensor, reduction: str) -> None:
    """Refuse a target of another shape, and a reduction that does not exist.

    Raises:
        ShapeError: The shapes differ: a silent broadcast here is a classic mistake.
        ArgumentError: No such reduction.
    """
    check_reduction(name, reduction)
    if tuple(input.shape) != tuple(target.shape):
        raise ShapeError(
            f"{name} got the shapes {tuple(input.shape)} and {tuple(target.shape)}.",
            "Both must have the same shape, or one would be compared with every entry of the other.",
            same_as(tuple(input.shape), tuple(target.shape)),
        )


def check_stretch(name: str, input: Tensor, target: Tensor) -> None:
    """Refuse tensors that do not stretch to one shape, in the words of a loss.

    Raises:
        ShapeError: They do not.
    """
    if not stretch(tuple(input.shape), tuple(target.shape)):
        raise ShapeError(
            f"{name} got the shapes {tuple(input.shape)} and {tuple(target.shape)}.",
            "The target has the shape of the input, or stretches to it.",
            same_as(tuple(input.shape), tuple(target.shape)),
        )


@taught
@runs_in("full")
@rounded_once
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = IGNORED,
    reduction: str = "mean",
) -> Tensor:
    """-input[target]: the loss of log-probabilities (N, C), (C,) or (N, C, d…) at classes (int64).

    `nll_loss(log_softmax(x, 1), y)` is `cross_entropy(x, y)`, whose arguments it has.

    Raises:
        ShapeError: The target does not fit, or names a class that does not exist.
        DTypeError: The target holds no classes.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> nll_loss(ml.tensor([[-0.5, -2.0]]), ml.tensor([1]))
        tensor(2.)
    """
    check_reduction("nll_loss", reduction)
    if len(input.shape) == 1:
        check_target(input, target, "nll_loss")
        loss = nll_loss(input.unsqueeze(0), target.unsqueeze(0), weight, ignore_index=ignore_index, reduction=reduction)
        return loss.squeeze(0) if reduction == "none" else loss
    check_labels(input, target, ignore_index, "nll_loss")
    return scored(input, target, weight, ignore_index, 0.0, reduction)


@taught
@runs_in("full")
@rounded_once
def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """|x - target|.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> l1_loss(ml.tensor([1.0, 2.0]), ml.tensor([1.0, 4.0]))
        tensor(1.)
    """
    check_pair("l1_loss", input, target, reduction)
    return reduced(abs(input - target), reduction)


@taught
@runs_in("full")
@rounded_once
def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0) -> Tensor:
    """d²/2 where |d| is less than `delta`, else delta · (|d| - delta/2), with d = x - target. P. Huber, 1964.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> huber_loss(ml.tensor([0.0, 0.0]), ml.tensor([1.0, 3.0]), reduction="none")
        tensor([0.5000, 2.5000])
    """
    check_pair("huber_loss", input, target, reduction)
    far = abs(input - target)
    return reduced(where(far < delta, far * far * 0.5, (far - 0.5 * delta) * delta), reduction)


@taught
@runs_in("full")
@rounded_once
def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0) -> Tensor:
    """d²/2/beta where |d| is less than `beta`, else |d| - beta/2, with d = x - target. R. Girshick, Fast R-CNN, 2015.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> smooth_l1_loss(ml.tensor([0.0, 0.0]), ml.tensor([1.0, 3.0]), reduction="none")
        tensor([0.5000, 2.5000])
    """
    check_pair("smooth_l1_loss", input, target, reduction)
    far = abs(input - target)
    if beta == 0:
        return reduced(far, reduction)
    return reduced(where(far < beta, far * far * (0.5 / beta), far - 0.5 * beta), reduction)


@taught
@runs_in("full")
@rounded_once
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """-t log p - (1 - t) log(1 - p), for probabilities p. A logarithm counts as -100 at least.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction, or an entry of the input is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> binary_cross_entropy(ml.tensor([0.5]), ml.tensor([1.0]))
        tensor(0.6931)
    """
    check_pair("binary_cross_entropy", input, target, reduction)
    probabilities(input.detach(), name="binary_cross_entropy")
    yes, no = log(input).clamp(min=FLOOR), log1p(-input).clamp(min=FLOOR)
    losses = (target - 1.0) * no - target * yes
    return reduced(losses if weight is None else losses * weight, reduction)


@taught
@runs_in("full")
@rounded_once
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of sigmoid(x), without overflow.

    Args:
        input: Any shape.
        target: The same shape, from 0 to 1.
        weight: What each entry counts; it stretches.
        reduction: "mean", "sum" or "none".
        pos_weight: What an entry of truth 1 counts; it stretches.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> binary_cross_entropy_with_logits(ml.tensor([0.0, 1000.0]), ml.tensor([1.0, 1.0]), reduction="none")
        tensor([0.6931, 0.0000])
    """
    check_pair("binary_cross_entropy_with_logits", input, target, reduction)
    counts = 1.0 if pos_weight is None else (pos_weight - 1.0) * target + 1.0
    losses = (1.0 - target) * input + plain_softplus(-input) * counts
    return reduced(losses if weight is None else losses * weight, reduction)


@taught
@runs_in("full")
@rounded_once
def kl_div(input: Tensor, target: Tensor, *, reduction: str = "mean", log_target: bool = False) -> Tensor:
    """t · (log t - x), for log-probabilities x and probabilities t: how far t is from exp(x).

    Args:
        input: Log-probabilities, of any shape.
        target: Probabilities, or their logarithms with `log_target`; shapes stretch.
        reduction: "batchmean" is the divergence: the sum over the first axis's length; "mean" is over all entries.
        log_target: Whether the target is given by its logarithms.

    Raises:
        ShapeError: The shapes do not fit.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> p = ml.tensor([[0.5, 0.5]])
        >>> kl_div(p.log(), ml.tensor([[1.0, 0.0]]), reduction="batchmean")
        tensor(0.6931)
    """
    if reduction != "batchmean":
        check_reduction("kl_div", reduction)
    check_stretch("kl_div", input, target)
    if log_target:
        losses = exp(target) * (target - input)
    else:
        there = target > 0
        losses = where(there, target * (log(where(there, target, 1.0)) - input), 0.0)
    return losses.sum() / losses.shape[0] if reduction == "batchmean" else reduced(losses, reduction)


@taught
@runs_in("full")
@rounded_once
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    *,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """The loss of a rate at a count: exp(x) - t x, or x - t log(x + eps) without `log_input`.

    `full` adds Stirling's approximation of log t! where t is more than 1.

    Raises:
        ArgumentError: No such reduction.
    """
    check_reduction("poisson_nll_loss", reduction)
    check_stretch("poisson_nll_loss", input, target)
    losses = exp(input) - target * input if log_input else input - target * log(input + eps)
    if full:
        big = where(target > 1, target, 1.0)
        losses = losses + where(target > 1, big * log(big) - big + log(big * (2.0 * pi)) * 0.5, 0.0)
    return reduced(losses, reduction)


@taught
@runs_in("full")
@rounded_once
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """(log v + (x - t)²/v)/2: the loss of a mean and a variance, which is `eps` at least and passes gradients there.

    Raises:
        ArgumentError: No such reduction.
    """
    check_reduction("gaussian_nll_loss", reduction)
    check_stretch("gaussian_nll_loss", input, target)
    if isinstance(var, Tensor) and tuple(var.shape) == tuple(input.shape)[:-1] and len(input.shape):
        var = var.unsqueeze(-1)  # one variance for each row
    var = input * 0.0 + var
    spread = var + (var.detach().clamp(min=eps) - var.detach())
    losses = (log(spread) + (input - target) ** 2 / spread) * 0.5
    return reduced(losses + 0.5 * log(losses * 0.0 + 2.0 * pi) if full else losses, reduction)


@taught
@runs_in("full")
@rounded_once
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-t x)), for truths t of 1 and -1.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.
    """
    check_pair("soft_margin_loss", input, target, reduction)
    return reduced(plain_softplus(-target * input), reduction)


@taught
@runs_in("full")
@rounded_once
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean") -> Tensor:
    """`x` where the truth is 1, max(0, margin - x) where it is -1.

    Raises:
        ArgumentError: No such reduction.
    """
    check_reduction("hinge_embedding_loss", reduction)
    check_stretch("hinge_embedding_loss", input, target)
    near = where(target != -1, input, 0.0)
    return reduced(near + where(target != 1, relu(margin - input), 0.0), reduction)


@taught
@runs_in("full")
@rounded_once
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """max(0, -t (x1 - x2) + margin): x1 should be the larger where t is 1, the smaller where it is -1.

    Raises:
        ArgumentError: No such reduction.
    """
    check_reduction("margin_ranking_loss", reduction)
    broadcast("margin_ranking_loss")(*[tuple(x.shape) for x in (input1, input2, target)])
    return reduced((-target * (input1 - input2) + margin).clamp(min=0.0), reduction)


@taught
@runs_in("full")
@rounded_once
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = "mean"
) -> Tensor:
    """1 - cos where the truth is 1, max(0, cos - margin) where it is -1, for vectors along the last axis.

    Raises:
        ArgumentError: No such reduction.
    """
    check_reduction("cosine_embedding_loss", reduction)
    cos = cosine_similarity(input1, input2, dim=-1, eps=1e-12)
    return reduced(where(target == 1, 1.0 - cos, (cos - margin).clamp(min=0.0)), reduction)


@taught
@runs_in("full")
@rounded_once
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    *,
    reduction: str = "mean",
) -> Tensor:
    """max(0, |anchor - positive| - |anchor - negative| + margin), by the p-norm along the last axis.

    `swap` takes the positive as the anchor where the negative is nearer to it.

    Raises:
        ArgumentError: No such reduction.
    """
    check_reduction("triplet_margin_loss", reduction)
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced((near - far + margin).clamp(min=0.0), reduction)


@taught
@runs_in("full")
@rounded_once
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """`triplet_margin_loss` with a distance of one's own; `pairwise_distance` if left out.

    Raises:
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> a, b, c = ml.tensor([[0.0], [1.0], [4.0]])
        >>> triplet_margin_with_distance_loss(a, b, c, distance_function=lambda x, y: (x - y) ** 2, margin=16.0).item()
        1.0
    """
    check_reduction("triplet_margin_with_distance_loss", reduction)
    distance = distance_function or pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = far.minimum(distance(positive, negative))
    return reduced((near - far + margin).clamp(min=0.0), reduction)


@taught
@runs_in("full")
@rounded_once
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """Σ max(0, 1 - x[t] + x[i]) over right classes t and wrong ones i, divided by the number of classes.

    Shape:
        input (n, classes) or (classes,), target of the same shape: class numbers, ended by -1.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> multilabel_margin_loss(ml.tensor([0.5, 0.25]), ml.tensor([0, -1])).item()
        0.375
    """
    check_pair("multilabel_margin_loss", input, target, reduction)
    input, target = (x.reshape(1) if x.ndim == 0 else x for x in (input, target))
    classes = input.shape[-1]
    named = (target < 0).cumsum(-1) == 0
    right = ((target.unsqueeze(-1) == arange(classes)) & named.unsqueeze(-1)).any(-2)
    over = 1.0 - input.gather(-1, target.clamp(min=0)).unsqueeze(-1) + input.unsqueeze(-2)
    counts = named.unsqueeze(-1) & ~right.unsqueeze(-2)
    losses = where(counts, over.clamp(min=0.0), 0.0).sum((-2, -1))
    return reduced(losses * (1.0 / classes), reduction)


@taught
@runs_in("full")
@rounded_once
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
) -> Tensor:
    """Σ max(0, margin - x[t] + x[i])ᵖ over the wrong classes i, divided by the number of classes.

    Raises:
        ArgumentError: No such reduction, or p is neither 1 nor 2.
    """
    check_reduction("multi_margin_loss", reduction)
    if p not in (1, 2):
        raise ArgumentError(f"multi_margin_loss got p={p!r}.", "p is 1 or 2.", "Did you mean p=1?")
    if len(input.shape) <= 1:
        loss = multi_margin_loss(input.reshape(1, -1), target.reshape(1), p, margin, weight, reduction=reduction)
        return loss.squeeze(0) if reduction == "none" else loss
    index = target.unsqueeze(1)
    over = (margin - input.gather(1, index) + input).clamp(min=0.0)
    over = over if p == 1 else over * over
    over = over if weight is None else over * weight[target].unsqueeze(1)
    wrong = (over * 0.0 + 1.0).detach().scatter(1, index, 0.0)
    return reduced((over * wrong).sum(1) * (1.0 / input.shape[1]), reduction)


@taught
@runs_in("full")
@rounded_once
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """`binary_cross_entropy_with_logits`, averaged over the classes (the last axis) first.

    Raises:
        ArgumentError: No such reduction.
    """
    losses = binary_cross_entropy_with_logits(input, target, weight, reduction="none").mean(-1)
    check_reduction("multilabel_soft_margin_loss", reduction)
    return reduced(losses, reduction)


__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cosine_embedding_loss",
    "cross_entropy",
    "gaussian_nll_loss",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "poisson_nll_loss",
    "smooth_l1_loss",
    "soft_margin_loss",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
]  # fmt: skip
