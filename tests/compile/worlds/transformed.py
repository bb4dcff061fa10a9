"""Transforms of functions in a world that changes: what the function reads, and what it must not do."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.func import functional_call, grad, hessian, jacfwd, jacrev, jvp, value_and_grad, vmap
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0, 3.0])
COUNT = 0


def what_a_function_reads(compile: Any) -> Any:
    held = types.SimpleNamespace(scale=0.5, w=ml.ones(3), power=2, by=np.ones(3))
    f = compile(lambda x: grad(lambda a: (a**held.power * held.w).sum() * held.scale)(x))
    g = compile(vmap(grad(lambda a: (a**held.power).sum() * held.scale)))
    h = compile(lambda x: vmap(lambda a: a * held.by[0] + ml.tensor(held.by).sum())(x))
    for scale, power in ((0.5, 2), (1.5, 2), (2.5, 3), (0.5, 2), (3.5, 4)):
        held.scale, held.power, held.by = scale, power, held.by + 1
        held.w = held.w * 2
        yield f(X), g(X), g(X.reshape(1, 3)), h(X)
        held.w.add_(1.0)
        yield f(X)


def lengths_of_batches(compile: Any) -> Any:
    f = compile(vmap(grad(lambda a: (a * a).mean())))
    g = compile(lambda x: grad(lambda a: (a * a).mean() * a.shape[0])(x))
    h = compile(lambda x: jacrev(lambda a: a.cumsum(0))(x))
    for n in (2, 3, 4, 5, 2, 6):
        x = ml.arange(1.0, n + 1.0)
        yield g(x), h(x), f(ml.stack([x, x])), f(ml.stack([x] * n))


def transforms_with_other_settings(compile: Any) -> Any:
    f = compile(lambda x, y, i: grad(lambda a, b: (a * b * b).sum(), argnums=i)(x, y))
    g = compile(lambda x, y, d: vmap(lambda a, b: a * b, in_axes=d)(x, y))
    m = ml.ones(3, 3) * X
    for i in (0, 1, 0, -1, (0, 1), 7):
        yield outcome(f, X, X * 2, i)
    for d in (0, (None, 0), (0, None), (1, 0), {"a": 0}, (0, 0)):
        yield outcome(g, m, m, d)


def effects_of_a_function(compile: Any) -> Any:
    global COUNT
    COUNT, held = 0, types.SimpleNamespace(log=[], n=0, t=ml.ones(3), rows=iter(range(100)))

    def appends(a):
        held.log.append(len(held.log))
        return (a * a).sum()

    def counts(a):
        global COUNT
        COUNT += 1
        held.n += 1
        return (a * COUNT * held.n).sum()

    def writes(a):
        held.t.add_(1.0)
        return (a * held.t).sum()

    def prints(a):
        print("inside")
        return (a * a).sum()

    def takes(a):
        return (a * next(held.rows)).sum()

    def keeps(a):
        held.last = tuple(a.shape)
        return a.sum()

    for inner in (appends, counts, writes, prints, takes, keeps):
        f = compile(lambda x, inner=inner: (grad(inner)(x) * 2, value_and_grad(inner)(x)))
        for _ in range(3):
            yield f(X), held.log, held.n, held.t, getattr(held, "last", None), COUNT


def effects_around(compile: Any) -> Any:
    held = types.SimpleNamespace(n=0, log=[])

    @compile
    def f(x):
        held.n += 1
        counted, rows = 0, (i for i in (1.0, 2.0, 3.0))

        def inner(a):
            nonlocal counted
            counted += 1
            return (a * a).sum()

        def pulled(a):
            return (a * next(rows)).sum()

        y = jacrev(lambda a: a.sin() * held.n)(x)
        print("between", held.n)
        z = grad(inner)(x) + grad(pulled)(x)
        held.log.append(counted)
        return (y, z, next(rows)) if y.sum() > 0 else (z, counted)

    for k in (1.0, 2.0, -2.0, 3.0, -1.0):
        yield f(X * k), held.n, held.log


def what_a_function_makes(compile: Any) -> Any:
    def inner(a):
        out, parts, named = ml.zeros(3), [], {}
        for i in range(3):
            out[i] = a[i] * 2
            parts.append(a[i] ** 2)
            named[f"p{i}"] = a[i]
        named.update(q=a.sum())
        return out.sum() + ml.stack(parts).sum() + sum(named.values())

    f = compile(lambda x: (grad(inner)(x), vmap(grad(inner))(ml.stack([x, x])), hessian(inner)(x), jacfwd(inner)(x)))
    g = compile(lambda x: grad(lambda a: ((a * 2).sum(), {"a": a.exp(), "n": 3, "p": (a, a)}), has_aux=True)(x))
    h = compile(lambda x: (vmap(lambda a: a)(x), vmap(lambda a: a)(x) is x, vmap(lambda a: ml.ones(2))(x)))
    for k in (1.0, 2.0, -1.0):
        yield f(X * k), g(X * k), h(X * k), jvp(f, (X,), (X,))


def containers_that_a_function_is_given(compile: Any) -> Any:
    held = {"k": 2.0}

    @compile
    def f(x):
        given = {"p": x, "q": [x * 2]}

        def inner(a, d):
            d["n"] = len(d)
            return (a * d["p"] * d["q"][0]).sum()

        return grad(inner)(x, given), given["n"]

    g = compile(lambda x: grad(lambda a, d: (a * d["k"] * (2 if d is held else 3)).sum())(x, held))
    for k in (2.0, 3.0, 4.0):
        held["k"] = k
        yield f(X), g(X)


def errors_of_a_function(compile: Any) -> Any:
    @compile
    def f(x, k):
        def inner(a):
            if k:
                raise KeyError(k)
            return (a @ ml.ones(len(a))).sum()

        try:
            return grad(inner)(x)
        except KeyError:
            return x * 10

    g = compile(lambda x: grad(lambda a: a * 2)(x))
    h = compile(lambda x: vmap(lambda a: a if a > 0 else -a)(x))
    for k in (0, 1, 0, 2):
        yield outcome(f, X, k), outcome(g, X), outcome(h, X), outcome(f, ml.ones(2, 2), k)


def draws_in_a_function(compile: Any) -> Any:
    for randomness in ("different", "same", "error"):
        f = compile(lambda x, r=randomness: vmap(lambda a: a + ml.randn(2), randomness=r)(x) + ml.rand(2))
        for _ in range(3):
            yield outcome(f, ml.zeros(3, 2)), ml.rand(1)
    g = compile(lambda x: (grad(lambda a: (a * ml.rand(3)).sum())(x), print("drawn"), ml.rand(2)))
    for _ in range(3):
        yield g(X)


def labels_of_examples(compile: Any) -> Any:
    def loss(w, x, y):
        return nn.functional.cross_entropy((w * x).reshape(1, 3), y.reshape(1))

    f = compile(vmap(grad(loss), in_axes=(None, 0, 0)))
    for y in ([0, 1], [2, 2], [0, 3], [1, 0], [-1, 0]):
        yield outcome(f, X, ml.ones(2, 3), ml.tensor(y))


def modules_with_other_parameters(compile: Any) -> Any:
    model = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1))
    norm, names = nn.BatchNorm1d(3), ["0.weight", "2.bias"]

    def loss(p, x):
        return functional_call(model, p, (x,)).sum()

    f = compile(lambda p, x: (functional_call(model, p, (x,)), grad(loss)(p, x), model(x)))
    g = compile(lambda p, x: (functional_call(norm, p, (x,)), norm.running_mean * 1))
    for n in range(4):
        p = {name: dict(model.named_parameters())[name].detach() * n for name in names[: 1 + n % 2]}
        yield f(p, ml.ones(2, 3) * n), outcome(f, p | {"3.weight": X}, ml.ones(2, 3))
        yield g({"weight": X * n}, ml.arange(6).float().reshape(2, 3)), model[0].weight, norm.num_batches_tracked
        with ml.no_grad():
            model[0].weight.mul_(1.5)
        model[1] = nn.ReLU() if n % 2 else nn.Sigmoid()


def names_that_no_dot_is_followed_by(compile: Any) -> Any:
    held = types.SimpleNamespace()

    @compile
    def f(x, k):
        setattr(held, "0", k)
        setattr(held, "class", x)
        out = getattr(held, "0") * getattr(held, "class")
        delattr(held, "0")
        return out, hasattr(held, "0")

    for k in (1.0, 2.0, 3.0):
        yield f(X, k), vars(held)
