"""`compile`: a function captured from its bytecode as graphs and what happens between them. After PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import ArgumentError
from .capture.bytecode.compiled import Compiled
from .evaluate import evaluate
from .graph import Graph


def evaluated(graph: Graph) -> Callable[..., Any]:
    """A graph as a function that runs it node by node."""

    def run(*tensors: Any) -> Any:
        return evaluate(graph, list(tensors))

    return run


BACKENDS: dict[str, Callable[[Graph], Callable[..., Any]]] = {"numpy": evaluated}


def compile(
    fn: Callable[..., Any] | None = None,
    *,
    mode: str = "default",
    backend: str = "numpy",
    dynamic: bool | None = None,
    fullgraph: bool = False,
) -> Any:
    """The same function, run from graphs that its first calls leave behind.

    The first call is interpreted, bytecode by bytecode: its tensor ops become graphs, and what no graph can hold (a
    branch by an entry, a `print`, a call that cannot be looked into) stays Python between them. What the graphs rely on
    is guarded: types, shapes, dtypes, strides, globals, attributes. A call for which a guard fails is captured again,
    up to a limit. Results, mutations, prints and errors are those of the function itself.

    Args:
        fn: A function, method or module. Left out, this is a decorator.
        mode: Only "default" as yet.
        backend: Who runs the graphs.
        dynamic: Not used as yet: every shape has graphs of its own.
        fullgraph: Make a break of the graph an error.

    Raises:
        ArgumentError: There is no such backend or mode.
        CaptureError: When called, with `fullgraph`: something has to happen between two graphs.

    Example:
        >>> import minitorch_lab as ml
        >>> @compile
        ... def leaky(x):
        ...     return x if x > 0 else 0.1 * x
        >>> leaky(ml.tensor(2.0)), leaky(ml.tensor(-2.0))
        (tensor(2.), tensor(-0.2000))
        >>> len(leaky.breaks)
        1
    """
    if backend not in BACKENDS:
        raise ArgumentError(
            f"compile got backend={backend!r}.", f"There are {', '.join(BACKENDS)}.", 'Did you mean backend="numpy"?'
        )
    if mode != "default":
        raise ArgumentError(f"compile got mode={mode!r}.", 'The mode is "default".', "Leave it out.")
    if fn is None:
        return lambda f: compile(f, mode=mode, backend=backend, dynamic=dynamic, fullgraph=fullgraph)
    return Compiled(fn, BACKENDS[backend], fullgraph)
