"""Functions in contexts that change: gradient modes, other modules, blocks, copies, the stack."""

from __future__ import annotations

import contextlib
import contextvars
import copy
import importlib
import string
import sys
import types
from typing import Any

import numpy as np

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
VAR: contextvars.ContextVar[int] = contextvars.ContextVar("VAR", default=1)


def gradient_modes_between(compile: Any) -> Any:
    w = ml.ones(2, requires_grad=True)
    f = compile(lambda x: (x * w, ml.is_grad_enabled()))
    yield f(X)
    with ml.no_grad():
        yield f(X)
        with ml.enable_grad():
            yield f(X)
    ml.set_grad_enabled(False)
    try:
        yield f(X)
    finally:
        ml.set_grad_enabled(True)
    yield f(X)

    @compile
    def g(x, on):
        ml.set_grad_enabled(on)
        return x * w

    for on in (False, True, False):
        yield g(X, on), ml.is_grad_enabled()
    ml.set_grad_enabled(True)

    @compile
    def h(x, fails):
        with ml.no_grad():
            y = x * w
            if fails:
                raise ValueError("in no_grad")
        return y, x * w

    for fails in (False, True, False):
        yield outcome(h, X, fails), ml.is_grad_enabled()


def numpy_error_states(compile: Any) -> Any:
    a = np.array([1.0, 0.0])
    f = compile(lambda x: (x * 2, np.divide(1.0, a).tolist()))
    for how in ("ignore", "raise", "ignore"):
        with np.errstate(divide=how):
            yield outcome(f, X)
    a[1] = 2.0
    yield f(X)


def other_modules(compile: Any) -> Any:
    other = types.ModuleType("worlds_other")
    exec("K = 2\nxs = []\ndef act(x):\n    global K\n    K += 1\n    xs.append(K)\n    return x * K", other.__dict__)
    sys.modules["worlds_other"] = other
    try:
        f = compile(lambda x: other.act(x) + other.K)

        @compile
        def g(x):
            import worlds_other

            return worlds_other.act(x) * len(worlds_other.xs)

        yield f(X), g(X), other.K, other.xs
        other.K = 10
        yield f(X), g(X), other.K, other.xs
        other.act = lambda x: x
        yield f(X), g(X)
        new = types.ModuleType("worlds_other")
        new.act, new.xs = (lambda x: x * -1), [1, 2]
        sys.modules["worlds_other"] = new
        yield f(X), g(X)
    finally:
        del sys.modules["worlds_other"]
    yield f(X), outcome(g, X)


def a_module_reloaded(compile: Any) -> Any:
    f = compile(lambda x: (x * len(string.digits), string.capwords("a b")))
    yield f(X)
    string.digits = "01"
    yield f(X)
    importlib.reload(string)
    yield f(X)


def context_managers_with_state(compile: Any) -> Any:
    class Depth:
        n, log = 0, []

        def __enter__(self):
            self.n += 1
            self.log.append(self.n)
            return self

        def __exit__(self, kind, error, trace):
            self.n -= 1
            self.log.append(kind and kind.__name__)
            return kind is ValueError

    depth = Depth()

    @compile
    def f(x, error):
        with depth as d:
            x = x * d.n
            if error is not None:
                raise error
            return x
        return x + 100

    for error in (None, ValueError("a"), None, KeyError("b"), ValueError("c")):
        yield outcome(f, X, error), depth.n, depth.log
    depth.n = 5
    yield f(X, None)
    Depth.__exit__ = lambda self, *_: True
    yield f(X, KeyError("k")), depth.n
    Depth.__enter__ = lambda self: types.SimpleNamespace(n=50)
    yield f(X, None)


def exit_stacks(compile: Any) -> Any:
    log = []

    @contextlib.contextmanager
    def block(name):
        log.append(name)
        try:
            yield len(log)
        except ValueError:
            log.append(f"caught in {name}")
            raise
        finally:
            log.append(f"out of {name}")

    names = ["a", "b"]

    @compile
    def f(x, fails):
        with contextlib.ExitStack() as stack:
            ks = [stack.enter_context(block(n)) for n in names]
            stack.callback(log.append, "called")
            if fails:
                raise ValueError("in the stack")
            return x * sum(ks)

    yield f(X, False), log.copy(), log.clear()
    yield outcome(f, X, True), log.copy(), log.clear()
    names.append("c")
    yield f(X, False), log.copy(), log.clear()
    with contextlib.suppress(ValueError):
        yield f(X, True)
    yield log


def a_context_manager_left_open(compile: Any) -> Any:
    @contextlib.contextmanager
    def block():
        state.append("in")
        yield len(state)
        state.append("out")

    state, held = [], []

    @compile
    def enter(x):
        cm = block()
        held.append(cm)
        return x * cm.__enter__()

    @compile
    def leave(x):
        held.pop().__exit__(None, None, None)
        return x * len(state)

    for _ in range(2):
        yield enter(X), list(state), leave(X), list(state)


def copies_of_what_changes(compile: Any) -> Any:
    class A:
        def __init__(self):
            self.xs, self.k = [1], 2

    a = A()

    @compile
    def f(x):
        b, c = copy.copy(a), copy.deepcopy(a)
        b.k += 1
        c.xs.append(5)
        b.xs.append(6)
        return x * b.k, c.xs, a.k, a.xs

    yield f(X), f(X)
    a.k, a.extra = 10, {"z": 1}
    yield f(X), vars(a)
    A.__copy__ = lambda self: types.SimpleNamespace(k=-1, xs=[])
    yield f(X)


def the_stack_asked(compile: Any) -> Any:
    @compile
    def f(x):
        try:
            raise KeyError("k")
        except KeyError:
            kind = sys.exc_info()[0].__name__
        return x, kind, sys.exc_info()[0]

    yield f(X), f(X)
    try:
        raise ValueError("outside")
    except ValueError:
        yield f(X)[1], outcome(f, X)[1]


def the_recursion_limit_and_flags(compile: Any) -> Any:
    held = types.SimpleNamespace(seen=[])
    f = compile(lambda x: (sys.getrecursionlimit() > 0, held.seen.append(sys.argv is not None), x * len(held.seen)))
    yield f(X), f(X)
    path = sys.path
    g = compile(lambda x: (len(sys.path), "nowhere" in sys.path))
    n, found = g(X)
    try:
        sys.path = [*path, "nowhere"]
        yield [b - a for a, b in zip((n, found), g(X), strict=True)]
        sys.path.append("more")
        yield [b - a for a, b in zip((n, found), g(X), strict=True)]
    finally:
        sys.path = path


def a_context_manager_of_the_users(compile: Any) -> Any:
    log = []

    @contextlib.contextmanager
    def doubled(x, k):
        log.append(("in", k))
        try:
            yield x * 2
        finally:
            log.append(("out", k))

    @compile
    def f(x, k):
        with doubled(x, k) as y:
            z = y * k
            if k == 2:
                raise ValueError(k)
        return z

    for k in (1, 2, 3, 2, 1.5):
        yield outcome(f, X, k), list(log)
    yield getattr(getattr(f, "_compiled", None), "reason", "") == ""
