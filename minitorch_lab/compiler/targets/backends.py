"""Back ends by name. Each is declared in a file of `declared/`, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from ...errors import CaptureError
from ..ir.graph import Graph
from . import declared
from .record import Backend, Make, Runs

BACKENDS: dict[str, Backend] = {
    found.name: import_module(f"{declared.__name__}.{found.name}").BACKEND for found in iter_modules(declared.__path__)
}


def register_backend(name: str, mode: str | None = None, **facts: Any) -> Callable[[Make], Make]:
    """Let `name` stand for a back end of yours: a function from a pure graph to a function of arrays.

    With `mode` it stands for it in that mode of `ml.compile` alone. `facts` are those of the record `Backend`.

    Example:
        >>> import minitorch_lab as ml
        >>> @register_backend("shouting", takes_sizes=True)
        ... def shouting(graph):
        ...     print(graph.name.upper())
        ...     return BACKENDS["numpy"](graph)
        >>> "shouting" in list_backends(), backend_of("shouting").takes_sizes
        (True, True)
        >>> _ = BACKENDS.pop("shouting")
    """

    def register(make: Make) -> Make:
        if mode is None:
            BACKENDS[name] = Backend(name, make, **facts)
        else:
            known = backend_of(name)
            BACKENDS[name] = replace(known, modes={**known.modes, mode: make})
        return make

    return register


def list_backends() -> list[str]:
    """The names of all back ends."""
    return sorted(BACKENDS)


def backend_of(backend: str | Make) -> Backend:
    """The back end of this name; or of a function, as which it is declared, if it is.

    Raises:
        CaptureError: There is none of this name.
    """
    if isinstance(backend, Backend):
        return backend
    if callable(backend):
        known = (found for found in BACKENDS.values() if found.make is backend)
        return next(known, Backend(getattr(backend, "__name__", "your own"), backend))
    if backend not in BACKENDS:
        raise CaptureError(
            f"There is no backend {backend!r}.",
            f"The backends are {', '.join(list_backends())}.",
            'Did you mean backend="numpy"? Your own is registered with @register_backend(name).',
        )
    return BACKENDS[backend]


def placed(backend: Backend, on_cuda: Backend) -> Backend:
    """`backend` for graphs on the CPU, and `on_cuda` for those on a GPU."""

    def make(graph: Graph) -> Runs:
        return (on_cuda if any(n.device == "cuda" for n in graph.nodes) else backend)(graph)

    return replace(backend, make=make)
