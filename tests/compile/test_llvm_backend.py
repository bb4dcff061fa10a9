"""The LLVM backend beside the ops run one by one: every op, random programs with their gradients, odd inputs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.loops.ir import Tile
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.runtime.results import planned
from minitorch_lab.compiler.targets.llvm import tiles
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm, compile_llvm_keeping
from minitorch_lab.compiler.targets.llvm.target import target_of
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS
from tests.compile.programs import ENTRYWISE, MOVING, SUMMING, N, drawn, program, views

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


def supposing(monkeypatch: pytest.MonkeyPatch, **said: Any) -> None:
    """From here on this is what all targets say of themselves."""
    known = target_of
    monkeypatch.setattr(
        "minitorch_lab.compiler.targets.llvm.target.target_of", lambda name="host": replace(known(name), **said)
    )


def without_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on all results are written past the caches."""
    supposing(monkeypatch, memory=0)


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


# ---- odd inputs -----------------------------------------------------------------------------------------------------
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 3e38, -3e38, 88.8, -104.0], "float32")
FUNCTIONS = [
    "exp", "log", "log1p", "expm1", "tanh", "erf", "sigmoid", "sqrt", "relu", "abs", "sign", "floor", "ceil", "trunc",
    "round", "isnan", "isfinite", "neg", "gelu", "softplus", "square", "reciprocal", "rsqrt",
]  # fmt: skip


@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_nan_and_infinities(name: str, target: str) -> None:
    skip_unless_runnable(target)
    with np.errstate(all="ignore"):
        same(pure(lambda x: getattr(x, name)(), ml.tensor(SPECIAL)), [SPECIAL], target)


def skip_unless_runnable(target: str) -> None:
    import llvmlite.binding as llvm

    if target == "avx2" and not llvm.get_host_cpu_features().get("avx2"):
        pytest.skip("this processor has no AVX2")
    if target != "host" and "x86" not in llvm.get_process_triple():
        pytest.skip("this processor is none of x86")


@pytest.mark.parametrize("name", ["maximum", "minimum", "add", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"])
def test_pairs_with_nan_and_infinities(name: str) -> None:
    x, y = (a.ravel().copy() for a in np.meshgrid(SPECIAL, SPECIAL))
    op = OPS[name]
    with np.errstate(all="ignore"):
        same(pure(lambda x, y: op(x, y), ml.tensor(x), ml.tensor(y)), [x, y])
        same(pure(lambda x: op(x, 1.0), ml.tensor(x)), [x])


@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
def test_rows_over_a_number_each(target: str) -> None:
    skip_unless_runnable(target)
    more = np.array([2.0**126, 2.0**127, 1.5e38, 2.0**-126, 2.0**-127, 1e-44, 3.0, -0.1, 7e-20, 9e25], "float32")
    y = np.concatenate([SPECIAL, more])
    x = np.concatenate([y, normal(40)])
    with np.errstate(all="ignore"):
        same(pure(lambda x, y: x / y[:, None], ml.tensor(x), ml.tensor(y)), [x, y], target)
        got = compile_llvm(pure(lambda x, y: x / y[:, None], ml.tensor(x), ml.tensor(y)), target=target)(x, y)[0]
        want = x.astype("float64") / y.astype("float64")[:, None]
    usual = np.isfinite(want) & (np.abs(want) > 1e-37) & (np.abs(want) < 3e38)
    assert np.abs(got[usual] / want[usual] - 1).max() < 2.5e-7


@pytest.mark.parametrize("name", ["amax", "amin", "sum"])
@pytest.mark.parametrize("n", [3, 16, 77, 300])
def test_reductions_of_nan_and_infinities(name: str, n: int) -> None:
    x = normal(4, n)
    x[0, n // 2], x[1, -1], x[2, 0], x[3] = np.nan, np.inf, -np.inf, -np.inf
    for dim in (0, 1):
        with np.errstate(all="ignore"):
            same(pure(lambda x, dim=dim: getattr(x, name)(dim), ml.tensor(x)), [x])


SIZES = [1, 2, 7, 15, 16, 17, 33, 64, 65, 100, 257]


@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
@pytest.mark.parametrize("n", SIZES)
def test_rows_of_any_length(n: int, target: str) -> None:
    skip_unless_runnable(target)
    x, w = normal(5, n), normal(n)

    def f(x: Any, w: Any) -> Any:
        y = F.layer_norm(x, (n,), w, w)
        return x.softmax(1), y.gelu(), y.sum(0), (x * w).amax(0), x.log_softmax(1).sum()

    same(pure(f, ml.tensor(x), ml.tensor(w)), [x, w], target)


@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 5, 3), (5, 1, 3), (5, 3, 1), (7, 33, 17), (64, 16, 32), (70, 45, 60)])
def test_products_that_do_not_divide_the_tile(shape: tuple[int, int, int], target: str) -> None:
    skip_unless_runnable(target)
    m, k, n = shape
    a, b, c = normal(m, k), normal(k, n), normal(n)

    def f(a: Any, b: Any, c: Any) -> Any:
        y = (a @ b + c).relu()
        return y, y @ b.T, a.T @ y, (y.T @ a * (0.1 / m)).tanh()

    same(pure(f, *map(ml.tensor, (a, b, c))), [a, b, c], target)


def packing_from(monkeypatch: pytest.MonkeyPatch, nbytes: int) -> None:
    """From here on operands are copied that reach further, so many bytes at a time."""
    monkeypatch.setattr(tiles, "PACK_BYTES", nbytes)
    monkeypatch.setattr(tiles, "COPIED_BYTES", 40 * nbytes)


def test_a_panel_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    packing_from(monkeypatch, 100)
    for m, n, k in [(64, 100, 33), (70, 45, 60), (129, 33, 77), (64, 32, 2)]:
        a, b = normal(m, k), normal(k, n)
        kernels = same(pure(lambda a, b: (a @ b).relu(), ml.tensor(a), ml.tensor(b)), [a, b])
        assert "panel" in str(kernels.plan)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
def test_rows_that_lie_apart_are_copied(monkeypatch: pytest.MonkeyPatch, target: str, dtype: str) -> None:
    skip_unless_runnable(target)
    packing_from(monkeypatch, 100)
    for m, n, k in [(64, 64, 33), (70, 80, 60), (131, 67, 77), (300, 64, 9)]:
        a, b, w = normal(k, m).astype(dtype), normal(k, n).astype(dtype), normal(m, n).astype(dtype)
        graph = pure(lambda a, b, w: w - 0.1 * ((2 * a).T @ b), *map(ml.tensor, (a, b, w)))
        (t,) = [s for s in tiles_of(same(graph, [a, b, w], target)) if s.a is not None]
        cut = tiles.blocking(t, target_of(target))
        assert cut.packed
        assert tiles.copied_rows(t, cut) in (m, *range(cut.rows, m, cut.rows))


def test_operands_that_are_copied_keep_their_infinities(monkeypatch: pytest.MonkeyPatch) -> None:
    packing_from(monkeypatch, 100)
    a, b = normal(96, 70), normal(96, 80)
    a[:, 3], a[5, 10], b[7, 11] = 0, np.nan, np.inf
    low = np.tril(normal(96, 96))
    low[90, 80] = np.inf
    with np.errstate(invalid="ignore"):
        same(pure(lambda a, b: a.T @ b, ml.tensor(a), ml.tensor(b)), [a, b])
        same(pure(lambda a, b: a.tril().T @ b, ml.tensor(low), ml.tensor(b)), [low, b])


def tiles_of(kernels: Any) -> list[Tile]:
    return [s for k in kernels.program.kernels for s in k.statements() if isinstance(s, Tile)]


def test_batches_of_products_stretch() -> None:
    a, b = normal(2, 1, 6, 5), normal(3, 5, 20)
    same(pure(lambda a, b: (a @ b).exp(), ml.tensor(a), ml.tensor(b)), [a, b])
    same(pure(lambda a, b: a[:, 0] @ b[0, :, 0], ml.tensor(a), ml.tensor(b)), [a, b])


def test_inputs_that_lie_otherwise_are_copied() -> None:
    x = normal(40, 30)
    kernels = same(pure(lambda x: x.softmax(1), ml.tensor(x)), [x])
    for other in (np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2], x[::-1][::-1], np.broadcast_to(x[:1], x.shape)):
        close(kernels(other)[0], kernels(np.ascontiguousarray(other))[0])
    raw = np.zeros(x.nbytes + 1, "uint8")[1:]
    raw[:] = np.frombuffer(x.tobytes(), "uint8")
    close(kernels(raw.view("float32").reshape(x.shape))[0], kernels(x)[0])
    close(same(pure(lambda x: x * 2, ml.tensor(1.0)), [np.float32(3)])(np.float32(4))[0], np.array(8, "float32"))


def test_nothing_at_all() -> None:
    x = np.zeros((0, 5), "float32")
    same(pure(lambda x: ((x * 2).exp(), x.sum(0) + 1.0, x.T @ x), ml.tensor(x)), [x])


def test_long_chains_and_diamonds() -> None:
    def f(x: Any) -> Any:
        y = z = x
        for _ in range(600):
            y = y * 0.99 + 0.01
        for _ in range(60):
            z = (z + z) * 0.5
        return y, z

    same(pure(f, ml.ones(70)), [normal(70)])


def test_views_are_addresses() -> None:
    x = normal(4, 3, 5)
    same(pure(views, ml.tensor(x)), [x])


def test_threads_share_a_kernel() -> None:
    kernels = compile_llvm(pure(lambda a: ((a * 2 + 1).tanh() @ a.T).exp().sum(), ml.ones(40, 50)))
    arrays = [np.full((40, 50), i / 1000, "float32") for i in range(32)]
    want = [kernels(a)[0] for a in arrays]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda a: kernels(a)[0], arrays * 8))
    np.testing.assert_array_equal(got, want * 8)


def test_kernels_that_differ_in_their_buffers_are_one_function() -> None:
    def f(x: Any) -> Any:
        for _ in range(5):
            x = (x @ x).tanh()
        return x

    text = compile_llvm(pure(f, ml.ones(20, 20))).llvm
    assert text.count("define internal void") < 4


def test_large_results_lie_where_earlier_ones_lay() -> None:
    x = normal(1 << 19)
    kernels = compile_llvm_keeping(pure(lambda x: (x * 2 + 1, x[:3] * 2), ml.tensor(x)))
    first, _ = kernels(x)
    second, _ = kernels(x)
    assert not np.shares_memory(first, second)
    place = first.ctypes.data
    del first
    third, _ = kernels(x)
    assert third.ctypes.data == place
    close(third, x * 2 + 1)


def test_without_llvmlite_there_is_one_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    from minitorch_lab.compiler.targets.llvm import backend

    monkeypatch.setattr(backend, "find_spec", lambda name: None)
    backend.available.cache_clear()
    graph = pure(lambda x: x.exp(), ml.ones(3))
    with pytest.warns(RuntimeWarning, match="llvmlite is not installed") as caught:
        kernels = [compile_llvm(graph) for _ in range(3)]
    assert len(caught) == 1
    assert "np.exp" in kernels[0].source
    backend.available.cache_clear()
