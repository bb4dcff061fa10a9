"""The compiler, watched: compiled functions as they are captured, what is made of their graphs, kernels as they run."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..autograd.anomaly import Place
from ..autograd.eager import Eager
from ..compiler.ir import standing  # noqa: F401  # pyright: ignore[reportUnusedImport]  # before its bases are swapped
from ..compiler.runtime.notices import listener
from . import compiler_events as ev
from .events import Op
from .identity import Ids
from .log import Log


class Compiling:
    """Told by the compiler what it does (see `compile.notices`), and by the tape which regions run."""

    tape: Eager  # the one that runs the ops: set when the recording begins

    def __init__(self, log: Log) -> None:
        self.log = log
        self.functions, self.regions, self.breaks, self.kernels = Ids("f"), Ids("g"), Ids("b"), Ids("e")
        self.made: dict[Any, dict[str, str]] = {}  # what was made of a region -> the kernels in it, by stage
        self.backends: dict[str, str] = {}  # of each region

    # ---- functions --------------------------------------------------------------------------------------------------
    def entered(self, compiled: Any) -> None:
        """A compiled function is called. Graphs that it has already are told."""
        if self.log.recording.complete or self.functions.get(compiled) is not None:
            return
        name = self.functions.new(compiled)
        code = getattr(compiled.function, "__code__", None)
        place = Place(code.co_filename, code.co_firstlineno) if code is not None else None
        settings = compiled.settings
        title = compiled.__name__ or type(compiled.__wrapped__).__name__
        self.emit(ev.Compiled, name, title, settings["mode"], str(settings["backend"]), self.line(place))
        self.known(compiled)

    def capturing(self, compiled: Any, why: str) -> None:
        """A capture begins."""
        if not self.log.recording.complete:
            self.entered(compiled)
            self.log.stand()
            self.emit(ev.Capture, self.functions.get(compiled), compiled.captures, why, self.log.line)

    def captured(self, compiled: Any) -> None:
        """A capture is over."""
        if not self.log.recording.complete:
            self.known(compiled)

    def known(self, compiled: Any) -> None:
        """Tell the graphs and the breaks of a function that have not been told."""
        from ..compiler.explain import region_of
        from ..compiler.explain.program import Reading

        function, reading = self.functions.get(compiled), Reading(compiled)
        ids = dict[str, str]()
        for local, graph, _ in reading.regions:
            run = compiled.space.get(graph.name)
            key = run if hasattr(run, "variants") else region_of(compiled, graph) or graph
            ids[local] = self.region(key, graph, function)
        for node, told in zip(reading.broke, reading.breaks, strict=True):
            if self.breaks.get(node) is None:
                sides = ids.get(told["before"]), tuple(ids[after] for after in told["after"])
                self.emit(ev.Break, self.breaks.new(node), function, told["reason"], self.line(node.place), *sides)

    def region(self, key: Any, graph: Any, function: str | None) -> str:
        """The id of a region, which is told if it is new."""
        name = self.regions.get(key)
        if name is None:
            from ..compiler.ir.printer import line_of

            name = self.regions.new(key)
            nodes = tuple((n.name, line_of(n), self.line(n.line)) for n in graph.nodes if n.kind != "placeholder")
            self.emit(ev.Region, name, function, graph.name, nodes, self.line(first(graph)))
        return name

    # ---- kernels ----------------------------------------------------------------------------------------------------
    @contextmanager
    def running(self, call: Any) -> Generator[None]:
        """A call runs in this block. One of a region stands on the first line of that, and its kernels are told."""
        region = getattr(call, "region", None)
        if region is None:
            yield
            return
        stage = "forward" if call.wanted else "values"
        made = (
            region.differentiated(call.wanted)
            if call.wanted
            else region.values or (region.compiled(), region.values)[1]
        )
        kernels = self.kernels_of(region, made)
        place, line = self.log.place, self.line(first(region.graph))
        if place is not None and line is not None:
            self.log.place = place._replace(line=line)
        yield
        ran = next(e for e in reversed(self.log.recording.events) if isinstance(e, Op) and e.op == call.name)
        self.emit(ev.Launch, kernels[stage], ran.id)

    def pulled(self, node: Any) -> None:
        """The rule of a node has run."""
        call: Any = getattr(node.op, "call", None)
        region = getattr(call, "region", None)
        if region is not None:
            kernels = self.kernels_of(region, region.differentiated(call.wanted))
            self.emit(ev.Launch, kernels["backward"], self.log.node(node))

    def kernels_of(self, region: Any, made: Any) -> dict[str, str]:
        """The kernels in what was made of a region, which are told, with the passes before them, if they are new."""
        made = getattr(made, "found", made)
        if made not in self.made:
            from ..compiler.targets.backends import backend_of

            whole = region.variant.of if hasattr(region, "variant") else region  # with sizes that are left open
            name, parts = self.region(whole, whole.graph, None), getattr(made, "parts", None)
            self.backends[name] = backend_of(whole.backend).name
            stage = "values" if parts is None else "joint"
            for step in made.steps:
                text = str(step.before), str(step.after)
                text = ("", "") if text[0] == text[1] else text
                self.emit(ev.Pass, name, stage, step.name, dict(step.done), step.nodes, *text)
            if parts is None:
                self.made[made] = {"values": self.kernel(name, "values", made.graph, made.kernel)}
            else:
                self.cut(name, made)
                pairs = ("forward", parts.forward, made.forward), ("backward", parts.backward, made.backward)
                self.made[made] = {stage: self.kernel(name, stage, *rest) for stage, *rest in pairs}
        return self.made[made]

    def cut(self, region: str, made: Any) -> None:
        """The event of a partition."""
        from ..compiler.autodiff.partition import default_partition

        parts = made.parts
        saved, again = tuple((n.name, n.nbytes) for n in parts.saved), tuple(n.name for n in parts.recomputed)
        self.emit(ev.Partition, region, saved, again, parts.nbytes, default_partition(made.joint).nbytes)

    def kernel(self, region: str, stage: str, graph: Any, kernel: Any) -> str:
        """The id of a kernel, which is told."""
        from ..compiler.explain.regions import code_lines

        rows = [(text, node.name if node else "", self.line(node.line) if node else None)
                for text, node in code_lines(graph, kernel)]  # fmt: skip
        name = self.kernels.fresh()
        self.emit(ev.Kernel, name, region, stage, self.backends[region], tuple(rows))
        self.fused(name, graph, kernel)
        self.placed(name, graph, kernel)
        return name

    def placed(self, name: str, graph: Any, kernel: Any) -> None:
        """Where the temporaries of a kernel lie, if its backend has planned them."""
        plan = getattr(kernel, "plan", None)
        if plan is None or not plan.lives:
            return
        lines = {node.name: self.line(node.line) for node in graph.nodes}
        lives = [
            (
                life.names,
                life.nbytes,
                at,
                life.first,
                life.last,
                next((lines[n] for n in life.names if n in lines), None),
            )
            for at, life in zip(plan.offsets, plan.lives, strict=True)
        ]
        steps = tuple((step, lines.get(step)) for step in plan.steps)
        self.emit(ev.Arena, name, plan.size, plan.bound, plan.unshared, steps, tuple(lives))

    def fused(self, name: str, graph: Any, kernel: Any) -> None:
        """What was fused into the launches of a kernel."""
        from ..compiler.explain.fusion import groups

        for group in groups(graph, kernel):
            if group["lines"]:
                rows = tuple((row["text"], row["node"] or "", self.row(row["place"])) for row in group["lines"])
                told = tuple(group["nodes"]), tuple(group["reasons"]), group["nbytes"], group["flops"]
                self.emit(ev.Group, f"{name}/{group['name']}", name, *told, rows)

    def row(self, place: dict[str, Any] | None) -> str | None:
        """The id of the line that a row of generated code stands for."""
        return None if place is None else self.log.sources.known(place["file"], place["line"])

    # ---- telling ----------------------------------------------------------------------------------------------------
    def emit(self, kind: Any, *fields: Any) -> None:
        """Add an event."""
        self.log.recording.emit(kind, *fields)

    def line(self, place: Place | None) -> str | None:
        """The id of a line of the reader's."""
        return None if place is None else self.log.sources.known(place.file, place.line)


@contextmanager
def heard(compiling: Compiling, tape: Eager) -> Generator[None]:
    """Have the compiler tell `compiling` what it does while `tape` runs the ops."""
    compiling.tape = tape
    token = listener.set(compiling)
    try:
        yield
    finally:
        listener.reset(token)


def first(graph: Any) -> Place | None:
    """The line on which a graph begins."""
    return next((n.line for n in graph.nodes if n.line is not None), None)
