"""Results of a compiled function of which the cotangent is watched: what was computed from them leads through them.

And the number of writes that a compiled function has done is that of the function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError
from tests.compile.worlds.observe import outcome, show


def doubled(x: Any) -> Any:
    h = x * 2
    return (h**2).sum(), h


def viewed(x: Any) -> Any:
    h = (x * 2).unsqueeze(0).t()
    return (h**3).sum(), h


def diamond(x: Any) -> Any:
    a = x.exp()
    b = a * x
    return (a + b).sin().sum() + a.sum(), b, a


def part_of_a_result(x: Any) -> Any:
    a = x.exp()
    v = a[1:]
    return (v * 3).sum() * v.sum(), v, a


def in_both_orders(x: Any) -> Any:
    a = x.sin()
    b = a * x
    return (a * b).sum(), a, b


def by_grad(loss: Any, h: Any, x: Any) -> Any:
    return ml.autograd.grad(loss, h, retain_graph=True), ml.autograd.grad(loss, x)


def by_retaining(loss: Any, h: Any, x: Any) -> Any:
    for y in h:
        y.retain_grad()
    (loss + sum(y.sum() for y in h)).backward()
    return [y.grad for y in h], x.grad


def by_hooks(loss: Any, h: Any, x: Any) -> Any:
    seen: list[Any] = []
    twice = loss * 2
    for y in h:
        y.register_hook(lambda g: seen.append(g) or g * 10)
    twice.backward()
    return seen, x.grad, outcome(twice.backward)


def by_one_after_the_other(loss: Any, h: Any, x: Any) -> Any:
    return [ml.autograd.grad(loss, y, retain_graph=True) for y in h], ml.autograd.grad(loss, x)


@pytest.mark.parametrize("dynamic", [None, True])
@pytest.mark.parametrize("watch", [by_grad, by_retaining, by_hooks, by_one_after_the_other])
@pytest.mark.parametrize("f", [doubled, viewed, diamond, part_of_a_result, in_both_orders])
def test_a_result_is_on_the_way_to_what_was_computed_from_it(
    f: Callable[..., Any], watch: Callable[..., Any], dynamic: bool | None
) -> None:
    compiled = ml.compile(f, dynamic=dynamic)
    for n in (2, 2, 3, 4, 3):
        seen: list[Any] = []
        for g in (f, compiled):
            x = ml.tensor(np.linspace(-1, 2, n), requires_grad=True)
            loss, *h = g(x)
            seen.append(show(watch(loss, h, x)))
        assert seen[0] == seen[1]


def test_a_result_that_cannot_be_computed_again_is_not_watched_in_silence() -> None:
    @ml.compile
    def f(x):
        h = x * ml.rand(2)
        return h, h.sum()

    for _ in range(2):
        h, loss = f(ml.ones(2, requires_grad=True))
    with pytest.raises(GradientError) as caught:
        h.register_hook(lambda g: g)
    assert str(caught.value) == (
        "A result of CompiledGraph0Backward is to be watched, from which it computed another, "
        "and it draws random numbers.\n"
        "  A hook, retain_grad() and autograd.grad run the region again, op by op, and that must give the same.\n"
        "  Did you mean to watch it inside the compiled function? Or to call it uncompiled here."
    )
    loss.register_hook(lambda g: g * 2)  # nothing was computed from it
    loss.backward()


def written_thrice(x: Any, w: Any) -> Any:
    y = x * 1
    y[0] += 1
    w.mul_(2)
    w[1:].add_(x[1:])
    return y, y[1:], w * 1


def written_by_walks(x: Any, w: Any) -> Any:
    p = x.detach().requires_grad_()
    for _ in range(3):
        (p * p).sum().backward()
    return p.grad, w.add_(1)


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("f", [written_thrice, written_by_walks])
def test_writes_are_counted_as_they_were_written(f: Callable[..., Any], history: bool) -> None:
    compiled = ml.compile(f)
    pairs = [(g, ml.ones(3)) for g in (f, compiled)]
    for n in (3, 3, 3):
        seen: list[Any] = []
        for g, w in pairs:
            x = ml.tensor(np.ones(n, np.float32), requires_grad=history)
            seen.append([y._version for y in (*g(x, w), w, x)])
        assert seen[0] == seen[1]
