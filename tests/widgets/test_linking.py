"""Every id of every view of one recorded, compiled training step: known, linked both ways, and met from all sides."""

from __future__ import annotations

from itertools import chain

import pytest

from minitorch_lab.record import Recording
from minitorch_lab.record import events as ev
from minitorch_lab.record.compiler_events import Kernel, Launch
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.linking import is_line
from tests.widgets.block import compiled_step


@pytest.fixture(scope="module")
def rec() -> Recording:
    return compiled_step()


@pytest.fixture(scope="module")
def scene(rec: Recording) -> Json:
    return lab_scene(rec)


def panel(scene: Json, kind: str) -> Json:
    return next(panel for panel in scene["panels"] if panel["kind"] == kind)


def test_it_ran_as_kernels(rec: Recording) -> None:
    assert {kernel.stage for kernel in rec.each(Kernel)} >= {"forward", "backward"}
    assert len(rec.each(Launch)) >= 2


def test_links_go_both_ways_and_nothing_is_linked_with_itself(scene: Json) -> None:
    links = scene["links"]
    for id, others in links.items():
        assert id not in others
        assert len(others) == len(set(others))
        assert all(id in links[other] for other in others)


def test_every_block_and_every_run_leads_to_a_line_and_an_op(scene: Json) -> None:
    links = scene["links"]
    for run in panel(scene, "timeline")["runs"]:
        assert any(is_line(id) for id in links[run["id"]]), run
        assert any(id.startswith("o") for id in links[run["id"]]), run
    made = [block for block in panel(scene, "memory")["blocks"] if block["born"] > 0]
    missing = [block["name"] for block in made if not any(is_line(id) for id in links.get(block["id"], []))]
    assert len(missing) <= len(made) // 10, missing  # what the reader's lines do not show: data met for the first time


def test_a_line_leads_to_nodes_kernels_runs_and_blocks(rec: Recording, scene: Json) -> None:
    links = scene["links"]
    launched = next(op for op in rec.each(ev.Op) if op.id in {launch.by for launch in rec.each(Launch)})
    assert launched.line is not None
    kinds = {id[0] for id in links[launched.line]}
    assert {"o", "t", "r", "a", "e"} <= kinds  # op, value, run, allocation, kernel


def test_what_one_op_did_meets_without_a_detour(rec: Recording, scene: Json) -> None:
    """A block and the run that made it light each other: an op is one thing, a line may be many."""
    links = scene["links"]
    blocks = {block["id"] for block in panel(scene, "memory")["blocks"]}
    pairs = [(id, other) for id in blocks for other in links.get(id, []) if other.startswith("r:")]
    assert len(pairs) >= len(blocks) // 3


def test_details_are_there_for_everything_that_is_drawn(scene: Json) -> None:
    drawn = [
        *(block["id"] for block in panel(scene, "memory")["blocks"]),
        *(run["id"] for run in panel(scene, "timeline")["runs"]),
        *(node["id"] for node in scene["graph"]["nodes"]),
        *(row["id"] for row in scene["source"]),
    ]
    assert [id for id in drawn if id not in scene["details"]] == []
    focused = set(chain.from_iterable(step["focus"] for step in scene["steps"]))
    known = set(drawn) | set(scene["links"])
    assert focused <= known, focused - known
