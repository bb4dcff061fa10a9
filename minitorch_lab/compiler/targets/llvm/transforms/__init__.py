"""Kernels as a machine shall run them: transformations of the loop IR, each a file, in this order.

What they find stands in the statements: how vectors go through a row, how a contraction runs, which loops go square by
square. A kernel shown as text has it in words, and writing instructions decides nothing any more. Before them others
have been at work that know of no processor: `schedule/triangles.py` (bounds of products), `schedule/gaps.py`,
`loops/share.py` (pieces for threads), and `slices.py` (kernels that take turns).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ....loops.ir import Kernel, Loop, Stmt
from .ahead import ask_ahead
from .ends import mask_ends
from .interleave import interleave_copies
from .kinds import Machine
from .limits import bound_trips
from .past import write_past
from .squares import turn_in_squares
from .unroll import unroll_rows
from .ways import choose_ways

TRANSFORMATIONS: tuple[Callable[[Kernel, Machine], None], ...] = (
    turn_in_squares,
    unroll_rows,
    interleave_copies,
    write_past,
    ask_ahead,
    mask_ends,
    choose_ways,
    bound_trips,
)


def arranged(kernel: Kernel, machine: Machine) -> Kernel:
    """The kernel as a machine shall run it.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.loops.show import show
        >>> from minitorch_lab.compiler.schedule.program import scheduled
        >>> from minitorch_lab.compiler.targets.llvm.target import target_of
        >>> x = ml.ones(1000)
        >>> (kernel,) = scheduled(ml.jit.trace(lambda a: a + 1, x).graph).kernels
        >>> print(show(arranged(kernel, Machine(target_of("avx512"), {"a": "f32", "add": "f32"}, {}))))
        kernel pointwise_0
          sweep j in 1000, 4 vectors at a time: 0 to 960, then 2 vectors, then 1 vector masked:
            add[j] = (a[j] + 1)
    """
    out = Kernel(kernel.name, [*map(copied, kernel.body)], kernel.reasons, kernel.stands)
    for transform in TRANSFORMATIONS:
        transform(out, machine)
    return out


def copied(s: Stmt) -> Stmt:
    """A statement that can be changed without a change of the kernel that it is from."""
    return replace(s, body=[*map(copied, s.body)]) if isinstance(s, Loop) else replace(s)
