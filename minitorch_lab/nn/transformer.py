"""The layers of a Transformer, stacks of them, and the whole (A. Vaswani and others, 2017)."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from math import inf
from typing import Any

from ..errors import ArgumentError
from ..tensors.factories import full
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .attention import MultiheadAttention, check_width
from .container import ModuleList
from .dropout import Dropout
from .init import xavier_uniform_
from .linear import Linear
from .module import Module
from .norm import LayerNorm

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


def as_activation(owner: str, given: str | Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """An activation that may be given by name.

    Raises:
        ArgumentError: There is none of that name.
    """
    if callable(given):
        return given
    if given not in ACTIVATIONS:
        raise ArgumentError(
            f"{owner} got activation={given!r}.", 'It is "relu", "gelu" or a function.', "Did you mean F.silu?"
        )
    return ACTIVATIONS[given]


class TransformerEncoderLayer(Module):
    """Self-attention, then two linear maps at each position; each half is added to what came in, and normalised.

    Args:
        d_model: Width of the sequence.
        nhead: How many attention heads share it.
        dim_feedforward: Width between the two linear maps.
        dropout: The probability of dropping, in the attention and after each half.
        activation: Between the two linear maps: "relu", "gelu", or a function.
        layer_norm_eps: The `eps` of the norms.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        norm_first: True normalises what goes into each half instead of what comes out.
        bias: False leaves all biases out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ArgumentError: The heads do not divide the width, or `dropout` is no probability.
        ShapeError: The input has another width.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)(ml.rand(3, 5, 8)).shape
        (3, 5, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Make the parts, under PyTorch's names."""
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first, self.activation = norm_first, as_activation(type(self).__name__, activation)
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
        check_width(type(self).__name__, "src", src, "d_model", self.self_attn.embed_dim)

        def attend(x: Tensor) -> Tensor:
            found, _ = self.self_attn(x, x, x, src_key_padding_mask, False, src_mask, is_causal=is_causal)
            return self.dropout1(found)

        def feed(x: Tensor) -> Tensor:
            return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        if self.norm_first:
            x = src + attend(self.norm1(src))
            return x + feed(self.norm2(x))
        x = self.norm1(src + attend(src))
        return self.norm2(x + feed(x))


class TransformerEncoder(Module):
    """`num_layers` copies of an encoder layer, one after the other.

    Args:
        encoder_layer: What is copied.
        num_layers: How many copies.
        norm: What stands at the end, if anything.
        enable_nested_tensor: PyTorch's choice of a kernel; it changes nothing here.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        >>> ml.nn.TransformerEncoder(layer, num_layers=3)(ml.rand(2, 5, 8)).shape
        (2, 5, 8)
    """

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True
    ) -> None:
        """Copy the layer."""
        super().__init__()
        self.layers = ModuleList([deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """A sequence in, a sequence of the same shape out. The masks are those of `MultiheadAttention`."""
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, is_causal)
        return src if self.norm is None else self.norm(src)


class TransformerDecoderLayer(Module):
    """Self-attention, attention to a memory, then two linear maps; each part is added to what came in, and normalised.

    Args:
        d_model: Width of the sequence and of the memory.
        nhead: How many attention heads share it.
        dim_feedforward: Width between the two linear maps.
        dropout: The probability of dropping, in the attention and after each part.
        activation: Between the two linear maps: "relu", "gelu", or a function.
        layer_norm_eps: The `eps` of the norms.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        norm_first: True normalises what goes into each part instead of what comes out.
        bias: False leaves all biases out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ArgumentError: The heads do not divide the width, or `dropout` is no probability.
        ShapeError: The input has another width.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        >>> layer(ml.rand(3, 5, 8), ml.rand(3, 7, 8)).shape
        (3, 5, 8)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Make the parts, under PyTorch's names."""
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, dtype=dtype)
        self.norm_first, self.activation = norm_first, as_activation("TransformerDecoderLayer", activation)
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype)
        self.dropout1, self.dropout2, self.dropout3 = Dropout(dropout), Dropout(dropout), Dropout(dropout)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """A sequence and a memory in, a sequence of the same shape out. The masks are those of `MultiheadAttention`."""
        for name, x in (("tgt", tgt), ("memory", memory)):
            check_width(type(self).__name__, name, x, "d_model", self.self_attn.embed_dim)

        def attend(x: Tensor) -> Tensor:
            found, _ = self.self_attn(x, x, x, tgt_key_padding_mask, False, tgt_mask, is_causal=tgt_is_causal)
            return self.dropout1(found)

        def look(x: Tensor) -> Tensor:
            found, _ = self.multihead_attn(
                x, memory, memory, memory_key_padding_mask, False, memory_mask, is_causal=memory_is_causal
            )
            return self.dropout2(found)

        def feed(x: Tensor) -> Tensor:
            return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        if self.norm_first:
            x = tgt + attend(self.norm1(tgt))
            x = x + look(self.norm2(x))
            return x + feed(self.norm3(x))
        x = self.norm1(tgt + attend(tgt))
        x = self.norm2(x + look(x))
        return self.norm3(x + feed(x))


class TransformerDecoder(Module):
    """`num_layers` copies of a decoder layer, one after the other, with one memory.

    Args:
        decoder_layer: What is copied.
        num_layers: How many copies.
        norm: What stands at the end, if anything.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.TransformerDecoderLayer(8, 2, 16, batch_first=True)
        >>> ml.nn.TransformerDecoder(layer, num_layers=2)(ml.rand(2, 5, 8), ml.rand(2, 3, 8)).shape
        (2, 5, 8)
    """

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        """Copy the layer."""
        super().__init__()
        self.layers = ModuleList([deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """A sequence and a memory in, a sequence of the same shape out. The masks are those of `MultiheadAttention`."""
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        for layer in self.layers:
            tgt = layer(tgt, memory, *masks, tgt_is_causal, memory_is_causal)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Module):
    """An encoder, and a decoder that looks at what it made.

    Args:
        d_model: Width of both sequences.
        nhead: How many attention heads share it.
        num_encoder_layers: How many layers the encoder has.
        num_decoder_layers: How many the decoder has.
        dim_feedforward: Width between the two linear maps of a layer.
        dropout: The probability of dropping.
        activation: Between the two linear maps: "relu", "gelu", or a function.
        layer_norm_eps: The `eps` of the norms.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        norm_first: True normalises what goes into each part instead of what comes out.
        bias: False leaves all biases out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ArgumentError: The heads do not divide the width, or `dropout` is no probability.

    Example:
        >>> import minitorch_lab as ml
        >>> model = ml.nn.Transformer(8, 2, 1, 1, 16, batch_first=True)
        >>> model(ml.rand(3, 7, 8), ml.rand(3, 5, 8)).shape
        (3, 5, 8)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Callable[[Tensor], Tensor] = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Make the parts; weights start as Glorot and Bengio (2010) have it."""
        super().__init__()
        shared: tuple[Any, ...] = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        shared = (*shared, batch_first, norm_first, bias, dtype)
        ends = [LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype) for _ in range(2)]
        self.encoder = TransformerEncoder(TransformerEncoderLayer(*shared), num_encoder_layers, ends[0])
        self.decoder = TransformerDecoder(TransformerDecoderLayer(*shared), num_decoder_layers, ends[1])
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        for parameter in self.parameters():
            if parameter.ndim > 1:
                xavier_uniform_(parameter)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool = False,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Two sequences in, one of the shape of the second out. The masks are those of `MultiheadAttention`."""
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        masks = (tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return self.decoder(tgt, memory, *masks, tgt_is_causal, memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """What is added to scores so that no target looks behind its own position: (sz, sz), 0 and -inf.

        Example:
            >>> import minitorch_lab as ml
            >>> ml.nn.Transformer.generate_square_subsequent_mask(2).tolist()
            [[0.0, -inf], [0.0, 0.0]]
        """
        return full((sz, sz), -inf, dtype=dtype, device=device).triu(1)
