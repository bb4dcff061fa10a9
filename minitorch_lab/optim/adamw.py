"""AdamW: Adam whose pull towards zero does not pass through the running means."""

from __future__ import annotations

from typing import Any, Unpack

from ..ops.front import taught
from ..tensors.tensor import Tensor
from .adam import Adam
from .optimizer import Group, Parameters
from .options import Options


class AdamW(Adam):
    """Shrink every parameter by `lr · weight_decay`, then take the step of Adam without decay.

    In Adam the decay is part of the gradient, so elements with large gradients are hardly pulled; here all are pulled
    alike (I. Loshchilov and F. Hutter, Decoupled Weight Decay Regularization, 2019, algorithm 2).

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        betas: β₁ and β₂, each at least 0 and less than 1.
        eps: Keeps the division finite.
        weight_decay: Strength of the pull towards zero.
        amsgrad: Divide by the largest v̂ so far.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is out of range.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0, 100.0], requires_grad=True)
        >>> optimizer = ml.optim.AdamW([w], lr=0.5, weight_decay=0.1)
        >>> (w * 0.0).sum().backward()
        >>> optimizer.step()
        >>> w.tolist()  # no gradient: both shrink by 5 %
        [0.949999988079071, 95.0]
    """

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
        super().update(parameter, grad, state, {**group, "weight_decay": 0.0})
