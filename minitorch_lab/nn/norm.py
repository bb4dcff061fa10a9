"""Norms that treat every example alike, in training and evaluation: layer, group and RMS norm."""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentError
from ..tensors.factories import ones, zeros
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .function_layer import FunctionLayer
from .module import Module
from .parameter import Parameter


def lengths(normalized_shape: Any) -> tuple[int, ...]:
    """A shape that may be given as one number."""
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


class LayerNorm(Module):
    """Each example with mean 0 and variance 1 over its last axes, then times `weight` plus `bias`.

    J. Ba, J. Kiros and G. Hinton, Layer Normalization, 2016.

    Args:
        normalized_shape: The lengths of the last axes, or the length of the last one.
        eps: Added to the variance, which keeps the division finite.
        elementwise_affine: False leaves `weight` and `bias` out.
        bias: False leaves the bias out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (..., *normalized_shape), weight and bias of `normalized_shape`, the result is like x.

    Raises:
        ShapeError: The last axes of the input are others.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LayerNorm(3, eps=0.0)(ml.tensor([[1.0, 2.0, 3.0]]))
        tensor([[-1.2247,  0.0000,  1.2247]], grad_fn=<AddBackward>)
    """

    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Weights of 1 and biases of 0."""
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = lengths(normalized_shape), eps, elementwise_affine
        shape = self.normalized_shape
        self.register_parameter("weight", Parameter(ones(shape, dtype=dtype)) if elementwise_affine else None)
        self.register_parameter("bias", Parameter(zeros(shape, dtype=dtype)) if elementwise_affine and bias else None)

    def forward(self, x: Tensor) -> Tensor:
        """(..., *normalized_shape) in, the same shape out."""
        return F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        settings = f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        return f"{settings}, bias={self.bias is not None}"


class RMSNorm(Module):
    """Each example divided by its root mean square over the last axes, then times `weight`.

    B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, 2019.

    Args:
        normalized_shape: The lengths of the last axes, or the length of the last one.
        eps: Added to the mean square; without it, the spacing of the dtype at 1.
        elementwise_affine: False leaves `weight` out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (..., *normalized_shape), weight of `normalized_shape`, the result is like x.

    Raises:
        ShapeError: The last axes of the input are others.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.RMSNorm(2)(ml.tensor([[3.0, 4.0]])).tolist()[0][1] > 1.13
        True
    """

    weight: Tensor | None

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Weights of 1."""
        super().__init__()
        self.normalized_shape, self.eps, self.elementwise_affine = lengths(normalized_shape), eps, elementwise_affine
        shape = self.normalized_shape
        self.register_parameter("weight", Parameter(ones(shape, dtype=dtype)) if elementwise_affine else None)

    def forward(self, x: Tensor) -> Tensor:
        """(..., *normalized_shape) in, the same shape out."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Each group of channels of each example with mean 0 and variance 1, then times `weight` plus `bias` by channel.

    Unlike batch norm it does not depend on the other examples (Y. Wu and K. He, Group Normalization, 2018).

    Args:
        num_groups: Into how many groups the channels are divided.
        num_channels: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        affine: False leaves `weight` and `bias` out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels, ...), weight and bias (channels,), the result is like x.

    Raises:
        ArgumentError: The groups do not divide the channels.
        ShapeError: The input has other channels.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.GroupNorm(2, 4)(ml.rand(5, 4, 8, 8)).shape
        (5, 4, 8, 8)
    """

    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        dtype: Any = None,
        device: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        """Weights of 1 and biases of 0."""
        super().__init__()
        if num_groups < 1 or num_channels % num_groups:
            raise ArgumentError(
                f"GroupNorm got num_groups={num_groups} and num_channels={num_channels}.",
                "The groups divide the channels evenly.",
                f"Did you mean GroupNorm({num_channels}, {num_groups})? The groups come first."
                if num_groups > num_channels
                else "Did you mean num_groups=1? It normalises all channels together.",
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.register_parameter("weight", Parameter(ones(num_channels, dtype=dtype)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_channels, dtype=dtype)) if affine and bias else None)

    def forward(self, x: Tensor) -> Tensor:
        """(batch, channels, ...) in, the same shape out."""
        return F.group_norm(x, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        bias = self.bias is not None
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={bias}"


class LocalResponseNorm(FunctionLayer):
    """Neighbouring channels damp each other: `nn.functional.local_response_norm`.

    Args:
        size: How many channels damp each other.
        alpha: How strongly.
        beta: The power.
        k: What is added to the mean square.

    Shape:
        x (batch, channels, ...), with one axis more at least; the result is like x.

    Raises:
        ShapeError: The input has fewer axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.LocalResponseNorm(2)(ml.rand(5, 4, 8, 8)).shape
        (5, 4, 8, 8)
    """

    function = staticmethod(F.local_response_norm)

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(size=size, alpha=alpha, beta=beta, k=k)

    def extra_repr(self) -> str:
        """The settings."""
        return super().extra_repr().removeprefix("size=")
