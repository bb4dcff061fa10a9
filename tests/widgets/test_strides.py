"""The view "Strides": its addresses are those of the memory itself."""

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets.strides import strides_example, strides_scene


def test_the_worked_example_tells_the_rule() -> None:
    say = [step["say"] for step in strides_scene(strides_example())["steps"]]
    assert say[0] == (
        "Which number does an index mean? All 4 look at one row of numbers. Only the rule differs: offset and strides."
    )
    assert say[1].endswith("Row order: read row by row, the addresses follow each other.")
    assert say[8] == (
        "`x.T` has shape (3, 2), strides (1, 3) and offset 0: a view of the memory of `x`, no number moves. "
        "Column order: read column by column, the addresses follow each other."
    )
    assert say[10] == "`x.T[0, 1]` is at 0 + 0·1 + 1·3 = 3, where 30 stands."
    assert any("Stride 0 along axis 1: that index changes nothing, it is broadcast." in text for text in say)


def test_addresses_are_those_of_the_memory() -> None:
    """A number written through a view is found, by its address, in the memory that the picture shows."""
    x = ml.arange(24).reshape(2, 3, 4)
    views = {"x": x, "turned": x.permute(2, 0, 1), "step": x[:, ::2, 1:], "back": x.T if x.ndim == 2 else x[1]}
    panel = strides_scene(views)["panels"][0]
    memory = {cell["id"]: cell["text"] for cell in panel["memories"][0]["cells"]}
    for view in panel["views"]:
        for cell in view["cells"]:
            assert memory[cell["to"]] == cell["text"]
    assert len(panel["memories"]) == 1


def test_two_memories_are_two_rows() -> None:
    panel = strides_scene({"x": ml.arange(4), "copy": ml.arange(4).clone()})["panels"][0]
    assert [view["memory"] for view in panel["views"]] == [0, 1]


@pytest.mark.parametrize(
    ("shown", "message"),
    [
        ({}, "Strides got no tensors."),
        ({"x": 3}, "Strides got a int under the name 'x'."),
        ({"x": ml.zeros(10, 10)}, "Strides got 'x' of shape (10, 10), on 100 entries of memory."),
        ({"x": ml.zeros(100)[:4]}, "Strides got 'x' of shape (4,), on 100 entries of memory."),
    ],
)
def test_what_cannot_be_drawn_is_refused(shown: dict[str, object], message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        strides_scene(shown)  # pyright: ignore[reportArgumentType]
    assert str(error.value).startswith(message)
    assert "Did you mean" in str(error.value)
