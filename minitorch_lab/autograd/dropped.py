"""Notes on tensors that a checkpoint lets go: what they were, and whether somebody else has kept them."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

from ..errors import GradientError
from ..tensors.tensor import Tensor, storage_of


class Fact(NamedTuple):
    """Who saved a tensor, its shape and its dtype."""

    by: str
    shape: tuple[int, ...]
    dtype: Any

    def __str__(self) -> str:
        return f"{self.by} saved a tensor of shape {self.shape} and dtype {self.dtype}"


class Dropped:
    """A note on one tensor. It refers to the memory weakly. `left` of its `parcels` are still to be asked for."""

    __slots__ = ("fact", "left", "parcels", "storage", "value", "version")

    def __init__(self, by: str, x: Tensor) -> None:
        self.fact, self.version, self.parcels, self.left = Fact(by, tuple(x.shape), x.dtype), version(x), 0, 0
        self.storage = weakref.ref(storage_of(x))
        self.value = weakly(x.value, self.storage)

    def alive(self) -> Any:
        """The array, if somebody has kept it; else None.

        Raises:
            GradientError: It was written in place since.
        """
        value, storage = self.value(), self.storage()
        if value is not None and storage is not None and storage.version != self.version:
            raise GradientError(
                f"In a checkpointed function {self.fact}, which was written in place before backward().",
                "A tensor that an op keeps for its gradient must not be written in place before backward().",
                "Did you mean to call backward() before optimizer.step()? Or the op without the underscore.",
            )
        return value


class Numbered:
    """The tensors that one run saves, numbered as they come. The same array at the same version has one number.

    Example:
        >>> import minitorch_lab as ml
        >>> x, y, run = ml.ones(2), ml.ones(2), Numbered()
        >>> run.number(x), run.number(y), run.number(x), len(run.notes)
        (0, 1, 0, 2)
    """

    def __init__(self) -> None:
        self.by = "checkpoint"  # who saves just now: a node, or a checkpoint inside this one that keeps its arguments
        self.notes: list[Dropped] = []
        self.latest: dict[int, int] = {}  # by address, which Python may use again: the note says whether it is the same

    def number(self, x: Tensor) -> int:
        """The number of `x`, which is being saved."""
        found = self.number_of(x.value)
        if found is None or self.notes[found].version != version(x):
            found = self.latest[id(x.value)] = len(self.notes)
            self.notes.append(Dropped(self.by, x))
        note = self.notes[found]
        note.parcels, note.left = note.parcels + 1, note.left + 1
        return found

    def number_of(self, value: Any) -> int | None:
        """The latest number of an array."""
        found = self.latest.get(id(value))
        return found if found is not None and self.notes[found].value() is value else None


def version(x: Tensor) -> int:
    """How many times the memory of `x` was written."""
    return x._version  # pyright: ignore[reportPrivateUsage]


def weakly(value: Any, storage: Callable[[], Any]) -> Callable[[], Any]:
    """A weak reference to an array. To a bare number of NumPy's there is none: it lives as long as its storage."""
    if hasattr(value, "__setitem__"):
        return weakref.ref(value)
    return lambda: None if storage() is None else value
