"""Functions that do things to the world: write, draw, enter and leave, print, raise."""

from __future__ import annotations

from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
LOG: list[Any] = []
COUNT: Any = 0


class Box:
    def __init__(self, *h: Any) -> None:
        self.h = list(h)


class Telling:
    """Its methods tell that they were called."""

    def __add__(self, x):
        LOG.append("add")
        return x + 1

    __radd__ = __add__

    def __lt__(self, other):
        LOG.append("lt")
        return True

    def __eq__(self, other):
        LOG.append("eq")
        return False

    def __hash__(self):
        LOG.append("hash")
        return 1

    def __repr__(self):
        LOG.append("repr")
        return "A"

    def __format__(self, spec):
        LOG.append("format")
        return "f"

    def __index__(self):
        LOG.append("index")
        return 1

    def __neg__(self):
        LOG.append("neg")
        return 5

    def __iadd__(self, k):
        LOG.append("iadd")
        return self

    def __bool__(self):
        LOG.append("bool")
        return True


def a_generator_dropped(compile: Any) -> Any:
    log = []

    def g():
        try:
            yield 1
        finally:
            log.append("dropped")

    @compile
    def f(x):
        it = g()
        x = x * next(it)
        it = None
        log.append("after")
        return x

    @compile
    def h(x):
        it = g()
        x = x * next(it)
        log.append("before the end")
        return x

    for _ in range(3):
        yield f(X), h(X), list(log)
        log.clear()


def unpacking_a_generator(compile: Any) -> Any:
    log = []

    def g(n):
        try:
            yield from range(n)
        finally:
            log.append(n)

    @compile
    def f(x, n):
        try:
            a, b = g(n)
        except ValueError:
            a, b = 5, 6
        return x * a + b, any(v == 1 for v in g(4)), next(g(3)), 1 in g(5), list(zip(g(2), g(6)))

    for n in (2, 3, 1, 2):
        yield f(X, n), list(log)
        log.clear()


def a_del_method(compile: Any) -> Any:
    log = []

    class A:
        def __del__(self):
            log.append("del")

    @compile
    def f(x):
        a = A()
        a.k = x
        del a
        log.append("after")
        return x

    for _ in range(3):
        yield f(X), list(log)
        log.clear()


def recursion(compile: Any) -> Any:
    @compile
    def f(x, n):
        LOG.append(n)
        return x if n == 0 else f(x * 2, n - 1) + n

    for n in (0, 1, 3, 2):
        yield f(X, n), list(LOG)
        LOG.clear()


def two_functions_and_one_world(compile: Any) -> Any:
    state = {"n": 0, "xs": []}

    @compile
    def up(x):
        state["n"] += 1
        state["xs"].append(x)
        return x * state["n"]

    @compile
    def down(x):
        state["n"] -= 1
        return sum(state["xs"]) + up(x)

    for _ in range(3):
        yield up(X), down(X), state


def tensors_in_place(compile: Any) -> Any:
    y = ml.zeros(2)
    b = Box(ml.zeros(3))

    @compile
    def f(x):
        y.add_(x)
        b.h[0][0] = x[0]
        b.h[0][1:] *= 2
        b.h[0] += 1
        z = y.view(2, 1)
        z.mul_(2)
        return y + 1

    for _ in range(3):
        yield f(X), y, b


def training_steps(compile: Any) -> Any:
    ml.manual_seed(1)
    net = nn.Sequential(nn.Linear(2, 3), nn.Dropout(0.2), nn.BatchNorm1d(3), nn.Linear(3, 1))
    opt = ml.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    losses = []

    @compile
    def step(x):
        opt.zero_grad()
        loss = (net(x) ** 2).mean()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        return loss

    for _ in range(4):
        yield step(ml.ones(4, 2)), losses
    net.eval()
    yield step(ml.ones(4, 2)), net[2].running_mean
    opt.param_groups[0]["lr"] = 0.5
    yield step(ml.ones(4, 2)), [p for p in net.parameters()]


def hidden_calls_in_operators(compile: Any) -> Any:

    a, b = Telling(), Telling()
    d = {a: 1}

    @compile
    def f(x):
        c = a
        c += 1
        return (
            a + x, x + 1 if a else x, sorted([a, b])[0] is b, a == b, a in [b], d.get(b), f"{a}", repr(a), [1, 2][a],
            -a, max(a, b) is a, a in d, not a, "%s" % a, c is a, [a].index(a), a != b,
        )  # fmt: skip

    for _ in range(3):
        yield outcome(f, X), list(LOG)
        LOG.clear()


def callbacks_from_c(compile: Any) -> Any:
    log = []

    def key(v):
        log.append(v)
        return -v

    @compile
    def f(x, xs):
        a = sorted(xs, key=key)
        b = max(xs, key=key)
        c = list(map(key, xs))
        d = list(filter(key, xs))
        xs.sort(key=key)
        return x * a[0], b, c, d, min(xs, key=key), any(map(key, xs))

    for xs in ([1, 2], [2, 1], [1, 2, 3]):
        yield f(X, list(xs)), list(log)
        log.clear()


def global_writes(compile: Any) -> Any:
    global COUNT
    COUNT = 0

    @compile
    def f(x):
        global COUNT
        COUNT += 1
        y = x * COUNT
        print(COUNT)
        COUNT = COUNT + 1
        return y

    for _ in range(3):
        yield f(X), COUNT
    COUNT = 1.5
    yield f(X), COUNT


def imports(compile: Any) -> Any:
    import sys
    import types

    module = types.ModuleType("worlds_made_up")
    module.k = 1
    sys.modules["worlds_made_up"] = module

    @compile
    def f(x):
        import worlds_made_up
        from worlds_made_up import k

        return x * k + worlds_made_up.k

    yield f(X)
    module.k = 2
    yield f(X)
    other = types.ModuleType("worlds_made_up")
    other.k = 7
    sys.modules["worlds_made_up"] = other
    yield f(X)
    del sys.modules["worlds_made_up"]
    yield outcome(f, X)
