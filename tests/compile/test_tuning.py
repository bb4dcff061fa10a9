"""`max-autotune`: candidates are checked, measured, shown, and what was found is kept on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.explain import Explanation
from minitorch_lab.compiler.loops.ir import Blocking, Tile
from minitorch_lab.compiler.runtime.tuning import Tuned, tuned
from minitorch_lab.compiler.schedule.recipe import Recipe
from minitorch_lab.compiler.targets import race as racing
from minitorch_lab.compiler.targets.backends import BACKENDS
from minitorch_lab.compiler.targets.cache import Cache, key_of
from minitorch_lab.compiler.targets.llvm import tuning as tiles
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm, recipes
from minitorch_lab.compiler.targets.llvm.target import target_of
from minitorch_lab.compiler.targets.race import Outcome, race
from tests.compile.test_llvm_backend import normal, pure


@pytest.fixture(autouse=True)
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    found = Cache(tmp_path / "compiled")
    monkeypatch.setattr(racing, "disk", lambda: found)
    return found


def doubling(calls: list[str]) -> dict[str, Any]:
    def slow(x: Any) -> list[Any]:
        calls.append("slow")
        return [sum(x for _ in range(9999)) * 0 + 2 * x]

    def quick(x: Any) -> list[Any]:
        calls.append("quick")
        return [2 * x]

    return {"slow": lambda: slow, "quick": lambda: quick}


# ---- the race -------------------------------------------------------------------------------------------------------
def test_the_fastest_stays_and_only_it_runs_from_then_on() -> None:
    calls: list[str] = []
    kernel = Tuned(doubling(calls), key_of("doubling"))
    assert kernel(np.float32(3))[0] == 6.0
    assert (kernel.chosen, set(kernel.seconds), [*kernel.kernels]) == ("quick", {"slow", "quick"}, ["quick"])
    assert kernel.seconds["quick"] < kernel.seconds["slow"]
    assert repr(kernel).startswith("quick: ")
    calls.clear()
    assert kernel(np.float32(4))[0] == 8.0
    assert calls == ["quick"]


def test_what_finds_something_else_or_fails_is_refused() -> None:
    def broken() -> list[Any]:
        raise MemoryError("no room")

    x = np.array([1.0, np.nan, np.inf, -2.0], "float32")
    found = race(
        {
            "right": lambda: [x],
            "rounded": lambda: [x * np.float32(1 + 1e-6)],
            "wrong": lambda: [x + np.float32(0.1)],
            "no NaN": lambda: [np.nan_to_num(x)],
            "of another dtype": lambda: [x.astype("float64")],
            "broken": broken,
        }
    )
    assert set(found.seconds) == {"right", "rounded"}
    other = dict.fromkeys(("wrong", "no NaN", "of another dtype"), "other results")
    assert found.refused == {**other, "broken": "MemoryError: no room"}
    with pytest.raises(MemoryError):  # the user's own mistake
        race({"first": broken})


def test_what_is_written_over_is_set_back_before_every_round() -> None:
    state = np.zeros(3, "float32")

    def step() -> list[Any]:
        state[...] += 1
        return [state]

    assert race({"one": step, "two": step}, lambda: state.fill(0)).refused == {}
    assert race({"one": step, "two": step}).refused == {"two": "other results"}


# ---- the disk -------------------------------------------------------------------------------------------------------
def test_what_was_measured_once_is_not_measured_again(disk: Cache) -> None:
    calls: list[str] = []
    Tuned(doubling(calls), key_of("doubling"))(np.float32(3))
    calls.clear()
    again = Tuned(doubling(calls), key_of("doubling"))
    assert (again.chosen, [*again.kernels]) == ("quick", ["quick"])  # the other one is not even made
    assert again(np.float32(3))[0] == 6.0
    assert calls == ["quick"]
    Tuned(doubling(calls), key_of("something else"))(np.float32(3))
    assert "slow" in calls


def test_the_key_says_all_that_matters(monkeypatch: pytest.MonkeyPatch) -> None:
    def key(*shape: int, turned: bool = False, threads: int = 1) -> str:
        x = ml.ones(*shape).T if turned else ml.ones(*shape)
        graph = ml.jit.trace(lambda x: (x + 1) @ x, x).graph
        return tuned(BACKENDS["numpy"], threads)(graph).key

    keys = [key(4, 4), key(5, 5), key(4, 4, turned=True), key(4, 4, threads=2)]
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    keys.append(key(4, 4))
    monkeypatch.setattr("minitorch_lab.compiler.runtime.tuning.processor", lambda: ("another",))
    keys.append(key(4, 4))
    assert len(set(keys)) == len(keys)
    assert keys[-1] == key(4, 4)


def test_a_damaged_note_is_measured_again(disk: Cache) -> None:
    calls: list[str] = []
    Tuned(doubling(calls), key_of("doubling"))(np.float32(3))
    path = disk.path(key_of("doubling"))
    raw = bytearray(path.read_bytes())
    raw[-3] ^= 1
    path.write_bytes(raw)
    calls.clear()
    assert Tuned(doubling(calls), key_of("doubling"))(np.float32(3))[0] == 6.0
    assert "slow" in calls


# ---- what is tried --------------------------------------------------------------------------------------------------
def ready(x: Any, w: Any, b: Any) -> Any:
    return (x @ w + b).relu() * 2


def test_fusion_and_the_library_are_tried() -> None:
    graph = pure(ready, *(ml.tensor(x) for x in (normal(9, 17), normal(17, 33), normal(33))))
    kernel, given = tuned(BACKENDS["llvm"])(graph), (normal(9, 17), normal(17, 33), normal(33))
    np.testing.assert_allclose(kernel(*given)[0], ready(*map(ml.tensor, given)).numpy(), rtol=1e-4, atol=1e-5)
    assert set(kernel.seconds) == {"llvm", "llvm, tiles bare", "llvm, products by the library", "numpy"}


def test_what_every_recipe_makes_is_another_program_and_gives_the_same() -> None:
    given = normal(9, 17), normal(17, 33), normal(33)
    graph, programs = pure(ready, *map(ml.tensor, given)), set[str]()
    want = np.maximum(given[0].astype("float64") @ given[1] + given[2], 0) * 2
    for recipe in recipes().values():
        kernel = compile_llvm(graph, recipe=recipe)
        np.testing.assert_allclose(kernel(*given)[0], want, rtol=1e-4, atol=1e-5)
        programs.add(str(kernel.program))
    assert len(programs) == 3


def test_a_training_step_is_tuned_and_no_weight_is_moved_by_it() -> None:
    losses: dict[str, list[float]] = {}
    for mode in ("default", "max-autotune"):
        ml.manual_seed(0)
        model = nn.Sequential(nn.Linear(7, 9), nn.ReLU(), nn.Linear(9, 5))
        update = ml.optim.SGD(model.parameters(), lr=0.1)
        x, y = ml.randn(6, 7), ml.randint(0, 5, (6,))

        def step(x: Any, y: Any, model: Any = model, update: Any = update) -> Any:
            update.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            update.step()
            return loss

        compiled = ml.compile(step, backend="llvm", mode=mode, fullgraph=True)
        losses[mode] = [compiled(x, y).item() for _ in range(6)]
        if mode == "max-autotune":
            assert any(len(k["tried"]) > 2 for k in Explanation.of(compiled).to_dict()["kernels"])
    np.testing.assert_allclose(losses["max-autotune"], losses["default"], rtol=1e-5)


# ---- tiles ----------------------------------------------------------------------------------------------------------
def every(cut: Callable[[list[Blocking]], Blocking]) -> Recipe:
    def chosen(program: Any, target: Any) -> None:
        for kernel in program.kernels:
            for t in kernel.statements():
                if isinstance(t, Tile) and t.a is not None:
                    t.blocking = cut(tiles.candidates(t, target))

    return Recipe(tiles=chosen)


@pytest.mark.parametrize(
    ("target", "shape"), [("generic", (64, 16, 16)), ("avx2", (70, 45, 37)), ("avx512", (65, 1000, 50))]
)
def test_every_cut_gives_the_same(shape: tuple[int, int, int], target: str) -> None:
    if target == "avx512" and target_of().lanes < 16:
        pytest.skip("this processor cannot run it")
    m, k, n = shape
    given = normal(m, k), normal(k, n), normal(n)
    graph, want = pure(ready, *map(ml.tensor, given)), None
    found: list[Blocking] = []
    compile_llvm(graph, target=target, recipe=every(lambda cuts: found.extend(cuts) or cuts[0]))
    assert len({c.packed for c in found}) == 2
    assert len(found) > 6
    for i in range(len(found)):
        out = compile_llvm(graph, target=target, recipe=every(lambda cuts, i=i: cuts[i]))(*given)[0]
        want = out if want is None else want
        np.testing.assert_array_equal(out, want)  # each sum is added up in the same order
    np.testing.assert_allclose(want, ready(*map(ml.tensor, given)).numpy(), rtol=1e-3, atol=1e-4)


def test_the_fastest_cut_is_taken_and_shown(monkeypatch: pytest.MonkeyPatch, disk: Cache) -> None:
    seen: list[list[str]] = []

    def judged(runs: Any, fresh: Any) -> Outcome:
        found = race(runs, fresh)
        assert not found.refused
        seen.append([*runs])
        return Outcome({name: float(len(runs) - i) for i, name in enumerate(runs)})  # the last one wins

    monkeypatch.setattr(tiles, "race", judged)
    compiled = ml.compile(ready, backend="llvm", mode="max-autotune")
    given = [ml.tensor(x) for x in (normal(70, 17), normal(17, 33), normal(33))]
    compiled(*given)
    told = Explanation.of(compiled)
    tried = [g["tried"] for k in told.to_dict()["kernels"] for g in k["groups"] if g["tried"]]
    assert json.loads(json.dumps(tried)) == tried
    if tried:  # the library may have been faster as a whole
        assert [*tried[0]] == seen[0]
        lines = [line.strip() for line in str(told).splitlines() if "tried" in line]
        assert any(line.startswith(f"tried {seen[0][-1]}") for line in lines)
    for kernel in compile_llvm(pure(ready, *given), recipe=recipes()["llvm"]).program.kernels:
        cut = [t.blocking for t in kernel.statements() if isinstance(t, Tile)]
        assert str(cut[0]) == seen[0][-1]
    assert len(seen) == 2  # with and without the epilogue: each kernel once, then it is known
