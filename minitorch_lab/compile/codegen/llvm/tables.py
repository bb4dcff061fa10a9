"""The powers of 2 between 1 and 2, a sixteenth of the way from each to the next: tables as long as a register."""

from __future__ import annotations

from ....array import xp
from .polynomials import STEPS

UP = 24  # the digits of a float: what lies below the normal numbers lies among them 2²⁴ times as large
ROUNDED = [float(xp.float32(2.0 ** (j / STEPS))) for j in range(STEPS)]


def bits(x: float) -> int:
    """The bits of a float32."""
    return int(xp.float32(x).view(xp.int32))


# 2 to the power j/16
POWERS = tuple(bits(p) for p in ROUNDED)
# 2²⁴ times that, less what the bits of j sixteenths themselves put there
RAISED = tuple(bits(2.0**UP * p) - (j << 19) for j, p in enumerate(ROUNDED))
