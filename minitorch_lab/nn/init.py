"""Starting values for parameters, written in place: the functions of `torch.nn.init`. None of them is recorded."""

from __future__ import annotations

from math import prod, sqrt

from ..array import xp
from ..autograd import no_grad
from ..errors import ArgumentError, ShapeError
from ..factories import eye, tensor
from ..ops.front import taught
from ..ops.random import Generator
from ..random import randn
from ..tensor import Tensor

GAINS = {"linear": 1.0, "conv1d": 1.0, "conv2d": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3.0, "relu": sqrt(2.0)}


@taught
def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which the weights before this activation are scaled, to keep the size of what flows through.

    Raises:
        ArgumentError: There is no such activation.

    Example:
        >>> round(calculate_gain("relu"), 4)
        1.4142
    """
    if nonlinearity == "leaky_relu":
        return sqrt(2.0 / (1.0 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in GAINS:
        raise ArgumentError(
            f"calculate_gain got {nonlinearity!r}.",
            f"It knows {', '.join(GAINS)} and leaky_relu.",
            'Did you mean "relu"?',
        )
    return GAINS[nonlinearity]


def fans(name: str, x: Tensor) -> tuple[int, int]:
    """How many inputs each output sums over, and how many outputs each input reaches.

    Raises:
        ShapeError: The tensor is no weight of a layer.
    """
    if len(x.shape) < 2:
        raise ShapeError(
            f"{name} got a tensor of shape {tuple(x.shape)}.",
            "A weight is (outputs, inputs), or (outputs, inputs, *kernel).",
            "Did you mean nn.init.zeros_(bias)?",
        )
    kernel = prod(x.shape[2:])
    return x.shape[1] * kernel, x.shape[0] * kernel


def fan(name: str, x: Tensor, mode: str) -> int:
    """One of the two.

    Raises:
        ArgumentError: `mode` names neither.
    """
    if mode not in ("fan_in", "fan_out"):
        raise ArgumentError(f"{name} got mode={mode!r}.", 'It is "fan_in" or "fan_out".', 'Did you mean "fan_in"?')
    return fans(name, x)[mode == "fan_out"]


# ---- plain values ---------------------------------------------------------------------------------------------------


@taught
def constant_(x: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    with no_grad():
        return x.fill_(val)


@taught
def zeros_(x: Tensor) -> Tensor:
    """Zeros."""
    return constant_(x, 0.0)


@taught
def ones_(x: Tensor) -> Tensor:
    """Ones."""
    return constant_(x, 1.0)


@taught
def eye_(x: Tensor) -> Tensor:
    """The identity matrix.

    Raises:
        ShapeError: The tensor is no matrix.
    """
    if len(x.shape) != 2:
        raise ShapeError(f"eye_ got a tensor of shape {tuple(x.shape)}.", "The identity is a matrix.", "Use ones_.")
    with no_grad():
        return x.copy_(eye(*x.shape, dtype=x.dtype))


@taught
def uniform_(x: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Random numbers, even in [a, b)."""
    with no_grad():
        return x.uniform_(a, b, generator)


@taught
def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal random numbers."""
    with no_grad():
        return x.normal_(mean, std, generator)


# ---- by the size of the layer ---------------------------------------------------------------------------------------


@taught
def xavier_uniform_(x: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Even in ±gain · √(6 / (inputs + outputs)): X. Glorot and Y. Bengio, 2010.

    Raises:
        ShapeError: The tensor has fewer than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.nn.init.xavier_uniform_(ml.zeros(3, 3))
        >>> w.abs().max().item() <= 1.0
        True
    """
    bound = gain * sqrt(6.0 / sum(fans("xavier_uniform_", x)))
    return uniform_(x, -bound, bound, generator)


@taught
def xavier_normal_(x: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal with the variance gain² · 2 / (inputs + outputs): X. Glorot and Y. Bengio, 2010."""
    return normal_(x, 0.0, gain * sqrt(2.0 / sum(fans("xavier_normal_", x))), generator)


@taught
def kaiming_uniform_(
    x: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Even in ±gain · √(3 / fan): K. He and others, Delving Deep into Rectifiers, 2015.

    Args:
        x: The weight, of at least two axes.
        a: The slope of a leaky relu below 0.
        mode: "fan_in" keeps the size of what flows forward, "fan_out" of what flows back.
        nonlinearity: The activation behind the layer.
        generator: Where the numbers come from; the global one if left out.

    Raises:
        ShapeError: The tensor has fewer than two axes.
        ArgumentError: There is no such mode or activation.
    """
    bound = calculate_gain(nonlinearity, a) * sqrt(3.0 / fan("kaiming_uniform_", x, mode))
    return uniform_(x, -bound, bound, generator)


@taught
def kaiming_normal_(
    x: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normal with the variance gain² / fan. Arguments as in `kaiming_uniform_`."""
    return normal_(x, 0.0, calculate_gain(nonlinearity, a) / sqrt(fan("kaiming_normal_", x, mode)), generator)


@taught
def orthogonal_(x: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """A matrix whose rows (or columns, whichever are fewer) have length `gain` and stand at right angles.

    A. Saxe, J. McClelland and S. Ganguli, Exact solutions to the nonlinear dynamics of learning, 2013. Axes after the
    first count as one.

    Raises:
        ShapeError: The tensor has fewer than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.nn.init.orthogonal_(ml.zeros(2, 5))
        >>> (w @ w.T).allclose(ml.eye(2), atol=1e-6)
        True
    """
    fans("orthogonal_", x)
    rows, columns = x.shape[0], prod(x.shape[1:])
    drawn = randn(max(rows, columns), min(rows, columns), dtype="float64", generator=generator).numpy()
    q, r = xp.linalg.qr(drawn)
    q = q * xp.sign(xp.diagonal(r))  # makes the distribution even over all such matrices
    with no_grad():
        return x.copy_(tensor((q if rows >= columns else q.T) * gain, dtype=x.dtype).reshape(x.shape))
