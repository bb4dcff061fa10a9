"""What goes through shared memory comes out as it was, and is the reader's own."""

from __future__ import annotations

import os
from collections import namedtuple

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.data.shared import LEAST, LINE, Slot
from minitorch_lab.errors import ArgumentError

Pair = namedtuple("Pair", "left right")


@pytest.fixture
def slots():
    """The two ends of one."""
    name = f"ml-{os.getpid()}-test"
    yield Slot(name), Slot(name)
    Slot(name).unlink()


def same(a, b):
    """Whether two values are alike in every part."""
    assert type(a) is type(b)
    if isinstance(a, ml.Tensor):
        same(a.detach().float().numpy(), b.detach().float().numpy())
        assert (a.dtype, a.requires_grad) == (b.dtype, b.requires_grad)
    elif isinstance(a, np.ndarray):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.tobytes() == b.tobytes()
        assert b.flags.writeable
    elif isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            same(left, right)
    elif isinstance(a, dict):
        same(list(a.items()), list(b.items()))
    else:
        assert a == b


VALUES = [
    None,
    "text" * 5000,
    [],
    np.float32(2),
    np.array(3.0),
    np.zeros((0, 4)),
    np.arange(10_000).reshape(100, 100).T,
    np.arange(24).reshape(2, 3, 4)[:, ::2],
    np.array(["a", "bc"]),
    np.array([(1, 2.0)], dtype=[("i", "i4"), ("x", "f8")]),
    ml.tensor(1.5),
    ml.zeros(0, 2),
    ml.ones(3, dtype=ml.bfloat16),
    ml.tensor([True, False]),
    ml.arange(6.0).requires_grad_(),
    Pair(ml.ones(2), [{"x": (ml.zeros(LINE + 1), 1)}, "name"]),
    [ml.full((k,), float(k)) for k in range(300)],
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_comes_out_as_it_was(slots, value):
    here, there = slots
    same(value, there.take(*here.put(value)))


def test_it_goes_both_ways_and_grows(slots):
    here, there = slots
    kept = []
    for n in (1, LEAST, 10, 5 * LEAST, 5, 200 * LEAST, 0):
        value = [ml.arange(n), n]
        kept.append((value, there.take(*here.put(value))))
        here, there = there, here
    for before, after in kept:
        same(before, after)
    assert here.edition == there.edition == 4


def test_what_is_read_is_the_readers_own(slots):
    here, there = slots
    first = there.take(*here.put(ml.zeros(4)))
    second = there.take(*here.put(ml.ones(4)))
    first += 5
    assert (first.tolist(), second.tolist()) == ([5.0] * 4, [1.0] * 4)
    assert first.as_strided((2,), (2,)).tolist() == [5.0, 5.0]


def test_what_is_no_value_is_refused(slots):
    with pytest.raises(ArgumentError, match="cannot be sent between a loader and its workers"):
        slots[0].put(lambda: 0)


def test_memory_that_nobody_made_is_given_back():
    Slot(f"ml-{os.getpid()}-none").unlink()
