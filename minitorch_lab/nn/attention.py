"""Attention with several heads, and the encoder layer of a Transformer (A. Vaswani and others, 2017)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, sqrt
from typing import Any

from ..array import bool_, float32
from ..errors import ArgumentError
from ..factories import ones, zeros
from ..ops.compare import where
from ..ops.front import taught
from ..tensor import Tensor
from . import functional as F  # noqa: N812
from .dropout import Dropout
from .linear import Linear, uniform
from .module import Module
from .norm import LayerNorm
from .parameter import Parameter


def as_scores(mask: Tensor, dtype: Any) -> Tensor:
    """A mask as numbers that are added to the scores; True in a bool mask hides, as in PyTorch's layers."""
    return where(mask, -inf, zeros((), dtype=dtype, device=mask.device)) if mask.dtype == bool_ else mask


def joint_mask(
    scores: tuple[int, int], dtype: Any, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool
) -> Tensor | None:
    """All masks as one that is added to scores (batch, heads, targets, sources); None if there are none."""
    masks: list[Tensor] = []
    if is_causal and attn_mask is None:
        attn_mask = ones(*scores, dtype=bool_).triu(1)
    if attn_mask is not None:
        masks.append(as_scores(attn_mask, dtype))
    if key_padding_mask is not None:
        masks.append(as_scores(key_padding_mask, dtype).unsqueeze(1).unsqueeze(1))
    return masks[0] + masks[1] if len(masks) == 2 else masks[0] if masks else None


class MultiheadAttention(Module):
    """Attention in `num_heads` subspaces side by side, with linear maps before and after.

    Args:
        embed_dim: Width of queries, keys, values and result.
        num_heads: How many heads share that width.
        dropout: The probability of dropping an attention weight in training.
        bias: False leaves the biases of the linear maps out.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        dtype: One that holds floats.

    Shape:
        in_proj_weight (3·embed_dim, embed_dim) holds the maps of queries, keys and values one below the other;
        out_proj is a `Linear`.

    Raises:
        ArgumentError: The heads do not divide the width.
        ShapeError: The inputs do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.MultiheadAttention(8, 2, batch_first=True)
        >>> x = ml.rand(3, 5, 8)
        >>> out, weights = layer(x, x, x)
        >>> out.shape, weights.shape
        ((3, 5, 8), (3, 5, 5))
    """

    in_proj_weight: Tensor
    in_proj_bias: Tensor | None
    out_proj: Linear

    @taught
    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        batch_first: bool = False,
        dtype: object = float32,
    ) -> None:
        """Draw the weights from the global generator, as Glorot and Bengio (2010) have it; biases start at 0."""
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ArgumentError(
                f"MultiheadAttention got embed_dim={embed_dim} and num_heads={num_heads}.",
                "The heads share the width evenly.",
                f"Did you mean num_heads={next((n for n in range(max(num_heads, 1), 0, -1) if not embed_dim % n), 1)}?",
            )
        F.check_probability(dropout)
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        bound = sqrt(6.0 / (4 * embed_dim))
        self.in_proj_weight = Parameter(uniform((3 * embed_dim, embed_dim), bound, dtype))
        self.register_parameter("in_proj_bias", Parameter(zeros(3 * embed_dim, dtype=dtype)) if bias else None)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        if bias:
            self.out_proj.bias = Parameter(zeros(embed_dim, dtype=dtype))

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """What each target finds, and the weights (batch, targets, sources), averaged over the heads, if wanted.

        Args:
            query: (batch, targets, width) if `batch_first`, else (targets, batch, width).
            key: The same, with sources instead of targets.
            value: Like `key`.
            key_padding_mask: (batch, sources): bool, True where a source is hidden; or floats that are added.
            need_weights: Whether to return the weights.
            attn_mask: (targets, sources), likewise.
            is_causal: Without `attn_mask`: a target looks at no source behind its own position.
        """
        if not self.batch_first:
            query, key, value = (x.transpose(0, 1) for x in (query, key, value))
        q, k, v = (self._heads(x, i) for i, x in enumerate((query, key, value)))
        mask = joint_mask((q.shape[2], k.shape[2]), q.dtype, attn_mask, key_padding_mask, is_causal)
        weights = F.attention_weights(q, k, mask)
        mixed = F.dropout(weights, self.dropout, self.training) @ v
        out = self.out_proj(mixed.transpose(1, 2).reshape(*query.shape[:2], self.embed_dim))
        out = out if self.batch_first else out.transpose(0, 1)
        return out, weights.mean(1) if need_weights else None

    def _heads(self, x: Tensor, i: int) -> Tensor:
        """The i-th map of `x` (batch, length, width), as (batch, heads, length, width of a head)."""
        part = slice(i * self.embed_dim, (i + 1) * self.embed_dim)
        bias = None if self.in_proj_bias is None else self.in_proj_bias[part]
        mapped = F.linear(x, self.in_proj_weight[part], bias)
        return mapped.reshape(*x.shape[:2], self.num_heads, -1).transpose(1, 2)


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear maps at each position; each half is added to what came in, and normalised.

    Args:
        d_model: Width of the sequence.
        nhead: How many attention heads share it.
        dim_feedforward: Width between the two linear maps.
        dropout: The probability of dropping, in the attention and after each half.
        activation: Between the two linear maps.
        layer_norm_eps: The `eps` of the norms.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        norm_first: True normalises what goes into each half instead of what comes out.
        bias: False leaves all biases out.
        dtype: One that holds floats.

    Raises:
        ArgumentError: The heads do not divide the width, or `dropout` is no probability.
        ShapeError: The input has another width.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(ml.rand(3, 5, 8)).shape
        (3, 5, 8)
    """

    @taught
    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        dtype: object = float32,
    ) -> None:
        """Make the parts, under PyTorch's names."""
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first, dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first, self.activation = norm_first, activation
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """A sequence in, a sequence of the same shape out. The masks are those of `MultiheadAttention`."""

        def attend(x: Tensor) -> Tensor:
            found, _ = self.self_attn(x, x, x, src_key_padding_mask, False, src_mask, is_causal)
            return self.dropout1(found)

        def feed(x: Tensor) -> Tensor:
            return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        if self.norm_first:
            x = src + attend(self.norm1(src))
            return x + feed(self.norm2(x))
        x = self.norm1(src + attend(src))
        return self.norm2(x + feed(x))
