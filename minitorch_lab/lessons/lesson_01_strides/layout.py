"""Layout: where the entries of a tensor lie in memory, as one step per axis."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.array import Shape, memory_of, xp
from ...errors import ShapeError
from ...tensors.tensor import Tensor


def row_major(shape: Sequence[int]) -> Shape:
    """The strides of a fresh tensor: 1 for the last axis, and each other one the product of the lengths behind it.

    Example:
        >>> row_major((1, 2, 3, 4))
        (24, 12, 4, 1)
    """
    steps: list[int] = []
    step = 1
    for n in reversed(shape):
        steps.append(step)
        step *= n
    return tuple(reversed(steps))


def as_strided(x: Tensor, shape: Sequence[int], stride: Sequence[int], offset: int = 0) -> Tensor:
    """A view of the memory of `x`: entry (i, j, …) is the cell offset + i · stride[0] + j · stride[1], and so on.

    Args:
        x: Any tensor; only its memory counts.
        shape: The lengths of the new axes.
        stride: One step per axis, in cells, none below 0.
        offset: The cell of the first entry.

    Raises:
        ShapeError: The numbers of axes differ, a step is negative, or a cell lies outside the memory.

    Example:
        >>> import minitorch_lab as ml
        >>> as_strided(ml.arange(9), shape=(3,), stride=(4,))
        tensor([0, 4, 8])
    """
    memory = xp.asarray(memory_of(x.value))
    shape, stride = tuple(shape), tuple(stride)
    if len(shape) != len(stride) or min((*stride, offset)) < 0:
        raise ShapeError(
            f"as_strided got shape {shape}, stride {stride} and offset {offset}.",
            "There is one step per axis, and this one counts from 0 upwards.",
            f"Did you mean stride={row_major(shape)}? That is row by row.",
        )
    last = offset + sum((n - 1) * s for n, s in zip(shape, stride, strict=True))
    if 0 not in shape and last >= memory.size:
        raise ShapeError(
            f"as_strided got shape {shape}, stride {stride} and offset {offset}.",
            f"Its last entry would lie in cell {last}, and the memory ends with cell {memory.size - 1}.",
            "Compare offset + Σ (length − 1) · stride with the number of cells.",
        )
    size = memory.itemsize
    steps = tuple(s * size for s in stride)
    view = xp.ndarray(shape, memory.dtype, buffer=memory, offset=offset * size, strides=steps)
    return Tensor(view, None, x.untyped_storage())
