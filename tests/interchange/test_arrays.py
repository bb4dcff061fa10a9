"""NumPy and DLPack, both ways; copies and pickles; `out=`."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, DeviceError, DTypeError, GradientError, ShapeError

# ---- in -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("take", [ml.from_numpy, ml.as_tensor, ml.asarray, ml.from_dlpack])
def test_writes_are_seen_on_both_sides(take: Any) -> None:
    a = np.arange(6.0).reshape(2, 3)
    x = take(a)
    x[0, 0] = 7.0
    a[1, 2] = 9.0
    assert x.tolist() == a.tolist() == [[7.0, 1.0, 2.0], [3.0, 4.0, 9.0]]


def test_strides_and_offset_are_the_arrays() -> None:
    a = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    x = ml.from_numpy(a)
    assert (x.stride(), x.is_contiguous(), x.T.is_contiguous()) == ((1, 3), False, True)
    part = ml.from_numpy(a[1:, 2:])
    assert (part.storage_offset(), part.stride(1)) == (7, 3)
    assert part.as_strided((2,), (1,), 0).tolist() == [0.0, 4.0]


def test_a_tensor_of_an_array_is_a_copy() -> None:
    a = np.zeros(2)
    ml.tensor(a)[0] = 1.0
    ml.as_tensor(a, dtype=ml.float32)[0] = 1.0
    ml.asarray(a, copy=True)[0] = 1.0
    assert a.tolist() == [0.0, 0.0]


def test_as_tensor_gives_a_tensor_back() -> None:
    x = ml.ones(2, requires_grad=True)
    assert ml.as_tensor(x) is x
    assert ml.as_tensor(x, dtype=ml.float64).grad_fn is not None


def test_what_may_only_be_read_is_refused_or_copied() -> None:
    a = np.zeros(2)
    a.flags.writeable = False
    with pytest.raises(ArgumentError, match="may only be read"):
        ml.from_numpy(a)
    ml.as_tensor(a)[0] = 1.0
    assert a[0] == 0.0


def test_asarray_can_be_told_not_to_copy() -> None:
    a = np.zeros(2)
    assert ml.asarray(a, copy=False).numpy() is a
    assert ml.asarray(a, requires_grad=True).requires_grad
    with pytest.raises(ArgumentError, match="it must be copied"):
        ml.asarray([1.0], copy=False)
    with pytest.raises(ArgumentError, match="it must be copied"):
        ml.asarray(a, dtype=ml.float32, copy=False)


class Elsewhere:
    def __dlpack__(self, **_: Any) -> Any:
        raise AssertionError

    def __dlpack_device__(self) -> tuple[int, int]:
        return (8, 0)


REFUSED: dict[str, Any] = {
    "a list": (ml.from_numpy, [1.0], ArgumentError, "from_numpy got a list."),
    "bytes in the other order": (ml.from_numpy, np.zeros(2, ">f8"), DTypeError, "stand in the other order"),
    "text": (ml.from_numpy, np.array(["a"]), DTypeError, "There is no dtype"),
    "no DLPack": (ml.from_dlpack, 3, ArgumentError, "__dlpack__"),
    "another device": (ml.from_dlpack, Elsewhere(), DeviceError, "DLPack's device 8"),
}


@pytest.mark.parametrize(("take", "given", "error", "text"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_shared_is_refused(take: Any, given: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        take(given)


# ---- out ------------------------------------------------------------------------------------------------------------


def test_numpy_takes_the_memory_of_a_tensor() -> None:
    x = ml.zeros(2, 3).t()
    for a in (x.numpy(), np.from_dlpack(x), np.asarray(x)):
        a[0, 0] += 1.0
        assert a.strides == (4, 12)
    assert x[0, 0].item() == 3.0
    assert x.__dlpack_device__() == (1, 0)
    assert np.array(x, dtype="float64", copy=True)[0, 0] == 3.0


def test_a_gradient_does_not_stop_silently() -> None:
    x = ml.ones(2, requires_grad=True)
    for leave in (x.numpy, x.__dlpack__, lambda: np.asarray(x), lambda: np.from_dlpack(x)):
        with pytest.raises(GradientError, match=re.escape("Did you mean x.detach()")):
            leave()


# ---- copies and pickles ---------------------------------------------------------------------------------------------


def test_copies_are_leaves_as_in_pytorch() -> None:
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    for original in (x, x * 2.0, ml.arange(3.0)[1:], ml.tensor(2.0).exp()):
        shallow, through = copy.copy(original), pickle.loads(pickle.dumps(original))
        for twin in (shallow, through):
            assert twin.is_leaf
            assert (twin.requires_grad, twin.tolist()) == (original.requires_grad, original.tolist())
        assert shallow.data_ptr() == original.data_ptr() != through.data_ptr()
        assert shallow.untyped_storage() is original.untyped_storage()
        assert through.dtype is original.dtype


def test_a_parameter_stays_one() -> None:
    w = ml.nn.Parameter(ml.ones(2))
    assert type(pickle.loads(pickle.dumps(w))) is type(copy.copy(w)) is ml.nn.Parameter
    model = pickle.loads(pickle.dumps(ml.nn.Linear(2, 3)))
    assert model(ml.ones(1, 2)).shape == (1, 3)


# ---- out= -----------------------------------------------------------------------------------------------------------


def test_a_result_is_written_where_it_should_go() -> None:
    x, t = ml.tensor([1.0, 2.0]), ml.zeros(2)
    assert np.add(x, 1.0, out=t) is t
    assert (t.tolist(), t._version) == ([2.0, 3.0], 1)
    assert ml.mul(x, t, out=t) is t
    assert (t.tolist(), t._version) == ([2.0, 6.0], 2)
    assert ml.cat([x, x], out=ml.zeros(4)).tolist() == [1.0, 2.0, 1.0, 2.0]
    assert ml.add(x, 1, out=ml.zeros(2, dtype=ml.float64)).dtype == ml.float64
    assert ml.add(x, 1, out=None).tolist() == [2.0, 3.0]
    w = ml.ones(2, requires_grad=True)
    with ml.no_grad():
        assert ml.add(w, 1.0, out=t).tolist() == [2.0, 2.0]


def test_a_saved_tensor_that_is_an_out_is_noticed() -> None:
    w, t = ml.ones(2, requires_grad=True), ml.ones(2)
    y = (w * t).sum()
    ml.add(t, 1.0, out=t)
    with pytest.raises(GradientError, match="version 0, and its memory is now at version 1"):
        y.backward()


BASE = ml.zeros(4)
GRAD = ml.ones(2, requires_grad=True)
UNSAFE: dict[str, Any] = {
    "an input with a gradient": (lambda: ml.add(GRAD, 1, out=ml.zeros(2)), GradientError, "an input requires"),
    "one in a list": (lambda: ml.cat([GRAD, GRAD], out=ml.zeros(4)), GradientError, "an input requires"),
    "an out with a gradient": (lambda: ml.add(ml.ones(2), 1, out=GRAD), GradientError, "out requires"),
    "by way of NumPy": (lambda: np.exp(GRAD, out=ml.zeros(2)), GradientError, "an input requires"),
    "fractions into integers": (lambda: ml.exp(BASE, out=ml.arange(4)), DTypeError, "exp gives float32"),
    "another shape": (lambda: ml.exp(BASE, out=ml.zeros(3)), ShapeError, r"Did you mean out=ml.zeros\(4\)\?"),
    "a stretched out": (lambda: ml.exp(BASE, out=ml.zeros(1).expand(4)), ShapeError, "a place of its own"),
    "a part of the input": (lambda: ml.exp(BASE[1:], out=BASE[:3]), ShapeError, "at other places"),
    "two results": (lambda: ml.sort(BASE, out=ml.zeros(4)), ArgumentError, "gives a tuple of 2"),
    "an array": (lambda: np.exp(BASE, out=np.zeros(4)), ArgumentError, "got a ndarray as out"),
    "a layer": (lambda: ml.nn.Linear(2, 3, out=BASE), ArgumentError, "got the keyword out"),
}


@pytest.mark.parametrize(("call", "error", "text"), UNSAFE.values(), ids=UNSAFE)
def test_an_unsafe_out_is_refused(call: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        call()
    assert BASE.tolist() == [0.0] * 4
