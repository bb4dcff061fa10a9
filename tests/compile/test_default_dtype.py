"""A compiled function follows `set_default_dtype`: where a float came of no float, its dtype is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minitorch_lab as ml

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "factory": lambda x: ml.zeros(2) + x,
    "true division": lambda x: x / 2,
    "number": lambda x: x * 0.5,
    "tensor of a number": lambda x: ml.tensor(1.5) * x,
    "draw": lambda x: ml.rand(2) * x,
    "range": lambda x: ml.arange(0, 1, 0.5) * x,
    "power": lambda x: x**0.5,
    "mean": lambda x: (x * 1.0).mean(),
    "inside a transform": lambda x: ml.func.vmap(lambda v: v / 2)(x),
    "inside a gradient": lambda x: ml.func.grad(lambda v: (v * (ml.arange(2) / 3)).sum())(x.double()),
}


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Let the default be what it was."""
    before = ml.get_default_dtype()
    yield
    ml.set_default_dtype(before)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_dtypes_follow_the_default(name: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    fn, x = FUNCTIONS[name], ml.tensor([1, 2])
    compiled = ml.compile(fn, backend=backend)
    for default in (ml.float32, ml.float64, ml.float32, ml.float64):
        ml.set_default_dtype(default)
        for _ in range(2):
            ml.manual_seed(0)
            wanted = fn(x)
            ml.manual_seed(0)
            got = compiled(x)
            assert got.dtype == wanted.dtype
            assert ml.allclose(got, wanted)
    assert compiled.captures <= 2


def test_a_default_that_is_set_in_the_call_counts_from_there_on() -> None:
    def halves(x: Any) -> Any:
        before = x / 2
        ml.set_default_dtype(ml.float64)
        after = x / 2
        ml.set_default_dtype(ml.float32)
        return before, after

    compiled = ml.compile(halves)
    for _ in range(3):
        assert [h.dtype for h in compiled(ml.tensor([1, 2]))] == [ml.float32, ml.float64]


def test_floats_ask_for_no_default() -> None:
    compiled = ml.compile(lambda x: (x * 2 + 0.5).sum())
    compiled(ml.ones(3))
    ml.set_default_dtype(ml.float64)
    assert compiled(ml.ones(3, dtype=ml.float32)).dtype == ml.float32
    assert compiled.captures == 1
