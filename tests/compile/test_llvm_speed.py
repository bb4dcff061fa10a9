"""What the LLVM backend does to be fast changes no value: streams past the caches, batches, triangles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import parse_assembly

import minitorch_lab as ml
from minitorch_lab.compiler.ir.graph import Facts, Graph, Node
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.passes.pipeline import optimize
from minitorch_lab.compiler.runtime.results import planned
from minitorch_lab.compiler.targets.llvm import target
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from minitorch_lab.compiler.targets.llvm.machine import machine
from minitorch_lab.compiler.targets.llvm.target import target_of
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS
from tests.compile.test_llvm_backend import SPECIAL, normal, pure, same, skip_unless_runnable, supposing, without_caches

TARGETS = ["host", "avx2", "generic"]


def starting_at(offset: int, n: int) -> Any:
    """An array whose first entry lies `offset` entries behind an aligned one."""
    memory = np.zeros(n + 64, "float32")
    start = -(memory.ctypes.data // 4) % 16 + offset
    out = memory[start : start + n]
    out[...] = normal(n)
    return out


# ---- quotients ------------------------------------------------------------------------------------------------------
def divisions(f: Any, target: str) -> int:
    """How often the machine code of a function of two vectors, of one register each, divides."""
    kernels = compile_llvm(pure(f, ml.ones(4), ml.ones(4)), target=target)
    return machine(target_of(target)).emit_assembly(parse_assembly(kernels.llvm)).count("\tdivps")


def test_the_product_of_two_quotients_is_one() -> None:
    skip_unless_runnable("generic")
    assert divisions(lambda a, b: a.sigmoid() * b.tanh(), "generic") == 1
    assert divisions(lambda a, b: a.sigmoid() + b.tanh(), "generic") == 2
    assert divisions(lambda a, b: a.sigmoid() * a.sigmoid(), "generic") == 1  # which is read twice

    def keeping(a, b):  # as a step of training does
        gate, new = a.sigmoid(), b.tanh()
        return gate * new, gate, new

    assert divisions(keeping, "generic") == 2


@pytest.mark.parametrize("target", TARGETS)
def test_a_product_of_quotients_of_any_numbers(target: str) -> None:
    skip_unless_runnable(target)
    x = np.concatenate([SPECIAL, np.float32([-1e38, 1e38, -90, -60, -20, 20, 90, 1e-20]), normal(8)])
    a, b = (v.ravel().copy() for v in np.meshgrid(x, x))
    with np.errstate(all="ignore"):
        same(pure(lambda a, b: a.sigmoid() * b.tanh(), ml.tensor(a), ml.tensor(b)), [a, b], target)
        same(pure(lambda a, b: a.sigmoid() * b.sigmoid(), ml.tensor(a), ml.tensor(b)), [a, b], target)


# ---- streams --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [128, 129, 143, 161, 1000])
def test_results_past_the_caches(n: int, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_caches(monkeypatch)
    graph = pure(lambda a, b, c: (a * b).tanh() + c, *map(ml.tensor, (normal(n), normal(n), normal(1))))
    for offset in (0, 1, 7, 15):
        kernels = same(graph, [starting_at(offset, n), starting_at(3, n), normal(1)], target)
        assert "!nontemporal" in kernels.llvm


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [128, 133, 200])
def test_rows_past_the_caches(n: int, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without_caches(monkeypatch)
    x, g = normal(2, 3, n), normal(n)
    fn = lambda x, g: ml.nn.functional.layer_norm(x, (n,), g).softmax(-1)  # noqa: E731
    assert "!nontemporal" in same(pure(fn, ml.tensor(x), ml.tensor(g)), [x, g], target).llvm


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("n", [128, 131, 143, 1000])
def test_rows_past_the_caches_wherever_they_begin(n: int, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All entries of the result are written, and nothing around it."""
    without_caches(monkeypatch)
    skip_unless_runnable(target)
    x = normal(5, n)
    kernels = compile_llvm(pure(lambda x: x.softmax(-1), ml.tensor(x)), target=target)
    page: Any = kernels.fn
    e = np.exp(x.astype("float64") - x.max(-1, keepdims=True))
    for offset in range(16):
        memory = starting_at(0, 5 * n + 64)
        memory[:] = 7.0
        out = memory[16 + offset :][: 5 * n].reshape(5, n)
        monkeypatch.setitem(page.__globals__, "empty_op", lambda shape, dtype, out=out: out)
        assert kernels(x)[0] is out
        np.testing.assert_allclose(out, e / e.sum(-1, keepdims=True), rtol=1e-5)
        assert (memory[: 16 + offset] == 7.0).all()
        assert (memory[16 + offset + 5 * n :] == 7.0).all()


def test_no_other_vector_is_stored_where_lines_go_past_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    without_caches(monkeypatch)
    lines = compile_llvm(pure(added, ml.ones(4, 515), ml.ones(515)), target="avx512").llvm.splitlines()
    stores = [line for line in lines if line.strip().startswith("store <16 x float>")]
    others = [line.split("ptr ")[1].split(",")[0] for line in stores if "nontemporal" not in line]
    aside = [p for p in others if any(f'{p} = getelementptr float, ptr %"aside"' in line for line in lines)]
    assert len(stores) > len(others) == len(aside) == 3  # one line at the beginning, two at the end


def asked_for(fn: Any, rows: int) -> list[int]:
    """How many instructions ask for what will be read, and for what will be written, of `rows` rows and one row."""
    x, g = normal(rows, 515), normal(515)
    lines = same(pure(fn, ml.tensor(x), ml.tensor(g)), [x, g]).llvm.splitlines()
    asked = [line for line in lines if "call" in line and "llvm.prefetch" in line]
    return [sum(f"i32 {writing}, i32 3" in line for line in asked) for writing in (0, 1)]


def added(x: Any, g: Any) -> Any:
    return x + g


def test_what_large_arrays_hold_is_asked_for_beforehand(monkeypatch: pytest.MonkeyPatch) -> None:
    supposing(monkeypatch, asks=True)
    reads, writes = asked_for(added, 300)
    assert reads == writes > 0  # of the row that every row meets nothing: it is near
    assert asked_for(added, 9) == [0, 0]
    supposing(monkeypatch, asks=True, memory=0)
    reads, writes = asked_for(added, 300)
    assert reads > writes == 0  # what is written past the caches is not fetched, nor what lies around it


def test_what_a_pass_has_read_is_near_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    supposing(monkeypatch, asks=True)
    once, _ = asked_for(lambda x, g: x.sum(-1) + g.sum(), 300)
    reads, writes = asked_for(lambda x, g: x - x.sum(-1, keepdim=True) + g, 300)
    assert reads == once > 0
    assert writes > 0


def test_some_processors_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    supposing(monkeypatch, asks=False)
    assert asked_for(added, 300) == [0, 0]


@pytest.mark.parametrize(("cpu", "asks"), [("znver4", False), ("sapphirerapids", True)])
def test_processors_of_amd_are_not_asked(cpu: str, asks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: cpu)
    assert target.host().asks == asks


def test_only_large_results_go_past_the_caches() -> None:
    graph = pure(lambda a: a + 1, ml.ones(1 << 16))
    assert "!nontemporal" not in same(graph, [normal(1 << 16)]).llvm


def test_what_is_large_is_what_no_cache_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "CACHES", tmp_path)
    for index, size in enumerate(("48K", "4K", "none")):
        (tmp_path / f"index{index}").mkdir()
        (tmp_path / f"index{index}" / "size").write_text(f"{size}\n")
    assert target.largest_cache.__wrapped__() == 48 << 10
    monkeypatch.setattr(target, "largest_cache", target.largest_cache.__wrapped__)
    for n, past in ((6 << 10, True), (5 << 10, False)):  # floats, read and written
        assert ("!nontemporal" in same(pure(lambda a: a + 1, ml.ones(n)), [normal(n)]).llvm) == past


def test_where_nobody_tells_of_caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "CACHES", tmp_path)
    assert target.largest_cache.__wrapped__() == target.USUAL


def test_what_is_read_again_does_not_go_past_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    without_caches(monkeypatch)

    def shifted(a: Any) -> Any:
        return a + a[:1]  # one entry stands still while the others pass

    assert "!nontemporal" not in same(pure(shifted, ml.ones(256)), [normal(256)]).llvm
    assert "!nontemporal" not in same(pure(lambda a: a.flip(0) + 1, ml.ones(256)), [normal(256)]).llvm


def test_results_in_place_do_not_go_past_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    without_caches(monkeypatch)
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


# ---- triangles ------------------------------------------------------------------------------------------------------
def causal(q: Any, k: Any, v: Any) -> Any:
    return ml.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def there_and_back(q: Any, k: Any, v: Any) -> Any:
    return ml.func.grad(lambda *x: (causal(*x) ** 2).sum(), argnums=(0, 1, 2))(q, k, v)


def folded(fn: Any, *arrays: Any) -> Any:
    """The graph of a function after the passes, which turn a mask into a constant."""
    return optimize(pure(fn, *map(ml.tensor, arrays)))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("length", [9, 32, 61, 70])
def test_no_hidden_score_is_computed(length: int, target: str) -> None:
    arrays = [normal(2, length, 20) for _ in range(3)]
    kernels = same(folded(there_and_back, *arrays), arrays, target)
    bounds = [line.split(" for ")[1] for line in str(kernels.program).splitlines() if "tile m" in line]
    within = sorted(bound.split(", ")[1] for bound in bounds)
    assert within == ["k <= m", "k <= m", "m <= k", "n <= k", "n <= m", "n <= m"]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_zeros_times_infinity_are_not_left_out(which: int, bad: float) -> None:
    arrays = [normal(1, 40, 24) for _ in range(3)]
    arrays[which][0, 37, 5] = bad
    with np.errstate(all="ignore"):
        same(folded(causal, *arrays), arrays)
        same(folded(there_and_back, *arrays), arrays, tolerance=1e-4)


@pytest.mark.parametrize("d", [-70, -3, -1, 0, 5, 70])
@pytest.mark.parametrize("shape", [(40, 40, 40), (9, 70, 33), (70, 9, 33), (65, 64, 5)])
def test_bounds_beside_any_diagonal(shape: tuple[int, int, int], d: int) -> None:
    m, n, k = shape
    inside = ml.tensor(np.tri(m, k, d, dtype=bool))
    a, b, c, e = normal(m, k), normal(k, n), normal(m, n), normal(n, m)

    def run(a: Any, b: Any, c: Any, e: Any) -> Any:
        zeros = ml.where(inside, a * 2, 0.0) * 3
        return zeros @ b, zeros.T @ c, e @ zeros, ml.where(inside, c @ b.T, 1.0), zeros

    found = functionalise(ml.jit.trace(run, *map(ml.tensor, (a, b, c, e))).graph)
    graph = constant(planned(found).core, found.outside)
    kernels = same(graph, [a, b, c, e], tolerance=1e-4)
    assert str(kernels.program).count("<=") >= (4 if -m < d < k - 1 else 0)


def constant(graph: Any, outside: Any) -> Any:
    """The graph with its last arguments as constants that a pass has made."""
    new = Graph(graph.name)
    first = len(graph.placeholders) - len(outside)
    stands = {}
    for i, n in enumerate(graph.placeholders):
        stands[n] = new.placeholder(n.name, n.facts) if i < first else new.get_attr(outside[i - first], n.facts)
        stands[n].made_by = "a test"
    for n in graph.calls:
        inputs = tuple(stands.get(x, x) if isinstance(x, Node) else x for x in n.inputs)
        stands[n] = new.call(n.op, inputs, n.params, n.facts)
    new.output([stands[x] for x in flatten(graph.returned)[0]])
    return new


def test_one_number_everywhere_does_not_lie_in_memory() -> None:
    x = normal(50)
    kernels = same(folded(ml.func.grad(lambda x: (x * x.tanh()).sum()), x), [x])
    assert "constant" not in str(kernels.program)


# ---- squares --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("target", TARGETS)
def test_rows_that_are_columns_in_memory(target: str) -> None:
    for shape in [(16, 16), (17, 40), (40, 17), (5, 64), (48, 33)]:
        x, y = normal(2, *shape), normal(2, *shape[::-1])
        kernels = same(
            pure(lambda x, y: (x.mT * y + x.mT.exp(), x.mT.clone()), ml.tensor(x), ml.tensor(y)), [x, y], target
        )
        assert ("shufflevector" in kernels.llvm) == (min(shape) >= kernels.target.lanes)


@pytest.mark.parametrize("target", TARGETS)
def test_products_that_are_stored_upright(target: str) -> None:
    for m, k, n in [(8, 5, 16), (16, 40, 33), (24, 8, 47), (13, 9, 70)]:
        a, b = normal(3, m, k), normal(3, k, n)
        same(pure(lambda a, b: ((a @ b).mT.relu().clone(), a @ b), ml.tensor(a), ml.tensor(b)), [a, b], target)


# ---- numbers --------------------------------------------------------------------------------------------------------
def test_kernels_take_numbers_as_python_has_them() -> None:
    def run(x: Any, a: float, n: int) -> Any:
        return x * a + n, x.double() * a, x.long() + n

    compiled = ml.compile(run, backend="llvm")
    x = ml.tensor(normal(40))
    for a, n in [(2.5, 3), (-0.25, 3), (1e30, 3), (2.0, -7)]:
        for got, want in zip(compiled(x, a, n), run(x, a, n), strict=True):
            assert got.dtype == want.dtype
            np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-6)


def test_a_number_that_is_too_large_is_an_error_and_no_more() -> None:
    graph = Graph("f")
    x, a = (graph.placeholder(n, Facts(s, np.dtype("float32"), number=not s)) for n, s in (("x", (5,)), ("a", ())))
    graph.output([graph.call(OPS["mul"], (x, a), {}, x.facts)])
    kernels = compile_llvm(graph)
    with pytest.raises(OverflowError):
        kernels(np.ones(5, "float32"), 10**400)
    np.testing.assert_array_equal(kernels(np.ones(5, "float32"), 3.0)[0], np.full(5, 3.0, "float32"))
