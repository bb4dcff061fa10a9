"""What a parcel weighs: all that can be reached from it, and what the one who packed it has kept beside it."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterable
from types import FunctionType, ModuleType
from typing import Any

from ...core.array import xp
from ...tensors.factories import ones
from ...tensors.tensor import Tensor

MANY, SLACK = 20_000, 8_000  # entries that are packed, and bytes that Python may take for itself while it does


def weigh(parcel: Any) -> int:
    """The bytes that a pack hook's parcel keeps alive, each memory once: in containers, attributes and closures too.

    Arrays and tensors weigh what their memory holds, a text its length, a number 8.

    Example:
        >>> from minitorch_lab import tensor
        >>> t = tensor([1.0, 2.0])
        >>> weigh(t), weigh((t, t, 3)), weigh({"entries": t}), weigh((lambda t: lambda: t)(t))
        (8, 16, 8, 8)
    """
    total, seen, pending = 0, dict[int, Any](), [parcel]
    while pending:
        thing = owner(pending.pop())
        if id(thing) in seen and not isinstance(thing, int | float):
            continue
        seen[id(thing)] = thing  # held: the number of what has gone might be given to another
        own = weight(thing)
        if own is None:
            pending += contents(thing)
        else:
            total += own
    return total


def owner(thing: Any) -> Any:
    """The memory that an array or a tensor shows, or shows a part of; anything else is itself."""
    thing = thing.detach().value if isinstance(thing, Tensor) else thing
    while isinstance(thing, xp.ndarray) and thing.base is not None:
        thing = thing.base
    return thing


def weight(thing: Any) -> int | None:
    """The bytes of what is a piece by itself; None for what is made of others."""
    if isinstance(thing, bytes | bytearray | str):
        return len(thing)
    if isinstance(thing, int):
        return max(8, (thing.bit_length() + 7) // 8)
    if isinstance(thing, float | complex | None):
        return 8
    return getattr(thing, "nbytes", None)


def contents(thing: Any) -> Iterable[Any]:
    """What an object keeps alive, but for what the program holds anyway: modules, classes, names of attributes."""
    if isinstance(thing, ModuleType | type):
        return ()
    if isinstance(thing, FunctionType):  # its globals are everybody's
        return (*(thing.__closure__ or ()), *(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values())
    if isinstance(thing, dict) and all(isinstance(key, str) for key in thing):
        return thing.values()
    return gc.get_referents(thing)


def hidden(pack: Callable[[Tensor], Any]) -> int:
    """The bytes that are kept of a tensor of 80,000 bytes beside its parcel; 0 where that is no more than Python's own.

    Example:
        >>> kept = []
        >>> hidden(lambda t: t.clone()), hidden(lambda t: kept.append(t.clone())) > 70_000
        (0, True)
    """
    pack(ones(MANY))  # what is made once, by the first call, is nobody's parcel
    return min(kept_beside(pack) for _ in range(3))  # other threads take memory too, but not each time


def kept_beside(pack: Callable[[Tensor], Any]) -> int:
    """The same, by one call. What is there already is set aside: a collection looks at what the call made alone."""
    asleep, unfrozen = not tracemalloc.is_tracing(), gc.get_freeze_count() == 0
    tracemalloc.start()
    if unfrozen:
        gc.freeze()
    try:
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        parcel = pack(ones(MANY))
        gc.collect()
        more = tracemalloc.get_traced_memory()[0] - before - weigh(parcel)
    finally:
        if unfrozen:
            gc.unfreeze()
        if asleep:
            tracemalloc.stop()
    return more if more > SLACK else 0
