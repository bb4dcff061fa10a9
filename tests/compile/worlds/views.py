"""Iterators, generators, views and other things that change by being looked at."""

from __future__ import annotations

import itertools
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def sequence_protocol(compile: Any) -> Any:
    class Items:
        def __init__(self, n):
            self.n = n

        def __getitem__(self, i):
            if i >= self.n:
                raise IndexError
            return i * 1.0

        def __len__(self):
            return self.n

    f = compile(lambda x, s: [x * v for v in s])
    s = Items(2)
    yield f(X, s), f(X, s)
    s.n = 3
    yield f(X, s), f(X, s), f(X, Items(1))
    g = compile(lambda x, s: [x * v for v in reversed(s)])
    yield g(X, s)
    s.n = 1
    yield g(X, s), g(X, s)


def generator_made_inside(compile: Any) -> Any:
    xs = [1.0, 2.0]

    def each():
        try:
            for v in xs:
                yield v
        finally:
            xs.append(0.5)

    @compile
    def f(x):
        for v in each():
            x = x * v
            if v > 1.5:
                break
        return x

    for _ in range(4):
        yield f(X), list(xs)


def finally_of_a_generator(compile: Any) -> Any:
    log = []

    def each():
        try:
            yield 1.0
            yield 2.0
        finally:
            log.append("closed")

    @compile
    def f(x):
        for v in each():
            x = x * v
            break
        log.append("after")
        return x

    for _ in range(3):
        yield f(X), list(log)


def finally_by_close(compile: Any) -> Any:
    log = []

    def each():
        try:
            yield 1.0
            yield 2.0
        finally:
            log.append("closed")

    @compile
    def f(x):
        g = each()
        x = x * next(g)
        g.close()
        log.append("after")
        return x

    for _ in range(3):
        yield f(X), list(log)


def finally_of_a_generator_returned_from(compile: Any) -> Any:
    log = []

    def each():
        with open("/dev/null"):
            try:
                yield 1.0
                yield 2.0
            finally:
                log.append("closed")

    def first(x):
        for v in each():
            return x * v
        return x

    f = compile(lambda x: (first(x), log.append("after"))[0])
    for _ in range(3):
        yield f(X), list(log)


def a_generator_kept(compile: Any) -> Any:
    def each(x):
        yield x
        yield x * 2

    f = compile(lambda x: each(x))
    for _ in range(3):
        yield list(f(X))


def a_map_kept(compile: Any) -> Any:
    f = compile(lambda x, xs: map(lambda v: v * x, xs))
    for n in range(3):
        m = f(X, [1, n])
        yield type(m).__name__, list(m), list(m)


def an_iterator_passed_through(compile: Any) -> Any:
    f = compile(lambda x, it: (x * 2, it))
    a, b = iter([1, 2]), iter([3, 4])
    for it in (a, b, a):
        y, same = f(X, it)
        yield y, same is it, next(it)


def an_iterator_made_and_returned(compile: Any) -> Any:
    xs = [1, 2, 3]
    f = compile(lambda x: (x, iter(xs)))
    for _ in range(3):
        it = f(X)[1]
        yield next(it), next(it)


def a_file(compile: Any) -> Any:
    import io

    h = io.StringIO("1\n2\n3\n4\n")
    f = compile(lambda x: x * float(h.readline()))
    yield f(X), f(X), f(X)
    g = compile(lambda x: x * float(next(h)))
    yield g(X), outcome(g, X)


def a_file_in_a_loop(compile: Any) -> Any:
    import io

    f = compile(lambda x, h: [x * float(line) for line in h])
    yield f(X, io.StringIO("1\n2\n")), f(X, io.StringIO("3\n")), f(X, io.StringIO("4\n"))


def tee_and_groupby(compile: Any) -> Any:
    rows = [("a", 1), ("a", 2), ("b", 3)]
    f = compile(lambda x: [(k, x * sum(v for _, v in g)) for k, g in itertools.groupby(rows, key=lambda r: r[0])])
    yield f(X)
    rows.append(("b", 4))
    yield f(X), f(X)
    rows[0] = ("c", 1)
    yield f(X)


def min_max_sorted_of_iterators(compile: Any) -> Any:
    f = compile(lambda x, it: (x * max(it), sorted(it), min(it, default=3), any(it), tuple(it)))
    for xs in ([1, 2], [3], [1, 2, 3], [7, 7]):
        yield f(X, iter(xs))


def joining_an_iterator(compile: Any) -> Any:
    f = compile(lambda x, it: (x * 2, "".join(it), dict(it), set(it)))
    for xs in ("ab", "cd", "ef"):
        yield f(X, iter(xs))


def star_of_an_iterator(compile: Any) -> Any:
    f = compile(lambda x, it: (x, [*it], max(1, *it, 2)))
    for xs in ([1, 2], [3], [4, 5, 6]):
        yield f(X, iter(xs))


def membership_in_an_iterator(compile: Any) -> Any:
    f = compile(lambda x, it: (x * (2 in it), list(it)))
    for xs in ([1, 2, 3], [1, 2, 4, 5], [3]):
        yield f(X, iter(xs))


def iter_with_a_sentinel(compile: Any) -> Any:
    xs = [3, 2, 1, 0]
    f = compile(lambda x: [x * k for k in iter(xs.pop, 2)])
    for _ in range(2):
        yield outcome(f, X), list(xs)
        xs.extend([2, 5])


def a_set_in_a_loop(compile: Any) -> Any:
    s = {1, 2}
    f = compile(lambda x: sum(x * k for k in s))
    yield f(X)
    s.add(5)
    yield f(X)
    s.discard(1)
    yield f(X), f(X)


def range_objects(compile: Any) -> Any:
    f = compile(lambda x, r: [x * k for k in r])
    yield f(X, range(2)), f(X, range(3)), f(X, range(1, 3)), f(X, range(4))


def a_changing_list_in_a_loop(compile: Any) -> Any:
    @compile
    def f(x, xs):
        for v in xs:
            if v < 3:
                xs.append(v + 1)
            x = x + v
        return x

    for xs in ([1], [2], [2, 2]):
        yield f(X, xs), xs


def a_dict_changed_in_a_loop(compile: Any) -> Any:
    @compile
    def f(x, d):
        for k in d:
            d[k + 1] = 0
        return x

    for _ in range(3):
        d = {1: 1}
        yield outcome(f, X, d), d
