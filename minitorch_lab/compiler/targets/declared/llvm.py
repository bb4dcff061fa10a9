"""`llvm`: machine code for what is computed entry by entry, and for products."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from ...schedule.recipe import Recipe
from ..llvm.backend import available, compile_llvm, compile_llvm_keeping, questions, recipes
from ..record import Backend, Make, Runs


def threaded(make: Callable[..., Runs], threads: int) -> Make:
    """What makes kernels that so many threads share."""
    return partial(make, recipe=Recipe(threads=threads))


def ways(threads: int) -> Mapping[str, Make]:
    """Every recipe, where there is machine code."""
    return {name: partial(compile_llvm, recipe=r) for name, r in recipes(threads).items()} if available() else {}


BACKEND = Backend(
    "llvm",
    compile_llvm,
    {"reduce-overhead": compile_llvm_keeping},
    device="cpu",
    takes_sizes=True,
    questions=questions,
    threaded=threaded,
    ways=ways,
)
