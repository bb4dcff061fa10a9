"""How much a function computes: its ops and their work. Both are exact, and the same on every machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..costmodel import count_flops


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


def counted(fn: Callable[..., Any], *args: Any) -> Count:
    """Run `fn(*args)` and count what its transforms hand down. Constants and views compute nothing and are left out.

    Example:
        >>> import minitorch_lab as ml
        >>> counted(ml.func.grad(lambda x: x.sin()), ml.tensor(2.0))
        3 ops (1 sin, 1 cos, 1 mul), work 3
    """
    with count_flops() as counter:
        fn(*args)
    return Count(Counter({name: n for name, n in counter.calls.items() if counter.by_op[name]}), counter.total)
