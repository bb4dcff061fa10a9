"""What people write: branches, loops, closures, modules, side effects, breaks."""

# ruff: noqa (programs as people write them)
from __future__ import annotations


import minitorch_lab as ml
from tests.compile.captured.engine import Linear, Module, ReLU, S, T, twice

PROGRAMS = {}

SCALE, CONFIG, COUNTER = 2.0, {"bias": 1.0}, 0


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def leaky_relu(compile):
    @compile
    def f(x):
        y = x * 2
        if y > 0:
            return y + 1
        return y * 0.1

    yield from twice(f, (S(1),), (S(-1),), (S(3),))


@program
def print_in_the_middle(compile):
    @compile
    def f(x):
        y = x + 1
        print("y is", y)
        return y * 2

    yield from twice(f, (T(1, 2),), (T(5, 6),))


@program
def loop_range(compile):
    @compile
    def f(x, n):
        for i in range(n):
            x = x * 2 + i
        return x

    yield from twice(f, (T(1, 2), 3), (T(1, 2), 5))


@program
def loop_modules(compile):
    layers = [Linear(3, 4), ReLU(), Linear(4, 2)]

    @compile
    def f(x):
        for layer in layers:
            x = layer(x)
        return x

    yield from twice(f, (T(1, 2, 3),))
    layers.append(ReLU())
    yield from twice(f, (T(1, 2, 3),))
    layers[0] = Linear(3, 4)
    layers[0].bias = T(9, 9, 9, 9)
    yield from twice(f, (T(1, 2, 3),))


@program
def closure(compile):
    def make(k):
        def inner(x):
            return x * k

        return inner

    g = make(3.0)

    @compile
    def f(x):
        h = make(2.0)
        return g(x) + h(x)

    yield from twice(f, (T(1, 2),))


@program
def method_state(compile):
    class Net(Module):
        def __init__(self):
            self.calls, self.lin = 0, Linear(2, 2)

        def forward(self, x):
            self.calls += 1
            x = self.lin(x)
            self.last = x
            return x * self.calls

    net = Net()
    f = compile(net.forward)
    for _ in range(4):
        yield f(T(1, 2)), net.calls, net.last


@program
def side_effects_on_arguments(compile):
    @compile
    def f(x, log, d):
        log.append(x + 1)
        d["k"] = x * 2
        y = log[-1] * 3
        d["n"] = d.get("n", 0) + 1
        return y

    log, d = [], {}
    for _ in range(4):
        yield f(T(1, 2), log, d), list(log), dict(d)


@program
def globals_change(compile):
    global SCALE

    @compile
    def f(x):
        return x * SCALE + CONFIG["bias"]

    for SCALE in (2.0, 2.0, 5.0, 7.0):
        CONFIG["bias"] = SCALE + 1
        yield f(T(1, 2))


@program
def global_store(compile):
    global COUNTER
    COUNTER = 0

    @compile
    def f(x):
        global COUNTER
        COUNTER += 1
        return x * COUNTER

    for _ in range(4):
        yield f(T(1, 2)), COUNTER


@program
def comprehension(compile):
    @compile
    def f(xs):
        ys = [x * 2 for x in xs if x.ndim == 1]
        d = {i: y for i, y in enumerate(ys)}
        return ys[0] + d[1], ys

    yield from twice(f, ([T(1), T(2), S(3)],), ([T(1), T(2)],))


@program
def generator_expression(compile):
    @compile
    def f(xs):
        return sum(x * x for x in xs)

    yield from twice(f, ([T(1), T(2), T(3)],))


@program
def generator_function(compile):
    def gen(x, n):
        for i in range(n):
            x = x + i
            yield x

    @compile
    def f(x):
        a, *rest = gen(x, 3)
        return a, rest, list(gen(x, 2))

    yield from twice(f, (T(1, 2),))


@program
def try_around_op(compile):
    @compile
    def f(x, y):
        try:
            z = x @ y
        except ValueError:
            z = x * 2
        finally:
            x = x + 1
        return z + x

    yield from twice(f, (T(1, 2), T(3, 4)), (T(1, 2), T(3, 4, 5)))


@program
def with_no_grad(compile):
    w = ml.tensor([1.0, 2.0], requires_grad=True)

    @compile
    def f(x):
        a = x * w
        with ml.no_grad():
            b = a * 2
        c = a + b
        return a, b, c

    for _ in range(3):
        yield [t.requires_grad for t in f(T(1, 2))], f(T(1, 2))


@program
def early_return_in_loop(compile):
    @compile
    def f(xs):
        for i, x in enumerate(xs):
            if x.sum() > 3:
                return i, x * 10
        return None

    yield from twice(f, ([T(1), T(5), T(9)],), ([T(1), T(2), T(3)],), ([T(7), T(2), T(3)],))


@program
def while_tensor(compile):
    @compile
    def f(x):
        n = 0
        while x.sum() < 20:
            x = x * 2
            n += 1
        return x, n

    yield from twice(f, (T(1, 2),), (T(10, 20),), (T(3, 4),))


@program
def item_arithmetic(compile):
    @compile
    def f(x):
        s = x.sum().item()
        k = s * 2 + 1
        return x * k, k

    yield from twice(f, (T(1, 2),), (T(4, 5),), (T(7, 8),))


@program
def item_branch(compile):
    @compile
    def f(x):
        s = x.sum().item()
        if s > 5:
            return x / s
        return x

    yield from twice(f, (T(1, 2),), (T(4, 5),), (T(7, 8),))


@program
def fstring(compile):
    @compile
    def f(x):
        y = x.sum()
        msg = f"sum={y:.2f} n={x.shape[0]} {y!r}"
        return msg, x + 1

    yield from twice(f, (T(1, 2),), (T(4, 5),))


@program
def star_args(compile):
    def g(a, *rest, k=1.0, **kw):
        for r in rest:
            a = a + r
        return a * k + kw.get("b", 0.0)

    @compile
    def f(*args, **kwargs):
        return g(*args, **kwargs)

    for _ in range(3):
        yield f(T(1), T(2), T(3)), f(T(1), k=2.0, b=5.0), f(T(1), k=3.0)


@program
def default_args(compile):
    @compile
    def f(x, scale=2.0, *, shift=T(1, 1)):
        return x * scale + shift

    for _ in range(3):
        yield f(T(1, 2)), f(T(1, 2), 3.0), f(T(1, 2), shift=T(5, 5)), f(x=T(0, 0))


@program
def inplace_on_view(compile):
    @compile
    def f(x):
        v = x[0:2]
        v += 1
        x[2] = 9.0
        return x * 2

    for _ in range(3):
        x = T(1, 2, 3)
        yield f(x), x


@program
def inplace_alias(compile):
    @compile
    def f(x, y):
        x += 1
        return y * 2

    a = T(1, 2)
    for _ in range(3):
        yield f(T(1, 2), T(1, 2)), f(a, a)


@program
def random_op(compile):
    ml.manual_seed(0)

    @compile
    def f(x):
        y = x + ml.rand(2)
        if y.sum() > 3.2:
            return y + ml.rand(2)
        return y

    for _ in range(8):
        yield f(T(1, 1))


@program
def function_in_container(compile):
    table = {"double": lambda x: x * 2, "inc": lambda x: x + 1}

    @compile
    def f(x, which):
        return table[which](x)

    yield from twice(f, (T(1), "double"), (T(1), "inc"))
    table["inc"] = lambda x: x + 100
    yield from twice(f, (T(1), "inc"))


@program
def recursion(compile):
    @compile
    def f(x, n=4):
        return x if n == 0 else f(x * 2, n - 1) + 1

    yield from twice(f, (T(1),))
