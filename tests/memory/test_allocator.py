"""The caching allocator: what it gives, keeps and says. Its sizes are PyTorch's; the figures are those of row B11."""

from __future__ import annotations

import re

import pytest

from minitorch_lab.errors import ArgumentError, OutOfMemoryError
from minitorch_lab.memory.addresses import Addresses
from minitorch_lab.memory.allocator import CachingAllocator
from minitorch_lab.memory.report import snapshot_of, stats_of, summary_of
from tests.memory.allocator_machine import run

MB, GB = 1 << 20, 1 << 30


def made(limit: int) -> CachingAllocator:
    return CachingAllocator(Addresses(limit), limit)


def test_any_requests_and_frees_keep_the_blocks_apart_and_lose_none() -> None:
    assert run(3000) >= 3000


def swiss_cheese() -> tuple[CachingAllocator, list[int]]:
    """20 GB, of which every second GB is in use."""
    allocator = made(20 * GB)
    allocator.free(allocator.allocate(20 * GB))
    blocks = [allocator.allocate(GB) for _ in range(20)]
    for address in blocks[::2]:
        allocator.free(address)
    return allocator, blocks


def test_row_b11_10_gb_free_but_the_largest_block_of_1_gb_refuses_2_gb() -> None:
    allocator, blocks = swiss_cheese()
    assert (sum(allocator.free_sizes()), allocator.free_sizes()[0]) == (10 * GB, GB)
    assert allocator.fragmentation == pytest.approx(0.9)
    with pytest.raises(OutOfMemoryError) as caught:
        allocator.allocate(2 * GB)
    assert str(caught.value) == (
        "2.00 GiB were asked for, and are not to be had: of 20.00 GiB 10.00 GiB are in use, 10.00 GiB are free in 10 "
        "blocks, the largest of 1.00 GiB, and 0 bytes were never asked for.\n"
        "  The memory is held by:\n"
        "    10.00 GiB in 10 × an unknown line\n"
        "  There would be enough in one piece: the free memory is fragmented. Make what is large first, keep lengths "
        "equal from step to step, or let go of what splits it."
    )
    allocator.free(blocks[1])  # three neighbours are one block now
    assert allocator.free_sizes()[0] == 3 * GB
    assert allocator.allocate(2 * GB) == blocks[0]


def test_row_b11_the_system_is_asked_once_where_it_takes_10_to_100_microseconds() -> None:
    """A loop of 1,000 steps with 20 allocations: 20,000 calls would cost 0.2 to 2 s; the cache makes them 4."""
    allocator = made(GB)
    for _ in range(1000):
        held = [allocator.allocate(n * 512 * 1024) for n in range(1, 21)]
        for address in held:
            allocator.free(address)
    figures = allocator.figures
    calls, requests = figures.segment.allocated, figures.allocation.allocated
    assert requests == 20_000
    assert [round(requests * cost, 1) for cost in (10e-6, 100e-6)] == [0.2, 2.0]
    assert calls <= 8
    assert figures.reuse >= 0.95


def test_row_b11_bins_are_powers_of_two() -> None:
    allocator = made(GB)
    held = [allocator.allocate(n) for n in (600, 512, 3000, 512, 9000, 512)]
    for address in held[::2]:
        allocator.free(address)
    bins = allocator.bins[True].sizes()
    assert {k: v for k, v in bins.items() if k < 20} == {10: [1024], 11: [3072], 13: [9216]}
    assert allocator.allocate(2000) == held[2]  # of bin 11, though bin 10 begins there as well
    assert allocator.allocate(8000) == held[4]


@pytest.mark.parametrize(
    ("nbytes", "size", "kind"),
    [(0, 2, "small"), (MB, 2, "small"), (MB + 1, 20, "large"), (10 * MB - 512, 20, "large"), (10 * MB, 10, "large"),
     (11 * MB, 12, "large")],
)  # fmt: skip
def test_segments_have_pytorchs_sizes(nbytes: int, size: int, kind: str) -> None:
    allocator = made(GB)
    allocator.allocate(nbytes)
    assert [(s["total_size"], s["segment_type"]) for s in snapshot_of(allocator)] == [(size * MB, kind)]


def test_free_segments_are_given_back_before_a_request_is_refused() -> None:
    allocator = made(64 * MB)
    for address in [allocator.allocate(12 * MB) for _ in range(5)]:
        allocator.free(address)
    assert allocator.figures.reserved.current == 60 * MB
    allocator.allocate(50 * MB)
    stats = stats_of(allocator)
    assert (stats["num_alloc_retries"], stats["num_ooms"], stats["reserved_bytes.all.current"]) == (1, 0, 50 * MB)


def test_the_error_names_the_lines_that_hold_most_and_what_is_missing() -> None:
    allocator = made(64 * MB)
    for n in range(1, 8):
        allocator.allocate(n * MB, f"model.py, line {n}: x = f(x)")
    with pytest.raises(OutOfMemoryError) as caught:
        allocator.allocate(50 * MB)
    lines = str(caught.value).splitlines()
    assert lines[2:8] == [
        *(f"    {n}.00 MiB in 1 × model.py, line {n}: x = f(x)" for n in (7, 6, 5, 4, 3)),
        "    3.00 MiB from 2 more lines",
    ]
    assert re.match(r"  14\.00 MiB are missing: did you mean a smaller batch, checkpoint\(\)", lines[8])


def test_a_request_beyond_the_limit_is_told_so() -> None:
    with pytest.raises(OutOfMemoryError, match=r"(?s)Nothing holds memory.*Did you mean a limit of 5.00 MiB or more"):
        made(4 * MB).allocate(5 * MB)


def test_a_block_is_freed_once() -> None:
    allocator = made(GB)
    first, _ = allocator.allocate(512), allocator.allocate(512)
    allocator.free(first)
    with pytest.raises(ArgumentError, match=r"free got the address 0x0.\n.*\n  Was it freed before\?"):
        allocator.free(first)
    with pytest.raises(ArgumentError, match=r"Did you mean another address\?"):
        allocator.free(12345)
    with pytest.raises(ArgumentError, match=r"allocate got -1"):
        allocator.allocate(-1)


def test_the_summary_as_text() -> None:
    allocator, _ = swiss_cheese()
    assert summary_of(allocator) == (
        "                   now        at most    ever       freed\n"
        "Bytes in use       10.00 GiB  20.00 GiB  40.00 GiB  30.00 GiB\n"
        "Bytes asked for    10.00 GiB  20.00 GiB  40.00 GiB  30.00 GiB\n"
        "Bytes of segments  20.00 GiB  20.00 GiB  20.00 GiB  0 bytes\n"
        "Blocks in use      10         20         21         11\n"
        "Segments           1          1          1          0\n"
        "Free: 10.00 GiB in 10 blocks, the largest of 1.00 GiB; fragmentation 90%\n"
        "Reuse: 95.2% of the requests asked the system for nothing; 0 retries, 0 refused"
    )


def test_the_snapshot_holds_every_byte_of_every_segment() -> None:
    allocator, blocks = swiss_cheese()
    (segment,) = snapshot_of(allocator)
    assert (segment["total_size"], segment["allocated_size"], len(segment["blocks"])) == (20 * GB, 10 * GB, 20)
    assert [b["address"] for b in segment["blocks"]] == blocks
    assert [b["state"] for b in segment["blocks"]] == ["inactive", "active_allocated"] * 10
    assert all(b["size"] == GB and b["frames"] == [] for b in segment["blocks"])
