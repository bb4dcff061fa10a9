"""Iterators, generators, views and other things that change by being looked at."""

from __future__ import annotations

import itertools
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
COUNTER = itertools.count(1)


def a_loop_over_a_tensor(compile: Any) -> Any:
    @compile
    def f(x):
        total = 0.0
        for r in x:
            total = total + r * 2
        return total

    for n in (2, 3, 1, 4, 2, 5):
        yield outcome(f, ml.arange(n * 2).reshape(n, 2).float())


def a_list_of_a_tensor(compile: Any) -> Any:
    f = compile(lambda x: [r.sum() for r in list(x)] + [*x])
    for n in (2, 3, 4, 5):
        yield f(ml.ones(n, 3))


def unpacking_a_tensor(compile: Any) -> Any:
    @compile
    def f(x):
        a, b = x
        return a + b

    for n in (2, 2, 3, 1, 2):
        yield outcome(f, ml.arange(n).float())


def zip_of_tensors(compile: Any) -> Any:
    f = compile(lambda x, y: [a * b for a, b in zip(x, y)])
    for n, m in ((2, 2), (3, 2), (3, 4), (5, 5)):
        yield f(ml.ones(n, 2), ml.ones(m, 2))


def enumerate_of_a_tensor(compile: Any) -> Any:
    f = compile(lambda x: sum(i * r for i, r in enumerate(x)))
    for n in (2, 3, 4, 5):
        yield f(ml.ones(n, 2))


def next_of_an_argument(compile: Any) -> Any:
    f = compile(lambda x, it: x * next(it))
    it = iter([2.0, 3.0, 4.0])
    for _ in range(4):
        yield outcome(f, X, it)
    yield list(it)


def next_of_a_default(compile: Any) -> Any:
    f = compile(lambda x, it: x * next(it, 7.0))
    it = iter([2.0, 3.0])
    for _ in range(4):
        yield outcome(f, X, it)


def next_of_a_free_variable(compile: Any) -> Any:
    it = iter(range(5))
    f = compile(lambda x: x * next(it))
    for _ in range(4):
        yield f(X)
    yield next(it)


def next_of_a_global(compile: Any) -> Any:
    global COUNTER
    COUNTER = itertools.count(3)
    f = compile(lambda x: x + next(COUNTER))
    for _ in range(3):
        yield f(X)
    COUNTER = itertools.count(20)
    yield f(X)
    yield next(COUNTER)


def next_of_an_attribute(compile: Any) -> Any:
    class Source:
        def __init__(self):
            self.it = iter([1, 2, 3, 4, 5])

    s = Source()
    f = compile(lambda x, s: x * next(s.it))
    yield f(X, s), f(X, s)
    s.it = iter([7, 8, 9])
    yield f(X, s), f(X, s), list(s.it)


def next_in_a_list(compile: Any) -> Any:
    its = [iter([1, 2, 3]), iter([4, 5, 6])]
    f = compile(lambda x: x * next(its[0]) + next(its[1]))
    for _ in range(4):
        yield outcome(f, X)


def a_loop_over_an_iterator(compile: Any) -> Any:
    @compile
    def f(x, it):
        for k in it:
            x = x + k
        return x

    yield f(X, iter([1, 2])), f(X, iter([3])), f(X, iter([])), f(X, iter([1, 2, 3]))
    it = iter([1, 2, 3])
    yield f(X, it), f(X, it)


def a_loop_that_stops_early(compile: Any) -> Any:
    @compile
    def f(x, it):
        for k in it:
            x = x * k
            if k > 2:
                break
        return x

    it = iter([1, 3, 2, 4, 5, 6, 7])
    for _ in range(5):
        yield f(X, it)


def a_generator_argument(compile: Any) -> Any:
    def numbers(n):
        for i in range(n):
            yield float(i)

    @compile
    def f(x, g):
        return x + next(g)

    g = numbers(4)
    for _ in range(5):
        yield outcome(f, X, g)


def a_generator_sent_to(compile: Any) -> Any:
    def running():
        total = 0
        while True:
            total += yield total

    g = running()
    next(g)
    f = compile(lambda x: x * g.send(2))
    for _ in range(3):
        yield f(X)


def map_argument(compile: Any) -> Any:
    f = compile(lambda x, m: x * sum(m))
    m = map(lambda v: v * 2, [1, 2, 3])
    yield f(X, m), f(X, m), f(X, map(abs, [-5])), f(X, map(abs, [-6]))


def zip_argument(compile: Any) -> Any:
    f = compile(lambda x, z: [x * a + b for a, b in z])
    z = zip([1, 2], [3, 4])
    yield f(X, z), f(X, z), f(X, zip([5], [6])), f(X, zip([7], [6]))


def filter_argument(compile: Any) -> Any:
    f = compile(lambda x, z: x * len(list(z)))
    z = filter(None, [1, 0, 2])
    yield f(X, z), f(X, z), f(X, filter(None, [5])), f(X, filter(None, [0]))


def enumerate_argument(compile: Any) -> Any:
    f = compile(lambda x, z: x * next(z)[1])
    z = enumerate([4, 5, 6])
    yield f(X, z), f(X, z), f(X, z), outcome(f, X, z)


def reversed_argument(compile: Any) -> Any:
    f = compile(lambda x, z: x * next(z))
    z = reversed([4, 5, 6])
    yield f(X, z), f(X, z), f(X, z), outcome(f, X, z)


def itertools_inside(compile: Any) -> Any:
    xs = [1, 2]
    f = compile(lambda x: [x * a for a in itertools.chain(xs, [3])])
    yield f(X)
    xs.append(9)
    yield f(X), f(X)
    xs[0] = 4
    yield f(X)


def itertools_shared(compile: Any) -> Any:
    c = itertools.cycle([1, 2, 3])
    f = compile(lambda x: x * next(c))
    yield [f(X) for _ in range(5)]


def itertools_islice(compile: Any) -> Any:
    c = itertools.count()
    f = compile(lambda x: [x * i for i in itertools.islice(c, 2)])
    yield [f(X) for _ in range(3)]


def dict_views(compile: Any) -> Any:
    d = {"a": 1, "b": 2}
    keys, values, items = d.keys(), d.values(), d.items()
    f = compile(lambda x: (x * sum(values), list(keys), [k for k, _ in items], len(keys), "c" in keys))
    yield f(X)
    d["c"] = 5
    yield f(X), f(X)
    del d["a"]
    yield f(X)
    d["b"] = 10
    yield f(X)


def dict_views_as_arguments(compile: Any) -> Any:
    f = compile(lambda x, v: x * sum(v))
    d = {"a": 1, "b": 2}
    for k in ("a", "c", "d"):
        d[k] = 4
        yield f(X, d.values()), f(X, d.values())


def iter_of_a_list_kept(compile: Any) -> Any:
    class Loader:
        def __init__(self, xs):
            self.xs, self.it = xs, None

        def get(self):
            if self.it is None:
                self.it = iter(self.xs)
            return next(self.it)

    loader = Loader([1.0, 2.0, 3.0, 4.0])
    f = compile(lambda x: x * loader.get())
    for _ in range(5):
        yield outcome(f, X)


def own_iterator_class(compile: Any) -> Any:
    class Count:
        def __init__(self):
            self.n = 0

        def __iter__(self):
            return self

        def __next__(self):
            self.n += 1
            if self.n > 3:
                raise StopIteration
            return self.n

    c = Count()
    f = compile(lambda x: x * next(c))
    for _ in range(4):
        yield outcome(f, X)
    yield c.n
    g = compile(lambda x, it: [x * k for k in it])
    yield g(X, Count()), g(X, c), g(X, Count())
