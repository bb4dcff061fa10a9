"""How much a function computes: an interpreter that counts the ops beneath it, and how many numbers they work out.

Both are exact and the same on every machine, which no time is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

from ..interpret import interpreting
from .floors import Floor

CONTRACTIONS = ("matmul", "linear")


@dataclass(frozen=True, slots=True)
class Count:
    """What was run: `ops` of each name, and `work`, the additions, products and function values that they are made of.

    Example:
        >>> import minitorch_lab as ml
        >>> count = counted(lambda x: x * x + 1, ml.ones(3))
        >>> count
        2 ops (1 mul, 1 add), work 6
        >>> count.total
        2
    """

    ops: Counter[str]
    work: int

    @property
    def total(self) -> int:
        """How many ops there were."""
        return self.ops.total()

    def __repr__(self) -> str:
        parts = ", ".join(f"{n} {name}" for name, n in self.ops.items())
        return f"{self.total} ops ({parts}), work {self.work:,}"


class Counting(Floor):
    """Stands between the transforms and the ground floor: it notes each op that comes down, and passes it on."""

    def __init__(self) -> None:
        super().__init__()
        self.ops: Counter[str] = Counter()
        self.work = 0

    def run(self, op: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Pass the op on, and count it."""
        out = super().run(op, args, params)
        self.note(op, args, out)
        return out

    def inplace(self, op: Any, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The same for a write."""
        out = super().inplace(op, x, args, params)
        self.note(op, (x, *args), out)
        return out

    def note(self, op: Any, args: tuple[Any, ...], out: Any) -> None:
        """Add one op; what computes nothing new (a constant, a view) is left out."""
        cost = work_of(op, args, out)
        if cost:
            self.ops[op.name] += 1
            self.work += cost


def work_of(op: Any, args: tuple[Any, ...], out: Any) -> int:
    """Additions and products of a contraction, else one per number read or made; nothing for constants and views."""
    sizes = [prod(a.shape) for a in (*args, out) if hasattr(a, "shape")]
    if op.put is not None or len(sizes) < 2:
        return 0
    if op.name in CONTRACTIONS:
        return 2 * sizes[-1] * args[0].shape[-1]
    return max(sizes)


def counted(fn: Callable[..., Any], *args: Any) -> Count:
    """Run `fn(*args)` and count what the transforms in it hand down.

    `backward()` is not counted: it runs on arrays, below. `ml.func.grad` and `ml.func.vjp` are.

    Example:
        >>> import minitorch_lab as ml
        >>> counted(ml.func.grad(lambda x: x.sin()), ml.tensor(2.0))
        3 ops (1 sin, 1 cos, 1 mul), work 3
    """
    counter = Counting()
    with interpreting(counter):
        fn(*args)
    return Count(counter.ops, counter.work)
