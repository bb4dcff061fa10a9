"""What lesson 08, "Modules and state", uses."""

from __future__ import annotations

from .measuring import bars, check_measured
from .norms import check_norm
from .registering import check_registers, found_by
from .states import check_state, own
from .stepping import check_adam, optimizer

__all__ = [
    "bars", "check_adam", "check_measured", "check_norm", "check_registers", "check_state", "found_by", "optimizer",
    "own",
]  # fmt: skip
