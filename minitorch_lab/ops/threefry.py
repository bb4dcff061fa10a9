"""Threefry-2x32: a cipher that makes random words from a key and a counter, with no state in between.

J. Salmon, M. Moraes, R. Dror and D. Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011. Word i depends on the key
and on i alone, so any part of the sequence can be made first, alone, or elsewhere. JAX makes its keys and bits with the
same cipher, in the same way: the tests compare.
"""

from __future__ import annotations

from math import prod
from typing import Any, TypeAlias

from ..core.array import Array, Shape, xp

Words: TypeAlias = tuple[Any, Any]  # two arrays of uint32, or two numbers: the high and the low half of 64 bits

TURNS = ((13, 15, 26, 6), (17, 29, 16, 24))
ROTATIONS = tuple(tuple((xp.uint32(n), xp.uint32(32 - n)) for n in turns) for turns in TURNS)
PARITY = 0x1BD11BDA  # keeps a key of zeros from staying zeros
HALF = 0xFFFFFFFF


def threefry(key: Words, counter: Words) -> tuple[Array, Array]:
    """The two words that `key` makes of `counter`, entry by entry; all four arrays broadcast. 20 rounds of mixing."""
    k0, k1, high, low = (xp.asarray(w, "uint32") for w in (*key, *counter))
    keys = (k0, k1, k0 ^ k1 ^ xp.uint32(PARITY))
    shape = xp.broadcast_shapes(k0.shape, k1.shape, high.shape, low.shape) or (1,)
    a, b, spare = (xp.empty(shape, "uint32") for _ in range(3))
    xp.add(high, k0, out=a)  # sums are taken modulo 2³²
    xp.add(low, k1, out=b)
    for block in range(5):
        for left, right in ROTATIONS[block % 2]:
            a += b
            xp.right_shift(b, right, out=spare)
            b <<= left
            b |= spare
            b ^= a
        a += keys[(block + 1) % 3]
        b += keys[(block + 2) % 3]
        b += xp.uint32(block + 1)
    return a, b


def halves(number: Any) -> Words:
    """The high and the low 32 bits of whole numbers, negative ones in two's complement."""
    if isinstance(number, int):
        return number >> 32 & HALF, number & HALF
    wide = xp.asarray(number).astype("uint64")
    return (wide >> xp.uint64(32)).astype("uint32"), wide.astype("uint32")


def count(start: int, shape: Shape) -> Words:
    """The counters start, start + 1, … in the shape asked for, row by row."""
    total = prod(shape)
    high, low = halves(start)
    if low + total <= HALF:  # the usual case: one number for all high halves
        return high, xp.arange(low, low + total, dtype="uint32").reshape(shape)
    return halves((xp.arange(total, dtype="uint64") + xp.uint64(start)).reshape(shape))


def joined(high: Array, low: Array) -> Array:
    """The 64 bits of two words."""
    return high.astype("uint64") << xp.uint64(32) | low
