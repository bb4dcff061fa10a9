"""Losses. Each is one op: the pair inside (softmax and log, difference and square) is cheaper and steadier fused."""

from __future__ import annotations

import math
from functools import lru_cache
from math import prod
from typing import Any

from ..core.array import Array, Shape, device_of, device_under, entries, ground, int64, is_float, to_device, xp
from ..errors import ArgumentError, BoundsError, DTypeError, ShapeError
from .axes import numel
from .batching import losses
from .broadcast import sum as sum_over
from .broadcast import sum_op
from .compare import where
from .elementwise import exp, log
from .exponentials import outermost
from .families import broadcast, floating, only_floats
from .front import function
from .indexing import gather_op
from .movement import cast, permute_op, reshape_op
from .narrow import rounded_once
from .op import Op, Sample, rule
from .precision import runs_in
from .prose import Prose
from .reduce import log_softmax, lowered, mean, softmax_op
from .refit import same_as

UNSIGNED = xp.dtype("uint64")
FEW, NAMED = 32, 1024
REDUCTIONS = ("mean", "sum", "none")
ROWS = "Count the rows of the logits and the classes in the target: there must be as many."
IGNORED = -100  # the class number of rows that count nothing, unless another is given


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
    moved = x - outermost(x, "max", (1,), True)
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


def summarised_program(losses: Any, reduction: str) -> Any:
    """`summarised`, in ops."""
    if reduction == "none":
        return losses
    total, count = sum_op(losses, axis=tuple(range(len(losses.shape))), keepdims=False), numel(losses.shape)
    return total * (share(reduction, count) if count or reduction == "sum" else math.nan)


def cross_entropy_program(x: Any, target: Any, *, reduction: str) -> Any:
    """log Σ eˣ - x[target], row by row."""
    moved = lowered(x, (1,)) if numel(x.shape) else x
    chosen = gather_op(moved, reshape_op(target, shape=(x.shape[0], 1)), axis=1)
    losses = log(sum_op(exp(moved), axis=(1,), keepdims=False)) - reshape_op(chosen, shape=target.shape)
    return summarised_program(losses, reduction)


def squares_program(x: Any, y: Any, *, reduction: str) -> Any:
    """(x - y)²."""
    difference = x - y
    return summarised_program(difference * difference, reduction)


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
    autocast="full",
    rest=1,
    batch=losses,
    program=cross_entropy_program,
    expensive=True,
    prose=Prose(
        why={"* x": "its gradient is softmax(scores) − targets"},
        wholes=("softmax − target, averaged over the rows",),
        nouns={"x": "the scores", "*": "the targets"},
    ),
    refuses=True,
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


def check_labels(x: Any, target: Any, ignored: int = IGNORED, name: str = "cross_entropy") -> bool:
    """Refuse labels that do not fit the logits; whether each names a class, so that none is the `ignored` one."""
    check_target(x, target, name)
    labels = entries(target)
    if labels is None or labels_fit(target, x.shape[1]):
        return True
    odd = labels[labels != ignored]
    if odd.size and (odd.min() < 0 or odd.max() >= x.shape[1]):
        raise BoundsError(
            f"{name} got classes {int(odd.min())} to {int(odd.max())} for {x.shape[1]} logits per row.",
            f"A class is at least 0 and at most {x.shape[1] - 1}.",
            "Count classes from 0, or widen the last layer.",
        )
    return False


def check_target(x: Any, target: Any, name: str) -> None:
    """Refuse a target that holds no classes, or not one for each row.

    Raises:
        DTypeError: It holds no whole numbers.
        ShapeError: It has another shape than the logits without their axis of classes.
    """
    logits, given = tuple(x.shape), tuple(target.shape)
    if not logits:
        raise ShapeError(
            f"{name} got logits of shape () and a target of shape {given}.",
            "Logits have an axis with one entry for each class: (N, C), or (C,) for a single example.",
            "Did you mean binary_cross_entropy_with_logits? It takes one logit for each example.",
        )
    rows = (*logits[:1], *logits[2:]) if len(logits) > 1 else ()
    if target.dtype != int64 or not is_float(x.dtype):
        both = f"{name} got logits {logits} of dtype {x.dtype} and a target {given} of dtype {target.dtype}."
        if is_float(x.dtype):
            rule = "A target holds either classes (int64, one per row) or probabilities (floats, of the logits' shape)."
            fitting = given == rows or (given == logits and name != "cross_entropy")
            raise DTypeError(
                both, rule, "Did you mean target.long()?" if fitting else wanted(logits, rows, given, "target.long()")
            )
        rule = "Logits are scores, which are floats; classes, of dtype int64, are the target."
        if is_float(target.dtype):
            raise DTypeError(both, rule, f"Write {name}(input, target): the scores come first.")
        raise DTypeError(both, rule, "Did argmax() or long() make them? Give the scores that it was called on.")
    if given != rows:
        raise ShapeError(
            f"{name} got logits of shape {logits} and a target of shape {given}.",
            f"Logits (N, C) take one class per row: a target of shape {rows}."
            if rows
            else "Logits (C,) of a single example take one class: a target of shape ().",
            wanted(logits, rows, given),
        )


def wanted(logits: Shape, rows: Shape, given: Shape, target: str = "target") -> str:
    """How a target of another shape than `rows`, or the logits, could be made to fit."""
    if given == logits:
        return f"Did you mean {target}.argmax(dim={min(1, len(logits) - 1)})?"
    if given == (*rows, 1) or given == (*rows[:1], 1, *rows[1:]):
        return f"Did you mean {target}.squeeze({given.index(1, min(1, len(rows)))})?"
    if given == (1, *rows):
        return f"Did you mean {target}.squeeze(0)?"
    if len(logits) > 2 and given == logits[:-1]:
        order = (0, len(logits) - 1, *range(1, len(logits) - 1))
        return f"Did you mean input.permute{order}? Classes stand along axis 1."
    if given == logits[1:]:
        return "Did you mean input.T? Each row is an example, each column a class." if len(logits) == 2 else ROWS
    if len(logits) == 2 and prod(given) == logits[0]:
        return f"Did you mean {target}.flatten()?"
    if len(logits) == 3 and given == (logits[0] * logits[1],):
        return "Did you mean input.flatten(0, 1)? It makes one row of each example."
    return ROWS


@rounded_once
def against_probabilities(input: Any, target: Any, weight: Any, smoothing: float, reduction: str) -> Any:
    """Cross-entropy of logits against probabilities, which stand along axis 1 as the logits do."""
    if smoothing:
        target = target * (1.0 - smoothing) + smoothing / input.shape[1]
    scored = target * log_softmax(input, 1)
    rows = -sum_over(scored if weight is None else scored * along_axis_1(weight, len(input.shape)), 1)
    return rows if reduction == "none" else sum_over(rows) if reduction == "sum" else mean(rows)


def along_axis_1(weight: Any, ndim: int) -> Any:
    """Numbers (C,) as a tensor that stretches over axis 1 of `ndim` axes."""
    return reshape_op(weight, shape=(*weight.shape, *(1,) * (ndim - 2)))


@rounded_once
def scored(logs: Any, target: Any, weight: Any, ignored: int, smoothing: float, reduction: str) -> Any:
    """-log p[target], times the weight of its class, where the target is not `ignored`. The mean is a weighted one.

    With smoothing the truth is 1 - smoothing at the target, and the rest is shared by all classes (C. Szegedy and
    others, Rethinking the Inception Architecture, 2016).
    """
    classes, seen = tuple(logs.shape)[1], target != ignored
    named = where(seen, target, 0)
    shares = cast(seen, dtype=logs.dtype) if weight is None else where(seen, weight[named], 0.0)
    index = reshape_op(named, shape=(named.shape[0], 1, *named.shape[1:]))
    picked = reshape_op(gather_op(logs, index, axis=1), shape=tuple(named.shape))
    rows = where(seen, -picked, 0.0) * shares * (1.0 - smoothing)
    if smoothing:
        every = logs if weight is None else logs * along_axis_1(weight, len(logs.shape))
        rows = rows - where(seen, sum_over(every, 1), 0.0) * (smoothing / classes)
    if reduction == "none":
        return rows
    return sum_over(rows) if reduction == "sum" else sum_over(rows) / sum_over(shares)


@function
@runs_in("full")
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int = IGNORED,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Cross-entropy of logits `input` (N, C), (C,) or (N, C, d…) against classes (int64) or probabilities (floats).

    Args:
        input: The logits.
        target: Classes, of the shape of the input without its axis C; or probabilities, of its shape.
        weight: (C,): what a row counts, by its class. The mean is over what all rows count.
        ignore_index: A class number that stands for "no class": such rows count nothing.
        reduction: "mean", "sum", or "none" for one loss per row.
        label_smoothing: The part of the truth that is shared by all classes, from 0 to 1.

    Raises:
        ShapeError: The target does not fit the logits, or names a class that does not exist.
        DTypeError: The target holds neither classes nor probabilities.
        ArgumentError: No such reduction, or a smoothing that is no share.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cross_entropy(ml.zeros(1, 4), ml.tensor([2]))
        tensor(1.3863)
        >>> ml.cross_entropy(ml.zeros(2, 4), ml.tensor([2, -1]), ignore_index=-1, reduction="none").tolist()[1]
        0.0
    """
    check_settings(weight, reduction, label_smoothing)
    if not input.shape:
        check_target(input, target, "cross_entropy")
    if len(input.shape) == 1:
        if not (is_float(target.dtype) and tuple(target.shape) == tuple(input.shape)):
            check_target(input, target, "cross_entropy")
        row, one = reshape_op(input, shape=(1, *input.shape)), reshape_op(target, shape=(1, *target.shape))
        loss = cross_entropy(
            row, one, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
        )
        return reshape_op(loss, shape=()) if reduction == "none" else loss
    if is_float(target.dtype) and tuple(target.shape) == tuple(input.shape):
        return against_probabilities(input, target, weight, label_smoothing, reduction)
    fit = check_labels(input, target, ignore_index)
    if weight is not None or label_smoothing or ignore_index != IGNORED or not fit:
        return scored(log_softmax(input, 1), target, weight, ignore_index, label_smoothing, reduction)
    if len(input.shape) > 2:
        order = (0, *range(2, len(input.shape)), 1)
        flat = reshape_op(permute_op(input, axes=order), shape=(target.numel(), input.shape[1]))
        loss = cross_entropy_op(flat, reshape_op(target, shape=(target.numel(),)), reduction=reduction)
        return reshape_op(loss, shape=tuple(target.shape)) if reduction == "none" else loss
    return cross_entropy_op(input, target, reduction=reduction)


def check_settings(weight: Any, reduction: str, smoothing: float) -> None:
    """Refuse settings of `cross_entropy` that have no meaning.

    Raises:
        ArgumentError: One has none.
    """
    if isinstance(weight, str):
        raise ArgumentError(
            f"cross_entropy got weight={weight!r}.",
            "The weights of the classes are a tensor.",
            f"Did you mean reduction={weight!r}?",
        )
    check_reduction("cross_entropy", reduction)
    if not 0.0 <= smoothing <= 1.0:
        raise ArgumentError(
            f"cross_entropy got label_smoothing={smoothing!r}.",
            "It is the part of the truth that all classes share, from 0 to 1.",
            "Did you mean label_smoothing=0.1?",
        )


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
    autocast="full",
    stretches=True,
    batch=losses,
    program=squares_program,
    prose=Prose(
        why={"x y": "its gradient is 2 × (input − target), shared out"}, wholes=("2 × ({x} − {y}), shared out",)
    ),
)


@function
@runs_in("full")
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
            same_as(tuple(input.shape), tuple(target.shape)),
        )
    return mse_op(input, target, reduction=reduction)
