"""Pools as kernels: what runs along a window is written out; beside the ops one by one, ties and NaN included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.passes.decompose import decompose
from minitorch_lab.compiler.schedule.program import scheduled
from tests.compile.test_llvm_backend import normal, pure, same, skip_unless_runnable

F = ml.nn.functional
POOLS = {
    "max 2": lambda x: F.max_pool2d(x, 2),
    "max 3 by 2, framed": lambda x: F.max_pool2d(x, 3, 2, 1),
    "max 2 by 3": lambda x: F.max_pool2d(x, (2, 3)),
    "max, apart": lambda x: F.max_pool2d(x, 2, 3),
    "max, dilated": lambda x: F.max_pool2d(x, 2, 1, 0, 2),
    "mean 2": lambda x: F.avg_pool2d(x, 2),
    "mean 3 by 1": lambda x: F.avg_pool2d(x, 3, 1),
    "mean 4 by 5": lambda x: F.avg_pool2d(x, (4, 5)),
    "max of one axis": lambda x: F.max_pool1d(x[0], 3),
}


def left_to_numpy(graph: Any) -> list[str]:
    return [s.node.op.name for s in scheduled(decompose(graph)).steps if s.node is not None and s.node.op is not None]


@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
@pytest.mark.parametrize("name", POOLS)
def test_pools_and_their_gradients(name: str, target: str) -> None:
    skip_unless_runnable(target)
    for shape in ((2, 3, 12, 30), (1, 2, 7, 17), (2, 1, 8, 8)):
        x = normal(*shape)
        x[0, 0, :4, :4] = 1.0  # ties
        x[-1, -1, 2, 3], x[0, 0, 5, 5], x[0, -1, 6, 6] = np.nan, np.inf, -np.inf
        with np.errstate(all="ignore"):
            graph = pure(POOLS[name], ml.tensor(x))
            assert left_to_numpy(graph) == []
            both = joint(graph, (0,)).graph
            same(both, [x, normal(*both.placeholders[1].shape)], target)


def test_windows_that_do_not_overlap_need_nothing_of_numpy() -> None:
    for name in ("max 2", "mean 2", "max 2 by 3"):
        both = joint(pure(POOLS[name], ml.ones(2, 3, 13, 31)), (0,)).graph
        assert left_to_numpy(both) == []


@pytest.mark.parametrize("n", [1, 2, 5, 16, 17])
def test_places_in_rows_of_any_length(n: int) -> None:
    x = normal(6, n, 3)
    x[1, -1], x[2, 0], x[3, n // 2, 1], x[4] = np.nan, np.inf, -np.inf, 0.5
    x[5, :, 0] = np.nan
    for dim in (1, 2, 0):
        with np.errstate(all="ignore"):
            same(pure(lambda x, dim=dim: (x.argmax(dim), x.argmin(dim, keepdim=True)), ml.tensor(x)), [x])
    whole = np.nan_to_num(x).clip(-3, 3).astype("int64")
    same(pure(lambda x: (x.argmax(1), x.argmin(1)), ml.tensor(whole)), [whole])
    same(pure(lambda x: x.argmax(), ml.tensor(x)), [x])


@pytest.mark.parametrize("n", [1, 4, 16, 17])
def test_what_is_laid_into_short_rows(n: int) -> None:
    g, index = normal(5, 1, 3), np.random.default_rng(0).integers(0, n, (5, 1, 3))

    def f(x: Any, index: Any) -> Any:
        return x.gather(1, index)

    graph = joint(pure(f, ml.tensor(normal(5, n, 3)), ml.tensor(index)), (0,)).graph
    same(graph, [normal(5, n, 3), index, g][-len(graph.placeholders) :])
