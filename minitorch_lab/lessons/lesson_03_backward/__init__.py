"""What lesson 03, "Backward", uses."""

from __future__ import annotations

from ..own import own_op
from ..walks import pull
from .rules import check_cube, check_ratio
from .walk import check_order, check_walk, order_of

__all__ = ["check_cube", "check_order", "check_ratio", "check_walk", "order_of", "own_op", "pull"]
