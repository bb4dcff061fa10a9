"""Walks that return gradients: autograd.grad, and the transforms with tapes of their own."""

from __future__ import annotations

from minitorch_lab.widgets.backward import backward_scene
from tests.widgets.runs import AS_A_RESULT, GRAD, GRAD_GRAD, TWO_ROOTS, run
from tests.widgets.test_transcripts import transcript


def test_gradients_that_are_returned() -> None:
    scene = backward_scene(run(AS_A_RESULT))
    said = [step["say"] for step in scene["steps"] if "is over" in step["say"]]
    assert said[0] == (
        "autograd.grad() is over: the gradient by `x` is 27. Move x by a little, and y moves 27 times as much. "
        "The walk itself was recorded: 3 new nodes, which a second walk can go over."
    )
    assert "Inside the rule of `pow`, `mul` makes 3 × x² = 3 × 9 = 27" in transcript(scene["steps"])
    assert said[1] == "autograd.grad() is over: the gradient by `x` is 18."
    (leaf,) = [node for node in scene["graph"]["nodes"] if "tray" in node]
    assert leaf["tray"]["label"] == "gradient by x", "no .grad is touched"


def test_a_walk_from_two_roots_that_returns_the_gradient_of_a_value_between() -> None:
    said = transcript(backward_scene(run(TWO_ROOTS))["steps"])
    assert "`y` now holds 1 + 6 = 7: the second arrival is added.\n" in said.replace("(2)", "")
    assert "is the gradient by `y`: it was asked for." in said
    assert said.endswith("autograd.grad() is over: the gradient by `y` is 13 and the gradient by `x` is 26.")


def test_a_transform_walks_a_tape_of_its_own() -> None:
    said = transcript(backward_scene(run(GRAD))["steps"])
    assert said.startswith("How does the result change with x1 and x2?")
    assert "`x1` now holds 5 + 0.5 = 5.5" in said
    assert said.endswith("The walk is over: the gradient by `x2` is 1.716 and the gradient by `x1` is 5.5.")


def test_grad_of_grad_walks_over_what_the_inner_walk_computed() -> None:
    said = transcript(backward_scene(run(GRAD_GRAD))["steps"])
    assert "In the inner walk, `mul` makes" in said
    assert said.endswith("The walk is over: the gradient by `x` is 18.")
