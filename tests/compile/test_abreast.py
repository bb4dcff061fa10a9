"""Long computations of several vectors are written step by step beside each other: faster, and the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets.llvm import past, sweeps
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from tests.compile.test_llvm_backend import normal, pure, same, without_caches

TARGETS = ["host", "avx2", "generic"]
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-42, 3e38, -3e38], "float32")


def chain(a: Any, b: Any) -> Any:
    return (a * b).tanh() * b.sigmoid() + (-a * a).exp()


def normed(a: Any, b: Any) -> Any:
    return ml.nn.functional.gelu(ml.nn.functional.layer_norm(a, (a.shape[-1],), b)) * a.sigmoid()


def both(monkeypatch: pytest.MonkeyPatch, fn: Any, arrays: list[Any], target: str) -> tuple[Any, Any]:
    """The results as they are, and those of copies that are written one after the other."""
    graph = pure(fn, *(ml.ones(x.shape) for x in arrays))
    found = compile_llvm(graph, target=target)
    with monkeypatch.context() as patch:
        for room in (sweeps, past):
            patch.setattr(room, "abreast", lambda block, first: None)
        one_by_one = compile_llvm(graph, target=target)
    assert found.llvm != one_by_one.llvm
    return found(*arrays), one_by_one(*arrays)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [48, 49, 130, 209])
def test_the_numbers_are_those_of_one_after_the_other(n: int, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for fn, shape in ((chain, (n,)), (normed, (3, n))):
        a, b = normal(*shape), normal(n)
        a.flat[: SPECIAL.size], b[-SPECIAL.size :] = SPECIAL, SPECIAL
        for got, want in zip(*both(monkeypatch, fn, [a, b], target), strict=True):
            np.testing.assert_array_equal(got, want)
            np.testing.assert_array_equal(np.signbit(got)[~np.isnan(got)], np.signbit(want)[~np.isnan(want)])
    same(pure(normed, ml.tensor(normal(3, n)), ml.tensor(normal(n))), [normal(3, n), normal(n)], target)


def test_past_the_caches_too(monkeypatch: pytest.MonkeyPatch) -> None:
    without_caches(monkeypatch)
    for n in (128, 131, 333):
        for got, want in zip(*both(monkeypatch, chain, [normal(n), normal(n)], "host"), strict=True):
            np.testing.assert_array_equal(got, want)


def test_results_in_place() -> None:
    x = ml.tensor(normal(203))
    want = chain(x, x).numpy()
    ml.compile(lambda x: x.copy_(chain(x, x)), backend="llvm")(x)
    np.testing.assert_allclose(x.numpy(), want, rtol=1e-6)


def gate(a: Any, b: Any) -> Any:
    return (a * b).tanh() * b.sigmoid()


@pytest.mark.parametrize(("fn", "copies"), [(gate, 3), (chain, 2)])  # of three functions, the constants fill registers
def test_the_loads_of_all_copies_come_first_and_their_stores_last(fn: Any, copies: int) -> None:
    graph = pure(fn, ml.ones(1000), ml.ones(1000))
    loop = compile_llvm(graph, target="avx512").llvm.split("\nj:")[1].split("\nj_end:")[0]
    words = [
        w for line in loop.splitlines() for w in ("load", "fma", "store") if f"{w} <16" in line or f'@"llvm.{w}' in line
    ]
    assert [w for i, w in enumerate(words) if i == 0 or w != words[i - 1]] == ["load", "fma", "store"]
    assert words.count("store") == copies
