"""Tiling: a product of matrices that lie far away, computed by the reader tile by tile; what is fetched is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler.ir.graph import Graph, Node
from ...compiler.passes.decompose import decompose
from ...compiler.schedule.tiling import fetched
from ...core.array import Array, ground, xp
from ...errors import ArgumentError
from ...func.trees import flatten
from ...ops.narrow import suited
from ...tensors.random import manual_seed, randn
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten


class Far:
    """A matrix in far memory. What is near holds a block of `tile` × `tile` of it.

    Attributes:
        rows: How many there are.
        columns: How many there are.
        count: The numbers that were fetched.
    """

    def __init__(self, matrix: Array, tile: int) -> None:
        self._matrix, self._tile = matrix, tile
        self.rows, self.columns = matrix.shape
        self.count = 0

    def fetch(self, row: int, column: int, rows: int, columns: int) -> Array:
        """The block of so many rows and columns that begins there; smaller at the border.

        Raises:
            ArgumentError: It is larger than what is near can hold, or begins outside.
        """
        if rows > self._tile or columns > self._tile:
            raise ArgumentError(
                f"You fetched {rows} × {columns} at once.",
                f"The near memory has room for a block of {self._tile} × {self._tile} of each matrix.",
                f"Did you mean fetch({row}, {column}, {self._tile}, {self._tile})?",
            )
        if not (0 <= row < self.rows and 0 <= column < self.columns and rows > 0 and columns > 0):
            raise ArgumentError(
                f"You fetched {rows} × {columns} from ({row}, {column}).",
                f"The matrix has {self.rows} rows and {self.columns} columns, counted from 0.",
                "Did you mean range(0, rows, tile)? It ends before the border.",
            )
        block = self._matrix[row : row + rows, column : column + columns]
        self.count += block.size
        return block.copy()


Product = Callable[[Far, Far, int], Any]


def zeros(rows: int, columns: int) -> Array:
    """An array for the result."""
    return xp.zeros((rows, columns))


def multiplied(product: Product, a: Array, b: Array, tile: int) -> tuple[Any, int]:
    """What a product gives, and how many numbers it has fetched."""
    far = Far(a, tile), Far(b, tile)
    found = product(*far, tile)
    return xp.array(found) if isinstance(found, list | tuple) else found, far[0].count + far[1].count


def count(product: Product, m: int, n: int, k: int, tile: int) -> int:
    """The numbers that the reader's product fetches for matrices of (m, k) and (k, n)."""
    return multiplied(product, xp.ones((m, k)), xp.ones((k, n)), tile)[1]


def with_product(product: Product, tile: int) -> Callable[[Graph], Any]:
    """A backend for `ml.compile` in which products of matrices run by the reader's loops, and all else in NumPy."""

    def backend(graph: Graph) -> Any:
        core = decompose(graph)

        def run(*arrays: Array) -> list[Array]:
            known: dict[Node, Any] = dict(zip(core.placeholders, arrays, strict=True))
            known |= {n: ground(n.payload) for n in core.nodes if n.kind == "get_attr"}
            for n in core.calls:
                assert n.op is not None
                given = [known[i] if isinstance(i, Node) else i for i in n.inputs]
                if n.op.name == "matmul" and n.ndim == 2:
                    known[n] = multiplied(product, given[0], given[1], tile)[0].astype(n.dtype)
                else:
                    known[n] = suited(n.op, n.inputs).impl(*given, **n.params)
            return [known[n] for n in flatten(core.returned)[0]]

        return run

    return backend


# ---- the check ------------------------------------------------------------------------------------------------------
SIZES = [(8, 8, 8, 4), (10, 13, 7, 4), (5, 3, 9, 2), (32, 32, 32, 4)]


@answering
def check_product(product: Product) -> Verdict:
    """Check the reader's loops: what comes out, for sizes that the tile does not divide too, and what is fetched."""
    for m, n, k, tile in SIZES:
        manual_seed(m)
        a, b = (ground(randn(*size)).astype("float64") for size in ((m, k), (k, n)))
        found, error = attempt(multiplied, product, a, b, tile)
        if error is not None or found is None:
            return stopped(f"for ({m}, {k}) @ ({k}, {n}) in tiles of {tile}, product", error or TypeError())
        (c, loads), right = found, a @ b
        if not isinstance(c, xp.ndarray) or c.shape != (m, n) or c.dtype.kind not in "fiu":
            return not_yet(f"product gives {described(c)}. It gives an array of shape ({m}, {n}).")
        if problem := off(c, a, b, tile):
            return problem
        assert right.shape == c.shape
        if loads == 2 * m * n * k:
            return unwritten(f"entry by entry: {loads:,} numbers fetched, each for one multiplication.")
        best = fetched(m, n, k, tile, tile)
        if loads < fewest(m, n, k, tile):
            return not_yet(f"you fetch {loads:,} numbers: that is less than one block of each near you allows. What "
                           "was fetched is gone when the next block of that matrix comes.")  # fmt: skip
        if loads > best:
            return not_yet(
                f"for ({m}, {k}) @ ({k}, {n}) in tiles of {tile} you fetch {loads:,} numbers; {best:,} are enough. "
                "Fetch a block of a and a block of b, and use each number of them for a whole tile."
            )
    return done("16,384 numbers fetched for 32 × 32, a quarter of 65,536: each is used four times while it is near.")


def fewest(m: int, n: int, k: int, tile: int) -> int:
    """The numbers to fetch where one block of each matrix is near: one matrix once, the other for each row of tiles.

    Example:
        >>> fewest(8, 8, 8, 4)
        192
    """
    return min(m * k + -(-m // tile) * k * n, k * n + -(-n // tile) * m * k)


def off(c: Array, a: Array, b: Array, tile: int) -> Verdict | None:
    """A result that is wrong."""
    right, (m, n), k = a @ b, (a.shape[0], b.shape[1]), a.shape[1]
    if xp.allclose(c, right):
        return None
    last = (k - 1) // tile * tile
    if xp.allclose(c, a[:, last:] @ b[last:]) and last:
        return not_yet(
            "only the last stretch of k is left in the result. A tile is a sum over all stretches: add to it, do not "
            "assign."
        )
    inside = m // tile * tile, n // tile * tile
    if xp.allclose(c[: inside[0], : inside[1]], right[: inside[0], : inside[1]]):
        return not_yet(
            f"for {m} rows and {n} columns, which {tile} does not divide, the border is wrong. Ranges that step by the "
            "tile reach it, and blocks are smaller there."
        )
    if xp.allclose(c, a[:, : k // tile * tile] @ b[: k // tile * tile]):
        return not_yet(f"k is {k} here, and {tile} does not divide it: what is left of it at the end is missing.")
    at = xp.unravel_index(int(xp.argmax(abs(c - right))), c.shape)
    return not_yet(f"c[{int(at[0])}, {int(at[1])}] is {c[at]:.4g}, and it is {right[at]:.4g}.")
