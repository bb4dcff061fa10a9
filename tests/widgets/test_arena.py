"""The view "Arena": the memory plan of kernels, checked as rectangles: no two of them share a byte at one time."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.recording import Recording
from minitorch_lab.recording.compiler_events import Arena, Launch
from minitorch_lab.widgets.arena import arena_scene
from minitorch_lab.widgets.example import arena_example
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.laboratory import lab_scene
from tests.widgets.block import compiled_step


@pytest.fixture(scope="module", params=[arena_example, compiled_step])
def rec(request: pytest.FixtureRequest) -> Recording:
    return request.param()


def panel(scene: Json) -> Json:
    return next(panel for panel in scene["panels"] if panel["kind"] == "arena")


def test_no_two_values_share_a_byte_at_one_time(rec: Recording) -> None:
    blocks = panel(arena_scene(rec))["blocks"]
    for a, b in combinations(blocks, 2):
        together = a["first"] <= b["last"] and b["first"] <= a["last"]
        share = a["offset"] < b["offset"] + b["bytes"] and b["offset"] < a["offset"] + a["bytes"]
        assert not (together and share), (a, b)


def test_the_arena_holds_all_of_them_and_the_bound_is_what_lives_at_once(rec: Recording) -> None:
    shown = panel(arena_scene(rec))
    tops = [block["offset"] + block["bytes"] for block in shown["blocks"]]
    assert shown["bytes"] == max(tops)
    live = [
        sum(block["bytes"] for block in shown["blocks"] if block["first"] <= k <= block["last"])
        for k in range(len(shown["columns"]))
    ]
    assert live == [column["live"] for column in shown["columns"]]
    assert max(live) == shown["bound"] <= shown["bytes"]


def test_forward_and_backward_stand_side_by_side_in_the_order_in_which_they_ran(rec: Recording) -> None:
    kernels = panel(arena_scene(rec))["kernels"]
    assert [kernel["label"] for kernel in kernels] == ["forward", "backward"]
    assert kernels[1]["first"] == kernels[0]["count"]
    assert sum(kernel["count"] for kernel in kernels) == len(panel(arena_scene(rec))["columns"])


def test_the_clock_never_runs_back_and_stays_inside_the_launches(rec: Recording) -> None:
    scene = arena_scene(rec)
    launches = [launch.n for launch in rec.each(Launch)]
    for times in ([step["at"] for step in scene["steps"]], [stage["at"] for stage in panel(scene)["stages"]]):
        assert times == sorted(times)
        assert all(any(n - 1 <= at < n for n in launches) for at in times)


def test_every_block_has_facts_and_leads_to_its_line(rec: Recording) -> None:
    scene = arena_scene(rec)
    lines = {row["id"] for row in scene["source"]}
    blocks = [block["id"] for block in panel(scene)["blocks"]]
    assert all(" · bytes " in scene["details"][id] for id in blocks)
    led = [id for id in blocks if lines & set(scene["links"][id])]
    assert len(led) >= 0.9 * len(blocks)
    for line in {line for id in led for line in scene["links"][id] if line in lines}:
        assert set(scene["links"][line]) & set(blocks)


def test_the_story_of_the_worked_example() -> None:
    says = [step["say"] for step in arena_scene(arena_example())["steps"]]
    assert says[1] == "`mul` takes bytes 0 to 512, until `sum` has run. Alive: 512 B."
    assert says[4].startswith(
        "`matmul_2` takes bytes 0 to 2,048, until `matmul_4` has run: `gelu_slope` lay there, and"
    )
    assert says[-1] == (
        "They run in turn, so one arena serves all. The arena has 4,096 B, just what is alive at `gelu_slope_1`: no "
        "plan can do with less. Without sharing: 5,632 B. Iron law: more fits into the memory that is near."
    )


def test_the_laboratory_shows_the_arena_and_tells_no_step_of_it(rec: Recording) -> None:
    lab, alone = lab_scene(rec), arena_scene(rec)
    assert panel(lab) == panel(alone)
    assert not {step["say"] for step in alone["steps"]} & {step["say"] for step in lab["steps"]}
    launched = next(launch for launch in rec.each(Launch) if launch.by.startswith("o"))
    assert launched.kernel in lab["links"][launched.by]


def test_views_on_one_clock(rec: Recording) -> None:
    view = ml.widgets.Arena(rec) | ml.widgets.Memory(rec)
    assert [panel["kind"] for panel in view.scene["panels"]] == ["arena", "memory"]
    times = [step["at"] for step in view.scene["steps"]]
    assert times == sorted(times)


def test_two_plans_on_one_axis() -> None:
    view = ml.widgets.Compare(ml.widgets.Arena(arena_example()), ml.widgets.Arena(compiled_step()), ("net", "block"))
    assert [panel["label"] for panel in view.scene["panels"]] == ["Arena: net", "Arena: block"]
    times = [step["at"] for step in view.scene["steps"]]
    assert times == sorted(times)


def test_plans_are_in_the_file(tmp_path: Path) -> None:
    rec = arena_example()
    rec.save(tmp_path / "rec.json")
    assert ml.Recording.load(tmp_path / "rec.json").each(Arena) == rec.each(Arena)


def test_a_recording_without_kernels_says_what_to_do() -> None:
    with ml.record() as rec:
        _ = ml.ones(2) * 2
    with pytest.raises(RecordingError) as error:
        ml.widgets.Arena(rec)
    assert str(error.value) == (
        "Arena got a recording in which no kernel keeps temporaries.\n"
        "  It shows the memory plan of compiled functions that ran while the block was recorded.\n"
        "  Did you mean `f = ml.compile(f)`, and a call of f inside `with ml.record() as rec:`?"
    )
