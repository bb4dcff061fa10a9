"""Results written over arguments that the caller gives up: when that is done, when not, and what comes out."""

from __future__ import annotations

from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from minitorch_lab.func.trees import flatten
from tests.compile.test_llvm_backend import close


def run(fn: Any, *shapes: tuple[int, ...], donate: str = "p", transposed: bool = False) -> Any:
    """The kernels, after their results were compared with those of the ops, and their sources with what they hold."""
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in shapes]
    graph = ml.jit.trace(fn, *map(ml.tensor, arrays)).graph
    want = [x.numpy().copy() for x in flatten(evaluate(graph, [ml.tensor(a.copy()) for a in arrays]))[0]]
    kernels = compile_llvm(graph, donate=donate)
    given = [a.T.copy().T if transposed else a.copy() for a in arrays]
    for a, b in zip(kernels(*given), want, strict=True):
        close(a, b)
    over = kernels.program.inplace
    results = [n.name for n in kernels.program.returned]
    for i, p in enumerate(graph.placeholders):
        lies = next((w for r, w in zip(results, want, strict=True) if over.get(r) == p.name), arrays[i])
        close(given[i], lies)
    return over


def test_an_update_lies_over_its_parameter() -> None:
    assert run(lambda p, g: p - 0.1 * g, (33, 40), (33, 40)) == {"sub": "p"}
    assert run(lambda p, g: p - 0.1 * g, (33, 40), (33, 40), donate="") == {}


def test_an_argument_that_lies_otherwise_gets_its_result_too() -> None:
    assert run(lambda p, g: p - 0.1 * g, (33, 40), (33, 40), transposed=True) == {"sub": "p"}


def test_an_argument_that_nobody_reads_takes_a_result() -> None:
    assert run(lambda p, g: g * 2, (33, 40), (33, 40)) == {"mul": "p"}


def test_the_update_is_the_epilogue_of_the_gradient() -> None:
    assert run(lambda p, x, g: p - 0.1 * (x.T @ g), (60, 40), (20, 60), (20, 40)) == {"sub": "p"}


def test_a_reader_of_the_old_value_comes_first() -> None:
    assert run(lambda p, g: (p - 0.1 * g, p.T * 2.0), (33, 33), (33, 33)) == {"sub": "p"}
    assert run(lambda p, g: (p - 0.1 * g, p.sin()), (33, 33), (33, 33)) == {"sub": "p"}


def test_a_later_pass_needs_the_old_row() -> None:
    def f(p: Any) -> Any:
        y = p * 2.0
        return y, p * y.sum(1, keepdim=True)

    assert "mul" not in run(f, (5, 200))


def test_the_update_reads_another_entry() -> None:
    assert run(lambda p: p + p.T, (33, 33)) == {}


def test_who_needs_the_new_value_and_the_old_one() -> None:
    def f(p: Any, g: Any) -> Any:
        new = p - 0.1 * g
        return new, new.T @ p

    assert run(f, (33, 33), (33, 33)) == {}


def test_two_updates_that_need_each_others_old_value() -> None:
    def f(p: Any, q: Any) -> Any:
        return p + q.T, q + p.T

    assert len(run(f, (33, 33), (33, 33), donate="pq")) <= 1


def test_an_argument_that_is_returned_stays() -> None:
    assert run(lambda p: (p * 2.0, p[0]), (4, 4)) == {}


def test_two_results_do_not_lie_over_one_argument() -> None:
    assert len(run(lambda p: (p * 2.0, p * 3.0), (4, 4))) == 1
