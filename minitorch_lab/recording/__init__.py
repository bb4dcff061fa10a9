"""Recording: what the engine did while a block of code ran, as data that can be saved, loaded and shown.

`with record() as rec:` puts a watching subclass of the engine's tape in force for the block, and takes it away after.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ..autograd.eager import Eager
from ..autograd.scope import Opening
from ..core.interpret import interpreting, stack
from ..errors import RecordingError
from .blocks import Counting
from .compiling import heard
from .events import SCHEMA
from .log import Log
from .recording import Recording
from .swap import watched
from .values import CAP
from .watch import RecordingEager

__all__ = ["SCHEMA", "Recording", "record"]


@Opening
@contextmanager
def record(values: int = CAP) -> Generator[Recording]:
    """Record what runs in the block: ops, tape nodes and what they keep, writes in place, backward walks and hooks.

    It also keeps account of memory, as `ml.memory.account()` does: every birth and every death of a storage.

    It also sees inside `ml.func`, where every transform has the reader's ops as it runs them, and which ops a
    checkpoint runs again. The recording is complete when the block ends, also when an exception ends it.

    Args:
        values: Tensors of at most this many elements are kept in full; of larger ones shape, dtype, mean and range. In
            a long recording the limit is lower: in all at most 131,072 elements are kept in full.

    Raises:
        RecordingError: A recording is running already, or what runs ops now is not the plain tape.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.recording.events import Op
        >>> with ml.record() as rec:
        ...     y = ml.tensor(2.0, requires_grad=True) * 3
        >>> [event.op for event in rec.each(Op)]
        ['mul']
    """
    top = stack.get()
    if type(top) is not Eager and not isinstance(top, Counting):
        raise RecordingError(
            f"record() was called while {type(top).__name__} runs the ops.",
            "A recording watches the plain tape; modes, checkpoints and transforms then stand on top of it.",
            "Open record() first, and inference_mode(), detect_anomaly(), checkpoint() or func.grad inside it.",
        )
    if isinstance(top, Counting):
        raise RecordingError(
            "record() was called inside another record().",
            "One recording at a time watches the engine.",
            "Use the outer recording: it sees everything that runs in its block.",
        )
    log = Log(values)
    error: BaseException | None = None
    try:
        tape = RecordingEager(log)
        counting = Counting(tape, log)
        with watched(), heard(tape.compiling, counting), interpreting(counting):
            try:
                yield log.recording
            finally:
                counting.end()
    except BaseException as raised:
        error = raised
        raise
    finally:
        log.close(error)
