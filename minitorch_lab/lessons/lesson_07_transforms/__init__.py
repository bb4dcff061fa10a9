"""What lesson 07, "Function transforms", uses: its checks, and what they have in common with lesson 04."""

from __future__ import annotations

from ..counting import counted
from ..curves import curves, seconds
from ..floors import Floor, floors
from .custom import check_softplus
from .examples import check_loss, check_step, tree_map
from .stack import check_batch, check_levels, check_tally, own_dot

__all__ = [
    "Floor", "check_batch", "check_levels", "check_loss", "check_softplus", "check_step", "check_tally", "counted",
    "curves", "floors", "own_dot", "seconds", "tree_map",
]  # fmt: skip
