"""Views, strides and writes in place: memory is shared, and the history follows."""

from __future__ import annotations

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError, ShapeError


def test_row_c1_strides_in_row_order() -> None:
    assert ml.zeros(1, 2, 3, 4).stride() == (24, 12, 4, 1)
    x = ml.zeros(3, 5)
    assert (x.stride(), x.T.stride(), x.T.is_contiguous(), x.T.contiguous().stride()) == ((5, 1), (1, 5), False, (3, 1))


def test_row_c1_a_matrix_of_2_by_3_in_either_order() -> None:
    rows = ml.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    columns = rows.T.contiguous().T
    assert (rows.stride(), columns.stride(), rows.equal(columns)) == ((3, 1), (1, 2), True)
    memory = [np.asarray(x.as_strided((6,), (1,))).tolist() for x in (rows, columns)]
    assert memory == [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]]
    for x, flat in zip((rows, columns), memory, strict=True):
        assert all(flat[i * x.stride(0) + j * x.stride(1)] == x[i, j].item() for i in range(2) for j in range(3))


def test_row_c1_bytes_of_a_matrix() -> None:
    assert ml.zeros(1024, 1024).nbytes == 4_194_304
    assert ml.zeros(1024, 1024, dtype=ml.float16).nbytes == 2_097_152


def test_row_c1_ranks_and_an_image() -> None:
    ranks = [ml.tensor(1.0), ml.zeros(3), ml.zeros(3, 3), ml.zeros(3, 3, 3)]
    assert [x.ndim for x in ranks] == [0, 1, 2, 3]
    batch = ml.zeros(64, 3, 224, 224)
    red, green, blue = batch[0]
    assert (batch.stride(), red.shape) == ((150_528, 50_176, 224, 1), (224, 224))
    assert [c.storage_offset() for c in (red, green, blue)] == [0, 50_176, 100_352]
    assert (batch.dtype, batch.device) == (ml.float32, "cpu")


def test_offsets_and_addresses() -> None:
    x = ml.arange(12).reshape(3, 4)
    part = x[1:, 2]
    assert (part.shape, part.stride(), part.storage_offset()) == ((2,), (4,), 6)
    assert part.data_ptr() == x.data_ptr() + 6 * x.itemsize
    assert part.untyped_storage() is x.untyped_storage()
    assert x.untyped_storage().nbytes == 96


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x[0],
        lambda x: x.T,
        lambda x: x.reshape(4),
        lambda x: x.unsqueeze(0),
        lambda x: x.view(4),
        lambda x: x[0, 0],
        lambda x: x.detach(),
        lambda x: x.flatten(),
        lambda x: x.expand(3, 2, 2),
    ],
)
def test_a_view_shares_memory_and_version(make) -> None:
    x = ml.zeros(2, 2)
    view = make(x)
    x += 1
    assert view.sum().item() == view.numel()
    assert view._version == x._version == 1


@pytest.mark.parametrize(
    "make", [lambda x: x.clone(), lambda x: x[[0, 1]], lambda x: x * 1, lambda x: x.T.reshape(4), lambda x: x.flip(0)]
)
def test_a_copy_does_not(make) -> None:
    x = ml.zeros(2, 2)
    copy = make(x)
    x += 1
    assert copy.sum().item() == 0


def test_view_refuses_to_copy() -> None:
    with pytest.raises(ShapeError, match=r"Did you mean x\.reshape\(4,\)"):
        ml.zeros(2, 2).T.view(4)


def test_a_write_through_a_view_reaches_the_base() -> None:
    x = ml.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = x * 1.0
    row = y[0]
    row.mul_(10.0)
    (y * y).sum().backward()
    assert x.grad.tolist() == [[200.0, 400.0], [6.0, 8.0]]


def test_views_made_before_a_write_follow_it() -> None:
    x = ml.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1.0
    early = y[1:]
    y.mul_(5.0)
    assert early.tolist() == [10.0, 15.0]
    early.sum().backward()
    assert x.grad.tolist() == [0.0, 5.0, 5.0]


def test_views_of_views() -> None:
    x = ml.tensor(np.arange(6.0), requires_grad=True)
    y = x.clone().reshape(2, 3)
    y.T[1:].mul_(2.0)
    y[0, 0] = y[1, 2] * 3
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 2.0, 1.0, 2.0, 8.0]


def test_setitem_takes_its_gradient_from_what_is_written() -> None:
    buffer, x = ml.zeros(3), ml.tensor([1.0, 2.0], requires_grad=True)
    buffer[1:] = x * 3.0
    buffer.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    w = ml.ones(3, requires_grad=True)
    y = w * 2.0
    y[[0, 2]] = ml.tensor([5.0, 5.0])
    y.sum().backward()
    assert w.grad.tolist() == [0.0, 2.0, 0.0]


def test_in_place_needs_the_old_value() -> None:
    y, w = ml.tensor([3.0], requires_grad=True), ml.tensor([5.0], requires_grad=True)
    z = y * 1.0
    z.mul_(w)
    z.backward()
    assert (y.grad.tolist(), w.grad.tolist()) == ([5.0], [3.0])


def test_a_stale_saved_tensor_is_an_error() -> None:
    x = ml.tensor([2.0], requires_grad=True)
    h = x * 1.0
    y = h * h
    h += 1
    with pytest.raises(
        GradientError, match=r"MulBackward saved '[xy]' at version 0, and its memory is now at version 1"
    ):
        y.backward()
    h = x * 1.0
    y = h + 1  # saves nothing
    h += 1
    y.backward()
    assert x.grad.tolist() == [1.0]


def test_detach_shares_the_counter_and_data_does_not() -> None:
    x = ml.tensor([1.0], requires_grad=True)
    y = x.exp()
    y.detach().zero_()
    with pytest.raises(GradientError, match="ExpBackward saved 'out'"):
        y.backward()
    y = x.exp()
    y.data.mul_(100.0)  # nobody notices: the pitfall
    y.backward()
    assert x.grad.item() == pytest.approx(271.828, abs=1e-3)
    x.grad = None
    h = x * 2.0
    square = h * h
    h.data.mul_(100.0)
    square.backward()
    assert x.grad.item() == pytest.approx(800.0)


def test_a_leaf_cannot_be_overwritten() -> None:
    x = ml.ones(2, requires_grad=True)
    for write in (lambda: x.add_(1), lambda: x[0].add_(1), lambda: x.__setitem__(0, 3.0)):
        with pytest.raises(GradientError, match=r"leaf that requires a gradient"):
            write()
    with ml.no_grad():
        x += 1
    assert x.tolist() == [2.0, 2.0]
    assert x.is_leaf
    x.detach().add_(1)
    assert x.tolist() == [3.0, 3.0]


def test_writes_under_no_grad_change_memory_only() -> None:
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1.0
    v = y[:1]
    with ml.no_grad():
        v.mul_(7.0)
    assert y.tolist() == [7.0, 2.0]
    (v * 2.0).backward()
    assert x.grad.tolist() == [2.0, 0.0]


def test_data_is_zero_dimensional_too() -> None:
    x = ml.tensor([1.0, 2.0])
    total = x.sum()
    alias = total.reshape(1)
    total += 1
    assert alias.tolist() == [4.0]
