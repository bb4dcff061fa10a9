"""The shape of a register tile: how many rows and vectors of a product are computed at a time.

Large products stay with these tiles too, and are not handed to a library. Beside OpenBLAS on one thread of a Zen 5, in
turns, their time is 0.5 of the library's for float32 at 256³ to 1024³ and 0.7 to 0.8 at 2048³; 0.6 for float64 at 128³
to 1024³ and 0.9 at 2048³. So there is no size at which to change over, and the epilogue is never a pass of its own. On
a processor whose library is faster, `max-autotune` finds that out.
"""

from __future__ import annotations

from ...loops.ir import Kernel, Tile
from .emit import SIZE
from .target import Target

PANEL = "panel"  # the buffer of a kernel that packs
PACK_BYTES = 1 << 19  # a right operand above this is packed panel by panel: half of a usual second cache
ROWS, VECTORS = 12, 4


def cycles(rows: int, vectors: int) -> float:
    """One step of k: two multiply-adds or two loads a cycle, and four cycles until a sum can be added to again."""
    return max(rows * vectors / 2, (rows + vectors) / 2, 4)


def tile_shape(m: int, n: int, target: Target) -> tuple[int, int]:
    """The rows and vectors of the tile with which a product of m rows and n columns takes the fewest cycles.

    All sums, the vectors of the right operand and one entry of the left one must fit into the registers; what is left
    over at the edges is counted.

    Example:
        >>> from minitorch_lab.compile.codegen.llvm.target import target_of
        >>> tile_shape(256, 256, target_of("avx512")), tile_shape(256, 256, target_of("avx2"))
        ((8, 2), (6, 2))
    """
    total = -(-n // target.lanes)
    best: tuple[tuple[float, int, int], int, int] | None = None
    for rows in range(1, min(m, ROWS) + 1):
        for vectors in range(1, min(total, VECTORS) + 1):
            if rows * vectors + vectors + 1 > target.registers:
                continue
            cost = covering(m, rows, total, vectors)
            key = (cost, abs(rows - 8), rows * vectors)
            if best is None or key < best[0]:
                best = (key, rows, vectors)
    assert best is not None
    return best[1], best[2]


def covering(m: int, rows: int, total: int, vectors: int) -> float:
    """The cycles of one step of k over all tiles, the smaller ones at the edges included."""
    (full, rest), (across, left) = divmod(m, rows), divmod(total, vectors)

    def row(r: int) -> float:
        return across * cycles(r, vectors) + (cycles(r, left) if left else 0)

    return full * row(rows) + (row(rest) if rest else 0)


def panel_bytes(kernel: Kernel, target: Target) -> int:
    """The bytes of a packed panel: all rows of the right operand, as many columns as a tile has; 0 without packing."""
    for t in kernel.statements():
        if isinstance(t, Tile) and t.a is not None and t.m >= 64:
            row = SIZE[t.b.dtype] * t.k
            _, columns = tile_shape(t.m, t.n, target.holding(t.b.dtype))
            return row * columns * target.lanes if row * t.n > PACK_BYTES else 0
    return 0
