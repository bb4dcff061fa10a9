"""The checks of the lesson "Autograd internals", and what its cells lean on."""

from __future__ import annotations

from ...tensors.tensor import Tensor
from ..lesson_03_backward.walk import order_of
from .fade import fading
from .function import check_log_cosh
from .hooks import check_clip, check_watch, size
from .parcels import hidden, weigh
from .saved import check_packing, check_spoiled, kept_bytes
from .slope import check_newton
from .switches import check_switches

__all__ = [
    "check_clip", "check_log_cosh", "check_newton", "check_packing", "check_spoiled", "check_switches", "check_watch",
    "fading", "hidden", "kept_bytes", "mystery", "order_of", "size", "weigh",
]  # fmt: skip


def mystery(x: Tensor) -> Tensor:
    """One of four formulas that all give 36 at x = 2. The tape tells which, so read no further here."""
    return (3 * x) ** 2
