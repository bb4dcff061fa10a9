"""Functions that do things to the world: write, draw, enter and leave, print, raise."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
LOG: list[Any] = []


@contextlib.contextmanager
def traced(log: Any, name: str) -> Any:
    log.append(f"enter {name}")
    try:
        yield name
    except ValueError as e:
        log.append(f"error {e}")
    finally:
        log.append(f"exit {name}")


def a_draw_in_a_dead_branch(compile: Any) -> Any:
    @compile
    def f(x):
        noise = ml.randn(2)
        if x.sum() > 4:
            return x + noise
        return x

    for k in (1, 2, 1, 2, 1):
        yield f(X * k), ml.rand(1)


def draws_with_a_generator(compile: Any) -> Any:
    g = ml.Generator(3)

    @compile
    def f(x, g):
        ml.rand(2, generator=g)
        return x + ml.rand(2, generator=g)

    for _ in range(3):
        yield f(X, g), g.get_state()
    yield f(X, ml.Generator(3)), f(X, ml.Generator(4)), f(X, g), g.get_state()


def seeding_inside(compile: Any) -> Any:
    @compile
    def f(x):
        ml.manual_seed(5)
        return x + ml.rand(2)

    for _ in range(3):
        yield f(X), ml.rand(1)


def the_state_of_the_stream(compile: Any) -> Any:
    @compile
    def f(x):
        a = ml.rand(2)
        state = ml.get_rng_state() if hasattr(ml, "get_rng_state") else None
        b = ml.rand(2)
        if state is not None:
            ml.set_rng_state(state)
        return a, b, ml.rand(2)

    for _ in range(3):
        yield f(X)


def draws_and_gradients(compile: Any) -> Any:
    @compile
    def f(x):
        y = nn.functional.dropout(x, 0.5) * ml.rand(2)
        z = ml.randn(2) * x
        return y.sum(), z

    for _ in range(3):
        x = ml.ones(2, requires_grad=True)
        a, b = f(x)
        a.backward()
        yield a, b, x.grad, ml.rand(1)


def draws_and_checkpoints(compile: Any) -> Any:
    f = compile(
        lambda x, w: nn.functional.dropout((nn.functional.dropout(ml.tanh(x @ w), 0.5) @ w).exp(), 0.3).sum(),
    )
    for _ in range(3):
        x, w = ml.ones(4, 4, requires_grad=True), ml.full((4, 4), 0.5, requires_grad=True)
        y = f(x, w)
        y.backward()
        yield y, x.grad, w.grad, ml.rand(1)


def python_random(compile: Any) -> Any:
    r = random.Random(0)
    f = compile(lambda x: x * r.random() + r.choice([1, 2, 3]) + r.randint(0, 5))
    for _ in range(4):
        yield f(X)
    r.seed(0)
    yield f(X)
    random.seed(1)
    g = compile(lambda x: (x * random.random(), random.sample(range(9), 3), random.gauss(0, 1)))
    for _ in range(3):
        yield g(X)

    @compile
    def h(x):
        xs = [1, 2, 3, 4]
        random.shuffle(xs)
        random.random()
        return x * xs[0], xs

    for _ in range(3):
        yield h(X), random.random()


def numpy_random(compile: Any) -> Any:
    r = np.random.default_rng(0)
    f = compile(lambda x: (x * float(r.random()), int(r.integers(10)), r.permutation(3).tolist()))
    for _ in range(4):
        yield f(X)
    np.random.seed(0)
    g = compile(lambda x: x * float(np.random.rand()))
    for _ in range(3):
        yield g(X)


def clocks(compile: Any) -> Any:
    import time

    f = compile(lambda x: (x, time.perf_counter(), time.monotonic_ns()))
    a, b, c = f(X), f(X), f(X)
    yield a[1] < b[1] < c[1], a[2] < c[2]


def identities(compile: Any) -> Any:
    import itertools
    import uuid

    ids = itertools.count()
    f = compile(lambda x: (x, next(ids), uuid.uuid4()))
    a, b, c = f(X), f(X), f(X)
    yield a[1], b[1], c[1], len({a[2], b[2], c[2]})


def a_context_manager_by_a_generator(compile: Any) -> Any:
    log = []

    @compile
    def f(x):
        with traced(log, "a") as name:
            x = x * 2
        return x, name

    for _ in range(4):
        yield f(X), list(log)


def a_context_manager_and_an_error(compile: Any) -> Any:
    log = []

    @compile
    def f(x, bad):
        with traced(log, "a"), traced(log, "b"):
            x = x * 2
            if bad:
                raise bad
            x = x + 1
        return x

    for bad in (None, ValueError("v"), None, KeyError("k"), ValueError("v")):
        yield outcome(f, X, bad), list(log)
        log.clear()


def a_context_manager_with_breaks(compile: Any) -> Any:
    log = []

    @compile
    def f(x):
        with traced(log, "a"):
            if x.sum() > 4:
                print("large")
                return x * 2
            with traced(log, "b"):
                x = x + 1
        return x

    for k in (1, 2, 1, 2):
        yield f(X * k), list(log)
        log.clear()


def context_manager_classes(compile: Any) -> Any:
    class Timer:
        depth = 0

        def __enter__(self):
            self.depth += 1
            LOG.append(("in", self.depth))
            return self

        def __exit__(self, kind, value, tb):
            self.depth -= 1
            LOG.append(("out", kind and kind.__name__))
            return kind is KeyError

    t = Timer()

    @compile
    def f(x, d):
        with t as me, me:
            x = x * d["k"]
        return x, me.depth

    for d in ({"k": 1}, {}, {"k": 2}, {"k": None}):
        yield outcome(f, X, d), list(LOG)
        LOG.clear()
    Timer.__enter__ = lambda self: self
    yield outcome(f, X, {"k": 1}), list(LOG)
    LOG.clear()


def the_library_of_context_managers(compile: Any) -> Any:
    log = []

    class Door:
        def close(self):
            log.append("closed")

    @compile
    def f(x, k):
        with contextlib.closing(Door()), contextlib.nullcontext(3) as n:
            x = x * n
        with contextlib.suppress(KeyError, ZeroDivisionError):
            x = x + 1 / k
            log.append("unreached" if not k else "fine")
        with contextlib.ExitStack() as stack:
            stack.callback(log.append, "callback")
            stack.enter_context(traced(log, "inner"))
            x = x * 2
        return x

    for k in (1, 0, 2, 0):
        yield f(X, k), list(log)
        log.clear()
