"""Who runs an op now. An interpreter gives every op a meaning; the context says which one is on top.

The stack and the gradient mode belong to the running thread (and asyncio task): a new thread starts on the ground.
After JAX's autodidax, with one change: the context chooses the interpreter, not the data.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from itertools import count
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

T = TypeVar("T")


class Runnable(Protocol):
    """What an interpreter asks of an op: its implementation on arrays."""

    @property
    def impl(self) -> Callable[..., Any]:
        """(*arrays, **params) -> array."""
        ...


class Interpreter:
    """One meaning of every op. `below` runs what this interpreter does not own; levels tell their tensors apart."""

    level = -1
    below: Interpreter | None = None
    caches = False  # whether a parameter is cast once for a whole block of autocast
    counts_writes = True  # whether a write in place is counted, so that a tape notices it
    keeps_checks = False  # whether a check of entries is an op, to be made again whenever what is written down runs

    def run(self, op: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """What `op` means here, applied to `args`."""
        raise NotImplementedError

    def custom(self, call: Any, args: Any) -> list[Any]:
        """What a call means here whose derivatives the user has written; a flat list of results."""
        raise NotImplementedError

    def inplace(self, op: Any, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The same, with the result written into `x`."""
        raise NotImplementedError


class Ground(Interpreter):
    """Arrays in, arrays out: what an op finally does."""

    def run(self, op: Runnable, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Call the op's own implementation."""
        return op.impl(*args, **params)


GROUND = Ground()


class Stack:
    """The interpreter in force, one per thread. `start` is set once, when the engine is assembled."""

    __slots__ = ("get", "var")

    def start(self, interpreter: Interpreter) -> None:
        """Make `interpreter` the one that every thread begins with."""
        self.var: ContextVar[Interpreter] = ContextVar("top", default=interpreter)
        self.get = self.var.get


stack = Stack()
stack.start(GROUND)
grad_mode: ContextVar[bool] = ContextVar("grad_mode", default=True)
Lowered: TypeAlias = tuple[
    tuple[str, Any], ...
]  # (kind of device, dtype of products there); empty where none is in force
autocast_mode: ContextVar[Lowered] = ContextVar("autocast_mode", default=())
autocast_cache: ContextVar[dict[Any, Any] | None] = ContextVar("autocast_cache", default=None)  # casts of parameters


def run(op: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Have `op` run by the interpreter in force."""
    return stack.get().run(op, args, params)


next_level = count(1).__next__  # never reused, so two transforms can never be confused


def owner(level: int) -> Any:
    """The interpreter of `level` in the stack now in force; None if it has ended."""
    found: Interpreter | None = stack.get()
    while found is not None and found.level != level:
        found = found.below
    return found


def checks_kept() -> bool:
    """Whether a check of entries is to be an op, since an interpreter in force writes down what will run again."""
    interpreter = stack.get()
    while interpreter is not None and not interpreter.keeps_checks:
        interpreter = interpreter.below
    return interpreter is not None


class During(Generic[T]):
    """A block in which a context variable has another value.

    A Ctrl-C may come after any call in it. So the value before is known before the variable is set, and blocks put back
    what they found, whatever a block inside them has left behind. (A generator as a block would be closed too late.)
    """

    __slots__ = ("before", "value", "var")

    def __init__(self, var: ContextVar[T], value: T) -> None:
        self.var, self.value = var, value

    def __enter__(self) -> T:
        """Set it."""
        self.before = self.var.get()
        try:
            self.var.set(self.value)
        except BaseException:
            self.var.set(self.before)
            raise
        return self.value

    def __exit__(self, *error: object) -> None:
        """Back to what it was."""
        self.var.set(self.before)


def interpreting(interpreter: Interpreter) -> During[Any]:
    """Put `interpreter` in force for a while."""
    return During(stack.var, interpreter)


def grad_enabled(on: bool) -> During[bool]:
    """Turn the recording of gradients on or off for a while."""
    return During(grad_mode, on)


def uncast() -> During[Lowered]:
    """Leave dtypes alone for a while: the ops of a rule, or of a graph, are what they are, whoever runs them."""
    return During(autocast_mode, ())
