"""Backends by name: who turns a pure graph into a function of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..errors import CaptureError
from .codegen.cuda.backend import compile_cuda, compile_cuda_recorded, on_gpu
from .codegen.llvm.backend import compile_llvm, compile_llvm_keeping, questions
from .codegen.numpy import compile_numpy
from .codegen.spare import compile_keeping
from .evaluate import evaluate
from .graph import Graph


class Runs(Protocol):
    """A compiled graph: arrays in, the list of its results out."""

    def __call__(self, *arrays: Any) -> list[Any]:
        """Run."""
        ...


Backend = Callable[[Graph], Runs]
BACKENDS: dict[str, Backend] = {"numpy": compile_numpy, "llvm": compile_llvm, "cuda": compile_cuda}
IN_MODE: dict[tuple[str, str], Backend] = {
    ("numpy", "reduce-overhead"): compile_keeping,
    ("llvm", "reduce-overhead"): compile_llvm_keeping,
    ("cuda", "reduce-overhead"): compile_cuda_recorded,
}
for takes in (compile_numpy, compile_llvm):
    takes.takes_sizes = True  # pyright: ignore[reportFunctionMemberAccess]
for native in (compile_llvm, compile_llvm_keeping):
    native.questions = questions  # pyright: ignore[reportFunctionMemberAccess]


def register_backend(name: str, mode: str | None = None) -> Callable[[Backend], Backend]:
    """Let `name` stand for a backend of yours: a function from a pure graph to a function of arrays.

    With `mode` it stands for it in that mode of `ml.compile` alone.

    Example:
        >>> import minitorch_lab as ml
        >>> @register_backend("shouting")
        ... def shouting(graph):
        ...     print(graph.name.upper())
        ...     return BACKENDS["numpy"](graph)
        >>> "shouting" in list_backends()
        True
    """

    def register(backend: Backend) -> Backend:
        if mode is None:
            BACKENDS[name] = backend
        else:
            IN_MODE[name, mode] = backend
        return backend

    return register


def list_backends() -> list[str]:
    """The names of all backends."""
    return sorted(BACKENDS)


def takes_sizes(backend: Backend) -> bool:
    """Whether a backend takes graphs with symbolic lengths: its functions are called with those, then the arrays.

    One that does says so by an attribute `takes_sizes`; for another a graph is compiled anew for every length.
    """
    return getattr(backend, "takes_sizes", False)


def questions_of(backend: Any) -> Any:
    """The functions that answer the guards of tensors at once, of a backend that has such by an attribute `questions`.

    None if it has not: then Python asks one thing after the other.
    """
    found = getattr(backend, "questions", None)
    return found() if found is not None else None


def asked_as(backend: Backend, made: Any) -> Any:
    """What is made of a backend, by which guards are answered as by that."""
    made.questions = getattr(backend, "questions", None)
    return made


def backend_of(backend: str | Backend) -> Backend:
    """The backend of this name, or the function itself.

    Raises:
        CaptureError: There is none of this name.
    """
    if callable(backend):
        return backend
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
        return (on_cuda if on_gpu(graph) else backend)(graph)

    make.__name__ = name_of(backend)
    make.takes_sizes = takes_sizes(backend)  # pyright: ignore[reportFunctionMemberAccess]
    return asked_as(backend, make)


def name_of(backend: Backend) -> str:
    """What a backend is called."""
    known = BACKENDS | {f"{name} ({mode})": found for (name, mode), found in IN_MODE.items()}
    return next((name for name, found in known.items() if found is backend), getattr(backend, "__name__", "your own"))


@register_backend("eager")
def op_by_op(graph: Graph) -> Runs:
    """The graph, run op by op: no code is generated. What differs from it is the code generator's fault."""
    from ..interpret import GROUND, interpreting

    def run(*arrays: Any) -> list[Any]:
        with interpreting(GROUND):
            return list(evaluate(graph, list(arrays)))

    return run
