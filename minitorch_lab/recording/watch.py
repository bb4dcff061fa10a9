"""The eager tape, watched: a subclass that writes down what it does. Its walks are in walks.py.

No engine file knows of this one. While nothing is recorded none of it is in the way: the operators' short path asks
only whether the plain tape is in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter_ns
from typing import Any

from ..autograd.calls import elsewhere, fitted, met
from ..autograd.custom import Call, Flat
from ..autograd.eager import Eager
from ..autograd.gradients import Collecting
from ..autograd.node import Node
from ..autograd.pullback import OnArrays
from ..autograd.walk import Rules
from ..core.array import memory_of
from ..core.interpret import Interpreter, autocast_mode, grad_mode, interpreting, stack
from ..ops.op import Op, as_given
from ..ops.precision import run_in_block
from ..tensors.tensor import Tensor, storage_of, tracked
from . import events as ev
from .compiling import Compiling
from .log import Log
from .segments import in_force
from .timing import stopwatch
from .walks import WatchedArrays, WatchedTensors, Watching


class RecordingEager(Eager):
    """Eager execution that writes down ops, nodes, what they save, writes in place and backward walks."""

    def __init__(self, log: Log) -> None:
        self.log, self.given = log, False
        self.compiling = log.compiling = Compiling(log)

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op`, and write it down while the recording lasts: a checkpoint may run on its tape later."""
        if self.log.recording.complete:
            return super().run(op, args, params)
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given:
            args = met(op, args, self)  # casts are ops of their own, and come first
        if self.log.inside is None:
            self.log.stand()
        inputs = tuple(map(self.log.known, args))
        start = perf_counter_ns()
        out = super().run(op, args, params)
        took = stopwatch.split(start, perf_counter_ns())
        self.log.segments = in_force(stack.get())
        self.log.op(op, args, inputs, out, params, grad_mode.get())
        self.log.ran(*took)
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run a call with rules of the reader's, and write it down as one op; of several results each is one more."""
        if self.log.recording.complete:
            return super().custom(call, args)
        if self.log.inside is None:
            self.log.stand()
        inputs = tuple(map(self.log.known, args))
        with self.compiling.running(call):
            place, first = (self.log.place, self.log.where), self.log.tensors.made
            start = perf_counter_ns()
            outs = super().custom(call, args)
            took = perf_counter_ns() - start
            self.log.within(call, first)
            self.log.place, self.log.where = place  # the reader's code has run meanwhile
            self.log.segments = in_force(stack.get())
            self.log.call(call, args, inputs, outs, grad_mode.get())
            self.log.ran(together=took)
        return outs

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write into `x`, and write down what that did to everything on its memory."""
        if self.log.recording.complete:
            return super().inplace(op, x, args, params)
        if (dtype := elsewhere(op, x, args)) is not None:
            return self.rounded(op, x, args, params, dtype)
        args = fitted(op, x, args, self)
        log = self.log
        log.stand()
        old = log.known(x)
        inputs = (old, *map(log.known, args))
        bases = above(x)
        before = [log.known(base) for base in bases]
        log.segments = in_force(stack.get())
        start = perf_counter_ns()
        super().inplace(op, x, args, params)
        took = perf_counter_ns() - start
        log.memories.give(memory_of(x.value), log.memory[old])  # NumPy has given a number memory only now
        if bases and x.node is not None:
            self.through_view(op, x, inputs, params, bases, before)
        else:
            self.written(op, x, inputs, params)
        log.ran(together=took)
        for name, other in log.sharing(log.memory[old]):
            if other is not x and log.versions[name] != x._version:  # pyright: ignore[reportPrivateUsage]
                self.renew(op, name, other)
        return x

    def written(self, op: Op, x: Tensor, inputs: tuple[str, ...], params: dict[str, Any]) -> None:
        """A write whose tape, if any, is the one node of the op."""
        log, old = self.log, inputs[0]
        leaf = x.node is not None and x.node.op is None
        made = x.node is not None and not leaf and grad_mode.get()
        new = log.fresh(x, log.how(x) if leaf else "op")
        log.renewed.add(new)
        log.record_op(op, inputs, new, params, x.node if made else None, grad_mode.get())
        self.write(op, old, new, x)

    def write(self, op: Op, old: str, new: str, x: Tensor) -> None:
        """The event of a write."""
        log, version = self.log, x._version  # pyright: ignore[reportPrivateUsage]
        if new != old:
            log.renewed.add(new)
        counter = log.counter(storage_of(x))
        log.recording.emit(ev.Write, op.name, log.memory[new], old, new, version, log.value(x), counter)

    def through_view(
        self, op: Op, x: Tensor, inputs: tuple[str, ...], params: dict[str, Any], bases: list[Tensor], before: list[str]
    ) -> None:
        """A write through a view: the tape first makes the new part, then puts it into the base."""
        log, base = self.log, bases[-1]
        fresh = unseen(base.node, log)
        for node in fresh[:-1]:
            part = log.tensors.fresh()
            log.part(part, x, node)
            first = node is fresh[0]
            feeds = inputs if first else tuple(log.feeding(edge, inputs[0]) for edge in node.edges)
            assert node.op is not None
            log.record_op(node.op, feeds, part, params if first else node.params, node, True)
            if first:
                self.write(op, inputs[0], part, x)
        new = log.fresh(base, "op")
        if fresh and fresh[-1].op is not None:
            node = fresh[-1]
            assert node.op is not None
            feeds = tuple(log.feeding(edge, before[-1]) for edge in node.edges)
            log.record_op(node.op, feeds, new, node.params, node, True)
        self.write(op, before[-1], new, base)
        self.renew(op, inputs[0], x)

    def renew(self, op: Op, old: str, x: Tensor) -> None:
        """Another tensor on memory that was written: a view gets a new history, an alias only new numbers."""
        log, node = self.log, tracked(x)
        if x.link is None or node is None or node.op is None or log.nodes.get(node) is not None:
            log.versions[old] = x._version  # pyright: ignore[reportPrivateUsage]
            self.write(op, old, old, x)
            return
        new = log.fresh(x, "op")
        log.record_op(x.link.op, (log.known(x.link.base),), new, x.link.params, node, True)
        self.write(op, old, new, x)

    def require(self, x: Tensor, on: bool) -> Tensor:
        """Make `x` a leaf, or one no longer."""
        super().require(x, on)
        self.log.required(x)
        return x

    # ---- backward -----------------------------------------------------------------------------------------
    def backward(self, root: Tensor, gradient: Any, retain: bool, create: bool) -> None:
        """Walk the tape, and write down the walk to its end, good or bad."""
        outer, self.given = self.given, gradient is not None
        if not self.log.recording.complete:
            self.log.stand()
            self.log.known(root)
        try:
            super().backward(root, gradient, retain, create)
        finally:
            self.given = outer

    def seed(self, root: Tensor, gradient: Any, what: str = "backward()") -> Tensor:
        """Making the seed is no op of the reader's."""
        with interpreting(Eager()):
            seed = super().seed(root, gradient, what)
        self.log.names.call(seed, "seed")
        return seed

    def rules(self, retain: bool, create: bool) -> OnArrays:
        """Have the rules watched."""
        if self.log.recording.complete:
            return super().rules(retain, create)
        return (WatchedTensors if create else WatchedArrays)(self, retain, self.log)

    def drive(self, seeds: dict[Node, Any], rules: Rules, ground: Interpreter, create: bool) -> None:
        """Walk from the roots. Rules may run inside others: of a walk that returns its gradients, of an account."""
        inside = tuple(nested(rules))
        watched = inside[-1]
        if not isinstance(watched, Watching):
            super().drive(seeds, rules, ground, create)
            return
        returned = any(isinstance(outer, Collecting) for outer in inside)
        call, given = ("grad", False) if returned else ("backward", self.given)
        with watched.walking(seeds, call, given, create):
            super().drive(seeds, rules, ground, create)


def nested(rules: Any) -> Iterator[Any]:
    """The rules, and those that they run, the innermost last."""
    while rules is not None:
        yield rules
        rules = getattr(rules, "rules", None)


def above(x: Tensor) -> list[Tensor]:
    """The tensors that `x` is a view of, nearest first, as far as history goes."""
    bases: list[Tensor] = []
    while x.link is not None and x.link.op.name != "detach":
        x = x.link.base
        bases.append(x)
    return bases


def unseen(node: Node | None, log: Log) -> list[Node]:
    """The nodes under `node` that the recording has not seen, oldest first."""
    found: dict[float, Node] = {}
    pending = [node]
    while pending:
        node = pending.pop()
        if node is not None and node.op is not None and node.order not in found and log.nodes.get(node) is None:
            found[node.order] = node
            pending += node.edges
    return [found[order] for order in sorted(found, reverse=True)]
