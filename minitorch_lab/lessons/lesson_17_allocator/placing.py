"""The checks of the reader's two halves of an allocator: where a block is placed, and how a freed one is merged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ..values import plain, shown, whole, whole_numbers
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Block = tuple[int, int]  # address, size
Free = list[Block]
Place = Callable[[Free, int], tuple[int | None, Free]]
Merge = Callable[[Free, int, int], Free]

PLACED: dict[str, tuple[Free, int]] = {
    "one block, of just this size": ([(1024, 512)], 512),
    "one block, larger": ([(1024, 2048)], 512),
    "the best is not the first": ([(0, 4096), (8192, 1024), (10240, 2048)], 1024),
    "the best leaves a rest": ([(0, 4096), (8192, 1536), (10240, 1024)], 1536),
    "the best lies in the middle": ([(0, 8192), (9216, 1536), (12288, 4096)], 1024),
    "two are equally good": ([(0, 512), (2048, 1536), (8192, 1536)], 1024),
    "none is large enough": ([(0, 1024), (4096, 1024)], 2048),
    "nothing is free": ([], 512),
}
MERGED: dict[str, tuple[Free, int, int]] = {
    "nobody beside it": ([(0, 512), (4096, 512)], 2048, 512),
    "a free one after it": ([(2048, 1024), (8192, 512)], 1024, 1024),
    "a free one before it": ([(0, 512), (1024, 1024)], 2048, 512),
    "free ones on both sides": ([(0, 1024), (2048, 512), (4096, 512)], 1024, 1024),
    "both sides, far from the beginning": ([(0, 512), (4096, 1024), (6144, 2048), (16384, 512)], 5120, 1024),
    "the first of all": ([(1024, 512)], 0, 512),
    "nothing else is free": ([], 2048, 512),
}


def best_fit(free: Sequence[Block], size: int) -> tuple[int | None, Free]:
    """Where the smallest free block that is large enough begins, and what is free afterwards.

    Example:
        >>> best_fit([(0, 4096), (8192, 1536)], 1024)
        (8192, [(0, 4096), (9216, 512)])
    """
    fitting = [(nbytes, address) for address, nbytes in free if nbytes >= size]
    if not fitting:
        return None, list(free)
    nbytes, address = min(fitting)
    rest = [(address + size, nbytes - size)] if nbytes > size else []
    return address, sorted([block for block in free if block != (address, nbytes)] + rest)


def merged(free: Sequence[Block], address: int, size: int) -> Free:
    """What is free when a block is given back, neighbours in one piece.

    Example:
        >>> merged([(0, 512), (1024, 512)], 512, 512)
        [(0, 1536)]
    """
    found: Free = []
    for begin, nbytes in sorted([*free, (address, size)]):
        if found and sum(found[-1]) == begin:
            found[-1] = found[-1][0], found[-1][1] + nbytes
        else:
            found.append((begin, nbytes))
    return found


def blocks_of(answer: Any) -> Free | None:
    """The blocks that an answer lists, by address; None if it lists anything else.

    Example:
        >>> blocks_of([[512, 1024.0], (0, 512)]), blocks_of([(0, 512, 3)]), blocks_of(None)
        ([(0, 512), (512, 1024)], None, None)
    """
    parts = plain(answer)
    if not isinstance(parts, list):
        return None
    found: Free = []
    for part in parts:
        pair = whole_numbers(part)
        if pair is None or len(pair) != 2:
            return None
        found.append((pair[0], pair[1]))
    return sorted(found)


def placed(place: Place, free: Free, size: int) -> tuple[int | None, Free] | str:
    """What the reader's function answers, as numbers; a sentence if it is something else."""
    answer = place(list(free), size)
    parts = plain(answer)
    if not isinstance(parts, list) or len(parts) != 2:
        return f"your function gives {shown(answer)}. It gives two things: an address, and what is free then."
    address, left = parts
    found = blocks_of(left)
    if found is None:
        return f"as what is free then you give {shown(left)}. It is a list of pairs: address and size."
    if address is None:
        return None, found
    where = whole(address)
    return (where, found) if where is not None else f"as an address you give {shown(address)}. It is a number, or None."


# ---- exercise: best fit ---------------------------------------------------------------------------------------------
@answering
def check_place(place: Place) -> Verdict:
    """Check the reader's best fit on eight lists of free blocks."""
    answers: dict[str, tuple[int | None, Free]] = {}
    for name, (free, size) in PLACED.items():
        found, error = attempt(placed, place, free, size)
        if error is not None:
            return stopped("your function", error)
        if isinstance(found, str):
            return not_yet(found)
        answers[name] = found
    if all(answers[name] == (None, sorted(free)) for name, (free, _) in PLACED.items()):
        return unwritten("it never finds a block, so every request asks the system for a segment.")
    for name, (free, size) in PLACED.items():
        if answers[name] != best_fit(free, size):
            said = f"Here {written(free)} were free, {size:,} were asked for: {name}."
            return not_yet(f"{wrong_place(free, size, *answers[name])} {said}")
    return done("the smallest block that is large enough, cut from its front, and the rest is free for the next one.")


def wrong_place(free: Free, size: int, address: int | None, left: Free) -> str:
    """What is wrong with a place, or with what is free afterwards."""
    right, rest = best_fit(free, size)
    begins = dict(free)
    if address is None:
        if size in begins.values():
            return "you find no block, and one has just the size that is asked for."
        return "you find no block, and there is one that is large enough."
    if right is None:
        return "no block is large enough, and you give an address. Then it is None, and what is free stays as it is."
    if address not in begins:
        if any(address + size == begin + nbytes for begin, nbytes in free):
            return "you cut the new block off the end of a free one. It is cut off the front; the rest stays behind."
        return f"at {address:,} no free block begins."
    if begins[address] < size:
        return f"the block at {address:,} is too small: it would write over what lies behind it."
    if address != right:
        return wrong_choice(free, size, address, begins[right])
    return wrong_rest(size, address, begins[address], left, rest)


def wrong_choice(free: Free, size: int, address: int, best: int) -> str:
    """Why another block should have been taken."""
    fitting = [block for block in free if block[1] >= size]
    taken = dict(free)[address]
    if taken == best:
        return "of two blocks that fit equally well, the one with the lower address is taken."
    if (address, taken) == fitting[0]:
        return "you took the first block that is large enough. Best fit looks at all, and takes the smallest of those."
    if taken == max(nbytes for _, nbytes in fitting):
        return "you took the largest block. That is worst fit: soon nothing large is left."
    return "a smaller block is large enough as well, and best fit takes the smallest."


def wrong_rest(size: int, address: int, nbytes: int, left: Free, rest: Free) -> str:
    """What is wrong with what is free afterwards, when the place is right."""
    if any(not n for _, n in left):
        return "a block of 0 bytes is left over. If the block fits exactly, there is no rest."
    if (address, nbytes) in left:
        return "the place is right, and the block is still free in your list: the next request would get it as well."
    if (address + size, nbytes - size) not in left and nbytes > size:
        return "the place is right, but you gave the whole block away. Cut it: what is behind the new block stays free."
    if set(rest) - set(left):
        return "the place is right, and blocks that had nothing to do with it are gone from your list."
    return f"the place is right, and then {written(rest)} are free; you say {written(left)}."


# ---- exercise: merging ----------------------------------------------------------------------------------------------
@answering
def check_merge(merge: Merge) -> Verdict:
    """Check how the reader gives a block back, on seven lists of free blocks."""
    answers: dict[str, Free] = {}
    for name, (free, address, size) in MERGED.items():
        given, error = attempt(merge, list(free), address, size)
        if error is not None:
            return stopped("your function", error)
        found = blocks_of(given)
        if found is None:
            return not_yet(f"your function gives {shown(given)}. It is the list of what is free now: pairs of numbers.")
        answers[name] = found
    if all(answers[name] == sorted([*free, (a, n)]) for name, (free, a, n) in MERGED.items()):
        return unwritten("the block is back on the list, and not merged with its neighbours.")
    for name, (free, address, size) in MERGED.items():
        if answers[name] != merged(free, address, size):
            said = f"Here {written(free)} were free, and {size:,} at {address:,} come back: {name}."
            return not_yet(f"{wrong_merge(free, address, size, answers[name])} {said}")
    return done("what touches is one block, before and after; what does not is left alone.")


def wrong_merge(free: Free, address: int, size: int, found: Free) -> str:
    """What is wrong with what is free after a block was given back."""
    wanted, before = merged(free, address, size), sum(n for _, n in free)
    total = sum(n for _, n in found)
    if any(a + n > b for (a, n), (b, _) in pairwise(found)):
        return "one byte is in two of your blocks. When two become one, both of them leave the list."
    if total < before + size:
        return f"{before + size - total:,} bytes are lost: neither in use nor free. Nobody will ever get them again."
    if total > before + size:
        return "more is free than there was, and than came back. Between two blocks that do not touch lies used memory."
    inside = [any(b <= a and a + n <= b + m for b, m in wanted) for a, n in found]
    if not all(inside) and sorted(n for _, n in found) == sorted(n for _, n in wanted):
        return "when two become one, it begins where the first of them begins: part of what you call free is in use."
    if not all(inside):
        return "you have merged what does not touch: between the two lies memory that is in use."
    if (address, size) in found:
        return "the block has a free neighbour, and you leave the two apart. A request for both would be refused."
    if len(found) > len(wanted):
        return "you look at one side only. A block has two neighbours, and here both of them are free."
    return f"then {written(wanted)} are free, and you say {written(found)}."


def written(blocks: Free) -> str:
    """Blocks as text.

    Example:
        >>> written([(0, 512), (4096, 1024)]), written([])
        ('512 at 0, 1,024 at 4,096', 'no bytes')
    """
    return ", ".join(f"{size:,} at {address:,}" for address, size in blocks) or "no bytes"


# ---- picture --------------------------------------------------------------------------------------------------------
def strip(place: Place, free: Free, size: int) -> str:
    """What a reader's function does with a list of free blocks: a character for every 512 bytes, before and after.

    Example:
        >>> print(strip(best_fit, [(0, 1024), (2048, 512)], 512))
        before  ··██·
        after   ··██a
    """
    answer, error = attempt(placed, place, free, size)
    if error is not None or isinstance(answer, str):
        return f"no picture: {answer or f'your function stops with {type(error).__name__}: {error}'}"
    address, left = answer
    end = max((a + n for a, n in free), default=0) // 512

    def line(blocks: Free, new: int | None) -> str:
        cells = ["█"] * end
        signs = [("·", a, n) for a, n in blocks] + ([("a", new, size)] if new is not None else [])
        for sign, begin, nbytes in signs:
            for k in range(max(begin // 512, 0), min((begin + nbytes) // 512, end)):
                cells[k] = sign
        return "".join(cells)

    return f"before  {line(free, None)}\nafter   {line(left, address)}"
