"""What channels do among themselves: neighbours that damp each other, and groups that are mixed."""

from __future__ import annotations

from ...errors import ShapeError
from ...ops.front import taught
from ...ops.join import pad
from ...ops.pool import avg_pool2d
from ...tensors.tensor import Tensor


@taught
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Each entry, divided by (k + alpha · m)^beta, where m is the mean square over `size` neighbouring channels.

    Channels beyond the first and last count as zeros. A. Krizhevsky and others, ImageNet Classification, 2012.

    Args:
        input: (batch, channels, ...), with one axis more at least.
        size: How many channels damp each other: the entry's own, and as many on either side.
        alpha: How strongly.
        beta: The power.
        k: What is added.

    Raises:
        ShapeError: The input has fewer axes.

    Example:
        >>> import minitorch_lab as ml
        >>> local_response_norm(ml.tensor([[[3.0], [0.0]]]), 2, alpha=2.0, beta=0.5, k=0.0).tolist()
        [[[1.0], [0.0]]]
    """
    shape = tuple(input.shape)
    if len(shape) < 3:
        raise ShapeError(
            f"local_response_norm got an input of shape {shape}.",
            "It takes (batch, channels, ...), with one axis more at least.",
            "Did you mean x.unsqueeze(-1)?",
        )
    if not input.numel():
        return input
    squares = (input * input).reshape(shape[0], 1, shape[1], -1)
    framed = pad(squares, (0, 0, size // 2, (size - 1) // 2))
    means = avg_pool2d(framed, (size, 1), stride=1).reshape(shape)
    return input / (means * alpha + k) ** beta


@taught
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Channels dealt out like cards: those of `groups` groups by turns. X. Zhang and others, ShuffleNet, 2018.

    Args:
        input: (batch, channels, ...).
        groups: How many groups the channels are in now.

    Raises:
        ShapeError: The groups do not divide the channels.

    Example:
        >>> import minitorch_lab as ml
        >>> channel_shuffle(ml.arange(6).reshape(1, 6, 1, 1), 2).flatten().tolist()
        [0, 3, 1, 4, 2, 5]
    """
    shape = tuple(input.shape)
    if len(shape) < 3 or groups < 1 or shape[1] % groups:
        raise ShapeError(
            f"channel_shuffle got an input of shape {shape} and groups={groups}.",
            "It takes (batch, channels, ...), and the groups divide the channels.",
            "Did you mean groups=2?",
        )
    apart = input.reshape(shape[0], groups, shape[1] // groups, *shape[2:])
    return apart.transpose(1, 2).reshape(shape)


__all__ = ["channel_shuffle", "local_response_norm"]
