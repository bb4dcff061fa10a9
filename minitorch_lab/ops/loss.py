"""Losses. Each is one op: the pair inside (softmax and log, difference and square) is cheaper and steadier fused."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from ..array import Array, Shape, device_of, device_under, entries, ground, int64, is_float, to_device, xp
from ..errors import ArgumentError, BoundsError, DTypeError, ShapeError
from .batching import losses
from .broadcast import sum as sum_over
from .families import broadcast, floating, only_floats
from .front import function
from .movement import cast, permute_op, reshape_op
from .narrow import rounded_once
from .op import Op, Sample, rule
from .reduce import log_softmax, mean, softmax_op

UNSIGNED = xp.dtype("uint64")
FEW, NAMED = 32, 1024
REDUCTIONS = ("mean", "sum", "none")


def check_reduction(name: str, reduction: str) -> None:
    """Refuse a reduction that does not exist."""
    if reduction not in REDUCTIONS:
        raise ArgumentError(
            f"{name} got reduction={reduction!r}.",
            'The reductions are "mean", "sum" and "none".',
            'Did you mean reduction="mean"?',
        )


def summarised(rows: Array, reduction: str) -> Array:
    """The losses of a batch as one number, or as they are."""
    if reduction == "none":
        return rows
    total = xp.add.reduce(rows, None)
    return total if reduction == "sum" else total * (1.0 / rows.size if rows.size else math.nan)


@lru_cache(maxsize=64)
def counting(n: int, device: str) -> Array:
    """0, 1, … n - 1, never written: batches and classes come in few sizes."""
    return to_device(xp.arange(n), device)


def share(reduction: str, count: int) -> float:
    """What one loss weighs in the reduced one."""
    return 1.0 / max(count, 1) if reduction == "mean" else 1.0


# ---- cross-entropy ------------------------------------------------------------------------------------------------


def cross_entropy_impl(x: Array, target: Array, reduction: str) -> Array:
    """log Σ eˣ - x[target], row by row."""
    moved = x - x.max(1, keepdims=True)
    chosen = moved[counting(len(x), device_of(x)), target]
    losses = xp.log(xp.add.reduce(xp.exp(moved, out=moved), 1))
    losses -= chosen
    return summarised(losses, reduction)


def loss_shape(shape: Shape, target: Shape, *, reduction: str) -> Shape:
    """One loss per row, or one number."""
    return target if reduction == "none" else ()


def cross_entropy_pull(g: Any, x: Any, *rest: Any, reduction: str) -> Any:
    """softmax(x) - 1 at the target: what was predicted, less the truth."""
    n, classes = x.shape
    truth = rest[0].reshape(n, 1) == counting(classes, device_under(x))
    weight = reshape_op(g, shape=(n, 1)) if reduction == "none" else g * share(reduction, n)
    return (softmax_op(x, axis=(1,)) - cast(truth, dtype=g.dtype)) * weight


cross_entropy_op = Op(
    name="cross_entropy",
    impl=cross_entropy_impl,
    shape=loss_shape,
    vjp=(rule(cross_entropy_pull), None),
    samples=lambda rng: [
        ((rng.normal(size=(n, 5)), rng.integers(0, 5, n)), {"reduction": r})
        for n, r in ((3, "mean"), (3, "sum"), (4, "none"), (0, "sum"))
    ],
    casts=only_floats("cross_entropy"),
    rest=1,
    batch=losses,
)


def labels_fit(target: Any, classes: int) -> bool:
    """Whether every label names one of the classes."""
    labels = ground(target)
    if labels.ndim == 1 and labels.size <= FEW and classes <= NAMED:  # for few of them Python is quicker than NumPy
        return names_of(classes).issuperset(labels.tolist())
    return not labels.size or bool(labels.view(UNSIGNED).max() < classes)  # seen as unsigned, -1 is huge


@lru_cache(maxsize=16)
def names_of(classes: int) -> frozenset[int]:
    """The numbers by which a label can name a class."""
    return frozenset(range(classes))


def check_labels(x: Any, target: Any) -> None:
    """Refuse labels that do not fit the logits."""
    if target.dtype != int64:
        raise DTypeError(
            f"cross_entropy got logits {tuple(x.shape)} and a target {tuple(target.shape)} of dtype {target.dtype}.",
            "A target holds either classes (int64, one per row) or probabilities (floats, of the logits' shape).",
            "Did you mean target.long()?",
        )
    rows = (*x.shape[:1], *x.shape[2:])
    if tuple(target.shape) != rows:
        raise ShapeError(
            f"cross_entropy got logits of shape {tuple(x.shape)} and a target of shape {tuple(target.shape)}.",
            f"Logits (N, C) take one class per row: a target of shape {rows}.",
            "Did you mean target.argmax(dim=1)?"
            if tuple(target.shape) == tuple(x.shape)
            else "Compare the batch sizes.",
        )
    labels = entries(target)
    if labels is not None and not labels_fit(target, x.shape[1]):
        raise BoundsError(
            f"cross_entropy got classes {int(labels.min())} to {int(labels.max())} for {x.shape[1]} logits per row.",
            f"A class is at least 0 and at most {x.shape[1] - 1}.",
            "Count classes from 0, or widen the last layer.",
        )


@rounded_once
def against_probabilities(input: Any, target: Any, reduction: str) -> Any:
    """Cross-entropy of logits against probabilities, which stand along axis 1 as the logits do."""
    rows = -sum_over(target * log_softmax(input, 1), 1)
    return rows if reduction == "none" else sum_over(rows) if reduction == "sum" else mean(rows)


@function
def cross_entropy(input: Any, target: Any, reduction: str = "mean") -> Any:
    """Cross-entropy of logits `input` (N, C), (C,) or (N, C, d…) against classes (int64) or probabilities (floats).

    Raises:
        ShapeError: The target does not fit the logits, or names a class that does not exist.
        DTypeError: The target holds neither classes nor probabilities.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cross_entropy(ml.zeros(1, 4), ml.tensor([2]))
        tensor(1.3863)
    """
    check_reduction("cross_entropy", reduction)
    if len(input.shape) == 1:
        row = reshape_op(input, shape=(1, *input.shape))
        loss = cross_entropy(row, reshape_op(target, shape=(1, *target.shape)), reduction)
        return reshape_op(loss, shape=()) if reduction == "none" else loss
    if is_float(target.dtype) and tuple(target.shape) == tuple(input.shape):
        return against_probabilities(input, target, reduction)
    check_labels(input, target)
    if len(input.shape) > 2:
        order = (0, *range(2, len(input.shape)), 1)
        flat = reshape_op(permute_op(input, axes=order), shape=(target.numel(), input.shape[1]))
        loss = cross_entropy_op(flat, reshape_op(target, shape=(target.numel(),)), reduction=reduction)
        return reshape_op(loss, shape=tuple(target.shape)) if reduction == "none" else loss
    return cross_entropy_op(input, target, reduction=reduction)


# ---- mean squared error -------------------------------------------------------------------------------------------


def squared_impl(x: Array, y: Array, reduction: str) -> Array:
    """(x - y)²."""
    difference = x - y
    return summarised(difference * difference, reduction)


def squared_pull(g: Any, x: Any, y: Any, *, reduction: str) -> Any:
    """2 g (x - y)."""
    difference = x - y
    count = 1
    for n in difference.shape:
        count *= n
    return g * (difference * (2.0 * share(reduction, count)))


def pairs(rng: Any) -> list[Sample]:
    """Samples: every reduction, broadcast, empty."""
    x, y = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    cases: list[Sample] = [((x, y), {"reduction": r}) for r in REDUCTIONS]
    return [*cases, ((x, y[0]), {"reduction": "mean"}), ((x[:0], y[:0]), {"reduction": "sum"})]


def squared_shape(*shapes: Shape, reduction: str) -> Shape:
    """The broadcast shape, or one number."""
    whole = broadcast("mse_loss")(*shapes)
    return whole if reduction == "none" else ()


mse_op = Op(
    name="mse_loss",
    impl=squared_impl,
    shape=squared_shape,
    vjp=(rule(squared_pull), rule(lambda g, x, y, *, reduction: -squared_pull(g, x, y, reduction=reduction))),
    samples=pairs,
    casts=floating,
    stretches=True,
    batch=losses,
)


@function
def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The squared difference of two tensors of one shape, averaged, summed, or entry by entry.

    Raises:
        ShapeError: The shapes differ: a silent broadcast here is a classic mistake.
        ArgumentError: No such reduction.
    """
    check_reduction("mse_loss", reduction)
    if tuple(input.shape) != tuple(target.shape):
        raise ShapeError(
            f"mse_loss got the shapes {tuple(input.shape)} and {tuple(target.shape)}.",
            "Both must have the same shape, or one would be compared with every entry of the other.",
            f"Did you mean target.reshape{tuple(input.shape)}?",
        )
    return mse_op(input, target, reduction=reduction)
