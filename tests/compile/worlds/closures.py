"""Functions that call functions with a state: the second half, from caches to hidden calls."""

from __future__ import annotations

import builtins
import math
import operator
import types
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
STEP: Any = 1
HELP: Any = None


def a_generator_made_in_one_call_and_used_in_others(compile: Any) -> Any:
    store = []

    @compile
    def begin(x):
        store.append(x * k for k in range(1, 4))
        return x

    @compile
    def go_on(x):
        return x + next(store[0], 0)

    yield begin(X), [go_on(X) for _ in range(5)]
    store.clear()
    yield begin(X), [go_on(X) for _ in range(2)], len(store)


def compiled_in_compiled(compile: Any) -> Any:
    state = {"k": 2}

    @compile
    def inner(x):
        state["k"] += 1
        return x * state["k"]

    @compile
    def outer(x):
        a = inner(x)
        state["k"] *= 2
        return a + inner(x) + state["k"]

    yield outer(X), state
    yield inner(X), state, outer(X), state
    state["k"] = 0.5
    yield outer(X), state
    inner = lambda x: x  # noqa: E731
    yield outer(X), state


def compiled_methods(compile: Any) -> Any:
    class A:
        n = 0

        @compile
        def act(self, x):
            self.n += 1
            return x * self.n

        @property
        @compile
        def twice(self):
            self.n *= 2
            return self.n

    a, b = A(), A()
    yield a.act(X), b.act(X), a.act(X), a.n, b.n
    yield a.twice, a.act(X), b.twice, b.act(X)
    a.act = lambda x: x
    yield a.act(X)
    outer = compile(lambda x, o: o.act(x))
    yield outer(X, a), outer(X, b), b.n


def builtins_replaced(compile: Any) -> Any:
    f = compile(lambda x: x * len([1, 2]) + abs(-3) + max(1, 2))
    yield f(X)
    kept = builtins.abs
    try:
        builtins.abs = lambda v: 100
        yield f(X)
    finally:
        builtins.abs = kept
    yield f(X)
    globals()["len"] = lambda xs: 50
    try:
        yield f(X)
    finally:
        del globals()["len"]
    yield f(X)


def a_builtin_that_is_added(compile: Any) -> Any:
    f = compile(lambda x: x * a_new_builtin)  # noqa: F821
    yield outcome(f, X)
    builtins.a_new_builtin = 4
    try:
        yield f(X)
        builtins.a_new_builtin = 5
        yield f(X)
    finally:
        del builtins.a_new_builtin
    yield outcome(f, X)


def functions_of_modules_replaced(compile: Any) -> Any:
    f = compile(lambda x: x * math.sqrt(4.0) + math.pi)
    yield f(X)
    root, pi = math.sqrt, math.pi
    try:
        math.sqrt = lambda v: 10.0
        math.pi = 3
        yield f(X)
    finally:
        math.sqrt, math.pi = root, pi
    yield f(X)
    g = compile(lambda x: nn.functional.relu(x) + F.gelu(x).sum() * 0)
    F = nn.functional
    relu = F.relu
    yield g(-X)
    try:
        F.relu = lambda x: x * 5
        yield g(-X)
    finally:
        F.relu = relu
    yield g(-X)


def a_function_that_counts_itself(compile: Any) -> Any:
    @compile
    def f(x):
        f.n = getattr(f, "n", 0) + 1
        return x * f.n

    yield f(X), f(X), f(X), f.n
    f.n = 10
    yield f(X), f.n

    def act(x):
        act.n += 1
        act.last = x
        return x * act.n

    act.n = 0
    g = compile(lambda x: act(x))
    yield g(X), g(X), act.n, act.last
    act.n = 7.5
    yield g(X), act.n


def recursion_through_a_global(compile: Any) -> Any:
    global HELP

    def down(x, n):
        return x if n == 0 else HELP(x * 2, n - 1)

    HELP = down
    f = compile(lambda x, n: HELP(x, n))
    yield f(X, 2), f(X, 3)
    HELP = lambda x, n: down(x + 1, n) if n < 2 else x
    yield f(X, 2), f(X, 1), f(X, 3)


def operators_as_objects(compile: Any) -> Any:
    a = types.SimpleNamespace(k=types.SimpleNamespace(v=2), xs=[1, 2])
    get, item, call = operator.attrgetter("k.v", "xs"), operator.itemgetter(0, -1), operator.methodcaller("count", 1)
    f = compile(lambda x: (x * get(a)[0], item(a.xs), call(a.xs)))
    yield f(X)
    a.k.v = 3
    yield f(X)
    a.xs.append(1)
    yield f(X)
    a.k = types.SimpleNamespace(v=0.5)
    yield f(X)


def closures_made_by_calls(compile: Any) -> Any:
    made = []

    @compile
    def f(x):
        n = len(made)

        def act(y):
            nonlocal n
            n += 1
            return y * x * n

        made.append(act)
        return act(x)

    for _ in range(3):
        yield f(X), [g(X) for g in made]


def a_callback_that_changes_the_world(compile: Any) -> Any:
    world = types.SimpleNamespace(k=1, xs=[1.0], act=None)

    def change():
        world.k += 1
        world.xs.append(world.k)

    world.act = change

    @compile
    def f(x):
        a = world.k
        world.act()
        b = world.k
        x = x * b + len(world.xs)
        world.act()
        return x + a, world.k, list(world.xs)

    yield f(X), f(X)
    world.act = lambda: world.xs.clear()
    yield f(X), f(X)
    world.act = print
    yield f(X)


class Sly:
    def __init__(self, log):
        self.log = log

    def __lt__(self, other):
        self.log.append("lt")
        STATE.k += 1
        return False

    def __hash__(self):
        STATE.k += 1
        return 1

    def __index__(self):
        STATE.k += 1
        return 0

    def __repr__(self):
        STATE.k += 1
        return "Sly"

    def __eq__(self, other):
        STATE.k += 10
        return True


def hidden_changes_by_c(compile: Any) -> Any:
    log = []
    a, b = Sly(log), Sly(log)

    @compile
    def f(x):
        seen = [STATE.k]
        sorted([a, b])
        seen.append(STATE.k)
        hash(a)
        seen.append(STATE.k)
        [5, 6][a]
        seen.append(STATE.k)
        str([a])
        seen.append(STATE.k)
        {a: 1}.get(b)
        seen.append(STATE.k)
        (a, 1) == (b, 1)
        seen.append(STATE.k)
        [1, a].count(b)
        seen.append(STATE.k)
        x[a]
        seen.append(STATE.k)
        return x * STATE.k, seen

    STATE.k = 0
    for _ in range(3):
        yield f(X), log, STATE.k
        log.clear()


STATE: Any = types.SimpleNamespace(k=0)
