"""What lesson 18, "Anatomy of a training step", uses."""

from __future__ import annotations

from .counting import check_cost
from .feeding import check_throughput
from .ordering import check_order, time_after
from .paying import check_pays
from .roof import check_bound, step_on_the_roof
from .rows import Row, anatomy, points, shares
from .stopwatch import Device, check_measure

__all__ = [
    "Device", "Row", "anatomy", "check_bound", "check_cost", "check_measure", "check_order", "check_pays",
    "check_throughput", "points", "shares", "step_on_the_roof", "time_after",
]  # fmt: skip
