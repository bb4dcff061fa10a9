"""Sequences of unequal lengths: padded into one tensor, or packed without the padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...errors import ArgumentError, ShapeError
from ...ops.front import taught
from ...ops.join import cat, pad, stack
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor


class PackedSequence(NamedTuple):
    """Sequences without padding, time by time: what a recurrent layer takes and gives.

    Attributes:
        data: (entries, width): the first entries of all sequences, the longest sequence first; then the second ones.
        batch_sizes: (longest,), int64: how many sequences are as long as that.
        sorted_indices: (batch,), int64: which sequence is the longest, and so on; None if they came in that order.
        unsorted_indices: The way back.
    """

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None = None
    unsorted_indices: Tensor | None = None


@taught
def pad_sequence(
    sequences: Sequence[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences (length, …) of unequal lengths as one tensor (longest, batch, …), filled up with a value.

    Args:
        sequences: Tensors that differ in their first axis only.
        batch_first: Give (batch, longest, …).
        padding_value: What stands behind the ends.
        padding_side: "left" puts it before the beginnings.

    Raises:
        ShapeError: There are none.

    Example:
        >>> import minitorch_lab as ml
        >>> pad_sequence([ml.tensor([1, 2]), ml.tensor([3])], batch_first=True).tolist()
        [[1, 2], [3, 0]]
    """
    longest = max((len(x) for x in sequences), default=0)
    rows: list[Tensor] = []
    for x in sequences:
        missing = longest - len(x)
        widths = (0, missing) if padding_side == "right" else (missing, 0)
        rows.append(pad(x, [0, 0] * (x.ndim - 1) + list(widths), value=padding_value) if missing else x)
    return stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> list[Tensor]:
    """The sequences of a tensor that `pad_sequence` has filled up, without what stands behind their ends.

    Args:
        padded_sequences: (longest, batch, …), or (batch, longest, …) with `batch_first`.
        lengths: How long each sequence is: a vector or a list of whole numbers.
        batch_first: Whether the batch is the first axis.

    Example:
        >>> import minitorch_lab as ml
        >>> unpad_sequence(ml.tensor([[1, 2], [3, 0]]), [2, 1], batch_first=True)
        [tensor([1, 2]), tensor([3])]
    """
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:n] for row, n in zip(rows, lengths_of(lengths), strict=True)]


def lengths_of(lengths: Any) -> list[int]:
    """Lengths as Python's own numbers."""
    return [int(n) for n in (lengths.tolist() if isinstance(lengths, Tensor) else lengths)]


@taught
def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """A padded tensor as a `PackedSequence`: the padding is left out.

    Args:
        input: (longest, batch, …), or (batch, longest, …) if `batch_first`.
        lengths: The length of each sequence.
        batch_first: Which of the two.
        enforce_sorted: Expect the longest first; False takes any order.

    Raises:
        ArgumentError: The longest is not first, though it should be.
        ShapeError: There is not one length for each sequence.
    """
    x = input.transpose(0, 1) if batch_first else input
    sizes = lengths_of(lengths)
    if len(sizes) != x.shape[1] or min(sizes, default=0) < 1:
        raise ShapeError(
            f"pack_padded_sequence got the lengths {sizes} for {x.shape[1]} sequences.",
            "Each sequence has a length, at least 1.",
            f"Did you mean batch_first={not batch_first}?",
        )
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
    if enforce_sorted and order != list(range(len(sizes))):
        raise ArgumentError(
            f"pack_padded_sequence got the lengths {sizes}.",
            "The longest sequence comes first, unless enforce_sorted=False.",
            "Did you mean enforce_sorted=False?",
        )
    counts = [sum(n > t for n in sizes) for t in range(max(sizes))]
    sort = None if enforce_sorted else tensor(order)
    back = None if enforce_sorted else tensor(sorted(range(len(order)), key=order.__getitem__))
    if sort is not None:
        x = x[:, sort]
    return PackedSequence(cat([x[t, :n] for t, n in enumerate(counts)]), tensor(counts), sort, back)


@taught
def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """A `PackedSequence` as a padded tensor and its lengths: the way back of `pack_padded_sequence`."""
    counts = lengths_of(sequence.batch_sizes)
    rows: list[Tensor] = []
    start = 0
    for n in counts:
        row = sequence.data[start : start + n]
        rows.append(pad(row, [0, 0] * (row.ndim - 1) + [0, counts[0] - n], value=padding_value))
        start += n
    x = stack(rows)
    if total_length is not None and total_length > len(counts):
        x = pad(x, [0, 0] * (x.ndim - 1) + [0, total_length - len(counts)], value=padding_value)
    lengths = tensor([sum(n > i for n in counts) for i in range(counts[0])])
    if sequence.unsorted_indices is not None:
        x, lengths = x[:, sequence.unsorted_indices], lengths[sequence.unsorted_indices]
    return (x.transpose(0, 1) if batch_first else x), lengths


@taught
def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences (length, …) of unequal lengths as a `PackedSequence`.

    Raises:
        ArgumentError: The longest is not first, though it should be.
    """
    lengths = [len(x) for x in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def pack_like(x: Tensor, like: PackedSequence) -> PackedSequence:
    """A padded tensor (longest, batch, …) packed as another was."""
    if like.sorted_indices is not None:
        x = x[:, like.sorted_indices]
    rows = [x[t, :n] for t, n in enumerate(lengths_of(like.batch_sizes))]
    return like._replace(data=cat(rows))


__all__ = [
    "PackedSequence", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence", "pad_sequence", "unpad_sequence",
]  # fmt: skip
