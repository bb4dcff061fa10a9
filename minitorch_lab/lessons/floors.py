"""The stack of interpreters, for readers: what stands there, and a floor of one's own."""

from __future__ import annotations

from typing import Any

from ..core.interpret import Interpreter, stack


class Floor(Interpreter):
    """An interpreter that passes everything on to whoever ran ops before it. Subclass it and write `run`.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.core.interpret import interpreting
        >>> class Names(Floor):
        ...     def run(self, op, args, params):
        ...         print(op.name)
        ...         return self.below.run(op, args, params)
        >>> with interpreting(Names()):
        ...     y = (ml.ones(2) * 3).sum()
        full
        mul
        sum
    """

    def __init__(self) -> None:
        self.below = stack.get()

    def run(self, op: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """What `op(*args, **params)` gives on the floor below."""
        assert self.below is not None
        return self.below.run(op, args, params)

    def custom(self, call: Any, args: Any) -> list[Any]:
        """What a call means below whose derivatives the user has written."""
        assert self.below is not None
        return self.below.custom(call, args)

    def inplace(self, op: Any, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The same, with the result written into `x`."""
        assert self.below is not None
        return self.below.inplace(op, x, args, params)


def without_floor(interpreter: Any) -> bool:
    """Whether an interpreter has no floor below it: its `__init__` does not call that of `Floor`.

    Example:
        >>> class Lost(Floor):
        ...     def __init__(self):
        ...         self.counts = {}
        >>> without_floor(Lost()), without_floor(Floor())
        (True, False)
    """
    return isinstance(interpreter, Floor) and interpreter.__dict__.get("below") is None


def floors() -> list[str]:
    """Who would run an op now, from the top of the stack down.

    Example:
        >>> floors()
        ['Eager', 'Ground']
    """
    names: list[str] = []
    floor: Interpreter | None = stack.get()
    while floor is not None:
        names.append(type(floor).__name__)
        floor = floor.below
    return names
