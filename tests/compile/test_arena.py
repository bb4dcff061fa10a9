"""Arenas at run time: in-place reuse op by op, donated arguments, kernels that share, and a machine that says no."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.jit import captured
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.memory.arena import one_arena
from minitorch_lab.compiler.memory.buffers import homes
from minitorch_lab.compiler.runtime.region import Region
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy, writes_out
from minitorch_lab.errors import OutOfMemoryError
from minitorch_lab.lessons.training_step import pure
from minitorch_lab.ops.op import OPS
from tests.compile.test_aot import made

maximum = OPS["maximum"]


def operands(op: Any) -> list[Any]:
    args = op.samples(np.random.default_rng(0))[0][0]
    shape = np.broadcast_shapes(*(np.shape(a) for a in args))
    return [ml.tensor(np.broadcast_to(a, shape).copy()) for a in args]


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.jvp is OPS["exp"].jvp], ids=lambda op: op.name)
def test_an_op_that_writes_over_its_input_gives_what_it_gives(op: Any) -> None:
    params = op.samples(np.random.default_rng(0))[0][1]
    xs = operands(op)
    for turn in range(len(xs)):

        def run(*given: Any, turn: int = turn) -> Any:
            mine = [maximum(x, x) if i == turn else x for i, x in enumerate(given)]
            out = op(*mine, **params)
            return maximum(out, out)

        graph = pure(run, *xs)
        want = evaluate(graph, xs)
        np.testing.assert_array_equal(compile_numpy(graph)(*[x.numpy() for x in xs])[0], want.numpy())


def test_most_ops_do_write_over_their_input() -> None:
    found = homes(pure(lambda x: (x + 1).exp().relu().gelu().sigmoid() * 2 - x, ml.ones(5)), writes_out)
    assert [life.names for life in found.lives] == [("add", "exp", "relu", "gelu", "sigmoid", "mul")]


def test_nothing_is_written_over_what_is_read_through_a_view() -> None:
    def f(x: Any) -> Any:
        a = x + 1
        return (a.T - 1) * 2, ((x * 3) - (x * 3).T) * 2

    x = np.arange(9.0, dtype="float32").reshape(3, 3)
    graph = pure(f, ml.ones(3, 3))
    assert [life.names for life in homes(graph).lives] == [
        ("add",), ("sub",), ("mul_1", "sub_1"), ("mul_2",)
    ]  # fmt: skip
    for got, want in zip(compile_numpy(graph)(x), evaluate(graph, [ml.tensor(x)]), strict=True):
        np.testing.assert_array_equal(got, want.numpy())


# ---- donation -------------------------------------------------------------------------------------------------------
def over(fn: Any, *shapes: Any) -> list[bool]:
    """Which arguments a result is written over when all are given up; the values are those of the ops."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in shapes]
    graph = pure(fn, *map(ml.tensor, arrays))
    want = [t.numpy() for t in evaluate(graph, [ml.tensor(a) for a in arrays])]
    kernel = compile_numpy(graph, donate=[p.name for p in graph.placeholders])
    got = kernel(*arrays)
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6)
    return [any(r is a for r in got) for a in arrays]


def test_an_update_is_written_over_what_it_updates() -> None:
    assert over(lambda w, g: [w - 0.1 * g], 4, 4) == [True, False]


def test_one_argument_takes_one_result() -> None:
    assert over(lambda w: [w * 2, w * 3], 4) == [True]


def test_what_is_read_later_is_not_written_over() -> None:
    assert over(lambda p, g: [p - g, (p - g).T @ p], (3, 3), (3, 3)) == [False, True]


def test_what_is_read_through_a_view_is_not_written_over() -> None:
    assert over(lambda w: [w - w.T], (3, 3)) == [False]


def test_a_product_takes_memory_that_was_read_before_and_not_its_factors() -> None:
    assert over(lambda a, b: [a @ b], (3, 3), (3, 3)) == [False, False]
    assert over(lambda a, b, c: [(a @ b + c) @ b], (3, 3), (3, 3), (3, 3)) == [True, False, False]


def test_what_is_handed_back_is_not_written_over() -> None:
    graph = pure(lambda w: [w + 1, w], ml.ones(4))
    w = np.ones(4, "float32")
    first, second = compile_numpy(graph, donate=["w"])(w)
    assert (first.tolist(), second.tolist()) == ([2.0] * 4, [1.0] * 4)


# ---- sharing --------------------------------------------------------------------------------------------------------
def test_forward_and_backward_share_an_arena() -> None:
    def f(x: Any, w: Any) -> Any:
        return ((x @ w).tanh() @ w).exp().sum()

    region = Region(pure(f, ml.ones(16, 16), ml.ones(16, 16)), compile_numpy)
    w = ml.full((16, 16), 0.01, requires_grad=True)
    region(ml.ones(16, 16), w).backward()
    (found,) = region.kernels.values()
    sizes = [k.plan.size for k in (found.forward, found.backward)]
    assert found.forward.arena is found.backward.arena
    assert found.forward.arena.size == max(sizes) < sum(sizes)
    assert len(found.forward.arena.pool) == 1


def test_a_block_grows_when_a_larger_kernel_joins() -> None:
    small, large = (pure(lambda a: (a + 1).exp().sum(), ml.ones(n)) for n in (10, 1000))
    with one_arena() as arena:
        first = compile_numpy(small)
        assert first(np.zeros(10, "float32"))[0] == pytest.approx(27.18, abs=0.01)
        second = compile_numpy(large)
        assert second(np.zeros(1000, "float32"))[0] == pytest.approx(2718.28, abs=0.01)
        assert first(np.zeros(10, "float32"))[0] == pytest.approx(27.18, abs=0.01)
    assert (len(arena.pool), arena.pool[0].memory.nbytes, sorted(arena.pool[0].shown)) == (1, 4032, [0, 1])


def test_every_block_starts_on_a_cache_line() -> None:
    kernel = compile_numpy(pure(lambda a: (a + 1).exp().sum(), ml.ones(100)))
    kernel(np.zeros(100, "float32"))
    (held,) = kernel.arena.pool
    assert [view.ctypes.data % 64 for views in held.shown.values() for view in views] == [0, 0]


def test_a_call_that_fails_leaves_the_next_one_a_block() -> None:
    kernel = compile_numpy(pure(lambda a: (a @ a + 1).exp().sum(), ml.ones(3, 3)))
    with pytest.raises(ValueError, match="mismatch"):
        kernel(np.zeros((3, 2), "float32"))
    assert kernel(np.zeros((3, 3), "float32"))[0] == pytest.approx(9 * np.e)


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_read_before_it_is_written(seed: int) -> None:
    kernel = compile_numpy(made(seed, 40).graph)
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=8).astype("float32"), rng.normal(size=8).astype("float32"), np.float32(1)]
    first = kernel(*arrays)
    for held in kernel.arena.pool:
        held.memory[:] = 0xFF  # NaN, whatever the dtype of floats
    for a, b in zip(kernel(*arrays), first, strict=True):
        np.testing.assert_array_equal(a, b)


def test_forward_and_backward_in_eight_threads() -> None:
    def f(x: Any) -> Any:
        return ((x * 2).tanh() * x).exp().sum()

    region = Region(pure(f, ml.ones(5000)), compile_numpy)

    def run(i: int) -> Any:
        x = ml.tensor(np.full(5000, i / 50, "float32"), requires_grad=True)
        y = region(x)
        y.backward()
        return y.item(), x.grad.tolist()

    want = [run(i) for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, list(range(40)) * 3)) == want * 3


# ---- names, and memory that is not there ----------------------------------------------------------------------------
def test_names_that_the_page_uses_itself() -> None:
    def f(np: Any, held: Any, pool_: Any, relu_op: Any) -> Any:
        return ((np + held) * pool_).relu().exp() - relu_op

    arrays = [np.full(3, i, "float32") for i in range(4)]
    (got,) = compile_numpy(pure(f, *map(ml.tensor, arrays)))(*arrays)
    np.testing.assert_allclose(got, np.full(3, np.exp(2) - 3), rtol=1e-6)


def test_more_memory_than_there_is() -> None:
    def f(x: Any) -> Any:
        y = x + 1
        return y.exp() * (x * 2)

    graph = captured(f, (ml.zeros(1).expand(1 << 25, 1 << 25),), {})
    with pytest.raises(OutOfMemoryError) as caught:
        compile_numpy(graph)(np.broadcast_to(np.float32(0), (1 << 25, 1 << 25)))
    assert str(caught.value) == (
        "The arena of f needs 9,007,199,254,740,992 bytes, and the machine does not give that much.\n"
        "  9,007,199,254,740,992 bytes are alive at once at mul, the largest of them "
        "add → exp (4,503,599,627,370,496), mul (4,503,599,627,370,496).\n"
        "  Did you mean a smaller batch? Or checkpoint(...) around parts of the forward pass."
    )
    assert isinstance(caught.value, MemoryError)
