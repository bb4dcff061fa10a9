"""Kernels that take another way for large arrays: what they give is what the plain way gives, for every layout."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.core.array import DTYPES
from minitorch_lab.ops import OPS
from minitorch_lab.ops.template import HOLE

LENGTHS = [(5000,), (60, 70), (3, 40, 50), (4000, 1), (7, 1001)]


def layouts(x: Any) -> Iterator[Any]:
    yield x
    yield np.asfortranarray(x)
    yield x[..., ::-1].copy()[..., ::-1]
    yield np.repeat(x, 2, axis=0)[::2]


def units_apart(a: Any, b: Any) -> int:
    """The largest distance of float32 numbers of one sign, in units in the last place."""
    return int(np.abs(a.view("int32").astype("int64") - b.view("int32")).max())


def test_erf_in_float32_is_within_four_units() -> None:
    x = np.concatenate([np.linspace(1e-3, 12, 40_001), 10.0 ** np.linspace(-37, 37, 2001)]).astype("float32")
    true = np.array([math.erf(v) for v in x.tolist()], "float32")
    assert units_apart(OPS["erf"].impl(x), true) <= 4
    np.testing.assert_array_equal(OPS["erf"].impl(-x), -OPS["erf"].impl(x))
    ends = OPS["erf"].impl(np.array([0.0, -0.0, np.inf, -np.inf, np.nan], "float32"))
    np.testing.assert_array_equal(ends, [0, 0, 1, -1, np.nan])
    assert np.signbit(ends).tolist()[:4] == [False, True, False, True]


def test_softplus_and_sigmoid_in_float32_are_within_four_units() -> None:
    x = np.linspace(-80, 80, 40_001).astype("float32")
    wide = x.astype("longdouble")
    assert units_apart(OPS["sigmoid"].impl(x), (1 / (1 + np.exp(-wide))).astype("float32")) <= 4
    assert units_apart(OPS["softplus"].impl(x), np.logaddexp(wide, 0).astype("float32")) <= 4


@pytest.mark.parametrize("name", ["erf", "gelu", "gelu_slope", "sigmoid", "silu", "softplus"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(), (3, 4), (200, 301), (5, 70, 80)])
def test_blocks_do_what_single_numbers_do(name: str, dtype: str, shape: tuple[int, ...]) -> None:
    impl = OPS[name].impl
    entries = np.asarray(np.random.default_rng(0).normal(size=shape), dtype)
    for x in layouts(entries) if shape else [entries]:
        want = impl(np.ascontiguousarray(x.reshape(-1)[:100])).astype("float64")
        got = impl(x)
        assert got.dtype == dtype
        assert got.strides == np.asarray(np.exp(x)).strides
        np.testing.assert_allclose(got.reshape(-1)[:100], want, rtol=1e-6 if dtype == "float32" else 1e-14)
        for out in (x.copy("K"), np.empty(shape, dtype)):
            given = out if np.array_equal(out, x) else x
            assert impl(given, out=out) is out
            np.testing.assert_array_equal(out, got)


def entries(dtype: str, shape: tuple[int, ...], coarse: bool) -> Any:
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(size=shape) * 2) if coarse else rng.normal(size=shape) * 100
    if "float" not in dtype:
        return x.astype("int64").astype(dtype)
    for odd in (np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0):
        x[rng.random(shape) < 0.01] = odd
    return x.astype(DTYPES[dtype])


def in_order(x: Any, axis: int, descending: bool) -> Any:
    """The stable order, worked out in float64 or int64."""
    wide = x.astype("float64" if "float" in x.dtype.name else "int64")
    if not descending:
        return np.argsort(wide, axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - np.argsort(np.flip(wide, axis), axis, kind="stable"), axis)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("shape", [(9,), *LENGTHS])
def test_sort_and_topk_keep_equals_in_order(dtype: str, coarse: bool, shape: tuple[int, ...]) -> None:
    for x in layouts(entries(dtype, shape, coarse)):
        for axis, descending in np.ndindex(x.ndim, 2):
            want = in_order(x, axis, bool(descending))
            np.testing.assert_array_equal(OPS["argsort"].impl(x, axis, bool(descending)), want)
            for k in {0, 1, 3, min(17, x.shape[axis])} if x.shape[axis] >= 3 else {0, 1}:
                got = OPS["topk"].impl(x, axis, k, bool(descending))
                np.testing.assert_array_equal(got, np.take(want, range(k), axis))


@pytest.mark.parametrize("shape", [*LENGTHS, (3, 20_000)])
def test_reading_and_adding_along_an_axis(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(2)
    for axis in range(len(shape)):
        lengths = [n if k == axis else max(n - 1, 1) for k, n in enumerate(shape)]
        index, values = rng.integers(0, shape[axis], lengths), rng.normal(size=lengths).astype("float32")
        places: Any = list(np.indices(lengths, sparse=True))
        places = (*places[:axis], index, *places[axis + 1 :])
        x = rng.normal(size=shape).astype("float32")
        for given in layouts(x):
            np.testing.assert_array_equal(OPS["gather"].impl(given, index, axis=axis), x[places])
        added, larger, written = np.zeros(shape, "float32"), x.copy(), x.copy()
        np.add.at(added, places, values)
        np.maximum.at(larger, places, values)
        written[places] = values
        for y in layouts(values):
            np.testing.assert_array_equal(OPS["scatter_add"].impl(y, index, axis=axis, shape=shape), added)
            np.testing.assert_array_equal(OPS["scatter_amax"].impl(x, y, index, axis=axis), larger)
            np.testing.assert_array_equal(OPS["scatter"].impl(x, y, index, axis=axis), written)


@pytest.mark.parametrize("width", [1, 3, 300])
@pytest.mark.parametrize("before", [(), (5,), (2, 3)])
def test_rows_are_added_where_their_numbers_say(width: int, before: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    numbers = rng.integers(-50, 50, (40, 60))
    index: Any = (*(slice(None),) * len(before), numbers)
    want = np.zeros((*before, 50, width), "float32")
    values = rng.normal(size=want[index].shape).astype("float32")
    np.add.at(want, index, values)
    template = (*(slice(None),) * len(before), HOLE)
    for y in layouts(values):
        got = OPS["additem"].impl(y, numbers, index=template, shape=want.shape)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bfloat16"])
@pytest.mark.parametrize(
    ("shape", "size", "step", "every"),
    [((3, 17), (3,), (2,), (1,)), ((2, 9, 11), (2, 3), (2, 3), (1, 1)), ((2, 9, 11), (3, 2), (1, 1), (2, 3)),
     ((1, 5, 30, 9), (2, 12, 8), (1, 2, 1), (1, 1, 1)), ((4, 4), (1, 1), (1, 1), (1, 1))],
)  # fmt: skip
def test_pooling_picks_the_first_of_the_largest(
    dtype: str, shape: tuple[int, ...], size: tuple[int, ...], step: tuple[int, ...], every: tuple[int, ...]
) -> None:
    x = entries(dtype, shape, coarse=True)
    axis = tuple(range(len(shape) - len(size), len(shape)))
    params = {"axis": axis, "size": size, "step": step, "dilation": every}
    windows = OPS["window"].impl(x, **params)
    rows = windows.reshape(*windows.shape[: len(shape)], -1)
    rows = rows.astype("float64")  # NumPy overlooks the NaN of bfloat16
    where = rows.argmax(-1)[..., None]
    got = OPS["max_pool"].impl(x, **params)
    assert got.dtype == x.dtype
    np.testing.assert_array_equal(got.astype("float64"), np.take_along_axis(rows, where, -1)[..., 0])
    numbers = OPS["window"].impl(np.arange(x.size).reshape(shape), **params).reshape(rows.shape)
    g = np.random.default_rng(4).normal(size=where.shape[:-1]).astype("float64")
    want = np.bincount(np.take_along_axis(numbers, where, -1).reshape(-1), g.reshape(-1), x.size).reshape(shape)
    np.testing.assert_allclose(OPS["max_pool_back"].impl(g, x, **params), want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [ml.int8, ml.int16, ml.int32, ml.int64, ml.float32, ml.bfloat16])
@pytest.mark.parametrize("backend", [None, "numpy", "llvm"])
def test_the_frame_of_a_pool_is_never_the_largest(dtype: Any, backend: str | None) -> None:
    x = ml.tensor([[[-5, -3, -9], [-7, -2, -4], [-8, -6, -1]]]).to(dtype)

    def pooled(x: Any) -> Any:
        return ml.nn.functional.max_pool2d(x, 3, 2, 1)

    found = (pooled if backend is None else ml.compile(pooled, backend=backend))(x)
    assert found.float().tolist() == [[[-2, -2], [-2, -1]]]
    values, places = ml.nn.functional.max_pool2d(x, 3, 2, 1, return_indices=True)
    assert (values.float().tolist(), places.tolist()) == ([[[-2, -2], [-2, -1]]], [[[4, 4], [4, 8]]])
