"""The check of the reader's count: the operations and bytes of an op, against those of a captured graph."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..values import plain, whole, whole_numbers
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .rows import Operand, Row, anatomy, paired, points

Cost = Callable[[str, tuple[Operand, ...], Operand], Any]
OTHERS = (
    (Row("in float16", "matmul", (((8, 64), 2), ((64, 16), 2)), ((8, 16), 2)), (16384, 3328)),
    (Row("in float16", "sum", (((64, 16), 2),), ((64,), 2)), (960, 2176)),
    (Row("over rows of one", "mul", (((5, 7), 4), ((), 4)), ((5, 7), 4)), (35, 284)),
)


def asked() -> list[tuple[Row, tuple[int, int]]]:
    """Rows with the operations and the bytes of each: a whole step, a smaller one, and some in other dtypes."""
    counted = [*paired(anatomy(), points()), *paired(anatomy(4, 6, 5, 3), points(4, 6, 5, 3))]
    return [(row, (int(point.flop), int(point.nbytes))) for row, point in counted] + list(OTHERS)


@answering
def check_cost(cost: Cost) -> Verdict:
    """Check the reader's count on every op of two training steps, and on a few others."""
    answers: list[Any] = []
    for row, _ in asked():
        found, error = attempt(cost, row.op, row.reads, row.write)
        if error is not None:
            return stopped(f"your function, at {told(row)},", error)
        answers.append(plain(found))
    if all(found == [0, 0] for found in answers):
        return unwritten("no operations, and no bytes.")
    for (row, (flop, nbytes)), found in zip(asked(), answers, strict=True):
        if not isinstance(found, list) or len(found) != 2:
            return not_yet(f"for {told(row)} you give {found!r:.60}. It is two numbers: operations and bytes.")
        if whole_numbers(found) == [nbytes, flop]:
            return not_yet("you give the bytes first. The operations come first, then the bytes.")
        if whole(found[0]) != flop:
            said = f"For {told(row)} you count {found[0]!r:.20}, and it is {flop:,}."
            return not_yet(f"{wrong_flop(row, found[0])} {said}")
        if whole(found[1]) != nbytes:
            said = f"For {told(row)} you count {found[1]!r:.20} bytes, and it is {nbytes:,}."
            return not_yet(f"{wrong_bytes(row, found[1])} {said}")
    return done("every op of two steps as the house counts them. Only products do many operations for each byte.")


def told(row: Row) -> str:
    """A row in words.

    Example:
        >>> told(Row("forward", "relu", (((32, 256), 4),), ((32, 256), 4)))
        'relu (32, 256) → (32, 256)'
    """
    return f"{row.op} {', '.join(str(shape) for shape, _ in row.reads)} → {row.write[0]}"


def wrong_flop(row: Row, found: Any) -> str:
    """The thought behind another number of operations."""
    inside, result = [prod(shape) for shape, _ in row.reads], prod(row.write[0])
    if row.op == "matmul":
        if whole(found) == result * row.reads[0][0][-1]:
            return "those are multiply-accumulate steps: each is two operations, a multiplication and an addition."
        if whole(found) == result:
            return "each entry of a product is a sum of many products: two operations for every pair that meets."
        return "a product of (m, k) and (k, n) has m · n entries, each with k multiplications and k additions."
    if row.op == "sum":
        if whole(found) == inside[0]:
            return "n numbers are added up with n - 1 additions, for each entry of the result."
        if whole(found) == result:
            return "a sum does its work where it reads: nearly one addition for each entry that goes in."
        return "a sum does as many additions as it reads entries, less one for each entry that it writes."
    if whole(found) == sum(inside) and len(inside) > 1:
        return "operands meet entry by entry: one operation for each entry of the result, not of each operand."
    if not whole(found):
        return "whatever works entry by entry does one operation for each entry of the result. A shape () has one."
    return "whatever works entry by entry does one operation for each entry of its result."


def wrong_bytes(row: Row, found: Any) -> str:
    """The thought behind another number of bytes."""
    read = sum(prod(shape) * size for shape, size in row.reads)
    write = prod(row.write[0]) * row.write[1]
    entries = sum(prod(shape) for shape, _ in (*row.reads, row.write))
    if whole(found) == read:
        return "the result is written to memory as well."
    if whole(found) == write:
        return "the operands are read from memory as well."
    if whole(found) == entries:
        return "those are entries: each has as many bytes as stands beside its shape."
    if whole(found) == 4 * entries:
        return "not every entry has 4 bytes: each shape has its own size beside it."
    if any(not shape for shape, _ in (*row.reads, row.write)):
        return "a shape () has one entry: the product of no numbers is 1."
    return "each operand is read once and the result is written once: entries times bytes of an entry, added up."
