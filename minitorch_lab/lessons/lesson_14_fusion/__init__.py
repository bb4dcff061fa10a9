"""What lesson 14, "Fusion and code generation", uses."""

from __future__ import annotations

from ...compiler.schedule.tiling import fetched
from ..racing import race, raced
from ..training_step import pure
from .emitting import check_emit, ops_of, with_loop
from .kernels import asked_of, check_joins, counted, loops, with_rule
from .tiles import check_product, count, with_product, zeros

__all__ = [
    "asked_of", "check_emit", "check_joins", "check_product", "count", "counted", "fetched", "loops", "ops_of", "pure",
    "race", "raced", "with_loop", "with_product", "with_rule", "zeros",
]  # fmt: skip
