"""The `llvm` backend: decompose, fuse, write kernels, and fall back to NumPy where there is no way."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from functools import cache
from importlib.util import find_spec
from typing import Any

from ...graph import Graph
from ...passes.cropped import cropped
from ...passes.cse import cse
from ...passes.dce import dce
from ...passes.decompose import decompose
from ...plan import Planner
from ...schedule.inplace import updated
from ...schedule.program import scheduled
from ..numpy import compile_numpy
from ..spare import Spare

KNOWN = {"placeholder", "get_attr", "call", "write", "output"}


@cache
def available() -> bool:
    """Whether llvmlite is there. Where it is not, that is said once."""
    if find_spec("llvmlite") is not None:
        return True
    warnings.warn(
        'llvmlite is not installed, so backend="llvm" runs on the numpy backend: pip install "minitorch-lab[llvm]".',
        RuntimeWarning,
        stacklevel=2,
    )
    return False


def compile_llvm(
    graph: Graph,
    planner: Planner | None = None,
    donate: Collection[str] = (),
    target: str = "host",
    spare: type[Spare] | None = None,
) -> Any:
    """A pure graph as machine code, and NumPy for the nodes that no kernel covers.

    Args:
        graph: The graph.
        planner: Who places the temporaries in the arena (see `plan`).
        donate: The names of arguments that no caller reads again, so that results may be written over them.
        target: The processor: `"host"` for this one, or `"generic"`, `"avx2"`, `"avx512"`.
        spare: What keeps large results of earlier calls, to be written over (see `spare`).

    Example:
        >>> import minitorch_lab as ml
        >>> kernels = compile_llvm(ml.jit.trace(lambda a, b: (a * b + 1).tanh(), ml.ones(3), ml.ones(3)).graph)
        >>> print(kernels.program)
        kernel pointwise_0
          # pointwise into its consumer: mul f32[3] → add stays in registers, 2 × 12 bytes less
          # pointwise into its consumer: add f32[3] → tanh stays in registers, 2 × 12 bytes less
          sweep j in 3:
            tanh[j] = tanh(((a[j] * b[j]) + 1))
        >>> print(kernels.source)
        def f(a, b):
            tanh = empty_op((3,), np.float32)
            run0_op(a, b, tanh) or again(run0_op, a, b, tanh)
            return [tanh]
    """
    elsewhere = any(n.device != "cpu" for n in graph.nodes)
    if elsewhere or any(n.kind not in KNOWN for n in graph.nodes) or not available():
        return compile_numpy(graph, planner, donate)
    from .driver import Kernels
    from .target import target_of

    program = scheduled(dce(cse(cropped(decompose(graph)))))
    updated(program, set(donate))
    return Kernels(program, target_of(target), planner, spare)


def compile_llvm_keeping(graph: Graph) -> Any:
    """As `compile_llvm`, and large results lie where earlier ones lay, if they are gone: the mode `reduce-overhead`."""
    return compile_llvm(graph, spare=Spare)
