"""What the LLVM backend does to be fast changes no value: streams past the caches, batches as one product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compile.codegen.llvm import streams
from tests.compile.test_llvm_backend import normal, pure, same

TARGETS = ["host", "avx2", "generic"]


def starting_at(offset: int, n: int) -> Any:
    """An array whose first entry lies `offset` entries behind an aligned one."""
    memory = np.zeros(n + 64, "float32")
    start = -(memory.ctypes.data // 4) % 16 + offset
    out = memory[start : start + n]
    out[...] = normal(n)
    return out


# ---- streams --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [128, 129, 143, 160, 161, 255, 1000])
def test_results_past_the_caches(n: int, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LEAST", 0)
    graph = pure(lambda a, b, c: (a * b).tanh() + c, *map(ml.tensor, (normal(n), normal(n), normal(1))))
    for offset in (0, 1, 7, 15):
        kernels = same(graph, [starting_at(offset, n), starting_at(3, n), normal(1)], target)
        assert "!nontemporal" in kernels.llvm


def test_only_large_results_go_past_the_caches() -> None:
    graph = pure(lambda a: a + 1, ml.ones(1 << 16))
    assert "!nontemporal" not in same(graph, [normal(1 << 16)]).llvm


def test_what_is_read_again_does_not_go_past_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LEAST", 0)

    def shifted(a: Any) -> Any:
        return a + a[:1]  # one entry stands still while the others pass

    assert "!nontemporal" not in same(pure(shifted, ml.ones(256)), [normal(256)]).llvm
    assert "!nontemporal" not in same(pure(lambda a: a.flip(0) + 1, ml.ones(256)), [normal(256)]).llvm


def test_results_in_place_do_not_go_past_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LEAST", 0)
    x = ml.tensor(normal(512))
    want = x.numpy() * 2 + 1
    ml.compile(lambda x: x.mul_(2).add_(1), backend="llvm")(x)
    np.testing.assert_allclose(x.numpy(), want, rtol=1e-6)


# ---- batches --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS)
def test_a_batch_times_one_matrix_is_one_product(target: str) -> None:
    arrays = [normal(3, 7, 20), normal(20, 33)]
    kernels = same(pure(lambda a, w: (a @ w).relu(), *map(ml.tensor, arrays)), arrays, target)
    assert "tile m in 21, n in 33" in str(kernels.program)
    assert "the loops i0 and m are walked as one of 21" in str(kernels.program)


def test_one_matrix_for_a_batch_is_copied_once() -> None:
    arrays = [normal(5, 40, 24), normal(16, 24)]
    kernels = same(pure(lambda a, w: a @ w.T, *map(ml.tensor, arrays)), arrays)
    assert set(kernels.program.temporaries.values()) == {4 * 24 * 16}


@pytest.mark.parametrize("target", TARGETS)
def test_the_sum_of_a_batch_of_products_is_one_product(target: str) -> None:
    arrays = [normal(3, 9, 20), normal(3, 9, 33)]
    kernels = same(pure(lambda a, g: (a.mT @ g).sum(0), *map(ml.tensor, arrays)), arrays, target)
    assert "for k in 27" in str(kernels.program)
    assert len(kernels.program.kernels) == 1
    turned = [normal(3, 20, 9), normal(3, 9, 33)]
    same(pure(lambda a, g: (a @ g).sum(0), *map(ml.tensor, turned)), turned, target)
    shared = [normal(9, 20), normal(3, 4, 9, 33)]
    same(pure(lambda a, g: (a.mT @ g).sum((0, 1)), *map(ml.tensor, shared)), shared, target)


# ---- zeros with a part ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS)
def test_the_gradients_of_slices_are_kernels(target: str) -> None:
    def parts(x: Any) -> Any:
        gradient = ml.func.grad(lambda x: (x[0] * x[1] + x[2].exp() * x[..., -1]).sum())
        return gradient(x)

    x = normal(4, 4, 4)
    kernels = same(pure(parts, ml.tensor(x)), [x], target)
    assert "numpy" not in str(kernels.program)
