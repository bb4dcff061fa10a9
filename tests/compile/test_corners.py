"""The budgets at which the cut changes are all of them: between two corners the partitioner gives the lower one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import Joint, joint
from minitorch_lab.compiler.autodiff.corners import cuts, entries
from minitorch_lab.compiler.autodiff.partition import default_partition, min_cut_partition
from minitorch_lab.compiler.passes.functionalise import functionalise


def gelu(x: ml.Tensor) -> ml.Tensor:
    return 0.5 * x * (1 + (0.7979 * (x + 0.0447 * x**3)).tanh())


def block(x: ml.Tensor, w: ml.Tensor) -> ml.Tensor:
    z = x + gelu(x @ w) @ w.T
    z = z - z.mean(1, keepdim=True)
    return z / ((z * z).mean(1, keepdim=True) + 1e-5).sqrt()


FUNCTIONS: list[Callable[[ml.Tensor, ml.Tensor], ml.Tensor]] = [
    block,
    lambda x, w: (x @ w).sin().exp().tanh(),
    lambda x, w: ((x @ w) * (x @ w).sigmoid()).sum(1).exp(),
    lambda x, w: gelu(gelu(x @ w).sum(1)),
    lambda x, w: (x @ w).relu(),
]


def joint_of(f: Callable[[ml.Tensor, ml.Tensor], ml.Tensor]) -> Joint:
    """The joint graph by both arguments."""
    return joint(functionalise(ml.jit.trace(f, ml.zeros(32, 8), ml.zeros(8, 16)).graph).graph)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_every_budget_gives_one_of_the_cuts(f: Callable[[ml.Tensor, ml.Tensor], ml.Tensor]) -> None:
    both = joint_of(f)
    found = cuts(both)
    default, sizes = default_partition(both).nbytes, [parts.nbytes for _, parts in found]
    for k in range(20):
        budget = k / 20
        parts = min_cut_partition(both, budget)
        allowed = [n for n in sizes[1:] if n <= budget * default] or sizes[-1:]
        assert parts.nbytes == max(allowed), f"budget {budget}"


@pytest.mark.parametrize("f", FUNCTIONS)
def test_less_is_kept_the_more_is_computed_again(f: Callable[[ml.Tensor, ml.Tensor], ml.Tensor]) -> None:
    found = cuts(joint_of(f))
    for (budget, one), (smaller, two) in pairwise(found):
        assert budget > smaller
        assert one.nbytes > two.nbytes
        # What the rules read may be larger than what is made of it for them, a mask of bytes: no work again.
        assert entries(one) < entries(two) or (budget == 1.0 and entries(one) == entries(two))


def test_the_first_keeps_everything_and_the_last_the_least() -> None:
    both = joint_of(FUNCTIONS[1])
    found = cuts(both)
    assert found[0][0] == 1.0
    assert found[0][1].recomputed == []
    assert found[-1][1].nbytes == min_cut_partition(both).nbytes
    assert [n.name for n in found[-1][1].saved] == ["primals_1", "primals_2", "matmul"]
