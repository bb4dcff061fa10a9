"""Memory, recorded: the account of what storages hold, told as births and deaths in the stream of events."""

from __future__ import annotations

from typing import Any

from ..autograd.eager import Eager
from ..core.array import Shape
from ..memory.ledger import Block, Ledger
from ..memory.places import Place
from ..memory.watch import Accounting
from . import events as ev
from .log import Log


class Counting(Accounting):
    """The account of a recording. One that the reader opens may stand on it."""

    alone = False

    def __init__(self, under: Eager, log: Log) -> None:
        super().__init__(under, Told(log))


class Told(Ledger):
    """A ledger that says what it writes down, when it does."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.log = log
        self.births: dict[str, int] = {}  # block -> the event that told of it

    def birth(self, nbytes: int, category: str, op: str | None, shape: Shape, line: Place | None) -> Block:
        """A new block."""
        return self.tell(super().birth(nbytes, category, op, shape, line))

    def found(self, nbytes: int, category: str, shape: Shape) -> Block:
        """A block that was there before."""
        return self.tell(super().found(nbytes, category, shape))

    def tell(self, block: Block) -> Block:
        """The event of a birth."""
        place = block.line
        line = None if place is None else self.log.sources.known(place.file, place.line)
        facts = block.nbytes, block.category, block.op, block.shape, line, block.phase
        self.births[block.id] = self.log.recording.emit(ev.Birth, f"a{block.id[1:]}", *facts).n
        return block

    def watch(self, block: Block, owner: Any) -> None:
        """Whose memory it is: the block then has the id of that memory too."""
        super().watch(block, owner)
        if not hasattr(owner, "__setitem__"):
            return  # a bare number of NumPy's: its storage stands for memory that it has not
        memory = self.log.memories.get(owner) or self.log.memories.new(owner)
        self.log.recording.complete_event(self.births[block.id], memory=memory)

    def claim(self, block: Block, category: str) -> None:
        """It serves as something else as well."""
        super().claim(block, category)
        event = self.births[block.id]
        self.log.recording.complete_event(event, category=block.category)
        if category == "gradient" and self.log.during is not None:  # the walk stands at the leaf
            self.log.recording.complete_event(event, leaf=self.log.of_node.get(self.log.during))

    def death(self, block: Block) -> None:
        """It is gone, unless that waits for the end of a step."""
        super().death(block)
        if block.died is not None:
            self.log.recording.emit(ev.Death, f"a{block.id[1:]}", self.phase)
