"""ASGD: gradient descent with a falling rate, and the mean of the parameters that it went through."""

from __future__ import annotations

from typing import Any, Unpack

from ..ops.front import taught
from ..tensors.factories import zeros_like
from ..tensors.tensor import Tensor
from .adaptive import decayed
from .optimizer import Group, Optimizer, Parameters, at_least_zero
from .options import Options, checked


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (B. Polyak and A. Juditsky, 1992).

    p ← (1 - lambd · η) p - η · g, with η = lr / (1 + lambd · lr · t)^alpha after step t = 1, 2, …, at first lr; the
    mean of p from step t0 on is `optimizer.state[p]["ax"]`.

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size at first, not negative.
        lambd: How fast the parameters and the step size fall.
        alpha: The power by which the step size falls.
        t0: The step at which the mean begins.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        options: `maximize=True` goes uphill; `foreach` and `capturable` choose nothing here.

    Raises:
        ArgumentError: A setting is negative.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 2.0).sum().backward()
        >>> ml.optim.ASGD([w], lr=0.25).step()
        >>> round(w.item(), 3)
        0.5
    """

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay}
        super().__init__(params, {**settings, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        at_least_zero("ASGD", group, "lr", "lambd", "alpha", "t0", "weight_decay")

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        grad = decayed(parameter, grad, group)
        if not state:
            state.update(step=0, eta=group["lr"], mu=1.0, ax=zeros_like(parameter))
        state["step"] += 1
        parameter.mul_(1 - group["lambd"] * state["eta"]).sub_(grad, alpha=state["eta"])
        state["ax"].lerp_(parameter, state["mu"])
        state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * state["step"]) ** group["alpha"]
        state["mu"] = 1 / max(1, state["step"] - group["t0"])
