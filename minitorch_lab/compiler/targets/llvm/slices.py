"""Kernels slice by slice: those with the same outer loops take turns, so that each finds what the last one left nearby.

Attention writes its scores, its weights and their gradients for one head at a time, and reads them at once. As whole
kernels they would write them for all heads, which no near cache holds. What nobody outside asks for has memory for one
slice only (E. Lewis, C. Lin and L. Snyder, The Implementation and Evaluation of Fusion and Contraction in Array
Languages, 1998).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

from ...loops.affine import ZERO
from ...loops.expr import parts
from ...loops.ir import Contract, Kernel, Loop
from ...loops.share import Cutter
from ...schedule.program import Program, Step
from ...schedule.values import SIZES

DEEPEST = 3  # loops
AHEAD = 16  # steps that are looked at
WORTH = 1 << 17  # bytes that are passed on in all: so many stay in a cache in any case
LEAST = 1 << 12  # bytes that are passed on in a slice: for less the calls take too long


class Sliced:
    """A kernel without its outer loops.

    Args:
        program: Where it is from.
        step: Its step.
        depth: How many loops are left out.

    Attributes:
        extents: Of these loops.
        moves: For each buffer that has memory the entries from slice to slice, along each loop; None if there is not
            one answer, or a slice asks for its number.
    """

    def __init__(self, program: Program, step: Step, depth: int) -> None:
        assert step.kernel is not None
        self.program, self.step, self.kernel = program, step, step.kernel
        loops = nest(self.kernel)[:depth]
        self.axes, self.extents = [x.axis for x in loops], tuple(x.extent for x in loops)
        self.moves = self.moved()

    def moved(self) -> dict[str, tuple[int, ...]] | None:
        """The attribute `moves`."""
        found: dict[str, tuple[int, ...]] = {}
        for buffer, at in [*self.kernel.loads(), *((s.buffer, s.at) for s in self.kernel.stores())]:
            by = tuple(at.coefficient(a) for a in self.axes)
            if found.setdefault(self.program.storage(buffer), by) != by:
                return None
        counts = [e.attr for e in parts(self.kernel.values()) if e.op == "index"]
        numbered = any(at.coefficient(a) for at in counts for a in self.axes)
        return None if numbered or any(isinstance(s, Contract) for s in self.kernel.statements()) else found

    def even(self, buffer: str) -> bool:
        """Whether the slices of a buffer follow each other without gaps, and none reaches into the next."""
        value, moves = self.program.values.get(buffer), (self.moves or {}).get(buffer)
        size = value.nbytes // SIZES[value.dtype] if value else 0
        return moves == tuple(size // prod(self.extents[: i + 1]) for i in range(len(self.extents)))

    @cached_property
    def slice(self) -> Kernel:
        """The kernel that computes one slice."""
        out = Kernel(self.kernel.name, [], self.kernel.reasons, self.kernel.stands)
        cutter, by = Cutter(out), dict.fromkeys(self.axes, ZERO)
        inner = nest(self.kernel)[len(self.axes) - 1].body
        out.body = [cutter.substitute_axes(s, by, {}) for s in inner]
        return out


@dataclass(eq=False, slots=True)
class Batch:
    """Kernels that take turns.

    Attributes:
        members: They, without the loops around them.
        passed: The bytes that are passed on, of all slices.
        memory: The bytes of one slice, for each temporary that nobody else asks for.
    """

    members: list[Sliced]
    passed: int
    memory: dict[str, int]

    @property
    def extents(self) -> tuple[int, ...]:
        """Of the loops around them."""
        return self.members[0].extents

    @property
    def steps(self) -> list[Step]:
        """What happens in turns."""
        return [m.step for m in self.members]


def batches(program: Program) -> list[Batch]:
    """The kernels of a program that take turns. Its steps are put in such an order that those follow each other.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.schedule.program import scheduled
        >>> x = ml.ones(8, 128, 64)
        >>> graph = ml.jit.trace(lambda q, k: (q @ k).relu() @ q, x, ml.ones(8, 64, 128)).graph
        >>> (batch,) = batches(scheduled(graph))
        >>> batch.extents, [s.kernel.name for s in batch.steps], batch.memory
        ((8,), ['matmul_0', 'matmul_1'], {'relu_t': 65536})
    """
    finder, out, left, order = Finder(program), list[Batch](), [*program.steps], list[Step]()
    while left:
        found = [b for depth in range(DEEPEST, 0, -1) if (b := finder.batch_from(left, depth))]
        batch = max(found, key=lambda b: b.passed, default=None)
        taken = batch.steps if batch else left[:1]
        out += [batch] if batch else []
        order += taken
        left = [s for s in left if s not in taken]
    program.steps = order
    for batch in out:
        say(batch)
    return out


class Finder:
    """Finds batches.

    Attributes:
        reads: For each step the buffers whose memory it reads.
        writes: And those whose memory it writes.
        touched: Both.
        extents: Those of the loops around all that it does.
        sliced: What is known of kernels without some loops.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.reads = {s: {program.storage(b) for b in (*s.reads, *s.owners)} for s in program.steps}
        self.writes = {s: {program.storage(b) for b in s.writes} for s in program.steps}
        self.touched = {s: self.reads[s] | self.writes[s] for s in program.steps}
        self.extents = {s: tuple(x.extent for x in nest(s.kernel)) if s.kernel else () for s in program.steps}
        self.sliced: dict[tuple[Step, int], Sliced] = {}

    def batch_from(self, steps: list[Step], depth: int) -> Batch | None:
        """The batch that begins with the first of these steps, if it is worth it."""
        members, waiting = list[Sliced](), list[Step]()
        extents = self.extents[steps[0]][:depth]
        for step in steps[:AHEAD] if len(extents) == depth else []:
            if step.kernel is None:
                break
            one = self.without(step, depth) if self.extents[step][:depth] == extents else None
            if one and self.joins(one, members) and not any(self.depends(step, w) for w in waiting):
                members.append(one)
            else:
                waiting.append(step)
            if not members:
                return None
        inside = [m.step for m in members]
        passed = self.passed_on(inside)
        nbytes, count = sum(self.program.values[b].nbytes for b in passed), prod(extents)
        if not passed or count < 2 or nbytes < WORTH or nbytes // count < LEAST:
            return None
        elsewhere = {b for s, touched in self.touched.items() if s not in inside for b in touched}
        sizes = self.program.temporaries
        return Batch(members, nbytes, {b: sizes[b] // count for b in (passed & sizes.keys()) - elsewhere})

    def without(self, step: Step, depth: int) -> Sliced:
        """What is known of a kernel without its outer loops."""
        if (step, depth) not in self.sliced:
            self.sliced[step, depth] = Sliced(self.program, step, depth)
        return self.sliced[step, depth]

    def passed_on(self, steps: list[Step]) -> set[str]:
        """The buffers that one of these steps writes, and a later one reads."""
        found = set[str]()
        for i, step in enumerate(steps):
            found |= self.writes[step] & {b for s in steps[i + 1 :] for b in self.reads[s]}
        return found

    def joins(self, one: Sliced, members: list[Sliced]) -> bool:
        """Whether a kernel can take turns with others: what one of them writes, all touch in the same slice."""
        if one.moves is None:
            return False
        for m in members:
            shared = self.touched[one.step] & self.touched[m.step]
            made = self.writes[one.step] | self.writes[m.step]
            if not all(one.even(b) and m.even(b) for b in shared & made):
                return False
        return True

    def depends(self, later: Step, earlier: Step) -> bool:
        """Whether a step must wait for another."""
        if earlier in self.program.after.get(later, []):
            return True
        shared = self.touched[earlier] & self.touched[later]
        return bool(shared & (self.writes[earlier] | self.writes[later]))


def say(batch: Batch) -> None:
    """Every kernel says that it takes turns."""
    across = " × ".join(map(str, batch.extents))
    for m in batch.members:
        others = ", ".join(n.kernel.name for n in batch.members if n is not m)
        m.kernel.reasons.append(f"{across} slices, each in turn with {others}: what is passed on stays near")


def nest(kernel: Kernel) -> list[Loop]:
    """The loops around all that a kernel does, the first outermost."""
    found, body = list[Loop](), kernel.body
    while len(body) == 1 and isinstance(body[0], Loop):
        found.append(body[0])
        body = body[0].body
    return found
