"""Reverse mode: eager execution leaves a tape, and `backward()` walks it."""

from __future__ import annotations

from contextlib import AbstractContextManager

from ..interpret import grad_enabled, grad_mode
from .eager import Eager
from .function import Function
from .gradients import grad
from .node import Leaf, Node
from .short import EAGER


def no_grad() -> AbstractContextManager[None]:
    """Compute without recording, in this thread, for as long as the `with` lasts.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> with ml.no_grad():
        ...     (w * 2).requires_grad
        False
    """
    return grad_enabled(False)


def enable_grad() -> AbstractContextManager[None]:
    """Record again, inside a `no_grad()`."""
    return grad_enabled(True)


def is_grad_enabled() -> bool:
    """Whether ops are being recorded in this thread."""
    return grad_mode.get()


__all__ = ["EAGER", "Eager", "Function", "Leaf", "Node", "enable_grad", "grad", "is_grad_enabled", "no_grad"]
