"""A tape of a million ops: built and walked without recursion, linear in memory, freed at once."""

from __future__ import annotations

import gc
import sys
import tracemalloc
import weakref
from collections.abc import Iterator

import pytest

import minitorch_lab as ml

OPS = 1_000_000


def chain(length: int, x: ml.Tensor) -> ml.Tensor:
    y = x
    for _ in range(length):
        y = -y
    return y


@pytest.fixture
def counting_alone() -> Iterator[None]:
    """What is freed is freed by reference counting, without the collector of cycles."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("counting_alone")
def test_a_million_ops() -> None:
    x = ml.ones(1, requires_grad=True)
    limit = sys.getrecursionlimit()
    y = chain(OPS // 2, x)
    middle, z = weakref.ref(y.grad_fn), y
    y = chain(OPS // 2, y)
    last = weakref.ref(y.grad_fn)
    assert middle().order - last().order == OPS // 2
    sys.setrecursionlimit(200)
    try:
        y.backward(retain_graph=True)
        assert x.grad.tolist() == [1.0]
        del y
        assert last() is None
        assert middle() is not None
        del z
        assert middle() is None
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("counting_alone")
def test_a_tape_that_saves_is_freed_as_it_is_walked() -> None:
    x = ml.ones(1, requires_grad=True)
    y = x
    for _ in range(1000):
        y = y.exp() * 0.1
    kept = weakref.ref(y.grad_fn.next_functions[0][0].saved["out"].value)
    y.backward()
    assert kept() is None


def bytes_of(length: int) -> int:
    x = ml.ones(1, requires_grad=True)
    tracemalloc.start()
    try:
        y = chain(length, x)
        built = tracemalloc.get_traced_memory()[0]
        y.backward()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.2 * built  # the walk itself needs next to nothing
    return built


def test_memory_is_linear_in_the_tape() -> None:
    small, large = bytes_of(10_000), bytes_of(40_000)
    assert large / small == pytest.approx(4.0, rel=0.05)
    assert large / 40_000 < 400  # bytes per op
