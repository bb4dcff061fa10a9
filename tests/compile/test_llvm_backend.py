"""The LLVM backend beside the ops run one by one: every op, random programs with their gradients, odd inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compile.aot import joint
from minitorch_lab.compile.codegen.llvm.backend import compile_llvm
from minitorch_lab.compile.evaluate import evaluate
from minitorch_lab.compile.graph import Graph
from minitorch_lab.compile.passes.functionalise import functionalise
from minitorch_lab.compile.results import planned
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS
from tests.compile.programs import ENTRYWISE, MOVING, SUMMING, N, drawn, program

pytest.importorskip("llvmlite")
F = ml.nn.functional
RNG = np.random.default_rng(0)


def pure(fn: Any, *examples: Any) -> Graph:
    return planned(functionalise(ml.jit.trace(fn, *examples).graph)).core


def close(got: Any, want: Any, tolerance: float = 2e-5) -> None:
    """Equal up to rounding, beside the largest entry; NaN and infinities stand at the same places."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    assert got.dtype == want.dtype
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want)
        return
    finite = np.abs(want[np.isfinite(want)])
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * max(finite.max(initial=0.0), 1.0))


def same(graph: Graph, arrays: list[Any], target: str = "host", tolerance: float = 2e-5) -> Any:
    want = flatten(evaluate(graph, [ml.tensor(a) for a in arrays]))[0]
    kernels = compile_llvm(graph, target=target)
    for _ in range(2):
        for a, b in zip(kernels(*arrays), want, strict=True):
            close(a, b.numpy(), tolerance)
    return kernels


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape).astype("float32")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op", [op for op in OPS.values() if op.gives != "dtype"], ids=lambda op: op.name)
def test_every_op_compiles(op: Any, dtype: str) -> None:
    for args, params in op.samples(np.random.default_rng(0)):
        arrays = [np.asarray(a) for a in args if not isinstance(a, (bool, int, float))]
        arrays = [a.astype(dtype) if a.dtype == "float64" else a for a in arrays]

        def run(*given: Any, args: Any = args, params: Any = params) -> Any:
            fill = iter(given)
            return op(*(a if isinstance(a, (bool, int, float)) else next(fill) for a in args), **params)

        same(pure(run, *map(ml.tensor, arrays)), [ml.tensor(a).numpy() for a in arrays])


# Without steps whose last digit decides (a sign, an equality) or that draw anew at every run.
STEPS = [s for s in [*ENTRYWISE, *MOVING, *SUMMING] if s is not drawn]


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_and_their_gradients(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dtype = "float64" if seed % 3 == 0 else "float32"
    arrays = [rng.normal(size=s).astype(dtype) for s in ((N, N), (N, N), (N,))]
    fn = program(seed, STEPS)
    found = functionalise(ml.jit.trace(fn, *map(ml.tensor, arrays)).graph)
    graph, arrays = planned(found).core, [*arrays, *(x.numpy() for x in found.outside)]
    kernels = same(graph, arrays, tolerance=1e-3)
    assert kernels.program.kernels or dtype == "float64"
    both = joint(graph, (0, 1, 2))
    tangents = [np.ones(t.shape, t.dtype) for t in both.graph.placeholders[len(arrays) :]]
    same(both.graph, [*arrays, *tangents], tolerance=1e-3)
