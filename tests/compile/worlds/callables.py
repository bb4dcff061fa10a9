"""Functions that call functions with a state: closures, defaults, caches, generators, decorators, compiled ones."""

from __future__ import annotations

import functools
import operator
import types
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
STEP: Any = 1
HELP: Any = None


def cells_written_by_others(compile: Any) -> Any:
    k, log = 1, []

    def set_k(v):
        nonlocal k
        k = v

    def forget():
        nonlocal k
        del k

    def helper(x):
        log.append(k)
        return x * k

    @compile
    def f(x):
        nonlocal k
        y = helper(x)
        k += 1
        return y + helper(x)

    yield f(X), k, log
    set_k(10)
    yield f(X), k, log
    set_k(0.5)
    yield f(X), k, log
    forget()
    yield outcome(f, X), log
    set_k(3)
    yield f(X), k, log


def a_cell_rebound_inside(compile: Any) -> Any:
    act = lambda x: x * 2  # noqa: E731

    @compile
    def f(x):
        nonlocal act
        y = act(x)
        old = act
        act = lambda x: old(x) + 1
        return y

    for _ in range(4):
        yield f(X)


def a_decorator_with_a_count(compile: Any) -> Any:
    def counted(limit):
        def around(f):
            n, seen = 0, {}

            @functools.wraps(f)
            def inner(x):
                nonlocal n
                n += 1
                seen[n] = x.sum().item()
                inner.calls = n
                return f(x) * n if n < limit else f(x)

            inner.seen = seen
            return inner

        return around

    @counted(3)
    def act(x):
        return x + 1

    f = compile(lambda x: act(x))
    for k in range(5):
        yield f(X * k), act.calls, act.seen


def a_helper_whose_helper_changes(compile: Any) -> Any:
    global HELP

    def first(x):
        return x * 2

    def second(x):
        return x * 3

    def helper(x):
        return HELP(x) + 1

    HELP = first
    f = compile(lambda x: helper(x))
    yield f(X)
    HELP = second
    yield f(X)
    second.__code__ = (lambda x: x * 4).__code__
    yield f(X)
    HELP = types.FunctionType(first.__code__, {"nothing": 0})
    yield f(X)
    HELP = functools.partial(operator.mul, 5)
    yield f(X)
    HELP = ml.tanh
    yield f(X)
    HELP = 3
    yield outcome(f, X)


def defaults_that_are_kept(compile: Any) -> Any:
    def act(x, seen=[], *, log={}, k=1.5):  # noqa: B006
        seen.append(len(seen))
        log[len(seen)] = k
        return x * len(seen) * k

    f = compile(lambda x: act(x))
    yield f(X), f(X), act.__defaults__, act.__kwdefaults__
    act.__defaults__[0].clear()
    yield f(X), act.__kwdefaults__
    act.__kwdefaults__["k"] = 3
    yield f(X), act.__defaults__
    act.__defaults__ = ([1, 2, 3],)
    yield f(X), f(X), act.__defaults__
    act.__kwdefaults__ = {"log": {}, "k": 0}
    yield f(X), act.__kwdefaults__
    act.__kwdefaults__ = None
    yield outcome(f, X)


def own_defaults_that_are_kept(compile: Any) -> Any:
    def act(x, seen=[]):  # noqa: B006
        seen.append(x.sum().item())
        return x * len(seen)

    f = compile(act)
    for _ in range(3):
        yield f(X), act.__defaults__
    yield f(X, [5]), act.__defaults__
    yield f(X, seen=act.__defaults__[0]), act.__defaults__


def caches(compile: Any) -> Any:
    calls = []

    @functools.cache
    def act(k):
        calls.append(k)
        return k * STEP

    @functools.lru_cache(maxsize=2)
    def least(k):
        calls.append(-k)
        return [k]

    global STEP
    STEP = 2
    f = compile(lambda x, k: x * act(k) + least(k)[0])
    yield f(X, 1), f(X, 1), calls
    STEP = 5
    yield f(X, 1), f(X, 2), f(X, 3), f(X, 1), calls
    act.cache_clear()
    yield f(X, 1), f(X, 2), calls, act.cache_info().hits
    least(2).append(9)
    g = compile(lambda x: least(2))
    yield g(X), g(X) is least(2), calls
    STEP = 1


def a_cached_property_and_its_loss(compile: Any) -> Any:
    class A:
        n = 0

        @functools.cached_property
        def k(self):
            self.n += 1
            return self.n * 10

    a = A()
    f = compile(lambda x: x * a.k)
    yield f(X), f(X), a.n
    del a.k
    yield f(X), a.n
    a.k = 3
    yield f(X), a.n
    a.__dict__.clear()
    yield f(X), a.n
    b = A()
    g = compile(lambda x, o: x * o.k)
    yield g(X, a), g(X, b), g(X, b), b.n


def partials_that_change(compile: Any) -> Any:
    xs = [1]
    p = functools.partial(lambda a, x, k=1: x * k + len(a), xs, k=2)
    holder = types.SimpleNamespace(p=p)
    f = compile(lambda x: holder.p(x))
    yield f(X)
    xs.append(2)
    yield f(X)
    p.keywords["k"] = 5
    yield f(X)
    holder.p = functools.partial(p, k=7)
    yield f(X)
    p.tag = 3
    g = compile(lambda x: (p.tag, p.func(xs, x), p.args, p.keywords))
    yield g(X)
    p.tag = 4
    yield g(X)


def generators_kept_across_calls(compile: Any) -> Any:
    log = []

    def steps():
        k = 1
        try:
            while True:
                log.append(k)
                k = (yield k) or k + 1
        finally:
            log.append("closed")

    it = steps()

    @compile
    def f(x):
        return x * next(it)

    @compile
    def g(x):
        return x * it.send(10)

    yield f(X), f(X), g(X), f(X), log
    it.close()
    yield outcome(f, X), log
    it = steps()
    yield outcome(g, X), f(X), log
    h = compile(lambda x: it.throw(ValueError("thrown")))
    yield outcome(h, X), log, outcome(f, X)
