"""Tables and maps of two vectors: sums of rows of a table, and a form that is linear in both inputs."""

from __future__ import annotations

from ...autograd import no_grad
from ...errors import ArgumentError, ShapeError
from ...ops.compare import where
from ...ops.front import taught
from ...ops.join import stack
from ...ops.narrow import rounded_once
from ...ops.rows import embedding as read_rows
from ...tensors.factories import zeros
from ...tensors.tensor import Tensor

BAGS = ("sum", "mean", "max")


@taught
@rounded_once
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1 · weight[k] · x2 + bias[k], for each k.

    Shape:
        input1 (..., in1), input2 (..., in2), weight (out, in1, in2), bias (out,), result (..., out).

    Raises:
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> bilinear(ml.ones(2), ml.ones(3), ml.ones(1, 2, 3))
        tensor([6.])
    """
    out, in1, in2 = tuple(weight.shape)
    mapped = (input1 @ weight.permute(1, 0, 2).reshape(in1, out * in2)).reshape(*input1.shape[:-1], out, in2)
    y = (mapped * input2.unsqueeze(-2)).sum(-1)
    return y if bias is None else y + bias


@taught
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` whose numbers stand in `input`. The gradient adds up the cotangents of each row.

    Args:
        input: Whole numbers, of any shape.
        weight: (numbers, width).
        padding_idx: The row with this number gets no gradient.
        max_norm: Rows that are asked for and are longer than this are shortened first, in `weight` itself.
        norm_type: The p-norm by which rows are measured.
        scale_grad_by_freq: The gradient of a row is the mean of its cotangents, not their sum.
        sparse: PyTorch's choice of how a gradient is stored; it changes nothing here.

    Returns:
        (*input.shape, width).

    Raises:
        DTypeError: The numbers are not whole.
        ShapeError: The weight is no matrix, or has no such row.

    Example:
        >>> import minitorch_lab as ml
        >>> embedding(ml.tensor([1, 0, 1]), ml.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    """
    if max_norm is not None:
        shorten(weight, input.reshape(-1), max_norm, norm_type)
    rows = read_rows(input, weight, padding_idx)
    if not scale_grad_by_freq:
        return rows
    numbers = input.reshape(-1)
    count = (numbers.unsqueeze(0) == numbers.unsqueeze(1)).sum(1).reshape(*input.shape, 1)
    return rows.detach() + (rows - rows.detach()) / count.to(rows.dtype)


def shorten(weight: Tensor, numbers: Tensor, longest: float, p: float) -> None:
    """Shorten rows of `weight`, where they stand, to a norm."""
    with no_grad():
        rows = weight[numbers]
        norms = rows.norm(p, dim=-1, keepdim=True)
        weight[numbers] = where(norms > longest, rows * (longest / (norms + 1e-7)), rows)


@taught
@rounded_once
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    mode: str = "mean",
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
    *,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of a table for bags of numbers, added up, averaged, or the largest entries of them.

    Args:
        input: Whole numbers: (bags, length), or (n,) with the bags one after the other.
        weight: (numbers, width).
        offsets: (bags,): where in `input` (n,) each bag begins.
        mode: "sum", "mean" or "max". An empty bag is 0.
        per_sample_weights: With "sum": what each row is multiplied by; the shape of `input`.
        include_last_offset: The last of `offsets` is where the last bag ends.
        padding_idx: A number that belongs to no bag, wherever it stands.
        max_norm: As in `embedding`, as are the arguments behind it.
        norm_type: See `max_norm`.
        scale_grad_by_freq: See `max_norm`.
        sparse: See `max_norm`.

    Raises:
        ArgumentError: There is no such mode.
        ShapeError: The input has other axes.

    Example:
        >>> import minitorch_lab as ml
        >>> table = ml.tensor([[1.0], [10.0], [100.0]])
        >>> embedding_bag(ml.tensor([0, 1, 2]), table, ml.tensor([0, 2]), mode="sum").tolist()
        [[11.0], [100.0]]
    """
    if mode not in BAGS:
        raise ArgumentError(f"embedding_bag got mode={mode!r}.", 'It is "sum", "mean" or "max".', 'Take "mean".')
    if (input.ndim, offsets is None) not in ((2, True), (1, False)):
        raise ShapeError(
            f"embedding_bag got an input of shape {tuple(input.shape)} with{'out' if offsets is None else ''} offsets.",
            "It takes (bags, length), or (n,) and where each bag begins.",
            "Did you mean input.unsqueeze(0)? It makes one bag.",
        )
    rows = embedding(input, weight, None, max_norm, norm_type, scale_grad_by_freq)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    how = {"sum": lambda x, k: x.sum(k), "mean": lambda x, k: x.mean(k), "max": lambda x, k: x.amax(k)}[mode]
    if offsets is None and padding_idx is None:
        return how(rows, 1)
    width = rows.shape[-1]
    starts = list(range(0, input.numel(), input.shape[-1])) if offsets is None else [int(n) for n in offsets.tolist()]
    ends = starts[1:] if include_last_offset else [*starts[1:], input.numel()]
    rows, numbers = rows.reshape(-1, width), input.reshape(-1).tolist()
    none = None if padding_idx is None else padding_idx % weight.shape[0]
    bags = [[k for k in range(a, b) if numbers[k] != none] for a, b in zip(starts, ends, strict=False)]
    empty = zeros(width, dtype=weight.dtype, device=weight.device)
    return stack([how(rows[bag], 0) if bag else empty for bag in bags])
