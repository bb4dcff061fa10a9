"""Hooks in the view Backward: a mark on what has them, a step for each that fires, in the order in which they fire."""

from __future__ import annotations

from typing import Any

from minitorch_lab.recording import events as ev
from minitorch_lab.widgets.backward import backward_scene
from tests.widgets.runs import HOOK, HOOKS, run
from tests.widgets.test_transcripts import text, transcript


def events(scene: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for step in scene["steps"] for event in step["events"] if event["type"] == kind]


def test_every_hook_fires_in_a_step_of_its_own() -> None:
    scene = backward_scene(run(HOOKS))
    assert transcript(scene["steps"][4:]) == text(
        """
        `z` starts with 1: it changes one for one with itself.
        `mul` sends 10 to `y`: 1 (from above) × 10 (the saved 10). Its pin drops.
        A hook on the node of `mul` turns 10 into 20.
        The hook `clip` on `y` turns 20 into 1: from here on the walk carries 1.
        A hook on `y` sees 1 and leaves it.
        `mul` sends 1 to `x`: 1 (from above) × 1 (the saved 1). Its pin drops.
        A hook on `x` turns 1 into 3: that is what x.grad gets.
        backward() is over: `x.grad` is 3.
        """
    )


def test_marks_stand_on_what_has_hooks_when_the_walk_begins() -> None:
    recording = run(HOOKS)
    scene = backward_scene(recording)
    labels = {node["id"]: node["label"] for node in scene["graph"]["nodes"]}
    assert sorted(labels[event["id"]] for event in events(scene, "hooked")) == ["mul", "x", "y"]
    assert "hook" in scene["legend"]
    (start,) = [step for step in scene["steps"] if any(event["type"] == "hooked" for event in step["events"])]
    assert start["say"].startswith("`z` starts with 1")


def test_a_hook_is_shown_on_the_line_where_it_is_written() -> None:
    scene = backward_scene(run(HOOKS))
    (step,) = [step for step in scene["steps"] if "clip" in step["say"]]
    lines = {line["id"]: line["text"] for line in scene["source"]}
    assert lines[step["line"]] == "def clip(g):"


def test_a_leaf_takes_what_its_hooks_have_left() -> None:
    scene = backward_scene(run(HOOKS))
    trays = [event for event in events(scene, "sum") if event["id"] == "t1"]
    assert [(event["text"], event["state"]) for event in trays] == [("1", "wait"), ("3", "ok")]


def test_the_numbers_of_a_hook() -> None:
    recording = run(HOOK)
    (hook,) = recording.each(ev.Hook)
    assert (hook.before.scalar, hook.after.scalar, hook.name) == (10.0, 1.0, "")
    assert [(h.before, h.after) for h in recording.each(ev.Hooked)] == [(1, 0)]
    assert [event["text"] for event in events(backward_scene(recording), "hook")] == ["hook: 10 → 1"]


def test_a_hook_that_computes_on_the_tape_is_told_too() -> None:
    scene = backward_scene(
        run(
            "x = ml.tensor(3.0, requires_grad=True)\n"
            "x.register_hook(lambda g: g * 2)\n"
            "with record() as rec:\n"
            "    y = x ** 2\n"
            "    y.backward(create_graph=True)\n"
            "    x.grad.backward()\n"
        )
    )
    assert "Inside its hook, `mul` makes g * 2 = 6 × 2 = 12" in transcript(scene["steps"])
