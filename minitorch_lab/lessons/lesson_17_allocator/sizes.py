"""The check of the reader's sizes: how large a block is, from which pool, and what is asked for if none is free."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...memory.allocator import GRANULE, LARGE_SEGMENT, MIDDLE, SMALL, SMALL_SEGMENT, rounded, segment_size
from ..values import settled, shown
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Sizes = Callable[[int], Any]
MIB = 1 << 20
ASKED = (
    1000, 512, 513, 1, 0, 802_816, 1_020_000, MIB, MIB - 1, MIB + 1, 3 * MIB, 10 * MIB - GRANULE, 12 * MIB, 11 * MIB,
    33 * MIB + 5, 10 * MIB, 10 * MIB - 1,
)  # fmt: skip


def sizes_of(nbytes: int) -> tuple[int, str, int]:
    """Block, pool and segment for a request, in bytes.

    Example:
        >>> sizes_of(1000), sizes_of(3 << 20)
        ((1024, 'small', 2097152), (3145728, 'large', 20971520))
    """
    block = rounded(nbytes)
    return block, "small" if block <= SMALL else "large", segment_size(block)


@answering
def check_sizes(sizes: Sizes) -> Verdict:
    """Check the reader's sizes on both sides of every border."""
    answers: list[Any] = []
    for nbytes in ASKED:
        found, error = attempt(sizes, nbytes)
        if error is not None:
            return stopped("your function", error)
        answers.append(settled(found))
    if all(found == (nbytes, "small", nbytes) for nbytes, found in zip(ASKED, answers, strict=True)):
        return unwritten("a block is still as large as the request, and so is its segment.")
    for nbytes, found in zip(ASKED, answers, strict=True):
        if not (isinstance(found, tuple) and len(found) == 3):
            return not_yet(f"for {nbytes:,} bytes you give {shown(found)}. It is three things: block, pool, segment.")
        if (problem := wrong_sizes(nbytes, found)) is not None:
            return not_yet(problem)
    return done("as PyTorch's allocator for CUDA has them, on both sides of every border.")


def wrong_sizes(nbytes: int, found: tuple[Any, ...]) -> str | None:
    """What is wrong with the three answers for a request."""
    block, pool, segment = sizes_of(nbytes)
    if found[0] != block:
        return f"{wrong_block(nbytes, found[0])} For {nbytes:,} bytes your block has {found[0]}."
    if found[1] != pool:
        if found[1] not in ("small", "large"):
            return f'the pool is a word, "small" or "large". For {nbytes:,} bytes you say {found[1]!r:.20}.'
        if block == SMALL:
            return "a block of exactly 1 MiB is small: small blocks go up to 1 MiB."
        return f"a block of {block:,} bytes is {pool}: the border is 1 MiB, which is 1,048,576 bytes."
    return None if found[2] == segment else wrong_segment(nbytes, block, found[2], segment)


def wrong_block(nbytes: int, found: Any) -> str:
    """The thought behind a block of another size."""
    if not nbytes:
        return "a tensor without entries has a block too, the smallest there is: otherwise two would share an address."
    if found == nbytes:
        return "a block begins and ends at a multiple of 512 bytes: round up."
    if found == nbytes // GRANULE * GRANULE:
        return "you rounded down, and the request does not fit into its block. Round up."
    if found == (nbytes // GRANULE + 1) * GRANULE:
        return "a request that is a multiple of 512 already gets no more than it asks for."
    if found == 1 << max(nbytes - 1, 1).bit_length():
        return "you rounded up to a power of two. Bins are powers of two; blocks are multiples of 512 bytes."
    return "a block is the next multiple of 512 bytes."


def wrong_segment(nbytes: int, block: int, found: Any, segment: int) -> str:
    """The thought behind a segment of another size."""
    said = f"For {nbytes:,} bytes you ask the system for {found}, and it is {segment:,}."
    if block <= SMALL:
        return f"small blocks are cut from segments of 2 MiB. {said}"
    if block == MIDDLE and found == LARGE_SEGMENT:
        if nbytes < MIDDLE:
            return f"the size of the block decides, and it is 10 MiB when the request is rounded. {said}"
        return f"from 10 MiB on, 10 MiB included, a block has a segment of its own. {said}"
    if block < MIDDLE:
        return f"a large block below 10 MiB is cut from a segment of 20 MiB, so that others find room in it. {said}"
    if found == block:
        return f"a segment of its own is a multiple of 2 MiB, so that it fits what is nearly as large, too. {said}"
    if found in (LARGE_SEGMENT, SMALL_SEGMENT):
        return f"a block of 10 MiB or more has a segment of its own, as large as the block, in steps of 2 MiB. {said}"
    return f"from 10 MiB on it is the next multiple of 2 MiB. {said}"
