"""Random tensors under PyTorch's names. Where the numbers come from stands in ops/random.py: a key and a counter.

Random numbers are drawn on the CPU and then moved, so a seed gives the same ones on every device.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log1p, pi
from typing import Any

from ..core.array import as_dtype, default_dtype, float32, float64, int64, xp
from ..errors import ArgumentError, ShapeError
from ..ops import random
from ..ops.chances import probabilities, weights
from ..ops.compare import gt, lt, where
from ..ops.elementwise import add, div, log, mul
from ..ops.front import taught
from ..ops.indexing import getitem
from ..ops.movement import cast
from ..ops.order import argsort_op
from ..ops.random import DEFAULT, Generator
from ..ops.reduce import amax_op
from ..ops.search import searchsorted_op
from .factories import finished, sizes
from .tensor import Tensor, named

# ---- the global sequence --------------------------------------------------------------------------------------------


@taught
def manual_seed(seed: int) -> Generator:
    """Start the same sequence of random numbers that `seed` always starts, in the whole process.

    Example:
        >>> _ = manual_seed(0)
        >>> a = rand(3)
        >>> _ = manual_seed(0)
        >>> bool((a == rand(3)).all())
        True
    """
    return DEFAULT.manual_seed(seed)


def get_rng_state() -> dict[str, Any]:
    """Where the global sequence of random numbers stands, as plain values that `ml.save` can write."""
    return DEFAULT.get_state()


def set_rng_state(state: dict[str, Any]) -> None:
    """Go on from where the global sequence stood.

    Example:
        >>> state = get_rng_state()
        >>> a = rand(3)
        >>> set_rng_state(state)
        >>> bool((a == rand(3)).all())
        True
    """
    DEFAULT.set_state(state)


# ---- draws ----------------------------------------------------------------------------------------------------------


@taught
def rand(
    *size: Any,
    dtype: Any = None,
    device: str | None = None,
    generator: Generator | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random numbers, even in [0, 1). Each takes one count of the generator."""
    shape, wanted = sizes("rand", size), as_dtype(dtype or default_dtype())
    return finished(random.uniform(shape=shape, dtype=wanted, generator=generator or DEFAULT), device, requires_grad)


@taught
def randn(
    *size: Any,
    dtype: Any = None,
    device: str | None = None,
    generator: Generator | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random numbers from the normal distribution with mean 0 and variance 1. Each takes one count of the generator."""
    shape, wanted = sizes("randn", size), as_dtype(dtype or default_dtype())
    return finished(random.normal(shape=shape, dtype=wanted, generator=generator or DEFAULT), device, requires_grad)


@taught
def randint(
    low: int,
    high: Any = None,
    size: Any = (),
    dtype: Any = None,
    generator: Generator | None = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random whole numbers from `low` up to, but not including, `high`; with one bound, from 0.

    Raises:
        ArgumentError: There is no such number, or the size is no tuple.
    """
    if isinstance(high, (tuple, list)):
        size, high = high, None
    if high is None:
        low, high = 0, low
    if not isinstance(size, (tuple, list)):
        raise ArgumentError(f"randint got size={size!r}.", "A size is a tuple.", f"Did you mean size=({size},)?")
    if low >= high:
        raise ArgumentError(
            f"randint got low={low} and high={high}.",
            "There is no whole number from low up to below high.",
            f"Did you mean randint({high}, {low})?" if high < low else f"Did you mean randint({low}, {low + 1})?",
        )
    shape, wanted = sizes("randint", (size,)), as_dtype(dtype or int64)
    x = random.integers(low=low, high=high, shape=shape, dtype=wanted, generator=generator or DEFAULT)
    return finished(x, device, requires_grad)


@taught
def randperm(n: int, generator: Generator | None = None, device: str | None = None) -> Tensor:
    """The numbers 0 to n - 1 in random order, int64."""
    x = random.permutation(shape=sizes("randperm", (n,)), dtype=int64, generator=generator or DEFAULT)
    return finished(x, device, False)


def drawn_like(draw: Callable[..., Tensor], name: str, what: str) -> Callable[..., Tensor]:
    """`ml.rand_like` and its kin."""

    def like(
        x: Tensor,
        generator: Generator | None = None,
        dtype: Any = None,
        device: str | None = None,
        requires_grad: bool = False,
    ) -> Tensor:
        kind, place = dtype or x.dtype, device or x.device
        return draw(*x.shape, dtype=kind, device=place, generator=generator, requires_grad=requires_grad)

    like.__name__ = like.__qualname__ = name
    like.__doc__ = f"{what} with the shape, dtype and device of `x`, unless said otherwise."
    return taught(like)


rand_like = drawn_like(rand, "rand_like", "Random numbers, even in [0, 1),")
randn_like = drawn_like(randn, "randn_like", "Normal random numbers")


@taught
def randint_like(
    x: Tensor,
    low: int,
    high: int | None = None,
    generator: Generator | None = None,
    dtype: Any = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random whole numbers from `low` up to below `high` (from 0 with one bound), with the shape and dtype of `x`.

    Raises:
        ArgumentError: There is no such number.
    """
    size = tuple(x.shape)
    last = size if high is None else high
    return randint(low, last, size, dtype or x.dtype, generator, device or x.device, requires_grad)


# ---- distributions --------------------------------------------------------------------------------------------------


@taught
def normal(
    mean: Any = 0.0,
    std: Any = 1.0,
    size: Any = None,
    generator: Generator | None = None,
    dtype: Any = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normal random numbers around `mean` with spread `std`, either of which may be a tensor; they broadcast.

    Raises:
        ArgumentError: Both are numbers and no size is given, or the spread is negative.
        ShapeError: The shapes do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> normal(ml.tensor([0.0, 100.0]), 0.0).tolist()
        [0.0, 100.0]
    """
    if isinstance(std, (int, float)) and std < 0:
        raise ArgumentError(f"normal got std={std}.", "A spread is 0 or more.", f"Did you mean std={-std}?")
    moments = [t for t in (mean, std) if isinstance(t, Tensor)]
    if not moments and size is None:
        raise ArgumentError(
            f"normal got mean={mean} and std={std}, and no size.",
            "The shape comes from the mean, from the spread or from size.",
            "Did you mean size=(3,)?",
        )
    shape = sizes("normal", (size,)) if size is not None else xp.broadcast_shapes(*(tuple(t.shape) for t in moments))
    kind = as_dtype(dtype) if dtype is not None else moments[0].dtype if moments else default_dtype()
    return finished(add(mul(randn(*shape, dtype=kind, generator=generator), std), mean), device, requires_grad)


@taught
def bernoulli(input: Tensor, generator: Generator | None = None) -> Tensor:
    """1 with the probability that stands at the same place of `input`, else 0; in its shape and dtype.

    Raises:
        ArgumentError: An entry is no probability.
        DTypeError: Whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> bernoulli(ml.tensor([0.0, 1.0])).tolist()
        [0.0, 1.0]
    """
    chances = probabilities(input, name="bernoulli")
    return cast(lt(rand_like(input, generator), chances), dtype=input.dtype)


@taught
def multinomial(
    input: Tensor, num_samples: int, replacement: bool = False, generator: Generator | None = None
) -> Tensor:
    """The numbers of `num_samples` entries, each drawn with a probability in proportion to its weight; int64.

    Without replacement the entries race: the time of each is exponential with its weight as rate, and the first ones
    to arrive are drawn (P. Efraimidis and P. Spirakis, Weighted random sampling with a reservoir, 2006).

    Shape:
        input (n) or (rows, n), not negative, no row all 0; the result is (num_samples) or (rows, num_samples). Weights
        of 0 are drawn last.

    Raises:
        ShapeError: A single number has no entries to draw; or there are more than two axes.
        DTypeError: The weights are whole numbers.
        ArgumentError: There are fewer entries than are to be drawn without replacement, or none are to be; a weight is
            negative, infinite or NaN, or a row has none above 0.

    Example:
        >>> import minitorch_lab as ml
        >>> multinomial(ml.tensor([0.0, 3.0, 0.0]), 2, replacement=True).tolist()
        [1, 1]
    """
    ndim = len(input.shape)
    if not ndim:
        raise ShapeError("multinomial got a single number.", "Its last axis counts the entries.", "Give it a vector.")
    if ndim > 2:
        raise ShapeError(
            f"multinomial got weights of shape {tuple(input.shape)}.",
            "They are a vector, or a matrix whose rows are drawn from by themselves, as in PyTorch.",
            "Did you mean multinomial(input.flatten(0, -2), ...).unflatten(0, input.shape[:-1])?",
        )
    if not replacement and num_samples > input.shape[-1]:
        raise ArgumentError(
            f"multinomial got num_samples={num_samples} for {input.shape[-1]} entries.",
            "Without replacement each entry is drawn at most once.",
            "Did you mean replacement=True?",
        )
    if num_samples < 1:
        raise ArgumentError(
            f"multinomial got num_samples={num_samples}.", "At least one is drawn.", "Did you mean num_samples=1?"
        )
    input = weights(input, name="multinomial")
    last, dtype = len(input.shape) - 1, input.dtype
    if not replacement:
        luck = rand(*input.shape, dtype=dtype, generator=generator)
        waits = gt(input, 0)
        time = div(mul(log(add(mul(luck, -1.0), 1.0)), -1.0), where(waits, input, 1.0))
        arrival = where(waits, time, inf)
        return getitem(argsort_op(arrival, axis=last, descending=False), (Ellipsis, slice(0, num_samples)))
    ends = input.cumsum(last)
    scaled = div(ends, amax_op(ends, axis=(last,), keepdims=True))
    luck = rand(*input.shape[:-1], num_samples, dtype=dtype, generator=generator)
    return searchsorted_op(scaled, luck, right=True)


# ---- in place -------------------------------------------------------------------------------------------------------


def uniform_(x: Tensor, low: float = 0.0, high: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Write random numbers, even in [low, high), in place.

    Raises:
        ArgumentError: `low` lies above `high`.
    """
    if low > high:
        raise ArgumentError(
            f"uniform_ got low={low} and high={high}.", "The numbers lie from low to high.", f"Did you mean high={low}?"
        )
    return x.copy_(add(mul(rand_like(x, generator), high - low), low))


def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Write normal random numbers, in place.

    Raises:
        ArgumentError: `std` is negative.
    """
    if std < 0:
        raise ArgumentError(
            f"normal_ got std={std}.", "A standard deviation is 0 or more.", f"Did you mean std={-std}?"
        )
    return x.copy_(add(mul(randn_like(x, generator), std), mean))


def random_(x: Tensor, low: int = 0, high: int | None = None, generator: Generator | None = None) -> Tensor:
    """Write random whole numbers from `low` up to below `high`, in place; with one bound from 0, with none to 2^24.

    Raises:
        ArgumentError: There is no such number.
    """
    first, last = (0, low or 2**24) if high is None else (low, high)
    return x.copy_(randint(first, last, tuple(x.shape), None, generator))


def exponential_(x: Tensor, lambd: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Write waiting times at the rate `lambd`, in place.

    Raises:
        ArgumentError: The rate is not above 0.
    """
    if lambd <= 0:
        raise ArgumentError(f"exponential_ got lambd={lambd}.", "A rate lies above 0.", "Did you mean lambd=1?")
    return x.copy_(div(mul(log(add(mul(rand_like(x, generator), -1.0), 1.0)), -1.0), lambd))


def geometric_(x: Tensor, p: float, generator: Generator | None = None) -> Tensor:
    """Write how many trials there are up to the first success, each of probability `p`, in place: 1, 2, 3, ...

    Raises:
        ArgumentError: `p` does not lie between 0 and 1.
    """
    if not 0 < p < 1:
        raise ArgumentError(
            f"geometric_ got p={p}.", "The probability of a success lies between 0 and 1.", "Did you mean p=0.5?"
        )
    failing = rand(*x.shape, dtype=float64, device=x.device, generator=generator) * -1.0 + 1.0  # in (0, 1]
    return x.copy_((failing.log() / log1p(-p)).floor() + 1.0)


def cauchy_(x: Tensor, median: float = 0.0, sigma: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Write numbers of the Cauchy distribution around `median`, half of them within `sigma` of it, in place.

    Raises:
        ArgumentError: `sigma` is not above 0.
    """
    if sigma <= 0:
        raise ArgumentError(f"cauchy_ got sigma={sigma}.", "A width lies above 0.", "Did you mean sigma=1.0?")
    angles = (rand_like(x, generator) - 0.5) * pi
    return x.copy_(angles.tan() * sigma + median)


def log_normal_(x: Tensor, mean: float = 1.0, std: float = 2.0, generator: Generator | None = None) -> Tensor:
    """Write numbers whose logarithms are normal with `mean` and `std`, in place.

    Raises:
        ArgumentError: `std` is not above 0.
    """
    if std <= 0:
        raise ArgumentError(
            f"log_normal_ got std={std}.", "A standard deviation lies above 0.", "Did you mean std=2.0?"
        )
    return x.copy_((randn_like(x, generator) * std + mean).exp())


def bernoulli_(x: Tensor, p: Any = 0.5, generator: Generator | None = None) -> Tensor:
    """Write 1 with probability `p`, else 0, in place. `p` is a number, or a tensor with one for each entry.

    Raises:
        ArgumentError: It is no probability.
    """
    p = probabilities(p if isinstance(p, Tensor) else Tensor(xp.asarray(p, float32)), name="bernoulli")
    return x.copy_(cast(lt(rand(*x.shape, generator=generator), p), dtype=x.dtype))


for draw in (bernoulli, multinomial):
    setattr(Tensor, draw.__name__, draw)
for write in (uniform_, normal_, random_, exponential_, geometric_, cauchy_, log_normal_, bernoulli_):
    setattr(Tensor, write.__name__, named(taught(write), write.__name__, write.__doc__ or ""))
