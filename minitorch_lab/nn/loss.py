"""Losses as modules: what `fit` and hand-written loops call on predictions and targets."""

from __future__ import annotations

from ..ops.front import taught
from ..tensor import Tensor
from . import functional as F  # noqa: N812
from .module import Module


class CrossEntropyLoss(Module):
    """`-log softmax(scores)[target]`: how surprised the scores are by the right classes.

    Args:
        reduction: "mean" over the rows, their "sum", or "none": one loss per row.

    Shape:
        scores (n, classes), of floats; target (n,), int64 class numbers; the loss is a scalar, or (n,).

    Raises:
        ShapeError: The shapes do not fit, or a target is no class number.
        DTypeError: The target has a dtype that is neither.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> loss = ml.nn.CrossEntropyLoss()(ml.zeros(2, 4), ml.tensor([0, 3]))
        >>> round(loss.item(), 4)  # log 4: four classes, none preferred
        1.3863
    """

    @taught
    def __init__(self, reduction: str = "mean") -> None:
        """Remember how the rows are reduced."""
        super().__init__()
        self.reduction = reduction

    def forward(self, scores: Tensor, target: Tensor) -> Tensor:
        """The loss of a batch."""
        return F.cross_entropy(scores, target, self.reduction)


class MSELoss(Module):
    """`(x - target) ** 2`, element by element.

    Args:
        reduction: "mean" over all elements, their "sum", or "none": one loss per element.

    Shape:
        x and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MSELoss()(ml.tensor([1.0, 2.0]), ml.tensor([1.0, 4.0])).item()
        2.0
    """

    @taught
    def __init__(self, reduction: str = "mean") -> None:
        """Remember how the elements are reduced."""
        super().__init__()
        self.reduction = reduction

    def forward(self, x: Tensor, target: Tensor) -> Tensor:
        """The loss of a batch."""
        return F.mse_loss(x, target, self.reduction)
