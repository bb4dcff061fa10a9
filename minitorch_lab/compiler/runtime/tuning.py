"""Autotuning: several kernels for one graph, and the stopwatch decides, on the arguments of the first call.

What is tried: the graph with and without work fused into its products, with those products by a library, in the order
that keeps fewer bytes alive, and by the other backend for the processor. Each must find what the first one finds (see
`race`). They run on copies of what is written, so a training step can be tuned too; only what draws random numbers, and
the user's own code, cannot be run again, and has no rivals. Results may differ in the last digit, so two machines that
have measured differently may, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ...core.array import xp
from ..ir.graph import Graph
from ..ir.rewrite import acts
from ..passes.soon import soon
from ..targets.backends import BACKENDS
from ..targets.cache import key_of
from ..targets.llvm.backend import processor
from ..targets.race import Outcome, race, remember, remembered
from ..targets.record import Backend, Runs

LIBRARY_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
Maker = Callable[[], Runs]


class Tuned:
    """A compiled graph that becomes, at its first call, the fastest of its kernels.

    Args:
        makers: What makes each kernel, by name; the usual one first.
        key: Under which an earlier process has stored what it found.
        written: The positions of the arguments into which kernels write.

    Attributes:
        kernels: Those that are ready to run.
        outcome: What each took; nothing before the first call.
    """

    def __init__(self, makers: Mapping[str, Maker], key: str, written: frozenset[int] = frozenset()) -> None:
        self.key, self.written, self.outcome = key, written, Outcome()
        found = remembered(key) if len(makers) > 1 else None
        if found is not None:
            self.outcome = found
            makers = {found.fastest: makers[found.fastest]}
        self.kernels = distinct({name: make() for name, make in makers.items()})

    @property
    def kernel(self) -> Runs:
        """The only one that is left. Before the race there is none."""
        if len(self.kernels) > 1:
            raise AttributeError("kernel")
        return self.kernels[self.chosen]

    @property
    def chosen(self) -> str:
        """The name of the fastest so far."""
        return self.outcome.fastest if self.outcome.seconds else next(iter(self.kernels))

    @property
    def seconds(self) -> dict[str, float]:
        """What one run of each took, by name."""
        return self.outcome.seconds

    @property
    def refused(self) -> dict[str, str]:
        """The kernels that could not be used, and why."""
        return self.outcome.refused

    def __call__(self, *arrays: Any) -> list[Any]:
        """Run, after a race if none has been run."""
        if len(self.kernels) > 1 and not self.seconds:
            self.outcome = self.raced(arrays)
            remember(self.key, self.outcome)
            self.kernels = {self.chosen: self.kernels[self.chosen]}
        return self.kernels[self.chosen](*arrays)

    def raced(self, arrays: tuple[Any, ...]) -> Outcome:
        """Run all kernels on these arguments, of which no entry is changed."""
        own = [x.copy() if i in self.written else x for i, x in enumerate(arrays)]

        def fresh() -> None:
            for i in self.written:
                own[i][...] = arrays[i]

        def run(kernel: Runs) -> list[Any]:
            return [*kernel(*own), *(own[i] for i in sorted(self.written))]

        return race({name: partial(run, kernel) for name, kernel in self.kernels.items()}, fresh)

    def __getattr__(self, name: str) -> Any:
        """What the fastest so far has: its source, its plan, its program."""
        if name == "kernels":
            raise AttributeError(name)
        return getattr(self.kernels[self.chosen], name)

    def __repr__(self) -> str:
        """What each took, the fastest first; the code before the race."""
        rows = sorted(self.seconds.items(), key=lambda row: row[1])
        return "\n".join(f"{name}: {1e6 * seconds:.1f} µs" for name, seconds in rows) or self.source


def tuned(backend: Backend, threads: int = 1) -> Backend:
    """The backend whose kernels are the fastest that `backend` or one of its rivals makes.

    Example:
        >>> import minitorch_lab as ml
        >>> kernel = tuned(BACKENDS["numpy"])(ml.jit.trace(lambda x: x.exp(), ml.ones(3)).graph)
        >>> kernel(ml.zeros(3).numpy())
        [array([1., 1., 1.], dtype=float32)]
    """

    def make(graph: Graph) -> Tuned:
        ways, name = makers(graph, backend, threads), backend.name
        if any(acts(n) and n.kind != "write" for n in graph.nodes):
            ways = {name: ways[name]}
        places = {n: i for i, n in enumerate(graph.placeholders)}
        written = frozenset(places[n.inputs[0]] for n in graph.nodes if n.kind == "write")
        return Tuned(ways, key_of_graph(graph, [*ways], threads), written)

    return replace(backend, name=f"{backend.name} (max-autotune)", make=make, takes_sizes=False)


def distinct(kernels: dict[str, Runs]) -> dict[str, Runs]:
    """The kernels without those that run a program which another one runs."""
    programs = {name: str(getattr(kernel, "program", name)) for name, kernel in kernels.items()}
    first = {program: name for name, program in reversed(programs.items())}
    return {name: kernels[name] for name in kernels if first[programs[name]] == name}


def makers(graph: Graph, backend: Backend, threads: int) -> dict[str, Maker]:
    """What makes the kernels among which to choose; that of `backend` first."""
    name, own = backend.name, {backend.name: backend.make}
    for rival in BACKENDS.values() if backend.ways is not None else ():
        own |= rival.ways(threads) if rival.ways is not None and rival.device == backend.device else {}
    found: dict[str, Maker] = {way: partial(compiler, graph) for way, compiler in own.items()}
    if not any(map(acts, graph.nodes)) and str(sooner := soon(graph)) != str(graph):
        found[f"{name}, sooner"] = partial(own[name], sooner)
    return found


def key_of_graph(graph: Graph, ways: list[str], threads: int) -> str:
    """The key of a race: the graph, how its arguments lie, the ways, the processor, and NumPy with its library."""
    lie = [(n.facts.strides, n.device) for n in graph.placeholders]
    blas: Any = xp.show_config(mode="dicts")["Build Dependencies"]["blas"]
    at_once = [os.environ.get(name) for name in LIBRARY_THREADS] + [os.cpu_count(), threads]
    facts = {"lie": lie, "ways": ways, "threads": at_once, "numpy": (xp.__version__, blas), "cpu": processor()}
    return key_of(str(graph), what="kernels", **{name: str(fact) for name, fact in facts.items()})
