"""Tiling: how often the entries of two matrices are fetched while their product is computed block by block.

A block of `rows` × `columns` entries of the product needs `rows` rows of the left matrix and `columns` columns of the
right one, each fetched once. So a square block of b × b uses every number that it fetches b times. In which order the
blocks are computed matters too: those that follow each other share what is still in the cache (P. Tillet and others,
Triton, 2019, whose tutorial on products names the grouped order).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Block = tuple[int, int]  # its row and column, counted in blocks


def fetched(m: int, n: int, k: int, rows: int = 1, columns: int = 1) -> int:
    """The numbers that are fetched for a product of (m, k) and (k, n), where nothing is kept from block to block.

    Blocks at the edges may be smaller.

    Example:
        >>> fetched(32, 32, 32), fetched(32, 32, 32, 1, 16), fetched(32, 32, 32, 4, 4), fetched(32, 32, 32, 32, 32)
        (65536, 34816, 16384, 2048)
    """
    across, down = -(-n // columns), -(-m // rows)
    return m * k * across + k * n * down


def row_by_row(down: int, across: int) -> list[Block]:
    """The blocks of a product, one row after the other."""
    return [(i, j) for i in range(down) for j in range(across)]


def grouped(down: int, across: int, group: int) -> list[Block]:
    """The blocks in bands of `group` rows, column by column: neighbours in time share columns and rows.

    Example:
        >>> grouped(2, 3, 2)
        [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    """
    bands = [range(start, min(start + group, down)) for start in range(0, down, group)]
    return [(i, j) for band in bands for j in range(across) for i in band]


def touched(blocks: Iterable[Block], depth: int) -> int:
    """The blocks of both matrices that some blocks of the product need, each counted once; `depth` of them a row.

    Example:
        >>> touched(row_by_row(9, 9)[:9], 9), touched(grouped(9, 9, 3)[:9], 9)
        (90, 54)
    """
    found = list(blocks)
    return depth * (len({i for i, _ in found}) + len({j for _, j in found}))


Part = tuple[str, int, int]  # a block of the left matrix, ("a", i, p), or of the right one, ("b", p, j)


@dataclass(frozen=True, slots=True)
class Visit:
    """A block of the product, and which blocks of the matrices were fetched for it, and which were still there."""

    block: Block
    fetched: tuple[Part, ...]
    found: tuple[Part, ...]
    held: tuple[Part, ...]  # what is in the cache afterwards, the oldest first


def visits(blocks: Iterable[Block], depth: int, cache: int) -> Iterator[Visit]:
    """Compute the blocks of a product in this order, with a cache for so many blocks of the matrices.

    What was not used for the longest time makes room (LRU). A block of the product needs `depth` blocks of each matrix.

    Example:
        >>> orders = row_by_row(8, 8), grouped(8, 8, 4)
        >>> [sum(len(v.fetched) for v in visits(order, 8, 48)) for order in orders]
        [576, 192]
    """
    held: dict[Part, None] = {}
    for i, j in blocks:
        fetched, found = list[Part](), list[Part]()
        for part in (part for p in range(depth) for part in (("a", i, p), ("b", p, j))):
            (found if part in held else fetched).append(part)
            held.pop(part, None)
            held[part] = None
            if len(held) > cache:
                del held[next(iter(held))]
        yield Visit((i, j), tuple(fetched), tuple(found), tuple(held))
