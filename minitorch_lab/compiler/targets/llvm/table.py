"""What machine code is told of the lengths of a call: a row of words, made when the lengths are first met.

    the symbols, the fractions that follow from them, the bytes of the arena at which temporaries begin

So code holds no length, and one piece of it serves all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ....core.array import Array, int64, xp
from ...ir.extents import Extents
from ...ir.sizes import Real, mapped_sizes
from ...loops.expr import parts
from ...memory.arena import Arena, Held, allocated
from ...memory.plan import Life, Plan, Planner, planned
from ...schedule.program import Program

Numbers = tuple[int, ...]
MOST = 256  # lengths that are kept in mind


class Known(NamedTuple):
    """What some lengths lead to: the bytes of the arena that are needed, the table, and the plan that says so."""

    size: int
    table: Array
    plan: Plan


class Table:
    """The tables of a program.

    Args:
        program: The program.
        names: The symbols, in the order of the table.
        extents: Who answers for them.
        lives: What needs memory, in bytes that may depend on the symbols.
        planner: Who places that.
        arena: Where.

    Attributes:
        at: The position of each word: by the name of a symbol, the text of a fraction, the name of a temporary.
        known: What the lengths of earlier calls have led to.
        plan: That of the lengths for which the program was made.
    """

    def __init__(
        self,
        program: Program,
        names: Sequence[str],
        extents: Extents,
        lives: list[Life],
        planner: Planner | None,
        arena: Arena,
    ) -> None:
        self.name, self.names, self.extents, self.arena = program.graph.name, names, extents, arena
        self.lives, self.planner, self.steps = lives, planner, [str(s) for s in program.steps]
        values = (e.attr for k in program.kernels for e in parts(k.values()) if e.op == "const")
        self.fractions = list({x.text: x for x in values if type(x) is Real}.values())
        words = [*names, *(x.text for x in self.fractions), *(name for life in lives for name in life.names)]
        self.at = {name: i for i, name in enumerate(words)}
        self.known: dict[Numbers, Known] = {}
        self.plan = self.learned(*(extents.hints[name] for name in names)).plan

    def learned(self, *lengths: int) -> Known:
        """What some lengths lead to; it is kept in mind."""
        values = dict(zip(self.names, lengths, strict=True))
        lives = [replace(life, nbytes=mapped_sizes(lambda n: n.at(values), life.nbytes)) for life in self.lives]
        plan = planned(lives, self.planner, steps=self.steps)
        fractions = xp.array([x.at(values) for x in self.fractions], dtype="f8").view(int64)
        table = xp.array([*lengths, *fractions, *plan.offsets], dtype=int64)
        if len(self.known) >= MOST:
            self.known.clear()
        self.arena.size = max(self.arena.size, plan.size)
        self.known[lengths] = found = Known(plan.size, table, plan)
        return found

    def grown(self, held: Held, plan: Plan) -> Array:
        """The memory of a block, which is too small or not there yet."""
        held.shown.clear()
        held.memory = allocated(self.name, plan, max(self.arena.size, plan.alignment))
        return held.memory

    def __str__(self) -> str:
        """All that code depends on: what the symbols are usually, and what is known of them."""
        return f"table {list(self.at)}, usually {self.extents.hints}, known {self.extents.told()}"
