"""Functions whose surroundings change between calls: globals, cells, attributes, containers, classes, functions."""

from __future__ import annotations

import types
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])
RATE: Any = 2
TABLE: dict[str, Any] = {"a": [1.0, {"b": 2.0}]}
MODULE = types.ModuleType("settings")


def double_init(self, k):
    self.k = k * 2


def a_global(compile: Any) -> Any:
    global RATE
    f = compile(lambda x: x * RATE if RATE else x)
    for RATE in (2, 2.5, True, 1, 1.0, 0.0, -0.0, None, "", 3):
        yield outcome(f, X)


def a_global_deleted(compile: Any) -> Any:
    global RATE
    RATE = 2
    f = compile(lambda x: x * RATE)
    yield f(X)
    del RATE
    yield outcome(f, X)
    RATE = 5
    yield f(X)


def nested_globals(compile: Any) -> Any:
    TABLE["a"] = [1.0, {"b": 2.0}]
    f = compile(lambda x: x * TABLE["a"][0] + TABLE["a"][1]["b"])
    yield f(X)
    TABLE["a"][1]["b"] = 5.0
    yield f(X)
    TABLE["a"][0] = 7
    yield f(X)
    TABLE["a"] = (1, {"b": 2})
    yield f(X), f(X)


def a_module_attribute(compile: Any) -> Any:
    MODULE.scale = 1.0
    f = compile(lambda x: x * MODULE.scale + getattr(MODULE, "bias", 0))
    yield f(X)
    MODULE.scale = 3
    yield f(X)
    MODULE.bias = 2
    yield f(X)
    del MODULE.bias
    yield f(X)


def a_module_function_replaced(compile: Any) -> Any:
    MODULE.act = lambda x: x * 2
    f = compile(lambda x: MODULE.act(x))
    yield f(X)
    MODULE.act = lambda x: x * 3
    yield f(X)
    MODULE.act = ml.tanh
    yield f(X), f(X)


def a_module_getattr(compile: Any) -> Any:
    n = [1]
    module = types.ModuleType("lazy")
    module.__getattr__ = lambda name: n[0]
    f = compile(lambda x: x * module.anything)
    yield f(X)
    n[0] = 2
    yield f(X), f(X)
    module.anything = 5
    yield f(X), f(X)


def a_closure_cell(compile: Any) -> Any:
    k = 1

    def change(v):
        nonlocal k
        k = v

    f = compile(lambda x: x * k)
    for v in (1, 2, True, 1.0, 3):
        change(v)
        yield f(X)


def a_counter_in_a_cell(compile: Any) -> Any:
    n = 0

    @compile
    def f(x):
        nonlocal n
        n += 1
        return x * n

    for _ in range(4):
        yield f(X), n


def a_cell_shared_by_two(compile: Any) -> Any:
    n = 1

    def up():
        nonlocal n
        n += 1
        return n

    f = compile(lambda x: (x * n, up(), x * n))
    for _ in range(3):
        yield f(X), n


def defaults_changed(compile: Any) -> Any:
    def g(x, k=2, *, s=3):
        return x * k + s

    f = compile(lambda x: g(x))
    yield f(X)
    g.__kwdefaults__ = {"s": 5}
    yield f(X)
    g.__defaults__ = (7,)
    yield f(X)
    g.__kwdefaults__["s"] = 6
    yield f(X)
    g.__kwdefaults__ = None
    yield outcome(f, X)
    g.__defaults__ = None
    yield outcome(f, X)


def own_defaults_changed(compile: Any) -> Any:
    def g(x, k=2, *, s=3):
        return x * k + s

    f = compile(g)
    yield f(X)
    g.__kwdefaults__ = {"s": 5}
    yield f(X)
    g.__kwdefaults__["s"] = 6
    yield f(X)
    g.__defaults__ = (7,)
    yield f(X), f(X)
    g.__kwdefaults__ = None
    yield outcome(f, X)


def a_mutable_default(compile: Any) -> Any:
    @compile
    def f(x, seen=[]):
        seen.append(len(seen))
        return x * len(seen)

    for _ in range(3):
        yield f(X)


def defaults_gained(compile: Any) -> Any:
    def g(x, k):
        return x * k

    f = compile(lambda x: g(x, 2))
    h = compile(lambda x: g(x))
    yield f(X), outcome(h, X)
    g.__defaults__ = (5,)
    yield f(X), outcome(h, X)


def code_changed(compile: Any) -> Any:
    def g(x):
        return x * 2

    f = compile(lambda x: g(x))
    h = compile(g)
    yield f(X), h(X)
    g.__code__ = (lambda x: x * 3).__code__
    yield f(X), h(X)


def code_of_a_method_changed(compile: Any) -> Any:
    class A:
        def __init__(self, k):
            self.k = k

        def __call__(self, x):
            return x * self.k

        @property
        def twice(self):
            return self.k * 2

        @classmethod
        def make(cls, k):
            return cls(k)

        @staticmethod
        def add(x):
            return x + 1

    f = compile(lambda x: A.add(A(2)(x)) * A.make(3).twice)
    yield f(X)
    A.__call__.__code__ = (lambda self, x: x * 10).__code__
    yield f(X)
    A.add.__code__ = (lambda x: x + 2).__code__
    yield f(X)
    A.twice.fget.__code__ = (lambda self: self.k * 5).__code__
    yield f(X)
    A.__init__.__code__ = A.set.__code__ if hasattr(A, "set") else double_init.__code__
    yield f(X)
    A.make = classmethod(lambda cls, k: cls(1))
    yield f(X)


def class_attributes(compile: Any) -> Any:
    class Base:
        scale = 2.0
        names = ["a"]

    class A(Base):
        bias = 1

    a = A()
    f = compile(lambda x: x * a.scale + a.bias + len(a.names))
    yield f(X)
    Base.scale = 3.0
    yield f(X)
    A.scale = 4
    yield f(X)
    a.bias = 10
    yield f(X)
    del a.bias
    A.bias = 5
    yield f(X)
    Base.names.append("b")
    yield f(X)
    A.names = []
    yield f(X)
    del A.scale
    yield f(X)


def a_class_attribute_written(compile: Any) -> Any:
    class A:
        count = 0

    @compile
    def f(x):
        A.count += 1
        return x * A.count

    for _ in range(3):
        yield f(X), A.count


def methods_replaced(compile: Any) -> Any:
    class A:
        def act(self, x):
            return x * 2

    a = A()
    f = compile(lambda x: a.act(x))
    yield f(X)
    A.act = lambda self, x: x * 3
    yield f(X)
    a.act = lambda x: x * 4
    yield f(X)
    a.act = ml.tanh
    yield f(X)
    del a.act
    A.act = staticmethod(lambda x: x * 5)
    yield outcome(f, X)


def special_methods_replaced(compile: Any) -> Any:
    class A:
        def __call__(self, x):
            return x * 2

        def __len__(self):
            return 2

        def __bool__(self):
            return True

        def __contains__(self, k):
            return k == 1

        def __add__(self, x):
            return x + 1

        def __eq__(self, other):
            return True

        __hash__ = None

        def __getitem__(self, k):
            return k

        def __iter__(self):
            return iter([1])

    a = A()
    f = compile(lambda x: (a(x), len(a), bool(a), 1 in a, a + x, a == 3, a[2], list(a), x * 2 if a else x))
    yield f(X)
    A.__call__ = lambda self, x: x * 3
    A.__len__ = lambda self: 3
    yield f(X)
    A.__bool__ = lambda self: False
    A.__contains__ = lambda self, k: False
    yield f(X)
    A.__add__ = lambda self, x: x + 2
    A.__eq__ = lambda self, other: False
    yield f(X)
    A.__getitem__ = lambda self, k: k + 1
    A.__iter__ = lambda self: iter([2, 3])
    yield f(X)
    del A.__bool__
    yield f(X)
    del A.__len__
    yield outcome(f, X)
