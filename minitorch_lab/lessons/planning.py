"""What lesson 15, "Memory planning", uses."""

from __future__ import annotations

from ..compile.buffers import is_view, root
from .charts import memory_curve
from .the_plan import check_keep, check_lives, check_planner, lives_of, numbered, part_left, picture, tax
from .the_step import plan_in_turns, plan_of, pure, training_step, weights

__all__ = [
    "check_keep", "check_lives", "check_planner", "is_view", "lives_of", "memory_curve", "numbered", "part_left",
    "picture", "plan_in_turns", "plan_of", "pure", "root", "tax", "training_step", "weights",
]  # fmt: skip
