"""Functions whose surroundings change between calls: globals, cells, attributes, containers, classes, functions."""

from __future__ import annotations

import dataclasses
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def the_class_of_an_object(compile: Any) -> Any:
    class A:
        k = 1

        def act(self, x):
            return x * 2

    class B:
        k = 2

        def act(self, x):
            return x * 3

    a = A()
    f = compile(lambda x: a.act(x) + a.k)
    yield f(X)
    a.__class__ = B
    yield f(X), f(X)
    f = compile(lambda x: (type(a).__name__, isinstance(a, A), a.__class__ is B))
    yield f(X)
    a.__class__ = A
    yield f(X)


def the_bases_of_a_class(compile: Any) -> Any:
    class A:
        def act(self, x):
            return x * 2

    class B:
        def act(self, x):
            return x * 3

    class C(A):
        pass

    c = C()
    f = compile(lambda x: (c.act(x), isinstance(c, B), issubclass(C, A)))
    yield f(X)
    C.__bases__ = (B,)
    yield f(X), f(X)


def the_dict_of_an_object(compile: Any) -> Any:
    class A:
        k = 1

    a = A()
    f = compile(lambda x: x * a.k)
    yield f(X)
    a.__dict__["k"] = 2
    yield f(X)
    a.__dict__ = {"k": 3}
    yield f(X)
    vars(a).clear()
    yield f(X)
    g = compile(lambda x: (x, dict(vars(a)), "k" in a.__dict__, len(a.__dict__)))
    yield g(X)
    a.z = 5
    yield g(X)
    a.k = 5
    yield g(X)


def slots(compile: Any) -> Any:
    class A:
        __slots__ = ("k", "n")

        def __init__(self):
            self.k = 1

    a = A()

    @compile
    def f(x):
        a.n = getattr(a, "n", 0) + 1
        return x * a.k

    yield f(X), a.n
    a.k = 2
    yield f(X), a.n
    del a.n
    yield f(X), a.n
    del a.k
    yield outcome(f, X)


def properties(compile: Any) -> Any:
    class A:
        def __init__(self):
            self.hits, self.v = 0, 2.0

        @property
        def k(self):
            self.hits += 1
            return self.v

        @k.setter
        def k(self, v):
            self.v = v * 2

    a = A()
    f = compile(lambda x: x * a.k)

    @compile
    def g(x):
        a.k = 3.0
        return x * a.k

    yield f(X), a.hits
    a.v = 5.0
    yield f(X), a.hits
    yield g(X), a.hits, a.v
    A.k = property(lambda self: 9.0)
    yield f(X), outcome(g, X)
    A.k = 4.0
    yield f(X), g(X), f(X)


def descriptors(compile: Any) -> Any:
    class Field:
        def __set_name__(self, owner, name):
            self.name = "_" + name

        def __get__(self, obj, owner=None):
            return self if obj is None else obj.__dict__.get(self.name, 1)

        def __set__(self, obj, v):
            obj.__dict__[self.name] = v * 2

    class Lazy:
        def __init__(self):
            self.calls = 0

        def __get__(self, obj, owner=None):
            self.calls += 1
            return self.calls

    class A:
        k = Field()
        n = Lazy()

    a = A()

    @compile
    def f(x):
        y = x * a.k + a.n
        a.k = a.k + 1
        return y

    for _ in range(3):
        yield f(X), vars(a)
    a.n = 100
    yield f(X), f(X)


def getattr_hooks(compile: Any) -> Any:
    class A:
        def __init__(self):
            self.table = {"k": 1}

        def __getattr__(self, name):
            try:
                return self.__dict__["table"][name]
            except KeyError:
                raise AttributeError(name) from None

    a = A()
    f = compile(lambda x: (x * a.k, hasattr(a, "z"), getattr(a, "z", 3)))
    yield f(X)
    a.table["k"] = 2
    yield f(X)
    a.table["z"] = 5
    yield f(X)
    a.k = 7
    yield f(X)
    A.__getattr__ = lambda self, name: 9
    del a.k
    yield f(X)


def getattribute_and_setattr_hooks(compile: Any) -> Any:
    log = []

    class A:
        def __getattribute__(self, name):
            if name != "__class__":  # a capture asks for that as well
                log.append(name)
            return object.__getattribute__(self, name)

        def __setattr__(self, name, v):
            log.append(("set", name))
            object.__setattr__(self, name, v)

        def __delattr__(self, name):
            log.append(("del", name))
            object.__delattr__(self, name)

    a = A()
    a.k = 1

    @compile
    def f(x):
        a.n = a.k + 1
        del a.n
        return x * a.k

    for _ in range(3):
        yield f(X), list(log)
        log.clear()


def metaclasses(compile: Any) -> Any:
    class Meta(type):
        k = 2

        def __getattr__(cls, name):
            return len(name) + cls.k

        def __call__(cls, *args):
            made = super().__call__(*args)
            made.made = Meta.k
            return made

        def __len__(cls):
            return cls.k

        def __instancecheck__(cls, x):
            return Meta.k > 2

        def __iter__(cls):
            return iter([cls.k])

        def __contains__(cls, x):
            return x == cls.k

    class A(metaclass=Meta):
        pass

    f = compile(lambda x: (x * A.k, A.abc, A().made, len(A), isinstance(3, A), list(A), 2 in A, A.k))
    yield f(X)
    Meta.k = 3
    yield f(X)
    A.k = 4
    yield f(X), f(X)


def dataclasses_used(compile: Any) -> Any:
    @dataclasses.dataclass
    class P:
        k: float = 1.0
        tags: list = dataclasses.field(default_factory=list)

    @dataclasses.dataclass(frozen=True)
    class Q:
        k: float = 1.0

    p = P()

    @compile
    def f(x, q):
        p.tags.append(len(p.tags))
        r = P(q.k)
        r.tags.append(1)
        return x * p.k * q.k, r, p == P(1.0, [0]), Q(2.0) == q

    yield f(X, Q()), p
    p.k = 3.0
    yield f(X, Q(2.0)), p
    yield f(X, dataclasses.replace(Q(), k=5.0)), p
