"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from ...autograd import no_grad
from ...errors import ShapeError
from ...ops.front import taught
from ...ops.join import cat
from ...tensors.tensor import Tensor


@taught
def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The entries of all parameters, one after the other: shape (n,). Gradients flow through.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.utils.parameters_to_vector(ml.nn.Linear(3, 2).parameters()).shape
        (8,)
    """
    return cat([p.reshape(-1) for p in parameters])


@taught
def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Copy the entries of a vector into parameters, in order.

    Raises:
        ShapeError: There are more or fewer of them.

    Example:
        >>> import minitorch_lab as ml
        >>> layer = ml.nn.Linear(1, 1)
        >>> ml.nn.utils.vector_to_parameters(ml.tensor([2.0, 3.0]), layer.parameters())
        >>> layer(ml.ones(1)).item()
        5.0
    """
    given = list(parameters)
    room = sum(p.numel() for p in given)
    if tuple(vec.shape) != (room,):
        raise ShapeError(
            f"vector_to_parameters got a vector of shape {tuple(vec.shape)} for {room} entries.",
            "Each entry of the parameters has one in the vector.",
            "Did you mean parameters_to_vector(model.parameters())? It makes such a vector.",
        )
    start = 0
    with no_grad():
        for p in given:
            p.copy_(vec[start : start + p.numel()].detach().reshape(p.shape))
            start += p.numel()
