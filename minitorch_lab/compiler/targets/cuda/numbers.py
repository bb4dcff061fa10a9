"""How kernels get Python numbers, such as a learning rate: by value, or from a few bytes of the GPU's memory.

A launch that is recorded in a CUDA graph keeps the values that it was recorded with. So there the numbers come from
memory, and all of them are copied to it, at once, before the graph runs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Protocol

from ....core.array import Array, uint8, xp

CELL = 8  # bytes
FORMATS = {"f32": "f4x", "f64": "d", "i32": "i4x", "i64": "q", "b8": "?7x"}


class Numbers(Protocol):
    """How a page writes them."""

    def parameter(self, kind: str, name: str) -> str:
        """The parameter of a function."""
        ...

    def text(self, name: str) -> str:
        """The value."""
        ...


class ByValue:
    """As arguments of the launch."""

    def parameter(self, kind: str, name: str) -> str:
        """`float lr`."""
        return f"{kind} {name}"

    def text(self, name: str) -> str:
        """`lr`."""
        return name


class InMemory:
    """As memory that is written before."""

    def parameter(self, kind: str, name: str) -> str:
        """`const float* __restrict__ lr`."""
        return f"const {kind}* __restrict__ {name}"

    def text(self, name: str) -> str:
        """`lr[0]`."""
        return f"{name}[0]"


def packing(dtypes: Sequence[str]) -> Callable[..., Array]:
    """A function that lays numbers of these dtypes into cells of 8 bytes.

    Example:
        >>> packing(["f32", "i64"])(1.0, 3)
        array([  0,   0, 128,  63,   0,   0,   0,   0,   3,   0,   0,   0,   0,
                 0,   0,   0], dtype=uint8)
    """
    form = struct.Struct("=" + "".join(FORMATS[d] for d in dtypes))
    return lambda *numbers: xp.frombuffer(form.pack(*numbers), uint8)
