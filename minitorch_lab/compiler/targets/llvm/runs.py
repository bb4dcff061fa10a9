"""What Python calls: runs of kernels, with all that their machine code depends on, which can be said as text.

Under that text the code is kept. So it has every expression, the dtypes, the places in memory, the processor; but no
name of a value: a function that does the same finds the same code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ...ir.extents import usual
from ...loops.ir import Kernel
from ...loops.share import Shares, shares
from ...loops.spell import spelled
from ...memory.plan import ALIGNMENT
from ...schedule.program import Program, Step
from ...schedule.values import SIZES
from .slices import Batch
from .target import Target
from .tiles import PANEL, panel_bytes

WORTH_RELEASING = 1 << 18  # bytes; below, taking the lock of the interpreter again costs more than it gives


class Place(NamedTuple):
    """Where the memory of a buffer begins: an array, by its number in the run, or a byte of the arena."""

    inside: str
    number: int


@dataclass(eq=False, slots=True)
class Call:
    """A kernel, as a run calls it.

    Attributes:
        kernel: What is called.
        owner: For each buffer that it touches the one in whose memory it lies.
        at: Where the memory of each of those begins.
        text: What it does; the same for kernels that differ only in what their buffers are called.
        piece: Which piece is computed, of a kernel in pieces.
        moves: For what does not lie still from slice to slice the bytes by which it moves, along each loop.
    """

    kernel: Kernel
    owner: dict[str, str]
    at: dict[str, Place]
    text: str
    piece: int = 0
    moves: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def __str__(self) -> str:
        """All that its code depends on."""
        moves = [self.moves.get(b) for b in self.at]
        return f"{self.text}\npiece {self.piece} at {[tuple(p) for p in self.at.values()]}, moves {moves}"


@dataclass(eq=False, slots=True)
class Turns:
    """Kernels that take turns, slice by slice; `extents` are those of the loops around them."""

    extents: tuple[int, ...]
    calls: list[Call]

    def __str__(self) -> str:
        """All that its code depends on."""
        return "\n".join([f"slices {self.extents}", *map(str, self.calls)])


@dataclass(eq=False, slots=True)
class Run:
    """Kernels that one call runs. It is given arrays, then Python's numbers, then the arena, if one is needed.

    Attributes:
        numbers: For each number its dtype and the byte of the arena where kernels look for it.
        arena: Whether the arena is given.
        busy: Whether there is so much to do that other threads may run meanwhile.
        team: Of a kernel in pieces, which is a run of its own, a run for each piece; threads call them at once.
        after: What follows when they are done, if anything does.
        table: Whether a table of lengths is given: then a byte of the arena is a word of the table.
    """

    name: str
    steps: list[Step]
    arrays: list[str] = field(default_factory=list[str])
    numbers: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    arena: bool = False
    busy: bool = False
    calls: list[Call | Turns] = field(default_factory=list["Call | Turns"])
    team: list[Run] = field(default_factory=list["Run"])
    after: Run | None = None
    table: bool = False

    @property
    def functions(self) -> list[Run]:
        """The runs that are functions of machine code: itself, or its pieces and what follows."""
        return [*self.team, *([self.after] if self.after else [])] or [self]

    def __str__(self) -> str:
        """All that its code depends on."""
        if self.team:
            return "\n".join(map(str, self.functions))
        head = f"run {self.name}: {len(self.arrays)} arrays, numbers {[*self.numbers.values()]}"
        head += f", arena {self.arena}, busy {self.busy}" + ", table" * self.table
        return "\n".join([head, *map(str, self.calls)])


def runs(
    program: Program, target: Target, places: dict[str, int], batches: list[Batch], table: bool = False
) -> list[Run]:
    """The stretches of kernels between the nodes that NumPy runs, and the kernels that threads share.

    Args:
        program: The kernels.
        target: The processor.
        places: The byte of the arena at which each temporary, row and panel begins.
        batches: The kernels that take turns.
        table: Whether there is a table of lengths, in which those bytes stand.
    """
    starts = {batch.steps[0]: batch for batch in batches}
    follow = {step for batch in batches for step in batch.steps[1:]}
    out: list[Run] = []
    for before, step in zip([None, *program.steps], program.steps, strict=False):
        if step.kernel is None:
            continue
        alone = before is None or before.kernel is None or shares(before.kernel) or shares(step.kernel)
        if alone or shown_between(out[-1].steps, step):
            out.append(Run(f"run{len(out)}_op", [], arena=bool(places) or table, table=table))
        out[-1].steps.append(step)
    dtypes = dtypes_of(program)
    for run in out:
        touched = dict.fromkeys(program.storage(b) for s in run.steps for b in (*s.reads, *s.writes))
        run.arrays = [b for b in touched if b not in program.temporaries]
        run.numbers = {n.name: (dtypes[n.name], places[n.name]) for n in program.numbers if n.name in touched}
        run.busy = usual(sum(program.values[n].nbytes for n in run.arrays)) > WORTH_RELEASING
        where = {name: Place("array", i) for i, name in enumerate(run.arrays)}
        where = {name: Place("arena", byte) for name, byte in places.items()} | where
        first = run.steps[0].kernel
        split = shares(first) if first else None
        if first is None or split is None:
            for step in (s for s in run.steps if s not in follow):
                if step in starts:
                    run.calls.append(turns(starts[step], program, target, where, dtypes))
                elif step.kernel is not None:
                    run.calls.append(emit_call(step.kernel, program, target, where, dtypes))
        else:
            share_out(run, first, split, program, target, where, dtypes)
    return out


def shown_between(made: list[Step], step: Step) -> bool:
    """Whether a kernel reads what some others have written through a view, which NumPy makes when it is there."""
    written = {name for s in made for name in s.writes}
    return any(name != owner and owner in written for name, owner in zip(step.reads, step.owners, strict=True))


def share_out(
    run: Run,
    kernel: Kernel,
    split: Shares,
    program: Program,
    target: Target,
    where: dict[str, Place],
    dtypes: dict[str, str],
) -> None:
    """The runs of the pieces of a kernel. Of the rows and panels that it needs for itself each piece has its own."""

    def part(name: str, kernel: Kernel, piece: int) -> Run:
        own = where | {
            name if name in program.scratch else f"{PANEL} of {kernel.name}": Place(
                "arena", first.number + piece * size
            )
            for name, size in needs.items()
            if (first := where[name])
        }
        call = emit_call(kernel, program, target, own, dtypes, piece)
        return Run(f"{run.name}_{name}", run.steps, run.arrays, run.numbers, run.arena, True, [call])

    needs = own_memory(kernel, program, target)
    run.team = [part(f"piece{i}", split.piece, i) for i in range(split.count)]
    if split.last is not None:
        run.team.append(part("last", split.last, split.count))
    if split.after is not None:
        run.after = part("after", split.after, 0)


def own_memory(kernel: Kernel, program: Program, target: Target) -> dict[str, int]:
    """The rows and the panel that a kernel needs for itself: bytes by name. Each piece of a kernel needs as many."""
    found = {b: program.scratch[b] for b in kernel.buffers() if b in program.scratch}
    panel = panel_bytes(kernel, target)
    found |= {f"{PANEL} of {kernel.name}": panel} if panel else {}
    return {name: -(-nbytes // ALIGNMENT) * ALIGNMENT for name, nbytes in found.items()}


def emit_call(
    kernel: Kernel,
    program: Program,
    target: Target,
    where: dict[str, Place],
    dtypes: dict[str, str],
    piece: int = 0,
) -> Call:
    """The call of a kernel."""
    buffers = [*kernel.buffers(), *([PANEL] if panel_bytes(kernel, target) else [])]
    owner = {b: program.storage(b) for b in buffers}
    at = {b: where[f"{PANEL} of {kernel.name}" if b == PANEL else b] for b in owner.values()}
    numbered = {b: f"B{list(at).index(o)}" for b, o in owner.items()}
    types = ", ".join(f"{n} {dtypes[b]}" for b, n in numbered.items())
    return Call(kernel, owner, at, f"kernel on {types}\n{spelled(kernel, numbered)}", piece)


def turns(batch: Batch, program: Program, target: Target, where: dict[str, Place], dtypes: dict[str, str]) -> Turns:
    """The calls of kernels that take turns. What has memory for one slice only lies still."""
    out = Turns(batch.extents, [])
    for m in batch.members:
        call = emit_call(m.slice, program, target, where, dtypes)
        sizes = {owner: SIZES[dtypes[b]] for b, owner in call.owner.items()}
        moves = {b: tuple(sizes[b] * by for by in steps) for b, steps in (m.moves or {}).items()}
        call.moves = {b: by for b, by in moves.items() if any(by) and b not in batch.memory}
        out.calls.append(call)
    return out


def dtypes_of(program: Program) -> dict[str, str]:
    """The dtype of every buffer."""
    found = {name: v.dtype for name, v in program.values.items()}
    return found | {PANEL: "f32"} | dict.fromkeys(program.scratch, "f32")
