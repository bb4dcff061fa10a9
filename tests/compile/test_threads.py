"""Kernels that threads share: the bits of one thread, whoever calls, and nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.loops import share
from minitorch_lab.compiler.schedule.recipe import Recipe
from minitorch_lab.compiler.targets import threads
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from tests.compile.test_llvm_backend import normal, pure

F = nn.functional
PROGRAMS: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    "pointwise": (lambda a, b: (a * b + 1).tanh(), [(1003,), (1003,)]),
    "broadcast": (lambda a, b: a * b + b.exp(), [(33, 1, 7), (5, 7)]),
    "transposed": (lambda a, b: a.T + b, [(64, 100), (100, 64)]),
    "frame": (lambda a: F.pad(a, (2, 3, 1, 1)) * 2, [(33, 40)]),
    "rows": (lambda a: a.softmax(1), [(37, 130)]),
    "rows and what follows": (lambda a: (a.softmax(1) * a).sum(), [(37, 130)]),
    "columns": (lambda a: a.sum(0), [(370, 130)]),
    "product, wide": (lambda a, b, c: (a @ b + c).relu(), [(37, 50), (50, 300), (300,)]),
    "product, tall": (lambda a, b, c: (a @ b + c).relu(), [(370, 50), (50, 30), (30,)]),
    "product, packed": (lambda a, b: a @ b, [(70, 1500), (1500, 130)]),
    "products of a batch": (lambda a, b: (a @ b.transpose(1, 2)).softmax(-1), [(5, 33, 16), (5, 33, 16)]),
    "triangle": (lambda a, b: (a @ b).tril().softmax(-1) @ b, [(3, 40, 40), (3, 40, 40)]),
    "convolution": (lambda x, w: F.conv2d(x, w, padding=1), [(5, 4, 9, 10), (8, 4, 3, 3)]),
    "layer norm": (lambda x, w, b: F.gelu(F.layer_norm(x, (70,), w, b)), [(33, 70), (70,), (70,)]),
    "short": (lambda a: a * 2, [(3,)]),
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """So little work is worth a thread that small arrays will do."""
    monkeypatch.setattr(share, "WORTH", 64)


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    for pool in [*threads.pools.values()]:
        pool.shutdown()
    threads.pools.clear()
    assert not [t for t in threading.enumerate() if t.name.startswith("minitorch_lab")]


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_bits_are_those_of_one_thread(name: str, count: int) -> None:
    f, shapes = PROGRAMS[name]
    given = [normal(*shape) for shape in shapes]
    graph = pure(f, *map(ml.tensor, given))
    many = compile_llvm(graph, recipe=Recipe(threads=count))
    for x, y in zip(many(*given), compile_llvm(graph)(*given), strict=True):
        np.testing.assert_array_equal(x, y)
    assert any(run.team for run in many.runs) == (name != "short")


@pytest.mark.parametrize("target", ["generic", "avx2"])
@pytest.mark.parametrize("name", ["pointwise", "rows", "product, packed", "convolution"])
def test_on_other_processors_too(name: str, target: str) -> None:
    f, shapes = PROGRAMS[name]
    given = [normal(*shape) for shape in shapes]
    graph = pure(f, *map(ml.tensor, given))
    many = compile_llvm(graph, target=target, recipe=Recipe(threads=3))
    np.testing.assert_array_equal(many(*given)[0], compile_llvm(graph, target=target)(*given)[0])


def test_arrays_that_lie_otherwise() -> None:
    x = normal(40, 74)[:, ::2]
    graph = pure(lambda a: (a * 2).exp(), ml.tensor(x))
    np.testing.assert_array_equal(compile_llvm(graph, recipe=Recipe(threads=2))(x)[0], compile_llvm(graph)(x)[0])


@pytest.mark.parametrize("mode", ["default", "reduce-overhead"])
def test_a_training_step(mode: str) -> None:
    weights: list[list[Any]] = []
    for count in (1, 2):
        ml.manual_seed(0)
        model = nn.Sequential(nn.Linear(20, 70), nn.ReLU(), nn.Linear(70, 5))
        update = ml.optim.Adam(model.parameters(), lr=0.01)
        x, y = ml.randn(33, 20), ml.randint(0, 5, (33,))

        def step(x: Any, y: Any, model: Any = model, update: Any = update) -> Any:
            update.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            update.step()
            return loss

        compiled = ml.compile(step, backend="llvm", mode=mode, options={"threads": count})
        for _ in range(5):
            compiled(x, y)
        weights.append([p.detach().numpy() for p in model.parameters()])
    for a, b in zip(*weights, strict=True):
        np.testing.assert_array_equal(a, b)


def test_callers_in_several_threads() -> None:
    compiled = ml.compile(lambda x: (x.softmax(1) * x).sum(0), backend="llvm", options={"threads": 2})
    given = [ml.tensor(normal(60, 90) + k) for k in range(4)]
    want = [(x.softmax(1) * x).sum(0).numpy() for x in given]

    def run(k: int) -> bool:
        return all(np.allclose(compiled(given[k]).numpy(), want[k], rtol=1e-4, atol=1e-4) for _ in range(60))

    with ThreadPoolExecutor(4) as callers:
        assert all(callers.map(run, range(4)))


def test_what_a_piece_raises_is_raised_when_all_are_done() -> None:
    ended: list[int] = []

    def failing(x: int) -> bool:
        raise ValueError("first")

    with pytest.raises(ValueError, match="first"):
        threads.together([failing, lambda x: not ended.append(x)], None)(3)
    assert ended == [3]
    with pytest.raises(ValueError, match="first"):
        threads.together([lambda x: True, failing], None)(3)


def test_a_piece_that_does_not_fit_is_said() -> None:
    after: list[int] = []
    run = threads.together([lambda x: True, lambda x: x > 0], lambda x: not after.append(x))
    assert (run(1), run(-1), after) == (True, False, [1])


# ---- processes ------------------------------------------------------------------------------------------------------
SCRIPT = """
import os, sys, threading
import numpy as np
import minitorch_lab as ml
from minitorch_lab.compiler.loops import share

share.WORTH = 64
f = ml.compile(lambda x: (x * 2 + 1).tanh(), backend="llvm", options={"threads": 2})
x = ml.ones(5000)
f(x)
want = f(x).numpy().copy()
np.testing.assert_array_equal(f(x).numpy(), want)
assert [t.name for t in threading.enumerate() if t.name.startswith("minitorch_lab")]
"""
FORKING = """
child = os.fork()
if child == 0:
    for _ in range(20):
        np.testing.assert_array_equal(f(x).numpy(), want)
    sys.stdout.write("child ")
    sys.exit(0)
_, status = os.waitpid(child, 0)
assert status == 0, status
np.testing.assert_array_equal(f(x).numpy(), want)
"""


def ran(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_interpreter_ends() -> None:
    assert ran(f"{SCRIPT}\nprint('end')") == "end\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_starts_its_own_threads() -> None:
    assert ran(f"{SCRIPT}{FORKING}\nprint('parent')") == "child parent\n"


# ---- what is cut ----------------------------------------------------------------------------------------------------
def test_the_pieces_can_be_read() -> None:
    kernels = compile_llvm(pure(lambda a: a.sum(1), ml.ones(7, 100)), recipe=Recipe(threads=3))
    assert str(kernels.program) == (
        "kernel rows_0\n"
        "  # 3 pieces, for as many threads\n"
        "  pieces in 2:\n"
        "    for i0 in 3:\n"
        "      sweep j in 100:\n"
        "        r0_0 sum= a[100*i0 + j + 300*piece]\n"
        "      sum_t[i0 + 3*piece] = r0_0\n"
        "  the last piece:\n"
        "    for i0 in 1:\n"
        "      sweep j in 100:\n"
        "        r0_0 sum= a[100*i0 + j + 600]\n"
        "      sum_t[i0 + 6] = r0_0"
    ).replace("sum_t", "sum")


def test_little_work_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "WORTH", 1_000_000)
    graph = pure(lambda a: (a * 2).tanh(), ml.ones(1000))
    assert not any(run.team for run in compile_llvm(graph, recipe=Recipe(threads=2)).runs)
    large = pure(lambda a: (a * 2).tanh(), ml.ones(1_000_000))
    assert any(run.team for run in compile_llvm(large, recipe=Recipe(threads=2)).runs)
