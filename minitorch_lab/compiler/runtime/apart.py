"""Python that asks whether objects are different ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

PAIRS = 24  # so many are compared one by one, which is quicker than to count identities


def apart(names: Sequence[str], others: Sequence[str] = ()) -> str:
    """The test that the objects called `names` are different ones, and none is among `others`.

    Where many would be compared, the test also asks that the others differ from each other.

    Example:
        >>> apart("abc")
        'a is not b and a is not c and b is not c'
        >>> apart("a", "bc")
        'a is not b and a is not c'
        >>> apart(list("abcdefgh"))
        'len({id(a), id(b), id(c), id(d), id(e), id(f), id(g), id(h)}) == 8'
    """
    pairs = [*combinations(names, 2), *product(names, others)]
    if len(pairs) <= PAIRS:
        return " and ".join(f"{a} is not {b}" for a, b in pairs)
    found = [*names, *others]
    return f"len({{{', '.join(f'id({name})' for name in found)}}}) == {len(found)}"
