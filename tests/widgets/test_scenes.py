"""What must hold in every scene: ids exist, predictions stand in their sentence, bars follow the pins."""

from __future__ import annotations

import json
from typing import Any

import pytest

from minitorch_lab.recording import Recording
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.example import backward_example
from minitorch_lab.widgets.forward import forward_scene
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import ALL, CHAIN, EXP, FORWARD, MAPPED, RESIDUAL, run

Json = dict[str, Any]
SCENES = [(text, view) for text in ALL.values() for view in (tape_scene, backward_scene)]
SCENES += [(text, tape_scene) for text in MAPPED.values()]
SCENES += [(text, forward_scene) for text in FORWARD.values()]


def both_walks(scene: Json) -> list[Json]:
    return [*scene["steps"], *scene.get("wrong", {"steps": []})["steps"]]


@pytest.mark.parametrize(("text", "view"), SCENES)
def test_every_id_exists(text: str, view: Any) -> None:
    scene = view(run(text))
    graph = scene["graph"]
    nodes = {node["id"] for node in graph["nodes"]}
    edges = {edge["id"] for edge in graph["edges"]}
    pins = {pin["id"] for pin in graph["pins"]}
    lines = {line["id"] for line in scene["source"]}
    bars = {bar["id"] for bar in scene["kept"]}
    assert len(nodes) + len(edges) + len(pins) == len(graph["nodes"] + graph["edges"] + graph["pins"]), "ids are unique"
    for edge in graph["edges"]:
        assert {edge["from"], edge["to"]} <= nodes
    for pin in graph["pins"]:
        assert {pin["op"], pin["of"]} <= nodes
    for step in both_walks(scene):
        assert step["line"] is None or step["line"] in lines
        assert set(step["focus"]) <= nodes
        for event in step["events"]:
            where = {"pin": pins, "unpin": pins, "stale": pins, "send": edges, "push": edges}.get(event["type"], nodes)
            ids = event["ids"] if "ids" in event else [event.get("id", event.get("edge"))]
            assert set(ids) <= (edges | nodes if event["type"] == "clear" else where), event
    linked = {*scene["links"], *(id for ids in scene["links"].values() for id in ids)}
    assert linked <= nodes | edges | pins | lines | bars
    assert set(scene["details"]) <= nodes | edges | pins | lines | bars


@pytest.mark.parametrize(("text", "view"), SCENES)
def test_what_is_asked_stands_in_the_sentence(text: str, view: Any) -> None:
    scene = view(run(text))
    ops = {node["id"] for node in scene["graph"]["nodes"] if node["kind"] == "op"}
    for step in both_walks(scene):
        ask = step.get("predict")
        if ask is None:
            continue
        assert len(ask["why"]) > 20, "a wrong guess is told why"
        if ask["kind"] == "value":
            assert step["say"][ask["at"] : ask["at"] + ask["length"]] == ask["answer"]
            assert ask["answer"] in ask["accept"]
        else:
            assert ask["answer"] in ask["accept"]
            assert set(ask["accept"]) <= ops


@pytest.mark.parametrize(("text", "view"), SCENES)
def test_every_pill_gets_its_value(text: str, view: Any) -> None:
    scene = view(run(text))
    shown = {event["id"] for step in scene["steps"] for event in step["events"] if event["type"] == "value"}
    assert shown == {node["id"] for node in scene["graph"]["nodes"] if node["kind"] != "op"}


@pytest.mark.parametrize(("text", "view"), SCENES)
def test_links_go_both_ways_and_scenes_are_json(text: str, view: Any) -> None:
    scene = view(run(text))
    assert all(a in scene["links"][b] for a, near in scene["links"].items() for b in near)
    assert json.loads(json.dumps(scene, allow_nan=False)) == scene


def test_bars_last_from_the_first_pin_to_the_last_release() -> None:
    scene = backward_scene(run(EXP))
    assert scene["kept"] == [
        {"id": "k:t2", "label": "v2", "bytes": 8, "by": ["exp", "mul"], "spans": [[2, 11]]},
        {"id": "k:t4", "label": "v3", "bytes": 8, "by": ["mul"], "spans": [[4, 6]]},
    ]


def test_the_reader_is_asked_which_node_runs_next() -> None:
    asks = [
        step["predict"] for step in backward_scene(run(EXP))["steps"] if step.get("predict", {}).get("kind") == "node"
    ]
    assert [(ask["answer"], ask["accept"]) for ask in asks] == [("o2", ["o2"])]
    assert (
        asks[0]["why"]
        == "v2 still lacks what comes through `add`. A node runs after all readers of its value have run."
    )


def test_the_wrong_walk_of_tensors_is_computed_by_the_rules() -> None:
    scene = backward_scene(run(RESIDUAL))
    verdicts = [event for step in scene["wrong"]["steps"] for event in step["events"] if event.get("state") == "wrong"]
    assert {event["id"] for event in verdicts} >= {"t1", "t2"}, "both leaves end wrong"


def test_a_loaded_recording_gives_the_same_scene(tmp_path: Any) -> None:
    for text in ALL.values():
        recording = run(text)
        recording.save(tmp_path / "rec.json")
        loaded = Recording.load(tmp_path / "rec.json")
        assert tape_scene(loaded) == tape_scene(recording)
        assert backward_scene(loaded) == backward_scene(recording)


def test_a_thousand_nodes_are_told_in_short() -> None:
    recording = run(CHAIN)
    scene = backward_scene(recording, fold=None)
    assert len(scene["graph"]["nodes"]) == 3001
    assert len(scene["kept"]) <= 8
    assert scene["steps"][2]["say"].startswith("`mul` (1,000 times) make")


def test_the_example_shows_its_own_lines_and_no_others() -> None:
    scene = backward_scene(backward_example())
    assert [line["text"] for line in scene["source"]] == [
        "v1 = tensor(ln2, requires_grad=True)",
        "v2 = exp(v1)",
        "v3 = 1 + v2",
        "v4 = v2 * v3",
        "v4.backward()",
    ]


def test_a_frozen_parameter_is_an_input() -> None:
    recording = run(
        "model = ml.nn.Linear(2, 1)\n"
        "model.bias.requires_grad_(False)\n"
        "x = ml.ones(1, 2)\n"
        "with record() as rec:\n"
        "    loss = model(x).sum()\n"
        "    loss.backward()\n"
    )
    kinds = {node["label"]: node["kind"] for node in backward_scene(recording)["graph"]["nodes"]}
    assert kinds["weight"] == "param"
    assert kinds["bias"] == "input"


@pytest.mark.parametrize("body", ["(w * 2).sum().backward()", "h = w * 2; (h * h).sum().backward()"])
def test_tensors_larger_than_the_recording_keeps_have_no_wrong_walk(body: str) -> None:
    scene = backward_scene(run(f"w = ml.ones(128, 64, requires_grad=True)\nwith record() as rec:\n    {body}\n"))
    assert "wrong" not in scene
    assert scene["steps"][-1]["say"].startswith("backward() is over")
