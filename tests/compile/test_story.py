"""How a schedule comes about: each decision with what it saves, counted over whole programs."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.loops.show import listing
from minitorch_lab.compiler.schedule.program import scheduled
from minitorch_lab.compiler.schedule.story import Story, story
from minitorch_lab.compiler.schedule.traffic import after, before

F = ml.nn.functional


def told(fn: Any, *shapes: Any) -> Story:
    return story(ml.jit.trace(fn, *(ml.randn(*s) if isinstance(s, tuple) else s for s in shapes)).graph)


PROGRAMS: dict[str, tuple[Any, ...]] = {
    "three ops": (lambda a, b, c, d: d + (a + b) * c, *[(1000,)] * 4),
    "softmax": (lambda x: x.softmax(1), (32, 100)),
    "layer norm": (lambda x, w: F.layer_norm(x, (64,), w), (8, 64), (64,)),
    "cross entropy": (ml.cross_entropy, (8, 10), ml.zeros(8, dtype=ml.int64)),
    "two products": (lambda x, w, b, v: (x @ w + b).relu() @ v, (32, 20), (20, 16), (16,), (16, 10)),
    "rows of a product": (lambda x, w: (x @ w).softmax(1), (8, 10), (10, 16)),
    "left to NumPy": (lambda x: (x * 2).cumsum(0) + 1, (8, 10)),
    "two results": (lambda x: (x * 2, x * 2 + 1), (8, 10)),
    "a loss": (lambda x: ((x - 1) ** 2).mean(), (8, 10)),
    "a convolution": (lambda x, w: F.conv2d(x, w).relu(), (2, 3, 8, 20), (4, 3, 3, 3)),
    "computed again": (lambda x: x.relu() + x.relu().T, (8, 8)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_last_stage_is_the_schedule(name: str) -> None:
    found = told(*PROGRAMS[name])
    assert str(found.program) == str(scheduled(found.graph)), "watching changes nothing"
    end, last = after(found.program), found.stages[-1]
    assert (end.launches, end.nbytes) == (len(last.launches), last.nbytes)


@pytest.mark.parametrize("name", ["three ops", "softmax", "layer norm", "cross entropy", "two products"])
def test_the_first_stage_is_op_by_op(name: str) -> None:
    found = told(*PROGRAMS[name])
    start, first = before(found.graph), found.stages[0]
    assert (start.launches, start.nbytes) == (len(first.launches), first.nbytes)
    assert start.flops == sum(launch.flops for launch in first.launches)


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_decision_moves_more_and_a_refusal_changes_nothing(name: str) -> None:
    stages = told(*PROGRAMS[name]).stages
    for one, other in pairwise(stages):
        assert other.nbytes <= one.nbytes, other.decision
        assert other.decision is not None
        if not other.decision.joined:
            assert other.launches == one.launches


def test_what_the_reasons_say_adds_up() -> None:
    found = told(*PROGRAMS["softmax"])
    claims = [r.rpartition("registers, ")[2].rpartition("same, ")[2] for r in found.program.kernels[0].reasons[:4]]
    saved = [prod(map(int, claim.partition(" bytes")[0].split(" × "))) for claim in claims]
    assert sum(saved) == found.stages[0].nbytes - found.stages[-1].nbytes == 102_912 - 25_600
    assert saved == [a.nbytes - b.nbytes for a, b in pairwise(found.stages)]


def test_a_value_that_is_needed_all_the_same_is_written() -> None:
    kernel = told(*PROGRAMS["two results"]).program.kernels[0]
    assert (
        kernel.reasons[0] == "pointwise into its consumer: mul f32[8, 10] → add is written all the same, 320 bytes less"
    )


def test_why_products_stay_apart() -> None:
    refused = [s.decision for s in told(*PROGRAMS["two products"]).stages if s.decision and not s.decision.joined]
    assert [(d.of, d.by, d.why) for d in refused] == [
        ("relu", "matmul_1", "an entry of the second needs a whole row of the first, or a whole column")
    ]
    refused = [s.decision for s in told(*PROGRAMS["rows of a product"]).stages if s.decision and not s.decision.joined]
    assert refused[0].why == "it needs whole rows, and a tile holds only parts of them"


def test_what_is_cheap_is_computed_again() -> None:
    again = [s.decision for s in told(*PROGRAMS["computed again"]).stages if s.decision and s.decision.kind != "fuse"]
    assert [(d.kind, d.of) for d in again] == [("recompute", "relu")]


# ---- the lines of each op -------------------------------------------------------------------------------------------
def test_a_line_for_every_op() -> None:
    found = told(*PROGRAMS["two products"])
    assert [(line.text, line.node and line.node.name) for line in found.stages[-1].launches[0].lines] == [
        ("tile m in 32, n in 16:", None),
        ("  matmul += x[k + 20*m] * w[16*k + n] for k in 20", "matmul"),
        ("  add = matmul + b[n]", "add"),
        ("  relu_t[16*m + n] = relu(add)", "relu"),
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_op_that_is_computed_has_a_line(name: str) -> None:
    for kernel in told(*PROGRAMS[name]).program.kernels:
        named = {line.node.name for line in listing(kernel) if line.node is not None}
        stored = {s.buffer.removesuffix("_t") for s in kernel.stores()} - {"row0"}
        assert stored <= named


def test_a_row_that_is_kept_is_seen_in_the_lines() -> None:
    lines = [line.text.strip() for line in listing(told(*PROGRAMS["softmax"]).program.kernels[0])]
    assert lines[2:] == [
        "amax = max(amax, x[100*i0 + j])",
        "for j in 100:",
        "sub = x[100*i0 + j] - amax",
        "exp = exp(sub)",
        "sum += exp",
        "row0[j] = exp",
        "for j in 100:",
        "div[100*i0 + j] = row0[j] / sum",
    ]
