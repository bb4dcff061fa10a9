"""Sets of objects, which come in the order of their addresses: another one in every call."""

from __future__ import annotations

from typing import Any

import minitorch_lab as ml


class Thing:
    def __init__(self, n: float) -> None:
        self.n = n


class Value:
    """A number that knows what it was made from, as in A. Karpathy's micrograd."""

    def __init__(self, data: float, sources: tuple[Value, ...] = ()) -> None:
        self.data, self.grad, self.sources = data, 0.0, set(sources)
        self.send = lambda: None

    def __add__(self, other: Value) -> Value:
        out = Value(self.data + other.data, (self, other))

        def send() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out.send = send
        return out

    def __mul__(self, other: Value) -> Value:
        out = Value(self.data * other.data, (self, other))

        def send() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.send = send
        return out

    def backward(self) -> None:
        order, seen = list[Value](), set[Value]()

        def visit(v: Value) -> None:
            if v not in seen:
                seen.add(v)
                for source in v.sources:
                    visit(source)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v.send()


def scalar_autograd(compile: Any) -> Any:
    def gradients(a, b):
        x, y = Value(a), Value(b)
        z = x * y + Value(2.0) * x + y * y
        z.backward()
        return z.data, x.grad, y.grad

    f = compile(gradients)
    for k in range(6):
        yield f(float(k), 3.0)


def made_in_the_call(compile: Any) -> Any:
    def count(k):
        things = {Thing(i * k) for i in range(4)}
        for thing in things:
            thing.n += 1
        return sorted(thing.n for thing in things)

    f = compile(count)
    for k in range(8):
        yield f(float(k))


def twice_over(compile: Any) -> Any:
    def count(k):
        things = set([Thing(i * k) for i in range(4)])
        seen = [thing.n for thing in things]
        return sorted(seen + [thing.n for thing in things])

    f = compile(count)
    for k in range(8):
        yield f(k)


def from_outside(compile: Any) -> Any:
    things = [Thing(float(i)) for i in range(5)]
    tensors = [ml.full((2,), float(i)) for i in range(5)]

    def scaled(k):
        return [t.n * k for t in set(things)], [t.sum().item() * k for t in frozenset(tensors)]

    f = compile(scaled)
    for k in range(6):
        yield f(k) == scaled(k)


def arguments(compile: Any) -> Any:
    def read(a, b):
        return [p.n for p in {a, b}], [p[1].n for p in {(1, a), (1, b)}]

    f = compile(read)
    kept = []
    for k in range(6):
        kept.append((Thing(k), Thing(-k)))
        yield f(*kept[-1]) == read(*kept[-1])
