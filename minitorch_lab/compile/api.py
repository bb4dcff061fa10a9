"""`compile`: a function captured from its bytecode as graphs and what happens between them. After PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .backends import Backend, backend_of
from .capture.bytecode.compiled import Compiled
from .entry import entry
from .evaluate import evaluated
from .graph import Graph
from .region import Region, settled


def regional(backend: Backend) -> Callable[[Graph], Callable[..., Any]]:
    """What makes a function of tensors and numbers from a graph: a region of kernels by `backend`.

    A graph in which a number meets tensors of several dtypes runs op by op.
    """

    def make(graph: Graph) -> Callable[..., Any]:
        if not settled(graph):
            return evaluated(graph)
        region = Region(graph, backend)
        return region if graph.recorded else entry(region, region)

    return make


def compile(
    fn: Callable[..., Any] | None = None,
    *,
    backend: str = "numpy",
    fullgraph: bool = False,
) -> Any:
    """The same function, run from graphs that its first calls leave behind.

    The first call is interpreted, bytecode by bytecode: its tensor ops become graphs, and what no graph can hold (a
    branch by an entry, a `print`, a call that cannot be looked into) stays Python between them. What the graphs rely on
    is guarded: types, shapes, dtypes, strides, globals, attributes. A call for which a guard fails is captured again,
    up to a limit. Results, mutations, prints and errors are those of the function itself.

    On the tape a graph is one node: after `backward()` through one of its results another needs `retain_graph=True`, as
    with PyTorch's `compile`.

    Args:
        fn: A function, method or module. Left out, this is a decorator.
        backend: Who runs the graphs.
        fullgraph: Make a break of the graph an error.

    Raises:
        CaptureError: There is no such backend. With `fullgraph`, when called: something has to happen between graphs.

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
    if fn is None:
        return lambda f: compile(f, backend=backend, fullgraph=fullgraph)
    return Compiled(fn, regional(backend_of(backend)), fullgraph)
