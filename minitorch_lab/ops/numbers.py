"""A 0-d tensor where an axis is asked for: it counts as a vector with one entry, as in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from .movement import reshape_op

F = TypeVar("F", bound=Callable[..., Any])


def as_vector(x: Any) -> Any:
    """A 0-d tensor as a vector with one entry; all else as it is."""
    return reshape_op(x, shape=(1,)) if getattr(x, "shape", None) == () else x


def as_number(found: Any) -> Any:
    """A vector with one entry as a 0-d tensor again, each of several."""
    if isinstance(found, tuple):
        return type(found)(*map(as_number, found))
    return reshape_op(found, shape=()) if found.shape == (1,) else found


def along_an_axis(like: str) -> Callable[[F], F]:
    """`fn(x, ...)`, which works along an axis, for 0-d tensors too: its result is one where the argument `like` is."""

    def wrapper(fn: F) -> F:
        place = fn.__code__.co_varnames.index(like)

        @wraps(fn)
        def call(*args: Any, **kwargs: Any) -> Any:
            if () not in [getattr(x, "shape", None) for x in (*args, *kwargs.values())]:
                return fn(*args, **kwargs)
            lead = args[place] if place < len(args) else kwargs[like]
            found = fn(*map(as_vector, args), **{name: as_vector(x) for name, x in kwargs.items()})
            return found if lead.shape else as_number(found)

        return call  # pyright: ignore[reportReturnType]

    return wrapper
