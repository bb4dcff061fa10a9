"""The ledger: every block of memory with its birth and its death on one clock, and what follows by adding up."""

from __future__ import annotations

import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..core.array import Shape
from .places import Place

# A block is what its strongest claim says: a cotangent that reaches a leaf is the leaf's gradient, and was all along.
STRENGTH: tuple[str, ...] = ("temporary", "activation", "input", "optimizer state", "gradient", "parameter")
CATEGORIES: tuple[str, ...] = (
    "parameter",
    "optimizer state",
    "gradient",
    "input",
    "activation",
    "temporary",
)  # as they are shown


@dataclass(slots=True, eq=False)
class Block:
    """One piece of memory, however many tensors look at it.

    Attributes:
        id: m1, m2, ... in the order in which the account met them.
        nbytes: Its size in bytes.
        category: One of `CATEGORIES`.
        op: The op or the node that made it; None for memory that no op made under the account.
        shape: The shape of the tensor or cotangent that it was met as.
        line: The line of the user's code that ran then, the forward line for what a rule makes.
        phase: What ran then: forward, backward, recomputation or update.
        born: When, on the clock of the account; 0 for what was there before.
        died: When, or None while it lives.
    """

    id: str
    nbytes: int
    category: str
    op: str | None
    shape: Shape
    line: Place | None
    phase: str
    born: int
    died: int | None = None


class Event(NamedTuple):
    """A birth or a death. `n` is the time: the events of one account are numbered without gaps from 1."""

    n: int
    kind: str  # "birth" or "death"
    block: Block
    phase: str


class Moment(NamedTuple):
    """What was alive right after event `n`, in bytes. `allocated` counts every byte born until then."""

    n: int
    phase: str
    op: str | None
    allocated: int
    live: dict[str, int]

    @property
    def total(self) -> int:
        """Bytes of all categories."""
        return sum(self.live.values())


class Ledger:
    """Blocks and events. It refers to memory weakly, so that watching keeps nothing alive."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.events: list[Event] = []
        self.phase = "forward"
        self.owners: dict[int, tuple[weakref.ref[Any], Block]] = {}
        self.waiting: list[Block] | None = None  # inside a step, the deaths that wait for its births

    # ---- births ---------------------------------------------------------------------------------------------------
    def find(self, owner: Any) -> Block | None:
        """The block of the object that owns the memory. Python reuses addresses, so the object is compared too."""
        held = self.owners.get(id(owner))
        return held[1] if held is not None and held[0]() is owner else None

    def birth(self, nbytes: int, category: str, op: str | None, shape: Shape, line: Place | None) -> Block:
        """A new block, born now."""
        n = len(self.events) + 1
        block = Block(f"m{len(self.blocks) + 1}", nbytes, category, op, shape, line, self.phase, n)
        self.blocks.append(block)
        self.events.append(Event(n, "birth", block, self.phase))
        return block

    def found(self, nbytes: int, category: str, shape: Shape) -> Block:
        """A block that was there before anybody looked."""
        block = Block(f"m{len(self.blocks) + 1}", nbytes, category, None, shape, None, "before", 0)
        self.blocks.append(block)
        return block

    def watch(self, block: Block, owner: Any) -> None:
        """Let `block` die with `owner`."""
        key = id(owner)

        def gone(_: weakref.ref[Any]) -> None:
            if self.owners.pop(key, None) is not None:
                self.death(block)

        self.owners[key] = weakref.ref(owner, gone), block

    def claim(self, block: Block, category: str) -> None:
        """`block` serves as `category` too; the stronger claim counts."""
        if STRENGTH.index(category) > STRENGTH.index(block.category):
            block.category = category

    # ---- deaths ---------------------------------------------------------------------------------------------------
    def death(self, block: Block) -> None:
        """`block` is gone; inside a step, as soon as what the step makes is born."""
        if self.waiting is not None:
            self.waiting.append(block)
            return
        block.died = len(self.events) + 1
        self.events.append(Event(block.died, "death", block, self.phase))

    @contextmanager
    def step(self) -> Generator[None]:
        """An op or a node: what it makes is born before what it reads may die. A step inside another begins anew."""
        outer = [] if self.waiting is not None else None
        self.bury([])
        try:
            yield
        finally:
            self.bury(outer)

    def bury(self, waiting: list[Block] | None) -> None:
        """Write down the deaths that have waited; further ones wait in `waiting`, if there is a step for them."""
        gone, self.waiting = self.waiting or [], None
        for block in gone:
            self.death(block)
        self.waiting = waiting

    def close(self) -> None:
        """Stop watching. What lives now is written down as living."""
        self.owners.clear()

    # ---- what follows ---------------------------------------------------------------------------------------------
    def timeline(self) -> Iterator[Moment]:
        """The moments, one per event, and moment 0: what was there before."""
        live = dict.fromkeys(CATEGORIES, 0)
        for block in self.blocks:
            if not block.born:
                live[block.category] += block.nbytes
        allocated = sum(live.values())
        yield Moment(0, "before", None, allocated, dict(live))
        for n, kind, block, phase in self.events:
            if kind == "birth":
                allocated += block.nbytes
            live[block.category] += block.nbytes if kind == "birth" else -block.nbytes
            yield Moment(n, phase, block.op, allocated, dict(live))

    def alive(self, n: int) -> list[Block]:
        """The blocks that live right after event `n`, largest first."""
        living = [b for b in self.blocks if b.born <= n and (b.died is None or b.died > n)]
        return sorted(living, key=lambda b: -b.nbytes)
