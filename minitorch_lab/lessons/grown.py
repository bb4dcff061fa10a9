"""Programs that are drawn: what judges compute on the tape for a list of ops."""

from __future__ import annotations

from collections.abc import Sequence

from ..tensors.factories import tensor
from ..tensors.tensor import Tensor


def grown(program: Sequence[tuple[str, int, int]], start: float) -> tuple[Tensor, list[Tensor]]:
    """The leaf and the values of a program. The first value is exp of the leaf; each step has an op and two values.

    Args:
        program: For every step its op (mul, add, sin, tanh, shift) and the numbers of the values that it may read.
        start: The leaf's number.

    Example:
        >>> x, values = grown([("add", 0, 0), ("shift", 1, 0)], 0.0)
        >>> [value.item() for value in values]
        [1.0, 2.0, 3.0]
    """
    x = tensor(start, requires_grad=True)
    values = [x.exp()]
    for op, i, j in program:
        a, b = values[i], values[j]
        values.append({"mul": a * b, "add": a + b, "sin": a.sin(), "tanh": a.tanh(), "shift": a + 1}[op])
    return x, values
