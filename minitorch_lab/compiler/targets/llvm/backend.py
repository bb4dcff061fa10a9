"""The `llvm` backend: decompose, fuse, write kernels, and fall back to NumPy where there is no way."""

from __future__ import annotations

import platform
import warnings
from collections.abc import Collection
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ...ir.extents import with_extents
from ...ir.graph import Graph
from ...ir.sized import symbols
from ...loops.share import share
from ...memory.plan import Planner
from ...passes.checked import checked
from ...passes.cropped import cropped
from ...passes.cse import cse
from ...passes.dce import dce
from ...passes.decompose import decompose
from ...schedule.inplace import updated
from ...schedule.program import Program, scheduled
from ...schedule.recipe import BY_LIBRARY, USUAL, Bare, Recipe
from ..numpy.backend import compile_numpy
from ..spare import Spare

if TYPE_CHECKING:
    from .target import Target

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
    recipe: Recipe = USUAL,
) -> Any:
    """A pure graph as machine code, and NumPy for the nodes that no kernel covers.

    Args:
        graph: The graph. Where there are symbols in its shapes, the function takes their numbers first.
        planner: Who places the temporaries in the arena (see `plan`).
        donate: The names of arguments that no caller reads again, so that results may be written over them.
        target: The processor: `"host"` for this one, or `"generic"`, `"avx2"`, `"avx512"`.
        spare: What keeps large results of earlier calls, to be written over (see `spare`).
        recipe: How it is made where there is a choice.

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

    lengths, (graph, extents) = symbols(graph), with_extents(graph)
    program = scheduled(dce(cse(cropped(decompose(checked(graph))))), recipe=recipe)
    updated(program, set(donate))
    recipe.tiles(program, target_of(target))
    for kernel in program.kernels if recipe.threads > 1 else ():
        share(kernel, recipe.threads)
    return Kernels(program, target_of(target), planner, spare, lengths, extents)


def compile_llvm_keeping(graph: Graph, recipe: Recipe = USUAL) -> Any:
    """As `compile_llvm`, and large results lie where earlier ones lay, if they are gone: the mode `reduce-overhead`."""
    return compile_llvm(graph, spare=Spare, recipe=recipe)


def questions() -> Any:
    """The functions that ask many things of tensors at once; None where there are none."""
    if find_spec("llvmlite") is None:
        return None
    from .questions import questions as compiled

    return compiled()


def processor() -> tuple[str, ...]:
    """What the code of this process is made for, and by whom."""
    if not available():
        return platform.machine(), platform.processor()
    from .machine import versions
    from .target import target_of

    host = target_of()
    return host.cpu, host.features, *versions().values()


def measured(program: Program, target: Target) -> None:
    """Every tile has the shape that was fastest, by the stopwatch."""
    from .tuning import tuned_tiles

    tuned_tiles(program, target)


def recipes(threads: int = 1) -> dict[str, Recipe]:
    """The ways to make a program among which `max-autotune` chooses, the usual one first."""
    best = Recipe(tiles=measured, threads=threads)
    return {
        "llvm": best,
        "llvm, tiles bare": replace(best, fusion=Bare),
        "llvm, products by the library": replace(best, library=BY_LIBRARY),
    }
