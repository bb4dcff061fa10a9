"""What a back end declares: who turns a pure graph into a function of arrays, and all that the compiler asks of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from ..ir.graph import Graph
from ..schedule.traffic import Traffic, after, before


class Runs(Protocol):
    """A compiled graph: arrays in, the list of its results out."""

    def __call__(self, *arrays: Any) -> list[Any]:
        """Run."""
        ...


Make = Callable[[Graph], Runs]


def count_by_program(graph: Graph, kernel: Any) -> Traffic:
    """The launches of a kernel: those of its program, where it has one; else each op of the graph is one."""
    program = getattr(kernel, "program", None)
    return before(graph) if program is None else after(program)


@dataclass(frozen=True, slots=True)
class Backend:
    """A back end. It can be called as `make` can.

    Attributes:
        name: What it is called.
        make: Makes a function of arrays from a pure graph.
        modes: What takes the place of `make` in a mode of `ml.compile`; it need not take sizes.
        device: The kind of device that its kernels are for, `"cpu"` or `"cuda"`; empty if it takes any graph.
        takes_sizes: Whether it takes graphs with symbolic lengths: its functions are called with those, then the
            arrays. For another a graph is compiled anew for every length.
        questions: Gives the functions that ask many things of tensors at once (see `llvm/questions.py`), or None.
        threaded: What takes the place of `make`, or that of a mode, where so many threads share the work of a kernel.
        ways: All ways to make a kernel among which `max-autotune` chooses, for so many threads, by name. Back ends that
            have some and are for the same device stand in for each other.
        count: The launches, operations and bytes of a kernel that it has made of a graph, as `explain` tells them.

    Example:
        >>> from minitorch_lab.compiler.targets.backends import backend_of
        >>> numpy = backend_of("numpy")
        >>> numpy.name, numpy.device, numpy.takes_sizes, numpy.threaded
        ('numpy', 'cpu', True, None)
    """

    name: str
    make: Make
    modes: Mapping[str, Make] = field(default_factory=dict[str, Make])
    device: str = ""
    takes_sizes: bool = False
    questions: Callable[[], Any] | None = None
    threaded: Callable[[Make, int], Make] | None = None
    ways: Callable[[int], Mapping[str, Make]] | None = None
    count: Callable[[Graph, Any], Traffic] = count_by_program

    def __call__(self, graph: Graph) -> Runs:
        """The graph as a function of arrays."""
        return self.make(graph)

    def asked(self) -> Any:
        """The functions that ask many things of tensors at once; None: then Python asks one after the other."""
        return self.questions() if self.questions is not None else None

    def in_mode(self, mode: str) -> Backend:
        """The back end in a mode."""
        if mode not in self.modes:
            return self
        return replace(self, name=f"{self.name} ({mode})", make=self.modes[mode], takes_sizes=False)
