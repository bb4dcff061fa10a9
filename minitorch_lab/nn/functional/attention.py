"""Attention: values mixed by how well queries fit keys."""

from __future__ import annotations

from math import sqrt

from ...core.array import bool_, float_limits
from ...errors import ArgumentError
from ...ops.compare import where
from ...ops.front import taught
from ...ops.narrow import rounded_once
from ...ops.precision import runs_in
from ...ops.reduce import softmax
from ...tensors.factories import ones
from ...tensors.tensor import Tensor
from ._dropout import dropout


@taught
@runs_in("low")
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
