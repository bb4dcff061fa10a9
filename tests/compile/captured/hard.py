"""Programs meant to break capture: aliasing, re-entrancy, escapes, protocols, exceptions on warm calls."""

# ruff: noqa (programs as people write them)
from __future__ import annotations

import functools
import itertools
import math


from tests.compile.captured.engine import T, twice

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def h_alias_later(compile):
    class Box:
        pass

    a, b = Box(), Box()
    a.n, b.n, a.other = 1, 10, b

    @compile
    def f(x):
        a.n = 5
        return x * a.other.n

    yield f(T(1)), f(T(1))
    a.other = a
    yield f(T(1)), f(T(1))
    a.other = b
    yield f(T(1))


@program
def h_alias_args(compile):
    @compile
    def f(a, b, x):
        a.append(x)
        return len(b), b[-1] * 2 if b else x

    for _ in range(3):
        p, q = [], []
        yield f(p, q, T(1)), f(p, p, T(2)), f(p, q, T(3)), p, q


@program
def h_resume_with_effects(compile):
    class Acc:
        total, seen = 0, None

    acc = Acc()

    @compile
    def f(xs):
        outs = []
        for x in xs:
            acc.total = acc.total + 1
            outs.append(x * 2)
            if x.sum() > 2:
                outs.append(acc.total)
                acc.seen = outs
        return outs

    for xs in ([T(1), T(5)], [T(5), T(1)], [T(1), T(1)], [T(9), T(9)], [T(1), T(5)]):
        yield f(xs), acc.total, acc.seen


@program
def h_warm_raise(compile):
    def boom(n):
        exec("if n > 2: raise RuntimeError('boom')")
        return n

    boom.__opaque__ = True
    state = {"n": 0.0}

    @compile
    def f(x, log):
        log.append(1)
        state["n"] += 1.0
        y = x + 1
        boom(state["n"])
        return y

    for _ in range(5):
        log = []
        try:
            yield f(T(1), log)
        except RuntimeError as e:
            yield str(e), log, state["n"]


@program
def h_reentrant(compile):
    def hook(n):
        exec("if n > 0: box[0](T(float(n)), n - 1)", {"n": n, "box": box, "T": T})

    hook.__opaque__ = True
    box, log = [], []

    @compile
    def f(x, n):
        y = x * 2
        log.append(n)
        hook(n)
        if y.sum() > 3:
            return y + 1
        return y - 1

    box.append(f)
    for n in (0, 2, 3, 1, 3):
        yield f(T(n + 1), n), list(log)


@program
def h_types(compile):
    @compile
    def f(x, n):
        return x * n, n, type(n)

    yield [f(T(1), n) for n in (1, True, 1.0, 1, 0, False, -0.0, 0.0, 2**70)]


@program
def h_keys(compile):
    @compile
    def f(d):
        return [k for k in d], [v * 2 for v in d.values()]

    yield [
        f(d)
        for d in ({1: T(1)}, {True: T(1)}, {1.0: T(1)}, {"a": T(1), "b": T(2)}, {"b": T(1), "a": T(2)}, {(1, 2): T(2)})
    ]


@program
def h_mutable_default(compile):
    @compile
    def f(x, acc=[]):
        acc.append(x + 1)
        return len(acc), acc[0]

    yield [f(T(i)) for i in range(4)]


@program
def h_escaping_iterators(compile):
    @compile
    def f(xs, d):
        return zip(xs, xs), enumerate(xs), (x * 2 for x in xs), map(lambda v: v + 1, xs), d.items(), iter(xs)

    for _ in range(3):
        yield [[list(i) for i in f([T(1), T(2)], {"a": T(1)})]]


@program
def h_partial_generator(compile):
    def gen(x):
        try:
            while True:
                got = yield x
                x = x + (got or 1)
        finally:
            print("closed")

    @compile
    def f(x):
        g = gen(x)
        a = next(g)
        b = g.send(5)
        g.close()
        return a, b

    yield from twice(f, (T(1),))


@program
def h_protocols(compile):
    class V:
        def __init__(self, t):
            self.t = t

        def __add__(self, o):
            return V(self.t + o.t)

        def __len__(self):
            return 2

        def __bool__(self):
            return False

        def __getitem__(self, i):
            return self.t * i

        def __iter__(self):
            yield self.t
            yield self.t + 1

        def __contains__(self, k):
            return k == 3

        def __eq__(self, o):
            return True

        __hash__ = None

        def __getattr__(self, name):
            return self.t * len(name)

        def __call__(self, k=1):
            return self.t - k

    @compile
    def f(x):
        v = V(x)
        w = v + v
        a, b = v
        return w.t, len(v), v[3], a, b, 3 in v, 4 in v, v == w, v.abc, v(2), "no" if not v else "yes"

    yield from twice(f, (T(1, 2),))


@program
def h_setters(compile):
    class P:
        __slots__ = ("_w", "n")

        def __init__(self):
            self._w, self.n = T(1), 0

        @property
        def w(self):
            return self._w

        @w.setter
        def w(self, v):
            self.n += 1
            self._w = v * 2

    class Q:
        def __setattr__(self, k, v):
            object.__setattr__(self, k, v * 10 if k == "z" else v)

    p, q = P(), Q()

    @compile
    def f(x):
        p.w = x
        q.z = x
        return p.w + q.z

    for _ in range(3):
        yield f(T(3)), p.n, p._w, q.z


@program
def h_functools(compile):
    add3 = functools.partial(lambda a, b, c=0: a + b + c, 1, c=2)

    @compile
    def f(x, xs):
        r = functools.reduce(lambda a, b: a + b, xs)
        return add3(x), r, list(itertools.chain(xs, [x])), math.sqrt(4) * x, math.prod(x.shape)

    yield from twice(f, (T(1), [T(1), T(2)]))


@program
def h_loops(compile):
    @compile
    def f(x, n):
        for i in range(n):
            if i == 1:
                continue
            if i == 4:
                break
            x = x + i
        else:
            x = x * 100
        while True:
            n -= 1
            if n < 0:
                break
        return x, n

    yield from twice(f, (T(1), 3), (T(1), 6))


@program
def h_finally(compile):
    @compile
    def f(x, d, log):
        try:
            try:
                y = x * d["k"]
                return y
            except KeyError as e:
                log.append(str(e))
                raise ValueError("no k") from e
            finally:
                log.append("inner")
        finally:
            log.append("outer")

    for _ in range(3):
        for d in ({"k": 2}, {}):
            log = []
            try:
                yield f(T(1), d, log), log
            except ValueError as e:
                yield str(e), log, type(e.__cause__).__name__, type(e.__context__).__name__


@program
def h_asserts(compile):
    @compile
    def f(x, n):
        assert n > 0, f"bad n {n}"
        return x / n

    for _ in range(3):
        for n in (1, 0):
            try:
                yield f(T(1), n)
            except AssertionError as e:
                yield str(e)
