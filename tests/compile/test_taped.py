"""The short way through a region that wants gradients leaves on the tape what eager leaves."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.runtime.sized_region import SizedRegion
from minitorch_lab.errors import GradientError

Use = Callable[[Any, list[Any]], Any]


def total(result: Any) -> Any:
    """The sum of all results that are floats."""
    parts = result if isinstance(result, tuple) else (result,)
    return sum(x.sum() for x in parts if x.dtype == ml.float32)


def back(result: Any, xs: list[Any]) -> None:
    total(result).backward()


def twice_from_each(result: Any, xs: list[Any]) -> None:
    result[0].sum().backward(retain_graph=True)
    result[1].sum().backward()


def walked_three_times(result: Any, xs: list[Any]) -> None:
    for retain in (True, True, False):
        total(result).backward(retain_graph=retain)


def walked_after_it_was_freed(result: Any, xs: list[Any]) -> None:
    for _ in range(2):
        total(result).backward()


def differentiated_twice(result: Any, xs: list[Any]) -> None:
    (g,) = ml.autograd.grad(total(result), xs[0], create_graph=True)
    (g * g).sum().backward()


def argument_written(result: Any, xs: list[Any]) -> None:
    with ml.no_grad():
        xs[1].mul_(2)
    total(result).backward()


def result_written(result: Any, xs: list[Any]) -> None:
    result.mul_(2)
    total(result).backward()


def watched(result: Any, xs: list[Any]) -> Any:
    result.register_hook(lambda g: g * 3)
    result.retain_grad()
    total(result).backward()
    return result.grad


def cotangent_handed_on(result: Any, xs: list[Any]) -> Any:
    g = ml.ones_like(result)
    result.backward(g)
    xs[0].grad.add_(1)
    return g


def shared(a: Any, b: Any) -> Any:
    h = a @ b
    return h.tanh(), h.exp()


PROGRAMS: dict[str, tuple[Callable[..., Any], list[Use]]] = {
    "one result": (
        lambda a, b: (a @ b).tanh(),
        [back, walked_three_times, walked_after_it_was_freed, differentiated_twice, argument_written, result_written],
    ),
    "saves nothing of its own": (lambda a, b: a @ b, [back, watched, argument_written, result_written]),
    "saves nothing": (lambda a, b: a + a, [walked_after_it_was_freed]),
    "hands a cotangent on": (lambda a, b: a + (b.sum() + a), [cotangent_handed_on]),
    "two results": (shared, [back, twice_from_each, walked_after_it_was_freed]),
    "arguments as results": (lambda a, b: (a * 1, a @ b, b), [back]),
    "views": (lambda a, b: ((a @ b).T, a[1:], (a @ b)[0]), [back]),
    "written inside": (lambda a, b: (a @ b).mul_(2).tanh(), [back, result_written]),
    "whole numbers": (lambda a, b: (a @ b, a.argmax(1)), [back]),
    "no axes": (lambda a, b: (a @ b).sum(), [back, differentiated_twice]),
}


def outcome(f: Callable[..., Any], use: Use, rows: int) -> list[Any]:
    """What results, gradients, versions and errors come of one call."""
    rng = np.random.default_rng(rows)
    a, b = ([*rng.standard_normal(shape)] for shape in ((rows, 4), (4, 4)))
    xs = [ml.tensor(np.array(x, dtype="float32"), requires_grad=True) for x in (a, b)]
    result = f(*xs)
    try:
        given = use(result, xs)
    except GradientError as error:
        return [type(error), *(x.grad is None for x in xs)]
    leaves = result if isinstance(result, tuple) else (result,)
    shown = [x for x in (given, *leaves, *(x.grad for x in xs)) if x is not None]
    return [*(x.detach().numpy() for x in shown), [(x._version, x.is_leaf) for x in leaves]]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    ("name", "use"), [pytest.param(n, u, id=f"{n}, {u.__name__}") for n, (_, uses) in PROGRAMS.items() for u in uses]
)
def test_it_leaves_what_eager_leaves(name: str, use: Use, dynamic: bool) -> None:
    fn = PROGRAMS[name][0]
    f = ml.compile(fn, backend="numpy", dynamic=dynamic)
    for rows in (3, 5, 3, 5):
        got, want = outcome(f, use, rows), outcome(fn, use, rows)
        assert len(got) == len(want)
        for x, y in zip(got, want, strict=True):
            np.testing.assert_array_equal(x, y)


def ways(f: Any) -> list[Any]:
    """The short ways that were made for the regions of a function, at all sizes."""
    regions = [f._compiled.space[graph.name] for graph in f.graphs]
    regions = [at for r in regions for at in (r.seen.values() if isinstance(r, SizedRegion) else [r])]
    return [way for region in regions for way in region.ways.values()]


@pytest.mark.parametrize("dynamic", [False, True])
def test_one_way_for_each_kind_of_arguments(dynamic: bool) -> None:
    f = ml.compile(lambda a, b: (a @ b).tanh(), backend="numpy", dynamic=dynamic)
    for _ in range(4):
        f(ml.ones(3, 4, requires_grad=True), ml.ones(4, 4, requires_grad=True))
    assert len(ways(f)) == 1
    for other in (ml.ones(4, 4), ml.nn.Parameter(ml.ones(4, 4))):
        for _ in range(3):
            f(ml.ones(3, 4, requires_grad=True), other)
    assert len(ways(f)) == 3
    assert all(map(callable, ways(f)))


def test_nothing_of_a_call_lives_on() -> None:
    f = ml.compile(lambda a: (a * a).tanh(), backend="numpy", dynamic=False)
    x = ml.ones(3, requires_grad=True)
    for _ in range(2):
        y = f(x)
    gc.disable()
    try:
        gone = ref(y), ref(y.node)
        del y
        assert [found() for found in gone] == [None, None]
    finally:
        gc.enable()
