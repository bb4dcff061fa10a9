"""Every id of every view of one recorded, compiled training step: known, linked both ways, and met from all sides."""

from __future__ import annotations

from itertools import chain

import pytest

from minitorch_lab.recording import Recording
from minitorch_lab.recording import events as ev
from minitorch_lab.recording.compiler_events import Kernel, Launch
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


# ---- the walk: every id, from every picture, to its partners in every other one --------------------------------------


def pictures(scene: Json) -> dict[str, set[str]]:
    """The ids that stand in each picture of the laboratory."""
    memory, timeline = panel(scene, "memory"), panel(scene, "timeline")
    graph = scene["graph"]
    return {
        "source": {row["id"] for row in scene["source"]},
        "graph": {thing["id"] for part in ("nodes", "edges", "pins") for thing in graph[part]},
        "memory": {*(block["id"] for block in memory["blocks"]), *(tick["op"] for tick in memory["ticks"])},
        "kernels": {run["id"] for run in timeline["runs"]},
        "arena": {thing["id"] for part in ("kernels", "blocks") for thing in panel(scene, "arena")[part]},
        "code": {
            row["id"]
            for listing in scene["panels"]
            if listing["kind"] == "listing"
            for stage in listing["stages"]
            for row in stage["rows"]
            if row["id"] is not None
        },
    }


def partners(rec: Recording, scene: Json) -> dict[str, set[str]]:
    """What belongs to each op, from the events alone: its line, what it made, its node's turn, its blocks, its runs."""
    moment: str | None = None
    found: dict[str, set[str]] = {}
    op_of = {op.node: op.id for op in rec.each(ev.Op) if op.node is not None}
    for event in rec:
        if isinstance(event, ev.Op) and event.inside is None:
            moment = event.id
            found.setdefault(event.id, set()).update({event.output, *([event.line] if event.line else [])})
        elif isinstance(event, ev.Step):
            moment = op_of.get(event.node)
        elif isinstance(event, ev.Ran):
            owner = event.of if event.of.startswith("o") else op_of.get(event.of)
            if owner is not None:
                found.setdefault(owner, set()).add(f"r:{event.of}")
        elif isinstance(event, ev.Birth) and event.phase not in ("before",) and event.category != "input" and moment:
            found.setdefault(moment, set()).add(event.id)
    drawn = set.union(*pictures(scene).values())
    return {op: {id for id in ids if id in drawn} for op, ids in found.items() if op in drawn}


def test_from_every_id_of_every_picture_the_walk_leads_to_its_partners_in_every_other(scene: Json) -> None:
    """Pointing at an id lights what is linked with it; each link leads back, and all pictures reach each other."""
    stands, links = pictures(scene), scene["links"]
    assert all(len(ids) > 10 for name, ids in stands.items() if name != "source")
    reached: dict[tuple[str, str], int] = {}
    for name, ids in stands.items():
        for id in ids:
            for other in links.get(id, []):
                assert id in links[other], f"{name}: {id} lights {other}, which does not light it"
                for there, theirs in stands.items():
                    reached[name, there] = reached.get((name, there), 0) + (other in theirs)
    for one in stands:
        for other in stands:
            if one != other:
                assert reached[one, other] > 0, f"nothing in {one} leads to {other}"


def test_what_the_events_say_of_an_op_lights_up_with_it(rec: Recording, scene: Json) -> None:
    links = scene["links"]
    expected = partners(rec, scene)
    assert len(expected) == len({op.id for op in rec.each(ev.Op) if op.inside is None})
    for op, ids in expected.items():
        missing = {id for id in ids if id not in links.get(op, []) and id != op}
        assert not missing, f"{op} does not light {missing}"


def test_nothing_lights_up_that_the_events_do_not_join(rec: Recording, scene: Json) -> None:
    """Blocks and runs are lit by one op only, and ops by no run or block of another one."""
    links, expected = scene["links"], partners(rec, scene)
    owner = {id: op for op, ids in expected.items() for id in ids if id[0] in "r"}
    for run, op in owner.items():
        ops = {id for id in links[run] if id[0] == "o" and ">" not in id}
        assert ops == {op}, f"{run} belongs to {op} and lights {ops}"
