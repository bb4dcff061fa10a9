"""Functions that ask what a class has come to say: of truth, signs, calls, equality, attributes."""

from __future__ import annotations

import functools
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


class Plain:
    pass


def a_dispatch_table_that_grows(compile: Any) -> Any:
    @functools.singledispatch
    def act(v, x):
        return x

    act.register(int, lambda v, x: x * v)
    f = compile(lambda v, x: act(v, x))
    for v in (1, 2, True, "a", 1.5):
        yield f(v, X)
    act.register(bool, lambda v, x: x * 100)
    act.register(str, lambda v, x: x * len(v))
    for v in (1, 2, True, "abc", 1.5):
        yield f(v, X)

    class A:
        @functools.singledispatchmethod
        def act(self, v):
            return ("any", v)

        @act.register
        def _(self, v: int):
            return ("int", v)

    a = A()
    g = compile(lambda v: a.act(v))
    for v in (1, "a", 2):
        yield g(v)


def truth_by_what_comes(compile: Any) -> Any:
    class A:
        pass

    a = A()
    f = compile(lambda x: x * 2 if a else x * 3)
    yield f(X)
    A.__len__ = lambda self: 0
    yield f(X)
    A.__bool__ = lambda self: True
    yield f(X)
    A.__bool__ = lambda self: self.on
    a.on = False
    yield f(X)
    a.on = True
    yield f(X)


def containment_by_what_comes(compile: Any) -> Any:
    class A:
        pass

    a = A()
    f = compile(lambda x: 2 in a)
    yield outcome(f, X)
    A.__getitem__ = lambda self, i: [1, 2, 3][i]
    yield f(X)
    A.__iter__ = lambda self: iter((1, 3))
    yield f(X)
    A.__contains__ = lambda self, v: "yes"
    yield f(X)
    g = compile(lambda x: sum(v for v in a))
    yield g(X)
    A.__iter__ = lambda self: iter((5, 6))
    yield g(X)


def equality_and_hash_that_come(compile: Any) -> Any:
    class A:
        def __init__(self, k):
            self.k = k

    a, b = A(1), A(1)
    f = compile(lambda x: (a == b, a in [b], a != b))
    yield f(X)
    A.__eq__ = lambda self, o: self.k == o.k
    yield f(X)
    b.k = 2
    yield f(X)
    A.__hash__ = lambda self: hash(self.k)
    d = {a: "a"}
    g = compile(lambda x: d.get(b, 0))
    yield g(X)
    b.k = 1
    yield g(X)
    A.__ne__ = lambda self, o: "ne"
    yield f(X)


def arithmetic_by_what_comes(compile: Any) -> Any:
    class A:
        def __add__(self, x):
            return x + 1

    class B(A):
        pass

    a = A()
    f = compile(lambda x: a + x)
    yield f(X)
    A.__add__ = lambda self, x: x + 2
    yield f(X)
    a.__class__ = B
    yield f(X)
    B.__add__ = lambda self, x: x + 3
    yield f(X)
    B.__add__ = lambda self, x: NotImplemented
    yield outcome(f, X)
    g = compile(lambda x: -a)
    yield outcome(g, X)
    A.__neg__ = lambda self: 7
    yield g(X)


def descriptors_with_state(compile: Any) -> Any:
    class Counting:
        def __init__(self, step):
            self.step, self.n = step, 0

        def __get__(self, x, cls=None):
            self.n += self.step
            return self.n

    class Storing(Counting):
        def __set__(self, x, value):
            self.step = value

    class A:
        n = Counting(1)
        m = Storing(2)

    a = A()
    f = compile(lambda x: x * a.n + a.m)
    yield f(X), f(X)
    vars(A)["n"].step = 5
    a.m = 7
    yield f(X), f(X)
    a.__dict__["n"] = 100
    a.__dict__["m"] = 100
    yield f(X), f(X)
    A.n = Counting(1)
    yield f(X)
    del a.__dict__["n"]
    yield f(X)

    @compile
    def g(x):
        a.m = 3
        return a.m, A.m, A.n

    yield g(X), g(X)


def callables_of_a_class(compile: Any) -> Any:
    class A:
        def __call__(self, x):
            return x * 2

    a = A()
    f = compile(lambda x: a(x))
    yield f(X)
    A.__call__ = lambda self, x: x * 3
    yield f(X)
    a.__call__ = lambda x: x * 4
    yield f(X)
    del A.__call__
    yield outcome(f, X), callable(a)
    g = compile(lambda x: callable(a))
    yield g(X)
    A.__call__ = lambda self, x: x * 5
    yield g(X), f(X)


def slots_and_more(compile: Any) -> Any:
    class A:
        __slots__ = ("k",)

    class B(A):
        pass

    class C(A):
        __slots__ = ("m", "__weakref__")

    b, c = B(), C()

    @compile
    def f(x, o):
        o.k = getattr(o, "k", 0) + 1
        return x * o.k, hasattr(o, "m"), hasattr(o, "__dict__")

    for o in (b, c, b, c):
        yield f(X, o)
    c.m = 1
    b.m = 2
    b.z = 5
    yield f(X, b), f(X, c)

    @compile
    def g(x, o):
        o.zz = x
        return o.zz

    yield outcome(g, X, b), outcome(g, X, c), outcome(g, X, b)


def dunder_reads(compile: Any) -> Any:
    class A:
        """Doc."""

    def act(x):
        """Act."""
        return x

    a = A()
    f = compile(lambda x: (A.__name__, A.__doc__, a.__doc__, act.__name__, act.__doc__, act.__qualname__, A.__module__))
    yield f(X)
    A.__name__, A.__doc__, act.__name__, act.__doc__ = "B", "Other.", "acting", None
    yield f(X)
    act.__qualname__ = "somewhere.else"
    A.__module__ = "nowhere"
    a.__doc__ = "mine"
    yield f(X)
    g = compile(lambda x: (A.__mro__, A.__bases__, a.__class__.__name__, type(a).__dict__.get("k")))
    yield g(X)
    A.k = 3
    yield g(X)


def the_order_of_attributes(compile: Any) -> Any:
    a = Plain()
    a.p, a.q = 1, 2
    f = compile(lambda x: [k for k in vars(a)])
    g = compile(lambda x: sum(i * v for i, v in enumerate(vars(a).values())))
    yield f(X), g(X)
    del a.p
    a.p = 1
    yield f(X), g(X)
    a.__dict__ = {"q": 1, "p": 2}
    yield f(X), g(X)
    a.__dict__.pop("q")
    yield f(X), g(X)


def an_object_that_gains_a_class_of_its_own(compile: Any) -> Any:
    class A:
        k = 1

        def act(self, x):
            return x * self.k

    a, b = A(), A()
    f = compile(lambda x, o: o.act(x))
    yield f(X, a), f(X, b)
    a.__class__ = type("A", (A,), {"k": 2})
    yield f(X, a), f(X, b)
    b.__class__ = type("A", (A,), {"act": lambda self, x: x * -1})
    yield f(X, a), f(X, b)
    b.k = 3
    b.__class__ = A
    yield f(X, a), f(X, b)


def what_is_written_and_kept_no_more(compile: Any) -> Any:
    log = []

    class A:
        pass

    class B:
        n = 0

    def writing(a):
        def f(x, k):
            a.n = k
            return x * a.n

        return f

    for cls in (A, B):
        f = compile(writing(cls()))
        yield f(X, 2)
        cls.n = property(lambda self: 7, lambda self, v: log.append(v))
        yield f(X, 2), f(X, 2), list(log)
