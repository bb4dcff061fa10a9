"""Identity: a layer that does nothing, where one is expected."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import Tensor
from .module import Module


class Identity(Module):
    """Give back what comes in. Good for switching a layer off: `model.norm = nn.Identity()`.

    Args:
        args: Ignored, so that it can be made with the arguments of the layer that it stands for.
        kwargs: Likewise.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.ones(2)
        >>> ml.nn.Identity(64, eps=0.1)(x) is x
        True
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Ignore everything."""
        super().__init__()

    def forward(self, x: Tensor) -> Tensor:
        """`x` itself."""
        return x
