"""`ml.memory.memory_stats()` and its kin, under PyTorch's names: of the caching allocator, or of CuPy's pool."""

from __future__ import annotations

from typing import Any

from ..core.array import check_device, cuda
from ..errors import ArgumentError
from .allocator import CachingAllocator
from .refusal import in_bytes
from .report import snapshot_of, stats_of, summary_of
from .serving import in_force


def asked(name: str, device: Any) -> CachingAllocator | None:
    """The allocator that a report is about; None stands for CuPy's pool.

    Raises:
        ArgumentError: There has been none.
        DeviceError: There is no such device.
    """
    if device is not None and check_device(device) == "cuda":
        return None
    serving = in_force()
    if serving is None:
        raise ArgumentError(
            f"{name} was asked, and no caching allocator has been in force.",
            "On the CPU arrays are NumPy's own business, unless a caching allocator serves them.",
            "Did you mean to run the code in a block of ml.memory.caching_allocator()?",
        )
    return serving.allocator


def memory_stats(device: Any = None) -> dict[str, int | float]:
    """The numbers of the caching allocator, by PyTorch's names; on "cuda" those that CuPy's pool knows.

    Bytes are counted as `allocated_bytes` (blocks in use), `requested_bytes` (what was asked for) and `reserved_bytes`
    (segments); `allocation` and `segment` count blocks and segments. Each is there as `.all.current`, `.all.peak`,
    `.all.allocated` (ever) and `.all.freed`. `reuse` is the part of the requests that asked the system for nothing,
    and `fragmentation` the part of the free bytes that no single request could have, both from 0 to 1.

    Args:
        device: "cuda" for CuPy's pool; else the allocator of the innermost open block, or the last one.

    Raises:
        ArgumentError: There has been no such block.
        DeviceError: There is no such device.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.memory.caching_allocator(limit=64 << 20):
        ...     x = ml.ones(1 << 20)
        >>> ml.memory.memory_stats()["allocated_bytes.all.current"]
        4194304
    """
    allocator = asked("memory_stats", device)
    return pool_stats() if allocator is None else stats_of(allocator)


def memory_summary(device: Any = None) -> str:
    """The same numbers as a table, to print.

    Raises:
        ArgumentError: There has been no caching allocator.
        DeviceError: There is no such device.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.memory.caching_allocator(limit=64 << 20):
        ...     x = ml.ones(1 << 20)
        >>> print(ml.memory.memory_summary().splitlines()[1])
        Bytes in use       4.00 MiB   4.00 MiB   4.00 MiB   0 bytes
    """
    allocator = asked("memory_summary", device)
    if allocator is not None:
        return summary_of(allocator)
    stats = pool_stats()
    return "\n".join(f"{in_bytes(n) if 'bytes' in name else n} {name}" for name, n in stats.items())


def memory_snapshot(device: Any = None) -> list[dict[str, Any]]:
    """Every segment with its blocks, in the form of PyTorch's: addresses, sizes in bytes, states, and lines.

    Raises:
        ArgumentError: There has been no caching allocator, or CuPy's pool is asked, which does not say.
        DeviceError: There is no such device.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.memory.caching_allocator(limit=64 << 20):
        ...     x = ml.ones(1 << 20)
        >>> (segment,) = ml.memory.memory_snapshot()
        >>> [(block["size"] >> 20, block["state"]) for block in segment["blocks"]]
        [(4, 'active_allocated'), (16, 'inactive')]
    """
    allocator = asked("memory_snapshot", device)
    if allocator is None:
        raise ArgumentError(
            'memory_snapshot got device="cuda".',
            "CuPy's pool says how much it holds, and not where.",
            'Did you mean memory_stats("cuda")?',
        )
    return snapshot_of(allocator)


def memory_allocated(device: Any = None) -> int:
    """Bytes of blocks in use."""
    return int(memory_stats(device)["allocated_bytes.all.current"])


def max_memory_allocated(device: Any = None) -> int:
    """The most bytes of blocks that were in use at one time. CuPy's pool does not say."""
    return int(memory_stats(device)["allocated_bytes.all.peak"])


def memory_reserved(device: Any = None) -> int:
    """Bytes of segments, in use and free."""
    return int(memory_stats(device)["reserved_bytes.all.current"])


def reset_peak_memory_stats(device: Any = None) -> None:
    """Count the peaks anew from now on."""
    allocator = asked("reset_peak_memory_stats", device)
    if allocator is not None:
        allocator.figures.reset_peaks()


def empty_cache(device: Any = None) -> None:
    """Give back the segments of which nothing is in use."""
    allocator = asked("empty_cache", device)
    if allocator is None:
        cuda().get_default_memory_pool().free_all_blocks()
    else:
        allocator.empty_cache()


def pool_stats() -> dict[str, int | float]:
    """What CuPy's pool knows of itself, under PyTorch's names."""
    pool = cuda().get_default_memory_pool()
    return {
        "allocated_bytes.all.current": pool.used_bytes(),
        "reserved_bytes.all.current": pool.total_bytes(),
        "inactive.all.current": pool.n_free_blocks(),
    }
