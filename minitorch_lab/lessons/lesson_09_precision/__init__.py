"""What lesson 9, "Training and precision", uses."""

from __future__ import annotations

from .casting import LAYER, SINGLE, check_dtypes, run_in_block, runs_in, widest
from .formats import bits, check_rounded, format_table, roundoff
from .loop import check_train_step
from .master import check_updated
from .pictures import entries, histogram, losses, sizes
from .scaling import check_scaler, scale_curve

__all__ = [
    "LAYER", "SINGLE", "bits", "check_dtypes", "check_rounded", "check_scaler", "check_train_step", "check_updated",
    "entries", "format_table", "histogram", "losses", "roundoff", "run_in_block", "runs_in", "scale_curve", "sizes",
    "widest",
]  # fmt: skip
