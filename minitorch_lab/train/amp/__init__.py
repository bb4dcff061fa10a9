"""Mixed precision: products in two bytes, sums and weights in four; and a scale that keeps small gradients alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...autograd.autocast import autocast
from ...ops.absent import answering
from .lists import table
from .scaler import GradScaler

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.amp")

__all__ = ["GradScaler", "autocast", "table"]
