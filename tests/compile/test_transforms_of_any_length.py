"""Transforms inside compiled code, given tensors of many lengths: one program does for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn

ml.manual_seed(0)
NET = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
PARAMETERS = {name: p.detach() for name, p in NET.named_parameters()}


def loss(parameters: Any, x: ml.Tensor, y: ml.Tensor) -> ml.Tensor:
    return ((ml.func.functional_call(NET, parameters, (x,)) - y) ** 2).mean()


def per_sample(x: ml.Tensor) -> Any:
    return ml.func.vmap(ml.func.grad(loss), in_axes=(None, 0, 0))(PARAMETERS, x, x.sum(1, keepdim=True))


def written(x: ml.Tensor) -> Any:
    kept = x.clone()

    def f(v: ml.Tensor) -> ml.Tensor:
        return (v.mul(2.0).add_(1.0) * v).sum()

    return ml.func.grad(f)(kept), kept


FUNCTIONS: dict[str, Callable[[ml.Tensor], Any]] = {
    "grad": lambda x: ml.func.grad(lambda v: (v * v.exp()).sum())(x),
    "value_and_grad": lambda x: ml.func.value_and_grad(lambda v: (v.softmax(0) ** 2).sum())(x),
    "vmap": lambda x: ml.func.vmap(lambda row: row / row.norm())(x),
    "vmap over columns": lambda x: ml.func.vmap(lambda c: c.cumsum(0), in_axes=1, out_axes=1)(x),
    "jvp": lambda x: ml.func.jvp(lambda v: v.sin() @ v.T, (x,), (x.cos(),)),
    "jacrev of rows": lambda x: ml.func.vmap(ml.func.jacrev(lambda v: v * v.sum()))(x),
    "hessian of rows": lambda x: ml.func.vmap(ml.func.hessian(lambda v: (v**3).sum()))(x),
    "length": lambda x: ml.func.grad(lambda v: v.sum() / v.shape[0] * v.numel())(x),
    "per sample": per_sample,
    "written": written,
}


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_lengths_may_differ_from_call_to_call(name: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    fn = FUNCTIONS[name]
    compiled = ml.compile(fn, backend=backend, fullgraph=True)
    for n in (4, 5, 7, 2, 9, 6, 8, 3, 11, 12, 10, 13):
        x = ml.arange(3.0 * n).reshape(n, 3) / (3 * n)
        got, wanted = (flat(f(x)) for f in (compiled, fn))
        assert len(got) == len(wanted)
        for a, b in zip(got, wanted, strict=True):
            assert a.shape == b.shape
            assert ml.allclose(a, b, atol=1e-5)
    assert len(compiled.recompiles) <= 2


def flat(out: Any) -> list[ml.Tensor]:
    if isinstance(out, ml.Tensor):
        return [out]
    return [x for part in (out.values() if isinstance(out, dict) else out) for x in flat(part)]


def test_a_write_to_an_argument_is_done() -> None:
    def fn(x: ml.Tensor) -> Any:
        return ml.func.grad(lambda v: v.mul_(2.0).sum())(x)

    compiled = ml.compile(fn)
    for n in (2, 3, 4, 5):
        ours, theirs = ml.ones(n), ml.ones(n)
        assert compiled(ours).tolist() == fn(theirs).tolist()
        assert ours.tolist() == theirs.tolist()
