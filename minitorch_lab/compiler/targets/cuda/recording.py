"""CUDA graphs: several launches as one, recorded once and replayed.

A launch costs the processor some microseconds, a graph of many hardly more than one of them. But a graph keeps the
addresses that it was recorded with, so there is one for every set of addresses that comes back. PyTorch copies what
comes from elsewhere to fixed places; here it is launched one by one, and nothing that is returned is ever overwritten
while somebody holds it. CuPy refuses to record calls of cuBLAS, so a graph ends where a product is left to that.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ....core.array import Array, cuda

Launched = tuple[Any, tuple[int], tuple[int, int], Sequence[int]]  # the function, blocks, threads, which arrays
MOST = 16  # sets of addresses that are remembered


class Recorded:
    """Some launches that follow each other. Called with arrays, it replays a graph if it has one for their addresses.

    Attributes:
        graphs: The graph for each set of addresses; None if they have been seen only once.
    """

    def __init__(self, launches: Sequence[Launched]) -> None:
        self.launches = launches
        self.graphs: OrderedDict[tuple[int, ...], Any] = OrderedDict()

    def __call__(self, *arrays: Array) -> None:
        """Run. Addresses that are seen for the second time are worth a recording."""
        at = tuple([x.data.ptr for x in arrays])
        graph = self.graphs.get(at)
        if graph is None and at in self.graphs:
            graph = self.graphs[at] = self.record(arrays)
        if graph is not None:
            graph.launch()
            return
        self.launch(arrays)
        self.graphs[at] = None
        while len(self.graphs) > MOST:
            self.graphs.popitem(last=False)

    def launch(self, arrays: Sequence[Array]) -> None:
        """Launch one by one."""
        for function, grid, block, which in self.launches:
            function(grid, block, tuple([arrays[i] for i in which]))

    def record(self, arrays: Sequence[Array]) -> Any:
        """The graph of these launches, on a stream of its own. None of them runs now."""
        stream = cuda().cuda.Stream(non_blocking=True)
        with stream:
            stream.begin_capture()
            try:
                self.launch(arrays)
            finally:
                graph = stream.end_capture()
        return graph
