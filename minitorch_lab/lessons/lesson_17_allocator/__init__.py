"""What lesson 17, "The allocator, and the memory of training", uses."""

from __future__ import annotations

from .equation import check_terms, stacked
from .holding import check_holders, lines_of
from .map import memory_map
from .ordering import check_order, layout
from .placing import check_merge, check_place, strip
from .sizes import check_sizes
from .trace import allocator_of, requests_of, serve, snapshot_at_the_peak, summary

__all__ = [
    "allocator_of", "check_holders", "check_merge", "check_order", "check_place", "check_sizes", "check_terms",
    "layout", "lines_of", "memory_map", "requests_of", "serve", "snapshot_at_the_peak", "stacked", "strip", "summary",
]  # fmt: skip
