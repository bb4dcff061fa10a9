"""Values of many kinds that are others in the next call: slices, sets, constants, scalars, locals of threads."""

from __future__ import annotations

import datetime
import decimal
import fractions
import pathlib
import re
import threading
import types
from typing import Any

import numpy as np

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def order_of_a_set(compile: Any) -> Any:
    s = set(range(100))
    s -= set(range(100)) - {1, 8}
    t = set(range(100))
    t -= set(range(100)) - {1, 8}
    f = compile(lambda x: (list(s), [k for k in s], tuple(s), next(iter(s)), s.pop(), list(s)))
    g = compile(lambda x: (t | {16}, list(t | {16}), list(t & {1, 8, 3}), sum(k * 10**i for i, k in enumerate(t))))
    yield f(X), list(s)
    yield list(map(list, g(X)[:1])), g(X)[1:], g(X)
    h = compile(lambda x: list(s.copy()))
    s = t
    yield h(X), list(t.copy())


def numpy_scalars(compile: Any) -> Any:
    held = types.SimpleNamespace(k=np.float64(2.0), n=np.int64(1), b=np.bool_(True))
    f = compile(
        lambda x: (
            x * float(held.k),
            x[int(held.n)],
            x * held.k,
            x[held.n],
            x * 2 if held.b else x * 3,
            x.sum(held.n - 1),
        )
    )
    yield outcome(f, X)
    held.k = np.float64(3.0)
    yield outcome(f, X)
    held.n = np.int64(0)
    yield outcome(f, X)
    held.b = np.bool_(False)
    yield outcome(f, X)
    g = compile(lambda x: x * held.k)
    h = compile(lambda x: x[held.n])
    i = compile(lambda x: ml.zeros(held.n + 1))
    for k in (1, 0):
        held.k, held.n = np.float64(k), np.int64(k)
        yield outcome(g, X), outcome(h, X), outcome(i, X)


def complex_numbers(compile: Any) -> Any:
    held = types.SimpleNamespace(k=1j)
    f = compile(lambda x: (x * held.k.imag, held.k * 2, held.k == 1j))
    for held.k in (1j, 2j, 1 + 1j, 1j):
        yield f(X)


def slices_of_all_kinds(compile: Any) -> Any:
    held = types.SimpleNamespace(s=slice(0, 1), t=(slice(0, 1), 0), xs=[1, 2, 3])
    y = ml.arange(12.0).reshape(3, 4)
    f = compile(lambda x: (y[held.s], held.xs[held.s], held.s.start, held.s.indices(3)))
    g = compile(lambda x: y[held.t])
    h = compile(lambda x, s: (y[s], s.stop, s == slice(0, 1)))
    for s in (slice(0, 1), slice(1, 2), slice(0, 1), slice(None), slice(0, 3, 2), slice(0, None)):
        held.s, held.t = s, (s, 1)
        yield f(X), g(X), h(X, s)
    held.d = {"s": slice(0, 1)}
    i = compile(lambda x: y[held.d["s"]])
    yield i(X)
    held.d["s"] = slice(1, 3)
    yield i(X)


def parameters_named_as_builtins(compile: Any) -> Any:
    def helper(a):
        return max(a, 2) + len([a]) + sum([1, 2]) + abs(-a)

    @compile
    def f(x, max, len, sum, id=3):
        return x * helper(id) + max + len + sum, sorted([max, len])

    yield f(X, 1, 2, 3), f(X, 5, 4, 3), f(X, 1, 2, 3, 7), f(X, 1.5, 2, 3, 7)

    @compile
    def g(x, print, isinstance=2):
        y = x * print
        "{}".format(y.sum().item())
        return outcome(lambda: type(y) is list), y + isinstance

    yield g(X, 1), g(X, 2), g(X, 2, 5)


def locals_of_threads(compile: Any) -> Any:
    class Local(threading.local):
        k = 1

    a, b = threading.local(), Local()
    a.k = 2
    f = compile(lambda x: x * a.k)
    g = compile(lambda x: x * b.k)
    yield f(X), g(X)
    a.k = b.k = 3
    yield f(X), g(X)
    del b.k, a.k
    yield outcome(f, X), g(X)

    @compile
    def h(x):
        b.n = getattr(b, "n", 0) + 1
        return x * b.n

    yield h(X), h(X), b.n


def descriptors_of_c(compile: Any) -> Any:
    held = types.SimpleNamespace(
        d=datetime.date(2020, 1, 2),
        q=fractions.Fraction(1, 2),
        m=decimal.Decimal("1.5"),
        p=pathlib.Path("a/b"),
        r=re.compile("a+"),
    )
    f = compile(
        lambda x: (
            x * held.d.day,
            x * float(held.q),
            str(held.m),
            held.p.name,
            bool(held.r.match("aab")),
            held.q.numerator,
        )
    )
    yield f(X)
    held.d = datetime.date(2020, 1, 5)
    held.q = fractions.Fraction(3, 4)
    held.m = decimal.Decimal(2)
    yield f(X)
    held.p = pathlib.Path("c")
    held.r = re.compile("b")
    yield f(X)
    g = compile(lambda x: held.q + 1 > 1.8)
    yield g(X)
    held.q = fractions.Fraction(1, 9)
    yield g(X)
    h = compile(
        lambda x: (
            held.d < datetime.date(2020, 1, 4),
            held.d == datetime.date(2020, 1, 5),
            {held.d: 1}.get(datetime.date(2020, 1, 5)),
        )
    )
    yield h(X)
    held.d = datetime.date(2020, 1, 2)
    yield h(X)


def frozensets_and_tuples(compile: Any) -> Any:
    held = types.SimpleNamespace(s=frozenset({1}), t=((1, 2.5), ("a", None)), n=(1.0, True))
    f = compile(lambda x: (1 in held.s, held.t[0][1] * x, held.t[1], held.n == (1, 1), held.n[1] is True, len(held.s)))
    yield f(X)
    held.s = frozenset({2})
    yield f(X)
    held.t = ((1, 3.5), ("a", None))
    yield f(X)
    held.t = ((1, 3.5), ("a", 5))
    held.n = (1, 1)
    yield f(X)
    held.n = (True, 1.0)
    yield f(X)


def identity_of_ints_and_texts(compile: Any) -> Any:
    held = types.SimpleNamespace(a=1, b=1, s="ab", t="ab")
    f = compile(
        lambda x: (
            held.a == held.b,
            held.s == held.t,
            held.a < held.b,
            held.s + held.t,
            {held.a, held.b},
            {held.s: 1, held.t: 2},
        )
    )
    yield f(X)
    for held.a, held.b, held.s, held.t in (
        (1, 2, "ab", "cd"),
        (2, 2, "x", "x"),
        (True, 1, "", ""),
        (1.0, 1, "a", "b"),
        (3, 4, "a", "a"),
    ):
        yield f(X)


def class_of_a_tensor(compile: Any) -> Any:
    f = compile(lambda x: (type(x).__name__, isinstance(x, ml.nn.Parameter), x * 2))
    for x in (X, ml.nn.Parameter(X), X[:1], X, ml.tensor(1.0)):
        yield f(x)


def constants_that_are_held(compile: Any) -> Any:
    held = types.SimpleNamespace(t=(1, 2.5), z=1j, n=(None, 1.5), s=frozenset({1.5, 2}))
    f = compile(lambda x: (held.t == (1, 2.5), held.t, (1, 2.5), held.z == 1j, 1j, (None, 1.5), held.n == (None, 1.5)))
    g = compile(lambda x: ((1, 2.5)[1] * x, held.t[1] * x))
    yield f(X), g(X)
    held.t = (1, 3.5)
    yield f(X), g(X)
    held.z, held.n = 3j, (None, 4.5)
    yield f(X), g(X)
    h = compile(lambda x: ("a" if x.shape == (2,) else "b", 1.5 in held.s, held.s == {1.5, 2}, 1.5 in {1.5, 2}))
    yield h(X)
    held.s = frozenset({4, 5.5})
    yield h(X)


def kinds_of_sets(compile: Any) -> Any:
    s, t = {1, 2}, frozenset({2, 3})
    f = compile(
        lambda x: (s | t, t | s, t & s, s - t, t - s, s ^ t, t ^ s, t.union(s), s.union(t), type(t | s).__name__, t | t)
    )
    yield f(X)
    s.add(4)
    yield f(X)


def methods_under_other_names(compile: Any) -> Any:
    class A:
        def __init__(self):
            self.kept = []

        def first(self, x):
            return x * 2

        def second(self, x):
            return x * 3

        other = first

    A.second_name, A.first = A.first, A.second
    a = A()

    @compile
    def f(x):
        a.kept = [a.other, a.second_name, a.first]
        return a.kept[0](x), a.second_name

    for _ in range(3):
        got = f(X)
        yield got[0], got[1](X), [m(X) for m in a.kept]
