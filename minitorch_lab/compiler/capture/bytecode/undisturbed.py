"""Who runs ops, put back after a Ctrl-C in the middle of a compilation."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ....core.interpret import grad_mode, stack

P = ParamSpec("P")
T = TypeVar("T")


def undisturbed(fn: Callable[P, T]) -> Callable[P, T]:
    """`fn`, after which the interpreter is in force that was before; after a Ctrl-C the gradient mode too.

    Blocks do that by themselves, unless the Ctrl-C comes just as the outermost of them ends: before its `__exit__`.
    """

    @wraps(fn)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        top, mode = stack.get(), grad_mode.get()
        try:
            return fn(*args, **kwargs)
        except KeyboardInterrupt:
            grad_mode.set(mode)
            raise
        finally:
            stack.var.set(top)

    return run
