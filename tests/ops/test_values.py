"""Values against closed forms: Python's math module, one number at a time, and identities."""

from __future__ import annotations

import doctest
import math
from collections.abc import Callable

import numpy as np
import pytest

import minitorch_lab as ml

POINTS = [-30.0, -2.5, -0.7, -1e-9, 0.0, 1e-12, 0.3, 1.0, 2.5, 17.0]


def normal_cdf(v: float) -> float:
    return 0.5 * math.erfc(-v / math.sqrt(2.0))


CLOSED: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "expm1": math.expm1,
    "sin": math.sin,
    "cos": math.cos,
    "tanh": math.tanh,
    "erf": math.erf,
    "abs": abs,
    "relu": lambda v: max(v, 0.0),
    "sigmoid": lambda v: 1 / (1 + math.exp(-v)) if v > 0 else math.exp(v) / (1 + math.exp(v)),
    "softplus": lambda v: math.log1p(math.exp(v)) if v < 0 else v + math.log1p(math.exp(-v)),
    "gelu": lambda v: v * normal_cdf(v),
    "neg": lambda v: -v,
    "sign": lambda v: (v > 0) - (v < 0),
}


@pytest.mark.parametrize("name", CLOSED)
def test_functions_of_one_number(name: str) -> None:
    got = getattr(ml, name)(ml.tensor(np.array(POINTS))).tolist()
    want = [CLOSED[name](v) for v in POINTS]
    np.testing.assert_allclose(got, want, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("name", ["log", "sqrt", "log1p"])
def test_functions_of_a_positive_number(name: str) -> None:
    points = [1e-12, 0.5, 1.0, 3.0, 1e6]
    np.testing.assert_allclose(
        getattr(ml, name)(ml.tensor(np.array(points))).tolist(), [getattr(math, name)(v) for v in points], rtol=1e-15
    )


@pytest.mark.parametrize("op", ml.ops.ELEMENTWISE, ids=lambda op: op.name)
def test_the_example_in_the_docstring(op: ml.ops.Op) -> None:
    found = doctest.DocTestFinder().find(getattr(ml, op.name), op.name, globs={"ml": ml})
    result = doctest.DocTestRunner().run(found[0])
    assert result.failed == 0
    assert result.attempted >= 1


def test_functions_do_not_overflow() -> None:
    big = ml.tensor([1000.0, -1000.0])
    assert big.sigmoid().tolist() == [1.0, 0.0]
    assert big.softplus().tolist() == [1000.0, 0.0]
    assert big.softmax(0).tolist() == [1.0, 0.0]
    assert big.log_softmax(0).tolist() == [0.0, -2000.0]
    assert big.logsumexp(0).item() == 1000.0
    assert ml.tensor([-math.inf, -math.inf]).logsumexp(0).item() == -math.inf


X = np.random.default_rng(0).normal(size=(3, 4, 5))


@pytest.mark.parametrize("dim", [None, 0, -1, (0, 2), (1,)])
@pytest.mark.parametrize("keepdim", [False, True])
def test_reductions(dim: int | tuple[int, ...] | None, keepdim: bool) -> None:
    x = ml.tensor(X)
    axis = tuple(range(3)) if dim is None else dim
    np.testing.assert_allclose(x.sum(dim, keepdim).value, X.sum(axis, keepdims=keepdim))
    np.testing.assert_allclose(x.mean(dim, keepdim).value, X.mean(axis, keepdims=keepdim))
    np.testing.assert_allclose(x.var(dim, keepdim=keepdim).value, X.var(axis, keepdims=keepdim, ddof=1))
    np.testing.assert_allclose(x.std(dim, 0, keepdim).value, X.std(axis, keepdims=keepdim))
    np.testing.assert_allclose(x.amax(dim, keepdim).value, X.max(axis, keepdims=keepdim))
    np.testing.assert_allclose(x.amin(dim, keepdim).value, X.min(axis, keepdims=keepdim))
    np.testing.assert_allclose(x.logsumexp(dim, keepdim).value, np.log(np.exp(X).sum(axis, keepdims=keepdim)))


def test_max_along_a_dim_names_the_entry() -> None:
    x = ml.tensor([[1.0, 5.0, 5.0], [7.0, 2.0, 3.0]], requires_grad=True)
    values, indices = x.max(dim=1)
    assert values.tolist() == [5.0, 7.0]
    assert indices.tolist() == [1, 0]
    values.sum().backward()
    assert x.grad.tolist() == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]
    assert x.min(dim=0, keepdim=True).indices.tolist() == [[0, 1, 1]]
    assert x.argmax().item() == 3


def test_ties_share_the_gradient() -> None:
    x = ml.tensor([2.0, 5.0, 5.0], requires_grad=True)
    x.amax().backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]
    a, b = ml.tensor([1.0, 2.0], requires_grad=True), ml.tensor([1.0, 1.0], requires_grad=True)
    ml.maximum(a, b).sum().backward()
    assert (a.grad.tolist(), b.grad.tolist()) == ([0.5, 1.0], [0.5, 0.0])


def test_softmax_is_shift_invariant_and_sums_to_one() -> None:
    x = ml.tensor(X)
    np.testing.assert_allclose(x.softmax(1).sum(1).value, 1.0)
    np.testing.assert_allclose((x + 100.0).softmax(1).value, x.softmax(1).value, rtol=1e-12)
    np.testing.assert_allclose(x.log_softmax(2).value, np.log(x.softmax(2).value))


@pytest.mark.parametrize(
    ("a", "b"),
    [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 2)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (6, 4, 5)), ((3, 4), (7, 4, 2))],
)
def test_matmul_of_all_ranks(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=a), rng.normal(size=b)
    np.testing.assert_allclose((ml.tensor(x) @ ml.tensor(y)).value, np.matmul(x, y))


def test_cross_entropy_is_minus_the_log_of_the_right_probability() -> None:
    logits, labels = X[0], np.array([0, 2, 4, 1])
    p = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    rows = -np.log(p[np.arange(4), labels])
    x, t = ml.tensor(logits, requires_grad=True), ml.tensor(labels)
    np.testing.assert_allclose(ml.cross_entropy(x, t, reduction="none").value, rows)
    np.testing.assert_allclose(ml.cross_entropy(x, t, reduction="sum").item(), rows.sum())
    np.testing.assert_allclose(ml.cross_entropy(x[1], t[1]).item(), rows[1])
    np.testing.assert_allclose(ml.cross_entropy(x, ml.one_hot(t, 5).double()).item(), rows.mean())
    ml.cross_entropy(x, t).backward()
    np.testing.assert_allclose(x.grad.value, (p - np.eye(5)[labels]) / 4, atol=1e-15)
    stacked = ml.tensor(X.transpose(0, 2, 1))
    target = ml.tensor(np.array([labels, labels, labels]))
    np.testing.assert_allclose(ml.cross_entropy(stacked, target, reduction="none")[0].value, rows)


def test_indexing_follows_numpy() -> None:
    x = ml.tensor(X)
    rows = np.array([2, 0, 0])
    for index in (
        0,
        -1,
        slice(1, None),
        (0, 1, 2),
        (..., 1),
        (None, 0),
        (slice(None, None, 2), 1),
        [0, 2],
        (rows, 1),
        X > 0,
    ):
        np.testing.assert_array_equal(x[index].value, X[index])
    np.testing.assert_array_equal(x[ml.tensor(rows), :, ml.tensor([1, 2, 3])].value, X[rows, :, [1, 2, 3]])
    np.testing.assert_array_equal(x[x > 0].value, X[X > 0])


def test_gather_pad_one_hot_stack_and_cat() -> None:
    x = ml.tensor(X[0])
    index = np.array([[0, 4], [1, 1], [2, 0], [3, 3]])
    np.testing.assert_array_equal(x.gather(1, ml.tensor(index)).value, np.take_along_axis(X[0], index, 1))
    np.testing.assert_array_equal(
        ml.pad(x, (1, 2, 3, 0), value=7.0).value, np.pad(X[0], ((3, 0), (1, 2)), constant_values=7.0)
    )
    np.testing.assert_array_equal(ml.one_hot(ml.tensor([2, 0])).value, [[0, 0, 1], [1, 0, 0]])
    np.testing.assert_array_equal(ml.stack([x, x * 2], dim=1).value, np.stack([X[0], X[0] * 2], 1))
    np.testing.assert_array_equal(ml.concatenate([x, x], dim=1).value, np.concatenate([X[0], X[0]], 1))
    np.testing.assert_array_equal(x.cumsum(1).value, X[0].cumsum(1))
    np.testing.assert_array_equal(x.flip(0).value, X[0][::-1])


def test_clamp_where_and_comparisons() -> None:
    x = ml.tensor([-2.0, 0.5, 3.0])
    assert x.clamp(min=-1, max=1).tolist() == [-1.0, 0.5, 1.0]
    assert x.clamp(max=0).tolist() == [-2.0, 0.0, 0.0]
    assert ml.where(x > 0, x, 0.0).tolist() == [0.0, 0.5, 3.0]
    assert ((x > 0) & (x < 1) | (x == 3.0)).tolist() == [False, True, True]
    assert (~(x > 0)).tolist() == [True, False, False]
    assert (x != x).any().item() is False
    assert x.isnan().all().item() is False


def test_dtypes_meet_as_in_pytorch() -> None:
    f32, f64, i64, flag = ml.ones(2), ml.ones(2, dtype=ml.float64), ml.arange(2), ml.tensor([True, False])
    assert (f32 + i64).dtype == ml.float32
    assert (f32 + f64).dtype == ml.float64
    assert (i64 / (i64 + 1)).dtype == ml.float32
    assert (i64 * 2.5).dtype == ml.float32
    assert (i64 * 2).dtype == ml.int64
    assert (i64 + flag).dtype == ml.int64
    assert (flag * f64).dtype == ml.float64
    assert (f32 + ml.tensor(1.0, dtype=ml.float64)).dtype == ml.float32
    assert i64.exp().dtype == ml.float32
    assert flag.sum().dtype == ml.int64
    assert (i64**2).dtype == ml.int64
    assert (1 / f64).dtype == ml.float64


def test_a_gradient_has_the_dtype_of_what_it_belongs_to() -> None:
    w, x = ml.ones(2, requires_grad=True), ml.tensor([2.0, 3.0], dtype=ml.float64, requires_grad=True)
    (w * x).sum().backward()
    assert (w.grad.dtype, x.grad.dtype) == (ml.float32, ml.float64)
    assert (w.grad.tolist(), x.grad.tolist()) == ([2.0, 3.0], [1.0, 1.0])


def test_numpy_functions_of_tensors_are_ops() -> None:
    x = ml.tensor([1.0, 4.0], requires_grad=True)
    y = np.sqrt(x) + np.array([1.0, 1.0], "float32") * x
    y.sum().backward()
    assert x.grad.tolist() == [1.5, 1.25]
    assert np.asarray(x.detach()).tolist() == [1.0, 4.0]
