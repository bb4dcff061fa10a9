"""Dropout: entries, channels or all that is in them, left out by chance."""

from __future__ import annotations

from math import sqrt
from numbers import Real

from ...core.array import float32, float64
from ...errors import ArgumentError, ShapeError
from ...ops.compare import where
from ...ops.front import taught
from ...ops.meant import shown
from ...ops.random import DEFAULT, Generator, keyed_uniform
from ...tensors.random import rand
from ...tensors.tensor import Tensor

SELU_FLOOR = -1.7580993408473766  # where selu ends on the left: what alpha dropout puts in place of an entry


@taught
def dropout(
    x: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
    keys: Tensor | None = None,
) -> Tensor:
    """Zero each element with probability `p` and divide the others by `1 - p`; without `training`, give `x` back.

    Args:
        x: Any shape, of floats.
        p: The probability of dropping an element, from 0 to 1.
        training: False switches it off.
        inplace: Write the result into `x`.
        generator: Where the numbers come from; the global one if left out.
        keys: One whole number for each example: int64 of the shape of the first axes of `x`. The mask of an example
            then depends on its key, on the generator's key and on how often the generator was used, and not on its
            place in the batch or on the other examples.

    Raises:
        ArgumentError: `p` is no probability.
        ShapeError: The keys do not number the examples.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.functional.dropout(ml.ones(3), p=1.0).tolist()
        [0.0, 0.0, 0.0]
        >>> x, keys = ml.ones(3, 8), ml.tensor([10, 11, 12])
        >>> whole = dropout(x, keys=keys, generator=ml.Generator(0))
        >>> dropout(x[2:], keys=keys[2:], generator=ml.Generator(0)).equal(whole[2:])
        True
    """
    check_probability(p)
    if not training or p == 0:
        return x
    kept = (luck(x, generator or DEFAULT, keys) >= p).to(x.dtype)
    out = x * (kept * (1.0 / (1.0 - p) if p < 1 else 0.0))
    return x.copy_(out) if inplace else out


def luck(x: Tensor, generator: Generator, keys: Tensor | None) -> Tensor:
    """An even deviate for each element of `x`: from one sequence, or from one for each key.

    Raises:
        ShapeError: The keys do not number the examples.
    """
    dtype = float64 if x.dtype == float64 else float32
    if keys is None:
        return rand(*x.shape, dtype=dtype, device=x.device, generator=generator)
    n = len(keys.shape)
    if tuple(keys.shape) != tuple(x.shape[:n]):
        raise ShapeError(
            f"dropout got keys of shape {tuple(keys.shape)} for an input of shape {tuple(x.shape)}.",
            "There is one key for each example: the shapes agree on the first axes.",
            f"Did you mean keys=ml.arange({x.shape[0] if x.shape else 1})?",
        )
    return keyed_uniform(keys, shape=tuple(x.shape[n:]), dtype=dtype, generator=generator)


def without_channels(
    name: str, x: Tensor, p: float, training: bool, inplace: bool, ranks: tuple[int, ...], generator: Generator | None
) -> Tensor:
    """Dropout of whole channels: one draw for each of the first two axes, or of the first one without a batch.

    Raises:
        ArgumentError: `p` is no probability.
        ShapeError: The input has other ranks.
    """
    check_probability(p)
    n = len(x.shape)
    if n not in ranks:
        raise ShapeError(
            f"{name} got an input of shape {tuple(x.shape)}.",
            f"It drops channels, of inputs with {' or '.join(map(str, ranks))} axes.",
            "Did you mean dropout? It drops entries, of any shape.",
        )
    if not training or p == 0:
        return x
    channels = tuple(x.shape)[: 1 if n == ranks[0] and len(ranks) > 1 else 2]
    dtype = float64 if x.dtype == float64 else float32
    drawn = rand(*channels, *(1,) * (n - len(channels)), dtype=dtype, device=x.device, generator=generator or DEFAULT)
    out = x * ((drawn >= p).to(x.dtype) * (1.0 / (1.0 - p) if p < 1 else 0.0))
    return x.copy_(out) if inplace else out


@taught
def dropout1d(
    x: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False, *, generator: Generator | None = None
) -> Tensor:
    """Zero whole channels of (batch, channels, length), or of (channels, length), with probability `p`.

    Raises:
        ArgumentError: `p` is no probability.
        ShapeError: The input has other ranks.
    """
    return without_channels("dropout1d", x, p, training, inplace, (2, 3), generator)


@taught
def dropout2d(
    x: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False, *, generator: Generator | None = None
) -> Tensor:
    """Zero whole channels of (batch, channels, height, width) with probability `p`, and divide the others by 1 - p.

    Neighbours in an image are alike, so to drop single entries hides little (J. Tompson and others, 2015).

    Raises:
        ArgumentError: `p` is no probability.
        ShapeError: The input has other ranks.

    Example:
        >>> import minitorch_lab as ml
        >>> image = ml.nn.functional.dropout2d(ml.ones(1, 50, 2, 2))
        >>> sorted(set(image.sum((2, 3)).flatten().tolist()))
        [0.0, 8.0]
    """
    return without_channels("dropout2d", x, p, training, inplace, (3, 4), generator)


@taught
def dropout3d(
    x: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False, *, generator: Generator | None = None
) -> Tensor:
    """Zero whole channels of (batch, channels, depth, height, width) with probability `p`.

    Raises:
        ArgumentError: `p` is no probability.
        ShapeError: The input has other ranks.
    """
    return without_channels("dropout3d", x, p, training, inplace, (4, 5), generator)


@taught
def alpha_dropout(
    x: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False, *, generator: Generator | None = None
) -> Tensor:
    """Put the floor of `selu` in place of entries, then shift and scale: mean and variance stay 0 and 1.

    G. Klambauer and others, Self-Normalizing Neural Networks, 2017.

    Raises:
        ArgumentError: `p` is no probability.
    """
    check_probability(p)
    if not training or p == 0:
        return x
    if p == 1:
        return x * 0.0
    scale = 1.0 / sqrt((1.0 - p) * (1.0 + p * SELU_FLOOR**2))
    out = where(luck(x, generator or DEFAULT, None) >= p, x, SELU_FLOOR) * scale - scale * p * SELU_FLOOR
    return x.copy_(out) if inplace else out


def check_probability(p: float) -> None:
    """Raise ArgumentError unless `p` is from 0 to 1."""
    if not isinstance(p, Real) or not 0 <= p <= 1:
        beyond = isinstance(p, Real) and 2 <= p <= 100
        hint = f"Did you mean p={p / (10 if p < 10 else 100):g}?" if beyond else "Did you mean p=0.5?"
        raise ArgumentError(
            f"dropout got p={shown(p)}.", "p is the probability of dropping an element, from 0 to 1.", hint
        )
