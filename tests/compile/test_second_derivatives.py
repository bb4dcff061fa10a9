"""Derivatives of derivatives through compiled functions: taken inside, outside, or one of each, they are eager's."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import grad
from minitorch_lab.errors import GradientError


def leaves() -> list[Any]:
    return [ml.tensor([1.0, 2.0], requires_grad=True), ml.tensor([0.3, 0.4], requires_grad=True)]


def two(x: Any, w: Any) -> Any:
    return (x**3 * w).sum(), (x * w).tanh()


def slope(x: Any, w: Any) -> Any:
    return grad((x**3 * w).sum(), x, create_graph=True)[0]


def penalty(x: Any, w: Any) -> Any:
    (g,) = grad((x * w).tanh().sum(), x, create_graph=True)
    (x.sum() + ((g**2).sum() - 1) ** 2).backward()
    return g.detach()


def first_only(f: Any, x: Any, w: Any) -> None:
    grad(f(x, w)[0], x, create_graph=True)[0].sum().backward()


def both_results(f: Any, x: Any, w: Any) -> None:
    a, b = f(x, w)
    p, q = grad(a + b.sum(), [x, w], create_graph=True)
    (p * q).sum().backward()


def through_grad(f: Any, x: Any, w: Any) -> None:
    f(x, w)[1].sum().backward(create_graph=True)
    first, x.grad, w.grad = x.grad, None, None
    first.sum().backward()


def third(f: Any, x: Any, w: Any) -> None:
    (p,) = grad(f(x, w)[0], x, create_graph=True)
    (q,) = grad(p.sum(), x, create_graph=True)
    q.sum().backward()


def one_argument_from_the_other(f: Any, x: Any, w: Any) -> None:
    (p,) = grad(f(w * 2, w)[0], w, create_graph=True)
    p.sum().backward()


def walked_inside(f: Any, x: Any, w: Any) -> None:
    f(x, w).sum().backward()


PROGRAMS = [
    (two, first_only), (two, both_results), (two, through_grad), (two, third), (two, one_argument_from_the_other),
    (slope, walked_inside), (penalty, lambda f, x, w: f(x, w)),
]  # fmt: skip


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize(("fn", "use"), PROGRAMS)
def test_second_derivatives_are_those_of_eager(fn: Any, use: Any, backend: str) -> None:
    seen = []
    for f in (ml.compile(fn, backend=backend), fn):
        calls = []
        for _ in range(3):
            given = leaves()
            use(f, *given)
            calls.append([x.grad if x.grad is None else x.grad.tolist() for x in given])
        seen.append(calls)
    near = 0.0 if backend == "numpy" else 1e-5
    for ours, theirs in zip(*seen, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert a == (b if b is None else pytest.approx(b, rel=near, abs=near))


@pytest.mark.parametrize("rows", [3, 4, 5, 6])
def test_second_derivatives_where_lengths_differ(rows: int) -> None:
    f = ml.compile(two)
    for n in (2, 3, rows):
        x, w = ml.rand(n).requires_grad_(), ml.rand(n).requires_grad_()
        found = [grad(grad(g(x, w)[0], x, create_graph=True)[0].sum(), [x, w]) for g in (f, two)]
        assert [a.tolist() for a in found[0]] == [a.tolist() for a in found[1]]


def test_what_was_written_or_drawn_cannot_be_run_again() -> None:
    f = ml.compile(lambda x, w: (x**3 * w).sum() * ml.rand(1))
    for _ in range(3):
        x, w = leaves()
        y = f(x, w)
    with pytest.raises(GradientError, match="which draws random numbers"):
        y.backward(create_graph=True)
    f = ml.compile(lambda x, w: (x * w).sum())
    for _ in range(3):
        y = f(x, w)
    with ml.no_grad():
        w.add_(1.0)
    with pytest.raises(GradientError, match="MulBackward saved 'y' at version 0"):
        y.backward(create_graph=True)
