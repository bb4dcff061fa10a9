"""Transforms, watched: vjp (and grad), jvp and vmap, each with the reader's ops as it sees them."""

from __future__ import annotations

from typing import Any

from ..autograd.calls import met
from ..autograd.custom import Call, Flat
from ..core.interpret import autocast_mode, grad_mode
from ..func.batch import Vmap
from ..func.boxing import Boxing, alike_boxes
from ..func.forward import Forward
from ..func.reverse import Tape
from ..ops.op import Op, as_given
from ..ops.precision import run_in_block
from .log import Log
from .walks import log_under


class Watched(Boxing):
    """Writes down the ops of its own level. `log` is None where nothing is recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.log: Log | None = log_under(self.below)
        if self.log is not None:
            outer = next((self.log.runs[b.level] for b in below(self) if b.level in self.log.runs), None)
            self.id = self.log.run(self.level, self.name, outer)

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Run `op`, and write it down as the reader's, above all the ops that it takes below."""
        log = self.log
        if log is None or log.recording.complete or (op.put is not None and not self.mine(args[0])):
            return super().run(op, args, params)
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given and not (all(map(self.mine, args)) and alike_boxes(args)):
            args = met(op, args, self)  # casts are ops of their own, and come first
        if log.inside is None:
            log.stand()
        inputs = tuple(map(log.known, args))
        with log.computing(self.id):
            out = super().run(op, args, params)
        log.segments = []  # inside a transform a checkpoint is a plain call
        log.op(op, args, inputs, out, params, grad_mode.get())
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run a call with rules of the reader's, and write it down as one op of this level."""
        log = self.log
        if log is None or log.recording.complete:
            return super().custom(call, args)
        if log.inside is None:
            log.stand()
        inputs = tuple(map(log.known, args))
        first = log.tensors.made
        with log.computing(self.id):
            outs = super().custom(call, args)
        log.within(call, first)
        log.segments = []
        log.call(call, args, inputs, outs, grad_mode.get())
        return outs

    def become(self, x: Any, new: Any) -> None:
        """Let `x` hold what `new` holds, under the same name of ours."""
        super().become(x, new)
        if self.log is not None and not self.log.recording.complete:
            self.log.same(x, new)


class WatchedTape(Watched, Tape):
    """Reverse mode: its ops leave nodes on a tape of its own."""


class WatchedForward(Watched, Forward):
    """Forward mode: its tensors carry tangents."""


class WatchedVmap(Watched, Vmap):
    """vmap: its tensors are one example of a batch."""


def below(interpreter: Any) -> Any:
    """What is under an interpreter, nearest first."""
    while (interpreter := interpreter.below) is not None:
        yield interpreter
