"""The allocator as a state machine of hypothesis: any requests, frees and clearings, held to what must be true.

`python -m tests.memory.allocator_machine 1000000` tries that many operations (a quarter of an hour, or so).
"""

from __future__ import annotations

import sys
from time import monotonic
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from minitorch_lab.errors import OutOfMemoryError
from minitorch_lab.memory.addresses import Addresses
from minitorch_lab.memory.allocator import GRANULE, SMALL, CachingAllocator

BEGIN = 1 << 20
SIZES = st.one_of(st.integers(0, 4096), st.integers(0, SMALL), st.integers(SMALL, 40 * SMALL))
STEPS = 50


class Counting:
    """A source that knows what it has handed out."""

    def __init__(self, nbytes: int) -> None:
        self.under, self.out = Addresses(nbytes, BEGIN), dict[int, int]()

    def take(self, nbytes: int) -> int | None:
        address = self.under.take(nbytes)
        if address is not None:
            self.out[address] = nbytes
        return address

    def give_back(self, address: int, nbytes: int) -> None:
        assert self.out.pop(address) == nbytes, "a segment goes back as it came"
        self.under.give_back(address, nbytes)


class Machine(RuleBasedStateMachine):
    """Beside the allocator runs a dictionary, which says what is in use."""

    tried = 0

    @initialize(limit=st.sampled_from([8, 64, 512]))
    def begin(self, limit: int) -> None:
        self.limit = limit << 20
        self.source = Counting(self.limit)
        self.allocator = CachingAllocator(self.source, self.limit)
        self.model: dict[int, int] = {}

    @rule(nbytes=SIZES)
    def allocate(self, nbytes: int) -> None:
        Machine.tried += 1
        try:
            address = self.allocator.allocate(nbytes)
        except OutOfMemoryError:
            assert not any(size >= nbytes and small == (nbytes <= SMALL) for size, small in free_blocks(self.allocator))
            assert self.model or nbytes > self.limit, "nothing is in use, and it would fit"
            return
        assert address not in self.model
        self.model[address] = nbytes

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def free(self, data: Any) -> None:
        Machine.tried += 1
        address = data.draw(st.sampled_from(sorted(self.model)))
        self.allocator.free(address)
        del self.model[address]

    @rule()
    def empty_cache(self) -> None:
        Machine.tried += 1
        self.allocator.empty_cache()
        for address in self.source.out:
            assert any(b.requested is not None for b in self.allocator.blocks(address)), "it is free, and was kept"

    @invariant()
    def holds(self) -> None:
        if hasattr(self, "allocator"):
            check(self.allocator, self.source, self.model)

    def teardown(self) -> None:
        """No leak: when all is freed and given back, the source has everything again, in one piece."""
        if not hasattr(self, "allocator"):
            return
        for address in list(self.model):
            self.allocator.free(address)
        self.allocator.empty_cache()
        assert self.source.out == {}
        assert self.source.under.holes == [(BEGIN, self.limit)]
        assert self.allocator.figures.reserved.current == self.allocator.figures.allocated.current == 0


def free_blocks(allocator: CachingAllocator) -> list[tuple[int, bool]]:
    return [(b.size, b.small) for b in allocator.unused.values()]


def check(allocator: CachingAllocator, source: Counting, model: dict[int, int]) -> None:
    """No overlap, nothing lost, free neighbours merged, and every figure is the sum that it says it is."""
    used: dict[int, int] = {}
    free: set[tuple[int, int]] = set()
    sizes = 0
    assert set(allocator.segments) == set(source.out)
    for start, nbytes in source.out.items():
        at, was_free = start, False
        for block in allocator.blocks(start):
            assert block.address == at, "blocks fill a segment without gap and without overlap"
            assert block.size > 0
            assert block.size % GRANULE == 0
            assert not (was_free and block.requested is None), "two free neighbours are one block"
            was_free = block.requested is None
            at += block.size
            if block.requested is None:
                free.add((block.size, block.address))
            else:
                used[block.address] = block.requested
                sizes += block.size
                assert block.size >= block.requested
        assert at == start + nbytes
    assert used == model
    assert free == {*allocator.bins[True], *allocator.bins[False]}
    for bins in allocator.bins.values():
        for k, found in bins.sizes().items():
            assert all(2**k <= size < 2 ** (k + 1) for size in found)
    figures = allocator.figures
    assert (figures.allocated.current, figures.requested.current) == (sizes, sum(model.values()))
    assert figures.reserved.current == sum(source.out.values()) <= allocator.limit
    assert figures.allocation.current == len(model)
    assert figures.segment.current == len(source.out)


def run(operations: int) -> int:
    """Try at least so many operations, in programs of `STEPS` each; return how many it were."""
    Machine.tried = 0
    quick = [HealthCheck.too_slow, HealthCheck.data_too_large]
    while Machine.tried < operations:
        programs = max(1, min(2000, (operations - Machine.tried) // STEPS))
        run_state_machine_as_test(
            Machine,
            settings=settings(
                max_examples=programs,
                stateful_step_count=STEPS,
                deadline=None,
                database=None,
                suppress_health_check=quick,
            ),
        )
    return Machine.tried


if __name__ == "__main__":
    began = monotonic()
    print(f"{run(int(sys.argv[1])):,} operations, {monotonic() - began:.0f} s: no overlap, no leak, all merged")
