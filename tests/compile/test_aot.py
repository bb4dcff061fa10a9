"""Forward and backward ahead of time: joint graphs as text, their values, and where they are cut in two."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import Joint, joint
from minitorch_lab.compiler.autodiff.partition import (
    Partition,
    behind,
    cheap,
    default_partition,
    from_tangents,
    min_cut_partition,
)
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Node
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.core.array import is_float


def joint_of(fn: Any, *examples: Any, wanted: Any = None) -> Joint:
    return joint(functionalise(ml.jit.trace(fn, *examples).graph).graph, wanted)


def mlp(x: Any, w1: Any, b1: Any, w2: Any) -> Any:
    return ((x @ w1 + b1).relu() @ w2).log_softmax(1)


SIZES = ((4, 3), (3, 5), (5,), (5, 2))


# ---- the figures of the text ----------------------------------------------------------------------------------------


def test_row_a8_joint_forward_and_backward_of_a_scaling() -> None:
    both = joint_of(lambda a: 0.1 * a, ml.randn(1))
    assert str(both.graph) == (
        "joint(primals_1: f32[1], tangents_1: f32[1]):\n"
        "    mul: f32[1] = mul(0.1, primals_1)\n"
        "    mul_1: f32[1] = mul(tangents_1, 0.1)\n"
        "    return [mul, mul_1]"
    )
    parts = min_cut_partition(both)
    assert str(parts.forward) == (
        "forward(primals_1: f32[1]):\n    mul: f32[1] = mul(0.1, primals_1)\n    return [mul]"
    )
    assert str(parts.backward) == (
        "backward(tangents_1: f32[1]):\n    mul_1: f32[1] = mul(tangents_1, 0.1)\n    return [mul_1]"
    )
    assert parts.saved == []


def test_row_a8_truth_values_and_empty_branches_have_no_backward() -> None:
    compared = joint_of(lambda a: a > 0, ml.randn(1))
    assert compared.tangents == []
    passed = joint_of(lambda a: a, ml.randn(1))
    assert str(passed.graph).endswith("return [primals_1, tangents_1]")
    assert min_cut_partition(passed).saved == []


# ---- values ---------------------------------------------------------------------------------------------------------


def run(parts: Partition, primals: list[Any], tangents: list[Any]) -> tuple[list[Any], list[Any]]:
    given = evaluate(parts.forward, primals)
    count = len(given) - len(parts.saved)
    return given[:count], evaluate(parts.backward, [*given[count:], *tangents])


@pytest.mark.parametrize("budget", [0.0, 0.3, 0.7, 1.0])
def test_an_mlp_ahead_of_time_gives_what_backward_gives(budget: float) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=s).astype("float32") for s in SIZES]
    parts = min_cut_partition(joint_of(mlp, *map(ml.tensor, arrays)), budget)
    leaves = [ml.tensor(a, requires_grad=True) for a in arrays]
    out = mlp(*leaves)
    g = ml.tensor(rng.normal(size=out.shape).astype("float32"))
    out.backward(g)
    (value,), grads = run(parts, [ml.tensor(a) for a in arrays], [g])
    np.testing.assert_array_equal(value.numpy(), out.detach().numpy())
    for leaf, grad in zip(leaves, grads, strict=True):
        np.testing.assert_array_equal(grad.numpy(), leaf.grad.numpy())


def test_what_is_written_to_an_argument_is_a_result_with_a_tangent() -> None:
    def f(x: Any) -> Any:
        y = x * 2.0
        x.mul_(3.0)
        return y * y

    pure = functionalise(ml.jit.trace(f, ml.ones(2)).graph)
    assert pure.writes == [(0, True, 1)]
    both = joint(pure.graph)
    assert len(both.tangents) == 2
    (_, written), (grad,) = run(default_partition(both), [ml.tensor([1.0, 2.0])], [ml.ones(2), ml.full((2,), 10.0)])
    assert written.tolist() == [3.0, 6.0]
    assert grad.tolist() == [8.0 + 30.0, 16.0 + 30.0]


def test_only_wanted_primals_get_gradients() -> None:
    both = joint_of(mlp, *(ml.randn(*s) for s in SIZES), wanted=(1, 3))
    assert [g.shape for g in both.gradients] == [(3, 5), (5, 2)]


def test_detach_no_grad_and_integers_stop_tangents() -> None:
    def f(x: Any) -> Any:
        with ml.no_grad():
            y = x * 3.0
        return x.detach() * 2.0, y, x.argmax(), x * 5.0

    both = joint_of(f, ml.randn(3))
    assert len(both.tangents) == 1
    _, (grad,) = run(default_partition(both), [ml.randn(3)], [ml.ones(3)])
    assert grad.tolist() == [5.0, 5.0, 5.0]


# ---- where it is cut ------------------------------------------------------------------------------------------------


def program(seed: int, length: int) -> Any:
    """A random function of two vectors, made of `length` ops, some of which make their result smaller."""

    def f(a: Any, b: Any) -> Any:
        r, pool = random.Random(seed), [a, b]
        for _ in range(length):
            x, y = r.choice(pool), r.choice(pool)
            kind = r.randrange(7)
            if kind == 0 and x.shape == y.shape:
                pool.append(x * y)
            elif kind == 1:
                pool.append(x.sin())
            elif kind == 2:
                pool.append(x.sigmoid())
            elif kind == 3 and x.shape:
                pool.append(x.sum())
            elif kind == 4 and x.shape == y.shape == (8,):
                pool.append((x.reshape(2, 4) @ y.reshape(4, 2)).reshape(4).tanh())
            elif kind == 5:
                pool.append(x.tanh() + x)
            else:
                pool.append(x * 2.0)
        return pool[-1].sum()

    return f


def made(seed: int, length: int) -> Joint:
    return joint_of(program(seed, length), ml.randn(8), ml.randn(8))


@pytest.mark.family(4)
@pytest.mark.parametrize("seed", range(20))
def test_min_cut_saves_no_more_than_the_default(seed: int) -> None:
    both = made(seed, 30)
    default, least = default_partition(both), min_cut_partition(both)
    verify(least.forward)
    verify(least.backward)
    assert least.nbytes <= default.nbytes
    sizes = {b: min_cut_partition(both, b).nbytes for b in (0.0, 0.25, 0.5, 0.75, 1.0)}
    assert list(sizes.values()) == sorted(sizes.values())
    assert all(size <= max(b * default.nbytes, least.nbytes) for b, size in sizes.items())
    given = [ml.randn(8), ml.randn(8)]
    for (a, grads), (b, others) in [(run(default, given, [ml.tensor(1.0)]), run(least, given, [ml.tensor(1.0)]))]:
        assert a[0].item() == b[0].item()
        for x, y in zip(grads, others, strict=True):
            np.testing.assert_array_equal(x.numpy(), y.numpy())


def fewest_bytes(both: Joint) -> int:
    """The least that can be saved, found by trying every set of values."""
    tangent = from_tangents(both)
    values = [n for n in both.graph.nodes if n not in tangent and n.kind != "output"]
    needed = {f for n in tangent for f in n.feeds if f not in tangent} | {g for g in both.gradients if g not in tangent}
    best = None
    for count in range(len(values) + 1):
        for some in combinations(values, count):
            size = sum(n.nbytes for n in some)
            if (best is None or size < best) and enough(set(some), needed):
                best = size
    assert best is not None
    return best


def enough(saved: set[Node], needed: set[Node]) -> bool:
    """Whether everything needed can be computed from what is saved, by cheap ops alone."""
    again = behind(needed, lambda n: n in saved)
    return all(n.kind == "call" and cheap(n) for n in again)


def test_min_cut_equals_brute_force() -> None:
    checked = 0
    for seed in range(60):
        both = made(seed, 5)
        tangent = from_tangents(both)
        if sum(n not in tangent and n.kind != "output" for n in both.graph.nodes) <= 12:
            assert min_cut_partition(both).nbytes == fewest_bytes(both), f"seed {seed}"
            checked += 1
    assert checked >= 20


def test_cheap_values_are_computed_again_and_matmuls_are_not() -> None:
    both = joint_of(lambda x, w: ((x @ w).sin().exp().tanh() ** 2).sum(), ml.randn(8, 8), ml.randn(8, 8))
    parts = min_cut_partition(both)
    assert "matmul" in [n.name for n in parts.saved]
    assert {"sin", "exp"} <= {n.name for n in parts.recomputed}
    assert all(is_float(n.dtype) for n in parts.saved)


def test_what_is_computed_again_is_computed_as_late_as_may_be() -> None:
    both = joint_of(lambda x, w: ((x @ w).sin().exp() @ w).cos().exp(), ml.randn(4, 4), ml.randn(4, 4))
    parts = min_cut_partition(both)
    assert [n.name for n in parts.recomputed] == ["sin", "exp", "cos", "exp_1"]
    assert [n.name for n in parts.backward.calls] == [
        "cos", "exp_1", "mul", "sin_1", "neg", "mul_1",  # the last cos and exp
        "permute", "matmul_2",
        "sin", "exp", "permute_1", "matmul_3",  # not before the second matmul asks for them
        "mul_2", "cos_1", "mul_3", "permute_2", "matmul_4", "permute_3", "matmul_5", "add",
    ]  # fmt: skip


def test_an_idea_of_ones_own_of_what_is_cheap() -> None:
    both = joint_of(lambda x, w: (x @ w).sin().exp(), ml.randn(8, 4), ml.randn(4, 8))
    nothing, everything = (min_cut_partition(both, 0.0, lambda n, may=may: may) for may in (False, True))
    assert nothing.recomputed == []
    assert everything.saved == both.primals
    assert [n.name for n in everything.recomputed] == ["matmul", "sin", "exp"]
