"""What lesson 04, "Forward and reverse", uses: its checks, its counter and its curves."""

from __future__ import annotations

from ..counting import Count, counted
from ..curves import curves, peak, seconds
from ..own import own_op
from .duals import check_dual, check_push
from .jacobians import check_columns, check_hvp, check_rows

__all__ = [
    "Count", "check_columns", "check_dual", "check_hvp", "check_push", "check_rows", "counted", "curves", "own_op",
    "peak", "seconds",
]  # fmt: skip
