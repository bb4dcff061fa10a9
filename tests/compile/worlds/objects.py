"""Functions that do things to the world: write, draw, enter and leave, print, raise."""

from __future__ import annotations

import contextlib
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
COUNT: Any = 0


class Box:
    def __init__(self, *h: Any) -> None:
        self.h = list(h)


def a_fresh_object_with_a_list(compile: Any) -> Any:
    class A:
        def __init__(self, x):
            self.x, self.h, self.d = x, [], {}

    @compile
    def f(x, y):
        a = A(x)
        a.h.append(y)
        a.d["y"] = y
        a.h.append(x + y)
        a.s = {1}
        a.s.add(2)
        return a

    for k in range(3):
        yield f(X, X * k)


def a_fresh_object_with_an_object(compile: Any) -> Any:
    class A:
        def __init__(self):
            self.box = Box()
            self.t = ([], {})

    @compile
    def f(x):
        a = A()
        a.box.h.append(x)
        a.t[0].append(1)
        a.t[1]["k"] = [2]
        a.t[1]["k"].append(x * 2)
        inner = a.box
        inner.n = 5
        b = [a, [inner]]
        b[1].append(3)
        return b

    for _ in range(3):
        yield f(X)


def fresh_containers_in_containers(compile: Any) -> Any:
    @compile
    def f(x):
        a = []
        d = {"a": a, "t": (a, [])}
        a.append(x)
        d["t"][1].append(x * 2)
        d["n"] = {}
        d["n"]["x"] = []
        d["n"]["x"].append(1)
        rest = [d for _ in range(2)]
        rest[1]["late"] = [1]
        rest[0]["late"].append(2)
        return d

    for _ in range(3):
        yield f(X)


def a_fresh_object_kept_outside(compile: Any) -> Any:
    kept = []

    @compile
    def f(x):
        b = Box(1)
        kept.append(b)
        b.h.append(2)
        b.h.append(x)
        return len(b.h)

    for _ in range(3):
        yield f(X), kept


def a_fresh_list_in_a_global(compile: Any) -> Any:
    global COUNT

    @compile
    def f(x):
        global COUNT
        mine = []
        COUNT = mine
        mine.append(x)
        mine.append(len(COUNT))
        return x

    for _ in range(3):
        yield f(X), COUNT


def a_fresh_object_across_a_break(compile: Any) -> Any:
    @compile
    def f(x):
        b = Box(x)
        b.h.append(1)
        print(len(b.h))
        b.h.append(x * 2)
        b.n = 3
        print(b.n)
        b.n = 4
        return b

    for _ in range(3):
        yield f(X)


def a_fresh_object_and_a_branch(compile: Any) -> Any:
    @compile
    def f(x):
        b = Box()
        b.h.append(x)
        if x.sum() > 4:
            b.h.append(1)
            b.d = {"a": []}
            b.d["a"].append(2)
        else:
            b.h.append(2)
        return b

    for k in (1, 2, 1, 3, 2):
        yield f(X * k)


def an_attribute_written_after_a_break(compile: Any) -> Any:
    b = Box()

    @compile
    def f(x):
        y = x * 2
        print("break")
        b.last = y
        b.n = getattr(b, "n", 0) + 1
        print("again")
        b.last = y + 1
        return y

    for _ in range(4):
        yield f(X), b


def attributes_written_around_breaks(compile: Any) -> Any:
    writes = []

    class A:
        def __setattr__(self, name, v):
            writes.append(name)
            object.__setattr__(self, name, v)

    a = A()

    @compile
    def f(x):
        a.n = 1
        if x.sum() > 4:
            a.m = 2
            x = x * 2
        a.k = x
        print("here")
        a.n = 2
        return x + a.n

    for k in (1, 2, 1, 2):
        yield f(X * k), list(writes), a
        writes.clear()


def an_attribute_written_twice(compile: Any) -> Any:
    b = Box()

    @compile
    def f(x):
        b.n = x * 2
        b.n = b.n + 1
        if b.n.sum() > 9:
            b.n = b.n * 10
        return b.n

    for k in (1, 2, 3, 1):
        yield f(X * k), b.n


def counting_calls(compile: Any) -> Any:
    class A:
        n = 0

        def __call__(self, x):
            self.n += 1
            self.last = x * self.n
            return self.last + 1

    a = A()
    f = compile(lambda x: a(x))
    for _ in range(4):
        yield f(X), a


def counting_in_a_module(compile: Any) -> Any:
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.n = 0
            self.seen = []
            self.register_buffer("mean", ml.zeros(2))

        def forward(self, x):
            self.n += 1
            self.last = x * 2
            self.seen.append(self.n)
            self.mean = self.mean * 0.5 + x
            return self.last + self.mean

    net = Net()
    f = compile(lambda x: net(x))
    for _ in range(4):
        yield f(X), net.n, net.last, net.seen, net.mean


def draws_not_used(compile: Any) -> Any:
    @compile
    def f(x):
        ml.rand(3)
        y = ml.randn(2) * 0
        z = ml.randn(2)
        ml.rand(2, 2) * x
        return x + ml.rand(2)

    for _ in range(3):
        yield f(X), ml.rand(1)


def draws_of_every_kind_not_used(compile: Any) -> Any:
    def draw(x):
        ml.rand(2), ml.randn(2), ml.randint(0, 10, (3,)), ml.randperm(5)
        ml.rand_like(x), ml.randn_like(x), ml.bernoulli(ml.full((3,), 0.5)), ml.normal(x, x)
        nn.functional.dropout(x, 0.5)
        ml.multinomial(ml.ones(3), 2)
        x.clone().uniform_()
        x.clone().normal_()
        ml.empty(3).bernoulli_(0.5)

    def only(x):
        out = []
        for g in (
            lambda: ml.rand(2), lambda: ml.randn(2), lambda: ml.randint(0, 10, (3,)), lambda: ml.randperm(5),
            lambda: ml.rand_like(x), lambda: ml.randn_like(x), lambda: ml.bernoulli(ml.full((3,), 0.5)),
            lambda: ml.normal(x, x), lambda: nn.functional.dropout(x, 0.5), lambda: ml.multinomial(ml.ones(3), 2),
            lambda: x.clone().uniform_(), lambda: x.clone().normal_(),
        ):  # fmt: skip
            with contextlib.suppress(AttributeError):
                g()
        return x * 2

    f = compile(only)
    for _ in range(3):
        yield f(X), ml.rand(1)


class Table:
    size = 0

    def add(self, k, v):
        if not hasattr(self, k) and self.size == 0:
            setattr(self, k, v)
            self.size = 1
        return self


def a_call_resumed_after_its_object_has_grown(compile: Any) -> Any:
    seen: dict[str, Any] = {}

    @compile
    def f(x):
        made = Table().add("k", 2)
        y = (x * made.k).sum()
        y.backward()
        seen["n"] = seen["n"] + 1 if "n" in seen else 1
        seen["ys"] = [*seen.get("ys", []), y.item()]
        return made.k, made.size, vars(made)

    for i in range(4):
        yield outcome(f, ml.ones(2, requires_grad=True) * i), seen


def a_slice_of_a_module_in_a_step(compile: Any) -> Any:
    ml.manual_seed(0)
    net = ml.nn.Sequential(ml.nn.Linear(2, 3), ml.nn.Linear(3, 1))
    optimizer = ml.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

    @compile
    def step(x):
        optimizer.zero_grad()
        x = x.clone().requires_grad_(True)
        loss = net[1:](net[:1](x)).sum() ** 2
        loss.backward()
        optimizer.step()
        return loss

    for t in range(4):
        yield step(ml.ones(3, 2) * t)


def the_names_of_an_object_are_a_set(compile: Any) -> Any:
    def f(x, o):
        names, pairs = vars(o).keys(), o.__dict__.items()
        some = names >= {"a"}, {"a"} <= names, names - {"a"}, names & {"b"}, names == {"a", "b"}, pairs >= {("a", 1)}
        return x * o.a, some, {k: v for k, v in pairs}, [*names], sorted(names), "a" in names, len(names)

    run = compile(f)
    for made in ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"b": 2, "a": 1}, {"a": 1}):
        table = Table()
        vars(table).update(made)
        yield outcome(run, ml.ones(2), table), outcome(run, ml.ones(2), table)
