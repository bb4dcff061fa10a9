"""Kernels that take turns, slice by slice: the same numbers in less memory, and only where that is so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.runtime.results import planned
from minitorch_lab.compiler.targets.llvm import slices
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from tests.compile.programs import ENTRYWISE, MOVING, SUMMING, N, drawn, program, unrecorded, written
from tests.compile.test_llvm_backend import normal, pure, same

F = ml.nn.functional


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little it is worth."""
    monkeypatch.setattr(slices, "WORTH", 0)
    monkeypatch.setattr(slices, "LEAST", 0)


def turns(kernels: Any) -> list[str]:
    """The kernels that take turns."""
    return [k.name for k in kernels.program.kernels if any("slices, each in turn with" in r for r in k.reasons)]


def attention(q: Any, k: Any, v: Any) -> Any:
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def test_attention_keeps_the_scores_of_one_head() -> None:
    heads = [normal(2, 3, 128, 16) for _ in range(3)]
    forward = pure(attention, *map(ml.tensor, heads))
    kernels = same(forward, heads)
    assert len(turns(kernels)) == 4
    one = 4 * 128 * (128 + 16)  # a head's scores and transposed keys, without the mask
    assert one <= kernels.plan.size < 2.5 * one
    both = joint(forward, (0, 1, 2)).graph
    kernels = same(both, [*heads, normal(2, 3, 128, 16)], tolerance=1e-4)
    assert len(turns(kernels)) > 6
    assert kernels.plan.size < 6 * 4 * 128 * 128


def test_small_ones_stay_as_they_are() -> None:
    heads = [normal(2, 3, 16, 8) for _ in range(3)]
    assert turns(same(pure(attention, *map(ml.tensor, heads)), heads)) == []


CROSSING: dict[str, Any] = {
    "a sum over slices": lambda y, z: (y @ z) * (y @ z).sum(0),
    "the other slice": lambda y, z: (y @ z).flip(0) @ z,
    "slices that overlap": lambda y, z: (y @ z)[1:] @ (y @ z)[:-1],
    "another order": lambda y, z: (y @ z).transpose(0, 1) @ z.transpose(0, 1),
    "its own number": lambda y, z: (y @ z).cumsum(0).softmax(-1) @ z,
    "a slice for all": lambda y, z: (y @ z)[:1] @ (y + z),
    "a loss": lambda y, z: ((y @ z).softmax(-1) @ z).square().mean(),
    "rows of a slice": lambda y, z: ((y @ z) - (y @ z).amax(1, keepdim=True)).exp() @ z,
}


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("name", CROSSING)
def test_a_slice_has_what_it_reads(name: str) -> None:
    y, z = normal(3, 4, 6, 6), normal(3, 4, 6, 6)
    forward = pure(CROSSING[name], ml.tensor(y), ml.tensor(z))
    (out,) = same(forward, [y, z])(y, z)
    same(joint(forward, (0, 1)).graph, [y, z, normal(*out.shape)], tolerance=1e-4)


@pytest.mark.usefixtures("always")
def test_only_slices_that_are_their_own_take_turns() -> None:
    y, z = normal(3, 6, 6), normal(3, 6, 6)
    within = same(pure(lambda y, z: (y @ z).softmax(-1) @ z, ml.tensor(y), ml.tensor(z)), [y, z])
    assert len(turns(within)) == 3
    across = same(pure(lambda y, z: (y @ z).flip(0) @ z, ml.tensor(y), ml.tensor(z)), [y, z])
    assert turns(across) == []


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("donate", [(), ("y",), ("y", "z")])
def test_results_over_arguments(donate: tuple[str, ...]) -> None:
    y, z = normal(3, 4, 6, 6), normal(3, 4, 6, 6)

    def f(y: Any, z: Any) -> Any:
        a = (y @ z).softmax(-1)
        return a @ z + y, (a @ y).tanh(), z + a

    graph = pure(f, ml.tensor(y), ml.tensor(z))
    want = compile_llvm(graph)(y, z)
    for got, right in zip(compile_llvm(graph, donate=donate)(y.copy(), z.copy()), want, strict=True):
        np.testing.assert_allclose(got, right, rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("always")
def test_a_result_over_an_argument_that_nobody_reads() -> None:
    y, z = normal(3, 4, 6, 6), normal(3, 4, 6, 6)
    graph = pure(lambda y, z, o: (y @ z).softmax(-1) @ z, *map(ml.tensor, (y, z, y)))
    kernels, o = compile_llvm(graph, donate=("o",)), np.zeros_like(y)
    np.testing.assert_allclose(kernels(y, z, o)[0], compile_llvm(graph)(y, z, o)[0])
    assert len(turns(kernels)) == 3
    assert [*kernels.program.inplace.values()] == ["o"]


@pytest.mark.usefixtures("always")
def test_what_waits_comes_after() -> None:
    """The mean of the first product is needed by nobody in between; NumPy sorts between two products."""
    y, z = normal(3, 4, 6, 6), normal(3, 4, 6, 6)

    def f(y: Any, z: Any) -> Any:
        a = y @ z
        return (a * a).mean(), (a.softmax(-1) @ z).relu() @ z, a.sort(-1)[0] @ z

    same(pure(f, ml.tensor(y), ml.tensor(z)), [y, z])


STEPS = [s for s in [*ENTRYWISE, *MOVING, *SUMMING] if s not in (drawn, unrecorded, written)]


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("seed", range(40))
def test_random_programs_in_batches(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=(3, 2, *s)).astype("float32") for s in ((N, N), (N, N), (N,))]
    batched = ml.func.vmap(ml.func.vmap(program(seed, STEPS)))
    found = functionalise(ml.jit.trace(batched, *map(ml.tensor, arrays)).graph)
    forward, arrays = planned(found).core, [*arrays, *(x.numpy() for x in found.outside)]
    same(forward, arrays, tolerance=1e-3)
    both = joint(forward, (0, 1, 2)).graph
    tangents = [np.ones(t.shape, t.dtype) for t in both.placeholders[len(arrays) :]]
    same(both, [*arrays, *tangents], tolerance=1e-3)
