"""Python's numbers that differ from call to call: none is taken for a constant, neither in a graph nor in a walk."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode.report import report
from minitorch_lab.compiler.runtime.region import Region
from tests.compile.fuzz_numbers import agree

WALKS = [
    "(w * n).sum()", "(w * (n % 3)).sum()", "(w / (n + 1)).sum()", "((n + 1.0) / (w + 1)).sum()",
    "((w + 1) ** n).sum()", "((n + 2.0) ** w).sum()", "ml.maximum(w, w * n).sum()", "ml.where(w > 0, w * n, w).sum()",
    "(w * n * n).mean()", "w.clamp(max=n).sum()", "(w % (n + 1.0)).sum()", "(w * n).tanh().mul(n).sum()",
    "w.sum() / (n + 1)", "ml.full((3,), n * 1.0) @ w", "((w * 1.0).mul_(n) * w).sum()",
    "((w * 1.0).mul_(n) / (n + 1)).sum()", "((w + 1) ** n / (n + 1)).mean()",
]  # fmt: skip


@pytest.mark.parametrize("values", [[2, 30, 1, 4, 3, 2], [2.5, 30.0, 1.5, 2.0, 3.0, 2.5], [1, 2.0, 3, True, 0.5, 4]])
@pytest.mark.parametrize("body", WALKS)
def test_a_walk_computes_with_the_number_of_this_call(body: str, values: list[Any]) -> None:
    space: dict[str, Any] = {"ml": ml}
    exec(f"def f(w, n):\n    y = {body}\n    y.backward()\n    return y.detach()", space)
    compiled = ml.compile(space["f"])
    for n in values:
        ours, theirs = (ml.tensor([0.5, 1.0, 1.5], requires_grad=True) for _ in range(2))
        assert compiled(ours, n).tolist() == space["f"](theirs, n).tolist(), n
        assert ours.grad is not None
        assert theirs.grad is not None
        assert ours.grad.tolist() == theirs.grad.tolist(), n
    assert not compiled.reason, "it was captured for each number"


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("body", [body for body in WALKS if "full" not in body])
def test_a_walk_from_outside_meets_the_number_of_its_call(body: str, dtype: str, backend: str) -> None:
    space: dict[str, Any] = {"ml": ml}
    exec(f"def f(w, n):\n    return {body}", space)
    compiled = ml.compile(space["f"], backend=backend)
    for n in (2.5, 30.0, 1.5, 0.1, 3.0, 2.5):
        ours, theirs = (ml.tensor([0.5, 1.0, 1.5], dtype=getattr(ml, dtype), requires_grad=True) for _ in range(2))
        found, wanted = (
            [y, *ml.autograd.grad(y, w, retain_graph=True), *ml.autograd.grad(y, w, create_graph=True)]
            for y, w in ((compiled(ours, n), ours), (space["f"](theirs, n), theirs))
        )
        rounding = 0.0 if backend == "numpy" else 3e-6 if dtype == "float32" else 1e-14
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype
            assert one.tolist() == pytest.approx(other.tolist(), rel=rounding, abs=rounding), n


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_number_of_a_module_leaves_its_graph_a_kernel(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Scaled(ml.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight, self.scale = ml.nn.Parameter(ml.tensor([1.0, 2.0])), 0.5

        def forward(self, x: Any) -> Any:
            return (self.weight * self.scale * x).sum()

    monkeypatch.setattr(Region, "op_by_op", lambda *_: pytest.fail("it ran op by op"))
    model = Scaled()
    compiled = ml.compile(model, backend=backend, fullgraph=True)
    for i in range(1, 5):
        model.scale, model.weight.grad = i / 4, None
        compiled(ml.tensor([3.0, 5.0])).backward()
        assert model.weight.grad is not None
        assert model.weight.grad.tolist() == [3.0 * i / 4, 5.0 * i / 4]


def test_a_walk_that_is_differentiated_in_turn_meets_the_number_again() -> None:
    f = ml.compile(lambda w, n: (w**2 * n).sum())
    for n in (2.0, 3.0, 5.0):
        w = ml.tensor([1.0, 4.0], requires_grad=True)
        y = f(w, n)
        (slope,) = ml.autograd.grad(y, w, create_graph=True)
        slope.sum().backward()
        assert w.grad is not None
        assert w.grad.tolist() == [2 * n, 2 * n]


def test_a_walk_over_a_product_with_a_number_is_one_graph() -> None:
    def step(w: Any, n: Any) -> None:
        (w * n).sum().backward()

    w = ml.ones(3, requires_grad=True)
    f = ml.compile(step, fullgraph=True)
    for n in (1, 2, 5, 7):
        w.grad = None
        f(w, n)
        assert w.grad is not None
        assert w.grad.tolist() == [float(n)] * 3


def test_equal_ints_are_one_to_python_or_not() -> None:
    f = ml.compile(lambda x, n, q: x * (2 if n is q else 3))
    for n, q in ((300, 300), (301, 302), (-7, -7), (5, 6)):
        assert f(ml.ones(1), n, q).tolist() == [2.0 if n == q else 3.0]


@pytest.mark.family(3)
@pytest.mark.parametrize("start", range(0, 120, 20))
def test_random_programs_with_numbers(start: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [seed for seed in range(start, start + 20) if not agree(seed)] == []


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("body", ["x + n", "n - x * 1", "x * n", "ml.hypot(x.float(), x.float() * 0 + n)", "(x / n)"])
def test_a_number_takes_the_dtype_that_it_meets(body: str, dtype: str, backend: str) -> None:
    fn = eval(f"lambda x, n: {body}", {"ml": ml})
    compiled = ml.compile(fn, backend=backend)
    x = ml.tensor([1, 2, 3]).to(getattr(ml, dtype))
    for n in (0.5, 1.5, 0.25, 2, 3, 4):
        got, wanted = compiled(x, n), fn(x, n)
        assert (got.dtype, got.tolist()) == (wanted.dtype, wanted.tolist()), n


@pytest.mark.parametrize("lists", [
    [[0, 1], [1, 2], [2, 0], [0, 0]], [[0.5, 1.0], [2.5, 3.0], [0.0, -0.0], [1e9, 7.0]],
    [[[0, 1]], [[2, 3]], [[4, 5]]],
])  # fmt: skip
def test_a_tensor_of_numbers_is_made_in_every_call(lists: list[Any]) -> None:
    compiled = ml.compile(lambda x, xs: x * ml.tensor(xs))
    for xs in lists:
        assert compiled(ml.ones(2), xs).tolist() == ml.tensor(xs).float().tolist()
    assert report(compiled)["captures"] == 1


def test_indices_that_differ_are_captured_once_more_and_never_again() -> None:
    shelf = ml.randn(100, 3)
    f = ml.compile(lambda at: shelf[at].sum(1))
    for i in range(12):
        at = [(7 * i + k * k) % 100 for k in range(8)]
        assert f(at).tolist() == shelf[ml.tensor(at)].sum(1).tolist()
    assert f._compiled.captures == 2
