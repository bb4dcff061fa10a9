"""Functions whose surroundings change between calls: globals, cells, attributes, containers, classes, functions."""

from __future__ import annotations

import types
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def an_object_swapped(compile: Any) -> Any:
    class A:
        def __init__(self, k):
            self.k = k

    class Holder:
        pass

    h = Holder()
    h.a = A(1)
    h.b = A(2)

    @compile
    def f(x):
        h.a.k += 1
        return x * h.b.k

    yield f(X), h
    h.b = h.a
    yield f(X), h
    h.a = A(10)
    yield f(X), h, f(X), h


def modules_and_parameters(compile: Any) -> Any:
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    for p in net.parameters():
        p.data = ml.ones(*p.shape)
    f = compile(lambda x: net(x))
    yield f(X)
    net[0].weight.data = ml.full((2, 2), 3.0)
    yield f(X)
    net[0] = nn.Linear(2, 3, bias=False)
    net[0].weight.data = ml.full((3, 2), -1.0)
    yield f(X)
    net.append(nn.Flatten(0))
    yield f(X)
    net.forward = lambda x: x * 9
    yield f(X)


def training_flag(compile: Any) -> Any:
    net = nn.Dropout(0.5)
    f = compile(lambda x: net(x))
    yield f(X), f(X)
    net.eval()
    yield f(X)
    net.p = 0.25
    net.train()
    yield f(X), f(X)


def hooks_of_modules(compile: Any) -> Any:
    log = []
    net = nn.Linear(2, 2)
    net.weight.data = ml.ones(2, 2)
    f = compile(lambda x: net(x).sum())
    yield f(X).item() < 100, log
    if hasattr(net, "register_forward_hook"):
        handle = net.register_forward_hook(lambda m, a, out: log.append(1))
        yield f(X).item() < 100, f(X).item() < 100, list(log)
        handle.remove()
        yield f(X).item() < 100, list(log)


def builtins_shadowed(compile: Any) -> Any:
    g = {"__builtins__": __builtins__, "ml": ml}
    exec("def f(x): return x * len([1, 2]) + max(1, 2)", g)
    f = compile(g["f"])
    yield f(X)
    g["len"] = lambda xs: 10
    yield f(X)
    g["max"] = min
    yield f(X)
    del g["len"]
    yield f(X)


def a_function_in_a_table(compile: Any) -> Any:
    table = {"a": lambda x: x * 2, "b": ml.tanh}
    f = compile(lambda x, k: table[k](x))
    yield f(X, "a"), f(X, "b")
    table["a"] = lambda x: x * 3
    yield f(X, "a"), outcome(f, X, "zz")
    table["zz"] = abs
    yield f(X, "zz")


def a_function_made_in_a_loop(compile: Any) -> Any:
    f = compile(lambda x, g: g(x))
    for k in (1, 2, 3):
        yield f(X, lambda x: x * k)
        yield f(X, lambda x, k=k: x * k + 1)


def bound_methods(compile: Any) -> Any:
    class A:
        def __init__(self, k):
            self.k = k

        def act(self, x):
            return x * self.k

    f = compile(lambda x, g: g(x))
    a = A(2)
    yield f(X, a.act), f(X, A(3).act)
    a.k = 7
    yield f(X, a.act), f(X, A(1).act), f(X, [X][0].add), f(X, [ml.ones(2)][0].add)
    g = compile(lambda x, h: h(x) or x)
    log, other = [], []
    yield g(X, log.append), g(X, other.append), g(X, log.append), log, other


def simple_namespaces(compile: Any) -> Any:
    cfg = types.SimpleNamespace(k=1, sub=types.SimpleNamespace(s=2))
    f = compile(lambda x: x * cfg.k + cfg.sub.s)
    yield f(X)
    cfg.k = 2
    yield f(X)
    cfg.sub.s = 5
    yield f(X)
    cfg.sub = types.SimpleNamespace(s=9)
    yield f(X), f(X)


def weak_references(compile: Any) -> Any:
    import weakref

    class A:
        k = 2

    a = A()
    r = weakref.ref(a)
    f = compile(lambda x: x if r() is None else x * r().k)
    yield f(X), f(X)
    A.k = 3
    yield f(X)
    del a
    yield f(X)


def numpy_arrays(compile: Any) -> Any:
    import numpy as np

    a = np.array([1.0, 2.0])
    f = compile(lambda x: (x * float(a[0]), a.shape, a.sum(), len(a), a.tolist()))
    yield f(X)
    a[0] = 5
    yield f(X)
    a.resize((3,), refcheck=False)
    yield f(X), f(X)


def byte_arrays_and_memory(compile: Any) -> Any:
    import array

    b, a = bytearray(b"ab"), array.array("d", [1.0, 2.0])
    m = memoryview(b)
    f = compile(lambda x: (x * b[0], x * a[1], len(b), m[0], bytes(b), b"a" in b, b.find(b"b"), sum(a)))
    yield f(X)
    b[0], a[1] = 7, 3.0
    yield f(X), f(X)


def a_type_argument(compile: Any) -> Any:
    class A:
        k = 1

        def __init__(self):
            self.v = 2

    class B(A):
        k = 3

    f = compile(lambda x, t: (x * t.k, t().v, t is A, issubclass(t, A), t.__name__))
    yield f(X, A), f(X, B)
    B.k = 7
    yield f(X, B), f(X, A)
    del B.k
    B.__name__ = "C"
    yield f(X, B)


def subclassed_int(compile: Any) -> Any:
    class N(int):
        def __add__(self, other):
            return 100

    class S(str):
        def __len__(self):
            return 9

    class F(float):
        pass

    f = compile(lambda x, n: (x * n, n + 1, n == 1, type(n)))
    yield f(X, N(1)), f(X, 1), f(X, N(2)), f(X, F(2.0)), f(X, 2.0), f(X, F(3.0))
    N.__add__ = lambda self, other: 7
    yield f(X, N(2))
    g = compile(lambda x, s: (x * len(s), s == "a", s + "b"))
    yield g(X, "a"), g(X, S("a")), g(X, S("b")), g(X, "b")


def tuples_subclassed(compile: Any) -> Any:
    class T(tuple):
        def total(self):
            return sum(self)

    f = compile(lambda x, t: (x * t.total(), t[0], len(t), t == (1, 2)))
    yield f(X, T((1, 2))), f(X, T((3, 2))), f(X, T((3, 2, 4))), f(X, T((True, 2)))


def static_type_checks(compile: Any) -> Any:
    import abc

    class Sized(abc.ABC):
        pass

    class A:
        pass

    a = A()
    f = compile(lambda x: (x, isinstance(a, Sized), issubclass(A, Sized)))
    yield f(X)
    Sized.register(A)
    yield f(X), f(X)


def a_name_that_appears(compile: Any) -> Any:
    class A:
        pass

    a = A()
    f = compile(lambda x: (hasattr(a, "k"), x * getattr(a, "k", 2), "k" in vars(a)))
    yield f(X)
    a.k = 5
    yield f(X)
    del a.k
    A.k = 6
    yield f(X)


def truth_of_objects(compile: Any) -> Any:
    class A:
        def __init__(self):
            self.xs = []

        def __len__(self):
            return len(self.xs)

    class B:
        pass

    a, b = A(), B()
    f = compile(lambda x: (x * 2 if a else x, not b, bool(a), a or 3))
    yield f(X)
    a.xs.append(1)
    yield f(X)
    B.__bool__ = lambda self: False
    yield f(X), f(X)


def equality_of_containers(compile: Any) -> Any:
    xs, d = [1, [2, X]], {"a": [1]}
    f = compile(lambda x, ys: (xs[0] == ys, [1, 2] == ys, d == {"a": [1]}, (1, 2) < (xs[0], 3), x))
    yield f(X, [1, 2]), f(X, [1, 3]), f(X, 1), f(X, [1, True])
    d["a"].append(2)
    xs[0] = 0
    yield f(X, [1, 2]), f(X, [1, 2.0])


def warnings_and_logging(compile: Any) -> Any:
    import logging
    import warnings

    logger, seen = logging.getLogger("worlds"), []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())
    logger.addHandler(handler)
    logger.propagate = False

    @compile
    def f(x):
        logger.warning("sum %s", len(x))
        if logger.isEnabledFor(logging.DEBUG):
            x = x * 2
        warnings.warn("careful", stacklevel=1)
        return x + 1

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield f(X), f(X)
        logger.setLevel(logging.DEBUG)
        yield f(X), f(X), [str(w.message) for w in caught], list(seen)
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)
