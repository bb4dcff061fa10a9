"""How a tensor prints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml

inf, nan = float("inf"), float("nan")
CASES: list[tuple[Any, str]] = [
    (ml.tensor(3.0), "tensor(3.)"),
    (ml.tensor([1.0, -2.0]), "tensor([ 1., -2.])"),
    (ml.tensor([1.0, 2.5]), "tensor([1.0000, 2.5000])"),
    (ml.tensor([[1.5, 2.0], [30.0, 4.0]]), "tensor([[ 1.5000,  2.0000],\n        [30.0000,  4.0000]])"),
    (ml.tensor([1e-6, 1.0]), "tensor([1.0000e-06, 1.0000e+00])"),
    (ml.tensor([1.0, inf, -inf, nan]), "tensor([  1.,  inf, -inf,  nan])"),
    (ml.tensor([nan]), "tensor([nan])"),
    (ml.tensor([1, 20, -3]), "tensor([ 1, 20, -3])"),
    (ml.tensor([True, False]), "tensor([ True, False])"),
    (ml.tensor(True), "tensor(True)"),
    (ml.tensor(7), "tensor(7)"),
    (ml.zeros(0), "tensor([], size=(0,))"),
    (ml.zeros(2, 0, dtype=ml.float64), "tensor([], size=(2, 0), dtype=float64)"),
    (ml.tensor([0.1], dtype=ml.float64), "tensor([0.1000], dtype=float64)"),
    (ml.ones(2, requires_grad=True), "tensor([1., 1.], requires_grad=True)"),
    (ml.ones(2, requires_grad=True) * 2, "tensor([2., 2.], grad_fn=<MulBackward>)"),
    (ml.arange(2000), "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])"),
    (ml.tensor([1e10, 2e10]), "tensor([1.0000e+10, 2.0000e+10])"),
]


@pytest.mark.parametrize(("x", "text"), CASES, ids=[text[:40] for _, text in CASES])
def test_a_tensor_prints(x: ml.Tensor, text: str) -> None:
    assert repr(x) == text


def test_a_number_takes_a_format() -> None:
    assert f"{ml.tensor(2.5):.3f} {ml.tensor([1.0])}" == "2.500 tensor([1.])"


def test_every_value_can_be_printed() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        shape = tuple(rng.integers(0, 4, rng.integers(0, 4)))
        values = rng.normal(size=shape) * 10.0 ** rng.integers(-12, 12)
        assert repr(ml.tensor(np.asarray(values))).startswith("tensor(")
        assert repr(ml.tensor(np.asarray(values > 0))).startswith("tensor(")


# ---- describe() -----------------------------------------------------------------------------------------------------


def test_a_view_in_the_middle_of_a_computation_is_described() -> None:
    w = ml.ones(4, 3, requires_grad=True) * 2.0
    y = w.t()[1:]
    y.add_(1.0)
    assert y.describe() == (
        "shape    (2, 4): 8 entries\n"
        "dtype    float32: 4 bytes an entry\n"
        "device   cpu\n"
        "strides  (1, 3) from entry 1: not contiguous\n"
        "memory   shows 32 of 48 bytes, as getitem of permute of a tensor of shape (4, 3)\n"
        "version  1: written in place once\n"
        "history  made by GetitemBackward, so a backward pass goes through it"
    )


FACTS = [
    (lambda: ml.tensor(3), "memory   shows 8 of 8 bytes, its own"),
    (lambda: ml.tensor(3), "shape    (): 1 entry"),
    (lambda: ml.ones(2).detach()[1:], "memory   shows 4 of 8 bytes, as getitem of a leaf of shape (2,)"),
    (lambda: ml.from_numpy(np.ones(3)[1:]), "memory   shows 16 of 24 bytes, shared, by no view op on record"),
    (lambda: ml.zeros(2).add_(1).mul_(2), "version  2: written in place 2 times"),
    (lambda: ml.ones(1, dtype=ml.bool), "dtype    bool: 1 byte an entry"),
    (lambda: ml.ones(1, requires_grad=True), "history  a leaf that requires a gradient"),
    (lambda: ml.ones(1), "history  a leaf that requires no gradient"),
]


@pytest.mark.parametrize(("make", "line"), FACTS, ids=[line for _, line in FACTS])
def test_a_fact_is_told(make: Any, line: str) -> None:
    assert line in make().describe().splitlines()


def test_what_inference_made_has_no_version() -> None:
    with ml.inference_mode():
        x = ml.ones(2) * 2.0
    assert "version  not counted (inference_mode)" in x.describe()
