"""The `cuda` backend: decompose, fuse, write CUDA C, and fall back to CuPy's own functions where there is no way."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...ir.graph import Graph
from ...ir.sized import symbols
from ...memory.plan import Planner
from ...passes.checked import checked
from ...passes.cropped import cropped
from ...passes.cse import cse
from ...passes.dce import dce
from ...passes.decompose import decompose
from ...schedule.inplace import updated
from ...schedule.program import scheduled
from ..numpy.backend import compile_numpy
from .driver import Kernels, Page, RecordedPage
from .module import spoken
from .settle import settled

KNOWN = {"placeholder", "get_attr", "call", "write", "output"}


def on_gpu(graph: Graph) -> bool:
    """Whether there is something of a graph on a GPU."""
    return any(n.device == "cuda" for n in graph.nodes)


def compile_cuda(
    graph: Graph, planner: Planner | None = None, donate: Collection[str] = (), page: type[Page] = Page
) -> Any:
    """A pure graph as CUDA C, and CuPy for products and for the nodes that no kernel covers.

    A graph on the CPU runs on the `numpy` backend.

    Args:
        graph: The graph.
        planner: Who places the temporaries in the arena (see `plan`).
        donate: The names of arguments that no caller reads again, so that results may be written over them.
        page: Who writes what launches the kernels.
    """
    if not on_gpu(graph) or symbols(graph) or any(n.kind not in KNOWN for n in graph.nodes):
        return compile_numpy(graph, planner, donate)
    program = scheduled(dce(settled(cse(cropped(decompose(checked(graph)))))), "cuda")
    if not spoken(program):
        return compile_numpy(graph, planner, donate)
    updated(program, set(donate))
    return Kernels(program, planner, page)


def compile_cuda_recorded(graph: Graph) -> Any:
    """As `compile_cuda`, and kernels that follow each other are one CUDA graph: the mode `reduce-overhead`."""
    return compile_cuda(graph, page=RecordedPage)
