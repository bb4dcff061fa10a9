"""Functions that do things to the world: write, draw, enter and leave, print, raise."""

from __future__ import annotations

import copy
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


class Box:
    def __init__(self, *h: Any) -> None:
        self.h = list(h)


class P:
    __match_args__ = ("a", "b")

    def __init__(self, a: Any, b: Any) -> None:
        self.a, self.b = a, b


def dicts_in_place(compile: Any) -> Any:
    d = {"a": 1}

    @compile
    def f(x):
        d["n"] = d.get("n", 0) + 1
        d.setdefault("list", []).append(d["n"])
        d.update({"z": x}, k=2)
        p = d.pop("k")
        q = d.pop("none", 5)
        del d["z"]
        d["z"] = x * d["n"]
        return x * p * q, list(d), d.popitem()[0], "a" in d

    def g(x):
        e = {**d, "b": 2}
        e.update(zip("xy", (1, 2), strict=True))
        return e, d | {"q": 1}

    for _ in range(3):
        yield outcome(f, X), d, outcome(compile(g), X)


def sets_in_place(compile: Any) -> Any:
    s = {1, 2}

    @compile
    def f(x, k):
        s.add(k)
        s.discard(1)
        s.update({k + 10})
        t = s - {2}
        t |= {99}
        s.remove(k + 10)
        return x * len(s), t, s & {2, 3}, s <= t, s.isdisjoint({77})

    for k in (3, 4, 3):
        yield outcome(f, X, k), s


def nested_functions(compile: Any) -> Any:
    def outer(x):
        n = 1

        def up(k=n):
            nonlocal n
            n += k
            return n

        up()
        total = [up(i) for i in range(3)]
        g = lambda z: z * n
        return g(x), total, n

    f = compile(outer)
    for k in (1, 2, 3):
        yield f(X * k)


def functions_returned(compile: Any) -> Any:
    @compile
    def f(x, k):
        n = 0

        def g(y, *, s=k):
            nonlocal n
            n += 1
            return x * y * s + n

        return g

    for k in (1, 2, 3):
        g = f(X, k)
        yield g(2), g(3), g(2, s=5), g.__kwdefaults__


def scopes(compile: Any) -> Any:
    @compile
    def f(x, xs):
        i = 10
        ys = [i * v for i, v in enumerate(xs)]
        fs = [lambda: i for i in range(3)]
        if (n := len(xs)) > 2:
            i = n
        zs = {v: (w := v * 2) for v in xs}
        del xs
        return x * i, ys, [g() for g in fs], zs, w if zs else None

    for xs in ([1], [1, 2, 3], [], [True, 2.0]):
        yield outcome(f, X, xs)


def matching(compile: Any) -> Any:
    @compile
    def f(x, v):
        match v:
            case True:
                return x * 1
            case 1 | 2:
                return x * 2
            case [1, *rest]:
                return x * 3, rest
            case {"k": k, **more} if k > 1:
                return x * k, more
            case {"k": _}:
                return x * 5
            case P(a, b=2):
                return x * a
            case P():
                return x * 6
            case str() as s:
                return x, s
            case None:
                return x * 7
            case _:
                return x * 8

    simple = (1, True, 1.0, "s", None, 5)
    for v in (*simple, [1, 2], (1, 3, 4), {"k": 2, "z": 1}, {"k": 0}, P(4, 2), P(4, 3), [2], P(5, 2), {"k": 3}):
        yield outcome(f, X, v)


def star_unpacking(compile: Any) -> Any:
    @compile
    def f(x, *args, k=1, **more):
        a, *b = args
        c = [*args, *more.values()]
        return x * k, a, b, c, dict(more, z=1), (lambda *p, **q: (p, q))(*args, **more)

    yield f(X, 1), f(X, 1, 2), f(X, 1, k=3), f(X, 1, z=X), f(X, True, 2, a=1, b=2), f(X, 1.0, 2)
    yield outcome(f, X), outcome(f), f(X, 1, b=2, a=1)


def deletions(compile: Any) -> Any:
    b = Box(1, 2, 3)
    d = {"a": 1, "b": 2}

    @compile
    def f(x):
        del b.h[0]
        b.n = 1
        del b.n
        if "a" in d:
            del d["a"]
        y = x * len(b.h)
        del x
        return y

    for _ in range(4):
        yield outcome(f, X), b, d


def copies(compile: Any) -> Any:
    b = Box(1, [2])

    @compile
    def f(x):
        c, d = copy.copy(b), copy.deepcopy(b)
        c.h.append(x)
        d.h[1].append(5)
        return c, d

    for _ in range(3):
        yield f(X), b


def generators_driven(compile: Any) -> Any:
    log = []

    def g(x):
        try:
            while True:
                k = yield x
                x = x * k
        except KeyError:
            log.append("key")
            yield x + 100
        finally:
            log.append("done")

    @compile
    def f(x):
        it = g(x)
        a = next(it)
        b = it.send(2)
        c = it.throw(KeyError())
        it.close()
        d = next(it, None)
        return a, b, c, d

    for _ in range(3):
        yield f(X), list(log)


def generators_delegating(compile: Any) -> Any:
    log = []

    def inner(xs):
        try:
            for v in xs:
                got = yield v
                if got:
                    log.append(got)
        finally:
            log.append("inner")
        return len(xs)

    def outer(xs):
        n = yield from inner(xs)
        yield n * 100

    @compile
    def f(x, xs):
        it = outer(xs)
        out = [next(it)]
        out.append(it.send("hello"))
        out += list(it)
        return x * sum(out)

    for xs in ([1, 2], [3, 4, 5], [1, 2]):
        yield outcome(f, X, xs), list(log)
        log.clear()


def frozen_sets_and_tuples_are_made_anew(compile: Any) -> Any:
    def signs(s, t):
        yield from (s | t, s & t, s - t, s ^ t, s.union(t, [7]), s.intersection(t), s.difference(t), s.copy())

    def in_place(s, t):
        a = b = c = s
        a |= t
        b &= t
        c -= t
        return a, b, c, s

    def longer(x, r):
        whole = r
        r += (x, 2)
        shape = x.shape
        shape += (3,)
        return r, shape, whole

    named = compile(lambda s: {s | {1}: 1}[frozenset({1, 2})])
    for s, t in ((frozenset({1, 2}), {2, 3}), ({1, 2}, frozenset({2})), (frozenset({1}), frozenset({2}))):
        yield list(compile(lambda s, t: list(signs(s, t)))(s, t)), compile(in_place)(s, t)
        yield outcome(compile(in_place), {1: 0, 2: 0}.keys(), t), outcome(compile(lambda s, t: s | t), s, {5: 0}.keys())
    yield outcome(named, frozenset({2})), outcome(named, {2}), compile(longer)(X, (1,)), compile(longer)(X, (0, 1))
