"""`compile`: a function captured from its bytecode as graphs and what happens between them. After PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..array import memory_of
from .backends import Backend, backend_of
from .capture.bytecode.compiled import Compiled
from .entry import entry
from .evaluate import evaluated
from .graph import Graph
from .region import Region


def regional(backend: Backend) -> Callable[[Graph], Callable[..., Any]]:
    """What makes a function of tensors from a graph: a region of kernels by `backend`.

    A graph that takes numbers runs op by op. So does one that writes, while two of its arguments share their memory:
    kernels are made for arguments that do not.
    """

    def make(graph: Graph) -> Callable[..., Any]:
        if any(p.payload for p in graph.placeholders):
            return evaluated(graph)
        region, slow = Region(graph, backend), evaluated(graph)
        if len(graph.placeholders) < 2 or not any(n.kind == "write" for n in graph.nodes):
            return entry(region, region)

        def run(*tensors: Any) -> Any:
            owners = {id(memory_of(x.value)) for x in tensors}
            return region(*tensors) if len(owners) == len(tensors) else slow(*tensors)

        return run

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
