"""What `mode=` and `options=` of `ml.compile` choose: the passes, where forward and backward are cut, the backend."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...errors import CaptureError
from ..passes.pipeline import pass_of
from ..targets.backends import BACKENDS, backend_of, placed
from ..targets.record import Backend, Make
from .stages import Passes
from .tuning import tuned

MODES = {
    "default": "Every pass, then the kernel of the backend.",
    "reduce-overhead": "Memory is kept: large results lie where earlier ones lay, if nobody holds those any more.",
    "max-autotune": "Time is spent: of several kernels the fastest on the arguments of the first call stays.",
}
OPTIONS = {
    "passes": "the passes in order: names, or functions from graph to graph",
    "activation_memory_budget": "the share of what a backward pass reads that may be kept; the rest is computed again",
    "threads": "how many threads may share the work of one kernel, by the backend llvm",
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What was chosen, checked."""

    mode: str
    passes: Passes
    budget: float
    threads: int


def backend_in(mode: str, backend: str | Make, threads: int = 1) -> Backend:
    """What a backend is in a mode. Where tensors are on a GPU, that for GPUs stands for those that know only the CPU.

    Raises:
        CaptureError: There is no such backend, or it knows nothing of threads.
    """
    known = backend_of(backend)
    if threads > 1 and known.threaded is None:
        able = ", ".join(b.name for b in BACKENDS.values() if b.threaded is not None)
        raise CaptureError(
            f"threads is {threads}, and the backend {backend!r}.",
            f"Only kernels of the backend {able} are shared among threads; NumPy's library has threads of its own.",
            f'Did you mean backend="{able}"?',
        )
    found = tuned(known, threads) if mode == "max-autotune" else known.in_mode(mode)
    if known.threaded is not None and threads > 1 and mode != "max-autotune":
        name, make = f"{found.name}, {threads} threads", known.threaded(found.make, threads)
        found = replace(found, name=name, make=make, takes_sizes=False)
    on_gpu = next((b.in_mode(mode) for b in BACKENDS.values() if b.device == "cuda"), found)
    return placed(found, on_gpu) if known.device == "cpu" else found


def choices(mode: str | None, options: dict[str, Any] | None) -> Choices:
    """The choices that a mode and options stand for.

    Raises:
        CaptureError: There is no such mode, option or pass, the budget is no share, or the threads no number of them.
    """
    given = dict(options or {})
    if mode is not None and mode not in MODES:
        raise CaptureError(
            f"There is no mode {mode!r}.",
            f"The modes are {', '.join(MODES)}.",
            'Did you mean mode="default"? It is what you get without the argument.',
        )
    unknown = [name for name in given if name not in OPTIONS]
    if unknown:
        raise CaptureError(
            f"There is no option {unknown[0]!r}.",
            f"The options are {', '.join(OPTIONS)}.",
            'Did you mean options={"activation_memory_budget": 0.5}?',
        )
    passes, budget = given.get("passes"), given.get("activation_memory_budget", 1.0)
    if passes is not None:
        passes = tuple(passes)
        for name in passes:
            pass_of(name)
    if not isinstance(budget, int | float) or not 0 <= budget <= 1:
        raise CaptureError(
            f"activation_memory_budget is {budget!r}.",
            "It is a share: 0 keeps as little as possible, 1 computes nothing again.",
            'Did you mean options={"activation_memory_budget": 0.5}?',
        )
    threads = given.get("threads", 1)
    if not isinstance(threads, int) or threads < 1:
        raise CaptureError(
            f"threads is {threads!r}.",
            "It is how many threads may share the work of one kernel, the caller's included: 1 or more.",
            'Did you mean options={"threads": 2}?',
        )
    return Choices(mode or "default", passes, float(budget), threads)
