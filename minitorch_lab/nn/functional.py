"""The layers' work as plain functions, under PyTorch's names. Most are ops of the engine, passed on."""

from __future__ import annotations

from ..errors import ArgumentError
from ..factories import rand
from ..ops.elementwise import gelu, relu, sigmoid, softplus, tanh
from ..ops.indexing import one_hot
from ..ops.join import pad
from ..ops.linalg import linear
from ..ops.loss import cross_entropy, mse_loss
from ..ops.movement import flatten
from ..ops.reduce import log_softmax, softmax
from ..tensor import Tensor

__all__ = [
    "cross_entropy",
    "dropout",
    "flatten",
    "gelu",
    "linear",
    "log_softmax",
    "mse_loss",
    "one_hot",
    "pad",
    "relu",
    "sigmoid",
    "softmax",
    "softplus",
    "tanh",
]


def dropout(x: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Zero each element with probability `p` and divide the others by `1 - p`; without `training`, give `x` back.

    Args:
        x: Any shape, float32 or float64.
        p: The probability of dropping an element, from 0 to 1.
        training: False switches it off.

    Raises:
        ArgumentError: `p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.functional.dropout(ml.ones(3), p=1.0).tolist()
        [0.0, 0.0, 0.0]
    """
    check_probability(p)
    if not training or p == 0:
        return x
    kept = (rand(*x.shape, dtype=x.dtype) >= p).to(x.dtype)
    return x * (kept * (1.0 / (1.0 - p) if p < 1 else 0.0))


def check_probability(p: float) -> None:
    """Raise ArgumentError unless `p` is from 0 to 1."""
    if not isinstance(p, (int, float)) or not 0 <= p <= 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        hint = f"Did you mean p={p / 100:g}?" if isinstance(p, (int, float)) and 1 < p <= 100 else "Did you mean p=0.5?"  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(f"dropout got p={p!r}.", "p is the probability of dropping an element, from 0 to 1.", hint)
