"""Memory: who holds which bytes, from when to when; an allocator that keeps what is freed; streams and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from .streams import simulated_device

__all__ = [
    "CATEGORIES", "Account", "Block", "CachingAllocator", "Event", "Moment", "account", "caching_allocator",
    "empty_cache", "max_memory_allocated", "memory_allocated", "memory_reserved", "memory_snapshot", "memory_stats",
    "memory_summary", "reset_peak_memory_stats", "simulated_device",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the simulated device when it is first asked for: it takes the cost model along, and that the compiler."""
    if name != "simulated_device":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .streams import simulated_device

    return simulated_device
