"""Masks: a row is cut where whole trips end, and where whole vectors end; what is left over goes under a mask."""

from __future__ import annotations

from collections.abc import Iterator

from ....ir.extents import is_open
from ....loops.ir import Kernel
from .kinds import Machine, Stretch, sweeps

SHORT = 8  # a row of as many vectors is written out, and its values stay in registers from pass to pass


def mask_ends(kernel: Kernel, machine: Machine) -> None:
    """Every pass; one that goes past the caches has other ends, which depend on where its rows lie."""
    for s, _, _ in sweeps(kernel):
        cut = open_stretches if is_open(s.extent) else stretches
        s.way.stretches = [] if s.way.past else [*cut(s.extent, machine.target.lanes, s.way.count)]


def stretches(extent: int, lanes: int, count: int) -> Iterator[Stretch]:
    """The parts of a row.

    Example:
        >>> [str(s) for s in stretches(1000, 16, 4)], [str(s) for s in stretches(100, 16, 4)]
        (['0 to 960', '2 vectors', '1 vector masked'], ['6 vectors', '1 vector masked'])
    """
    full, tail = divmod(extent, lanes)
    main = 0 if full + (tail > 0) <= SHORT else full // count * count
    if main:
        yield Stretch(0, main * lanes, count, looped=True)
    if full > main:
        yield Stretch(main * lanes, full * lanes, full - main)
    if tail:
        yield Stretch(full * lanes, extent, 1, masked=True)


def open_stretches(extent: int, lanes: int, count: int) -> Iterator[Stretch]:
    """The same where the length is known when the code runs: loops for what may be there."""
    main, full = (extent // (lanes * n) * (lanes * n) for n in (count, 1))
    yield Stretch(0, main, count, looped=True)
    if count > 1:
        yield Stretch(main, full, 1, looped=True)
    yield Stretch(full, extent, 1, looped=True, masked=True)
