"""The powers of 2 between 1 and 2, a sixteenth of the way from each to the next: tables as long as a register."""

from __future__ import annotations

from ....core.array import xp
from .polynomials import STEPS

UP = 24  # the digits of a float: what lies below the normal numbers lies among them 2²⁴ times as large


def bits(x: float) -> int:
    """The bits of a float32."""
    return int(xp.float32(x).view(xp.int32))


# 2 to the power j/16
POWERS = tuple(bits(2.0 ** (j / STEPS)) for j in range(STEPS))
# 2⁻²⁴ through that, and what the bits of j sixteenths themselves take away
LOWERED = tuple(bits(2.0 ** (-UP - j / STEPS)) + (j << 19) for j in range(STEPS))
