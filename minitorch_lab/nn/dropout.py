"""Dropout: train many thinned networks at once."""

from __future__ import annotations

from ..ops.front import taught
from ..tensor import Tensor
from .functional import check_probability, dropout
from .module import Module


class Dropout(Module):
    """In training, zero each element with probability `p` and divide the others by `1 - p`; in evaluation, do nothing.

    The division keeps the mean of every element what it was, so evaluation needs no correction (Srivastava and others,
    Dropout: A Simple Way to Prevent Neural Networks from Overfitting, 2014). Draws from the global generator.

    Args:
        p: The probability of dropping an element, from 0 to 1.

    Raises:
        ArgumentError: `p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.Dropout(0.5)
        >>> sorted(set(layer(ml.ones(100)).tolist()))
        [0.0, 2.0]
        >>> set(layer.eval()(ml.ones(100)).tolist())
        {1.0}
    """

    @taught
    def __init__(self, p: float = 0.5) -> None:
        """Remember the probability."""
        super().__init__()
        check_probability(p)
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Any shape in, the same shape out."""
        return dropout(x, self.p, self.training)

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}"
