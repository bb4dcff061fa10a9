"""Spare memory: what an earlier call returned and nobody holds any more is written over by a later one.

A new result of some size costs more than its entries: the system hands out pages one by one, and clears each. C
libraries spare programs that up to a size (glibc: 32 MiB) by keeping what is freed. In the mode `reduce-overhead` a
kernel keeps its large results, and takes back those to which only it still refers. CUDA graphs overwrite results in
the same place, but ask nobody whether they are still read.
"""

from __future__ import annotations

from contextlib import suppress
from sys import getrefcount

from ...core.array import Array
from ...func.trees import flatten
from ..ir.graph import Graph, Node
from ..ir.views import is_view
from .numpy.backend import Kernel, compile_numpy, writes_out

LEAST = 1 << 20  # bytes; what is smaller comes quickly anyway
MOST = 4  # results that are kept at most
ALONE = 2  # references to an array that only a variable and this very question refer to


class Spare:
    """The last results of one kernel, for one of its values.

    Example:
        >>> import numpy as np
        >>> spare, array = Spare(), np.ones(3)
        >>> spare.keep(array)
        >>> spare.take() is None  # it is still held
        True
        >>> del array
        >>> spare.take()
        array([1., 1., 1.])
    """

    def __init__(self) -> None:
        self.kept: list[Array] = []

    def take(self) -> Array | None:
        """Memory that nobody else refers to, as an array or through a view; None if there is none."""
        held: list[Array] = []
        found: Array | None = None
        with suppress(IndexError):  # none is left
            while found is None:
                array = self.kept.pop()  # of two threads only one gets it
                if getrefcount(array) == ALONE:
                    found = array
                else:
                    held.append(array)
        self.kept[:0] = held[::-1]
        return found

    def keep(self, array: Array) -> None:
        """Note a result; the oldest is forgotten."""
        self.kept.append(array)
        del self.kept[:-MOST]


def compile_keeping(graph: Graph) -> Kernel:
    """A pure graph as a NumPy function whose large results lie where earlier ones lay, if those are gone.

    Example:
        >>> import minitorch_lab as ml
        >>> print(compile_keeping(ml.jit.trace(lambda a: a + 1, ml.ones(1_000_000)).graph).source)
        def f(a):
            add = np.add(a, 1, out=spare_add.take())  # f32[1000000]
            spare_add.keep(add)
            return [add]
    """
    leaves = (leaf for leaf in flatten(graph.returned)[0] if isinstance(leaf, Node))
    return compile_numpy(graph, spares={leaf: Spare() for leaf in leaves if suits(leaf)})


def suits(node: Node) -> bool:
    """Whether a result is large, has memory of its own, and can be written into memory that is there."""
    return node.kind == "call" and not is_view(node) and node.nbytes >= LEAST and writes_out(node)
