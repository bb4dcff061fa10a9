"""The checks of the lesson "Autograd internals", and what its cells lean on."""

from __future__ import annotations

from ..tensor import Tensor
from .fading import fading
from .the_function import check_log_cosh
from .the_hooks import check_clip, check_watch, size
from .the_saved import check_packing, check_spoiled, kept_bytes, weigh
from .the_slope import check_newton
from .the_switches import check_switches
from .the_walk import order_of

__all__ = [
    "check_clip", "check_log_cosh", "check_newton", "check_packing", "check_spoiled", "check_switches", "check_watch",
    "fading", "kept_bytes", "mystery", "order_of", "size", "weigh",
]  # fmt: skip


def mystery(x: Tensor) -> Tensor:
    """One of four formulas that all give 36 at x = 2. The tape tells which, so read no further here."""
    return (3 * x) ** 2
