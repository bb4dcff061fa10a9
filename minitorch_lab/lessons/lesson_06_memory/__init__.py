"""What lesson 06, "Memory and checkpointing", uses."""

from __future__ import annotations

from ..charts import area, trade
from .deep import measured, tower
from .kept import check_kept, check_parts, check_placement
from .second_run import check_run_again, checkpoint_by

__all__ = [
    "area", "check_kept", "check_parts", "check_placement", "check_run_again", "checkpoint_by", "measured", "tower",
    "trade",
]  # fmt: skip
