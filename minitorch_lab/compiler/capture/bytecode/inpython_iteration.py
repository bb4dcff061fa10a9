"""`itertools`, in Python, for the machine to enter. Names and meaning are those of the module's documentation."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from .door import as_python

# ruff: noqa: B905 (these are what zip() stops at)


def count(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count`."""
    while True:
        yield start
        start = start + step


def cycle(xs: Any) -> Iterator[Any]:
    """`itertools.cycle`."""
    kept: list[Any] = []
    for x in xs:
        yield x
        kept.append(x)
    while kept:
        for x in kept:
            yield x


def repeat(x: Any, times: Any = None) -> Iterator[Any]:
    """`itertools.repeat`."""
    while times is None or times > 0:
        yield x
        times = None if times is None else times - 1


def chain(*columns: Any) -> Iterator[Any]:
    """`itertools.chain`."""
    for column in columns:
        for x in column:  # noqa: UP028
            yield x


def flattened(columns: Any) -> Iterator[Any]:
    """`itertools.chain.from_iterable`."""
    for column in columns:
        for x in column:  # noqa: UP028
            yield x


def compress(xs: Any, selectors: Any) -> Iterator[Any]:
    """`itertools.compress`."""
    for x, kept in zip(xs, selectors):
        if kept:
            yield x


def takewhile(f: Callable[[Any], Any], xs: Any) -> Iterator[Any]:
    """`itertools.takewhile`."""
    for x in xs:
        if not f(x):
            return
        yield x


def dropwhile(f: Callable[[Any], Any], xs: Any) -> Iterator[Any]:
    """`itertools.dropwhile`."""
    rest = iter(xs)
    for x in rest:
        if not f(x):
            yield x
            break
    for x in rest:
        yield x


def filterfalse(f: Any, xs: Any) -> Iterator[Any]:
    """`itertools.filterfalse`."""
    for x in xs:
        if not (x if f is None else f(x)):
            yield x


def starmap(f: Callable[..., Any], rows: Any) -> Iterator[Any]:
    """`itertools.starmap`."""
    for row in rows:
        yield f(*row)


def pairwise(xs: Any) -> Iterator[Any]:
    """`itertools.pairwise`."""
    rest = iter(xs)
    for before in rest:
        for x in rest:
            yield before, x
            before = x


def accumulate(xs: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    """`itertools.accumulate`."""
    f, total, first = func or operator.add, initial, initial is None
    if not first:
        yield total
    for x in xs:
        total = x if first else f(total, x)
        first = False
        yield total


def islice(xs: Any, *bounds: Any) -> Iterator[Any]:
    """`itertools.islice`."""
    cut = slice(*bounds)
    at, stop, step = cut.start or 0, cut.stop, cut.step or 1
    if stop is not None and at >= stop and not stop:
        return
    for i, x in enumerate(xs):
        if i == at:
            yield x
            at += step
        if stop is not None and i + 1 >= stop:
            return


def groupby(xs: Any, key: Any = None) -> Iterator[Any]:
    """`itertools.groupby`."""
    rest, ended = iter(xs), False

    def group(of: Any) -> Iterator[Any]:
        nonlocal value, current, ended
        yield value
        for value in rest:
            current = value if key is None else key(value)
            if current != of:
                return
            yield value
        ended = True

    try:
        value = next(rest)
    except StopIteration:
        return
    current = value if key is None else key(value)
    while not ended:
        of, members = current, group(current)
        yield current, members
        if current == of:
            for _ in members:
                pass


def product(*columns: Any, repeat: int = 1) -> Iterator[Any]:
    """`itertools.product`."""
    rows: list[Any] = [()]
    for column in [tuple(c) for c in columns] * repeat:
        rows = [(*row, x) for row in rows for x in column]
    for row in rows:  # noqa: UP028
        yield row


def indices(n: int, r: int, ordered: bool, again: bool) -> list[tuple[int, ...]]:
    """The choices of `r` out of `n` places, in the order of `itertools`."""
    rows: list[Any] = [()]
    for _ in range(r):
        rows = [
            (*row, i) for row in rows for i in range(n)
            if (i not in row if ordered else not row or (i >= row[-1] if again else i > row[-1]))
        ]  # fmt: skip
    return rows


def permutations(xs: Any, r: Any = None) -> Iterator[Any]:
    """`itertools.permutations`."""
    pool = tuple(xs)
    for row in indices(len(pool), len(pool) if r is None else r, ordered=True, again=False):
        yield tuple(pool[i] for i in row)


def combinations(xs: Any, r: int) -> Iterator[Any]:
    """`itertools.combinations`."""
    pool = tuple(xs)
    for row in indices(len(pool), r, ordered=False, again=False):
        yield tuple(pool[i] for i in row)


def combinations_with_replacement(xs: Any, r: int) -> Iterator[Any]:
    """`itertools.combinations_with_replacement`."""
    pool = tuple(xs)
    for row in indices(len(pool), r, ordered=False, again=True):
        yield tuple(pool[i] for i in row)


def zip_(*columns: Any, strict: bool = False) -> Iterator[Any]:
    """`zip`, of any number of columns."""
    iterators = [iter(column) for column in columns]
    while iterators:
        row: list[Any] = []
        for iterator in iterators:
            try:
                row.append(next(iterator))
            except StopIteration:
                if strict:
                    refuse_unequal(iterators, len(row))
                return
        yield tuple(row)


def refuse_unequal(iterators: Any, at: int) -> None:
    """What `zip(strict=True)` says where the column at `at` has come to its end."""
    if at:
        told = "s 1-" if at > 1 else " "
        raise as_python(ValueError, f"zip() argument {at + 1} is shorter than argument{told}{at}")
    for i, iterator in enumerate(iterators):
        if i:
            try:
                next(iterator)
            except StopIteration:
                continue
            told = "s 1-" if i > 1 else " "
            raise as_python(ValueError, f"zip() argument {i + 1} is longer than argument{told}{i}")


def zip_longest(*columns: Any, fillvalue: Any = None) -> Iterator[Any]:
    """`itertools.zip_longest`."""
    iterators = [iter(column) for column in columns]
    left = len(iterators)
    ended = [False for _ in iterators]
    while left:
        row: list[Any] = []
        for i, iterator in enumerate(iterators):
            try:
                row.append(fillvalue if ended[i] else next(iterator))
            except StopIteration:
                ended[i] = True
                left -= 1
                row.append(fillvalue)
        if not left:
            return
        yield tuple(row)


def tee(xs: Any, n: int = 2) -> tuple[Any, ...]:
    """`itertools.tee`."""
    it, seen = iter(xs), list[Any]()
    return tuple([shared(it, seen) for _ in range(n)])


def shared(it: Iterator[Any], seen: list[Any]) -> Iterator[Any]:
    """One of the iterators that `tee` makes; `seen` is what any of them has taken already."""
    i = 0
    while True:
        if i == len(seen):
            try:
                seen.append(next(it))
            except StopIteration:
                return
        yield seen[i]
        i += 1
