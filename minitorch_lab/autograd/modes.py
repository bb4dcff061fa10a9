"""Whether ops are recorded: the gradient mode of the running thread."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Token
from types import TracebackType
from typing import Any

from ..core.interpret import grad_enabled, grad_mode
from ..ops.misfit import check_flag
from .scope import Opening, Scope


class GradMode(Scope):
    """A block in which ops are recorded, or are not. Optimizers open one per step, so it is a quick one."""

    def __init__(self, on: bool) -> None:
        super().__init__(lambda: grad_enabled(on))
        self.on = on
        self.tokens: list[Token[bool]] = []

    def __enter__(self) -> None:
        """Set the mode."""
        self.tokens.append(grad_mode.set(self.on))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Back to the mode before."""
        grad_mode.reset(self.tokens.pop())


@Opening
def no_grad(fn: Callable[..., Any] | None = None) -> Any:
    """Compute without recording, in this thread, for as long as the `with` lasts. Also a decorator: `@ml.no_grad()`.

    Args:
        fn: Given by Python where the decorator is written without brackets.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> with ml.no_grad():
        ...     (w * 2).requires_grad
        False
        >>> @ml.no_grad()
        ... def score(x):
        ...     return x * 2
        >>> score(w).requires_grad
        False
    """
    return GradMode(False) if fn is None else GradMode(False)(fn)


@Opening
def enable_grad(fn: Callable[..., Any] | None = None) -> Any:
    """Record again, inside a `no_grad()`. Also a decorator.

    Args:
        fn: Given by Python where the decorator is written without brackets.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> with ml.no_grad(), ml.enable_grad():
        ...     (w * 2).requires_grad
        True
    """
    return GradMode(True) if fn is None else GradMode(True)(fn)


def is_grad_enabled() -> bool:
    """Whether ops are being recorded in this thread."""
    return grad_mode.get()


class set_grad_enabled(GradMode):  # noqa: N801 (PyTorch's name: it is used as a function)
    """Turn recording on or off: from the call on, until the end of the `with` if there is one. Also a decorator.

    Args:
        mode: Whether ops are recorded.

    Raises:
        ArgumentError: The mode is neither True nor False.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> with ml.set_grad_enabled(False):
        ...     (w * 2).requires_grad
        False
        >>> _ = ml.set_grad_enabled(False)
        >>> (w * 2).requires_grad
        False
        >>> _ = ml.set_grad_enabled(True)
    """

    def __init__(self, mode: bool) -> None:
        check_flag("set_grad_enabled", mode)
        super().__init__(mode)
        self.before = grad_mode.get()
        grad_mode.set(mode)

    def __enter__(self) -> None:
        """The mode is set already; a second round sets it again."""
        grad_mode.set(self.on)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Back to the mode before the call."""
        grad_mode.set(self.before)

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """As a decorator it changes nothing until the function runs."""
        grad_mode.set(self.before)
        return super().__call__(fn)
