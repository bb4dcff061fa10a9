"""What `mode=` and `options=` of `ml.compile` choose: the passes, where forward and backward are cut, the backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import CaptureError
from .backends import BACKENDS, IN_MODE, Backend, Runs, asked_as, backend_of, name_of, placed
from .graph import Graph
from .pipeline import pass_of
from .schedule.recipe import Recipe
from .stages import Passes
from .tuning import tuned

MODES = {
    "default": "Every pass, then the kernel of the backend.",
    "reduce-overhead": "Memory is kept: large results lie where earlier ones lay, if nobody holds those any more.",
    "max-autotune": "Time is spent: of several kernels the fastest on the arguments of the first call stays.",
}
ON_CPU = ("numpy", "llvm")
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


def backend_in(mode: str, backend: str | Backend, threads: int = 1) -> Backend:
    """What a backend is in a mode. Where tensors are on a GPU, `"cuda"` stands for the two that know only the CPU.

    Raises:
        CaptureError: There is no such backend, or it knows nothing of threads.
    """
    if threads > 1 and backend != "llvm":
        raise CaptureError(
            f"threads is {threads}, and the backend {backend!r}.",
            "Only kernels of the backend llvm are shared among threads; NumPy's library has threads of its own.",
            'Did you mean backend="llvm"?',
        )
    if mode == "max-autotune":
        found = tuned(backend_of(backend), threads)
    else:
        special = IN_MODE.get((backend, mode)) if isinstance(backend, str) else None
        found = special or backend_of(backend)
        found = threaded(found, threads) if threads > 1 else found
    return placed(found, IN_MODE.get(("cuda", mode), BACKENDS["cuda"])) if backend in ON_CPU else found


def threaded(backend: Callable[..., Runs], threads: int) -> Backend:
    """The backend whose kernels are shared among threads."""

    def make(graph: Graph) -> Runs:
        return backend(graph, recipe=Recipe(threads=threads))

    make.__name__ = f"{name_of(backend)}, {threads} threads"
    return asked_as(backend, make)


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
