"""Functions that are written with ops, against PyTorch: the same call on both, values and gradients to 1e-9."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(3, 3)) + 2 * np.eye(3), RNG.normal(size=(3, 3))
V, W = RNG.normal(size=3), RNG.normal(size=3)
T, U = RNG.normal(size=(2, 3, 3)), RNG.normal(size=(2, 3, 3))
ODD = np.array([1.0, math.nan, math.inf, -math.inf, 0.0])
TIES = np.array([[3.0, 1.0, 3.0], [2.0, 2.0, 0.0]])
WHOLE = np.array([3, 1, 0, 3, 5])

CASES: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = {
    "linalg.solve": (lambda m, a, b: m.linalg.solve(a, b), (A, B)),
    "linalg.solve a vector": (lambda m, a, b: m.linalg.solve(a, b), (A, V)),
    "linalg.solve a batch of vectors": (lambda m, a, b: m.linalg.solve(a, b), (T, T[:, 0])),
    "linalg.inv": (lambda m, a: m.linalg.inv(a), (A,)),
    "inverse": (lambda m, a: m.inverse(a), (T,)),
    "det": (lambda m, a: m.det(a), (T,)),
    "logdet": (lambda m, a: m.logdet(a @ a.mT), (A,)),
    "slogdet": (lambda m, a: m.slogdet(a), (T,)),
    "cholesky upper": (lambda m, a: m.linalg.cholesky(a @ a.mT, upper=True), (A,)),
    "cholesky_solve": (lambda m, a, b: m.cholesky_solve(b, m.linalg.cholesky(a @ a.mT)), (A, B)),
    "cholesky_solve upper": (lambda m, a, b: m.cholesky_solve(b, a.triu(), upper=True), (A, B)),
    "matrix_power": (lambda m, a: m.matrix_power(a, 5), (A,)),
    "matrix_power negative": (lambda m, a: m.linalg.matrix_power(a, -2), (A,)),
    "vector_norm 1": (lambda m, a: m.linalg.vector_norm(a, 1, dim=1), (A,)),
    "vector_norm 3": (lambda m, a: m.linalg.vector_norm(a, 3, dim=(0, 1), keepdim=True), (A,)),
    "vector_norm inf": (lambda m, a: m.linalg.vector_norm(a, math.inf, dim=0), (A,)),
    "vector_norm -inf": (lambda m, a: m.linalg.vector_norm(a, -math.inf), (A,)),
    "matrix_norm fro": (lambda m, a: m.linalg.matrix_norm(a), (T,)),
    "matrix_norm 1": (lambda m, a: m.linalg.matrix_norm(a, 1), (T,)),
    "matrix_norm -inf": (lambda m, a: m.linalg.matrix_norm(a, -math.inf, dim=(0, 2), keepdim=True), (T,)),
    "linalg.norm": (lambda m, a: m.linalg.norm(a), (T,)),
    "linalg.norm of a matrix": (lambda m, a: m.linalg.norm(a, math.inf), (A,)),
    "linalg.norm of rows": (lambda m, a: m.linalg.norm(a, 3, dim=-1), (A,)),
    "matrix_norm 2": (lambda m, a: m.linalg.matrix_norm(a, 2, dim=(0, 2)), (T,)),
    "matrix_norm -2": (lambda m, a: m.linalg.norm(a, -2), (A,)),
    "matrix_norm nuc": (lambda m, a: m.linalg.matrix_norm(a, "nuc", keepdim=True), (T,)),
    "eigvalsh": (lambda m, a: m.linalg.eigvalsh(a + a.mT), (T,)),
    "svdvals": (lambda m, a: m.linalg.svdvals(a), (T[:, :2],)),
    "qr wide": (lambda m, a: (m.linalg.qr(a)[1].abs(), m.linalg.qr(a)[0].abs()), (T[:, :2],)),
    "pinv": (lambda m, a: m.linalg.pinv(a), (T[:, :2],)),
    "norm": (lambda m, a: a.norm(dim=1, keepdim=True), (A,)),
    "norm p": (lambda m, a: m.norm(a, 3), (A,)),
    "trace": (lambda m, a: a.trace(), (A,)),
    "diag": (lambda m, a: m.diag(a, 1), (A,)),
    "diag of a vector": (lambda m, v: m.diag(v, -2), (V,)),
    "diagonal": (lambda m, t: t.diagonal(1, 0, 2), (T,)),
    "diag_embed": (lambda m, a: m.diag_embed(a, 1, 0, 2), (A,)),
    "diag_embed swapped": (lambda m, a: m.diag_embed(a, -1, -1, 0), (A,)),
    "outer": (lambda m, v, w: m.outer(v, w), (V, W)),
    "dot": (lambda m, v, w: v.dot(w), (V, W)),
    "mv": (lambda m, a, v: a.mv(v), (A, V)),
    "mm": (lambda m, a, b: a.mm(b), (A, B)),
    "bmm": (lambda m, t, u: t.bmm(u), (T, U)),
    "addmv": (lambda m, v, a, w: m.addmv(v, a, w, beta=0.5, alpha=2), (V, A, W)),
    "addmm": (lambda m, v, a, b: m.addmm(v, a, b, beta=0.5, alpha=-2), (V, A, B)),
    "addmm beta 0": (lambda m, v, a, b: m.addmm(v * math.nan, a, b, beta=0), (V, A, B)),
    "baddbmm": (lambda m, a, t, u: m.baddbmm(a, t, u, beta=3), (A, T, U)),
    "kron": (lambda m, a, b: m.kron(a, b[:, :2]), (A, B)),
    "kron of ranks": (lambda m, t, v: m.kron(t, v), (T, V)),
    "lerp": (lambda m, a, b: a.lerp(b, 0.3), (A, B)),
    "addcmul": (lambda m, a, b, v: m.addcmul(a, b, v, value=2), (A, B, V)),
    "addcdiv": (lambda m, a, b, v: m.addcdiv(a, b, v, value=2), (A, B, V)),
    "masked_fill": (lambda m, a: a.masked_fill(a > 0, 7.0), (A,)),
    "masked_select": (lambda m, a: a.masked_select(a > 0), (A,)),
    "masked_select of a number": (lambda m, a: a[0, 0].masked_select(a[0, 0] > -9), (A,)),
    "nan_to_num": (lambda m, x: m.nan_to_num(x, 1.0, 2.0, -3.0), (ODD,)),
    "isclose": (lambda m, x: m.isclose(x, x * 1.000001, equal_nan=True), (ODD,)),
    "cumprod": (lambda m, a: a.cumprod(1), (A * (np.arange(3) != 1),)),
    "cummax": (lambda m, x: m.cummax(x, 1), (TIES,)),
    "cummin": (lambda m, x: m.cummin(x, 0), (TIES,)),
    "logcumsumexp": (lambda m, a: a.logcumsumexp(0), (A * 500,)),
    "diff": (lambda m, a: a.diff(2, 0), (A,)),
    "prod": (lambda m, a: a.prod(), (A * (np.arange(3) != 1),)),
    "prod dim": (lambda m, a: a.prod(1, keepdim=True), (A,)),
    "median dim": (lambda m, a: a.median(1), (A,)),
    "kthvalue": (lambda m, a: a.kthvalue(2, 0, keepdim=True), (A,)),
    "take_along_dim": (lambda m, a: a.take_along_dim(a.argsort(0), 0), (A,)),
    "remainder": (lambda m, a: a % 0.7, (A,)),
    "floor_divide": (lambda m, a: a // 0.7, (A,)),
    "whole %": (lambda m, x: (x - 3) % 2, (WHOLE,)),
    "whole //": (lambda m, x: (x - 3) // 2, (WHOLE,)),
    "count_nonzero": (lambda m, x: m.count_nonzero(x), (WHOLE,)),
    "bincount": (lambda m, x: x.bincount(minlength=8), (WHOLE,)),
    "bincount weights": (lambda m, x: x.bincount(x * 0.5), (WHOLE,)),
    "histc": (lambda m, a: m.histc(a.detach(), 5), (A,)),
    "histc bounds": (lambda m, a: m.histc(a.detach(), 4, -1, 1), (A,)),
    "nonzero": (lambda m, x: x.nonzero(), (WHOLE,)),
    "nonzero as_tuple": (lambda m, a: (a > 0).nonzero(as_tuple=True), (A,)),
    "argwhere": (lambda m, x: m.argwhere(x), (WHOLE,)),
    "unique": (lambda m, x: m.unique(x), (WHOLE,)),
    "isin": (lambda m, x: m.isin(x, x[:2]), (WHOLE,)),
    "searchsorted": (lambda m, a, b: m.searchsorted(a.detach().sort(1)[0], b, right=True), (A, B)),
    "bucketize": (lambda m, a, v: m.bucketize(a, v.detach().sort()[0]), (A, V)),
    "tril_indices": (lambda m, v: m.tril_indices(3, 4, -1), (V,)),
    "triu_indices": (lambda m, v: m.triu_indices(3, 4, 1), (V,)),
}


FLAT = {"slogdet", "floor_divide"}  # torch gives the sign and the steps a history, without a gradient in it


def parts(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("name", CASES)
def test_value_and_gradient(name: str) -> None:
    call, arrays = CASES[name]
    ours = [ml.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]
    theirs = [torch.tensor(a, requires_grad=a.dtype.kind == "f") for a in arrays]
    mine, right = parts(call(ml, *ours)), parts(call(torch, *theirs))
    assert len(mine) == len(right)
    for got, want in zip(mine, right, strict=True):
        assert tuple(got.shape) == tuple(want.shape)
        assert got.dtype.name == str(want.dtype).removeprefix("torch.")
        np.testing.assert_allclose(got.detach().numpy(), want.detach().numpy(), rtol=1e-9, atol=1e-12)
        assert got.requires_grad == want.requires_grad or name in FLAT
        if got.requires_grad:
            u = RNG.normal(size=tuple(want.shape))
            got.backward(ml.tensor(u), retain_graph=True)
            want.backward(torch.tensor(u), retain_graph=True)
    for a, b in zip(ours, theirs, strict=True):
        if a.grad is not None:
            np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-9, atol=1e-12)


def test_unique_with_its_extras() -> None:
    ours = ml.tensor(WHOLE).unique(return_inverse=True, return_counts=True)
    theirs = torch.tensor(WHOLE).unique(return_inverse=True, return_counts=True)
    assert [p.tolist() for p in ours] == [p.tolist() for p in theirs]


def test_equal_and_allclose() -> None:
    for m, make in ((ml, ml.tensor), (torch, torch.tensor)):
        x = make(A)
        assert (m.equal(x, x), m.equal(x, x[:2]), m.allclose(x, x + 1e-9), m.allclose(x, x + 1e-3)) == (
            True,
            False,
            True,
            False,
        )


@pytest.mark.parametrize("nonlinearity", ["linear", "tanh", "relu", "leaky_relu"])
def test_starting_values_have_the_same_spread(nonlinearity: str) -> None:
    """The generators differ, so the bounds and the standard deviations are compared."""
    ml.manual_seed(0)
    init, right = ml.nn.init, torch.nn.init
    assert init.calculate_gain(nonlinearity) == pytest.approx(right.calculate_gain(nonlinearity))
    for name in ("kaiming_uniform_", "kaiming_normal_"):
        for mode in ("fan_in", "fan_out"):
            x, y = ml.zeros(200, 40, 3), torch.zeros(200, 40, 3)
            getattr(init, name)(x, mode=mode, nonlinearity=nonlinearity)
            getattr(right, name)(y, mode=mode, nonlinearity=nonlinearity)
            assert x.std().item() == pytest.approx(y.std().item(), rel=0.03)
    for name in ("xavier_uniform_", "xavier_normal_", "orthogonal_"):
        x, y = ml.zeros(200, 40, 3), torch.zeros(200, 40, 3)
        getattr(init, name)(x, gain=2.0)
        getattr(right, name)(y, gain=2.0)
        assert x.std().item() == pytest.approx(y.std().item(), rel=0.03)
