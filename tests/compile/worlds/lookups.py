"""Functions that look things up, where between their calls something else comes to be found: classes, hooks, kinds."""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import types
import typing
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


class Plain:
    pass


def an_instance_method_over_the_class(compile: Any) -> Any:
    class A:
        def act(self, x):
            return x * 2

    a = A()
    f = compile(lambda x: a.act(x))
    yield f(X)
    a.act = lambda x: x * 3
    yield f(X)
    A.act = lambda self, x: x * 4
    yield f(X)
    del a.act
    yield f(X)
    A.act = staticmethod(lambda x: x * 5)
    yield f(X)
    A.act = classmethod(lambda cls, x: (cls.__name__, x * 6))
    yield f(X)
    A.act = property(lambda self: lambda x: x * 7)
    yield f(X)
    A.act = functools.partialmethod(lambda self, k, x: x * k, 8)
    yield f(X)
    A.act = functools.partial(lambda k, x: x * k, 9)
    yield f(X)


def a_property_that_comes_and_goes(compile: Any) -> Any:
    class A:
        k = 1

    a = A()
    a.k = 2
    f = compile(lambda x: x * a.k)
    yield f(X)
    A.k = property(lambda self: 10)
    yield f(X)
    A.k = 5
    yield f(X)
    del a.k
    yield f(X)
    del A.k
    yield outcome(f, X)
    A.__getattr__ = lambda self, name: len(name) + 6
    yield f(X)
    A.__getattr__ = lambda self, name: 8
    yield f(X)
    A.__getattribute__ = lambda self, name: 9
    yield f(X)


def a_method_put_between(compile: Any) -> Any:
    class A:
        def act(self, x):
            return x + 1

    class B(A):
        pass

    class C(B):
        def act(self, x):
            return super().act(x) * 10

    c = C()
    f = compile(lambda x: c.act(x))
    yield f(X)
    B.act = lambda self, x: x + 5
    yield f(X)
    del B.act
    A.act = lambda self, x: x - 1
    yield f(X)
    C.act = A.act
    yield f(X)


def a_default_of_getattr(compile: Any) -> Any:
    class A:
        pass

    a, names = A(), ["k"]
    f = compile(lambda x: x * getattr(a, names[0], 3))
    yield f(X)
    A.k = 4
    yield f(X)
    a.k = 5
    yield f(X)
    names[0] = "z"
    yield f(X)
    a.z = None
    yield outcome(f, X)
    g = compile(lambda x: hasattr(a, names[0]) and hasattr(A, names[0]))
    yield g(X)
    A.z = 1
    yield g(X)
    del a.z, A.z
    yield g(X)


def a_registered_class(compile: Any) -> Any:
    class Base(abc.ABC):
        pass

    class A:
        pass

    a = A()
    f = compile(lambda x: x * 2 if isinstance(a, Base) else x * 3)
    g = compile(lambda x: x * 2 if issubclass(A, Base) else x * 3)
    yield f(X), g(X)
    Base.register(A)
    yield f(X), g(X)


def a_runtime_protocol(compile: Any) -> Any:
    @typing.runtime_checkable
    class Acts(typing.Protocol):
        def act(self, x): ...

    class A:
        pass

    a = A()
    f = compile(lambda x: a.act(x) if isinstance(a, Acts) else x)
    yield f(X)
    A.act = lambda self, x: x * 2
    yield f(X)
    del A.act
    yield f(X)


def an_instance_check_with_a_count(compile: Any) -> Any:
    class Meta(type):
        n = 0

        def __instancecheck__(cls, x):
            cls.n += 1
            return cls.n % 2 == 0

    class A(metaclass=Meta):
        pass

    f = compile(lambda x: x * 2 if isinstance(x, A) else x * 3)
    for _ in range(4):
        yield f(X), A.n


def a_metaclass_with_a_property(compile: Any) -> Any:
    class Meta(type):
        made = 0

        @property
        def scale(cls):
            return cls.base + 1

        def __call__(cls, *args):
            Meta.made += 1
            return super().__call__(*args)

        def __len__(cls):
            return cls.base

        def __getitem__(cls, k):
            return cls.base * k

    class A(metaclass=Meta):
        base = 1

        def __init__(self, k):
            self.k = k

    f = compile(lambda x: x * A.scale + len(A) + A[2] + A(3).k)
    for k in (1, 2, 2, 5):
        A.base = k
        yield f(X), Meta.made


def a_counter_in_a_class(compile: Any) -> Any:
    class A:
        n = 0
        seen: Any = []

        def __init__(self, x):
            type(self).n += 1
            self.seen.append(A.n)
            self.x = x * self.n

    f = compile(lambda x: A(x))
    for _ in range(3):
        yield f(X), A.n, A.seen
    A.n = 10
    A.seen = [1]
    yield f(X), A.n, A.seen

    class B(A):
        pass

    g = compile(lambda x: B(x))
    yield g(X), B.n, A.n
    yield g(X), B.n, A.n


def an_enum_with_state(compile: Any) -> Any:
    class Mode(enum.Enum):
        FAST = 1
        SLOW = 2

        def scale(self):
            return self.value * getattr(self, "extra", 1)

    class Flags(enum.Flag):
        A = 1
        B = 2

    holder = types.SimpleNamespace(mode=Mode.FAST, flags=Flags.A)
    f = compile(lambda x: x * holder.mode.scale() + (10 if Flags.B in holder.flags else 20))
    yield f(X)
    holder.mode = Mode.SLOW
    yield f(X)
    Mode.SLOW.extra = 5
    yield f(X)
    holder.flags |= Flags.B
    yield f(X)
    g = compile(lambda x, k: (Mode(k).name, [m.name for m in Mode], Mode["FAST"].value, len(Mode)))
    for k in (1, 2, 3, 1):
        yield outcome(g, X, k)


def frozen_dataclasses(compile: Any) -> Any:
    @dataclasses.dataclass(frozen=True)
    class P:
        k: Any
        xs: Any = dataclasses.field(default_factory=list)

        def more(self, x):
            self.xs.append(self.k)
            return x * self.k + len(self.xs)

    @dataclasses.dataclass(order=True, slots=True)
    class Q:
        a: int = 1
        b: Any = 2

    p, q = P(2), Q()
    f = compile(lambda x: p.more(x))
    for k in (2, 3, 3.0):
        object.__setattr__(p, "k", k)
        yield f(X), p.xs
    p = dataclasses.replace(p, k=7)
    yield f(X), p.xs
    g = compile(lambda x: (q < Q(2, 1), q == Q(), dataclasses.astuple(q), dataclasses.replace(q, b=x), hash(P) == 0))
    yield g(X)
    q.a = 2
    yield g(X)
    q = Q(5, None)
    yield outcome(g, X)

    @compile
    def h(x):
        p.k = 1

    yield outcome(h, X), outcome(h, X)
