"""What lesson 15, "Memory planning", uses."""

from __future__ import annotations

from ...compiler.ir.views import is_view, root
from ..charts import memory_curve
from ..training_step import plan_in_turns, plan_of, pure, training_step, weights
from .plan import check_keep, check_lives, check_planner, lives_of, numbered, part_left, picture, tax

__all__ = [
    "check_keep", "check_lives", "check_planner", "is_view", "lives_of", "memory_curve", "numbered", "part_left",
    "picture", "plan_in_turns", "plan_of", "pure", "root", "tax", "training_step", "weights",
]  # fmt: skip
