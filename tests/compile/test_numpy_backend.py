"""The NumPy backend: its source as text, its values against the graph run op by op, its buffers under threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS
from tests.compile.test_aot import made


def pure(fn: Any, *examples: Any) -> Graph:
    return functionalise(ml.jit.trace(fn, *examples).graph).graph


def same(graph: Graph, arrays: list[Any]) -> None:
    """The kernel gives the bits that the ops give, twice: the second time in memory that was used before."""
    want = flatten(evaluate(graph, [ml.tensor(a) for a in arrays]))[0]
    kernel = compile_numpy(graph)
    for _ in range(2):
        got = kernel(*arrays)
        for a, b in zip(got, want, strict=True):
            np.testing.assert_array_equal(np.asarray(a), b.numpy())
            assert np.asarray(a).dtype == b.dtype


def test_temporaries_share_memory_and_results_do_not() -> None:
    kernel = compile_numpy(pure(lambda a, b: ((a * b + 1).tanh() - b).exp(), ml.ones(3), ml.ones(3)))
    assert (
        kernel.source
        == """\
def f(a, b):
    held = pool.pop() if pool else Held()
    mul, add, tanh, sub = held.shown.get(0) or show(held)
    np.multiply(a, b, out=mul)  # f32[3]
    np.add(mul, 1, out=add)  # f32[3]
    np.tanh(add, out=tanh)  # f32[3]
    np.subtract(tanh, b, out=sub)  # f32[3]
    exp = np.exp(sub)  # f32[3]
    pool.append(held)
    return [exp]"""
    )
    assert kernel.plan.size == 64
    a = np.ones(3, "float32")
    first, second = kernel(a, a)[0], kernel(a * 2, a)[0]
    assert not np.shares_memory(first, second)
    assert first[0] != second[0]


@pytest.mark.parametrize("dtype", [ml.int64, ml.int8, ml.bool, ml.float16])
def test_the_casts_that_bring_inputs_together_are_compiled(dtype: Any) -> None:
    def f(x: Any) -> Any:
        return x / 2, x.cumprod(0) * x.sqrt()  # what goes into a buffer takes its dtype, results do not

    def writing(x: Any) -> Any:
        y, _ = f(x)
        y += x
        y[:2] = x[1:]
        return y * x

    x, arrays = ml.tensor([1, 0, 1], dtype=dtype), [np.array([1, 1, 0], dtype)]
    same(ml.jit.trace(f, x).graph, arrays)
    same(pure(writing, x), arrays)


def test_a_product_never_overwrites_its_factors() -> None:
    graph = pure(lambda a, b: ((a + b) @ (a - b)).tanh() * 2.0, ml.ones(4, 4), ml.ones(4, 4))
    rng = np.random.default_rng(0)
    same(graph, [rng.normal(size=(4, 4)).astype("float32") for _ in range(2)])
    assert compile_numpy(graph).plan.size == 3 * 64


def test_a_view_keeps_the_memory_that_it_shows() -> None:
    def f(a: Any) -> Any:
        t = (a + 1.0).T
        u = a * 2.0
        return t @ u, t[0]

    same(pure(f, ml.ones(3, 3)), [np.arange(9.0, dtype="float32").reshape(3, 3)])


def test_numbers_without_a_literal_and_indices() -> None:
    def f(a: Any) -> Any:
        return ml.where(a > 0, a, float("-inf")).amax(1), a[1:, None, ..., 0], a[[1, 0]]

    same(pure(f, ml.ones(3, 4)), [np.random.default_rng(0).normal(size=(3, 4)).astype("float32"), np.array([1, 0])])


@pytest.mark.parametrize("seed", range(30))
def test_random_joint_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    same(
        made(seed, 25).graph,
        [rng.normal(size=8).astype("float32"), rng.normal(size=8).astype("float32"), np.float32(1)],
    )


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.gives != "dtype"], ids=lambda op: op.name)
def test_every_op_compiles(op: Any) -> None:
    for args, params in op.samples(np.random.default_rng(0)):
        arrays = [np.asarray(a) for a in args if not isinstance(a, (bool, int, float))]

        def run(*given: Any, args: Any = args, params: Any = params) -> Any:
            fill = iter(given)
            return op(*(a if isinstance(a, (bool, int, float)) else next(fill) for a in args), **params)

        same(pure(run, *map(ml.tensor, arrays)), [ml.tensor(a).numpy() for a in arrays])


def test_threads_have_buffers_of_their_own() -> None:
    kernel = compile_numpy(pure(lambda a: ((a * 2 + 1).tanh() * a).exp().sum(), ml.ones(20_000)))
    arrays = [np.full(20_000, i / 100, "float32") for i in range(64)]
    want = [kernel(a)[0] for a in arrays]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda a: kernel(a)[0], arrays * 4))
    assert got == want * 4


def test_a_traceback_shows_the_line_of_the_generated_source() -> None:
    kernel = compile_numpy(pure(lambda a: (a @ a).exp(), ml.ones(2, 2)))
    with pytest.raises(ValueError, match="mismatch") as caught:
        kernel(np.ones((2, 3), "float32"))
    assert "np.matmul(a, a" in str(caught.traceback[-1].statement)
