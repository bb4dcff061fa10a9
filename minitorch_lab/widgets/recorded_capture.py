"""The view "Capture" of a recording: captures, graphs, breaks and kernels on the clock of the run.

A recording has no bytecode in it: for that, `with ml.compile.watch() as seen:`. But its lines, nodes and kernels are
those of all other views of the recording.
"""

from __future__ import annotations

from typing import Any

from ..errors import RecordingError
from ..recording import compiler_events as ce
from ..recording import events as ev
from ..recording.recording import Recording
from .clock import Clock
from .frame import Json, framed
from .linking import Links
from .model import Model
from .numbers import listed, ordinal, plural
from .scene import source


def recorded_capture_scene(recording: Recording, question: str) -> Json:
    """The scene of the view "Capture", for the compiled functions of a recording.

    Raises:
        RecordingError: The recording is still running, or nothing was captured in it.
    """
    model = Model(recording)
    if not recording.each(ce.Capture):
        raise RecordingError(
            "Capture got a recording without a capture.",
            "It shows how a compiled function becomes graphs; this one holds no call that was captured.",
            "Did you mean `with ml.record() as rec:` around the first call of a compiled function?",
        )
    told = Recorded(recording)
    names = {c.id: c.name for c in recording.each(ce.Compiled)}
    start = {"phase": "start", "say": f"{question} {introduced(names)}", "at": max(0, told.steps[0]["at"] - 1)}
    panel: Json = {"kind": "pieces", "id": "pieces", "label": "Graphs and breaks", "captures": told.captures}
    lines = {row["id"]: f"line {row['no']} · {row['text'].strip()}" for row in source(model)}
    return framed(
        "capture",
        question,
        [start, *told.steps],
        [panel],
        recording=recording.id,
        source=source(model),
        links=told.links.json(),
        details=told.details | lines,
    )


def introduced(names: dict[str, str]) -> str:
    """What is to be seen."""
    verb = "is" if len(names) == 1 else "are"
    return f"{listed([f'`{name}`' for name in names.values()])} {verb} compiled, and called."


class Recorded:
    """Goes through the events of the compiler, and makes the steps and the picture."""

    def __init__(self, recording: Recording) -> None:
        self.steps: list[Json] = []
        self.captures: list[Json] = []
        self.pieces: dict[str, Json] = {}
        self.links, self.details = Links(), dict[str, str]()
        self.clock = Clock(recording)
        self.names = {c.id: c.name for c in recording.each(ce.Compiled)}
        self.kernels = {k.id: k for k in recording.each(ce.Kernel)}
        self.launched: set[str] = set()
        self.ops = {o.id for o in recording.each(ev.Op)}
        for event in recording.events:
            if isinstance(event, ce.Capture):
                self.capture(event)
            elif isinstance(event, ce.Region):
                self.region(event)
            elif isinstance(event, ce.Break):
                self.broke(event)
            elif isinstance(event, ce.Launch):
                self.launch(event)

    def step(self, event: Any, phase: str, say: str, focus: list[str], line: str | None) -> None:
        """Add a step, which ends when its moment does."""
        at = max(self.clock.until(event.n), self.steps[-1]["at"] if self.steps else 0)
        self.steps.append({"phase": phase, "say": say, "focus": focus, "line": line, "at": at})

    @property
    def now(self) -> int:
        """When the step that was added last is over."""
        return int(self.steps[-1]["at"])

    def capture(self, event: ce.Capture) -> None:
        """A call is captured."""
        name = self.names.get(event.function, event.function)
        count = len(self.captures) + 1
        if event.why:
            self.step(event, "guard", f"Guard failed: {event.why}; `{name}` is captured again.", [], event.line)
        else:
            say = f"`{name}` is captured: its ops run one by one, and are written down."
            self.step(event, "capture", say, [], event.line)
        label = f"{ordinal(count)} capture" + (f": {event.why}" if event.why else "")
        self.captures.append({"at": self.now, "label": label, "pieces": []})

    def region(self, event: ce.Region) -> None:
        """A graph is there."""
        rows = [row for row in event.nodes if not row[1].startswith("return ")]
        ids = [f"{event.id}/{name}" for name, _, _ in rows]
        say = f"`{event.name}` is there: {plural(len(rows), 'op')}, {listed([f'`{name}`' for name, _, _ in rows][:4])}."
        self.step(event, "capture", say, [event.id, *ids], event.line)
        drawn = [{"id": id, "text": text, "at": self.now} for id, (_, text, _) in zip(ids, rows, strict=True)]
        piece: Json = {"id": event.id, "at": self.now, "head": event.name, "rows": drawn, "cut": None}
        self.pieces[event.id] = piece
        if self.captures:
            self.captures[-1]["pieces"].append(piece)
        self.details[event.id] = f"{event.name} · {plural(len(rows), 'op')}"
        for id, (_, text, line) in zip(ids, rows, strict=True):
            self.links.pair(id, line)
            self.details[id] = f"`{text}` · {event.name}"

    def broke(self, event: ce.Break) -> None:
        """A graph has ended there."""
        say = f"Graph break: {event.reason}. Python runs there, in every call."
        self.step(event, "break", say, [event.id, *([event.before] if event.before else [])], event.line)
        self.links.pair(event.id, event.line)
        self.details[event.id] = f"graph break · {event.reason}"
        if event.before in self.pieces:
            self.pieces[event.before]["cut"] = {
                "id": event.id, "at": self.now, "until": self.now, "reason": event.reason, "runs": "Python",
            }  # fmt: skip

    def launch(self, event: ce.Launch) -> None:
        """A kernel runs in place of the ops of a graph."""
        kernel = self.kernels[event.kernel]
        ids = [f"{kernel.region}/{node}" for _, node, _ in kernel.rows if node]
        self.links.star(event.by if event.by in self.ops else None, [kernel.region, *ids])
        if kernel.id in self.launched:
            return
        self.launched.add(kernel.id)
        head = self.pieces[kernel.region]["head"] if kernel.region in self.pieces else kernel.region
        what = {"values": "", "forward": " forward", "backward": " backward"}[kernel.stage]
        say = f"The guards hold: one kernel runs `{head}`{what}, in place of its ops."
        self.step(event, "run", say, [kernel.region], None)
