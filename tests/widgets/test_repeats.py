"""Repeats: layers that do the same are one box; nothing is lost in it, and nothing is told twice."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import minitorch_lab as ml
from minitorch_lab.recording import Recording
from minitorch_lab.recording import events as ev
from minitorch_lab.widgets import Backward, Compare, Memory, Tape
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.memory import memory_scene
from minitorch_lab.widgets.model import Model, walked
from minitorch_lab.widgets.repeats import Repeat, repeats_of
from minitorch_lab.widgets.timeline import timeline_scene
from tests.widgets.gpt import gpt_step
from tests.widgets.runs import CHAIN, run


@pytest.fixture(scope="module")
def rec() -> Recording:
    return gpt_step()


@pytest.fixture(scope="module")
def scene(rec: Recording) -> Json:
    return backward_scene(rec)


def found(text: str, least: int = 12) -> list[Repeat]:
    return repeats_of(Model(run(text)), least)


def drawn(graph: Json) -> set[str]:
    """Every id in a graph."""
    return {thing["id"] for part in ("nodes", "edges", "pins") for thing in graph[part]}


# ---- what is a repeat ------------------------------------------------------------------------------------


def test_an_op_knows_the_module_that_ran_it(rec: Recording) -> None:
    paths = [op.module for op in rec.each(ev.Op) if op.grad and op.during is None]
    assert paths[:3] == ["tokens", "", "places"]
    assert Counter(path.split(".")[1] for path in paths if path and path.startswith("blocks.")) == Counter(
        {str(k): 25 for k in range(12)}
    )
    assert "blocks.3.qkv" in paths
    assert [op.module for op in rec.each(ev.Op) if not op.grad][-1] is None, "an update is in no module"


def test_the_layers_of_a_net_are_one_repeat_by_path(rec: Recording) -> None:
    (one,) = repeats_of(walked(rec))
    assert (one.id, one.title, len(one.items)) == ("z1", "blocks ×12", 12)
    assert one.names == tuple(f"blocks.{k}" for k in range(12))
    for k, item in enumerate(one.items):
        assert {op.module.rpartition("blocks.")[2].partition(".")[0] for op in item if op.module} == {str(k)}


def test_a_loop_without_modules_is_one_too() -> None:
    (one,) = found(
        "x = ml.tensor(1.5, requires_grad=True)\nwith record() as rec:\n    z = x\n"
        "    for _ in range(9):\n        z = (z * 1.01).sin() + x\n    (z * z).backward()\n"
    )
    assert (one.title, [op.op for op in one.items[4]], one.names[0]) == ("add ×9", ["mul", "sin", "add"], "turn 1")


def test_layers_that_are_not_alike_are_none() -> None:
    sizes = "8, 9, 10, 11, 12, 13, 14, 15"
    text = (
        f"ml.manual_seed(0)\nsizes = [{sizes}]\n"
        "w = [ml.rand(a, b, requires_grad=True) for a, b in zip(sizes, sizes[1:])]\n"
        "with record() as rec:\n    x = ml.rand(2, 8)\n    for one in w:\n        x = (x @ one).tanh().exp()\n"
    )
    assert found(text) == []


def test_results_that_are_read_later_keep_a_loop_open() -> None:
    text = (
        "x = ml.ones(2, requires_grad=True)\nwith record() as rec:\n    all = []\n"
        "    for _ in range(9):\n        x = (x * 2).sin()\n        all.append(x)\n    ml.stack(all).sum().backward()\n"
    )
    assert found(text) == []
    assert found(text.replace("ml.stack(all)", "all[-1]")) != []


def test_two_stacks_are_two_repeats() -> None:
    text = (
        "x = ml.ones(2, requires_grad=True)\nwith record() as rec:\n"
        "    for _ in range(8):\n        x = (x * 2).sin()\n"
        "    x = x.exp()\n    for _ in range(9):\n        x = (x + 1).cos()\n    x.sum().backward()\n"
    )
    assert [(one.id, one.title) for one in found(text)] == [("z1", "sin ×8"), ("z2", "cos ×9")]


# ---- what a scene makes of it ----------------------------------------------------------------------------


def test_nothing_is_lost_in_a_box_and_nothing_stands_twice(rec: Recording, scene: Json) -> None:
    whole, folded = drawn(backward_scene(rec, fold=None)["graph"]), drawn(scene["graph"])
    (fold,) = scene["folds"]
    assert drawn(fold["graph"]) == set(fold["ids"])
    inside = [set(item["ids"]) for item in fold["items"]]
    assert folded | set.union(*inside) == whole | {"z1"} | {id for id in folded if id.startswith("z1>")}
    assert len(scene["graph"]["nodes"]) < 40
    for one, following in pairwise(inside):
        assert {id[0] for id in one & following} == {"t"}, "only what is handed on is in both"


def test_the_box_stands_in_the_way_of_the_edges(scene: Json) -> None:
    node = next(node for node in scene["graph"]["nodes"] if node["id"] == "z1")
    assert (node["kind"], node["label"]) == ("fold", "blocks ×12")
    into = [edge for edge in scene["graph"]["edges"] if edge["to"] == "z1"]
    first = scene["folds"][0]["items"][0]["ids"]
    assert len(into) == 2, "the first block reads x twice: for its norm and around it"
    assert all(edge["id"] in first for edge in into), "they are the edges of the first item, so gradients go along them"


def test_names_in_a_box_do_not_say_which_item_it_is(scene: Json) -> None:
    labels = {node["label"] for node in scene["folds"][0]["graph"]["nodes"]}
    assert {"qkv.weight", "before.bias", "heads", "weights", "x"} <= labels
    assert not [label for label in labels if "blocks" in label or "(" in label.replace("(…)", "").replace("(x)", "")]


def test_an_item_is_passed_in_one_sentence_each_way(scene: Json) -> None:
    briefs = [step["brief"] for step in scene["steps"] if "brief" in step]
    assert len(briefs) == 24
    assert briefs[3].startswith("`blocks.3` runs 25 ops and makes x (9): (2, 4, 16) with mean ")
    assert briefs[12] == "The rules of `blocks.11` send 41 gradients, and 23 pins drop."
    stops = [step for step in scene["steps"] if "of" not in step or "brief" in step]
    assert len(stops) < 60 < len(scene["steps"])
    order = [step["of"] for step in scene["steps"] if step["phase"] == "backward" and "of" in step]
    assert list(dict.fromkeys(order)) == [f"z1/{k}" for k in range(11, -1, -1)]
    assert all(a == b or int(a[3:]) == int(b[3:]) + 1 for a, b in pairwise(order))


def test_short_turns_are_told_all_together() -> None:
    scene = backward_scene(run(CHAIN))
    assert [node["label"] for node in scene["graph"]["nodes"]] == ["x", "mul ×1000", "y (1000)"]
    briefs = [step["brief"] for step in scene["steps"] if "brief" in step]
    assert briefs[0].startswith("`mul ×1000` runs 1,000 ops and makes y (1000): 2.717")
    assert briefs[1].startswith("The rules of `mul ×1000` send 1,000 gradients")
    assert len(briefs) == 2


def test_memory_and_time_are_told_by_item(rec: Recording) -> None:
    for made, kind in ((memory_scene(rec), "blocks"), (timeline_scene(rec), "runs")):
        assert len(made["steps"]) < 40
        rows = made["panels"][0][kind]
        parts = Counter(row["of"] for row in rows if "of" in row)
        assert set(parts) == {f"z1/{k}" for k in range(12)}
        assert len(set(parts.values())) == 1, "every item has as many"
        held = {id: item["id"] for item in made["folds"][0]["items"] for id in item["of"]}
        assert held == {row["id"]: row["of"] for row in rows if "of" in row}


def test_the_laboratory_has_one_fold_for_all_pictures(rec: Recording) -> None:
    (fold,) = lab_scene(rec)["folds"]
    assert fold["graph"]["nodes"]
    assert {id[0] for item in fold["items"] for id in item["of"]} == {"a", "r"}
    assert (Tape(rec) | Memory(rec)).scene["folds"][0]["id"] == "z1"


def test_a_comparison_renames_what_is_folded(rec: Recording) -> None:
    made = Compare(Backward(rec), Backward(gpt_step(6)), ("deep", "flat")).scene
    assert [fold["id"] for fold in made["folds"]] == ["A/z1", "B/z1"]
    nodes = {node["id"] for node in made["graph"]["nodes"]}
    assert {"A/z1", "B/z1"} <= nodes
    for fold in made["folds"]:
        assert drawn(fold["graph"]) == set(fold["ids"])


def test_small_graphs_stay_as_they_are() -> None:
    assert "folds" not in backward_scene(gpt_step(1))


# ---- on disk ---------------------------------------------------------------------------------------------


def test_ten_thousand_events_take_less_than_a_megabyte(tmp_path: Path) -> None:
    rec = gpt_step(17)
    assert len(rec) > 10_000
    rec.save(tmp_path / "rec.json")
    assert (tmp_path / "rec.json").stat().st_size < 1_000_000
    loaded = Recording.load(tmp_path / "rec.json")
    assert (len(loaded), loaded.id) == (len(rec), rec.id)
    assert backward_scene(loaded) == backward_scene(rec)


def test_wide_tensors_do_not_make_files_large(tmp_path: Path) -> None:
    ml.manual_seed(0)
    w = [ml.rand(60, 60, requires_grad=True) for _ in range(60)]
    with ml.record() as rec:
        x = ml.rand(60, 60)
        for one in w:
            x = (x @ one).tanh()
        x.sum().backward()
    rec.save(tmp_path / "rec.json")
    assert (tmp_path / "rec.json").stat().st_size < 1_000_000
