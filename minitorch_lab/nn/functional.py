"""The layers' work as plain functions, under PyTorch's names. Most are ops of the engine, passed on."""

from __future__ import annotations

from math import sqrt

from ..array import bool_, float32, float64, float_limits
from ..errors import ArgumentError, ShapeError
from ..factories import ones
from ..ops import FUNCTIONS
from ..ops.compare import where
from ..ops.conv import conv1d, conv2d, conv_transpose1d, conv_transpose2d
from ..ops.front import taught
from ..ops.indexing import one_hot
from ..ops.join import pad
from ..ops.linalg import linear
from ..ops.loss import cross_entropy, mse_loss
from ..ops.movement import flatten
from ..ops.narrow import rounded_once
from ..ops.norm import group_norm, layer_norm, rms_norm
from ..ops.piecewise import hardsigmoid
from ..ops.pool import avg_pool1d, avg_pool2d, max_pool1d, max_pool2d
from ..ops.random import DEFAULT, Generator, keyed_uniform
from ..ops.reduce import log_softmax, softmax
from ..ops.rows import embedding
from ..random import rand
from ..tensor import Tensor
from .batchnorm import batch_norm

__all__ = [
    "avg_pool1d", "avg_pool2d", "batch_norm", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d",
    "cross_entropy", "dropout", "embedding", "flatten", "gelu", "group_norm", "hardsigmoid", "layer_norm", "linear",
    "log_softmax", "max_pool1d", "max_pool2d", "mse_loss", "one_hot", "pad", "relu", "rms_norm",
    "scaled_dot_product_attention", "sigmoid", "softmax", "softplus", "tanh",
]  # fmt: skip

gelu, relu, sigmoid, softplus, tanh = (FUNCTIONS[name] for name in ("gelu", "relu", "sigmoid", "softplus", "tanh"))


@taught
def dropout(
    x: Tensor,
    p: float = 0.5,
    training: bool = True,
    *,
    generator: Generator | None = None,
    keys: Tensor | None = None,
) -> Tensor:
    """Zero each element with probability `p` and divide the others by `1 - p`; without `training`, give `x` back.

    Args:
        x: Any shape, of floats.
        p: The probability of dropping an element, from 0 to 1.
        training: False switches it off.
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
    return x * (kept * (1.0 / (1.0 - p) if p < 1 else 0.0))


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


@taught
@rounded_once
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Mix the values by how well each query fits their keys: softmax(query · keyᵀ · scale + mask) · value.

    A. Vaswani and others, Attention Is All You Need, 2017, section 3.2.1.

    Args:
        query: (..., targets, width).
        key: (..., sources, width).
        value: (..., sources, depth). The result is (..., targets, depth).
        attn_mask: Stretches to (..., targets, sources): bool, True where a target may look; or floats that are added.
        dropout_p: The probability with which a weight is dropped.
        is_causal: A target looks at no source behind its own position. It excludes `attn_mask`.
        scale: 1/√width if left out.

    Raises:
        ShapeError: The shapes do not fit.
        ArgumentError: A mask and `is_causal` are both given, or `dropout_p` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> ml.nn.functional.scaled_dot_product_attention(x, x, x, is_causal=True)
        tensor([[1.0000, 0.0000],
                [0.3302, 0.6698]])
    """
    if is_causal and attn_mask is not None:
        raise ArgumentError(
            "scaled_dot_product_attention got a mask and is_causal=True.",
            "is_causal makes the mask itself.",
            "Did you mean is_causal=False? Give one mask that says both.",
        )
    if is_causal:
        attn_mask = ones(query.shape[-2], key.shape[-2], dtype=bool_, device=query.device).tril()
    return dropout(attention_weights(query, key, attn_mask, scale), dropout_p) @ value


@rounded_once
def attention_weights(query: Tensor, key: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Tensor:
    """How much each target takes of each source: softmax(query · keyᵀ · scale + mask), without the values."""
    scores = query @ key.mT * (1.0 / sqrt(query.shape[-1]) if scale is None else scale)
    if mask is None:
        return softmax(scores, -1)
    if mask.dtype != bool_:
        return softmax(scores + mask, -1)
    lowest = float(float_limits(scores.dtype).min)  # not -inf: a target that may look nowhere takes 0 of each, not NaN
    return where(mask, softmax(where(mask, scores, lowest), -1), 0.0)


def check_probability(p: float) -> None:
    """Raise ArgumentError unless `p` is from 0 to 1."""
    if not isinstance(p, (int, float)) or not 0 <= p <= 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        hint = f"Did you mean p={p / 100:g}?" if isinstance(p, (int, float)) and 1 < p <= 100 else "Did you mean p=0.5?"  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(f"dropout got p={p!r}.", "p is the probability of dropping an element, from 0 to 1.", hint)
