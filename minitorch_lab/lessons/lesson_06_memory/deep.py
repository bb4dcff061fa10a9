"""A deep network whose layers are all alike, and the bill of one step of it."""

from __future__ import annotations

from collections.abc import Callable

from ... import nn
from ...memory import Account, account
from ...tensors.random import manual_seed
from ...tensors.tensor import Tensor

ROWS, WIDTH = 64, 16  # of the tower
UNIT = ROWS * WIDTH * 4  # bytes of one layer's result


def tower(depth: int, width: int = WIDTH) -> nn.Sequential:
    """`depth` layers, each a Linear and a Tanh of the same width: every layer's result has the same size.

    Example:
        >>> len(tower(3))
        3
    """
    manual_seed(0)
    return nn.Sequential(*(nn.Sequential(nn.Linear(width, width), nn.Tanh()) for _ in range(depth)))


def measured(forward: Callable[[Tensor], Tensor], x: Tensor) -> Account:
    """The account of one forward and one backward pass from the sum of the result.

    Example:
        >>> import minitorch_lab as ml
        >>> measured(tower(3), ml.randn(64, 16)).ops
        {'forward': 7, 'backward': 12}
    """
    with account() as found:
        forward(x).sum().backward()
    return found
