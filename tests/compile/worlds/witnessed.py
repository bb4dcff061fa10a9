"""What only one note of a capture tells: programs that differ where a question is left out that nothing else asks."""

from __future__ import annotations

import functools
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def identity_of_numbers_that_differ(compile: Any) -> Any:
    f = compile(lambda n, m: (n is m, n))
    for n, m in ((1, 1), (2, 2), (3, 3), (4, 3), (6, 6), (6, 5), (5, 6), (3, 4)):
        yield f(n, m)


def functions_compared(compile: Any) -> Any:
    def maker(k):
        def g(x):
            return x * k

        return g

    base = maker(1)
    f = compile(lambda g, x: (g is base, g(x)))
    for g in (maker(2), maker(3), maker(4), base, maker(5)):
        yield f(g, X)


def keys_known_and_all_changed(compile: Any) -> Any:
    class Key:
        pass

    a = Key()

    @compile
    def f(d, e):
        had = a in d
        d.update(e)
        return had, a in d, d[a] if a in d else None

    @compile
    def g(d):
        had = d[a], a in d
        d.clear()
        return had, a in d

    yield f({}, {}), f({}, {a: 1}), f({a: 2}, {a: 3}), f({}, {})
    yield g({a: 1}), g({a: 2})


def numbers_by_keyword(compile: Any) -> Any:
    f = compile(lambda n: int("11", base=n))
    for n in (2, 3, 8, 10, 3):
        yield f(n)


def numbers_of_whole_tensors(compile: Any) -> Any:
    f = compile(lambda x, n: x * n + n)
    for n in (2, 3, 10, 300, 4):
        yield f(ml.tensor([1, 2]), n), f(ml.tensor([1, 2], dtype=ml.uint8), n % 100)


def properties_put_in_place_of_others(compile: Any) -> Any:
    log: list[Any] = []

    class A:
        k = property(lambda self: 1, lambda self, v: log.append(("first", v)))

    a = A()

    @compile
    def f(x):
        a.k = 2
        return x * 2

    @compile
    def g(x):
        object.__setattr__(a, "k", 3)
        return x * 2

    yield f(X), g(X)
    A.k = property(lambda self: 1, lambda self, v: log.append(("second", v)))
    yield f(X), g(X), log


def cached_properties_put_in_place_of_others(compile: Any) -> Any:
    class A:
        c = functools.cached_property(lambda self: 1)

    f = compile(lambda a: a.c)
    yield f(A()), f(A())
    A.c = functools.cached_property(lambda self: 2)
    A.c.__set_name__(A, "c")
    yield f(A())


def descriptors_that_a_subclass_hides(compile: Any) -> Any:
    class Of:
        def __init__(self, k):
            self.k = k

        def __get__(self, x, cls=None):
            return self.k

    class A:
        d = Of(1)

    class B(A):
        pass

    f = compile(lambda b: b.d)
    yield f(B()), f(B())
    B.d = Of(2)
    yield f(B())
    B.d = 3
    yield f(B())


def tensors_as_keys(compile: Any) -> Any:
    @compile
    def f(x, y):
        held = {id(x): 1}
        held[id(y)] = 2
        return held[id(x)], len(held)

    @compile
    def g(d, x, y):
        d[x] = 1
        d[y] = 2
        return d[x], x in d

    yield f(X, X * 1), f(X, X), g({}, X, X * 1), g({}, X, X)


def texts_as_keys(compile: Any) -> Any:
    shelf = {"1": "one", "2": "two", "3.5": "more"}
    f = compile(lambda n: shelf.get(str(n), "none"))
    for n in (1, 2, 3, 1, 3.5, 4.5, 3.5):
        yield f(n)


def sorted_numbers(compile: Any) -> Any:
    f = compile(lambda a, b, c: sorted([a, b, c]))
    for numbers in ((1.0, 2.0, 3.0), (3.0, 2.0, 1.0), (2.5, 0.5, 1.5), (0.5, 1.5, 2.5)):
        yield f(*numbers)


def a_leaf_that_is_watched_from_now_on(compile: Any) -> Any:
    w = ml.ones(2, requires_grad=True)

    @compile
    def f(x):
        (x * w).sum().backward()
        return w.grad

    yield f(X), f(X)
    handle = w.register_hook(lambda g: g * 10)
    yield f(X)
    handle.remove()
    yield f(X)


def walks_past_numbers_that_differ(compile: Any) -> Any:
    w = ml.ones(2, requires_grad=True)

    @compile
    def f(n, m):
        w.grad = None
        ((w + 1) ** n / m).sum().backward()
        return w.grad

    for n, m in ((2, 1.0), (3, 2.0), (4, 3.0), (2, 5.0), (5, 4.0)):
        yield f(n, m)


def classes_that_grow_fewer(compile: Any) -> Any:
    f = compile(lambda x, y: ml.nn.functional.cross_entropy(x, y))
    for n, label in ((5, 4), (6, 5), (7, 4), (4, 3), (4, 4), (8, 7)):
        yield type(outcome(f, ml.ones(3, n), ml.tensor([0, 1, label])))


def roots_that_are_one_number_or_more(compile: Any) -> Any:
    w = ml.ones(1, requires_grad=True)

    @compile
    def f(x):
        w.grad = None
        (x * w).backward()
        return w.grad

    for n in (1, 2, 1, 3, 1):
        yield outcome(f, ml.ones(n))


def a_gradient_read_under_another_name(compile: Any) -> Any:
    @compile
    def f(x, y):
        x.grad = None
        a = y.grad
        y.grad = x.detach() * 2
        return a, x.grad, y.grad

    x, y = (ml.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    x.grad = ml.ones(2)
    yield f(x, y), f(x, y), f(y, y), f(x, x), f(x, y)


def attributes_written_and_read_as_entries(compile: Any) -> Any:
    class A:
        k = 0

    a = A()

    @compile
    def f(x, n):
        a.k = n
        before = vars(a)["k"], sorted(vars(a)), getattr(a, "k")
        A.k = n + 1
        del a.k
        return before, a.k, "k" in vars(a), hasattr(a, "k")

    for n in (1, 2, 3):
        yield f(X, n), a.k


def modes_left_by_unknown_calls(compile: Any) -> Any:
    import operator

    w = ml.ones(2, requires_grad=True)
    switch = {"on": True}
    change = operator.methodcaller("change")

    class Modes:
        def change(self):
            ml.set_grad_enabled(switch["on"])

    modes = Modes()

    @compile
    def f(x):
        change(modes)
        return (x * w).requires_grad, ml.is_grad_enabled()

    try:
        for on in (True, True, False, True, False):
            switch["on"] = on
            yield f(X)
    finally:
        ml.set_grad_enabled(True)


def the_end_of_a_long_list(compile: Any) -> Any:
    kept = [float(i) for i in range(300)]

    @compile
    def f(x):
        last = kept[-1]
        kept.append(last + 1)
        return last, kept[-1], kept[0]

    yield f(X), f(X), f(X), len(kept)
