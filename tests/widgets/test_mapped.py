"""vmap in the view Tape: the program of one example, the batch axis apart."""

from __future__ import annotations

from typing import Any

import pytest

from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import MAPPED, PER_EXAMPLE, run
from tests.widgets.test_transcripts import text, transcript


def pills(scene: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """What every pill says: (batch axis, one example)."""
    texts = {e["id"]: e["value"] for step in scene["steps"] for e in step["events"] if e["type"] == "value"}
    nodes = [node for node in scene["graph"]["nodes"] if node["kind"] != "op"]
    return {node["label"]: (node.get("batch", {}).get("label", ""), texts[node["id"]]) for node in nodes}


def test_one_example_and_the_batch_axis_apart() -> None:
    scene = tape_scene(run(MAPPED["shared_weights"]))
    assert transcript(scene["steps"][:4]) == text(
        """
        What runs for each example? vmap runs your function once, on 256 examples at a time. This is the program of one of them.
        `w` has no batch axis: all examples share it.
        `x` holds 256 examples. The batch axis stands apart: inside the function `x` is (3,).
        `mul` makes w * x for all 256 examples at once, for each of them of shape (3,).
        """  # noqa: E501
    )
    assert transcript(scene["steps"][5:]) == text(
        """
        `sum` makes s = sum([1, 2, 3]) = 6, once for all examples.
        `mul` makes h * s for all 256 examples at once, for each of them of shape (3,).
        `sum` makes (h * s).sum() for all 256 examples at once, for each of them one number.
        Outside, the results of all examples stand together again: (h * s).sum() has shape (256,) and mean 16.32.
        """
    )
    assert pills(scene) == {
        "w": ("", "[1, 2, 3]"),
        "x": ("B=256", "(3,)"),
        "w * x": ("B=256", "(3,)"),
        "h": ("B=256", "(3,)"),
        "s": ("", "6"),
        "h * s": ("B=256", "(3,)"),
        "(h * s).sum()": ("B=256", "()"),
    }
    assert "batch" in scene["legend"]


def test_the_inner_walk_of_per_example_gradients_is_part_of_the_program() -> None:
    scene = tape_scene(run(PER_EXAMPLE))
    assert scene["graph"]["bands"][0]["label"] == "made by the backward walk"
    assert "In the inner walk, `mul` makes" in transcript(scene["steps"])
    assert scene["steps"][-1]["say"].endswith("has shape (8, 3) and mean 0.009866.")


def test_two_batch_axes() -> None:
    scene = tape_scene(run(MAPPED["two_batch_axes"]))
    assert "B=4" in {label for label, _ in pills(scene).values()}


def test_the_walk_of_one_example() -> None:
    scene = backward_scene(run(PER_EXAMPLE))
    assert pills(scene)["w * x"] == ("B=8", "(3,)")


@pytest.mark.parametrize("name", MAPPED)
def test_a_pill_has_room_for_both_parts(name: str) -> None:
    for node in tape_scene(run(MAPPED[name]))["graph"]["nodes"]:
        if "batch" in node:
            assert node["w"] >= node["batch"]["w"] + 24
