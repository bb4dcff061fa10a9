"""Starting values for parameters, written in place: the functions of `torch.nn.init`. None of them is recorded."""

from __future__ import annotations

from math import ceil, erf, prod, sqrt
from typing import TYPE_CHECKING

from ..autograd import no_grad
from ..core.array import xp
from ..errors import ArgumentError, ShapeError
from ..ops.absent import answering
from ..ops.front import taught
from ..ops.gamma import erfinv
from ..ops.random import Generator
from ..tensors.factories import eye, zeros_like
from ..tensors.factories import tensor as as_tensor
from ..tensors.random import rand, randn
from ..tensors.tensor import Tensor

LINEAR = "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid"
GAINS = {**dict.fromkeys(LINEAR, 1.0), "tanh": 5.0 / 3.0, "relu": sqrt(2.0), "selu": 0.75}


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


def fans(name: str, tensor: Tensor) -> tuple[int, int]:
    """How many inputs each output sums over, and how many outputs each input reaches.

    Raises:
        ShapeError: The tensor is no weight of a layer.
    """
    if len(tensor.shape) < 2:
        raise ShapeError(
            f"{name} got a tensor of shape {tuple(tensor.shape)}.",
            "A weight is (outputs, inputs), or (outputs, inputs, *kernel).",
            "Did you mean nn.init.zeros_(bias)?",
        )
    kernel = prod(tensor.shape[2:])
    return tensor.shape[1] * kernel, tensor.shape[0] * kernel


def fan(name: str, tensor: Tensor, mode: str) -> int:
    """One of the two.

    Raises:
        ArgumentError: `mode` names neither.
    """
    if mode not in ("fan_in", "fan_out"):
        raise ArgumentError(f"{name} got mode={mode!r}.", 'It is "fan_in" or "fan_out".', 'Did you mean "fan_in"?')
    return fans(name, tensor)[mode == "fan_out"]


# ---- plain values ---------------------------------------------------------------------------------------------------


@taught
def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    with no_grad():
        return tensor.fill_(val)


@taught
def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


@taught
def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


@taught
def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix.

    Raises:
        ShapeError: The tensor is no matrix.
    """
    if len(tensor.shape) != 2:
        raise ShapeError(
            f"eye_ got a tensor of shape {tuple(tensor.shape)}.", "The identity is a matrix.", "Use ones_."
        )
    with no_grad():
        return tensor.copy_(eye(*tensor.shape, dtype=tensor.dtype))


@taught
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Random numbers, even in [a, b)."""
    with no_grad():
        return tensor.uniform_(a, b, generator)


@taught
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal random numbers."""
    with no_grad():
        return tensor.normal_(mean, std, generator)


@taught
def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Normal random numbers, of those between a and b.

    Args:
        tensor: What is written.
        mean: The middle of the bell curve.
        std: Its standard deviation.
        a: The lower bound.
        b: The upper bound.
        generator: Where the numbers come from; the global one if left out.

    Example:
        >>> import minitorch_lab as ml
        >>> bool((trunc_normal_(ml.zeros(100)).abs() <= 2.0).all())
        True
    """
    low, high = (erf((bound - mean) / std * sqrt(0.5)) for bound in (a, b))
    with no_grad():
        even = uniform_(zeros_like(tensor), low, high, generator)
        return tensor.copy_((erfinv(even) * (std * sqrt(2.0)) + mean).clamp(a, b))


@taught
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A 1 in the middle of the kernel from each channel to itself: a convolution that passes its input on.

    Args:
        tensor: (out, in, *kernel), of one to three kernel axes.
        groups: Into how many separate parts the channels are divided.

    Raises:
        ShapeError: It is no weight of a convolution, or groups does not divide its channels.

    Example:
        >>> import minitorch_lab as ml
        >>> dirac_(ml.ones(1, 1, 3)).tolist()
        [[[0.0, 1.0, 0.0]]]
    """
    shape = tuple(tensor.shape)
    if not 3 <= len(shape) <= 5 or shape[0] % groups:
        raise ShapeError(
            f"dirac_ got a tensor of shape {shape} and groups={groups}.",
            "A weight is (outputs, inputs, *kernel), and groups divides its outputs.",
            "Did you mean eye_? It is for matrices.",
        )
    each, middle = shape[0] // groups, tuple(n // 2 for n in shape[2:])
    with no_grad():
        tensor.zero_()
        for i in range(shape[0]):
            if i % each < shape[1]:
                tensor[(i, i % each, *middle)] = 1.0
        return tensor


@taught
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal random numbers, and zeros in a share of each column (J. Martens, 2010).

    Args:
        tensor: (outputs, inputs).
        sparsity: The share of zeros, rounded up to whole entries.
        std: The standard deviation of the others.
        generator: Where the numbers come from; the global one if left out.

    Raises:
        ShapeError: It is no matrix.

    Example:
        >>> import minitorch_lab as ml
        >>> (sparse_(ml.ones(4, 2), 0.5) == 0).sum(0).tolist()
        [2, 2]
    """
    if len(tensor.shape) != 2:
        raise ShapeError(
            f"sparse_ got a tensor of shape {tuple(tensor.shape)}.", "It counts the zeros of columns.", "Use normal_."
        )
    rows, columns = tensor.shape
    with no_grad():
        order = rand(rows, columns, generator=generator).argsort(0)
        kept = order.argsort(0) >= ceil(sparsity * rows)
        return normal_(tensor, 0.0, std, generator).mul_(kept.to(tensor.dtype))


# ---- by the size of the layer ---------------------------------------------------------------------------------------


@taught
def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Even in ±gain · √(6 / (inputs + outputs)): X. Glorot and Y. Bengio, 2010.

    Raises:
        ShapeError: The tensor has fewer than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.nn.init.xavier_uniform_(ml.zeros(3, 3))
        >>> w.abs().max().item() <= 1.0
        True
    """
    bound = gain * sqrt(6.0 / sum(fans("xavier_uniform_", tensor)))
    return uniform_(tensor, -bound, bound, generator)


@taught
def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal with the variance gain² · 2 / (inputs + outputs): X. Glorot and Y. Bengio, 2010."""
    return normal_(tensor, 0.0, gain * sqrt(2.0 / sum(fans("xavier_normal_", tensor))), generator)


@taught
def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Even in ±gain · √(3 / fan): K. He and others, Delving Deep into Rectifiers, 2015.

    Args:
        tensor: The weight, of at least two axes.
        a: The slope of a leaky relu below 0.
        mode: "fan_in" keeps the size of what flows forward, "fan_out" of what flows back.
        nonlinearity: The activation behind the layer.
        generator: Where the numbers come from; the global one if left out.

    Raises:
        ShapeError: The tensor has fewer than two axes.
        ArgumentError: There is no such mode or activation.
    """
    bound = calculate_gain(nonlinearity, a) * sqrt(3.0 / fan("kaiming_uniform_", tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


@taught
def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normal with the variance gain² / fan. Arguments as in `kaiming_uniform_`."""
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / sqrt(fan("kaiming_normal_", tensor, mode)), generator)


@taught
def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
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
    fans("orthogonal_", tensor)
    rows, columns = tensor.shape[0], prod(tensor.shape[1:])
    drawn = randn(max(rows, columns), min(rows, columns), dtype="float64", generator=generator).numpy()
    q, r = xp.linalg.qr(drawn)
    q = q * xp.sign(xp.diagonal(r))  # makes the distribution even over all such matrices
    with no_grad():
        return tensor.copy_(as_tensor((q if rows >= columns else q.T) * gain, dtype=tensor.dtype).reshape(tensor.shape))


if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.nn.init")
