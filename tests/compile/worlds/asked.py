"""Functions of which a capture asks something rare: sizes, labels, modes around unknown calls, keys, identities."""

from __future__ import annotations

import sys
import types
from typing import Any

import minitorch_lab as ml
from minitorch_lab.nn import functional as F
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
ME: Any = sys.modules[__name__]
KEPT: Any = 0
STATE: Any = types.SimpleNamespace(k=1, w=None)


def unknown(act: Any) -> Any:
    """Call something where no capture looks."""
    eval("0")
    return act()


def sizes_asked_for(compile: Any) -> Any:
    f = compile(lambda x: (x.is_contiguous(), x.stride(), x.reshape(-1), x @ x.mT, ml.cat([x, x]).shape, x.numel()))
    for n in (2, 3, 4, 5, 2):
        yield f(ml.ones(n, 3)), f(ml.ones(3, n).T)
    g = compile(lambda x, n: (ml.zeros(n), x.repeat(n), x[:n], x.sum() * n, list(range(n))))
    for n in (2, 3, 4, 5, 2):
        yield g(X, n), g(ml.ones(n), n)
    h = compile(lambda x: x.reshape(2, -1) if x.shape[0] % 2 == 0 else x.reshape(-1, x.shape[0]).sum(0))
    for n in (2, 4, 3, 6, 5):
        yield h(ml.arange(float(n)))


def sizes_and_gradients(compile: Any) -> Any:
    w = ml.ones(3, requires_grad=True)

    @compile
    def f(x, k):
        loss = ((x * w) ** k).mean() + (x * k).sum()
        loss.backward()
        return loss

    for n, k in ((2, 2), (3, 3), (4, 2.5), (5, 1.5), (2, 4)):
        yield f(ml.ones(n, 3), k), w.grad
        w.grad = None if n == 3 else w.grad


def labels_that_fit(compile: Any) -> Any:
    f = compile(lambda x, y: (F.cross_entropy(x, y), F.one_hot(y, 3)))
    for y in ([0, 1], [2, 2], [0, 3], [1, 0], [-1, 0]):
        yield outcome(f, ml.ones(2, 3), ml.tensor(y))
    g = compile(lambda x, y, n: F.one_hot(y, n) + F.cross_entropy(x, y.reshape(-1)))
    for n in (3, 4, 5, 1, 2):
        yield outcome(g, ml.ones(2, 3), ml.tensor([0, 1]), n), outcome(g, ml.ones(3, n), ml.tensor([0, 1, 2]), n)


def modes_around_unknown_calls(compile: Any) -> Any:
    w = ml.ones(2, requires_grad=True)

    @compile
    def f(x, on):
        a = x * w
        with ml.no_grad():
            b = x * w
            seen = unknown(ml.is_grad_enabled)
            c = x * w
        unknown(lambda: ml.set_grad_enabled(on))
        d = x * w
        return [v.requires_grad for v in (a, b, c, d)], seen, ml.is_grad_enabled()

    for on in (True, False, True, True):
        yield f(X, on), ml.is_grad_enabled()
        ml.set_grad_enabled(True)

    @compile
    def g(x):
        with ml.no_grad():
            y = x * w
        z = x * w
        return y, z, unknown(ml.is_grad_enabled)

    for on in (True, False, True):
        ml.set_grad_enabled(on)
        yield g(X)
    ml.set_grad_enabled(True)


def worlds_changed_by_unknown_calls(compile: Any) -> Any:
    def change():
        STATE.k += 1
        STATE.w.data = ml.ones(STATE.k)

    def fail():
        change()
        raise ValueError(STATE.k)

    @compile
    def f(x, act):
        a, b = STATE.k, STATE.w.sum()
        try:
            unknown(act)
        except ValueError:
            x = x + 1
        return x * a + b, STATE.k, STATE.w * 2, STATE.w.shape

    STATE.k, STATE.w = 1, ml.ones(1)
    for act in (change, fail, change, fail):
        yield f(X, act), f(X, act)


def hooks_that_change_the_world(compile: Any) -> Any:
    w = ml.ones(2, requires_grad=True)
    STATE.k = 1

    def hook(g):
        STATE.k += 1
        return g * STATE.k

    w.register_hook(hook)

    @compile
    def f(x):
        a = STATE.k
        (x * w).sum().backward()
        return a, STATE.k, w.grad * STATE.k

    for _ in range(4):
        yield f(X)


def a_global_read_through_its_module(compile: Any) -> Any:
    @compile
    def f(x):
        global KEPT
        KEPT = x * 2
        a = ME.KEPT
        ME.KEPT = a + 1
        return a, KEPT

    for k in (1, 2, 3):
        yield f(X * k), KEPT


def attributes_deleted(compile: Any) -> Any:
    b = types.SimpleNamespace()

    @compile
    def f(x):
        del b.k
        b.m = x
        del b.m
        return hasattr(b, "k"), hasattr(b, "m"), x

    for _ in range(3):
        b.k = 1
        yield f(X), b
    yield outcome(f, X), b


def keys_that_are_objects(compile: Any) -> Any:
    a, b = types.SimpleNamespace(k=1), object()
    c = object()
    d: Any = {b: 1}

    @compile
    def f(x, o, p):
        d[o] = d.get(o, 0) + 1
        d[p] = d.get(p, 0) + 10
        return x * d[o], d[p], len(d), o in d

    for o, p in ((b, c), (c, b), (b, b), (c, c), (b, c)):
        yield f(X, o, p), list(d.values())
    d.clear()
    yield f(X, b, c), list(d.values())
    g = compile(lambda x, o, p: ({id(o): 1, id(p): 2}, id(o) == id(p), o is p)[1:])
    for o, p in ((b, c), (b, b), (c, a), (a, a)):
        yield g(X, o, p)

    @compile
    def h(x, k):
        e = d.get(k)
        d["z"] = x
        d[k] = 5
        return e, d.get(k), d["z"]

    for k in (b, "z", "y", "z"):
        yield h(X, k)


def numbers_that_are_asked_for(compile: Any) -> Any:
    held = types.SimpleNamespace(a=1, b=1, p=0.5, q=1.5)
    f = compile(
        lambda x: (held.a is held.b, int("11", base=held.a + 1), round(2.34567, ndigits=held.b), [0, 1, 2][held.b])
    )
    for held.a, held.b in ((1, 1), (2, 1), (3, 2), (5, 2), (2, 2), (7, 0)):
        yield outcome(f, X)
    g = compile(
        lambda x: (sorted([held.p, held.q]), {held.p: 1, held.q: 2}, bool(held.p), held.p in (0.5, 2.5), held.p == 0)
    )
    for held.p, held.q in ((0.5, 1.5), (1.5, 0.5), (0.0, 1.0), (2.5, 2.5), (-1.0, -2.0)):
        yield g(X)
    h = compile(lambda x, s: ({s: 1}.get("ab", 0), {s, "ab"} == {"ab"}, s + "!", len(s)))
    for s in ("ab", "cd", "ab", "", "ef"):
        yield h(X, "".join((s[:1], s[1:])))


def gradients_of_one_and_of_two(compile: Any) -> Any:
    w, v = ml.ones(2, requires_grad=True), ml.ones(2, requires_grad=True)
    held = types.SimpleNamespace(ps=[w, v])

    @compile
    def f(x):
        a, b = held.ps
        a.grad = x * 2
        b.grad = None
        if a.grad is not None:
            x = x * 10
        return x

    @compile
    def g(x):
        a, b = held.ps
        (a * b * x).sum().backward()
        return a.grad is b.grad

    for ps in ([w, v], [w, w], [v, w], [w, w], [w, v]):
        held.ps = ps
        yield f(X), w.grad, v.grad
        yield g(X), w.grad, v.grad
