"""Random programs with several results and random walks from them, compiled and eager."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from tests.compile.fuzz_walks import agree

ONCE_DIFFERED = [32, 60, 81, 353]  # freed graphs, walks that are recorded, a reshape that copies


@pytest.mark.parametrize("seed", [*range(40), *ONCE_DIFFERED])
def test_walks_from_random_results_are_those_of_eager(seed: int) -> None:
    assert agree(seed, "numpy")


@pytest.mark.parametrize("seed", range(1000, 1020))
def test_walks_through_fused_kernels_are_those_of_eager(seed: int) -> None:
    assert agree(seed, "llvm")


def test_results_that_show_a_copy_share_it() -> None:
    def f(x: Any) -> Any:
        y = x.T.reshape(2, 3)  # a copy: these entries do not lie at even steps
        return y.view(-1), y, y.detach()[0]

    compiled = ml.compile(f)
    for _ in range(3):
        first, second, third = compiled(ml.ones(2, 3))
        assert np.shares_memory(first.numpy(), second.numpy())
        third.zero_()
        assert first.tolist() == [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
