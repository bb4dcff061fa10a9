"""Tiling: how often the entries of two matrices are fetched while their product is computed block by block.

A block of `rows` × `columns` entries of the product needs `rows` rows of the left matrix and `columns` columns of the
right one, each fetched once. So a square block of b × b uses every number that it fetches b times. In which order the
blocks are computed matters too: those that are worked on together share what they fetch (P. Tillet and others, Triton,
2019, whose tutorial on products names the grouped order).
"""

from __future__ import annotations

from collections.abc import Iterable

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
