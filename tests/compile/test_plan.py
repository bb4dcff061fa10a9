"""The memory plan: beside brute force, held to its bound, on random lives and on whole training steps; as text."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitorch_lab as ml
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.memory.buffers import homes
from minitorch_lab.compiler.memory.plan import Life, Plan, best_of_orders, placed, planned, timeline
from minitorch_lab.compiler.passes.soon import soon
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.errors import PlanError
from minitorch_lab.lessons.training_step import training_step
from tests.compile.test_aot import made
from tests.compile.test_numpy_backend import pure

LIVES = st.lists(
    st.builds(
        lambda nbytes, first, length: Life(nbytes, first, first + length),
        st.integers(1, 300), st.integers(0, 12), st.integers(0, 6),
    ),
    max_size=14,
)  # fmt: skip


# ---- random lives -----------------------------------------------------------------------------------------------
@given(LIVES, st.sampled_from([1, 16, 64]))
@settings(deadline=None, max_examples=300)
def test_no_byte_has_two_owners_at_any_step(lives: list[Life], alignment: int) -> None:
    plan = planned(lives, alignment=alignment)
    for step in range(20):
        owner = np.full(plan.size, -1)
        for i, (at, life) in enumerate(zip(plan.offsets, lives, strict=True)):
            if life.first <= step <= life.last:
                assert at % alignment == 0
                assert (owner[at : at + life.nbytes] == -1).all()
                owner[at : at + life.nbytes] = i
    assert plan.bound <= plan.size <= plan.unshared


def least(lives: list[Life]) -> int:
    """The smallest arena there is: some order of placing each as low as it goes gives it."""
    return min((lowest(lives, order) for order in permutations(range(len(lives)))), default=0)


def lowest(lives: list[Life], order: tuple[int, ...]) -> int:
    at: dict[int, int] = {}
    for i in order:
        spot = 0
        for j in sorted((j for j in at if lives[i].meets(lives[j])), key=lambda j: at[j]):
            if at[j] < spot + lives[i].nbytes:
                spot = max(spot, at[j] + lives[j].nbytes)
        at[i] = spot
    return max((at[i] + lives[i].nbytes for i in at), default=0)


def test_small_plans_beside_the_best_there_is() -> None:
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(300):
        starts, sizes = rng.integers(0, 5, 6), rng.integers(1, 6, 6)
        lives = [Life(int(n), int(a), int(a + rng.integers(0, 4))) for n, a in zip(sizes, starts, strict=True)]
        best, ours = least(lives), planned(lives, alignment=1).size
        assert max(timeline(lives)) <= best <= ours
        ratios.append(ours / best)
    assert sum(r == 1 for r in ratios) >= 0.97 * len(ratios)
    assert max(ratios) < 1.2


def test_no_order_alone_is_enough() -> None:
    lives = [Life(1, 0, 0), Life(2, 0, 1), Life(1, 1, 2), Life(2, 2, 2)]
    found = {key: planned(lives, lambda xs, k=key: placed(xs, k), 1).size for key in permutations(range(4))}
    assert min(found.values()) == planned(lives, best_of_orders, 1).size == 3
    assert max(found.values()) > 3


@pytest.mark.parametrize(
    ("offsets", "text"),
    [
        (
            (0, 0, 0),
            "a → b lies at bytes 0–64 and c at 0–128.\n"
            "  Both are needed from step 2 to step 2, so writing one spoils the other.\n"
            "  Did you mean to put c at byte 64?",
        ),
        ((0, 100, 64), "c lies at byte 100.\n  Offsets are multiples of 64, from 0 up.\n  Did you mean 128?"),
        ((0, -64, 64), "c lies at byte -64.\n  Offsets are multiples of 64, from 0 up.\n  Did you mean 0?"),
        (
            (0, 64),
            "A plan of 2 offsets for 3 lives.\n  Every life needs one place, for as long as it lasts.\n"
            "  Did you mean to give one offset for each life, in the order of the lives?",
        ),
    ],
)
def test_a_planner_that_spoils_values_is_refused(offsets: tuple[int, ...], text: str) -> None:
    lives = [Life(60, 0, 2, ("a", "b")), Life(128, 2, 3, ("c",)), Life(4, 4, 4, ("d",))]
    with pytest.raises(PlanError) as caught:
        planned(lives, lambda lives: offsets)
    assert str(caught.value) == text


# ---- graphs ---------------------------------------------------------------------------------------------------------
def test_a_plan_as_text() -> None:
    def f(a: Any, b: Any) -> Any:
        c = a * b
        d = (c + 1).tanh()
        return d @ (d.T - c)

    plan = compile_numpy(pure(f, ml.ones(4, 4), ml.ones(4, 4))).plan
    assert (
        str(plan)
        == """\
arena: 128 bytes, 1.00 × the 128 alive at add; 128 without sharing
offset  bytes  steps  values
     0     64    2–7  mul → sub
    64     64    3–7  add → tanh"""
    )


def test_nothing_to_plan() -> None:
    plan = compile_numpy(pure(lambda a: a.exp(), ml.ones(4))).plan
    assert (str(plan), plan.size, plan.bound) == ("arena: 0 bytes, nothing is kept", 0, 0)
    assert planned([]) == Plan((), (), (), 64)


@pytest.mark.parametrize("seed", range(20))
def test_no_value_is_read_after_its_memory_was_given_away(seed: int) -> None:
    graph = made(seed, 40).graph
    found = homes(graph)
    plan = planned(found.lives)
    owner: dict[int, Any] = {}
    for node in graph.nodes:
        for feed in node.feeds:
            if feed in found.home:
                at = plan.offsets[found.home[feed]]
                assert all(owner[k] is feed for k in range(at, at + feed.nbytes))
        if node in found.home:
            at = plan.offsets[found.home[node]]
            owner |= dict.fromkeys(range(at, at + node.nbytes), node)


# ---- a whole step ---------------------------------------------------------------------------------------------------
def step_plan(keep: Any = None) -> Plan:
    graph = training_step(20, 1024, 1024, keep)
    donate = [p.name for p in graph.placeholders[2:]]
    return planned(homes(graph, donate=donate).lives, steps=[n.name for n in graph.nodes])


def test_the_arena_of_the_twenty_layer_mlp() -> None:
    kept, again = step_plan(), step_plan(keep=(6, 11, 15, 18))
    assert kept.size <= 1.01 * kept.bound
    assert again.size <= 1.01 * again.bound
    assert again.size <= 0.45 * kept.size
    assert [round(p.size / 2**22, 2) for p in (kept, again)] == [22.0, 8.0]  # in activations of 4 MiB


def test_the_step_with_and_without_recomputation_gives_the_same_weights() -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(8, 8)), np.eye(10)[rng.integers(0, 10, 8)]]
    arrays += [rng.normal(size=(8, 8)) for _ in range(6)] + [rng.normal(size=(8, 10))]
    found = []
    for keep in (None, (3, 5)):
        graph = training_step(6, 8, 8, keep)
        given = [a.astype("float32") for a in arrays]
        donate = [p.name for p in graph.placeholders[2:]]
        results = compile_numpy(graph, donate=donate)(*given)
        assert all(a is b for a, b in zip(results, given[2:], strict=True))
        found.append(results)
        wide = evaluate(graph, [ml.tensor(a, dtype=ml.float64) for a in arrays])
        for a, b in zip(results, wide, strict=True):
            np.testing.assert_allclose(a, b.numpy(), rtol=2e-4, atol=2e-5)
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)


def test_updates_run_as_soon_as_their_gradient_is_there() -> None:
    def f(x: Any) -> Any:
        values = x.exp(), x.sin(), x.cos()
        return [value.sum() for value in values]

    graph = pure(f, ml.ones(20, 20))
    assert names(graph) == ["exp", "sin", "cos", "sum", "sum_1", "sum_2"]
    assert names(soon(graph)) == ["exp", "sum", "sin", "sum_1", "cos", "sum_2"]
    assert names(soon(soon(graph))) == names(soon(graph))


def test_what_would_not_help_stays_where_it_is() -> None:
    graph = pure(lambda x: (x.exp().sum(), x.sum(1).sum()), ml.ones(4, 4))
    assert names(soon(graph)) == names(graph)


def names(graph: Graph) -> list[str]:
    return [n.name for n in graph.nodes if n.kind == "call"]


# ---- the figures of row A17 -----------------------------------------------------------------------------------------
LAYERS, ACTIVATION, KEPT = 100, 67.1e6, 10e9  # 10 GB of weights and optimizer state; gradients grow to 2 GB


def tax(segment: int) -> list[float]:
    """GB alive after every layer, forward and back. Segments are computed again from their first value; of one layer,
    nothing is."""
    back = 2 * LAYERS - 1
    lives = [Life(int(KEPT), 0, back)]
    lives += [Life(int(2e9 / LAYERS), LAYERS + i, back) for i in range(LAYERS)]
    for i in range(LAYERS):
        if i % segment == 0:
            lives.append(Life(int(ACTIVATION), i, back - i - 1))
    if segment > 1:
        for start in range(0, LAYERS, segment):
            turn = back - (start + segment - 1)  # the walk enters the segment, and makes its other values again
            lives += [Life(int(ACTIVATION), turn, back - start - k) for k in range(1, segment)]
    return [live / 1e9 for live in timeline(lives)]


def test_row_A17_the_tax_of_a_hundred_layers() -> None:
    live = tax(1)
    assert round(max(live), 2) == 16.71
    assert live.index(max(live)) in (LAYERS - 1, LAYERS)
    after = [live[LAYERS - 1 + n] for n in (25, 50, 75, 100)]
    assert [round(x, 2) for x in after] == [15.53, 14.36, 13.18, 12.0]


def test_row_A17_with_ten_checkpoints_the_peak_is_late() -> None:
    live = tax(10)
    assert max(live) - KEPT / 1e9 - 1.82 <= 20 * ACTIVATION / 1e9 < 1.345
    assert round(max(live), 1) == 12.5
    assert live.index(max(live)) >= LAYERS + 85


def test_row_A17_the_plan_meets_its_bound_where_lives_are_nested_like_a_walk() -> None:
    lives = [Life(67, i, 199 - i) for i in range(100)] + [Life(20, 100 + i, 199) for i in range(100)]
    assert planned(lives, alignment=1).size == max(timeline(lives))
