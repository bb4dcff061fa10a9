"""Programs meant to break capture: aliasing, escapes, re-entrancy, protocols, exceptions on warm calls."""

from __future__ import annotations

import functools
import itertools
import math
import threading

import numpy as np

import minitorch_lab as ml
from tests.compile.programs.engine import Linear, Module, ReLU, S, T, Tensor, twice

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def h_alias_later(compile):
    class Box:
        pass

    a, b = Box(), Box()
    a.n, b.n, a.other = 1, 10, b

    @compile
    def f(x):
        a.n = 5
        return x * a.other.n

    yield f(T(1)), f(T(1))
    a.other = a
    yield f(T(1)), f(T(1))
    a.other = b
    yield f(T(1))


@program
def h_alias_args(compile):
    @compile
    def f(a, b, x):
        a.append(x)
        return len(b), b[-1] * 2 if b else x

    for _ in range(3):
        p, q = [], []
        yield f(p, q, T(1)), f(p, p, T(2)), f(p, q, T(3)), p, q


@program
def h_resume_with_effects(compile):
    class Acc:
        total, seen = 0, None

    acc = Acc()

    @compile
    def f(xs):
        outs = []
        for x in xs:
            acc.total = acc.total + 1
            outs.append(x * 2)
            if x.sum() > 2:
                outs.append(acc.total)
                acc.seen = outs
        return outs

    for xs in ([T(1), T(5)], [T(5), T(1)], [T(1), T(1)], [T(9), T(9)], [T(1), T(5)]):
        yield f(xs), acc.total, acc.seen


@program
def h_warm_raise(compile):
    def boom(n):
        exec("if n > 2: raise RuntimeError('boom')")
        return n

    boom.__opaque__ = True
    state = {"n": 0.0}

    @compile
    def f(x, log):
        log.append(1)
        state["n"] += 1.0
        y = x + 1
        boom(state["n"])
        return y

    for _ in range(5):
        log = []
        try:
            yield f(T(1), log)
        except RuntimeError as e:
            yield str(e), log, state["n"]


@program
def h_reentrant(compile):
    def hook(n):
        exec("if n > 0: box[0](T(float(n)), n - 1)", {"n": n, "box": box, "T": T})

    hook.__opaque__ = True
    box, log = [], []

    @compile
    def f(x, n):
        y = x * 2
        log.append(n)
        hook(n)
        if y.sum() > 3:
            return y + 1
        return y - 1

    box.append(f)
    for n in (0, 2, 3, 1, 3):
        yield f(T(n + 1), n), list(log)


@program
def h_types(compile):
    @compile
    def f(x, n):
        return x * n, n, type(n)

    yield [f(T(1), n) for n in (1, True, 1.0, 1, 0, False, -0.0, 0.0, 2**70)]


@program
def h_keys(compile):
    @compile
    def f(d):
        return [k for k in d], [v * 2 for v in d.values()]

    yield [
        f(d)
        for d in ({1: T(1)}, {True: T(1)}, {1.0: T(1)}, {"a": T(1), "b": T(2)}, {"b": T(1), "a": T(2)}, {(1, 2): T(2)})
    ]


@program
def h_mutable_default(compile):
    @compile
    def f(x, acc=[]):
        acc.append(x + 1)
        return len(acc), acc[0]

    yield [f(T(i)) for i in range(4)]


@program
def h_escaping_iterators(compile):
    @compile
    def f(xs, d):
        return zip(xs, xs), enumerate(xs), (x * 2 for x in xs), map(lambda v: v + 1, xs), d.items(), iter(xs)

    for _ in range(3):
        yield [[list(i) for i in f([T(1), T(2)], {"a": T(1)})]]


@program
def h_partial_generator(compile):
    def gen(x):
        try:
            while True:
                got = yield x
                x = x + (got or 1)
        finally:
            print("closed")

    @compile
    def f(x):
        g = gen(x)
        a = next(g)
        b = g.send(5)
        g.close()
        return a, b

    yield from twice(f, (T(1),))


@program
def h_protocols(compile):
    class V:
        def __init__(self, t):
            self.t = t

        def __add__(self, o):
            return V(self.t + o.t)

        def __len__(self):
            return 2

        def __bool__(self):
            return False

        def __getitem__(self, i):
            return self.t * i

        def __iter__(self):
            yield self.t
            yield self.t + 1

        def __contains__(self, k):
            return k == 3

        def __eq__(self, o):
            return True

        __hash__ = None

        def __getattr__(self, name):
            return self.t * len(name)

        def __call__(self, k=1):
            return self.t - k

    @compile
    def f(x):
        v = V(x)
        w = v + v
        a, b = v
        return w.t, len(v), v[3], a, b, 3 in v, 4 in v, v == w, v.abc, v(2), "no" if not v else "yes"

    yield from twice(f, (T(1, 2),))


@program
def h_setters(compile):
    class P:
        __slots__ = ("_w", "n")

        def __init__(self):
            self._w, self.n = T(1), 0

        @property
        def w(self):
            return self._w

        @w.setter
        def w(self, v):
            self.n += 1
            self._w = v * 2

    class Q:
        def __setattr__(self, k, v):
            object.__setattr__(self, k, v * 10 if k == "z" else v)

    p, q = P(), Q()

    @compile
    def f(x):
        p.w = x
        q.z = x
        return p.w + q.z

    for _ in range(3):
        yield f(T(3)), p.n, p._w, q.z


@program
def h_functools(compile):
    add3 = functools.partial(lambda a, b, c=0: a + b + c, 1, c=2)

    @compile
    def f(x, xs):
        r = functools.reduce(lambda a, b: a + b, xs)
        return add3(x), r, list(itertools.chain(xs, [x])), math.sqrt(4) * x, math.prod(x.shape)

    yield from twice(f, (T(1), [T(1), T(2)]))


@program
def h_loops(compile):
    @compile
    def f(x, n):
        for i in range(n):
            if i == 1:
                continue
            if i == 4:
                break
            x = x + i
        else:
            x = x * 100
        while True:
            n -= 1
            if n < 0:
                break
        return x, n

    yield from twice(f, (T(1), 3), (T(1), 6))


@program
def h_finally(compile):
    @compile
    def f(x, d, log):
        try:
            try:
                y = x * d["k"]
                return y
            except KeyError as e:
                log.append(str(e))
                raise ValueError("no k") from e
            finally:
                log.append("inner")
        finally:
            log.append("outer")

    for _ in range(3):
        for d in ({"k": 2}, {}):
            log = []
            try:
                yield f(T(1), d, log), log
            except ValueError as e:
                yield str(e), log, type(e.__cause__).__name__, type(e.__context__).__name__


@program
def h_asserts(compile):
    @compile
    def f(x, n):
        assert n > 0, f"bad n {n}"
        return x / n

    for _ in range(3):
        for n in (1, 0):
            try:
                yield f(T(1), n)
            except AssertionError as e:
                yield str(e)


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
        return a, b, c, ns == [77, 5], 77 in ns, ns.index(77), a[1:3], {1, 2} | {3}, "a,b".split(",")

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
