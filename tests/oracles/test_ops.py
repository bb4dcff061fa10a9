"""Every op against PyTorch, in float64: value, gradient and second derivative to 1e-9."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml
from minitorch_lab.ops.op import OPS, Op
from minitorch_lab.ops.template import filled
from tests.ops import laws

F = torch.nn.functional
pytestmark = pytest.mark.oracle


def reduction(name: str) -> Callable[..., Any]:
    def call(x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
        return getattr(torch, name)(x, dim=axis, keepdim=keepdims)

    return call


def position(name: str) -> Callable[..., Any]:
    def call(x: Any, axis: tuple[int, ...], keepdims: bool) -> Any:
        return getattr(torch, name)(x, dim=axis[0], keepdim=keepdims) if len(axis) == 1 else getattr(torch, name)(x)

    return call


def setitem(x: Any, y: Any, *arrays: Any, index: Any) -> Any:
    out = x.clone()
    out[filled(index, arrays)] = y
    return out


def additem(x: Any, *arrays: Any, index: Any, shape: Any) -> Any:
    places = torch.arange(prod(shape)).reshape(shape)[filled(index, arrays)]
    flat = torch.zeros(prod(shape), dtype=x.dtype)
    return flat.index_add(0, places.flatten(), x.flatten()).reshape(shape)


def window(x: Any, axis: Any, size: Any, step: Any, dilation: Any) -> Any:
    for a, k, s, d in zip(axis, size, step, dilation, strict=True):
        x = x.unfold(a, d * (k - 1) + 1, s)[..., ::d]
    return x


def as_strided(x: Any, size: Any, stride: Any, offset: int, lies: Any) -> Any:
    if x.stride() != lies[0]:  # lay it out as the op was told, with the same entries
        x = x.t().contiguous().t()
    return x.as_strided(size, stride, offset)


def fold(x: Any, shape: Any, **params: Any) -> Any:
    start = torch.zeros(shape, dtype=x.dtype, requires_grad=True)
    return torch.autograd.grad(window(start, **params), start, x, create_graph=True)[0]


def max_pool(x: Any, axis: Any, size: Any, **params: Any) -> Any:
    return window(x, axis=axis, size=size, **params).flatten(x.ndim).max(-1).values


def max_pool_back(x: Any, y: Any, **params: Any) -> Any:
    where = window(y, **params).flatten(y.ndim).max(-1, keepdim=True).indices
    windows = window(torch.zeros_like(y, dtype=x.dtype), **params)
    put = torch.zeros_like(windows.flatten(y.ndim)).scatter(-1, where, x[..., None]).reshape(windows.shape)
    wide = put if put.is_floating_point() else put.double()  # PyTorch has no gradients of whole numbers
    return fold(wide, y.shape, **params).to(put.dtype)


def standardize(x: Any, axis: Any, eps: float) -> Any:
    wide = x.float() if x.dtype.itemsize == 2 else x
    centred = wide - wide.mean(axis, keepdim=True)
    return (centred / torch.sqrt((centred**2).mean(axis, keepdim=True) + eps)).to(x.dtype)


def gelu_slope(x: Any) -> Any:
    wide = (x.float() if x.dtype.itemsize == 2 else x).requires_grad_()
    return torch.autograd.grad(F.gelu(wide), wide, torch.ones_like(wide), create_graph=True)[0].to(x.dtype)


def topk(x: Any, axis: int, k: int, largest: bool) -> Any:
    return x.sort(dim=axis, descending=largest, stable=True).indices.narrow(axis, 0, k)  # of equals the first


def recurrence(x: Any, y: Any, axis: int, reverse: bool) -> Any:
    rates, parts = x.unbind(axis), y.unbind(axis)
    states: dict[int, Any] = {}
    for k in reversed(range(len(parts))) if reverse else range(len(parts)):
        before = states.get(k + 1 if reverse else k - 1)
        states[k] = parts[k] + rates[k] * (torch.zeros_like(rates[k]) if before is None else before)
    return torch.stack([states[k] for k in sorted(states)], axis) if states else x * y


def diagonal_laid(x: Any, offset: int, shape: Any) -> Any:
    side = max(shape) + abs(offset)
    square = torch.diag_embed(F.pad(x, (0, side - abs(offset) - x.shape[-1])), offset)
    return square[..., : shape[0], : shape[1]]


def plus(x: Any) -> Any:
    top = x.gather(-2, x.abs().argmax(-2, keepdim=True)) if x.numel() else x[..., :1, :]
    return torch.where(top < 0, -1.0, 1.0)


def eigh(x: Any) -> Any:
    values, vectors = torch.linalg.eigh((x + x.mT) / 2)
    return torch.cat([values[..., None, :], vectors * plus(vectors)], -2)


def qr(x: Any) -> Any:
    q, r = torch.linalg.qr(x)
    signs = torch.where(r.diagonal(dim1=-2, dim2=-1) < 0, -1.0, 1.0)
    return torch.cat([q * signs[..., None, :], r * signs[..., :, None]], -2)


def svd(x: Any) -> Any:
    u, s, vh = torch.linalg.svd(x, full_matrices=False)
    return torch.cat([u * plus(u), s[..., None, :], vh.mT * plus(u)], -2)


def middle(x: Any, axis: Any, keepdims: bool) -> Any:
    rest = [a for a in range(x.ndim) if a not in axis]
    found = x.permute(*rest, *axis).flatten(len(rest)).median(-1).values
    return found.reshape([1 if a in axis else n for a, n in enumerate(x.shape)]) if keepdims else found


def scattering(reduce: str) -> Callable[..., Any]:
    return lambda x, y, index, axis: torch.scatter_reduce(x, axis, index, y, reduce)


# What PyTorch has under another name, or with other parameters.
TRANSLATED: dict[str, Callable[..., Any]] = {
    **{name: reduction(name) for name in ("sum", "mean", "amax", "amin", "logsumexp", "any", "all")},
    **{name: position(name) for name in ("argmax", "argmin")},
    "add_scaled": lambda x, y, alpha: torch.add(x, y, alpha=alpha),
    "hardsigmoid": lambda x: F.relu6(x + 3) / 6,  # its own kernel multiplies by the float32 nearest to a sixth
    "clamp": lambda x, min, max: torch.clamp(x, min, max),
    "clamp_between": torch.clamp,
    "var": lambda x, axis, keepdims, correction: torch.var(x, dim=axis, keepdim=keepdims, correction=correction),
    "std": lambda x, axis, keepdims, correction: x.var(axis, correction=correction, keepdim=keepdims).sqrt(),
    "median": middle,
    "weights": lambda x, name: x.clone(),
    "probabilities": lambda x, name: x.clone(),
    "xlog1py": torch.special.xlog1py,
    "entr": torch.special.entr,
    "softmax": lambda x, axis: torch.softmax(x, axis[0]),
    "log_softmax": lambda x, axis: torch.log_softmax(x, axis[0]),
    "cumsum": lambda x, axis: torch.cumsum(x, axis),
    "cumprod": lambda x, axis: torch.cumprod(x, axis),
    "logcumsumexp": lambda x, axis: torch.logcumsumexp(x, axis),
    "cummax": lambda x, axis: torch.cummax(x, axis).indices,
    "cummin": lambda x, axis: torch.cummin(x, axis).indices,
    "recurrence": recurrence,
    "prod": lambda x, axis, keepdims: torch.prod(x, axis, keepdim=keepdims),
    "norm": lambda x, axis, keepdims: torch.linalg.vector_norm(x, dim=axis, keepdim=keepdims),
    "power_norm": lambda x, axis, keepdims, ord: torch.linalg.vector_norm(x, ord, dim=axis, keepdim=keepdims),
    "searchsorted": lambda x, y, right: torch.searchsorted(x, y, right=right),
    **{f"scatter_{r}": scattering(r) for r in ("amax", "amin")},
    "scatter_mul": scattering("prod"),
    "diagonal": lambda x, offset: torch.diagonal(x, offset, -2, -1),
    "diagonal_laid": diagonal_laid,
    "solve": lambda x, y: torch.linalg.solve(x, y[(None,) * (x.ndim - y.ndim)]),  # never vectors, as one might read it
    "solve_triangular": lambda x, y, upper: torch.linalg.solve_triangular(x, y, upper=upper),
    "inv": torch.linalg.inv,
    "eigh": eigh,
    "qr": qr,
    "svd": svd,
    "completion": lambda x: torch.linalg.qr(x, "complete").Q[..., x.shape[-1] :],
    "pinv": torch.linalg.pinv,
    "det_sign": lambda x: torch.linalg.slogdet(x).sign,
    "logabsdet": lambda x: torch.linalg.slogdet(x).logabsdet,
    "cholesky": lambda x: torch.linalg.cholesky((x + x.mT) / 2),
    "reshape": lambda x, shape: x.reshape(shape),
    "permute": lambda x, axes: x.permute(axes),
    "expand": lambda x, shape: x.expand(shape),
    "flip": lambda x, axis: x.flip(axis),
    "cast": lambda x, dtype: x.to(getattr(torch, dtype.name)),
    "contiguous": lambda x: x.contiguous(),
    "within": lambda x, name, length: torch.arange(length, dtype=x.dtype)[x.long()],
    "transfer": lambda x, device: x.to(device),
    "getitem": lambda x, *arrays, index: x[filled(index, arrays)],
    "setitem": setitem,
    "additem": additem,
    "gather": lambda x, index, axis: x.gather(axis, index),
    "scatter_add": lambda x, index, axis, shape: torch.zeros(shape, dtype=x.dtype).scatter_add(axis, index, x),
    "one_hot": lambda x, num_classes: F.one_hot(x, num_classes),
    "cat": lambda *xs, axis: torch.cat(xs, axis),
    "pad": lambda x, widths, value: F.pad(x, [n for pair in widths[::-1] for n in pair], value=value),
    "window": window,
    "as_strided": as_strided,
    "fold": fold,
    "standardize": standardize,
    "max_pool": max_pool,
    "max_pool_back": max_pool_back,
    "gelu_slope": gelu_slope,
    "topk": topk,
    "argsort": lambda x, axis, descending: torch.argsort(x, dim=axis, descending=descending),
    "scatter": lambda x, y, index, axis: x.scatter(axis, index, y),
    "cross_entropy": lambda x, target, reduction: F.cross_entropy(x, target, reduction=reduction),
    "mse_loss": lambda x, y, reduction: F.mse_loss(x, y.expand(x.shape), reduction=reduction),
    "full": lambda shape, value, dtype: torch.full(shape, value, dtype=getattr(torch, dtype.name)),
    "arange": lambda start, end, step, dtype: torch.arange(start, end, step, dtype=getattr(torch, dtype.name)),
}
TORCH = TRANSLATED | {
    name: getattr(torch, name, None) or getattr(F, name) for name in OPS.keys() - TRANSLATED.keys() - laws.RANDOM
}

CASES = [
    pytest.param(op, laws.inputs(args), params, id=f"{op.name}-{k}")
    for op in OPS.values()
    if op.name not in laws.RANDOM
    for k, (args, params) in enumerate(op.samples(np.random.default_rng(0)))
]


def test_every_op_has_its_counterpart() -> None:
    assert set(OPS) - laws.RANDOM == set(TORCH)


def theirs(op: Op, args: list[Any], params: dict[str, Any]) -> tuple[list[Any], Any]:
    live = laws.moving(op, args)
    leaves = [torch.tensor(a, requires_grad=i in live) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)]
    return leaves, TORCH[op.name](*leaves, **params)


def close(ours: Any, other: Any) -> None:
    np.testing.assert_allclose(np.asarray(ours), other.detach().numpy(force=True), rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore:var")
@pytest.mark.parametrize(("op", "args", "params"), CASES)
def test_value_gradient_and_second_derivative(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    a, b = laws.tensors(op, args, True), theirs(op, args, params)
    ours, out = op(*a, **params), b[1]
    close(ours.detach().value, out)
    live = laws.moving(op, args)
    assert ours.requires_grad == out.requires_grad == bool(live)
    if not live:
        return
    rng = np.random.default_rng(1)
    u = rng.normal(size=out.shape)
    ts = [rng.normal(size=args[i].shape) for i in live]
    ours.backward(ml.tensor(u), create_graph=True)
    first = torch.autograd.grad(out, [b[0][i] for i in live], torch.tensor(u), create_graph=True)
    for i, g in zip(live, first, strict=True):
        close(a[i].grad.detach().value, g)
    total = sum(((g * torch.tensor(t)).sum() for g, t in zip(first, ts, strict=True)), torch.tensor(0.0))
    mine = sum(
        ((a[i].grad * ml.tensor(t)).sum() for i, t in zip(live, ts, strict=True)), ml.tensor(0.0, dtype=ml.float64)
    )
    for i in live:
        a[i].grad = None
    if total.requires_grad:
        second = torch.autograd.grad(total, [b[0][i] for i in live], allow_unused=True)
    else:
        second = [None] * len(live)
    if mine.requires_grad:
        mine.backward()
    for i, g in zip(live, second, strict=True):
        close(0.0 if a[i].grad is None else a[i].grad.value, torch.zeros(args[i].shape) if g is None else g)
