"""Losses as modules: what `fit` and hand-written loops call on predictions and targets."""

from __future__ import annotations

from collections.abc import Callable

from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .distance import PairwiseDistance
from .function_layer import FunctionLayer


class Loss(FunctionLayer):
    """What losses share: `function(*inputs, **settings)`, and a reduction among the settings."""

    def extra_repr(self) -> str:
        """Nothing: a loss is shown by its name."""
        return ""


class CrossEntropyLoss(Loss):
    """`-log softmax(input)[target]`: how surprised the scores are by the right classes.

    Args:
        weight: (classes,): what a row counts, by its class.
        ignore_index: A class number that stands for "no class": such rows count nothing.
        reduction: "mean" over what the rows count, their "sum", or "none": one loss per row.
        label_smoothing: The part of the truth that all classes share, from 0 to 1.

    Shape:
        input (n, classes, …), of floats; target (n, …), int64 class numbers, or probabilities of the input's shape.

    Raises:
        ShapeError: The shapes do not fit, or a target is no class number.
        DTypeError: The target has a dtype that is neither.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> round(ml.nn.CrossEntropyLoss()(ml.zeros(2, 4), ml.tensor([0, 3])).item(), 4)  # log 4: none is preferred
        1.3863
    """

    function = staticmethod(F.cross_entropy)

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        """Remember the settings."""
        super().__init__()
        self.register_buffer("weight", weight)
        self.configure(weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing)


class NLLLoss(Loss):
    """`-input[target]`: the loss of log-probabilities, such as those of `LogSoftmax`.

    Args:
        weight: (classes,): what a row counts, by its class.
        ignore_index: A class number that stands for "no class": such rows count nothing.
        reduction: "mean" over what the rows count, their "sum", or "none": one loss per row.

    Shape:
        input (n, classes, …), of floats; target (n, …), int64 class numbers.

    Raises:
        ShapeError: The shapes do not fit, or a target is no class number.
        DTypeError: The target holds no classes.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.NLLLoss()(ml.tensor([[-0.5, -2.0]]), ml.tensor([1])).item()
        2.0
    """

    function = staticmethod(F.nll_loss)

    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.register_buffer("weight", weight)
        self.configure(weight=weight, ignore_index=ignore_index, reduction=reduction)


class MSELoss(Loss):
    """`(input - target) ** 2`, entry by entry.

    Args:
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MSELoss()(ml.tensor([1.0, 2.0]), ml.tensor([1.0, 4.0])).item()
        2.0
    """

    function = staticmethod(F.mse_loss)

    def __init__(self, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(reduction=reduction)


class L1Loss(Loss):
    """`|input - target|`, entry by entry.

    Args:
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.L1Loss()(ml.tensor([1.0, 2.0]), ml.tensor([1.0, 4.0])).item()
        1.0
    """

    function = staticmethod(F.l1_loss)

    def __init__(self, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(reduction=reduction)


class SmoothL1Loss(Loss):
    """A square near 0, a straight line of slope 1 beyond `beta`. R. Girshick, Fast R-CNN, 2015.

    Args:
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.
        beta: Where the line begins.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.SmoothL1Loss()(ml.tensor([0.0]), ml.tensor([3.0])).item()
        2.5
    """

    function = staticmethod(F.smooth_l1_loss)

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(reduction=reduction, beta=beta)


class HuberLoss(Loss):
    """A square near 0, a straight line of slope `delta` beyond it. P. Huber, 1964.

    Args:
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.
        delta: Where the line begins.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.HuberLoss()(ml.tensor([0.0]), ml.tensor([3.0])).item()
        2.5
    """

    function = staticmethod(F.huber_loss)

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(reduction=reduction, delta=delta)


class BCELoss(Loss):
    """`-t log p - (1 - t) log(1 - p)`, for probabilities p, such as those of `Sigmoid`.

    Args:
        weight: What each entry counts; it stretches.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> round(ml.nn.BCELoss()(ml.tensor([0.5]), ml.tensor([1.0])).item(), 4)
        0.6931
    """

    function = staticmethod(F.binary_cross_entropy)

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.register_buffer("weight", weight)
        self.configure(weight=weight, reduction=reduction)


class BCEWithLogitsLoss(Loss):
    """`BCELoss` of `sigmoid(input)`, computed without overflow.

    Args:
        weight: What each entry counts; it stretches.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.
        pos_weight: What an entry of truth 1 counts; it stretches.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.BCEWithLogitsLoss()(ml.tensor([1000.0]), ml.tensor([0.0])).item()
        1000.0
    """

    function = staticmethod(F.binary_cross_entropy_with_logits)

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean", pos_weight: Tensor | None = None) -> None:
        """Remember the settings."""
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)
        self.configure(weight=weight, reduction=reduction, pos_weight=pos_weight)


class KLDivLoss(Loss):
    """`t · (log t - input)`: how far the probabilities t are from `exp(input)`.

    Args:
        reduction: "batchmean" is the divergence; "mean" is over all entries, "sum", or "none".
        log_target: Whether the targets are logarithms.

    Shape:
        input and target have shapes that stretch to one.

    Raises:
        ShapeError: The shapes do not fit.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> loss = ml.nn.KLDivLoss(reduction="batchmean")
        >>> round(loss(ml.tensor([[0.5, 0.5]]).log(), ml.tensor([[1.0, 0.0]])).item(), 4)
        0.6931
    """

    function = staticmethod(F.kl_div)

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(reduction=reduction, log_target=log_target)


class PoissonNLLLoss(Loss):
    """The loss of a rate at a count: `exp(input) - t · input`.

    Args:
        log_input: False takes the rate itself.
        full: Add Stirling's approximation of log t!.
        eps: Keeps the logarithm of a rate finite.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.PoissonNLLLoss()(ml.tensor([0.0]), ml.tensor([2.0])).item()
        1.0
    """

    function = staticmethod(F.poisson_nll_loss)

    def __init__(self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(log_input=log_input, full=full, eps=eps, reduction=reduction)


class GaussianNLLLoss(Loss):
    """`(log v + (input - t)² / v) / 2`: the loss of a mean and a variance at a number.

    Args:
        full: Add the constant too.
        eps: The variance is this at least.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input, target and var have the same shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.GaussianNLLLoss()(ml.tensor([0.0]), ml.tensor([2.0]), ml.tensor([1.0])).item()
        2.0
    """

    function = staticmethod(F.gaussian_nll_loss)

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(full=full, eps=eps, reduction=reduction)


class SoftMarginLoss(Loss):
    """`log(1 + exp(-t · input))`, for truths of 1 and -1.

    Args:
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> round(ml.nn.SoftMarginLoss()(ml.tensor([0.0]), ml.tensor([1.0])).item(), 4)
        0.6931
    """

    function = staticmethod(F.soft_margin_loss)

    def __init__(self, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(reduction=reduction)


class HingeEmbeddingLoss(Loss):
    """`input` where the truth is 1, `max(0, margin - input)` where it is -1.

    Args:
        margin: How far apart unlike ones should be.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target have the same shape; the loss is a scalar, or has that shape.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.HingeEmbeddingLoss()(ml.tensor([0.25]), ml.tensor([-1.0])).item()
        0.75
    """

    function = staticmethod(F.hinge_embedding_loss)

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(margin=margin, reduction=reduction)


class MultiMarginLoss(Loss):
    """`Σ max(0, margin - x[t] + x[i])ᵖ` over the wrong classes, divided by the number of classes.

    Args:
        p: 1 or 2.
        margin: By how much the right class should lead.
        weight: (classes,): what a row counts, by its class.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input (n, classes); target (n,), int64.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MultiMarginLoss()(ml.tensor([[0.0, 0.0]]), ml.tensor([1])).item()
        0.5
    """

    function = staticmethod(F.multi_margin_loss)

    def __init__(self, p: int = 1, margin: float = 1.0, weight: Tensor | None = None, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.register_buffer("weight", weight)
        self.configure(p=p, margin=margin, weight=weight, reduction=reduction)


class MultiLabelSoftMarginLoss(Loss):
    """`BCEWithLogitsLoss`, averaged over the classes of each row first.

    Args:
        weight: What each entry counts; it stretches.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input and target (n, classes).

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> round(ml.nn.MultiLabelSoftMarginLoss()(ml.zeros(1, 2), ml.ones(1, 2)).item(), 4)
        0.6931
    """

    function = staticmethod(F.multilabel_soft_margin_loss)

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.register_buffer("weight", weight)
        self.configure(weight=weight, reduction=reduction)


class MarginRankingLoss(Loss):
    """`max(0, -t · (x1 - x2) + margin)`: which of two should be the larger.

    Args:
        margin: By how much.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input1, input2 and target have the same shape; a target is 1 or -1.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MarginRankingLoss()(ml.tensor([1.0]), ml.tensor([3.0]), ml.tensor([1.0])).item()
        2.0
    """

    function = staticmethod(F.margin_ranking_loss)

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(margin=margin, reduction=reduction)


class CosineEmbeddingLoss(Loss):
    """`1 - cos` where the truth is 1, `max(0, cos - margin)` where it is -1.

    Args:
        margin: The cosine that unlike ones may have.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        input1 and input2 (n, width); target (n,), of 1 and -1.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.CosineEmbeddingLoss()(ml.ones(1, 4), ml.ones(1, 4), ml.tensor([-1])).item()
        1.0
    """

    function = staticmethod(F.cosine_embedding_loss)

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(margin=margin, reduction=reduction)


class TripletMarginLoss(Loss):
    """`max(0, |a - positive| - |a - negative| + margin)`: like ones nearer than unlike ones.

    Args:
        margin: By how much.
        p: The norm of the distances.
        eps: Added to each difference.
        swap: Take the positive for the anchor where the negative is nearer to it.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        anchor, positive and negative (n, width).

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> round(ml.nn.TripletMarginLoss()(ml.zeros(1, 2), ml.zeros(1, 2), ml.zeros(1, 2)).item(), 3)
        1.0
    """

    function = staticmethod(F.triplet_margin_loss)

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False, reduction: str = "mean"
    ) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(margin=margin, p=p, eps=eps, swap=swap, reduction=reduction)


class TripletMarginWithDistanceLoss(Loss):
    """`TripletMarginLoss` with a distance of one's own.

    Args:
        distance_function: From two tensors to their distances; `PairwiseDistance` if left out.
        margin: By how much like ones are nearer.
        swap: Take the positive for the anchor where the negative is nearer to it.
        reduction: "mean" over all entries, their "sum", or "none": one loss per entry.

    Shape:
        anchor, positive and negative (n, width).

    Raises:
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> loss = ml.nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(-1), margin=0.5)
        >>> loss(ml.zeros(1, 2), ml.zeros(1, 2), ml.zeros(1, 2)).item()
        0.5
    """

    function = staticmethod(F.triplet_margin_with_distance_loss)

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        """Remember the settings."""
        super().__init__()
        distance = distance_function or PairwiseDistance()
        self.configure(distance_function=distance, margin=margin, swap=swap, reduction=reduction)


class MultiLabelMarginLoss(Loss):
    """`Σ max(0, 1 - x[t] + x[i])` over right classes t and wrong ones i, divided by the number of classes.

    Args:
        reduction: "mean" over all rows, their "sum", or "none": one loss per row.

    Shape:
        input and target (n, classes) or (classes,); a target holds class numbers, ended by -1.

    Raises:
        ShapeError: The shapes differ.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.MultiLabelMarginLoss()(ml.zeros(1, 2), ml.tensor([[1, -1]])).item()
        0.5
    """

    function = staticmethod(F.multilabel_margin_loss)

    def __init__(self, reduction: str = "mean") -> None:
        """Remember the setting."""
        super().__init__()
        self.configure(reduction=reduction)


class CTCLoss(Loss):
    """-log of the probability of labels whose places are not known: `nn.functional.ctc_loss`.

    Args:
        blank: The class that stands for no label.
        reduction: "mean" of the losses over the numbers of labels, their "sum", or "none".
        zero_infinity: A sequence that cannot hold its labels has loss 0 instead of infinity.

    Shape:
        log_probs (time, batch, classes), targets (batch, longest) or (n,), both lengths (batch,).

    Raises:
        ShapeError: The lengths are not one for each sequence.
        ArgumentError: No such reduction.

    Example:
        >>> import minitorch_lab as ml
        >>> loss = ml.nn.CTCLoss(zero_infinity=True)
        >>> loss(ml.zeros(2, 1, 3), ml.tensor([[1, 1]]), [2], [2]).item()  # no room for the blank between them
        0.0
    """

    function = staticmethod(F.ctc_loss)

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        """Remember the settings."""
        super().__init__()
        self.configure(blank=blank, reduction=reduction, zero_infinity=zero_infinity)
