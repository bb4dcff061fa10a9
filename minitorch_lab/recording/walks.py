"""Backward walks, watched: rules that write down what a node got, what it sent, what has added up, what hooks did."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import perf_counter_ns
from typing import Any

from ..autograd.gradients import Collecting
from ..autograd.node import Node
from ..autograd.pullback import OnArrays, OnTensors
from ..autograd.walk import Rules, walk
from ..core.interpret import Interpreter, stack
from ..func.reverse import Arriving
from . import events as ev
from .log import Log, bare


class Watching(OnArrays):
    """What all watched rules share. `log` is None where nothing is recorded."""

    log: Log | None = None
    walk = ""
    wanted: set[Node] | None = None  # the nodes that the walk goes to, if not to all
    at: tuple[str, Node] | None = None  # whose hooks run now

    @contextmanager
    def walking(self, seeds: dict[Node, Any], call: str, given: bool, create: bool) -> Generator[None]:
        """One walk, from the event that opens it to the one that closes it."""
        log = self.log
        roots = [] if log is None else [(log.of_node.get(log.node(node)), node, g) for node, g in seeds.items()]
        if log is None or not roots or any(tensor is None for tensor, _, _ in roots):
            self.log = None  # a graph that the recording has not seen
            yield
            return
        if log.inside is None:
            log.stand()
        log.walks += 1
        self.walk = f"w{log.walks}"
        self.totals: dict[str, tuple[int, Any]] = {log.node(node): (1, bare(g)) for _, node, g in roots}
        (tensor, node, g), *more = [(tensor, log.node(node), log.value(g)) for tensor, node, g in roots]
        how = given, self.retain, create, log.line, call, log.run_of.get(str(tensor)), tuple(more)
        log.recording.emit(ev.Begin, self.walk, tensor, node, g, *how)
        for name, other in log.nodes.living().items():
            hooks = other.hooks
            if hooks is not None and (hooks.tensor or hooks.before or hooks.after):
                counts = len(hooks.tensor) + len(hooks.before), len(hooks.after)
                log.recording.emit(ev.Hooked, self.walk, name, *counts)
        during, error = log.during, None
        try:
            yield
        except Exception as raised:
            error = str(raised).partition("\n")[0]
            raise
        finally:
            log.during = during
            log.recording.emit(ev.End, self.walk, error)

    def step(self, node: Node, g: Any) -> str:
        """The walk has reached a node."""
        assert self.log is not None
        name = self.log.node(node)
        self.totals.pop(name, None)  # its sum is complete, and must not outlive what the engine keeps
        self.log.recording.emit(ev.Step, self.walk, name, self.log.value(g))
        self.log.during = name
        return name

    def pull(self, node: Node, g: Any) -> list[Any]:
        """Run the rules of `node`."""
        log, kept = self.log, bool(node.saved)
        if log is None:
            return super().pull(node, g)
        name = self.step(node, g)
        start = perf_counter_ns()
        sent = super().pull(node, g)
        log.recording.emit(ev.Ran, name, 0, 0, perf_counter_ns() - start)
        for k, (edge, part) in enumerate(zip(node.edges, sent, strict=True)):
            if edge is not None and part is not None and (self.wanted is None or edge in self.wanted):
                self.send(log, name, k, log.node(edge), bare(part))
        log.compiling.pulled(node)
        if kept and node.saved is None:
            log.recording.emit(ev.Free, name)
        return sent

    def send(self, log: Log, name: str, k: int, to: str, part: Any) -> None:
        """A partial adjoint goes along edge `k`, and is added to what is there."""
        log.recording.emit(ev.Send, self.walk, name, k, to, log.value(part))
        count, total = self.totals.get(to, (0, None))
        total = part if total is None else total + part
        self.totals[to] = count + 1, total
        log.recording.emit(ev.Sum, self.walk, to, count + 1, log.value(total))

    def result(self, node: Node, g: Any) -> None:
        """A gradient that the walk will return."""
        if self.log is not None:
            name = self.log.node(node)
            self.log.recording.emit(ev.Result, self.walk, name, self.log.of_node.get(name), self.log.value(g))

    # ---- hooks --------------------------------------------------------------------------------------------
    def before(self, node: Node, g: Any) -> Any:
        """The hooks on a cotangent."""
        log = self.log
        if log is None:
            return super().before(node, g)
        with self.hooks_of("before", node):
            out = super().before(node, g)
        if node.op is not None and node.hook_list().retain:
            name = log.node(node)
            log.recording.emit(ev.Accumulate, self.walk, name, log.of_node.get(name), None, log.value(node.grad))
        return out

    def of_tensor(self, node: Node, g: Any) -> Any:
        """Those of a tensor."""
        with self.hooks_of("before", node):
            return super().of_tensor(node, g)

    def after(self, node: Node, sent: list[Any], g: Any) -> list[Any]:
        """The hooks on what a node sends on."""
        with self.hooks_of("after", node):
            return super().after(node, sent, g)

    @contextmanager
    def hooks_of(self, which: str, node: Node) -> Generator[None]:
        """The code of the reader's that runs in this block is the hooks of `node`."""
        outer, self.at = self.at, (which, node)
        try:
            yield
        finally:
            self.at = outer

    def called(self, hook: Any, *args: Any) -> Any:
        """Call the reader's code; if it is a hook, write down what it saw and what it made of that."""
        new = super().called(hook, *args)
        if self.log is not None and self.at is not None:
            which, node = self.at
            one = not isinstance(args[0], tuple)  # a tensor's hook gets its cotangent, a node's all of them
            seen, made = ((args[0],), None if new is None else (new,)) if one else (args[0], new)
            self.hooked(self.log, hook, node, seen, seen if made is None else made, which == "after")
        return new

    def hooked(self, log: Log, hook: Any, node: Node, seen: Any, made: Any, edges: bool) -> None:
        """The events of one hook."""
        pairs = [(k, was, now) for k, (was, now) in enumerate(zip(seen, made, strict=False)) if was is not None]
        changed = [pair for pair in pairs if pair[2] is not None and pair[2] is not pair[1]]
        code = getattr(hook, "__code__", None)
        name = getattr(hook, "__name__", "")
        line = None if code is None else log.sources.known(code.co_filename, code.co_firstlineno)
        for k, was, now in changed or pairs[:1]:
            edge = k if edges else None
            values = log.value(was), log.value(was if now is None else now)
            called = "" if name == "<lambda>" else name
            log.recording.emit(ev.Hook, self.walk, log.node(node), edge, *values, called, line)


class WatchedArrays(Watching):
    """The rules of `backward()`, watched."""

    def __init__(self, tape: Interpreter, retain: bool, log: Log) -> None:
        super().__init__(tape, retain)
        self.log = log

    def arrive(self, leaf: Node, g: Any) -> None:
        """A leaf takes its gradient."""
        log = self.log
        if log is None:
            super().arrive(leaf, g)
            return
        name = self.step(leaf, g)
        old = None if leaf.grad is None else log.value(leaf.grad)
        super().arrive(leaf, g)
        tensor = log.of_node.get(name)
        if leaf.grad is None:
            return  # a hook has taken it away
        log.recording.emit(ev.Accumulate, self.walk, name, tensor, old, log.value(leaf.grad))
        if tensor is not None:
            log.names.is_grad(leaf.grad, tensor)


class WatchedTensors(WatchedArrays, OnTensors):
    """The same for a walk that is itself recorded on the tape."""


class WatchedCollecting(Collecting):
    """The walk of `autograd.grad`: its rules are watched, and it says what it found."""

    def __init__(self, rules: OnArrays, targets: Any, roots: Any) -> None:
        super().__init__(rules, targets, roots)
        self.watched = rules if isinstance(rules, Watching) else None
        if self.watched is not None:
            self.watched.wanted = self.needed

    def pull(self, node: Node, g: Any) -> list[Any]:
        """Note the cotangent of a node, then run its rules."""
        sent = super().pull(node, g)
        if self.watched is not None and self.watched.log is not None and node in self.targets:
            if not any(edge in self.needed for edge in node.edges):
                self.watched.step(node, g)
            self.watched.result(node, g)
        return sent

    def arrive(self, leaf: Node, g: Any) -> None:
        """Note what reaches a leaf."""
        if self.watched is not None and self.watched.log is not None and leaf in self.targets:
            self.watched.step(leaf, g)
        super().arrive(leaf, g)
        if self.watched is not None and leaf in self.found:
            self.watched.result(leaf, self.found[leaf])


class WatchedArriving(Watching, Arriving):
    """The walk of a transform, over a tape of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.log = log_under(stack.get())

    def arrive(self, leaf: Node, g: Any) -> None:
        """Keep what reaches a leaf."""
        if self.log is not None:
            self.step(leaf, g)
        super().arrive(leaf, g)
        self.result(leaf, g)


def watched_walk(seeds: dict[Node, Any], rules: Rules) -> Iterator[Node]:
    """The walk of a transform, with its beginning and its end."""
    if not isinstance(rules, WatchedArriving) or rules.log is None:
        yield from walk(seeds, rules)
        return
    given = any(bare(g).size != 1 or bare(g) != 1 for g in seeds.values())
    with rules.walking(seeds, "vjp", given, False):
        yield from walk(seeds, rules)


def log_under(top: Interpreter | None) -> Log | None:
    """The log of the recording that watches what runs under `top`.

    None inside of what a transform computes with, and while a graph is captured, where nothing is computed.
    """
    while top is not None:
        if getattr(top, "name", "") == "capture":
            return None
        log = getattr(top, "log", None)
        if isinstance(log, Log):
            return None if log.recording.complete or log.inside is not None else log
        top = getattr(top, "under", None) or top.below
    return None
