"""Attention with several heads (A. Vaswani and others, Attention Is All You Need, 2017)."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

from ..core.array import bool_
from ..errors import ArgumentError, ShapeError
from ..ops.compare import where
from ..ops.join import cat, pad
from ..tensors.factories import ones, zeros
from ..tensors.random import randn
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .functional._dropout import check_probability
from .functional.attention import attention_weights
from .linear import Linear, uniform
from .module import Module
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


def check_width(owner: str, name: str, x: Tensor, setting: str, width: int) -> None:
    """Refuse sequences of another width than a layer was made for.

    Raises:
        ShapeError: They are.
    """
    if len(x.shape) not in (2, 3) or x.shape[-1] != width:
        fits = len(x.shape) in (2, 3)
        raise ShapeError(
            f"{owner} got a {name} of shape {tuple(x.shape)}, and {setting} is {width}.",
            f"Its last axis has the length {setting}; before it come those of batch and length, or that of the length.",
            f"Did you mean {owner}(..., {setting}={x.shape[-1]})?" if fits else "Compare x.shape with these axes.",
        )


class MultiheadAttention(Module):
    """Attention in `num_heads` subspaces side by side, with linear maps before and after.

    Args:
        embed_dim: Width of queries, keys, values and result.
        num_heads: How many heads share that width.
        dropout: The probability of dropping an attention weight in training.
        bias: False leaves the biases of the linear maps out.
        add_bias_kv: Put a learnt source behind the others.
        add_zero_attn: Put a source of zeros behind the others.
        kdim: Width of the keys; embed_dim if left out.
        vdim: Width of the values; embed_dim if left out.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        in_proj_weight (3·embed_dim, embed_dim) holds the maps of queries, keys and values one below the other. Where
        keys or values have another width there are q_proj_weight, k_proj_weight and v_proj_weight instead. out_proj is
        a `Linear`.

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

    in_proj_weight: Tensor | None
    q_proj_weight: Tensor | None
    k_proj_weight: Tensor | None
    v_proj_weight: Tensor | None
    in_proj_bias: Tensor | None
    out_proj: Linear
    bias_k: Tensor | None
    bias_v: Tensor | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Draw the weights from the global generator, as Glorot and Bengio (2010) have it; biases start at 0."""
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ArgumentError(
                f"MultiheadAttention got embed_dim={embed_dim} and num_heads={num_heads}.",
                "The heads share the width evenly.",
                f"Did you mean num_heads={next((n for n in range(max(num_heads, 1), 0, -1) if not embed_dim % n), 1)}?",
            )
        check_probability(dropout)
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        shapes = {"in_proj_weight": (3 * embed_dim, embed_dim)}
        if (self.kdim, self.vdim) != (embed_dim, embed_dim):
            widths = {"q": embed_dim, "k": self.kdim, "v": self.vdim}
            shapes = {f"{part}_proj_weight": (embed_dim, width) for part, width in widths.items()}
        for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_weight"):
            shape = shapes.get(name)
            drawn = None if shape is None else uniform(shape, sqrt(6.0 / sum(shape)), dtype)
            self.register_parameter(name, None if drawn is None else Parameter(drawn))
        self.register_parameter("in_proj_bias", Parameter(zeros(3 * embed_dim, dtype=dtype)) if bias else None)
        self.out_proj = Linear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        if bias:
            self.out_proj.bias = Parameter(zeros(embed_dim, dtype=dtype))
        self.add_zero_attn = add_zero_attn
        for name in ("bias_k", "bias_v"):
            drawn = randn(1, 1, embed_dim, dtype=dtype) * embed_dim**-0.5 if add_bias_kv else None
            self.register_parameter(name, None if drawn is None else Parameter(drawn))

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """What each target finds, and the weights (batch, targets, sources), averaged over the heads, if wanted.

        Args:
            query: (batch, targets, width) if `batch_first`, else (targets, batch, width).
            key: The same, with sources instead of targets.
            value: Like `key`.
            key_padding_mask: (batch, sources): bool, True where a source is hidden; or floats that are added.
            need_weights: Whether to return the weights.
            attn_mask: (targets, sources), or (batch · heads, targets, sources), likewise.
            average_attn_weights: False gives the weights of each head: (batch, heads, targets, sources).
            is_causal: Without `attn_mask`: a target looks at no source behind its own position.
        """
        for name, x, setting in (("query", query, "embed_dim"), ("key", key, "kdim"), ("value", value, "vdim")):
            check_width("MultiheadAttention", name, x, setting, getattr(self, setting))
        lone = query.ndim == 2  # no batch
        if lone:
            query, key, value = (x.unsqueeze(0) for x in (query, key, value))
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
        elif not self.batch_first:
            query, key, value = (x.transpose(0, 1) for x in (query, key, value))
        q, k, v = (self._heads(x, i) for i, x in enumerate((query, key, value)))
        if attn_mask is not None and attn_mask.ndim == 3:
            attn_mask = attn_mask.reshape(-1, self.num_heads, *attn_mask.shape[1:])
        mask = joint_mask((q.shape[2], k.shape[2]), q.dtype, attn_mask, key_padding_mask, is_causal)
        k, v, mask = self._with_more_sources(k, v, mask)
        weights = F.dropout(attention_weights(q, k, mask), self.dropout, self.training)
        out = self.out_proj((weights @ v).transpose(1, 2).reshape(*query.shape[:2], self.embed_dim))
        out = out if self.batch_first or lone else out.transpose(0, 1)
        if not need_weights:
            return (out.squeeze(0) if lone else out), None
        seen = weights.mean(1) if average_attn_weights else weights
        return (out.squeeze(0), seen.squeeze(0)) if lone else (out, seen)

    def _with_more_sources(self, k: Tensor, v: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """Keys and values with the learnt source and the source of zeros behind them, where those are wanted."""
        shape, more = (k.shape[0], k.shape[1], 1, k.shape[3]), list[tuple[Tensor, Tensor]]()
        if self.bias_k is not None and self.bias_v is not None:
            learnt = (b.reshape(1, shape[1], 1, shape[3]).expand(shape) for b in (self.bias_k, self.bias_v))
            more.append((next(learnt), next(learnt)))
        if self.add_zero_attn:
            nothing = zeros(shape, dtype=k.dtype, device=k.device)
            more.append((nothing, nothing))
        for key, value in more:
            k, v = cat([k, key], 2), cat([v, value], 2)
        return k, v, mask if mask is None or not more else pad(mask, (0, len(more)))

    def _heads(self, x: Tensor, i: int) -> Tensor:
        """The i-th map of `x` (batch, length, width), as (batch, heads, length, width of a head)."""
        part = slice(i * self.embed_dim, (i + 1) * self.embed_dim)
        bias = None if self.in_proj_bias is None else self.in_proj_bias[part]
        whole = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[i]
        weight = whole if self.in_proj_weight is None else self.in_proj_weight[part]
        mapped = F.linear(x, weight, bias)
        return mapped.reshape(*x.shape[:2], self.num_heads, -1).transpose(1, 2)
