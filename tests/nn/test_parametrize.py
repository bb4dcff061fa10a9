"""Parametrizations by what they promise: lengths, norms, orthogonality; and compiled as eager."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError
from minitorch_lab.nn.utils import parametrizations, parametrize


class Symmetric(nn.Module):
    def forward(self, x: Any) -> Any:
        return x.triu() + x.triu(1).mT


def steps(model: nn.Module, count: int = 3, call: Any = None) -> list[ml.Tensor]:
    """The losses of some steps of training."""
    optimizer = ml.optim.SGD(model.parameters(), lr=0.1)
    x = ml.linspace(-1, 1, 20).reshape(5, 4)
    losses: list[ml.Tensor] = []
    for _ in range(count):
        optimizer.zero_grad()
        loss = (call or model)(x).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses


MAKERS = {
    "weight norm": parametrizations.weight_norm,
    "weight norm of one length": lambda m: parametrizations.weight_norm(m, dim=None),
    "spectral norm": parametrizations.spectral_norm,
    "orthogonal": parametrizations.orthogonal,
    "orthogonal by Cayley's map": lambda m: parametrizations.orthogonal(m, orthogonal_map="cayley"),
    "symmetric": lambda m: parametrize.register_parametrization(m, "weight", Symmetric()),
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_compiled_step_is_as_eager(name: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    ml.manual_seed(0)
    model = MAKERS[name](nn.Linear(4, 4))
    other = copy.deepcopy(model)
    compiled = ml.compile(other, backend=backend, fullgraph=True)
    for expected, found in zip(steps(model), steps(other, call=compiled), strict=True):
        assert found.allclose(expected, rtol=1e-5)
    assert model.weight.allclose(other.weight, atol=1e-6)


@pytest.mark.parametrize("shape", [(4, 4), (4, 6), (6, 4)])
@pytest.mark.parametrize("name", ["orthogonal", "orthogonal by Cayley's map"])
def test_an_orthogonal_weight_stays_so(shape: tuple[int, int], name: str) -> None:
    model = MAKERS[name](nn.Linear(4, shape[0]) if shape[1] == 4 else nn.Sequential(nn.Linear(4, 4))[0])
    assert len(set(map(float, steps(model, 4)))) > 1
    w = model.weight if model.weight.shape[0] <= model.weight.shape[1] else model.weight.T
    assert (w @ w.T).allclose(ml.eye(len(w)), atol=1e-4)


def test_what_is_assigned_comes_out() -> None:
    for name in ("weight norm", "orthogonal"):
        model = MAKERS[name](nn.Linear(3, 3))
        model.weight = ml.eye(3)
        assert model.weight.allclose(ml.eye(3), atol=1e-6)


def test_a_removed_one_leaves_the_parameter_where_it_was() -> None:
    model = MAKERS["symmetric"](nn.Linear(3, 3))
    original, value = model.parametrizations.weight.original, model.weight.detach().clone()
    parametrize.remove_parametrizations(model, "weight")
    assert type(model) is nn.Linear
    assert model.weight is original
    assert model.weight.allclose(value)


def test_two_in_a_row_run_in_order() -> None:
    class Double(nn.Module):
        def forward(self, x: Any) -> Any:
            return 2 * x

    model = nn.Linear(2, 2)
    start = model.weight.detach().clone()
    parametrize.register_parametrization(model, "weight", Symmetric())
    parametrize.register_parametrization(model, "weight", Double())
    assert model.weight.allclose(2 * (start.triu() + start.triu(1).T))
    assert str(model).startswith("ParametrizedLinear(\n  in_features=2, out_features=2, bias=True\n")


def test_what_does_not_fit_is_said() -> None:
    class Short(nn.Module):
        def forward(self, x: Any) -> Any:
            return x[:1]

    with pytest.raises(ArgumentError, match=r"It names a parameter or a buffer of the module\."):
        parametrize.register_parametrization(nn.Linear(2, 2), "wieght", Symmetric())
    with pytest.raises(ArgumentError, match=r"Did you mean unsafe=True\?"):
        parametrize.register_parametrization(nn.Linear(2, 2), "weight", Short())
    with pytest.raises(ArgumentError, match="There is no WeightNorm of 'weight' in this Linear"):
        nn.utils.remove_weight_norm(nn.Linear(2, 2))
    with pytest.raises(ArgumentError, match="Only a single original can take its place"):
        parametrize.remove_parametrizations(MAKERS["weight norm"](nn.Linear(2, 2)), "weight", False)
