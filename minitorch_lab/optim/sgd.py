"""SGD: a step against the gradient, with momentum if wanted."""

from __future__ import annotations

from typing import Any, Unpack

from ..errors import ArgumentError
from ..ops.front import taught
from ..tensors.tensor import Tensor
from .optimizer import Group, Optimizer, Parameters, at_least_zero
from .options import Options, checked


class SGD(Optimizer):
    """`p -= lr * v`, where `v` is the gradient or, with momentum, a decaying sum of all gradients so far.

    For each parameter p with gradient g:

        g ← g + weight_decay · p
        v ← momentum · v + (1 - dampening) · g        (v starts as the first g)
        p ← p - lr · v                                (nesterov: p - lr · (g + momentum · v))

    These are PyTorch's formulas; they keep `lr` outside of v (Sutskever and others, On the Importance of Initialization
    and Momentum in Deep Learning, 2013, has it inside).

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        momentum: The part of v that stays, per step.
        dampening: The part of the new gradient that is left out of v.
        weight_decay: Strength of the pull towards zero (the gradient of weight_decay/2 · |p|²).
        nesterov: Look ahead by one momentum step. Needs momentum and no dampening.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is negative, or `nesterov` lacks momentum or has dampening.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> optimizer = ml.optim.SGD([w], lr=0.25)
        >>> (w * w).sum().backward()
        >>> optimizer.step()
        >>> w.tolist()  # 1 - 0.25 * 2
        [0.5]
    """

    kernels = ("fused",)

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
        }
        super().__init__(params, {**settings, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        at_least_zero("SGD", group, "lr", "momentum", "weight_decay")
        if group["nesterov"] and (group["momentum"] == 0 or group["dampening"] != 0):
            raise ArgumentError(
                f"SGD got nesterov=True with momentum={group['momentum']} and dampening={group['dampening']}.",
                "Nesterov's step looks ahead along the momentum, without dampening.",
                "Did you mean momentum=0.9, dampening=0.0?",
            )

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter. Without momentum and decay it costs two passes over the memory."""
        momentum = group["momentum"]
        if group["weight_decay"]:
            grad = grad + parameter * group["weight_decay"]
        if momentum:
            velocity = state.get("momentum_buffer")
            if velocity is None:
                velocity = state["momentum_buffer"] = grad.detach().clone()
            else:
                velocity.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad + velocity * momentum if group["nesterov"] else velocity
        parameter.sub_(grad, alpha=group["lr"])
