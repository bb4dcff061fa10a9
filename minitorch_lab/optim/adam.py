"""Adam: a step size of its own for every element."""

from __future__ import annotations

from math import sqrt
from typing import Any, Unpack

from ..errors import ArgumentError
from ..ops.front import taught
from ..tensors.factories import zeros_like
from ..tensors.tensor import Tensor
from .optimizer import Group, Optimizer, Parameters, at_least_zero
from .options import Options, checked


class Adam(Optimizer):
    """Divide the mean of the recent gradients by the root of their mean square, element by element.

    For each parameter p with gradient g, at step t = 1, 2, ...:

        g ← g + weight_decay · p
        m ← β₁ m + (1 - β₁) g            v ← β₂ v + (1 - β₂) g²            (both start at zero)
        p ← p - lr · m̂ / (√v̂ + eps),     m̂ = m / (1 - β₁ᵗ),  v̂ = v / (1 - β₂ᵗ)

    The divisions by 1 - βᵗ take out the zero that m and v start from (Kingma and Ba, Adam: A Method for Stochastic
    Optimization, 2015, algorithm 1). The first step is therefore about `lr` in every element.

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        betas: β₁ and β₂, each at least 0 and less than 1.
        eps: Keeps the division finite.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        amsgrad: Divide by the largest v̂ so far (S. Reddi and others, On the Convergence of Adam and Beyond, 2018).
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is out of range.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0, 1.0], requires_grad=True)
        >>> optimizer = ml.optim.Adam([w], lr=0.5)
        >>> (w * ml.tensor([100.0, -0.01])).sum().backward()
        >>> optimizer.step()
        >>> [round(x, 3) for x in w.tolist()]  # gradients 100 and -0.01: both move by lr
        [0.5, 1.5]
    """

    kernels = ("capturable", "fused")

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad}
        super().__init__(params, {**settings, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        owner = type(self).__name__
        at_least_zero(owner, group, "lr", "eps", "weight_decay")
        betas = group["betas"]
        if len(betas) != 2 or not all(0 <= beta < 1 for beta in betas):
            raise ArgumentError(
                f"{owner} got betas={betas!r}.",
                "The betas are two numbers, each at least 0 and less than 1.",
                "Did you mean (0.9, 0.999)?",
            )

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        beta1, beta2 = group["betas"]
        if group["weight_decay"]:
            grad = grad + parameter * group["weight_decay"]
        if not state:
            state.update(step=0, exp_avg=zeros_like(parameter), exp_avg_sq=zeros_like(parameter))
        state["step"] += 1
        m, v, t = state["exp_avg"], state["exp_avg_sq"], state["step"]
        m.mul_(beta1).add_(grad, alpha=1 - beta1)
        v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
        if group["amsgrad"]:
            if "max_exp_avg_sq" not in state:
                state["max_exp_avg_sq"] = zeros_like(parameter)
            v = state["max_exp_avg_sq"].copy_(state["max_exp_avg_sq"].maximum(v))
        scale = v.sqrt().div_(sqrt(1 - beta2**t)).add_(group["eps"])
        parameter.sub_(m / scale, alpha=group["lr"] / (1 - beta1**t))
