"""More of what people write: exceptions, containers, classes, unpacking, matching."""

# ruff: noqa (programs as people write them)
from __future__ import annotations

import traceback

import minitorch_lab as ml
from tests.compile.captured.engine import S, T, Tensor, twice

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def raises_to_caller(compile):
    def check(x):
        if x.ndim != 1:
            raise ValueError(f"want 1 axis, got {x.ndim}")
        return x

    @compile
    def f(x, log):
        log.append("start")
        return check(x) * 2

    for _ in range(3):
        log = []
        try:
            yield f(S(1), log)
        except ValueError as e:
            names = [s.name for s in traceback.extract_tb(e.__traceback__)]
            yield str(e), log, ("f" in names)
        yield f(T(1), log), log


@program
def raises_from_opaque(compile):
    @compile
    def f(x, d):
        y = x + 1
        try:
            v = int(str(d["k"]))
        except KeyError:
            v = 0
        except ValueError as e:
            v = -1
            print(e)
        return y * v

    for _ in range(3):
        for d in ({"k": 3}, {"k": "z"}, {}):
            yield f(T(1), d)


@program
def two_shapes(compile):
    @compile
    def f(x):
        return x.reshape(-1) * x.shape[0]

    yield from twice(f, (T(1, 2),), (T(1, 2, 3),), (ml.tensor([[1.0, 2.0]]),))


@program
def isinstance_checks(compile):
    @compile
    def f(x):
        if isinstance(x, (list, tuple)):
            return [f(v) for v in x]
        if isinstance(x, Tensor) and type(x) is Tensor:
            return x * 2
        return x

    yield from twice(f, ([T(1), (T(2), 3)],), (T(1),), (4,))


@program
def builtins_(compile):
    @compile
    def f(xs, ns):
        out = S(0)
        for n, x in zip(ns, xs):
            out = out + n * x
        order = sorted(ns, reverse=True)
        best = max(ns) + min(ns) + len(xs) + sum(ns)
        flags = any(n > 2 for n in ns), all(n > 2 for n in ns)
        return (
            out * order[0] * best,
            flags,
            list(map(lambda n: n + 1, ns)),
            [*reversed(ns)],
            sorted(ns, key=lambda n: -n),
        )

    yield from twice(f, ([T(1), T(2)], [1, 2]), ([T(1), T(2)], [4, 3]))


@program
def delete(compile):
    @compile
    def f(x, d):
        y = x + 1
        del d["k"]
        z = y * 2
        del y
        return z

    for _ in range(3):
        d = {"k": 1, "z": 2}
        yield f(T(1), d), d


@program
def chained_and_walrus(compile):
    @compile
    def f(x, n):
        if 0 < n <= 3 and (m := n * 2) > 2:
            x = x * m
        if 0 < x.sum() < 10:
            return x + 1
        return x

    yield from twice(f, (T(1), 2), (T(1), 1), (T(1), 9), (T(90), 2))


@program
def match_statement(compile):
    class Point:
        __match_args__ = ("x", "y")

        def __init__(self, x, y):
            self.x, self.y = x, y

    @compile
    def f(cmd, x):
        match cmd:
            case "neg":
                return -x
            case ["add", n]:
                return x + n
            case {"mul": k, **rest}:
                return x * k + len(rest)
            case Point(a, y=b):
                return a + b
            case int(n) if n > 3:
                return x * n
            case _:
                return None

    for _ in range(3):
        for c in ("neg", ["add", 2], {"mul": 3, "z": 1}, Point(T(1), T(5)), 7, 2):
            yield f(c, T(1, 2))


@program
def unpacking(compile):
    @compile
    def f(p, x):
        (a, b), *c = p
        a, b = b, a
        return a - b * c[0], {"u": x, "v": a}, [*c, a], (*c, b)

    yield from twice(f, (((T(1), T(2)), T(3), T(4)), T(0)))


@program
def nonlocal_(compile):
    @compile
    def f(x):
        n = 0

        def step(y):
            nonlocal n
            n += 1
            return y * n

        return step(step(x)), n

    yield from twice(f, (T(1),))


@program
def outer_nonlocal(compile):
    n = 0

    @compile
    def f(x):
        nonlocal n
        n += 1
        return x * n

    for _ in range(4):
        yield f(T(1)), n


@program
def returns_closure(compile):
    @compile
    def f(x):
        y = x * 2
        return lambda z: y + z

    for _ in range(3):
        yield f(T(1))(T(5)), f(T(2))(T(5))


@program
def aliasing_identity(compile):
    @compile
    def f(a, b):
        a.append(1)
        c = [len(b)]
        return a, c, c, len(b)

    one, two = [], []
    for _ in range(3):
        r = f(one, two)
        yield r[0] is one, r[1] is r[2], r
    for _ in range(2):
        r = f(one, one)
        yield r[0] is one, r


@program
def opaque_mutates(compile):
    box = {"n": 1}
    state = [0]

    def unknown(b):
        exec("b['n'] += 1")

    unknown.__opaque__ = True

    @compile
    def f(x):
        y = x * box["n"]
        unknown(box)
        return y + x * box["n"]

    for _ in range(4):
        yield f(T(1)), dict(box)


@program
def order_of_effects(compile):
    @compile
    def f(x, log):
        log.append("a")
        print(len(log), x)
        log.append(x * 2)
        print(log)
        log.clear()
        return x + 1

    for _ in range(3):
        log = []
        yield f(T(1), log), log


@program
def property_and_class(compile):
    class Thing:
        scale = 3.0

        def __init__(self, w):
            self.w = w

        @property
        def double(self):
            return self.w * 2

        @staticmethod
        def s(x):
            return x + 1

        @classmethod
        def c(cls, x):
            return x * cls.scale

    class Child(Thing):
        def __init__(self, w):
            super().__init__(w)
            self.extra = 1

    t = Thing(T(1, 2))

    @compile
    def f(x):
        made = Child(x)
        return t.double + t.s(x) + t.c(x) + made.double, made.extra

    yield from twice(f, (T(3, 4),))
    t.w = T(100, 100)
    yield from twice(f, (T(3, 4),))


@program
def float_constant_not_confused(compile):
    class M:
        pass

    m = M()
    m.lr = 0.5

    @compile
    def f(x):
        y = x * m.lr
        z = x * 0.1
        m.lr = 0.1
        return y + z

    for _ in range(3):
        yield f(T(1))
    m.lr = 0.7
    yield f(T(1))


@program
def with_and_exception(compile):
    class Ctx:
        def __init__(self, log):
            self.log = log

        def __enter__(self):
            self.log.append("in")
            return self

        def __exit__(self, t, v, tb):
            self.log.append(t.__name__ if t else "ok")
            return t is KeyError

    @compile
    def f(x, log, d):
        with Ctx(log):
            x = x + d["k"]
        return x * 2

    for _ in range(3):
        for d in ({"k": 1}, {}):
            log = []
            yield f(T(1), log, d), log


@program
def list_of_outputs(compile):
    @compile
    def f(x, n):
        outs = []
        for i in range(n):
            outs.append(x * i)
            if i == 2:
                print("two")
        return outs, outs[-1] + outs[0]

    yield from twice(f, (T(1, 2), 4))


@program
def dict_iteration(compile):
    @compile
    def f(params, grads):
        return {k: p - 0.1 * grads[k] for k, p in params.items()}

    yield from twice(f, ({"w": T(1), "b": T(2)}, {"w": T(1), "b": T(1)}), ({"w": T(3)}, {"w": T(1)}))
