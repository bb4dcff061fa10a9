"""Compiled regions beside the functions that they stand for: values, gradients, effects, aliases and versions."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.runtime.entry import entry
from minitorch_lab.compiler.runtime.region import Region
from minitorch_lab.compiler.targets.backends import backend_of, list_backends, register_backend
from minitorch_lab.errors import CaptureError, GradientError
from tests.compile.test_aot import SIZES, mlp, program


def region(fn: Any, *examples: Any, backend: str = "numpy", budget: float = 1.0) -> Region:
    return Region(ml.jit.trace(fn, *examples).graph, backend_of(backend), budget=budget)


def leaves_of(arrays: list[Any]) -> list[Any]:
    return [ml.tensor(a, requires_grad=True) for a in arrays]


@pytest.mark.parametrize("backend", ["numpy", "eager"])
@pytest.mark.parametrize("budget", [0.0, 1.0])
def test_values_and_gradients_are_the_bits_of_eager(backend: str, budget: float) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in SIZES]
    compiled = region(mlp, *map(ml.tensor, arrays), backend=backend, budget=budget)
    ours, theirs = leaves_of(arrays), leaves_of(arrays)
    g = ml.tensor(rng.normal(size=(4, 2)).astype("float32"))
    out, want = compiled(*ours), mlp(*theirs)
    out.backward(g)
    want.backward(g)
    np.testing.assert_array_equal(out.detach().numpy(), want.detach().numpy())
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(a.grad.numpy(), b.grad.numpy())


@pytest.mark.parametrize("budget", [0.0, 1.0])
def test_values_and_gradients_of_fused_kernels_are_those_of_eager(budget: float) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in SIZES]
    compiled = region(mlp, *map(ml.tensor, arrays), backend="llvm", budget=budget)
    ours, theirs = leaves_of(arrays), leaves_of(arrays)
    g = ml.tensor(rng.normal(size=(4, 2)).astype("float32"))
    out, want = compiled(*ours), mlp(*theirs)
    out.backward(g)
    want.backward(g)
    np.testing.assert_allclose(out.detach().numpy(), want.detach().numpy(), rtol=1e-5, atol=1e-6)
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int, backend: str) -> None:
    fn = program(seed, 20)
    compiled = region(fn, ml.randn(8), ml.randn(8), backend=backend)
    near = 0.0 if backend == "numpy" else 1e-5  # fused kernels add up in another order
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=8).astype("float32") for _ in range(2)]
    with ml.no_grad():
        assert compiled(*map(ml.tensor, arrays)).item() == pytest.approx(
            fn(*map(ml.tensor, arrays)).item(), rel=near, abs=near
        )
    ours, theirs = leaves_of(arrays), leaves_of(arrays)
    compiled(*ours).backward()
    fn(*theirs).backward()
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(
            (a.grad if a.grad is not None else ml.zeros(8)).numpy(),
            (b.grad if b.grad is not None else ml.zeros(8)).numpy(),
            rtol=max(near * 10, 1e-6),
            atol=near,
        )


def test_only_what_asks_for_a_gradient_gets_one() -> None:
    x, w = ml.randn(4, 3), ml.randn(3, 5, requires_grad=True)
    compiled = region(lambda x, w: (x @ w).tanh(), x, w)
    out = compiled(x, w)
    assert out.grad_fn is not None
    assert out.grad_fn.name() == "CompiledGraphBackward"
    out.sum().backward()
    assert x.grad is None
    assert list(compiled.kernels) == [(1,)]
    assert not compiled(x, w.detach()).requires_grad


def test_constants_from_outside_are_arguments_too() -> None:
    w = ml.tensor([1.0, 2.0], requires_grad=True)
    compiled = region(lambda x: x * w, ml.ones(2))
    with ml.no_grad():
        w.mul_(10.0)
    compiled(ml.ones(2)).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [1.0, 1.0]
    assert compiled(ml.ones(2)).tolist() == [10.0, 20.0]


def test_results_that_are_views_share_memory_version_and_history() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        v = y[1:]
        v += 1
        return y, v, x.T

    compiled = region(f, ml.ones(3, 2))
    x = ml.ones(3, 2, requires_grad=True)
    h = x * 1
    y, v, t = compiled(h)
    assert np.shares_memory(y.detach().numpy(), v.detach().numpy())
    assert np.shares_memory(h.detach().numpy(), t.detach().numpy())
    v.mul_(10.0)
    assert y[1].tolist() == [30.0, 30.0]
    (y.sum() + t.sum()).backward()
    np.testing.assert_array_equal(x.grad.numpy(), [[3, 3], [21, 21], [21, 21]])


def test_writes_to_arguments_are_recorded() -> None:
    def f(x: Any) -> Any:
        x.mul_(3.0)
        return x, x * 2

    compiled = region(f, ml.ones(2))
    leaf = ml.ones(2, requires_grad=True)
    h = leaf * 1
    same, double = compiled(h)
    assert same is h
    assert h.tolist() == [3.0, 3.0]
    (same.sum() + double.sum()).backward()
    assert leaf.grad is not None
    assert leaf.grad.tolist() == [9.0, 9.0]


def test_a_write_to_what_a_region_saved_is_noticed() -> None:
    compiled = region(lambda x, y: x * y, ml.ones(2), ml.ones(2))
    x, y = ml.ones(2, requires_grad=True), ml.ones(2)
    out = compiled(x, y)
    y.add_(1.0)
    with pytest.raises(GradientError, match="version"):
        out.sum().backward()
    result = region(lambda x: x.exp(), ml.ones(2))(x)
    result.mul_(2.0)
    with pytest.raises(GradientError, match="version"):
        result.sum().backward()


def test_inside_a_transform_the_graph_runs_op_by_op() -> None:
    compiled = region(lambda x: (x**3).sum(), ml.ones(2))
    assert ml.func.grad(compiled)(ml.tensor([1.0, 2.0])).tolist() == [3.0, 12.0]
    assert ml.func.hessian(compiled)(ml.tensor([1.0, 2.0])).tolist() == [[6.0, 0.0], [0.0, 12.0]]


def test_random_numbers_are_drawn_at_every_call() -> None:
    compiled = region(lambda x: x * ml.rand(4), ml.ones(4))
    ml.manual_seed(3)
    first, second = compiled(ml.ones(4)), compiled(ml.ones(4))
    ml.manual_seed(3)
    assert first.tolist() == ml.rand(4).tolist()
    assert first.tolist() != second.tolist()


def test_a_write_under_no_grad_changes_the_numbers_and_not_the_history() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        with ml.no_grad():
            y.mul_(3.0)
        return (y * y).sum()

    compiled = region(f, ml.ones(2))
    assert compiled(ml.ones(2)).item() == 72.0
    x = ml.ones(2, requires_grad=True)
    compiled(x).backward()
    assert x.grad is not None
    assert x.grad.tolist() == [24.0, 24.0]


def test_dropout_uses_one_mask_both_ways() -> None:
    compiled = region(lambda x: ml.nn.functional.dropout(x, 0.5) * x, ml.ones(100), budget=0.0)
    x = ml.ones(100, requires_grad=True)
    out = compiled(x)
    out.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), 2.0 * out.detach().numpy())


def test_threads_share_a_region() -> None:
    compiled = region(mlp, *(ml.randn(*s) for s in SIZES))
    rng = np.random.default_rng(0)
    inputs = [[rng.normal(size=s).astype("float32") for s in SIZES] for _ in range(24)]

    def step(arrays: list[Any]) -> Any:
        leaves = leaves_of(arrays)
        compiled(*leaves).sum().backward()
        return [x.grad.numpy() for x in leaves]

    want = [step(a) for a in inputs]
    with ThreadPoolExecutor(6) as pool:
        got = list(pool.map(step, inputs))
    for a, b in zip(got, want, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x, y)


def test_backends_have_names() -> None:
    seen: list[str] = []

    @register_backend("spying")
    def spying(graph: Any) -> Any:
        seen.append(graph.name)
        return backend_of("numpy")(graph)

    assert {"eager", "numpy", "spying"} <= set(list_backends())
    x = ml.ones(2, requires_grad=True)
    Region(ml.jit.trace(lambda x: x.exp(), x).graph, backend_of("spying"))(x).sum().backward()
    assert seen == ["forward", "backward"]
    with pytest.raises(CaptureError, match=r"(?s)no backend 'fast'.*eager, llvm, numpy.*register_backend"):
        backend_of("fast")


def test_the_entry_of_a_region_gives_what_the_region_gives() -> None:
    x = ml.tensor([1.0, 2.0])
    for fn in (lambda x: x.tanh(), lambda x: (x * 2, [x.exp(), 3]), lambda x: (x + 1,), lambda x: None, lambda x: x.T):
        whole = region(fn, x)
        quick = entry(whole, whole)
        assert str(quick(x)) == str(whole(x)) == str(fn(x))
        leaf = x.clone().requires_grad_()
        assert str(quick(leaf)) == str(whole(leaf))
    assert ml.func.grad(entry(region(lambda x: x.exp().sum(), x), region(lambda x: x.exp().sum(), x)))(x).shape == (2,)


def test_a_view_made_under_no_grad_has_no_history() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        with ml.no_grad():
            return y, y.reshape(-1)

    for out in (f(ml.ones(2, 2, requires_grad=True)), region(f, ml.ones(2, 2))(ml.ones(2, 2, requires_grad=True))):
        assert [t.requires_grad for t in out] == [True, False]
