"""More programs meant to break capture: inheritance, identity, threads, interruptions, monkeypatching."""

# ruff: noqa (programs as people write them)
from __future__ import annotations

import functools
import threading

import numpy as np

import minitorch_lab as ml
from tests.compile.captured.engine import Linear, Module, T, twice

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def h_lists(compile):
    @compile
    def f(x, ns):
        a = ns + [1]
        b = [0] * 3
        c = ns[1:]
        ns.sort()
        del ns[0]
        ns[0] = 77
        a.extend(c)
        a.insert(0, x)
        ns += [5]
        return a, b, c, ns == [77, 5], 77 in ns, ns.index(77), a[1:3], {1, 2} | {3}, ["a", "b"]

    for _ in range(3):
        ns = [3, 1, 2]
        yield f(T(1), ns), ns


@program
def h_local_class(compile):
    @compile
    def f(x):
        class A:
            k = 3

        return x * A.k

    yield from twice(f, (T(1),))


@program
def h_inheritance(compile):
    class A(Module):
        def __init__(self):
            self.w = T(1, 1)

        def forward(self, x):
            return x + self.w

    class M:
        def forward(self, x):
            return super().forward(x) * 2

    class B(M, A):
        def forward(self, x):
            return super().forward(x) - 1

    b = B()
    f = compile(lambda x: b(x))
    yield from twice(f, (T(1, 2),))


@program
def h_numpy(compile):

    @compile
    def f(x):
        y = x * 2
        n = np.sum(y.numpy())
        return y + float(n), ml.tensor(np.ones(2, np.float32)) * y

    yield from twice(f, (T(1, 2),), (T(3, 4),))


@program
def h_inplace_and_item(compile):
    @compile
    def f(x, store):
        store.append(x)
        x += 1
        a = x.sum().item()
        x *= 2
        v = x[0:1]
        v += a
        return x, a, store[0] is x

    for _ in range(3):
        store = []
        yield f(T(1, 2), store), store


@program
def h_random_order(compile):
    import random

    random.seed(0)

    @compile
    def f(x):
        if random.random() > 0.5:
            return x + random.random()
        return x - random.random()

    yield [f(T(0)) for _ in range(12)]


@program
def h_shared_module(compile):
    lin = Linear(2, 2)

    class Net(Module):
        def __init__(self):
            self.a, self.b = lin, lin

        def forward(self, x):
            return self.b(self.a(x))

    net = Net()
    f = compile(net.forward)
    yield from twice(f, (T(1, 2),))
    net.b = Linear(2, 2)
    net.b.bias = T(100, 100)
    yield from twice(f, (T(1, 2),))


@program
def h_globals_inside(compile):
    global COUNT
    COUNT = 0

    def bump():
        global COUNT
        COUNT += 1
        return COUNT

    @compile
    def f(x):
        return x * bump() + COUNT + bump()

    yield [f(T(1)) for _ in range(5)], COUNT


@program
def h_many_ints(compile):
    class C:
        n = 0

    c = C()

    @compile
    def f(x):
        c.n += 1
        if c.n % 3 == 0:
            return x * c.n
        return x + c.n

    yield [f(T(1)) for _ in range(20)], c.n, type(c.n)


@program
def h_string_state(compile):
    @compile
    def f(x, names):
        s = x.sum().item()
        text = f"{s:.1f}"
        names[text] = x
        if text == "3.0":
            return x, text.upper() + "!"
        return -x, text

    for _ in range(2):
        d = {}
        yield [f(T(1, k), d) for k in (2, 3, 2)], d


@program
def h_delete_attr(compile):
    class Box:
        pass

    @compile
    def f(b, x):
        had = hasattr(b, "t")
        if had:
            del b.t
        else:
            b.t = x * 2
        return had, getattr(b, "t", None)

    b = Box()
    yield [f(b, T(1)) for _ in range(5)]


@program
def h_results_of_pure_calls(compile):
    @compile
    def f(x, m):
        s = x.sum().item()
        q, r = divmod(s, 2.0)
        n = int(s)
        return x * q + r, range(n), [i for i in range(n)], complex(s, m.lr), (s, n), max(s, m.lr), sorted([s, m.lr])

    class M:
        lr = 0.5

    m = M()
    for lr in (0.5, 0.25, 9.5):
        m.lr = lr
        yield [f(T(1, k), m) for k in (1, 2, 3, 1)]


@program
def h_identity_swaps(compile):
    class Box:
        pass

    a, b = Box(), Box()
    a.v, b.v = T(1), T(2)

    @compile
    def f(p, q, x):
        p.v = x
        r = q.v * 2
        q.v = r
        return p.v + r

    yield [f(p, q, T(k)) for k, (p, q) in enumerate([(a, b), (a, a), (b, a), (b, b), (a, b), (a, a)])], a.v, b.v


@program
def h_threads(compile):
    @compile
    def f(x, out):
        y = x * 2
        if y.sum() > 4:
            y = y + 1
        out.append(y)

    outs = [[] for _ in range(4)]
    ts = [
        threading.Thread(target=lambda o=o, k=k: [f(T(j % (k + 2)), o) for j in range(40)]) for k, o in enumerate(outs)
    ]
    [t.start() for t in ts], [t.join() for t in ts]
    yield outs


@program
def h_interrupted_capture(compile):
    class Stop(BaseException):
        pass

    state = {"stop": True}

    def unknown(log):
        exec("log.append('u')\nif state['stop']: raise Stop", {"log": log, "state": state, "Stop": Stop})

    unknown.__opaque__ = True

    @compile
    def f(x, log):
        y = x * 2
        log.append("a")
        unknown(log)
        return y + 1

    for stop in (True, True, False, False, True, False):
        state["stop"], log = stop, []
        try:
            yield f(T(1), log), log
        except Stop:
            yield "stopped", log


@program
def h_class_changes(compile):
    class C:
        scale, table = 2.0, {"a": 1}

        def m(self, x):
            return x + 1

        @classmethod
        def c(cls, x):
            return x * cls.scale

        @staticmethod
        def s(x):
            return x - 1

    c = C()

    @compile
    def f(x):
        return c.m(x) * c.scale + c.c(x) + c.s(x) + C.table["a"] + C.scale

    yield f(T(1)), f(T(1))
    C.scale = 3.0
    yield f(T(1)), f(T(1))
    C.m = lambda self, x: x + 100
    yield f(T(1)), f(T(1))
    C.c = classmethod(lambda cls, x: x * 0)
    C.s = staticmethod(lambda x: x - 50)
    C.table = {"a": 7}
    yield f(T(1)), f(T(1))
    c.m = lambda x: x * 9
    yield f(T(1)), f(T(1))


@program
def h_builtin_shadowed(compile):
    space = {"T": T}
    exec("def f(x, ns): return x * max(ns)", space)
    f = compile(space["f"])
    yield f(T(1), [1, 2]), f(T(1), [1, 2])
    space["max"] = lambda ns: 100
    yield f(T(1), [1, 2]), f(T(1), [1, 2])


@program
def h_data_replaced(compile):
    def unknown(x, n):
        exec("x.value = np.ones(n, np.float32)", {"np": np, "x": x, "n": n})

    unknown.__opaque__ = True

    @compile
    def f(x, n):
        y = x + 1
        unknown(x, n)
        return y.sum() + x.sum() * x.shape[0]

    yield [f(T(1, 2), n) for n in (2, 2, 3, 3, 2)]


@program
def h_unhashable_callable(compile):
    class L(list):
        pass

    import functools

    class F:
        __hash__ = None
        __call__ = functools.partialmethod(lambda self, x: x * 3)

    g = F()

    @compile
    def f(x):
        return g(x) + 1

    yield from twice(f, (T(1),))
