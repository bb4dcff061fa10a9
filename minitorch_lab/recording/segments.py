"""Checkpoints, watched: which ops a checkpoint holds, and which of them run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.checkpoint import Frame
from ..autograd.layer import Layer
from ..autograd.saved import Packing
from ..core.interpret import Interpreter
from ..tensors.tensor import Tensor
from .log import Log
from .standing import Made
from .walks import log_under


class WatchedFrame(Frame):
    """One checkpointed call. `log` is None where nothing is recorded."""

    def __init__(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], dice: Any) -> None:
        super().__init__(fn, args, kwargs, dice)
        self.log: Log | None = log_under(self.tape)
        self.made = Made("")
        if self.log is not None:
            self.log.stand()
            self.made = self.log.segment(
                tuple(self.log.known(a) for a in (*args, *kwargs.values()) if isinstance(a, Tensor))
            )

    def recompute(self) -> None:
        """Run the function again, as ops that repeat those of before."""
        if self.log is None or self.log.recording.complete:
            super().recompute()
            return
        with self.log.again(self.made):
            super().recompute()


def in_force(top: Interpreter | None) -> list[Made]:
    """The checkpoints that ops run in now, the innermost first."""
    found: list[Made] = []
    while isinstance(top, Layer):
        frame = getattr(top.pack, "__self__", None) if isinstance(top, Packing) else None
        if isinstance(frame, WatchedFrame):
            found.append(frame.made)
            top = frame.outer
        else:
            top = top.under
    return found
