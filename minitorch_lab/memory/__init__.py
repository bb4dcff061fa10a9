"""Memory: who holds which bytes, from when to when; an allocator that keeps what is freed; streams and events."""

from __future__ import annotations

from .account import Account, account
from .allocator import CachingAllocator
from .ledger import CATEGORIES, Block, Event, Moment
from .reports import (
    empty_cache,
    max_memory_allocated,
    memory_allocated,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_summary,
    reset_peak_memory_stats,
)
from .serving import caching_allocator
from .streams import simulated_device

__all__ = [
    "CATEGORIES", "Account", "Block", "CachingAllocator", "Event", "Moment", "account", "caching_allocator",
    "empty_cache", "max_memory_allocated", "memory_allocated", "memory_reserved", "memory_snapshot", "memory_stats",
    "memory_summary", "reset_peak_memory_stats", "simulated_device",
]  # fmt: skip
