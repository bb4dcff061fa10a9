"""The shape of a register tile: how many rows and vectors of a product are computed at a time.

Large products stay with these tiles too, and are not handed to a library. Beside OpenBLAS on one thread of a Zen 5, in
turns, their time is 0.5 of the library's for float32 at 256³ to 1024³ and 0.7 to 0.8 at 2048³; 0.6 for float64 at 128³
to 1024³ and 0.9 at 2048³. So there is no size at which to change over, and the epilogue is never a pass of its own. On
a processor whose library is faster, `max-autotune` finds that out.

A panel of the right operand is k rows of as many columns as a tile has. Where these rows lie far apart, each is in
another page and many share a set of the first cache, so they are fetched again for every block of rows of the left
operand. A copy has them one after the other. On a Zen 3, for m of 64, 128 and 512, the time with the copy is 0.97 to
1.05 of that without it where the whole right operand has 64 KiB, 0.62 to 0.99 at 256 KiB and 0.53 to 0.86 at 512 KiB.
The left operand is read row by row, which needs no copy, unless it is a transposed one, as in the gradient of a weight:
with the copy that takes 0.96 of the time at 256³, 0.79 at 512³ and 0.62 at 1024³.
"""

from __future__ import annotations

from ...ir.extents import is_open, usual
from ...loops.expr import Expr, parts
from ...loops.ir import Blocking, Kernel, Tile
from ...schedule.values import SIZES
from .target import Target

PANEL = "panel"  # the buffer of a kernel that packs
PACK_BYTES = 1 << 17  # an operand that reaches further is copied piece by piece
COPIED_BYTES = 1 << 19  # of rows of the left operand at a time: a usual second cache
ROWS, VECTORS = 12, 4
GAP_VECTORS = 10  # sums of one row at a time: eight hide the latency of a sum


def cycles(rows: int, vectors: int) -> float:
    """One step of k: two multiply-adds or two loads a cycle, and four cycles until a sum can be added to again.

    Half a cycle is lost if all sums have to be on time: with AVX2 4 × 2 takes 9 to 16 % longer than 6 × 2.
    """
    return max(rows * vectors / 2, (rows + vectors) / 2, 4.5)


def tile_shape(m: int, n: int, target: Target) -> tuple[int, int]:
    """The rows and vectors of the tile with which a product of m rows and n columns takes the fewest cycles.

    All sums, the vectors of the right operand and one entry of the left one must fit into the registers; what is left
    over at the edges is counted.

    Example:
        >>> from minitorch_lab.compiler.targets.llvm.target import target_of
        >>> tile_shape(256, 256, target_of("avx512")), tile_shape(256, 256, target_of("avx2"))
        ((8, 2), (6, 2))
    """
    return ranked(m, n, target)[0]


def ranked(m: int, n: int, target: Target) -> list[tuple[int, int]]:
    """All tiles that fit, that with the fewest cycles first; each other shape at the edges counts as 3 % more.

    It has to be compiled, which takes longer than what it saves of so little.
    """
    total = -(-n // target.lanes)
    found: list[tuple[tuple[float, int, int], tuple[int, int]]] = []
    for rows in range(1, min(m, ROWS) + 1):
        for vectors in range(1, min(total, VECTORS) + 1):
            if rows * vectors + vectors + 1 <= target.registers:
                edges = (1 + (m % rows > 0)) * (1 + (total % vectors > 0)) - 1
                cost = covering(m, rows, total, vectors) * (1 + 0.03 * edges)
                found.append(((cost, abs(rows - 8), rows * vectors), (rows, vectors)))
    return [shape for _, shape in sorted(found)]


def covering(m: int, rows: int, total: int, vectors: int) -> float:
    """The cycles of one step of k over all tiles, the smaller ones at the edges included."""
    (full, rest), (across, left) = divmod(m, rows), divmod(total, vectors)

    def row(r: int) -> float:
        return across * cycles(r, vectors) + (cycles(r, left) if left else 0)

    return full * row(rows) + (row(rest) if rest else 0)


def blocking(t: Tile, target: Target) -> Blocking:
    """How a product is cut: as was measured, or by the registers, and packed where it does not fit into a cache."""
    if t.blocking is not None:
        return t.blocking
    rows, vectors = tile_shape(usual(t.m), usual(t.n), target.holding(t.b.dtype))
    return Blocking(rows, vectors, usual(reach(t.b, {"k": t.k, "n": t.n})) > PACK_BYTES and packable(t))


def reach(e: Expr, axes: dict[str, int]) -> int:
    """The bytes from the first entry of an operand to its last along some axes: its own, and what lies between.

    Example:
        >>> from minitorch_lab.compiler.loops.affine import axis
        >>> from minitorch_lab.compiler.loops.expr import Exprs
        >>> reach(Exprs().load("w", axis("k") * 384 + axis("n"), "f32"), {"k": 128, "n": 32})
        195200
    """
    maps = [x.attr[1] for x in parts([e]) if x.op == "load"]
    apart = [sum((n - 1) * abs(at.coefficient(a)) for a, n in axes.items()) for at in maps]
    return SIZES[e.dtype] * (max(apart, default=0) + 1)


def packable(t: Tile) -> bool:
    """Whether a panel of the right operand is read often enough to be worth a copy."""
    return t.a is not None and usual(t.m) >= 64


def copied_rows(t: Tile, cut: Blocking) -> int:
    """How many rows of the left operand are copied at a time, beside a packed panel; 0 if they are read where they lie.

    They are copied where the entries of one row lie far apart, and are met by many panels.
    """
    assert t.a is not None
    if any(map(is_open, (t.m, t.n, t.k))):
        return 0
    maps = [e.attr[1] for e in parts([t.a]) if e.op == "load"]
    apart = all(abs(at.coefficient("k")) != 1 for at in maps) and reach(t.a, {"k": t.k}) > PACK_BYTES
    most = max(1, COPIED_BYTES // (SIZES[t.a.dtype] * t.k * cut.rows)) * cut.rows
    return min(most, t.m) if apart and t.n >= 64 else 0


def gap_columns(n: int, lanes: int) -> int:
    """The vectors of a panel for a product with gaps: all panels about equally wide.

    Example:
        >>> gap_columns(784, 16), gap_columns(200, 16)
        (10, 7)
    """
    total = -(-n // lanes)
    return -(-total // -(-total // GAP_VECTORS))


def panel_bytes(kernel: Kernel, target: Target) -> int:
    """The bytes of a packed panel: all rows of the right operand, as many columns as a tile has; 0 without packing.

    Behind it come the rows of the left operand that are copied, and a vector's surplus. A product with gaps packs as
    well, and has a mask for every row behind it.
    """
    found = [0]
    for t in (s for s in kernel.statements() if isinstance(s, Tile)):
        vector, cut = SIZES[t.b.dtype] * t.k * target.lanes, blocking(t, target)
        rows = copied_rows(t, cut) if cut.packed else 0
        copy = SIZES[t.b.dtype] * (-(-rows // cut.rows) * cut.rows * t.k + target.lanes) if rows else 0
        found.append(vector * cut.vectors + copy if cut.packed else 0)
        masks = 8 * -(-t.m // target.lanes) * target.lanes
        found.append(vector * gap_columns(t.n, target.lanes) + masks if t.gaps else 0)
    return max(found)
