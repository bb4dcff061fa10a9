"""Kernel choice: which code runs an op on the `numpy` backend, and why: device, dtype, layout and shape decide.

A vector instruction works on several neighbouring entries at once: a loop over 256 floats by 4 has 64 iterations. NumPy
has several loops for most functions and takes the widest that this processor knows; we ask it which.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....core.array import DType, xp
from ....ops.narrow import suited
from ...ir.graph import Graph, Node
from ...ir.views import is_view

# What a matrix product becomes on each kind of hardware; the code above it is the same.
LIBRARIES = {
    "cpu": ("OpenBLAS, MKL or Accelerate", "threads around kernels with vector instructions"),
    "cuda": ("cuBLAS", "kernels for tiles, put on a stream; the host goes on"),
}
LETTERS = {"float32": "s", "float64": "d"}  # BLAS: single and double precision


@dataclass(frozen=True, slots=True)
class Choice:
    """The code that computes a value, and why it is that."""

    value: str
    kernel: str
    why: str


def iterations(entries: int, at_once: int) -> int:
    """How often a loop runs that works on some entries at once; the last time perhaps on fewer.

    Example:
        >>> iterations(256, 1), iterations(256, 4), iterations(257, 4)
        (256, 64, 65)
    """
    return -(-entries // at_once)


def vector_loop(name: str, dtype: DType) -> tuple[str, int] | None:
    """NumPy's loop for a function: the instructions it uses here, and the entries that they work on at once.

    None where NumPy has no vector loop of its own for this dtype, or does not say.
    """
    introspect = getattr(xp.lib, "introspect", None)  # NumPy 2.0 has it, on some systems
    if introspect is None:
        return None
    loops = introspect.opt_func_info(func_name=f"^{name}$", signature=dtype.name).get(name, {})
    if not loops:
        return None
    target = next(iter(loops.values()))["current"]
    return target, width(target) // dtype.itemsize


def width(target: str) -> int:
    """Bytes of the vector registers of instructions by their name.

    Example:
        >>> [width(name) for name in ("X86_V4", "AVX512_SKX", "FMA3__AVX2", "X86_V3", "baseline(NEON)")]
        [64, 64, 32, 32, 16]
    """
    return 64 if "512" in target or "V4" in target else 32 if "AVX" in target or "V3" in target else 16


def choice(node: Node) -> Choice:
    """The code for a call.

    Example:
        >>> import minitorch_lab as ml
        >>> choice(ml.jit.trace(lambda a: a.T, ml.ones(2, 3)).graph.calls[0])
        Choice(value='permute', kernel='none', why='a view: other strides on the memory of a')
    """
    op = node.op
    assert op is not None
    if is_view(node):
        return Choice(node.name, "none", f"a view: other strides on the memory of {node.feeds[0]}")
    if node.device == "cuda":
        where = LIBRARIES["cuda"][0] if op.name in ("matmul", "linear") else "CuPy"
        return Choice(node.name, where, "the operands lie on the GPU")
    chosen = suited(op, node.inputs)
    if chosen is not op:
        return Choice(
            node.name, f"{op.name} in float32", f"{node.feeds[0].dtype} is for keeping: rounded once, at the end"
        )
    if op.name in ("matmul", "linear"):
        return Choice(node.name, *product(node))
    if isinstance(op.impl, xp.ufunc):
        return Choice(node.name, f"np.{op.impl.__name__}", entry_by_entry(node, op.impl.__name__))
    return Choice(node.name, f"{op.name}, our own", "written with NumPy's calls, where the op is declared")


def product(node: Node) -> tuple[str, str]:
    """The code for a matrix product."""
    letter = LETTERS.get(node.dtype.name)
    if letter is None:
        return "np.matmul", f"BLAS knows float32 and float64, not {node.dtype}: a plain loop"
    if loose := next((n for n in node.feeds if not tight(n)), None):
        return f"BLAS {letter}gemm", f"after a copy of {loose}: BLAS reads rows or columns without gaps"
    if any(n.ndim == 1 for n in node.feeds):
        return f"BLAS {letter}gemv", "one operand is a vector"
    turned = [n.name for n in node.feeds if n.strides and n.ndim > 1 and n.strides[-1] != n.dtype.itemsize]
    return f"BLAS {letter}gemm", f"{turned[0]} is read column by column, no copy" if turned else "rows as they lie"


def tight(node: Node) -> bool:
    """Whether the entries of a row, or of a column, are neighbours."""
    return node.strides is None or node.ndim < 2 or node.dtype.itemsize in node.strides[-2:]


def entry_by_entry(node: Node, name: str) -> str:
    """Why a loop over entries runs as it does."""
    read: list[Any] = [n for n in node.feeds if n.strides and n.ndim]
    apart = next((n for n in read if n.strides[-1] not in (0, n.dtype.itemsize)), None)
    if apart is not None:
        return f"neighbours in {apart} are {apart.strides[-1]} bytes apart: entry by entry"
    dtype = node.feeds[0].dtype if node.feeds else node.dtype
    found = vector_loop(name, dtype)
    if found is None:
        return f"no vector loop of NumPy's own for {dtype}: what the C compiler made of it"
    return f"{found[1]} {dtype} at once ({found[0]})"


def choices(graph: Graph) -> str:
    """A table: every value of a graph, its code, and why.

    Example:
        >>> import minitorch_lab as ml
        >>> print(choices(ml.jit.trace(lambda a: (a.T @ a).softmax(1), ml.ones(2, 3)).graph))
        value    kernel            why
        permute  none              a view: other strides on the memory of a
        matmul   BLAS sgemm        permute is read column by column, no copy
        softmax  softmax, our own  written with NumPy's calls, where the op is declared
    """
    rows = [("value", "kernel", "why"), *((c.value, c.kernel, c.why) for c in map(choice, graph.calls))]
    first, second = (max(len(row[i]) for row in rows) for i in range(2))
    return "\n".join(f"{a.ljust(first)}  {b.ljust(second)}  {c}" for a, b, c in rows)
