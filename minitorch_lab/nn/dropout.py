"""Dropout: train many thinned networks at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from ..tensors.tensor import Tensor
from .functional._dropout import alpha_dropout, check_probability, dropout, dropout1d, dropout2d, dropout3d
from .module import Module


class Dropout(Module):
    """In training, zero each element with probability `p` and divide the others by `1 - p`; in evaluation, do nothing.

    The division keeps the mean of every element what it was, so evaluation needs no correction (Srivastava and others,
    Dropout: A Simple Way to Prevent Neural Networks from Overfitting, 2014). Draws from the global generator.

    Args:
        p: The probability of dropping an element, from 0 to 1.
        inplace: Write the result into the input.

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

    function: ClassVar[Callable[..., Tensor]] = staticmethod(dropout)

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        """Remember the probability."""
        super().__init__()
        check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, x: Tensor) -> Tensor:
        """A tensor in, the same shape out."""
        return type(self).function(x, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout1d(Dropout):
    """`Dropout` of whole channels of (batch, channels, length).

    Args:
        p: The probability of dropping.
        inplace: Write the result into the input.

    Raises:
        ArgumentError: `p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Dropout1d(1.0)(ml.ones(1, 2, 3)).sum().item()
        0.0
    """

    function = staticmethod(dropout1d)


class Dropout2d(Dropout):
    """`Dropout` of whole channels of images (J. Tompson and others, Efficient Object Localization, 2015).

    Args:
        p: The probability of dropping.
        inplace: Write the result into the input.

    Raises:
        ArgumentError: `p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Dropout2d(1.0)(ml.ones(1, 2, 3, 3)).sum().item()
        0.0
    """

    function = staticmethod(dropout2d)


class Dropout3d(Dropout):
    """`Dropout` of whole channels of volumes.

    Args:
        p: The probability of dropping.
        inplace: Write the result into the input.

    Raises:
        ArgumentError: `p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.Dropout3d(1.0)(ml.ones(1, 2, 3, 3, 3)).sum().item()
        0.0
    """

    function = staticmethod(dropout3d)


class AlphaDropout(Dropout):
    """Dropout for `SELU`: mean and variance stay as they are (G. Klambauer and others, 2017).

    Args:
        p: The probability of dropping.
        inplace: Write the result into the input.

    Raises:
        ArgumentError: `p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.AlphaDropout(0.5).eval()(ml.ones(2)).tolist()
        [1.0, 1.0]
    """

    function = staticmethod(alpha_dropout)
