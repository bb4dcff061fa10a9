"""An allocator as PyTorch reports it: numbers by name, a table, and every segment with its blocks."""

from __future__ import annotations

from typing import Any

from .allocator import CachedBlock, CachingAllocator
from .refusal import in_bytes
from .table import columns

TITLES = {
    "allocated_bytes": "Bytes in use",
    "requested_bytes": "Bytes asked for",
    "reserved_bytes": "Bytes of segments",
    "allocation": "Blocks in use",
    "segment": "Segments",
}


def stats_of(allocator: CachingAllocator) -> dict[str, int | float]:
    """The numbers of an allocator under PyTorch's names, and two more: `reuse` and `fragmentation`, from 0 to 1."""
    figures = allocator.figures
    found: dict[str, int | float] = {}
    for name, amount in figures.amounts().items():
        parts = {"allocated": amount.allocated, "current": amount.current, "freed": amount.freed, "peak": amount.peak}
        found |= {f"{name}.all.{part}": value for part, value in parts.items()}
    split = [b.size for b in allocator.unused.values() if b.before is not None or b.after is not None]
    return found | {
        "inactive_split.all.current": len(split),
        "inactive_split_bytes.all.current": sum(split),
        "num_alloc_retries": figures.retries,
        "num_ooms": figures.ooms,
        "reuse": figures.reuse,
        "fragmentation": allocator.fragmentation,
    }


def summary_of(allocator: CachingAllocator) -> str:
    """The numbers of an allocator as a table."""
    rows: list[tuple[str, ...]] = [("", "now", "at most", "ever", "freed")]
    for name, amount in allocator.figures.amounts().items():
        numbers = (amount.current, amount.peak, amount.allocated, amount.freed)
        written = [in_bytes(n) if name.endswith("bytes") else f"{n:,}" for n in numbers]
        rows.append((TITLES[name], *written))
    stats, free = stats_of(allocator), allocator.free_sizes()
    largest = f", the largest of {in_bytes(free[0])}" if free else ""
    return "\n".join(
        [
            *columns(rows),
            f"Free: {in_bytes(sum(free))} in {len(free)} {'block' if len(free) == 1 else 'blocks'}{largest}; "
            f"fragmentation {stats['fragmentation']:.0%}",
            f"Reuse: {stats['reuse']:.1%} of the requests asked the system for nothing; "
            f"{stats['num_alloc_retries']} retries, {stats['num_ooms']} refused",
        ]
    )


def snapshot_of(allocator: CachingAllocator, device: str = "cpu") -> list[dict[str, Any]]:
    """Every segment with its blocks, in the form of PyTorch's `memory_snapshot`."""
    found: list[dict[str, Any]] = []
    for address, first in sorted(allocator.segments.items()):
        blocks = list(allocator.blocks(address))
        used = [b for b in blocks if b.requested is not None]
        found.append(
            {
                "device": device,
                "address": address,
                "total_size": sum(b.size for b in blocks),
                "allocated_size": sum(b.size for b in used),
                "active_size": sum(b.size for b in used),
                "requested_size": sum(b.requested or 0 for b in used),
                "segment_type": "small" if first.small else "large",
                "blocks": [block_of(b) for b in blocks],
            }
        )
    return found


def block_of(block: CachedBlock) -> dict[str, Any]:
    """One block; the line that asked for it is its only frame."""
    place = block.place
    frames = [] if place is None else [{"filename": place.file, "line": place.line}]
    state = "inactive" if block.requested is None else "active_allocated"
    return {
        "address": block.address,
        "size": block.size,
        "requested_size": block.requested or 0,
        "state": state,
        "frames": frames,
    }
