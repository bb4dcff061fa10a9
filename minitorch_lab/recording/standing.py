"""Where the engine stands while it is recorded: on which line, inside which transform, in which checkpoint."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from . import events as ev
from .identity import Ids
from .modules import Modules
from .names import Names
from .recording import Recording
from .sources import Place, Sources, home_frame, reader_frame


@dataclass
class Made:
    """The ops of one checkpoint, in the order in which they ran."""

    id: str
    ops: list[str] = field(default_factory=list[str])


@dataclass
class Repeat:
    """A checkpoint that runs again: its ops come in the same order."""

    made: Made
    seen: int = 0

    def next(self) -> str | None:
        """The op that runs again now."""
        self.seen += 1
        return self.made.ops[self.seen - 1] if self.seen <= len(self.made.ops) else None


class Standing:
    """The recording, and what the next event happens in."""

    def __init__(self) -> None:
        self.recording, self.tensors = Recording(), Ids("t")
        self.sources, self.names, self.modules = Sources(), Names(self.tensors), Modules()
        self.place: Place | None = None
        self.where: tuple[int, int] = (0, 0)
        self.home = home_frame()  # lines from here inward are shown
        self.during: str | None = None  # the node whose rule runs now
        self.inside: str | None = None  # the transform that computes an op of its own now
        self.runs: dict[int, str] = {}  # level -> the transform that runs there
        self.checkpoints = 0
        self.segments: list[Made] = []  # the checkpoints in which an op runs now, the innermost first
        self.repeating: list[Repeat] = []  # those that run again, the innermost last

    # ---- where the reader's code stands -------------------------------------------------------------------
    def stand(self) -> None:
        """Note which line of the reader's runs now, and what its variables are called."""
        frame = reader_frame()
        if frame is None:
            self.place = None
            return
        self.names.look(frame)
        self.place = self.sources.place(frame)
        if self.home is not None:
            self.sources.calls(frame, self.home)
        self.where = id(getattr(frame, "of", frame)), frame.f_lasti

    @property
    def line(self) -> str | None:
        """The id of that line."""
        return None if self.place is None else self.place.line

    # ---- transforms ---------------------------------------------------------------------------------------
    def run(self, level: int, transform: str, outer: str | None) -> str:
        """A transform begins."""
        self.stand()
        self.runs[level] = name = f"x{len(self.runs) + 1}"
        self.recording.emit(ev.Run, name, transform, outer, self.line)
        return name

    @contextmanager
    def computing(self, run: str) -> Generator[None]:
        """What runs in this block is how `run` computes an op of its own."""
        outer, self.inside = self.inside, run
        place = self.place, self.where
        try:
            yield
        finally:
            self.inside = outer
            self.place, self.where = place

    # ---- checkpoints --------------------------------------------------------------------------------------
    def segment(self, keeps: tuple[str, ...]) -> Made:
        """A checkpointed call begins, which keeps these tensors."""
        self.checkpoints += 1
        made = Made(f"c{self.checkpoints}")
        self.recording.emit(ev.Segment, made.id, keeps, self.line)
        return made

    @contextmanager
    def again(self, made: Made) -> Generator[None]:
        """A checkpointed function runs again in this block."""
        self.repeating.append(Repeat(made))
        try:
            yield
        finally:
            self.repeating.pop()
