"""Functions that read and change containers of the standard library, and what they give one by one."""

from __future__ import annotations

import itertools
import types
import weakref
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def sets_that_change(compile: Any) -> Any:
    s, t = {1, 2}, frozenset({2})

    @compile
    def f(x, v):
        s.add(v)
        s.discard(1)
        u = s | t
        return x * len(u), v in s, s & t == t, s > t, sorted(u ^ {2, 50})

    yield f(X, 5), f(X, 1), f(X, 5), s
    s.clear()
    yield f(X, 1), s
    s.update((33, 8, 16, 0))
    yield f(X, 3), list(s)
    t = frozenset({7, 8})
    s.clear()
    yield f(X, 2)


def membership_of_tensors(compile: Any) -> Any:
    y = ml.tensor([3.0])
    xs, d = [X, y], {X: 1}
    f = compile(lambda x: (any(x is v for v in xs), x in d, d.get(x), len(xs)))
    yield f(X), f(y), f(ml.zeros(1))
    d[y] = 2
    xs.clear()
    yield f(X), f(y)
    del d[X]
    yield f(X), f(y)


def slices_and_ranges_kept(compile: Any) -> Any:
    held = types.SimpleNamespace(s=slice(0, 2), r=range(3), i=(0, 1))
    y = ml.arange(12.0).reshape(3, 4)
    f = compile(lambda x: (y[held.s], y[held.i], [k * 2 for k in held.r], y[list(held.r)].sum()))
    yield f(X)
    held.s = slice(1, None, 2)
    yield f(X)
    held.i = (2, slice(None))
    yield f(X)
    held.r = range(0, 3, 2)
    yield f(X)
    held.i = (..., None, -1)
    yield f(X)


def a_long_list(compile: Any) -> Any:
    xs = list(range(300))
    d = {i: i for i in range(300)}
    f = compile(lambda x: x * xs[-1] + len(xs) + d[7] + len(d))
    yield f(X)
    xs.append(5)
    d[7] = 100
    yield f(X)
    d[300] = 1
    xs[-1] = 0.5
    yield f(X)
    g = compile(lambda x: (5 in xs, 299 in d, sum(xs), max(d)))
    yield g(X)
    xs.clear()
    del d[299]
    yield g(X)


def weak_containers(compile: Any) -> Any:
    class A:
        def __init__(self, k):
            self.k = k

    a, b = A(1), A(2)
    values, keys, members = (
        weakref.WeakValueDictionary(a=a, b=b),
        weakref.WeakKeyDictionary({a: 1, b: 2}),
        weakref.WeakSet((a, b)),
    )
    alive = weakref.ref(b)
    f = compile(
        lambda x: (sum(v.k for v in values.values()), len(keys), len(members), alive() is None, values.get("b") is None)
    )
    yield f(X)
    a.k = 10
    yield f(X)
    del b
    yield f(X), f(X)
    log = []
    weakref.finalize(a, log.append, "gone")
    g = compile(lambda x: (len(log), x * 2))
    yield g(X)
    del a
    yield g(X), f(X)


def subclasses_with_their_own_ways(compile: Any) -> Any:
    class L(list):
        def __getitem__(self, i):
            return list.__getitem__(self, i) * 2

    class D(dict):
        def __missing__(self, k):
            return len(self)

    xs, d = L([1, 2]), D(a=1)
    f = compile(lambda x: (x * xs[0], d["a"], d["zz"], list(xs), xs[-1]))
    yield f(X)
    xs[0] = 7
    d["b"] = 1
    yield f(X)
    L.__getitem__ = lambda self, i: list.__getitem__(self, i) * 3
    D.__missing__ = lambda self, k: k
    yield f(X)
    D.__getitem__ = lambda self, k: "always"
    L.__iter__ = lambda self: iter((9, 9))
    yield f(X)
    L.__len__ = lambda self: 77
    g = compile(lambda x: (len(xs), bool(xs), len(d)))
    yield g(X)
    L.__len__ = lambda self: 0
    yield g(X)


def iterators_with_state(compile: Any) -> Any:
    count, cycle, chain = itertools.count(5, 2), itertools.cycle("ab"), itertools.chain([1], [2, 3])
    pairs, twins = zip([1, 2], "xy", strict=False), itertools.tee([1, 2, 3])
    f = compile(lambda x: (x * next(count), next(cycle), next(chain, None), next(pairs, None), next(twins[0], 0)))
    yield f(X), f(X)
    next(count), next(cycle), next(twins[0])
    yield f(X), f(X), next(count), list(twins[1])
    count = itertools.count()
    yield f(X)
    g = compile(lambda x: list(itertools.islice(count, 2)))
    yield g(X), g(X), next(count)


def an_iterator_in_two_functions(compile: Any) -> Any:
    it = iter([1, 2, 3, 4, 5, 6, 7])
    f = compile(lambda x: x * next(it))

    @compile
    def g(x):
        for k in it:
            if k % 2 == 0:
                return x * k
        return None

    yield f(X), g(X), f(X), g(X), f(X), g(X), f(X) if False else list(it)
    yield outcome(f, X), g(X)
    d = {"a": 1, "b": 2}
    it = iter(d.items())
    h = compile(lambda x: next(it))
    yield h(X)
    d["c"] = 3
    yield outcome(h, X)


def unpacking_what_changes(compile: Any) -> Any:
    held = types.SimpleNamespace(xs=(1, 2), d={"k": 3})

    def act(*args, **kwargs):
        return args, sorted(kwargs.items())

    @compile
    def f(x):
        a, *rest = held.xs
        return x * a, rest, act(*held.xs, **held.d), [*held.xs, *held.d], {**held.d, "z": 1}

    yield f(X)
    held.xs = [1, 2, 3]
    held.d["m"] = 5
    yield f(X)
    held.xs.pop()
    held.d = {}
    yield f(X)
    held.xs = "ab"
    yield outcome(f, X)
    held.xs = ()
    yield outcome(f, X)
    held.xs = {5: 1}
    held.d = {1: 2}
    yield outcome(f, X)


def text_that_changes(compile: Any) -> Any:
    held = types.SimpleNamespace(t="ab", n=3, b=b"xy")
    f = compile(
        lambda x: (
            f"{held.t!r:>6}|{held.n:03d}|{held.n / 2:.1f}", held.t.upper(), held.t * held.n, held.b + b"z",
            held.t.split("b"), "b" in held.t, held.t[::-1], len(held.t), held.t < "b", "%s-%d" % (held.t, held.n),
        )
    )  # fmt: skip
    yield f(X)
    held.t = "bcb"
    yield f(X)
    held.n = 4
    held.b = b""
    yield f(X)
    held.t = ""
    yield f(X)
    held.t = 5
    yield outcome(f, X)
