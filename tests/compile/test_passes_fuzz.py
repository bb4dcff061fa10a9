"""Every pass, and all of them, on random programs: the same values, the same sharing of memory, the same gradients."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.autodiff.partition import min_cut_partition
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.passes.pipeline import PASSES, optimize, optimize_joint
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.func.trees import flatten
from tests.compile.programs import (
    ENTRYWISE,
    MOVING,
    SUMMING,
    N,
    drawn,
    program,
    square_of,
    unrecorded,
)
from tests.compile.programs import written as written_to

SHAPES = ((N, N), (N, N), (N,))
BITWISE = {"dce", "cse", "fold", "freeze", "layout"}
CHUNK = 25
BY_NUMBER = [lambda r, x, y: x.gather(-1, x.argsort(-1)[..., :1]) if x.shape else x]


def arrays(seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [rng.normal(size=s).astype("float64" if seed % 2 else "float32") for s in SHAPES]


def tensors(seed: int, outside: Sequence[Any] = ()) -> list[Any]:
    """The arguments, and copies of what the program reads from outside."""
    return [*map(ml.tensor, arrays(seed)), *(x.detach().clone() for x in outside)]


def recorded(seed: int, steps: Any) -> Graph:
    ml.manual_seed(seed)
    return ml.jit.trace(program(seed, steps), *map(ml.tensor, arrays(seed))).graph


def written(graph: Graph) -> str:
    """The graph as text, which shows where the global generator stands."""
    ml.manual_seed(0)
    return str(graph)


def run(graph: Graph, given: list[Any]) -> list[Any]:
    ml.manual_seed(0)
    with ml.no_grad():
        return [x for x in flatten(evaluate(graph, given))[0] if hasattr(x, "numpy")]


def shared(results: list[Any], given: list[Any]) -> set[tuple[int, int]]:
    """Which results and arguments lie in one memory."""
    values = [x.numpy() for x in (*results, *given)]
    return {
        (i, j)
        for i in range(len(values))
        for j in range(i)
        if values[i].size and values[j].size and np.shares_memory(values[i], values[j])
    }


def check(graph: Graph, new: Graph, seed: int, exact: bool, outside: Sequence[Any] = ()) -> None:
    """Both give the same values, and where nobody shared memory before, nobody does now."""
    verify(new)
    one, other = (tensors(seed, outside) for _ in range(2))
    want, got = run(graph, one), run(new, other)
    assert [(x.shape, x.dtype) for x in got] == [(x.shape, x.dtype) for x in want]
    for a, b in zip((*want, *one), (*got, *other), strict=True):
        close(a.numpy(), b.numpy(), exact)
    assert shared(got, other) <= shared(want, one)


def close(a: Any, b: Any, exact: bool) -> None:
    if exact:
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))
    else:
        tolerance = 1e-9 if a.dtype.itemsize == 8 else 2e-4
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("first", range(0, 300, CHUNK))
def test_a_pass_alone(name: str, first: int) -> None:
    for seed in range(first, first + CHUNK):
        graph = recorded(seed, ENTRYWISE + MOVING + SUMMING + BY_NUMBER)
        text = written(graph)
        check(graph, PASSES[name](graph), seed, exact=name in BITWISE)
        assert written(graph) == text, "the caller's graph is changed"


@pytest.mark.parametrize("first", range(0, 300, CHUNK))
def test_entry_by_entry_the_pipeline_keeps_every_bit(first: int) -> None:
    steps = [step for step in ENTRYWISE + MOVING if step is not square_of]
    for seed in range(first, first + CHUNK):
        graph = recorded(seed, steps)
        check(graph, optimize(graph), seed, exact=True)


@pytest.mark.parametrize("first", range(0, 300, CHUNK))
def test_all_of_them(first: int) -> None:
    for seed in range(first, first + CHUNK):
        graph = recorded(seed, ENTRYWISE + MOVING + SUMMING)
        check(graph, optimize(graph), seed, exact=False)
        check(graph, optimize(graph, PASSES), seed, exact=False)
        pure = functionalise(graph)
        check(pure.graph, optimize(pure.graph), seed, False, pure.outside)


@pytest.mark.parametrize("first", range(0, 300, CHUNK))
def test_gradients(first: int) -> None:
    """The joint graph after the passes, and that of a graph after the passes, against the plain one."""
    for seed in range(first, first + CHUNK):
        pure = functionalise(recorded(seed, ENTRYWISE + MOVING + SUMMING))
        both = joint(pure.graph)
        given = tensors(seed, pure.outside)
        given += [ml.ones(*t.shape, dtype=t.dtype) for t in both.tangents]
        want = run(both.graph, given)
        late = [optimize_joint(both), optimize_joint(both, ["decompose", "simplify", "cse", "dce"])]
        early = joint(optimize(pure.graph))
        assert len(early.tangents) == len(both.tangents)
        for other in (*late, early):
            verify(other.graph)
            got = run(other.graph, given)
            assert len(got) == len(want)
            assert len(other.gradients) == len(both.gradients)
            for a, b in zip(want, got, strict=True):
                close(a.numpy(), b.numpy(), exact=False)


@pytest.mark.parametrize("first", range(0, 100, CHUNK))
def test_a_better_joint_graph_can_be_cut_and_compiled(first: int) -> None:
    for seed in range(first, first + CHUNK):
        steps = [step for step in ENTRYWISE + SUMMING + MOVING if step not in (drawn, written_to, unrecorded)]
        pure = functionalise(recorded(seed, steps))
        both = joint(pure.graph)
        given = tensors(seed, pure.outside)
        tangents = [ml.ones(*t.shape, dtype=t.dtype) for t in both.tangents]
        want = run(both.graph, [*given, *tangents])
        parts = min_cut_partition(optimize_joint(both))
        forward, backward = compile_numpy(parts.forward), compile_numpy(parts.backward)
        values = forward(*[x.numpy() for x in given])
        count = len(values) - len(parts.saved)
        grads = backward(*values[count:], *[t.numpy() for t in tangents])
        for a, b in zip(want, [*values[:count], *grads], strict=True):
            close(a.numpy(), np.asarray(b), exact=False)


def test_the_programs_give_every_pass_something_to_do() -> None:
    done = dict.fromkeys(PASSES, 0)
    for seed in range(100):
        for name in PASSES:
            tally: Counter[str] = Counter()
            PASSES[name](recorded(seed, ENTRYWISE + MOVING + SUMMING + BY_NUMBER * 3), tally)
            done[name] += sum(tally.values())
    del done["conv_bn"], done["cropped"], done["freeze"]  # no convolutions there, and nothing from outside
    assert min(done.values()) >= 10, done
