"""Checkpoints: what they drop, and how the walk runs them again, forward, inside the backward pass."""

from __future__ import annotations

from typing import Any

from minitorch_lab.recording import events as ev
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import CHECKPOINT, NESTED, SEGMENTS, run
from tests.widgets.test_transcripts import text, transcript


def test_a_checkpoint_keeps_its_arguments_and_its_ops_run_again() -> None:
    rec = run(CHECKPOINT)
    (segment,) = rec.each(ev.Segment)
    names = {n.id: n.name for n in rec.each(ev.Name)}
    assert [names[t] for t in segment.keeps] == ["x"]
    ops = rec.each(ev.Op)
    assert [(op.id, op.op) for op in ops if op.segment == segment.id] == [("o1", "exp"), ("o2", "sin"), ("o3", "mul")]
    assert [(op.op, op.again) for op in ops if op.again] == [("exp", "o1"), ("sin", "o2"), ("mul", "o3")]
    nodes = {op.node for op in ops if op.segment}
    assert all(save.dropped == (save.node in nodes) for save in rec.each(ev.Save))


def test_the_walk_stops_to_run_the_checkpoint_again() -> None:
    scene = backward_scene(run(CHECKPOINT))
    assert transcript(scene["steps"][2:17]) == text(
        """
        `exp` makes a = exp(0.5) = 1.649, and its node keeps nothing: it is inside a checkpoint.
        `sin` makes b = sin(1.649) = 0.997, and its node keeps nothing: it is inside a checkpoint.
        `mul` makes y = 0.997 × 1.649 = 1.644, and its node keeps nothing: it is inside a checkpoint.
        The checkpoint is done. It keeps `x`, 4 B. What its 3 ops would have kept is dropped: 2 tensors, 8 B.
        `mul` makes z = 1.644 × 2 = 3.287 and keeps 2: it is the derivative by the other input.
        `z` starts with 1: it changes one for one with itself.
        `mul` sends 2 to `y`: 1 (from above) × 2 (the saved 2). Its pin drops.
        `mul` needs what was not kept. So the checkpoint runs again, forward, from x.
        `exp` makes a = 1.649 a second time, and now keeps what its node needs.
        `sin` makes b = 0.997 a second time, and now keeps what its node needs.
        `mul` makes y = 1.644 a second time, and now keeps what its node needs.
        `mul` sends 3.297 to `b`: 2 (from above) × 1.649 (the saved a).
        `mul` sends 1.994 to `a`: 2 (from above) × 0.997 (the saved b). Its pins drop.
        `exp` must wait: a was used twice, and only 1 of its 2 parts has arrived.
        `sin` sends −0.2567 to `a`: 3.297 (from above) × (−0.07785) (cos of the saved a). Its pin drops.
        """
    )
    assert [step["phase"] for step in scene["steps"]].count("recomputation") == 4
    assert "3 ops ran a second time." in scene["steps"][-1]["say"]


def faded(scene: dict[str, Any], last: int) -> set[str]:
    gone: set[str] = set()
    for step in scene["steps"][: last + 1]:
        for event in step["events"]:
            if event["type"] == "fade":
                gone |= set(event["ids"])
            elif event["type"] == "return":
                gone -= set(event["ids"])
    return gone


def test_what_is_not_kept_is_hollow_returns_and_vanishes() -> None:
    scene = backward_scene(run(CHECKPOINT))
    labels = {node["id"]: node["label"] for node in scene["graph"]["nodes"]}
    says = [step["say"] for step in scene["steps"]]
    dropped = next(k for k, say in enumerate(says) if say.startswith("The checkpoint is done"))
    again = max(k for k, say in enumerate(says) if "a second time, and now" in say)
    assert sorted(labels[i] for i in faded(scene, dropped)) == ["a", "b", "exp", "mul", "sin"], "y is read outside"
    assert faded(scene, again) == set()
    assert sorted(labels[i] for i in faded(scene, len(says) - 1)) == ["a", "b", "exp", "mul", "sin"]


def test_bytes_kept() -> None:
    scene = backward_scene(run(CHECKPOINT))
    bars = {bar["label"]: bar for bar in scene["kept"]}
    assert bars["x"]["spans"][0][0] == 2, "the argument is kept from the first op on"
    assert bars["a"]["spans"][0][0] > 8, "what is inside only while the walk needs it"
    last = backward_scene(run(SEGMENTS))["steps"][-1]["say"]
    assert last.endswith(
        "4 ops ran a second time. The tape kept at most 3 KiB; without checkpoints it would have kept 4.75 KiB."
    )


def test_a_checkpoint_inside_a_checkpoint_runs_twice_more() -> None:
    said = transcript(backward_scene(run(NESTED))["steps"])
    assert "and again keeps nothing: it is inside a checkpoint of its own." in said
    assert "`exp` needs what was not kept. So the checkpoint runs again, forward, from x (2)." in said
    assert "6 ops ran a second time." in said


def test_the_tape_shows_each_op_once() -> None:
    scene = tape_scene(run(CHECKPOINT))
    assert [node["label"] for node in scene["graph"]["nodes"] if node["kind"] == "op"] == ["exp", "sin", "mul", "mul"]
