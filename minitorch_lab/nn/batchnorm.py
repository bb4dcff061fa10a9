"""Batch normalisation: by the batch's own mean and variance in training, by their running averages in evaluation."""

from __future__ import annotations

from typing import Any

from ..autograd import no_grad
from ..core.array import int64
from ..errors import ArgumentError, ShapeError
from ..ops.elementwise import sqrt
from ..ops.front import taught
from ..ops.norm import affine, along_channels, batch_standardize, channel_axes
from ..ops.reduce import mean, var
from ..tensors.factories import ones, tensor, zeros
from ..tensors.tensor import Tensor
from .module import Module
from .parameter import Parameter


@taught
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel with mean 0 and variance 1, then times `weight` plus `bias`.

    In training the mean and variance are the batch's, and the running ones move towards them in place by the part
    `momentum`; the running variance is the corrected one, over n - 1. In evaluation the running ones are used.

    Shape:
        input (batch, channels, ...), all others (channels,); the result is like the input.
        (S. Ioffe and C. Szegedy, Batch Normalization, 2015.)

    Raises:
        ShapeError: There is no axis of channels.
        ArgumentError: There is one entry per channel in training, or no running statistics in evaluation.

    Example:
        >>> import minitorch_lab as ml
        >>> mean, var = ml.zeros(1), ml.ones(1)
        >>> out = batch_norm(ml.tensor([[1.0], [3.0]]), mean, var, training=True, momentum=0.5, eps=0.0)
        >>> out.tolist(), mean.tolist(), var.tolist()
        ([[-1.0], [1.0]], [1.0], [1.5])
    """
    if training:
        out = batch_standardize(input, weight, bias, eps)
        if running_mean is not None and running_var is not None:
            follow(input, running_mean, running_var, momentum)
        return out
    if running_mean is None or running_var is None:
        raise ArgumentError(
            "batch_norm got no running statistics and training=False.",
            "Evaluation uses the running mean and variance; training uses the batch's.",
            "Did you mean training=True?",
        )
    n = len(input.shape)
    channel_axes("batch_norm", tuple(input.shape))
    centred = input - along_channels(running_mean, n)
    even = centred / along_channels(sqrt(running_var + eps), n)
    return affine(even, along_channels(weight, n), along_channels(bias, n))


def follow(input: Tensor, running_mean: Tensor, running_var: Tensor, momentum: float) -> None:
    """Move the running statistics towards those of the batch."""
    axis = channel_axes("batch_norm", tuple(input.shape))
    with no_grad():
        running_mean.mul_(1 - momentum).add_(mean(input, axis), alpha=momentum)
        running_var.mul_(1 - momentum).add_(var(input, axis), alpha=momentum)


class BatchNorm(Module):
    """What `BatchNorm1d` and `BatchNorm2d` share: all but the ranks they take."""

    ranks: tuple[int, ...] = ()
    weight: Tensor | None
    bias: Tensor | None
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
        device: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        """Weights of 1, biases of 0, a running mean of 0 and a running variance of 1."""
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        n = num_features
        self.register_parameter("weight", Parameter(ones(n, dtype=dtype)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(n, dtype=dtype)) if affine and bias else None)
        self.register_buffer("running_mean", zeros(n, dtype=dtype) if track_running_stats else None)
        self.register_buffer("running_var", ones(n, dtype=dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", tensor(0, dtype=int64) if track_running_stats else None)

    def reset_running_stats(self) -> None:
        """Forget the batches: a running mean of 0 and a running variance of 1."""
        for buffer, start in ((self.running_mean, 0), (self.running_var, 1), (self.num_batches_tracked, 0)):
            if buffer is not None:
                buffer.fill_(start)

    def remedy(self, shape: tuple[int, ...]) -> str:
        """What fits together with an input of `shape`, which this layer does not take."""
        n, channels = len(shape), self.num_features
        if n in self.ranks and n > 2 and shape[-1] == channels:
            return f"Did you mean x.permute{(0, n - 1, *range(1, n - 1))}? Channels come right after the batch."
        if n in self.ranks:
            return f"Did you mean {type(self).__name__}({shape[1]})?"
        if n == 1 and 2 in self.ranks:
            return f"Give it a batch, (batch, {channels}): one example has no variance."
        if n + 1 in self.ranks and shape[:1] == (channels,):
            return "Did you mean x.unsqueeze(0)? It is a batch of one."
        return f"BatchNorm{max(n - 2, 1)}d takes {n} axes." if 2 <= n <= 5 else "Compare the number of axes."

    def forward(self, x: Tensor) -> Tensor:
        """(batch, channels, ...) in, the same shape out."""
        name = type(self).__name__
        if x.ndim not in self.ranks or x.shape[1] != self.num_features:
            raise ShapeError(
                f"{name} got an input of shape {x.shape}.",
                f"It takes {' or '.join(map(str, self.ranks))} axes; axis 1 counts its {self.num_features} channels.",
                self.remedy(x.shape),
            )
        momentum = self.momentum or 0.0
        if self.training and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            momentum = 1.0 / self.num_batches_tracked.item() if self.momentum is None else self.momentum
        own = self.training or self.running_mean is None
        stats = (self.running_mean, self.running_var)
        return batch_norm(x, *stats, self.weight, self.bias, own, momentum, self.eps)

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(BatchNorm):
    """Each channel with mean 0 and variance 1 over the batch (and all places), then times `weight` plus `bias`.

    In training by the statistics of the batch, which running averages follow; in evaluation by those averages
    (S. Ioffe and C. Szegedy, Batch Normalization, 2015).

    Args:
        num_features: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch; None makes them plain means of all batches.
        affine: False leaves `weight` and `bias` out.
        track_running_stats: False keeps no averages: evaluation uses the batch too.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels) or (batch, channels, length), the result is like x.

    Raises:
        ShapeError: The input has other axes or channels.
        ArgumentError: There is one entry per channel in training.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.BatchNorm1d(2)
        >>> layer(ml.tensor([[0.0, 10.0], [2.0, 30.0]])).shape, layer.running_mean
        ((2, 2), tensor([0.1000, 2.0000]))
    """

    ranks = (2, 3)


class BatchNorm2d(BatchNorm):
    """`BatchNorm1d` for images.

    Args:
        num_features: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch; None makes them plain means of all batches.
        affine: False leaves `weight` and `bias` out.
        track_running_stats: False keeps no averages: evaluation uses the batch too.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels, height, width), the result is like x.

    Raises:
        ShapeError: The input has other axes or channels.
        ArgumentError: There is one entry per channel in training.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.BatchNorm2d(3)(ml.rand(2, 3, 4, 4)).shape
        (2, 3, 4, 4)
    """

    ranks = (4,)


class BatchNorm3d(BatchNorm):
    """`BatchNorm1d` for volumes.

    Args:
        num_features: How many channels there are.
        eps: Added to the variance, which keeps the division finite.
        momentum: How far the running averages move towards each batch; None makes them plain means of all batches.
        affine: False leaves `weight` and `bias` out.
        track_running_stats: False keeps no averages: evaluation uses the batch too.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.
        bias: False leaves only the bias out.

    Shape:
        x (batch, channels, depth, height, width), the result is like x.

    Raises:
        ShapeError: The input has other axes or channels.
        ArgumentError: There is one entry per channel in training.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.BatchNorm3d(3)(ml.rand(2, 3, 4, 4, 4)).shape
        (2, 3, 4, 4, 4)
    """

    ranks = (5,)
