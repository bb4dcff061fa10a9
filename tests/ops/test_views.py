"""Strided views, and PyTorch's other names for views and copies."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError, ShapeError


def matrix(**options: Any) -> ml.Tensor:
    return ml.tensor(np.arange(12.0).reshape(3, 4), **options)


def test_a_strided_view_shows_the_memory_and_is_counted() -> None:
    x = matrix()
    y = x.as_strided((2, 2), (4, 2), 1)
    assert y.tolist() == [[1.0, 3.0], [5.0, 7.0]]
    y.mul_(10.0)
    assert x[1].tolist() == [4.0, 50.0, 6.0, 70.0]
    assert (x._version, y._version) == (1, 1)


def test_overlapping_windows_add_up() -> None:
    x = ml.arange(6.0, requires_grad=True)
    x.as_strided((4, 3), (1, 1)).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 2.0, 3.0, 3.0, 2.0, 1.0]


def test_of_a_view_the_whole_memory_counts_and_only_its_own_entries_learn() -> None:
    w = ml.arange(6.0, requires_grad=True)
    y = w[1:3].as_strided((4,), (1,), 0)
    assert y.tolist() == [0.0, 1.0, 2.0, 3.0]
    y.sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]


def test_a_write_reaches_the_base_also_past_the_view_it_came_by() -> None:
    w = ml.arange(6.0, requires_grad=True)
    c = w * 1.0
    part = c[1:3].as_strided((4,), (1,), 0)
    part[1:].mul_(3.0)
    (c * c).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [0.0, 18.0, 36.0, 54.0, 8.0, 10.0]


def test_what_an_expanded_input_shows_twice_is_split() -> None:
    w = ml.tensor([2.0], requires_grad=True)
    w.expand(3).as_strided((3,), (0,), 0).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [3.0]


REFUSED: dict[str, Any] = {
    "past the end": (lambda x: x.as_strided((3, 4), (5, 1)), "reads entry 13 of a memory of 12"),
    "a negative step": (lambda x: x.as_strided((3,), (-1,), 2), r"Did you mean stride=\(1,\)\?"),
    "a step missing": (lambda x: x.as_strided((3, 4), (4,)), r"Did you mean stride=\(4, 1\)\?"),
    "a write where windows overlap": (lambda x: x.as_strided((3, 2), (1, 1)).add_(1.0), "windows overlap"),
    "past the tensor, in a transform": (
        lambda x: ml.func.vmap(lambda row: row[:2].as_strided((3,), (1,), 0))(x),
        "entries that only its memory holds",
    ),
    "movedim": (lambda x: x.movedim((0, 1), 0), "one place to go to"),
    "t of three axes": (lambda x: x[None].t(), "Did you mean x.mT"),
    "narrow": (lambda x: x.narrow(1, 3, 2), "Did you mean length=1"),
    "split": (lambda x: x.split([1, 1]), "add up to that of the axis"),
    "chunk": (lambda x: x.chunk(0), "at least one chunk"),
    "unfold too far": (lambda x: x.unfold(1, 5, 1), "Did you mean size=4"),
    "unfold without a step": (lambda x: x.unfold(1, 2, 0), "Did you mean step=1"),
    "unflatten": (lambda x: x.unflatten(1, (3, 2)), "must multiply to that length"),
    "repeat": (lambda x: x.repeat(2), r"Did you mean x.repeat\(1, 2\)\?"),
    "repeat_interleave": (lambda x: x.repeat_interleave(ml.tensor([1, 2]), 0), "one for each"),
    "roll": (lambda x: x.roll((1, 2), 0), "one shift for each dim"),
    "view": (lambda x: x.t().view(12), "view cannot show"),
}


@pytest.mark.parametrize(("call", "text"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_shown_is_refused(call: Any, text: str) -> None:
    with pytest.raises(ShapeError, match=text):
        call(matrix())


A = np.arange(12.0).reshape(3, 4)
SAME: dict[str, Any] = {
    "movedim": (lambda x: x[None].movedim((0, 1), (2, 0)), np.moveaxis(A[None], (0, 1), (2, 0))),
    "moveaxis": (lambda x: ml.moveaxis(x, 0, 1), A.T),
    "swapaxes": (lambda x: x.swapaxes(0, 1), A.T),
    "t": (lambda x: x.t(), A.T),
    "select": (lambda x: x.select(1, -1), A[:, -1]),
    "narrow from the end": (lambda x: x.narrow(0, -2, 2), A[1:]),
    "split": (lambda x: ml.cat(x.split((1, 2))[::-1]), np.concatenate([A[1:], A[:1]])),
    "chunk": (lambda x: ml.cat(x.chunk(3, 1)[1:], 1), A[:, 2:]),
    "chunk of nothing": (lambda x: ml.stack(x[:0].chunk(2)), np.zeros((2, 0, 4))),  # as many pieces as asked for
    "unbind": (lambda x: ml.stack(x.unbind(1)), A.T),
    "unfold apart": (lambda x: x.unfold(1, 2, 2), A.reshape(3, 2, 2)),
    "unfold": (lambda x: x.unfold(0, 2, 1), np.lib.stride_tricks.sliding_window_view(A, 2, 0)),
    "view_as": (lambda x: x.view_as(ml.ones(2, 6)), A.reshape(2, 6)),
    "reshape_as": (lambda x: x.t().reshape_as(ml.ones(2, 6)), A.T.reshape(2, 6)),
    "expand_as": (lambda x: x[:1].expand_as(x), np.broadcast_to(A[:1], (3, 4))),
    "ravel": (lambda x: x.t().ravel(), A.T.ravel()),
    "unflatten": (lambda x: x.unflatten(-1, (2, -1)), A.reshape(3, 2, 2)),
    "repeat": (lambda x: x.repeat(2, 1, 3), np.tile(A, (2, 1, 3))),
    "tile": (lambda x: x.tile(2), np.tile(A, 2)),
    "repeat_interleave": (lambda x: x.repeat_interleave(2, 1), np.repeat(A, 2, 1)),
    "repeat_interleave, each": (lambda x: x.repeat_interleave(ml.tensor([2, 0, 1]), 0), np.repeat(A, [2, 0, 1], 0)),
    "roll": (lambda x: x.roll((1, -2), (0, 1)), np.roll(A, (1, -2), (0, 1))),
    "roll all": (lambda x: x.roll(5), np.roll(A, 5)),
    "index_put": (lambda x: x.index_put((ml.tensor([0, 0]),), x[:1] * 0 + 1, accumulate=True), A + 2 * (A < 4)),
}


@pytest.mark.parametrize(("call", "want"), SAME.values(), ids=SAME)
def test_as_numpy_and_with_the_slope_of_a_linear_function(call: Any, want: np.ndarray) -> None:
    x = matrix(requires_grad=True)
    out = call(x)
    np.testing.assert_array_equal(out.detach().numpy(), want)
    u = ml.tensor(np.random.default_rng(0).normal(size=want.shape))
    (out * u).sum().backward()
    assert x.grad is not None
    step = ml.tensor(np.random.default_rng(1).normal(size=A.shape))
    moved = call(matrix() + step).detach() - ml.tensor(want)
    np.testing.assert_allclose((x.grad * step).sum().item(), (moved * u).sum().item(), rtol=1e-12)


@pytest.mark.parametrize(
    "look", [lambda x: x.t(), lambda x: x.select(0, 1), lambda x: x.narrow(1, 1, 2), lambda x: x.unfold(1, 2, 2)]
)
def test_a_write_through_a_view_is_on_the_tape(look: Any) -> None:
    w = matrix(requires_grad=True)
    c = w * 1.0
    look(c).mul_(0.0)
    c.sum().backward()
    assert w.grad is not None
    mask = matrix() * 0.0 + 1.0
    look(mask).zero_()
    assert w.grad.tolist() == mask.tolist()


def test_one_stride_can_be_asked_for() -> None:
    assert (matrix().stride(0), matrix().stride(-1), matrix().t().stride(0)) == (4, 1, 1)


def test_strides_inside_transforms_are_those_of_eager_execution() -> None:
    seen: list[Any] = []

    def look(row: Any) -> Any:
        y = row.reshape(2, 2).t()[1:]
        seen.append((y.stride(), y.storage_offset()))
        return y.as_strided((2,), (2,), 1)

    assert ml.func.vmap(look)(matrix()).tolist() == [[1.0, 3.0], [5.0, 7.0], [9.0, 11.0]]
    assert seen == [((1, 2), 1)]
    assert ml.func.grad(lambda x: (look(x) ** 2).sum())(ml.arange(4.0)).tolist() == [0.0, 2.0, 0.0, 6.0]


def test_inside_transforms_there_is_no_memory_to_show() -> None:
    assert ml.func.grad(lambda x: (x.data * x).sum())(ml.arange(3.0)).tolist() == [0.0, 1.0, 2.0]
    for leave in (copy.copy, pickle.dumps):
        with pytest.raises(GradientError, match="copy or a pickle"):
            ml.func.grad(lambda x, leave=leave: leave(x))(ml.ones(2))
