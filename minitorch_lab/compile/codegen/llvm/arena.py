"""Where temporaries lie: one arena for all, in which two share memory if they are never needed at the same time."""

from __future__ import annotations

from dataclasses import dataclass

from ...schedule.program import Program
from .target import Target
from .tiles import PANEL, panel_bytes

LINE = 64  # bytes of a line of the cache


@dataclass(frozen=True, slots=True)
class Life:
    """A temporary: its bytes, and the first and last step at which it is needed."""

    name: str
    nbytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Arena:
    """The byte at which every temporary begins, and the bytes of all."""

    places: dict[str, int]
    nbytes: int


def lives(program: Program, target: Target) -> list[Life]:
    """The temporaries of a program, the rows and panels that single kernels need included."""
    found: dict[str, Life] = {}
    sizes = program.temporaries | program.scratch
    for i, step in enumerate(program.steps):
        if step.kernel is None:
            continue
        touched = {b: sizes[b] for b in step.kernel.buffers() if b in sizes}
        panel = panel_bytes(step.kernel, target)
        for name, nbytes in (touched | ({f"{PANEL} of {step.kernel.name}": panel} if panel else {})).items():
            first = found[name].first if name in found else i
            found[name] = Life(name, -(-nbytes // LINE) * LINE, first, i)
    return list(found.values())


def placed(temporaries: list[Life]) -> Arena:
    """The largest first, each into the smallest hole among those that live when it does (best fit)."""
    done: dict[Life, int] = {}
    for life in sorted(temporaries, key=lambda t: -t.nbytes):
        beside = [(at, at + t.nbytes) for t, at in done.items() if t.first <= life.last and life.first <= t.last]
        place, end = None, 0
        for low, high in sorted(beside):
            if low - end >= life.nbytes and (place is None or low - end < place[0]):
                place = (low - end, end)
            end = max(end, high)
        done[life] = end if place is None else place[1]
    size = max((at + t.nbytes for t, at in done.items()), default=0)
    return Arena({t.name: at for t, at in done.items()}, size)
