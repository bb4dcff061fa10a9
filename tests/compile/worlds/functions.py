"""Functions whose surroundings change between calls: globals, cells, attributes, containers, classes, functions."""

from __future__ import annotations

import collections
import contextvars
import enum
import functools
import os
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
ONE = 1
VAR = contextvars.ContextVar("VAR", default=1)


def namedtuples(compile: Any) -> Any:
    P = collections.namedtuple("P", "x k")
    f = compile(lambda p: (p.x * p.k, p[1], p._replace(k=7), P(p.x + 1, 2), len(p), p.k in p[1:]))
    yield f(P(X, 1)), f(P(X, 2)), f(P(ml.ones(2), 2.0)), f(P(X, True))


def enums(compile: Any) -> Any:
    class Mode(enum.Enum):
        FAST = 1
        SLOW = 2

    f = compile(lambda x, m: (x * 2 if m is Mode.FAST else x * 3, m.value, m.name, m == Mode.SLOW, Mode(1) is m))
    for m in (Mode.FAST, Mode.SLOW, Mode.FAST):
        yield f(X, m)


def partials(compile: Any) -> Any:
    def g(x, k, s=1):
        return x * k + s

    p = functools.partial(g, k=2)
    h = [p]
    f = compile(lambda x: h[0](x))
    yield f(X)
    h[0] = functools.partial(g, k=3)
    yield f(X)
    h[0].keywords["s"] = 5
    yield f(X)
    h[0].__setstate__((g, (), {"k": 9}, {}))
    yield f(X), f(X)
    h[0] = functools.partial(g, s=2)
    yield outcome(f, X)


def partial_arguments(compile: Any) -> Any:
    f = compile(lambda x, p: p(x))
    g = lambda x, k: x * k
    for k in (1, 2, 3, 1.5, X):
        yield f(X, functools.partial(g, k=k)), f(X, functools.partial(ml.mul, k))


def partial_methods(compile: Any) -> Any:
    class A:
        def act(self, k, x):
            return x * k

        twice = functools.partialmethod(act, 2)

        @functools.singledispatchmethod
        def kind(self, v):
            return 0

        @kind.register
        def _(self, v: int):
            return 1

    a = A()
    f = compile(lambda x, v: (a.twice(x), a.kind(v)))
    yield f(X, 1), f(X, "s")
    A.twice = functools.partialmethod(A.act, 5)
    yield f(X, 1), f(X, "s")


def lru_cached(compile: Any) -> Any:
    calls = []

    @functools.lru_cache
    def g(k):
        calls.append(k)
        return k * 2

    f = compile(lambda x, k: x * g(k))
    for k in (1, 2, 1, 3):
        yield f(X, k), list(calls)
    g.cache_clear()
    yield f(X, 1), list(calls), g.cache_info()


def cached_properties(compile: Any) -> Any:
    class A:
        k = 1

        @functools.cached_property
        def twice(self):
            return self.k * 2

    a = A()
    f = compile(lambda x, a: x * a.twice)
    yield f(X, a), f(X, a), vars(a)
    a.k = 5
    yield f(X, a)
    del a.twice
    yield f(X, a), f(X, A()), vars(a)


def wrapped(compile: Any) -> Any:
    log = []

    def logged(g):
        @functools.wraps(g)
        def run(*args):
            log.append(g.__name__)
            return g(*args) * run.scale

        run.scale = 1
        return run

    @logged
    def g(x):
        return x * 2

    f = compile(lambda x: g(x))
    yield f(X), list(log)
    g.scale = 3
    yield f(X), list(log)
    g.__wrapped__ = None
    yield f(X), list(log)


def a_function_with_attributes(compile: Any) -> Any:
    def g(x):
        g.calls = getattr(g, "calls", 0) + 1
        return x * g.calls

    f = compile(g)
    for _ in range(3):
        yield f(X), g.calls
    g.calls = 10
    yield f(X), g.calls, g.__name__


def context_variables(compile: Any) -> Any:
    f = compile(lambda x: x * VAR.get())
    yield f(X)
    token = VAR.set(5)
    yield f(X)
    VAR.reset(token)
    yield f(X)

    @compile
    def g(x):
        token = VAR.set(VAR.get() + 1)
        y = x * VAR.get()
        VAR.reset(token)
        return y

    yield g(X), g(X), VAR.get()


def the_environment(compile: Any) -> Any:
    f = compile(lambda x: (x * len(os.environ.get("WORLD", "")), os.getenv("WORLD"), "WORLD" in os.environ))
    for value in ("a", "bb", None, "ccc"):
        os.environ.pop("WORLD", None)
        if value:
            os.environ["WORLD"] = value
        yield f(X)
    os.environ.pop("WORLD", None)

    @compile
    def g(x):
        os.environ["WORLD"] = os.environ.get("WORLD", "") + "x"
        return x

    yield g(X), g(X), g(X), os.environ.pop("WORLD")


def subclasses_of_containers(compile: Any) -> Any:
    class L(list):
        scale = 1

        def total(self):
            return sum(self) * self.scale

    class D(dict):
        def __missing__(self, k):
            self[k] = len(self)
            return self[k]

    xs, d = L([1, 2]), D()
    f = compile(lambda x, k: (x * xs.total(), len(xs), xs[0], d[k], len(d), list(d)))
    yield f(X, "a")
    xs.append(3)
    yield f(X, "a")
    xs.scale = 2
    xs[0] = 9
    yield f(X, "b")
    L.total = lambda self: 1
    d.clear()
    yield f(X, "b")


def collections_used(compile: Any) -> Any:
    d, q, c = collections.defaultdict(list), collections.deque([1, 2], 3), collections.Counter()
    o = collections.OrderedDict(a=1, b=2)

    @compile
    def f(x):
        d["k"].append(len(d["k"]))
        q.append(len(q))
        c["a"] += 1
        o.move_to_end("a")
        return x * q[0] + c["a"] + len(d["k"]), list(o), max(q), c["zz"], q.popleft()

    for _ in range(4):
        yield f(X), d, list(q), c, list(o)


def user_dict_and_list(compile: Any) -> Any:
    d, m = collections.UserDict(a=1), collections.ChainMap({"a": 1}, {"b": 2})
    f = compile(lambda x: (x * d["a"], list(d), m["a"] + m["b"], len(m)))
    yield f(X)
    d["a"], d["b"] = 2, 3
    m.maps[1]["b"] = 5
    yield f(X)
    m["c"] = 1
    yield f(X), f(X)


def dict_order(compile: Any) -> Any:
    f = compile(lambda d: [k for k in d] + list(d.values()))
    yield f({"a": 1, "b": 2}), f({"b": 2, "a": 1}), f({"a": 1, "b": 2}), f({"a": 1}), f({1: 1, True: 2, 1.0: 3})
    yield f({1: 2}), f({True: 2}), f({1.0: 2}), f({"1": 2}), f({None: 0})
    yield f({(1, 2): 0}), f({(1, True): 0}), f({(1, 1): 0})


def sets_used(compile: Any) -> Any:
    s = {1, 2}
    f = compile(lambda x, k: (x * len(s), k in s, s | {k}, s & {1}, frozenset(s) == s, bool(s)))
    yield f(X, 1), f(X, 3)
    s.add(3)
    yield f(X, 3), f(X, 2)
    s.clear()
    yield f(X, 3), f(X, 2)


def kinds_of_one(compile: Any) -> Any:
    f = compile(lambda x, k: (k is True, k is ONE, k == 1, type(k), x * k, [k], k == True, {1: "i"}.get(k)))
    g = compile(lambda k, j: (k is j, k == j, k is None, k is False, [k, j].count(1), [k, j].index(1), k in (True,)))
    for k in (True, 1, 1.0, True, 1):
        yield f(X, k), g(k, True), g(k, 1)


def kinds_of_zero(compile: Any) -> Any:
    f = compile(lambda x, k: (x * k, str(k), [k], not k, k == 0, -k, x / (k + 1)))
    for k in (0.0, -0.0, 0, False, float("nan"), 0.0, -0.0, float("inf")):
        yield f(X, k)


def kinds_in_containers(compile: Any) -> Any:
    f = compile(lambda x, ks: (x * ks[0], ks, [k is True for k in ks], sum(ks)))
    for ks in ((1,), (True,), (1.0,), [1], [True], (0.0,), (-0.0,), (1, 1), (1, True), (True, 1), (1.0, 1)):
        yield f(X, ks)


def kinds_in_attributes(compile: Any) -> Any:
    class A:
        k: Any = 1

    a = A()
    f = compile(lambda x: (a.k is True, type(a.k), x * a.k, A.k, A.k is True))
    for k in (1, True, 1.0, 0.0, -0.0, 1 + 0j, "1", b"1", None, (1,), (True,), (1.0,), ((1,),), ((True,),)):
        a.k = k
        yield outcome(f, X)
        del a.k
        A.k = k
        yield outcome(f, X)
        A.k = 1


def constants_with_kinds(compile: Any) -> Any:
    f = compile(lambda x: ([1, True, 1.0], (1, True), (1.0, 1), {1.0: 2}, 0.0, -0.0, (0.0, -0.0), 1j, -0j, x * -0.0))
    for _ in range(3):
        yield f(X)


def strings_and_bytes(compile: Any) -> Any:
    f = compile(lambda x, s: (s is None, s == "a", x * len(s), s + s, type(s)))
    for s in ("a", b"a", "b", "", bytearray(b"a"), "a"):
        yield outcome(f, X, s)


def large_and_small_ints(compile: Any) -> Any:
    f = compile(lambda x, n: (n + 1, n * n, n // 3, n % 7, -n, n >> 1, n.bit_length(), x * (n % 5)))
    for n in (2**31 - 1, 2**31, 2**63 - 1, 2**63, -1, -(2**63), 256, 257):
        yield f(X, n)


def shared_objects(compile: Any) -> Any:
    f = compile(lambda a, b: (a is b, a + b if isinstance(a, ml.Tensor) else a))
    y = ml.ones(2)
    yield f(X, X), f(X, y), f(y, y), f([1], [1]), f(X, y)
    xs = [1]
    yield f(xs, xs), f(xs, [1])


def aliased_lists(compile: Any) -> Any:
    @compile
    def f(a, b):
        a.append(1)
        return len(b), b

    for same in (False, True, False, True):
        a = [0]
        yield f(a, a if same else [5]), a
