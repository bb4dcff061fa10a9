"""Optimizers with a rate of its own for every entry: Adagrad and what came of it, and variants of Adam."""

from __future__ import annotations

from math import sqrt
from typing import Any, Unpack

from ..errors import ArgumentError
from ..ops.compare import where
from ..ops.front import taught
from ..tensors.factories import full_like, zeros_like
from ..tensors.tensor import Tensor
from .adam import Adam
from .optimizer import Group, Optimizer, Parameters, at_least_zero
from .options import Options, checked


def decayed(parameter: Tensor, grad: Tensor, group: Group) -> Tensor:
    """The gradient with the pull towards zero."""
    return grad + parameter * group["weight_decay"] if group["weight_decay"] else grad


class Adagrad(Optimizer):
    """Divide by the root of the sum of all squared gradients so far (J. Duchi and others, 2011).

    s ← s + g²,  p ← p - lr / (1 + (t - 1) · lr_decay) · g / (√s + eps), at step t = 1, 2, …

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        lr_decay: How fast the step size falls.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        initial_accumulator_value: What s starts from.
        eps: Keeps the division finite.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is negative.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 100.0).sum().backward()
        >>> ml.optim.Adagrad([w], lr=0.5).step()
        >>> w.tolist()
        [0.5]
    """

    kernels = ("fused",)

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        settings["initial_accumulator_value"] = initial_accumulator_value
        super().__init__(params, {**settings, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        at_least_zero("Adagrad", group, "lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        grad = decayed(parameter, grad, group)
        if not state:
            state.update(step=0, sum=full_like(parameter, group["initial_accumulator_value"]))
        state["step"] += 1
        total = state["sum"].add_(grad * grad)
        rate = group["lr"] / (1 + (state["step"] - 1) * group["lr_decay"])
        parameter.sub_(grad / (total.sqrt() + group["eps"]), alpha=rate)


class RMSprop(Optimizer):
    """Divide by the root of the mean of the recent squared gradients (T. Hinton, lecture 6e, 2012).

    v ← alpha · v + (1 - alpha) g²,  p ← p - lr · g / (√v + eps); with `centered` v less the square of the mean.

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        alpha: The part of v that stays, per step.
        eps: Keeps the division finite.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        momentum: The part of the last step that stays.
        centered: Divide by the deviation from the mean.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is negative.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 100.0).sum().backward()
        >>> ml.optim.RMSprop([w], lr=0.1, alpha=0.75).step()
        >>> round(w.item(), 4)
        0.8
    """

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered}
        super().__init__(params, {**settings, "weight_decay": weight_decay, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        at_least_zero("RMSprop", group, "lr", "momentum", "alpha", "eps", "weight_decay")

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        grad, alpha = decayed(parameter, grad, group), group["alpha"]
        if not state:
            wanted = {"square_avg": True, "momentum_buffer": group["momentum"] > 0, "grad_avg": group["centered"]}
            state.update({name: zeros_like(parameter) for name, want in wanted.items() if want})
        square = state["square_avg"].mul_(alpha).add_(grad * grad, alpha=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].mul_(alpha).add_(grad, alpha=1 - alpha)
            square = square - mean * mean
        step = grad / (square.sqrt() + group["eps"])
        if group["momentum"] > 0:
            step = state["momentum_buffer"].mul_(group["momentum"]).add_(step)
        parameter.sub_(step, alpha=group["lr"])


class Adadelta(Optimizer):
    """Adagrad with a window, and steps in the parameters' own unit (M. Zeiler, 2012).

    v ← rho v + (1 - rho) g²,  d = √(u + eps) / √(v + eps) · g,  u ← rho u + (1 - rho) d²,  p ← p - lr · d

    Args:
        params: Leaf tensors or groups of them.
        lr: A factor on the step, not negative.
        rho: The part of the means that stays, per step.
        eps: Keeps the roots apart from 0.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is negative.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 100.0).sum().backward()
        >>> ml.optim.Adadelta([w]).step()
        >>> 0.99 < w.item() < 1.0
        True
    """

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {"lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**settings, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        at_least_zero("Adadelta", group, "lr", "rho", "eps", "weight_decay")

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        grad, rho, eps = decayed(parameter, grad, group), group["rho"], group["eps"]
        if not state:
            state.update(square_avg=zeros_like(parameter), acc_delta=zeros_like(parameter))
        square = state["square_avg"].mul_(rho).add_(grad * grad, alpha=1 - rho)
        step = (state["acc_delta"] + eps).sqrt() / (square + eps).sqrt() * grad
        state["acc_delta"].mul_(rho).add_(step * step, alpha=1 - rho)
        parameter.sub_(step, alpha=group["lr"])


class Rprop(Optimizer):
    """Steps that grow where the gradient keeps its sign and shrink where it turns (M. Riedmiller and H. Braun, 1993).

    Args:
        params: Leaf tensors or groups of them.
        lr: The first step of every entry, not negative.
        etas: What a step shrinks and grows by.
        step_sizes: The least and the largest step.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is out of range.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 100.0).sum().backward()
        >>> ml.optim.Rprop([w], lr=0.5).step()
        >>> w.tolist()
        [0.5]
    """

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        settings = {"lr": lr, "etas": etas, "step_sizes": step_sizes}
        super().__init__(params, {**settings, **checked(self, options)})

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting has no meaning."""
        at_least_zero("Rprop", group, "lr")
        shrinking, growing = group["etas"]
        if not 0 < shrinking < 1 < growing:
            raise ArgumentError(
                f"Rprop got etas={group['etas']}.",
                "A step shrinks by the first and grows by the second.",
                "Take (0.5, 1.2).",
            )

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        if not state:
            state.update(step=0, prev=zeros_like(parameter), step_size=full_like(parameter, group["lr"]))
        state["step"] += 1
        kept = grad * state["prev"]
        shrunk, grown = (state["step_size"] * eta for eta in group["etas"])
        size = where(kept > 0, grown, where(kept < 0, shrunk, state["step_size"])).clamp(*group["step_sizes"])
        state["step_size"].copy_(size)
        grad = where(kept < 0, 0.0, grad)
        parameter.sub_(grad.sign() * size)
        state["prev"].copy_(grad)


class Adamax(Adam):
    """Adam by the largest recent gradient instead of the mean square (D. Kingma and J. Ba, 2015, section 7.1).

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        betas: β₁ and β₂, each at least 0 and less than 1.
        eps: Keeps the division finite.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is out of range.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 100.0).sum().backward()
        >>> ml.optim.Adamax([w], lr=0.5).step()
        >>> round(w.item(), 4)
        0.5
    """

    kernels = ("capturable",)

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        super().__init__(params, lr, betas, eps, weight_decay, False, **options)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        beta1, beta2 = group["betas"]
        grad = decayed(parameter, grad, group)
        if not state:
            state.update(step=0, exp_avg=zeros_like(parameter), exp_inf=zeros_like(parameter))
        state["step"] += 1
        mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
        largest = state["exp_inf"].copy_((state["exp_inf"] * beta2).maximum(grad.abs() + group["eps"]))
        parameter.sub_(mean / largest, alpha=group["lr"] / (1 - beta1 ** state["step"]))


class NAdam(Adam):
    """Adam with Nesterov's look ahead along the mean (T. Dozat, 2016).

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        betas: β₁ and β₂, each at least 0 and less than 1.
        eps: Keeps the division finite.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        momentum_decay: How slowly β₁ grows to its value.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is out of range.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 100.0).sum().backward()
        >>> ml.optim.NAdam([w], lr=0.1).step()
        >>> w.item() < 1.0
        True
    """

    kernels = ("capturable",)

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        self.momentum_decay = momentum_decay
        super().__init__(params, lr, betas, eps, weight_decay, False, **options)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        beta1, beta2 = group["betas"]
        grad = decayed(parameter, grad, group)
        if not state:
            state.update(step=0, mu_product=1.0, exp_avg=zeros_like(parameter), exp_avg_sq=zeros_like(parameter))
        state["step"] += 1
        t = state["step"]
        mu, ahead = (beta1 * (1 - 0.5 * 0.96 ** (k * self.momentum_decay)) for k in (t, t + 1))
        state["mu_product"] *= mu
        mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
        square = state["exp_avg_sq"].mul_(beta2).add_(grad * grad, alpha=1 - beta2)
        scale = (square * (1.0 / (1 - beta2**t))).sqrt() + group["eps"]
        parameter.sub_(grad / scale, alpha=group["lr"] * (1 - mu) / (1 - state["mu_product"]))
        parameter.sub_(mean / scale, alpha=group["lr"] * ahead / (1 - state["mu_product"] * ahead))


class RAdam(Adam):
    """Adam that waits until the mean square is known well enough (L. Liu and others, 2020).

    Args:
        params: Leaf tensors or groups of them.
        lr: The step size, not negative.
        betas: β₁ and β₂, each at least 0 and less than 1.
        eps: Keeps the division finite.
        weight_decay: Strength of the pull towards zero, added to the gradient.
        options: `maximize=True` goes uphill; `foreach` and `fused` choose nothing here.

    Raises:
        ArgumentError: A setting is out of range.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> (w * 2.0).sum().backward()
        >>> ml.optim.RAdam([w], lr=0.25).step()
        >>> w.tolist()
        [0.5]
    """

    kernels = ("capturable",)

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings and take over the parameters."""
        super().__init__(params, lr, betas, eps, weight_decay, False, **options)

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        beta1, beta2 = group["betas"]
        grad = decayed(parameter, grad, group)
        if not state:
            state.update(step=0, exp_avg=zeros_like(parameter), exp_avg_sq=zeros_like(parameter))
        state["step"] += 1
        t = state["step"]
        mean = state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
        square = state["exp_avg_sq"].mul_(beta2).add_(grad * grad, alpha=1 - beta2)
        rate, whole = group["lr"] / (1 - beta1**t), 2 / (1 - beta2) - 1
        known = whole - 2 * t * beta2**t / (1 - beta2**t)
        if known <= 5:
            parameter.sub_(mean, alpha=rate)
            return
        trust = sqrt((known - 4) * (known - 2) * whole / ((whole - 4) * (whole - 2) * known))
        parameter.sub_(mean / (square.sqrt() + group["eps"]), alpha=rate * trust * sqrt(1 - beta2**t))
