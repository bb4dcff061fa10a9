"""Autotuning: several kernels for one graph, and the stopwatch decides, on the arguments of the first call.

What is tried: the graph as the passes left it, and in the order that keeps fewer bytes alive, by every backend for the
processor. A kernel without effects can be run as often as it takes; one that draws random numbers or writes into an
argument cannot, and has no rivals. Backends may differ in the last digit, so two processes that have measured
differently may, too.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

from .backends import BACKENDS, Backend, Runs, name_of
from .graph import Graph
from .passes.soon import soon
from .rewrite import acts

RIVALS = ("numpy", "llvm")  # backends for the processor that may stand in for each other
ROUNDS = 5
LEAST = 2e-3  # seconds to measure each kernel for, at least


class Tuned:
    """A compiled graph that becomes, at its first call, the fastest of its kernels.

    Attributes:
        seconds: What one run of each took, by name; empty before the first call.
        chosen: The name of the fastest.
    """

    def __init__(self, kernels: dict[str, Runs]) -> None:
        self.kernels = kernels
        self.chosen = next(iter(kernels))
        self.seconds: dict[str, float] = {}

    def __call__(self, *arrays: Any) -> list[Any]:
        """Run, after a race if none has been run."""
        if not self.seconds and len(self.kernels) > 1:
            seconds = dict.fromkeys(self.kernels, float("inf"))
            for _ in range(ROUNDS):  # in turn, so that whatever else the machine does is shared
                for name, kernel in self.kernels.items():
                    seconds[name] = min(seconds[name], timed(kernel, arrays))
            self.seconds, self.chosen = seconds, min(seconds, key=seconds.__getitem__)
        return self.kernels[self.chosen](*arrays)

    @property
    def source(self) -> str:
        """The code of the fastest so far."""
        return getattr(self.kernels[self.chosen], "source", "")

    @property
    def plan(self) -> Any:
        """Its memory."""
        return getattr(self.kernels[self.chosen], "plan", None)

    def __repr__(self) -> str:
        """What each took, the fastest first; the code before the race."""
        rows = sorted(self.seconds.items(), key=lambda row: row[1])
        return "\n".join(f"{name}: {1e6 * seconds:.1f} µs" for name, seconds in rows) or self.source


def tuned(backend: Backend) -> Backend:
    """The backend whose kernels are the fastest that `backend` or one of its rivals makes.

    Example:
        >>> import minitorch_lab as ml
        >>> kernel = tuned(BACKENDS["numpy"])(ml.jit.trace(lambda x: x.exp(), ml.ones(3)).graph)
        >>> kernel(ml.zeros(3).numpy())
        [array([1., 1., 1.], dtype=float32)]
    """

    def make(graph: Graph) -> Tuned:
        name = name_of(backend)
        kernels = {name: backend(graph)}
        if any(map(acts, graph.nodes)):
            return Tuned(kernels)
        if str(sooner := soon(graph)) != str(graph):
            kernels[f"{name}, sooner"] = backend(sooner)
        others = [other for other in RIVALS if name in RIVALS and other != name and other in BACKENDS]
        return Tuned(kernels | {other: BACKENDS[other](graph) for other in others})

    make.__name__ = f"{name_of(backend)} (max-autotune)"
    return make


def timed(kernel: Callable[..., Any], arrays: tuple[Any, ...]) -> float:
    """Seconds for one run, from as many as `LEAST` needs."""
    runs = 1
    while True:
        start = perf_counter()
        for _ in range(runs):
            kernel(*arrays)
        seconds = perf_counter() - start
        if seconds >= LEAST / ROUNDS or runs >= 1 << 10:
            return seconds / runs
        runs *= 4
