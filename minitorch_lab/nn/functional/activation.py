"""Activations as functions of a tensor: curves from the engine, and others made of its ops.

Where a curve has a kink its slope there is PyTorch's; NaN stays NaN. `inplace=True` writes the result into the input.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

from ...errors import ArgumentError, ShapeError
from ...ops import FUNCTIONS
from ...ops.activations import hardsigmoid as straight_sigmoid
from ...ops.activations import hardswish_op, silu_op
from ...ops.compare import where
from ...ops.elementwise import expm1, log, tanh
from ...ops.front import taught
from ...ops.kinks import abs
from ...ops.movement import reshape_op
from ...ops.narrow import rounded_once
from ...ops.random import DEFAULT, Generator
from ...ops.reduce import softmax
from ...tensors.random import rand
from ...tensors.tensor import Tensor

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772  # from the fixed point of mean 0 and variance 1
erf_gelu, plain_relu, sigmoid, plain_softplus = (FUNCTIONS[name] for name in ("gelu", "relu", "sigmoid", "softplus"))


def handed(x: Tensor, out: Tensor, inplace: bool) -> Tensor:
    """`out`, written into `x` if that is wanted."""
    return x.copy_(out) if inplace else out


@taught
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(x, 0), entry by entry.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([-1.0, 2.0])
        >>> relu(x, inplace=True) is x, x.tolist()
        (True, [0.0, 2.0])
    """
    return plain_relu(input) if not inplace else input.copy_(plain_relu(input))


@taught
@rounded_once
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x Φ(x), or with approximate="tanh" the curve that GPT-2 used for it.

    D. Hendrycks and K. Gimpel, Gaussian Error Linear Units, 2016.

    Raises:
        ArgumentError: There is no such approximation.

    Example:
        >>> import minitorch_lab as ml
        >>> gelu(ml.tensor([1.0]), approximate="tanh")
        tensor([0.8412])
    """
    if approximate == "none":
        return erf_gelu(input)
    if approximate != "tanh":
        raise ArgumentError(
            f"gelu got approximate={approximate!r}.", 'It is "none" or "tanh".', 'Did you mean approximate="tanh"?'
        )
    return input * 0.5 * (tanh((input + input * input * input * 0.044715) * sqrt(2.0 / pi)) + 1.0)


@taught
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """`x` held between two bounds; at them the slope is 0."""
    if input.dtype.kind in "iu":
        min_val, max_val = int(min_val), int(max_val)  # whole numbers stay whole, as in PyTorch
    return handed(
        input, where((input > min_val) & (input < max_val), input, input.detach().clamp(min_val, max_val)), inplace
    )


@taught
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(x, 0), 6)."""
    return hardtanh(input, 0.0, 6.0, inplace)


@taught
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """`x` where it is positive, else `negative_slope` · x.

    Example:
        >>> import minitorch_lab as ml
        >>> leaky_relu(ml.tensor([-1.0, 2.0]), 0.1)
        tensor([-0.1000,  2.0000])
    """
    return handed(input, where(input > 0, input, input * negative_slope), inplace)


@taught
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """`leaky_relu` whose slope is learnt: one number, or one for each channel (axis 1).

    K. He and others, Delving Deep into Rectifiers, 2015.

    Raises:
        ShapeError: There is neither one slope nor one for each channel.
    """
    n = len(input.shape)
    channels = input.shape[1] if n > 1 else 1
    if weight.numel() not in (1, channels):
        raise ShapeError(
            f"prelu got {weight.numel()} slopes for an input of shape {tuple(input.shape)}.",
            f"There is one slope, or one for each of the {channels} channels (axis 1).",
            f"Did you mean nn.PReLU({channels})?",
        )
    slope = reshape_op(weight, shape=(1, weight.numel(), *(1,) * (n - 2)) if n > 1 else (1,) * n)
    return where(input > 0, input, slope * input)


@taught
@rounded_once
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`x` where it is positive, else alpha · (eˣ - 1). D.-A. Clevert and others, 2015.

    Example:
        >>> import minitorch_lab as ml
        >>> elu(ml.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """
    below = expm1(where(input > 0, 0.0, input))  # a large x must not overflow where it is not taken
    return handed(input, where(input > 0, input, below * alpha), inplace)


@taught
@rounded_once
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu`, scaled so that mean 0 and variance 1 are kept from layer to layer. G. Klambauer and others, 2017."""
    return handed(input, elu(input, SELU_ALPHA) * SELU_SCALE, inplace)


@taught
@rounded_once
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """`elu` with x / alpha inside, so that the slope at 0 is 1 for every alpha. J. Barron, 2017."""
    return handed(input, elu(input * (1.0 / alpha)) * alpha, inplace)


@taught
@rounded_once
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x · sigmoid(x), also called swish.

    Example:
        >>> import minitorch_lab as ml
        >>> silu(ml.tensor([0.0, 1.0]))
        tensor([0.0000, 0.7311])
    """
    return handed(input, silu_op(input), inplace)


@taught
@rounded_once
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x · tanh(softplus(x)). D. Misra, 2019."""
    return handed(input, input * tanh(plain_softplus(input)), inplace)


@taught
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A straight line from 0 at -3 to 1 at 3, and constant outside: a sigmoid without exp. Any shape.

    (A. Howard and others, Searching for MobileNetV3, 2019.)

    Example:
        >>> import minitorch_lab as ml
        >>> hardsigmoid(ml.tensor([-4.0, 0.0, 1.5]))
        tensor([0.0000, 0.5000, 0.7500])
    """
    return handed(input, straight_sigmoid(input), inplace)


@taught
@rounded_once
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x · hardsigmoid(x): a `silu` without exp."""
    return handed(input, hardswish_op(input), inplace)


@taught
@rounded_once
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta x)) / beta: a smooth relu. Where beta · x is above the threshold, x itself.

    Example:
        >>> import minitorch_lab as ml
        >>> softplus(ml.tensor([0.0, 100.0]), beta=2.0)
        tensor([  0.3466, 100.0000])
    """
    if beta == 1.0 and threshold == 20.0:
        return plain_softplus(input)
    scaled = input * beta
    return where(scaled > threshold, input, plain_softplus(scaled) * (1.0 / beta))


@taught
@rounded_once
def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (abs(input) + 1.0)


@taught
@rounded_once
def logsigmoid(input: Tensor) -> Tensor:
    """log sigmoid(x), without overflow.

    Example:
        >>> import minitorch_lab as ml
        >>> logsigmoid(ml.tensor([-100.0, 0.0]))
        tensor([-100.0000,   -0.6931])
    """
    return 0.0 - plain_softplus(-input)


@taught
@rounded_once
def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - tanh(input)


@taught
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """`x`, moved towards 0 by `lambd`, and 0 where it would pass it."""
    below = where(input < -lambd, input + lambd, input.detach() * 0.0)  # NaN stays, and has no slope
    return where(input > lambd, input - lambd, below)


@taught
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """`x`, and 0 where it is between -lambd and lambd."""
    size = abs(input)
    return where(size > lambd, input, size.detach() * 0.0)  # NaN stays, and has no slope


@taught
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """`x` where it is above the threshold, else `value`."""
    return handed(input, where(input <= threshold, value, input), inplace)


@taught
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along `dim`, times the sigmoid of the second. Y. Dauphin and others, 2017.

    Raises:
        ShapeError: There is no such axis, or its length is odd.

    Example:
        >>> import minitorch_lab as ml
        >>> glu(ml.tensor([2.0, 4.0, 0.0, 0.0]))
        tensor([1., 2.])
    """
    if not input.shape or input.shape[dim] % 2:
        raise ShapeError(
            f"glu got an input of shape {tuple(input.shape)} and dim={dim}.",
            "It halves an axis, whose length is even.",
            "Make the layer before it twice as wide as the result should be.",
        )
    kept, gate = input.chunk(2, dim)
    return kept * sigmoid(gate)


@taught
def rrelu(
    input: Tensor,
    lower: float = 0.125,
    upper: float = 1.0 / 3.0,
    training: bool = False,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """`leaky_relu` whose slopes are drawn in training, evenly from `lower` to `upper`; else the slope between them."""
    if not training:
        return leaky_relu(input, (lower + upper) / 2.0, inplace)
    drawn = rand(*input.shape, dtype=input.dtype, device=input.device, generator=generator or DEFAULT)
    return handed(input, where(input >= 0, input, input * (drawn * (upper - lower) + lower)), inplace)


@taught
def softmin(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """softmax(-x) along `dim`."""
    return softmax(-(input if dtype is None else input.to(dtype)), dim)


@taught
def gumbel_softmax(
    logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1, *, generator: Generator | None = None
) -> Tensor:
    """A draw from the classes that gradients pass through: softmax((logits + noise) / tau).

    E. Jang and others, Categorical Reparameterization with Gumbel-Softmax, 2017.

    Args:
        logits: Any shape; the classes stand along `dim`.
        tau: The temperature: the smaller, the nearer to one class.
        hard: Give 0 and 1, and the gradient of the soft draw.
        dim: The axis of the classes.
        generator: Where the noise comes from; the global one if left out.

    Example:
        >>> import minitorch_lab as ml
        >>> gumbel_softmax(ml.zeros(5, 3), hard=True).sum(1).tolist()
        [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    drawn = rand(*logits.shape, dtype=logits.dtype, device=logits.device, generator=generator or DEFAULT)
    soft = softmax((logits - log(-log(drawn.clamp(1e-20, 1.0 - 1e-7)))) * (1.0 / tau), dim)
    if not hard:
        return soft
    best = soft.argmax(dim, keepdim=True)
    return (soft * 0.0).detach().scatter(dim, best, 1.0) - soft.detach() + soft


__all__ = [
    "celu", "elu", "gelu", "glu", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "leaky_relu", "logsigmoid", "mish", "prelu", "relu", "relu6", "rrelu", "selu", "sigmoid", "silu",
    "softmin", "softplus", "softshrink", "softsign", "tanh", "tanhshrink", "threshold",
]  # fmt: skip
