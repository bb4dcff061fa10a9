"""The walk in the reader's own order, right and wrong, as text."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, RecordingError
from minitorch_lab.lessons.own import own_op
from minitorch_lab.recording.ordered import graph_of
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.ordered import ordered_scene
from tests.widgets.runs import EXP, LISTING_1, run


def walked(order: Any) -> str:
    steps = ordered_scene(run(EXP), order, "Where does my order lead?")["steps"]
    start = next(k for k, step in enumerate(steps) if "starts with" in step["say"])
    return "\n".join(step["say"] for step in steps[start + 1 :])


def named(root: Any, *names: str) -> list[Any]:
    """The nodes behind `root`, by name."""
    found = [root]
    for node in found:
        found += [edge for edge, _ in node.next_functions if edge is not None and edge not in found]
    return [next(node for node in found if node.name() == f"{name}Backward") for name in names]


def text(block: str) -> str:
    return dedent(block).strip()


def test_a_right_order_ends_at_ten() -> None:
    assert walked(lambda root: named(root, "Mul", "Add", "Exp")) == text(
        """
        `mul` sends 3 to `v2`: 1 (from above) × 3 (the saved v3).
        `mul` sends 2 to `v3`: 1 (from above) × 2 (the saved v2). Its pins drop.
        `add` sends 2 to `v2`: 2 (from above) × 1. Adding passes a gradient through unchanged. `v2` now holds 3 + 2 = 5.
        `exp` sends 10 to `v1`: 5 (from above) × 2 (the saved v2). Its pin drops.
        `v1` ends with 10, and that is the right gradient.
        """
    )


def test_an_order_that_is_too_early_ends_at_six() -> None:
    assert walked(lambda root: named(root, "Mul", "Exp", "Add")) == text(
        """
        `mul` sends 3 to `v2`: 1 (from above) × 3 (the saved v3).
        `mul` sends 2 to `v3`: 1 (from above) × 2 (the saved v2). Its pins drop.
        Your order runs `exp` now. But v2 was used twice, and only 1 of its 2 parts has arrived.
        `exp` sends 6 to `v1`: 3 (from above) × 2 (the saved v2). Its pin drops.
        `add` sends 2 to `v2`, too late: `exp` has run already, with 3.
        `v1` ends with 6; the right gradient is 10. A node runs only after all readers of its value.
        """
    )


def test_the_order_of_the_forward_pass_sends_nothing() -> None:
    assert walked(lambda root: named(root, "Exp", "Add", "Mul")) == text(
        """
        Your order runs `exp` now. Nothing has arrived at v2, so it has nothing to send.
        Your order runs `add` now. Nothing has arrived at v3, so it has nothing to send.
        `mul` sends 3 to `v2`, too late: `exp` has run already, with nothing.
        `mul` sends 2 to `v3`, too late: `add` has run already, with nothing. Its pins drop.
        Nothing has arrived at `v1`; the right gradient is 10.
        """
    )


def test_an_order_that_leaves_a_node_out() -> None:
    assert "`add` is not in your order: what has arrived at v3, 2, goes no further." in walked(
        lambda root: named(root, "Mul", "Exp")
    )


def test_a_node_that_is_listed_twice_runs_once() -> None:
    assert walked(lambda root: named(root, "Mul", "Mul", "Add", "Exp")) == walked(
        lambda root: named(root, "Mul", "Add", "Exp")
    )


def test_the_phase_turns_where_the_order_goes_wrong() -> None:
    steps = ordered_scene(run(EXP), lambda root: named(root, "Mul", "Exp", "Add"), "?")["steps"]
    assert [step["phase"] for step in steps[-6:]] == ["backward"] * 2 + ["wrong order"] * 4
    assert steps[-1]["events"][0]["right"] == "10"


def test_the_picture_is_that_of_the_plain_view() -> None:
    order = ordered_scene(run(EXP), lambda root: [root], "?")["graph"]
    plain = backward_scene(run(EXP))["graph"]
    assert [node["id"] for node in order["nodes"]] == [node["id"] for node in plain["nodes"]]
    assert [edge["id"] for edge in order["edges"]] == [edge["id"] for edge in plain["edges"]]


def test_the_graph_is_made_again_with_its_edges() -> None:
    nodes = graph_of(run(LISTING_1))
    names = {name: [edge and edge.name() for edge in node.edges] for name, node in nodes.items()}
    assert sorted(names.values(), key=len) == [[], ["AccumulateGrad", None], ["MulBackward", None]]


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (lambda root: None, "order(root) returned a NoneType."),
        (lambda root: [root, *root.next_functions], "order(root) returned a list with (<MulBackward>, 0) in it."),
        (lambda root: [root, None], "order(root) returned a list with None in it."),
    ],
)
def test_what_is_no_order_is_answered(order: Any, told: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ordered_scene(run(LISTING_1), order, "?")
    assert str(caught.value).startswith(told)


def test_an_op_of_the_readers_own_cannot_be_walked_again() -> None:
    x = ml.tensor(3.0, requires_grad=True)
    with ml.record() as rec:
        own_op("mine", lambda x: x * 2, lambda g: g * 2)(x).backward()
    with pytest.raises(RecordingError, match="the rules of mine, an op of the reader's own"):
        ordered_scene(rec, lambda root: [root], "?")


def test_an_order_needs_a_walk() -> None:
    with ml.record() as rec:
        ml.ones(2)
    with pytest.raises(RecordingError, match="a recording without a backward pass"):
        ordered_scene(rec, lambda root: [root], "?")
