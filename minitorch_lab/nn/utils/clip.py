"""Gradients held in bounds, in place: by the length of all of them together, or entry by entry."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ...autograd import no_grad
from ...errors import GradientError
from ...ops.front import taught
from ...ops.join import stack
from ...tensors.factories import zeros
from ...tensors.tensor import Tensor


def gradients_of(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients that are there."""
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p.grad.detach() for p in given if p.grad is not None]


@taught
def get_total_norm(tensors: Iterable[Tensor], norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Tensor:
    """The p-norm of all entries of all tensors, as if they were one vector: shape ().

    Raises:
        GradientError: It is no finite number, and that is an error.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.utils.get_total_norm([ml.tensor([3.0]), ml.tensor([4.0])])
        tensor(5.)
    """
    given = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not given:
        return zeros(())
    norms = stack([x.norm(norm_type) for x in given])
    total = norms.max() if norm_type == inf else norms.norm(norm_type)
    if error_if_nonfinite and not total.isfinite().item():
        raise GradientError(
            f"The gradients have the norm {total.item()}.",
            "A norm that is no finite number cannot be scaled down.",
            "Did the loss overflow? Lower the learning rate.",
        )
    return total


@taught
def clip_grads_with_norm_(parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor) -> None:
    """Scale all gradients by max_norm / (total_norm + 1e-6), in place, where that is less than 1."""
    with no_grad():
        scale = (max_norm / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in gradients_of(parameters):
            grad.mul_(scale.to(grad.dtype))


@taught
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients together so that their norm is at most `max_norm`, in place. Their direction stays.

    R. Pascanu and others, On the Difficulty of Training Recurrent Neural Networks, 2013.

    Args:
        parameters: Tensors with gradients; those without are passed over.
        max_norm: The largest norm.
        norm_type: Which norm: 2, or `inf` for the largest entry.
        error_if_nonfinite: Refuse gradients that are infinite or NaN.
        foreach: PyTorch's choice of a kernel; it changes nothing here.

    Returns:
        The norm before, shape ().

    Raises:
        GradientError: The norm is no finite number, and that is an error.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.ones(2, requires_grad=True)
        >>> (w * ml.tensor([3.0, 4.0])).sum().backward()
        >>> norm = clip_grad_norm_([w], max_norm=1.0)
        >>> norm.item(), [round(g, 4) for g in w.grad.tolist()]
        (5.0, [0.6, 0.8])
    """
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    with no_grad():
        total = get_total_norm(gradients_of(given), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(given, max_norm, total)
    return total


@taught
def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Hold every entry of all gradients between -clip_value and clip_value, in place.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.ones(2, requires_grad=True)
        >>> (w * ml.tensor([3.0, -0.25])).sum().backward()
        >>> clip_grad_value_([w], 1.0)
        >>> w.grad.tolist()
        [1.0, -0.25]
    """
    with no_grad():
        for grad in gradients_of(parameters):
            grad.copy_(grad.clamp(min=-clip_value, max=clip_value))
