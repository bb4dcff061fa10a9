"""Forward mode as text: values and tangents, side by side."""

# ruff: noqa: E501 (a sentence is one line, as in the view)

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.widgets.forward import forward_scene
from tests.widgets.runs import EXP, FORWARD, run
from tests.widgets.test_transcripts import text, transcript


def test_squares_and_sines() -> None:
    scene = forward_scene(run(FORWARD["x2_sin"]))
    assert transcript(scene["steps"]) == text(
        """
        How does x**2 * x.sin() move when x moves? Every op computes its value and its tangent in one step; nothing is kept.
        `x` is 2 and moves: its tangent is 1.
        `pow` makes x**2 = 2² = 4; its tangent is 1 × 4 = 4, with n × xⁿ⁻¹.
        `sin` makes x.sin() = sin(2) = 0.9093; its tangent is 1 × (−0.4161) = −0.4161, with cos of x.
        `mul` makes x**2 * x.sin() = 4 × 0.9093 = 3.637; its tangent is 4 × 0.9093 + (−0.4161) × 4 = 1.973.
        The result x**2 * x.sin() is 3.637, and its tangent is 1.973: move x by a little, and x**2 * x.sin() moves 1.973 times as much.
        """
    )
    assert not scene["kept"], "forward mode keeps nothing"
    assert {node["kind"] for node in scene["graph"]["nodes"]} == {"value", "op", "const"}


def test_two_directions_are_two_passes_over_one_graph() -> None:
    scene = forward_scene(run(FORWARD["both_directions"]))
    assert sum(node["kind"] == "op" for node in scene["graph"]["nodes"]) == 5
    first, second = (
        [step["say"] for step in scene["steps"] if step["phase"] == phase] for phase in ("first pass", "second pass")
    )
    assert first[-1] == (
        "The result is 11.65, and its tangent is 5.5: move x1 by a little, and the result moves 5.5 times as much."
    )
    assert second[2] == "`log`: the tangent of x1.log() is 0 × 0.5 = 0, with 1 / x1."
    assert second[-2:] == [
        "`sub`: the tangent of result is 2 − 0.2837 = 1.716.",
        "The result is 11.65, and its tangent is 1.716: move x2 by a little, and the result moves 1.716 times as much.",
    ]
    cleared = next(step for step in scene["steps"] if step["phase"] == "second pass")
    assert cleared["events"][0]["type"] == "clear"


def test_what_is_written_in_place_is_a_new_value() -> None:
    said = transcript(forward_scene(run(FORWARD["written_in_place"]))["steps"])
    assert "= 6 + 1 = 7; its tangent is 2." in said
    assert said.endswith("is 21, and its tangent is 13: move x by a little, and y * x moves 13 times as much.")


def test_tensors_and_all_directions_at_once() -> None:
    said = transcript(forward_scene(run(FORWARD["matrices"]))["steps"])
    assert "`matmul` makes w @ x = [[1, 2], [3, 4]] @ [0.1, 0.2] = [0.5, 1.1]; its tangent is [1, 3]." in said
    scene = forward_scene(run(FORWARD["every_direction_at_once"]))
    assert "its tangent is [[1, 0], [0, 1]]" in transcript(scene["steps"])


def test_the_tangents_are_those_of_jvp() -> None:
    scene = forward_scene(run(FORWARD["x2_sin"]))
    _, tangent = ml.func.jvp(lambda x: x**2 * x.sin(), (ml.tensor(2.0),), (ml.tensor(1.0),))
    boxes = [e["text"] for step in scene["steps"] for e in step["events"] if e.get("state") == "tangent"]
    assert boxes[-1] == f"{tangent.item():.4g}"


def test_without_forward_mode() -> None:
    with pytest.raises(RecordingError) as error:
        forward_scene(run(EXP))
    assert str(error.value) == text(
        """
        Forward got a recording without forward mode.
          This view follows the tangents that jvp (or jacfwd) carries along.
          Call ml.func.jvp(f, (x,), (v,)) inside `with ml.record() as rec:`, or show ml.widgets.Backward(rec).
        """
    )
