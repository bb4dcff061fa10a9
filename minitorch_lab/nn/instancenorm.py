"""Instance norm: each channel of each example by its own mean and variance."""

from __future__ import annotations

from typing import Any

from ..autograd import no_grad
from ..core.array import int64
from ..errors import ArgumentError, ShapeError
from ..ops.front import taught
from ..ops.norm import group_norm
from ..ops.refit import as_batch
from ..tensors.factories import ones, tensor, zeros
from ..tensors.tensor import Tensor
from .batchnorm import batch_norm
from .module import Module
from .parameter import Parameter


@taught
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel of each example with mean 0 and variance 1, then times `weight` plus `bias`.

    D. Ulyanov and others, Instance Normalization, 2016. Running averages, if given, follow the mean of the batch's.

    Shape:
        input (batch, channels, ...), all others (channels,); the result is like the input.

    Raises:
        ShapeError: There is no axis of channels.
        ArgumentError: There is one entry per channel.

    Example:
        >>> import minitorch_lab as ml
        >>> instance_norm(ml.tensor([[[1.0, 3.0]]]), eps=0.0).tolist()
        [[[-1.0, 1.0]]]
    """
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    axes = tuple(range(2, input.ndim))
    if not axes or input[0, 0].numel() < 2:
        raise ArgumentError(
            f"instance_norm got an input of shape {tuple(input.shape)}.",
            "It takes the variance over the places of one channel: there are two or more.",
            "Did you mean batch_norm? It takes it over the batch too.",
        )
    if running_mean is not None and running_var is not None:
        with no_grad():
            running_mean.mul_(1 - momentum).add_(input.mean(axes).mean(0), alpha=momentum)
            running_var.mul_(1 - momentum).add_(input.var(axes).mean(0), alpha=momentum)
    return group_norm(input, input.shape[1], weight, bias, eps)


class InstanceNorm(Module):
    """What `InstanceNorm1d`, `2d` and `3d` share: all but the ranks they take."""

    axes = 1
    weight: Tensor | None
    bias: Tensor | None
    running_mean: Tensor | None
    running_var: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Weights of 1, biases of 0, a running mean of 0 and a running variance of 1, where they are wanted."""
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        n = num_features
        self.register_parameter("weight", Parameter(ones(n, dtype=dtype)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(n, dtype=dtype)) if affine else None)
        self.register_buffer("running_mean", zeros(n, dtype=dtype) if track_running_stats else None)
        self.register_buffer("running_var", ones(n, dtype=dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", tensor(0, dtype=int64) if track_running_stats else None)

    def forward(self, x: Tensor) -> Tensor:
        """(batch, channels, ...) in, with or without the batch, the same shape out."""
        name, n = type(self).__name__, self.axes
        if x.ndim not in (n + 1, n + 2) or x.shape[-n - 1] != self.num_features:
            raise ShapeError(
                f"{name} got an input of shape {x.shape}.",
                f"It takes {n + 2} axes, or {n + 1} without a batch; axis {-n - 1} has {self.num_features} channels.",
                f"Did you mean {name}({x.shape[-n - 1]})?"
                if x.ndim in (n + 1, n + 2)
                else as_batch(tuple(x.shape), n, self.num_features),
            )
        if x.ndim == n + 1:
            return self.forward(x.unsqueeze(0)).squeeze(0)
        own = self.training or self.running_mean is None
        stats = (self.running_mean, self.running_var)
        return instance_norm(x, *stats, self.weight, self.bias, own, self.momentum, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class InstanceNorm1d(InstanceNorm):
    """Each channel of each example with mean 0 and variance 1 over its places (D. Ulyanov and others, 2016).

    Args:
        num_features: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch.
        affine: True multiplies by `weight` and adds `bias`.
        track_running_stats: True keeps running averages, and uses them in evaluation.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, length), with or without the batch, the result is like x.

    Raises:
        ShapeError: The input has other axes or channels.
        ArgumentError: There is one entry per channel.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.InstanceNorm1d(3)(ml.rand(2, 3, 4)).shape
        (2, 3, 4)
    """

    axes = 1


class InstanceNorm2d(InstanceNorm):
    """Each channel of each example with mean 0 and variance 1 over its places (D. Ulyanov and others, 2016).

    Args:
        num_features: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch.
        affine: True multiplies by `weight` and adds `bias`.
        track_running_stats: True keeps running averages, and uses them in evaluation.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, height, width), with or without the batch, the result is like x.

    Raises:
        ShapeError: The input has other axes or channels.
        ArgumentError: There is one entry per channel.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.InstanceNorm2d(3)(ml.rand(2, 3, 4, 4)).shape
        (2, 3, 4, 4)
    """

    axes = 2


class InstanceNorm3d(InstanceNorm):
    """Each channel of each example with mean 0 and variance 1 over its places (D. Ulyanov and others, 2016).

    Args:
        num_features: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch.
        affine: True multiplies by `weight` and adds `bias`.
        track_running_stats: True keeps running averages, and uses them in evaluation.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        x (batch, channels, depth, height, width), with or without the batch, the result is like x.

    Raises:
        ShapeError: The input has other axes or channels.
        ArgumentError: There is one entry per channel.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.InstanceNorm3d(3)(ml.rand(2, 3, 4, 4, 4)).shape
        (2, 3, 4, 4, 4)
    """

    axes = 3
