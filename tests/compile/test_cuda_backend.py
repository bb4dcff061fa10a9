"""The CUDA backend on a stand-in for the GPU: every op, random programs with their gradients, odd inputs, all geometry.

The page is what a GPU would run; g++ compiles it with threads that are fibers (see `tests/emulated_cuda.py`). What that
cannot show is the speed, and what CUDA's own functions give in the last digit.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.runtime.results import planned
from minitorch_lab.compiler.targets.cuda.backend import compile_cuda
from minitorch_lab.compiler.targets.cuda.driver import Page, RecordedPage
from minitorch_lab.errors import OutOfMemoryError
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS
from tests.compile import programs
from tests.compile.programs import N, program, views
from tests.compile.test_llvm_backend import FUNCTIONS, SPECIAL, STEPS, close, normal
from tests.cupy_stand_in import gpu
from tests.emulated_cuda import CXX, Graph

__all__ = ["gpu"]

F = ml.nn.functional
pytestmark = [
    pytest.mark.usefixtures("gpu"),
    pytest.mark.skipif(CXX is None, reason="there is no C++ compiler to run the kernels with"),
]


class AllByCublas(Page):
    least = 0


class OnGpu:
    """The package, for programs whose constants lie where their arguments lie."""

    def __getattr__(self, name: str) -> Any:
        return getattr(ml, name)

    def ones(self, *shape: int, **params: Any) -> Any:
        return ml.ones(*shape, device="cuda", **params)

    def tensor(self, data: Any) -> Any:
        return ml.tensor(data).to("cuda")


def there(a: Any) -> Any:
    return a if isinstance(a, ml.Tensor) else ml.tensor(a).to("cuda")


def pure(fn: Any, *examples: Any) -> Any:
    return planned(functionalise(ml.jit.trace(fn, *map(there, examples)).graph)).core


def same(graph: Any, arrays: list[Any], page: type[Page] = Page, tolerance: float = 2e-5) -> Any:
    """The kernels, after a comparison with the ops one by one; threads run forwards, then backwards."""
    given = [there(a) for a in arrays]
    want = flatten(evaluate(graph, given))[0]
    kernels = compile_cuda(graph, page=page)
    for backwards in "01":
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("EMULATED_BACKWARDS", backwards)
            for a, b in zip(kernels(*(x.value for x in given)), want, strict=True):
                close(a.get(), b.value.get(), tolerance)
    return kernels


@pytest.mark.family(3)
@pytest.mark.parametrize(
    "op", [op for op in OPS.values() if op.gives != "dtype" and op.name != "transfer"], ids=lambda op: op.name
)
def test_every_op_compiles(op: Any) -> None:
    for args, params in op.samples(np.random.default_rng(0)):
        arrays = [np.asarray(a) for a in args if not isinstance(a, (bool, int, float))]
        arrays = [a.astype("float32") if a.dtype == "float64" else a for a in arrays]

        def run(*given: Any, args: Any = args, params: Any = params) -> Any:
            fill = iter(given)
            return op(*(a if isinstance(a, (bool, int, float)) else next(fill) for a in args), **params)

        same(pure(run, *arrays), arrays)


@pytest.mark.family(4)
@pytest.mark.parametrize("seed", range(40))
def test_random_programs_and_their_gradients(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "ml", OnGpu())
    rng = np.random.default_rng(seed)
    dtype = "float64" if seed % 3 == 0 else "float32"
    arrays = [rng.normal(size=s).astype(dtype) for s in ((N, N), (N, N), (N,))]
    found = functionalise(ml.jit.trace(program(seed, STEPS), *map(there, arrays)).graph)
    graph, arrays = planned(found).core, [*arrays, *found.outside]
    page = (Page, RecordedPage, AllByCublas)[seed % 3]
    kernels = same(graph, arrays, page, tolerance=1e-3)
    assert kernels.program.kernels or dtype == "float64"
    both = joint(graph, (0, 1, 2))
    tangents = [np.ones(t.shape, t.dtype) for t in both.graph.placeholders[len(arrays) :]]
    same(both.graph, [*arrays, *tangents], page, tolerance=1e-3)


# ---- which thread does what -----------------------------------------------------------------------------------------
LENGTHS = [1, 2, 31, 32, 33, 255, 256, 257, 300, 511, 1025]


@pytest.mark.parametrize("n", LENGTHS)
def test_rows_of_any_length(n: int) -> None:
    x, w = normal(9, n), normal(n)

    def f(x: Any, w: Any) -> Any:
        y = F.layer_norm(x, (n,), w, w)
        return x.softmax(1), y.gelu(), y.sum(0), (x * w).amax(0), x.log_softmax(1).sum(), x.amin(1), (x * 2).sum()

    same(pure(f, x, w), [x, w])


def test_a_long_row_is_kept_in_registers_as_far_as_they_reach() -> None:
    x = normal(2, 40_000)
    kernels = same(pure(lambda x: x.softmax(1), x), [x])
    assert "float row0[40];" in kernels.cuda
    assert "#pragma unroll 1" in kernels.cuda


@pytest.mark.parametrize("page", [Page, AllByCublas])
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 5, 3), (5, 1, 3), (5, 3, 1), (7, 33, 17), (64, 16, 32), (70, 45, 60)])
def test_products_that_do_not_divide_the_square(shape: tuple[int, int, int], page: type[Page]) -> None:
    m, k, n = shape
    a, b, c = normal(m, k), normal(k, n), normal(n)

    def f(a: Any, b: Any, c: Any) -> Any:
        y = (a @ b + c).relu()
        return y, y @ b.T, a.T @ y, (y.T @ a * (0.1 / m)).tanh()

    same(pure(f, a, b, c), [a, b, c], page)


@pytest.mark.parametrize("page", [Page, AllByCublas])
def test_batches_of_products_stretch(page: type[Page]) -> None:
    a, b = normal(2, 1, 6, 5), normal(3, 5, 20)
    same(pure(lambda a, b: (a @ b).exp(), a, b), [a, b], page)
    same(pure(lambda a, b: a[:, 0] @ b[0, :, 0], a, b), [a, b], page)
    same(pure(lambda a, b: (a.flip(3) @ b) + 1.0, a, b), [a, b], page)
    same(pure(lambda a, b: a[0, :, 1:, :3] @ b[:, 2:, ::2], a, b), [a, b], page)
    same(pure(lambda a, b: (a @ b).sum(1) @ b.mT.reshape(60, 5)[:20], a, b), [a, b], page)


def test_columns_of_any_number_and_length() -> None:
    for k, n in [(2, 3), (7, 32), (600, 33), (33, 100)]:
        x = normal(k, n)
        same(pure(lambda x: ((x * 2).sum(0), x.amax(0) + 1.0, x[None].amin(1)), x), [x])


def test_views_are_addresses() -> None:
    x = normal(4, 3, 5)
    same(pure(views, x), [x])


@pytest.mark.parametrize("stride", [1, 2])
def test_convolutions_and_their_gradients(stride: int) -> None:
    x, w = normal(2, 3, 7, 6), normal(4, 3, 3, 3)
    graph = pure(lambda x, w: F.conv2d(x, w, padding=1, stride=stride).relu(), x, w)
    both = joint(graph, (0, 1))
    same(both.graph, [x, w, *(np.ones(t.shape, "float32") for t in both.graph.placeholders[2:])], tolerance=1e-4)


def test_pools_and_causal_attention() -> None:
    x, q, k = normal(2, 3, 7, 6), normal(2, 2, 9, 8), normal(2, 2, 9, 8)
    same(pure(lambda x: (F.max_pool2d(x, 2), F.avg_pool2d(x, 3)), x), [x])
    same(pure(lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True), q, k), [q, k])


# ---- odd inputs -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_and_infinities(dtype: str) -> None:
    x = SPECIAL.astype(dtype)

    def f(x: Any) -> Any:
        return tuple(getattr(x, name)() for name in FUNCTIONS)

    with np.errstate(all="ignore"):
        same(pure(f, x), [x])


def test_pairs_with_nan_and_infinities() -> None:
    x, y = (a.ravel().copy() for a in np.meshgrid(SPECIAL, SPECIAL))
    names = ["maximum", "minimum", "add", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge"]
    with np.errstate(all="ignore"):
        same(pure(lambda x, y: tuple(OPS[name](x, y) for name in names), x, y), [x, y])
        same(pure(lambda x: tuple(OPS[name](x, float("nan")) for name in names), x), [x])
        same(pure(lambda x: tuple(OPS[name](x, float("-inf")) for name in names), x), [x])


@pytest.mark.parametrize("n", [3, 77, 300])
def test_reductions_of_nan_and_infinities(n: int) -> None:
    x = normal(4, n)
    x[0, n // 2], x[1, -1], x[2, 0], x[3] = np.nan, np.inf, -np.inf, -np.inf

    def f(x: Any) -> Any:
        return tuple(getattr(x, name)(dim) for name in ("amax", "amin", "sum") for dim in (0, 1))

    with np.errstate(all="ignore"):
        same(pure(f, x), [x])


def test_whole_numbers_and_truth() -> None:
    i = np.array([[0, -1, 5], [-(1 << 62), (1 << 62), 7]])
    same(pure(lambda i: (i.sum(1), i.amax(0), i.amin(1), i * 3 - 1, i.abs(), i > 0, (i > 0) | (i < -2)), i), [i])
    small = i[:, :1].astype("int32")
    same(pure(lambda i: (i.amax(0), i.float() / 3, (i == 0).float().sum()), small), [small])


def test_inputs_that_lie_otherwise_are_copied() -> None:
    x = normal(40, 30)
    kernels = compile_cuda(pure(lambda x: x.softmax(1), x))
    want = kernels(there(x).value)[0].get()
    wide = there(np.repeat(x, 2, 1)).value[:, ::2]
    across = there(np.ascontiguousarray(x.T)).value.T
    for other in (wide, across, there(x[::-1].copy()).value[::-1]):
        np.testing.assert_array_equal(kernels(other)[0].get(), want)


def test_what_is_written_into_lies_otherwise_too() -> None:
    def step(w: Any, g: Any) -> None:
        w.sub_(0.5 * g)

    step_ = ml.compile(step)
    for lay in (lambda w: w, lambda w: w.T, lambda w: w[:, ::2]):
        w, other = there(np.ones((6, 6), "float32")), np.ones((6, 6), "float32")
        g = normal(*lay(other).shape)
        step_(lay(w), there(g))
        lay(other)[...] -= 0.5 * g
        np.testing.assert_allclose(w.value.get(), other, rtol=1e-6)


def test_nothing_at_all() -> None:
    x = np.zeros((0, 5), "float32")
    same(pure(lambda x: ((x * 2).exp(), x.sum(0) + 1.0, x.T @ x), x), [x])


def test_long_chains_and_diamonds() -> None:
    def f(x: Any) -> Any:
        y = z = x
        for _ in range(300):
            y = y * 0.99 + 0.01
        for _ in range(60):
            z = (z + z) * 0.5
        return y, z

    same(pure(f, normal(70)), [normal(70)])


def test_names_that_c_has_already() -> None:
    def f(float: Any, int: Any, k: Any, t: Any, exp: Any, σ: Any, row0: Any, sum: Any) -> Any:
        return (float + int * k - t).exp() * exp + σ + row0.softmax(0) * sum.sum()

    arrays = [normal(5) for _ in range(8)]
    same(pure(f, *arrays), arrays)


# ---- memory and streams ---------------------------------------------------------------------------------------------
def test_threads_share_a_kernel() -> None:
    x = normal(8, 50)
    kernels = compile_cuda(pure(lambda a: ((a * 2 + 1).tanh() @ a.T).exp().sum(), x))
    arrays = [there(np.full((8, 50), i / 1000, "float32")).value for i in range(16)]
    want = [kernels(a)[0].get() for a in arrays]
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda a: kernels(a)[0].get(), arrays * 4))
    np.testing.assert_array_equal(got, want * 4)


def test_streams_do_not_share_a_block() -> None:
    import cupy  # pyright: ignore[reportMissingImports]

    x = normal(8, 50)
    kernels = compile_cuda(pure(lambda a: ((a * 2 + 1).tanh() @ a.T).exp().sum(), x))
    kernels(there(x).value)
    with cupy.cuda.Stream(non_blocking=True):
        kernels(there(x).value)
    assert [len(held) for held in kernels.arena.pools.values()] == [1, 1]


def test_out_of_memory_in_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    import cupy  # pyright: ignore[reportMissingImports]

    def full(shape: Any, dtype: Any = float) -> Any:
        raise MemoryError("Out of memory allocating 1,600 bytes")

    x = normal(8, 50)
    kernels = compile_cuda(pure(lambda a: ((a * 2 + 1).tanh() @ a.T).exp(), x))
    with monkeypatch.context() as patch:
        patch.setattr(cupy, "empty", full)
        with pytest.raises(OutOfMemoryError, match=r"(?s)needs 1,600 bytes.*Did you mean a smaller batch"):
            kernels(there(x).value)
    assert kernels(there(x).value)[0].shape == (8, 8)


def test_explain_shows_the_page_of_the_kernels() -> None:
    from minitorch_lab.compiler.explain import explain

    x = ml.tensor(normal(3, 40)).to("cuda")
    told = explain(ml.compile(lambda x: (x * 2).softmax(1), backend="cuda"), x)
    (kernel,) = told.to_dict()["kernels"]
    assert "__global__ void" in kernel["cuda"]
    assert kernel["groups"][0]["nbytes"] == 2 * 4 * 3 * 40
    shown = " ".join(str(told).split())
    assert " ".join(kernel["cuda"].split()) in shown


# ---- CUDA graphs ----------------------------------------------------------------------------------------------------
def test_kernels_that_follow_each_other_are_replayed_as_one() -> None:
    def f(x: Any, lr: float) -> Any:
        return ((x * lr).softmax(1) @ x.T).tanh()

    compiled = ml.compile(f, mode="reduce-overhead")
    x = there(normal(6, 300))
    launched = Graph.launched
    for i in range(8):  # captured, seen, recorded, replayed; each time with another number
        close(compiled(x, 0.5 + i).value.get(), f(x, 0.5 + i).value.get())
    assert Graph.launched - launched >= 3


def test_what_is_held_is_not_overwritten_by_a_replay() -> None:
    compiled = ml.compile(lambda x: (x * 2).tanh() @ x, mode="reduce-overhead")
    x = there(normal(20, 20))
    compiled(x)  # op by op, while it is captured
    held = [compiled(x) for _ in range(8)]
    want = held[0].value.get()
    x.zero_()
    assert not compiled(x).value.get().any()
    for y in held:
        np.testing.assert_array_equal(y.value.get(), want)


def test_a_large_product_ends_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecordedPage, "least", 1000)
    x, w = normal(20, 30), normal(30, 20)
    kernels = compile_cuda(pure(lambda x, w: ((x * 2 @ w).relu() + 1).softmax(1), x, w), page=RecordedPage)
    given = [there(x).value, there(w).value]
    results = [kernels(*given)[0].get() for _ in range(4)]
    np.testing.assert_array_equal(results, [results[0]] * 4)
    lines = [line.strip().partition("(")[0] for line in kernels.source.splitlines()]
    assert [name for name in lines if name in ("run0_op", "cublas", "run1_op")] == ["run0_op", "cublas", "run1_op"]


# ---- a whole step ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", ["default", "reduce-overhead"])
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_a_training_step(optimizer: str, mode: str) -> None:
    def train(compiling: Any) -> list[float]:
        ml.manual_seed(0)
        model = ml.nn.Sequential(ml.nn.Linear(7, 9), ml.nn.GELU(), ml.nn.LayerNorm(9), ml.nn.Linear(9, 3)).to("cuda")
        opt = getattr(ml.optim, optimizer)(model.parameters(), lr=0.05)
        x, t = ml.randn(5, 7).to("cuda"), ml.tensor([0, 1, 2, 1, 0]).to("cuda")

        def step(x: Any, t: Any) -> Any:
            opt.zero_grad()
            loss = ml.cross_entropy(model(x), t)
            loss.backward()
            opt.step()
            return loss

        run = compiling(step)
        return [run(x, t).item() for _ in range(6)]

    want = train(lambda step: step)
    assert train(lambda step: ml.compile(step, mode=mode)) == pytest.approx(want, rel=1e-4)


def test_convolutions_and_pools() -> None:
    def f(x: Any, w: Any) -> Any:
        return F.max_pool2d(F.conv2d(x, w, padding=1).relu(), 2)

    x, w = normal(2, 3, 6, 9), normal(4, 3, 3, 3)
    both = joint(pure(f, x, w), (0, 1)).graph
    same(both, [x, w, normal(*both.placeholders[2].shape)])
