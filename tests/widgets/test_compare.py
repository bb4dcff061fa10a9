"""Two recordings on one axis: nothing is lost, nothing moves, and what is alike stands in one column."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError
from minitorch_lab.recording import Recording
from minitorch_lab.widgets import Backward, Compare, Memory, Tape, Timeline
from minitorch_lab.widgets.compare import aligned, compared
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.memory import memory_scene

NAMES = ("plain", "checkpointed")


def run(wrap: Any) -> Recording:
    x, weights = ml.ones(8, 8), [ml.ones(8, 8, requires_grad=True) for _ in range(3)]
    with ml.record() as rec:
        for w in weights:
            x = wrap(lambda x, w: (x @ w).sin().relu(), x, w)
        x.sum().backward()
    return rec


@pytest.fixture(scope="module")
def scenes() -> tuple[Json, Json]:
    return memory_scene(run(lambda f, *args: f(*args))), memory_scene(run(ml.autograd.checkpoint))


@pytest.fixture(scope="module")
def both(scenes: tuple[Json, Json]) -> Json:
    return compared(*scenes, NAMES)


def live(panel: Json, at: int) -> int:
    blocks = panel["blocks"]
    return sum(b["bytes"] for b in blocks if b["born"] <= at and (b["died"] is None or b["died"] > at))


def test_every_side_has_in_its_column_what_it_had_alone(scenes: tuple[Json, Json], both: Json) -> None:
    columns = aligned(*scenes)
    for side, scene in enumerate(scenes):
        before, after = scene["panels"][0], both["panels"][side]
        for k, pair in enumerate(columns):
            if pair[side] is not None:
                old, new = scene["steps"][pair[side]]["at"], both["steps"][k]["at"]
                assert live(after, new) == live(before, old), both["steps"][k]["say"]
        assert live(after, after["peak"]["at"]) == after["peak"]["bytes"]


def test_nothing_is_lost_and_the_clock_does_not_run_back(scenes: tuple[Json, Json], both: Json) -> None:
    at = [step["at"] for step in both["steps"]]
    assert at == sorted(set(at))
    columns = aligned(*scenes)
    for side, scene in enumerate(scenes):
        assert [pair[side] for pair in columns if pair[side] is not None] == list(range(len(scene["steps"])))


def test_what_only_one_side_does_is_said(both: Json) -> None:
    again = [step["say"] for step in both["steps"] if step["phase"] == "recomputation"]
    assert again
    assert all(text.startswith("Only checkpointed: `") for text in again)
    first, second = both["panels"]
    less = first["peak"]["bytes"] - second["peak"]["bytes"]
    assert both["steps"][-1]["say"].startswith("The peak of plain is")
    assert both["steps"][-1]["say"].endswith("less." if less > 0 else "more.")
    assert first["top"] == second["top"] == max(first["peak"]["bytes"], second["peak"]["bytes"])


def test_one_line_lights_up_both_sides_and_an_op_its_twin(both: Json) -> None:
    line = next(row["id"] for row in both["source"] if "sin()" in row["text"])
    assert {id[:2] for id in both["links"][line] if "/a" in id} == {"A/", "B/"}
    op = next(id for id in both["links"] if id.startswith("A/o"))
    assert any(id.startswith("B/o") for id in both["links"][op])


def test_two_graphs_stand_one_under_the_other() -> None:
    scene = Compare(Backward(), Backward(), ("one", "two")).scene
    nodes = {node["id"]: node for node in scene["graph"]["nodes"]}
    for id, node in nodes.items():
        if id.startswith("A/"):
            twin = nodes[id.replace("A/", "B/", 1)]
            assert (twin["x"], twin["label"]) == (node["x"], node["label"])
            assert twin["y"] > node["y"]
    assert [band["label"] for band in scene["graph"]["bands"]] == ["one", "two"]
    assert all(step["say"] != "" for step in scene["steps"])


def test_recordings_are_compared_as_memory_and_time() -> None:
    view = Compare(run(lambda f, *args: f(*args)), run(ml.autograd.checkpoint), NAMES)
    assert [panel["label"] for panel in view.scene["panels"]] == [
        "Memory: plain",
        "Memory: checkpointed",
        "Python and kernels: plain",
        "Python and kernels: checkpointed",
    ]


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ArgumentError) as error:
        Compare(Memory(), Tape(), NAMES)
    assert " ".join(str(error.value).split()) == (
        "Compare got Memory and Tape, called 'plain' and 'checkpointed'. "
        "It lays two views of one kind over each other, "
        'under two names. Did you mean Compare(Memory(a), Memory(b), names=("plain", "checkpointed"))?'
    )
    with pytest.raises(ArgumentError, match="Did you mean"):
        Compare(Memory(), Memory(), ("same", "same"))


def test_a_first_call_is_said_to_be_captured() -> None:
    """Its ops run one by one, so its times say nothing about kernels; of the next call nothing is said."""

    def f(x: ml.Tensor) -> ml.Tensor:
        return ((x * 2).sin() + 1).sum()

    compiled, recordings = ml.compile(f), list[Recording]()
    for call in (f, compiled, compiled):
        x = ml.ones(16, requires_grad=True)
        with ml.record() as rec:
            call(x).backward()
        recordings.append(rec)
    eager, first, second = recordings
    told = Compare(eager, first, ("eager", "compiled")).transcript()[-1]
    assert "In compiled `f` is captured: its ops ran one by one there, as eager code does." in told
    assert "captured" not in Compare(eager, second, ("eager", "compiled")).transcript()[-1]
    assert "`f` is captured meanwhile" in Timeline(first).transcript()[-1]
    assert not any("captured" in say for say in (Timeline(eager).transcript()[-1], Timeline(second).transcript()[-1]))
