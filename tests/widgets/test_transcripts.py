"""The views as text: the worked examples of the course, sentence by sentence, with their numbers."""

# ruff: noqa: E501 (a sentence is one line, as in the view)

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError, RecordingError
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import (
    DOUBLE,
    EXP,
    HOOK,
    LISTING_1,
    SQUARE_SINE,
    STALE,
    THROUGH_VIEW,
    TRAINING,
    TWICE,
    TWO_LEAVES,
    run,
)


def transcript(steps: list[dict[str, Any]]) -> str:
    return "\n".join(step["say"] for step in steps)


def text(block: str) -> str:
    return dedent(block).strip()


def test_the_tape_of_two_ops() -> None:
    assert transcript(tape_scene(run(LISTING_1))["steps"]) == text(
        """
        What does the tape remember? Each op runs at once; where an input wants a gradient, it leaves a node behind.
        `x` holds 1. It is a leaf: a tray waits under it for its gradient.
        `mul` makes y = 1 × 2 = 2 and keeps 2: it is the derivative by the other input.
        `add` makes z = 2 + 1 = 3 and keeps nothing: its derivative is 1, whatever came in.
        `add` is read: it kept nothing.
        `mul` is read: its rule uses 2, which it kept. Its pin drops.
        `z.backward()` ran the nodes in reverse order: `add`, `mul`. What they kept is freed; `x.grad` is 2.
        """
    )


def test_the_tape_says_what_its_nodes_point_at() -> None:
    details = tape_scene(run(LISTING_1))["details"]
    assert details["o2"] == "add · AddBackward · next_functions: MulBackward, None · keeps nothing"
    assert details["o1"] == "mul · MulBackward · next_functions: AccumulateGrad, None · keeps the second input = 2"


def test_an_edge_says_what_comes_back_along_it() -> None:
    details = ml.widgets.Backward().scene["details"]
    assert "edge · v2 goes into mul as input 1; back along it comes the gradient 3" in details.values()
    assert "edge · 1 goes into add as input 1" in details.values()  # nothing comes back to a constant


def test_the_walk_over_a_value_that_is_read_twice() -> None:
    assert transcript(backward_scene(run(EXP))["steps"]) == text(
        """
        What is dv4/dv1 at v1 = 0.6931? First the values, then the gradients, one step at a time.
        `v1` holds 0.6931. It is a leaf: a tray waits under it for its gradient.
        `exp` makes v2 = exp(0.6931) = 2 and keeps its own result: the derivative of exp is exp.
        `add` makes v3 = 1 + 2 = 3 and keeps nothing: its derivative is 1, whatever came in.
        `mul` makes v4 = 2 × 3 = 6 and keeps both inputs: each is the other's derivative.
        `v4` starts with 1: it changes one for one with itself.
        `mul` sends 3 to `v2`: 1 (from above) × 3 (the saved v3).
        `mul` sends 2 to `v3`: 1 (from above) × 2 (the saved v2). Its pins drop.
        `exp` must wait: v2 was used twice, and only 1 of its 2 parts has arrived.
        `add` sends 2 to `v2`: 2 (from above) × 1. Adding passes a gradient through unchanged.
        `v2` now holds 3 + 2 = 5: the second arrival is added.
        `add` would also send 2 to the constant 1. Nobody asked for it: it is dropped.
        `exp` sends 10 to `v1`: 5 (from above) × 2 (the saved v2). The tray fills. Its pin drops.
        `v1` is done: 10 = 6 + 4, one part for each path: 6 through `mul` and `exp`, 4 through `mul`, `add` and `exp`.
        backward() is over: `v1.grad` is 10. Move v1 by a little, and v4 moves 10 times as much.
        """
    )


def test_the_same_walk_in_the_wrong_order_ends_at_six() -> None:
    scene = backward_scene(run(EXP))
    wrong = scene["wrong"]["steps"]
    assert [step["say"] for step in wrong[:7]] == [step["say"] for step in scene["steps"][:7]], (
        "the same until it hurries"
    )
    assert transcript(wrong[7:]) == text(
        """
        `exp` does not wait: with only 3 at v2, it sends 6 to `v1`: 3 (from above) × 2 (the saved v2). Its pin drops.
        `mul` sends 2 to `v3`: 1 (from above) × 2 (the saved v2). Its pins drop.
        `add` sends 2 to `v2`, too late: `exp` has run already, with 3.
        `v1` keeps 6; the right gradient is 10. The 2 that came late to v2 was never sent on. So a node runs only after all readers of its value.
        """
    )
    assert wrong[-1]["events"] == [{"type": "sum", "id": "t1", "text": "6", "state": "wrong", "right": "10"}]
    assert {step["phase"] for step in wrong[7:]} == {"wrong order"}


def test_squares_and_sines() -> None:
    scene = backward_scene(run(SQUARE_SINE))
    assert transcript(scene["steps"][2:]) == text(
        """
        `pow` makes a = 2² = 4 and keeps its input and the exponent: the derivative of xⁿ is n × xⁿ⁻¹.
        `sin` makes b = sin(2) = 0.9093 and keeps its input: the derivative of sin is cos of the same input.
        `mul` makes c = 4 × 0.9093 = 3.637 and keeps both inputs: each is the other's derivative.
        `c` starts with 1: it changes one for one with itself.
        `mul` sends 0.9093 to `a`: 1 (from above) × 0.9093 (the saved b).
        `mul` sends 4 to `b`: 1 (from above) × 4 (the saved a). Its pins drop.
        `sin` sends −1.665 to `x`: 4 (from above) × (−0.4161) (cos of the saved x). Its pin drops.
        `x` must wait: x was used twice, and only 1 of its 2 parts has arrived.
        `pow` sends 3.637 to `x`: 0.9093 (from above) × 4 (n × xⁿ⁻¹). Its pins drop.
        `x` now holds −1.665 + 3.637 = 1.973: the second arrival is added.
        `x` is done: 1.973 = 3.637 + (−1.665), one part for each path: 3.637 through `mul` and `pow`, −1.665 through `mul` and `sin`.
        backward() is over: `x.grad` is 1.973. Move x by a little, and c moves 1.973 times as much.
        """
    )
    assert "wrong" not in scene, "only a leaf is read twice, and a leaf adds up whatever comes, in any order"


def test_two_leaves() -> None:
    said = transcript(backward_scene(run(TWO_LEAVES))["steps"])
    assert "`sub` makes y = 10.69 − (−0.9589) = 11.65" in said
    assert "`x1` now holds 5 + 0.5 = 5.5" in said
    assert said.endswith("backward() is over: `x2.grad` is 1.716 and `x1.grad` is 5.5.")


def test_a_second_walk_adds_to_the_tray() -> None:
    steps = backward_scene(run(TWICE))["steps"]
    assert [s["say"] for s in steps if "arrives" in s["say"]] == [
        "`x.grad` was 2, and 3 arrives: 2 + 3 = 5. backward() adds."
    ]


def test_a_hook_is_seen_to_change_what_is_sent_on() -> None:
    said = transcript(backward_scene(run(HOOK))["steps"])
    assert (
        "A hook on `y` turns 10 into 1: from here on the walk carries 1.\n`mul` sends 1 to `x`: 1 (from above) × 1"
        in said
    )


def test_a_hook_on_a_node_changes_what_it_sends() -> None:
    said = transcript(
        backward_scene(
            run(
                "x = ml.tensor(2.0, requires_grad=True)\n"
                "with record() as rec:\n"
                "    y = x * 3\n"
                "    y.grad_fn.register_hook(lambda sent, came: (sent[0] * 10, None))\n"
                "    y.backward()\n"
            )
        )["steps"]
    )
    assert "`mul` sends 3 to `x`: 1 (from above) × 3 (the saved 3)." in said
    assert "A hook on the node of `mul` turns 3 into 30." in said
    assert said.endswith("backward() is over: `x.grad` is 30.")


def test_a_function_of_the_readers_is_told_as_their_own() -> None:
    recording = run(
        "class Scale(ml.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x, factor):\n"
        "        ctx.save_for_backward(factor)\n"
        "        return x * factor\n"
        "    @staticmethod\n"
        "    def backward(ctx, g):\n"
        "        (factor,) = ctx.saved_tensors\n"
        "        return g * factor, None\n"
        "x = ml.tensor(2.0, requires_grad=True)\n"
        "k = ml.tensor(5.0)\n"
        "with record() as rec:\n"
        "    y = Scale.apply(x, k)\n"
        "    y.backward()\n"
    )
    scene = backward_scene(recording)
    assert transcript(scene["steps"][2:]) == text(
        """
        `Scale` makes y = Scale(2, 5) = 10 and keeps what your forward saved: your backward asks for it.
        `y` starts with 1: it changes one for one with itself.
        `Scale` sends 5 to `x`: so says your own backward. The tray fills. Its pin drops.
        backward() is over: `x.grad` is 5. Move x by a little, and y moves 5 times as much.
        """
    )
    assert scene["steps"][2]["line"] == "l13"
    assert [pin["label"] for pin in scene["graph"]["pins"]] == ["k=5"]


def test_retain_grad_is_told() -> None:
    said = transcript(
        backward_scene(
            run(
                "x = ml.tensor(2.0, requires_grad=True)\n"
                "with record() as rec:\n"
                "    y = x * 3\n"
                "    y.retain_grad()\n"
                "    z = y * 5\n"
                "    z.backward()\n"
            )
        )["steps"]
    )
    assert "`y.grad` keeps 5: retain_grad() asked for it." in said


def test_a_walk_that_leaves_the_recording() -> None:
    steps = backward_scene(
        run(
            "x = ml.tensor(2.0, requires_grad=True)\n"
            "y = x * 3\n"
            "with record() as rec:\n"
            "    z = y * 5\n"
            "    z.backward()\n"
        )
    )["steps"]
    assert steps[-1]["say"] == "`y` was made before the recording: from here on the walk goes on unseen."


def test_a_recording_of_the_backward_pass_alone() -> None:
    recording = run("x = ml.tensor(2.0, requires_grad=True)\ny = x * 3\nwith record() as rec:\n    y.backward()\n")
    with pytest.raises(RecordingError) as error:
        backward_scene(recording)
    assert str(error.value) == text(
        """
        Backward got a recording in which backward() ran, but not what it walks over.
          The view draws the ops that were recorded before backward() was called.
          Put the lines that compute the loss inside `with ml.record() as rec:`, too.
        """
    )


def test_double_backward_walks_over_what_the_first_walk_recorded() -> None:
    steps = backward_scene(run(DOUBLE))["steps"]
    phases = [step["phase"] for step in steps]
    assert phases == sorted(phases, key=["start", "forward", "backward", "double backward"].index)
    assert "Inside the rule of `pow`, `pow` makes x² = 3² = 9" in transcript(steps)
    assert steps[-1]["say"] == "backward() is over: `x.grad` is 18."


def test_a_stale_value_is_shown_where_it_happens() -> None:
    recording = run(STALE, GradientError)
    tape = tape_scene(recording)["steps"]
    assert transcript(tape[3:5]) == text(
        """
        `add` writes y′ in place, version 1: [2.718, 7.389, 20.09] + 1 = [3.718, 8.389, 21.09] and keeps nothing: its derivative is 1, whatever came in.
        The memory under y now holds [3.718, 8.389, 21.09], version 1. But `exp` kept version 0: backward will refuse.
        """
    )
    assert [event["type"] for event in tape[4]["events"]] == ["write", "stale"]
    last = backward_scene(recording)["steps"][-1]
    assert last["say"] == "`exp` refuses: ExpBackward saved 'out' at version 0, and its memory is now at version 1."
    assert last["events"] == [{"type": "refuse", "id": "o1"}]


def test_a_number_that_is_spoiled() -> None:
    recording = run(
        "x = ml.tensor(2.0, requires_grad=True)\n"
        "with record() as rec:\n"
        "    h = x * 3\n"
        "    y = h * h\n"
        "    h += 1\n"
        "    y.backward()\n",
        GradientError,
    )
    (step,) = [step for step in backward_scene(recording)["steps"] if "memory under" in step["say"]]
    assert step["say"] == "The memory under h now holds 7, version 1. But `mul` kept version 0: backward will refuse."


def test_a_write_through_a_detached_alias_is_shown_on_what_it_spoils() -> None:
    recording = run(
        "x = ml.tensor([1.0, 2.0], requires_grad=True)\n"
        "with record() as rec:\n"
        "    y = x.exp()\n"
        "    z = y.detach()\n"
        "    z.zero_()\n"
        "    y.sum().backward()\n",
        GradientError,
    )
    (step,) = [step for step in backward_scene(recording)["steps"] if "memory under" in step["say"]]
    assert step["say"] == (
        "The memory under y, written through z, now holds [0, 0], version 1. "
        "But `exp` kept version 0: backward will refuse."
    )
    assert step["line"] == "l5"
    assert [event["type"] for event in step["events"]] == ["write", "stale"]


def test_a_write_through_a_view_is_put_into_its_base() -> None:
    assert transcript(tape_scene(run(THROUGH_VIEW))["steps"][4:6]) == text(
        """
        `mul` writes v′ in place, version 1: [4, 6] × 10 = [40, 60] and keeps 10: it is the derivative by the other input.
        `setitem` makes y′ = [2, 4, 6] with [40, 60] put in = [2, 40, 60] and keeps nothing: its rule needs only the gradient from above.
        """
    )


def test_a_training_step_speaks_of_shapes() -> None:
    steps = backward_scene(run(TRAINING))["steps"]
    said = transcript(steps)
    assert "`linear` makes model(x), of shape (32, 10) with mean" in said
    assert "keeps the scores and the targets: its gradient is softmax(scores) − targets." in said
    assert "`linear` sends `2.weight` a gradient of shape (10, 256), between" in said
    assert steps[-1]["phase"] == "update"
    assert steps[-1]["say"] == (
        "`0.weight`, `0.bias`, `2.weight` and `2.bias` are written in place. no_grad() is on, so the tape does not see them."
    )


def test_what_no_tape_records_is_said() -> None:
    steps = tape_scene(
        run(
            "x = ml.tensor(2.0, requires_grad=True)\n"
            "with record() as rec:\n"
            "    with ml.no_grad():\n"
            "        a = x * 3\n"
            "    b = x.detach()\n"
            "    c = b + 1\n"
            "    d = x > 1\n"
        )
    )["steps"]
    assert [step["say"].partition("The tape records nothing: ")[2] for step in steps[2:]] == [
        "no_grad() is on.",
        "detach leaves the history behind.",
        "no input wants a gradient.",
        "gt has no derivative.",
    ]


def test_an_exception_ends_the_story_with_its_first_sentence() -> None:
    steps = tape_scene(run("x = ml.ones(2, 3)\nwith record() as rec:\n    y = x * 2\n    y @ x\n", ValueError))["steps"]
    assert steps[-1]["say"].startswith("Here the code stops with ShapeError: matmul")
    assert steps[-1]["line"] == "l4"


def test_an_empty_recording_says_what_to_do() -> None:
    recording = run("with record() as rec:\n    pass\n")
    assert transcript(tape_scene(recording)["steps"]) == (
        "Nothing ran in this recording. Put the lines to watch inside `with ml.record() as rec:`."
    )
    with pytest.raises(RecordingError) as error:
        backward_scene(recording)
    assert str(error.value) == text(
        """
        Backward got a recording without a backward pass.
          This view walks the graph from a tensor whose backward() was recorded.
          Call loss.backward() inside `with ml.record() as rec:`, or show ml.widgets.Tape(rec).
        """
    )
