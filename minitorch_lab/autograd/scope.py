"""Modes as `with` blocks and as decorators."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from functools import update_wrapper, wraps
from inspect import isgeneratorfunction
from types import TracebackType
from typing import Any, Generic, NoReturn, ParamSpec, TypeVar

from ..errors import ArgumentError

P = ParamSpec("P")
R = TypeVar("R")
Begin = Callable[[], AbstractContextManager[Any]]


class Opening(Generic[P, R]):
    """A function that opens a `with` block. Where the brackets behind its name are missing, it says so."""

    def __init__(self, fn: Callable[P, R]) -> None:
        update_wrapper(self, fn)
        self.fn = fn

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The block."""
        return self.fn(*args, **kwargs)

    def __enter__(self) -> NoReturn:
        """Refuse to be the block itself.

        Raises:
            ArgumentError: Always.
        """
        name = self.fn.__name__
        raise ArgumentError(
            f"`with` got the function {name}.",
            "The function makes the block; it is called first.",
            f"Did you forget the brackets? Write {name}().",
        )

    def __exit__(self, *_: object) -> None:
        """Nothing was entered."""

    def __reduce__(self) -> str:
        """By its name, as any function."""
        return self.fn.__qualname__


class Scope:
    """A `with` block that can be used again, inside itself, and as a decorator. `begin` opens one round of it."""

    def __init__(self, begin: Begin) -> None:
        self.begin = begin
        self.open: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> Any:
        """Begin a round."""
        block = self.begin()
        value = block.__enter__()
        self.open.append(block)
        return value

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the latest round."""
        self.open.pop().__exit__(kind, error, trace)

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        """`fn`, run inside a round of its own; a generator is inside only while it computes its next value."""
        if isgeneratorfunction(fn):
            return stepped(fn, self.begin)
        begin = self.begin

        @wraps(fn)
        def inside(*args: Any, **kwargs: Any) -> Any:
            with begin():
                return fn(*args, **kwargs)

        return inside


def stepped(fn: Callable[..., Generator[Any, Any, Any]], begin: Begin) -> Callable[..., Generator[Any, Any, Any]]:
    """A generator function whose steps each run inside a round; between them the caller's mode is in force."""

    @wraps(fn)
    def inside(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        with begin():
            steps = fn(*args, **kwargs)
        move: Callable[[], Any] = lambda: next(steps)  # noqa: E731
        while True:
            try:
                with begin():
                    value = move()
            except StopIteration as end:
                return end.value
            try:
                sent = yield value
                move = lambda sent=sent: steps.send(sent)  # noqa: E731
            except GeneratorExit:
                with begin():
                    steps.close()
                raise
            except BaseException as error:
                move = lambda error=error: steps.throw(error)  # noqa: E731

    return inside
