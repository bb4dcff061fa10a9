"""What the lessons draw and print: memory, digits, and the answers to predictions."""

from __future__ import annotations

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, ShapeError
from minitorch_lab.lessons.gallery import gallery
from minitorch_lab.lessons.lesson_01_strides.cells import memory
from minitorch_lab.lessons.predict import predicted


def test_tensors_over_one_memory_stand_under_the_same_cells() -> None:
    x = ml.arange(6).reshape(2, 3)
    assert repr(memory(x=x, t=x.T, part=x[1:, 1:])) == (
        "6 cells of 8 bytes\n"
        "cell     0    1    2    3    4    5\n"
        "value    0    1    2    3    4    5\n"
        "x      0,0  0,1  0,2  1,0  1,1  1,2\n"
        "t      0,0  1,0  2,0  0,1  1,1  2,1\n"
        "part                       0,0  0,1"
    )


def test_a_cell_that_is_read_twice_names_both_indices() -> None:
    row = ml.tensor([1.0, 2.5])
    assert repr(memory(wide=row.expand(2, 2))).splitlines()[-2:] == ["wide   0,0  0,1", "       1,0  1,1"]
    assert "0,0<br>1,0" in memory(wide=row.expand(2, 2))._repr_html_()


def test_values_are_written_as_what_they_are() -> None:
    assert repr(memory(x=ml.tensor([1234567, -1]))).splitlines()[2].split() == ["value", "1234567", "-1"]
    assert repr(memory(x=ml.tensor([True, False]))).splitlines()[2].split() == ["value", "True", "False"]
    assert repr(memory(x=ml.tensor([0.1, 2.0]))).splitlines()[2].split() == ["value", "0.1", "2"]


def test_other_memory_is_another_table() -> None:
    x = ml.tensor(3.0)
    shown = repr(memory(x=x, y=ml.zeros(2))).split("\n\n")
    assert shown[0] == "1 cell of 4 bytes\ncell    0\nvalue   3\nx      ()"
    assert shown[1].startswith("2 cells of 4 bytes")
    assert memory(x=x, y=ml.zeros(2))._repr_html_().count("<table") == 2


def test_only_cells_that_are_read_are_tinted() -> None:
    page = memory(**{"<b>": ml.arange(3)[1:]})._repr_html_()
    assert page.count("background") == 2
    assert "&lt;b&gt;" in page


@pytest.mark.parametrize(
    ("tensors", "told"),
    [
        ({}, "Did you mean memory\\(x=x\\)\\?"),
        ({"x": [1, 2]}, "Did you mean x=ml.tensor\\(\\[1, 2\\]\\)\\?"),
        ({"x": ml.zeros(1000, 2)[0]}, "memory got x, whose memory has 2,000 cells."),
    ],
)
def test_what_memory_cannot_show(tensors: dict[str, ml.Tensor], told: str) -> None:
    with pytest.raises(ArgumentError, match=told):
        memory(**tensors)


def test_the_gallery_puts_twelve_in_a_row_with_gaps_between() -> None:
    digits = ml.data.Digits()
    figure = gallery(digits.images[:13], [f"no. {k}" for k in range(13)])
    (heatmap,) = figure.data
    wall = ml.tensor(heatmap.z)
    assert wall.shape == (20, 120)
    assert wall[:8, 10:18].tolist() == digits.images[1].reshape(8, 8).tolist()
    assert wall[10:18, :8].tolist() == digits.images[12].reshape(8, 8).tolist()
    assert (wall[8:10] == wall[8:10]).sum().item() == 0  # nothing is drawn in a gap
    assert [note.text for note in figure.layout.annotations][12] == "no. 12"
    assert len(figure.to_json()) < 100_000


@pytest.mark.parametrize(("shape", "captions"), [((2, 64), ["a"]), ((64,), []), ((2, 60), ["a", "b"])])
def test_what_the_gallery_cannot_show(shape: tuple[int, ...], captions: list[str]) -> None:
    with pytest.raises(ShapeError, match=r"It takes images of shape \(n, 64\) and n captions."):
        gallery(ml.zeros(*shape), captions)


def test_a_guess_is_compared_whatever_its_form() -> None:
    assert predicted("The Sum ", "the sum", "So.").state == "right"
    assert predicted([[1], 2], ((1,), 2), "So.").state == "right"
    for guess, truth in (
        ("18", 18),
        (np.int64(18), 18),
        (18.0, "18"),
        (1, True),
        (np.array([1, 2]), (1, 2)),
        ("−2", -2),
    ):
        assert predicted(guess, truth, "So.").state == "right"
    assert predicted("17", 18, "So.").state == predicted("", 18, "So.").state == "not quite"
    assert repr(predicted(2.0, 3.5, "So.")) == "not quite: you said 2.0, it is 3.5. So."
    assert "3.5" not in repr(predicted(None, 3.5, "It is 3.5."))
