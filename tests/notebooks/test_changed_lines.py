"""What the lessons ask a reader to do: change a line, run the cell again, see another picture."""

from __future__ import annotations

import nbformat
import pytest

import minitorch_lab as ml
from tests.notebooks.rerun import ROOT, rerun


def told(name: str, cell_id: str, line: str, changed: str) -> str:
    """The transcript of the view under a cell, with one line of the cell changed."""
    cells = {cell.id: cell for cell in nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells}
    assert cells[cell_id].source.count(line) == 1
    source = cells[cell_id].source.replace(line, changed)
    body, view = source.rsplit("\n", 1)
    shown = nbformat.v4.new_code_cell(f"{body}\nprint(*{view}.transcript(), sep='\\n')")
    notebook = rerun(nbformat.v4.new_notebook(cells=[cells["imports"], shown]))
    return notebook.cells[1].outputs[-1].text


@pytest.mark.parametrize(
    ("name", "cell", "line", "changed", "sentence"),
    [
        ("02_the_tape", "two-nodes", "y = x * 2", "y = x * 2", "`mul` makes y = 1 × 2 = 2 and keeps 2"),
        ("02_the_tape", "two-nodes", "y = x * 2", "y = x * x", "`mul` makes y = 1 × 1 = 1 and keeps x"),
        ("02_the_tape", "two-nodes", "y = x * 2", "y = x / 2", "`div` makes y = 1 / 2 = 0.5 and keeps 2"),
        ("02_the_tape", "two-nodes", "y = x * 2", "y = x ** 2", "`pow` makes y = 1² = 1 and keeps its input"),
        ("03_backward", "walk", "v3 = 1 + v2", "v3 = 1 + v2", "`v1` is done: 10 = 6 + 4"),
        ("03_backward", "walk", "v3 = 1 + v2", "v3 = 2 + v2", "`v1` is done: 12 = 8 + 4"),
        ("04_forward_and_reverse", "same", "v3 = 1 + v2", "v3 = 1 + v2", "its tangent is 2 × 3 + 2 × 2 = 10"),
        ("04_forward_and_reverse", "same", "v3 = 1 + v2", "v3 = 2 + v2", "its tangent is 2 × 4 + 2 × 2 = 12"),
        ("04_forward_and_reverse", "push-exercise", "return dx", "return dx", "ratio(6, 2) = 3; its tangent is 1."),
        (
            "04_forward_and_reverse",
            "push-exercise",
            "return dx",
            "return dx / y",
            "ratio(6, 2) = 3; its tangent is 0.5.",
        ),
        ("07_function_transforms", "loss-exercise", "return -scores[label]", "return -scores[label]", "`neg` sends −1"),
        (
            "07_function_transforms",
            "loss-exercise",
            "return -scores[label]",
            "return scores.exp().sum().log() - scores[label]",
            "`scores` must wait",
        ),
        ("07_function_transforms", "batch-exercise", "(x * y).sum()", "(x * y).sum()", "`sum` makes"),
        (
            "08_modules_and_state",
            "norm-exercise",
            "self.bias = ml.nn.Parameter(ml.zeros(channels))",
            'self.register_buffer("bias", ml.zeros(channels))',
            "`1`, Norm, holds weight (3,), and the buffer bias: 3 numbers to learn",
        ),
        ("10_execution_models", "eager", "y = x * 2", "y = x * 2", "`mul` makes y = 1 × 2 = 2 and keeps 2"),
        ("10_execution_models", "eager", "y = x * 2", "y = x * x", "`mul` makes y = 1 × 1 = 1 and keeps x"),
        ("03_backward", "freeze", "h = w1 * x", "h = (w1 * x).detach()", "backward() is over: `w2.grad` is 2."),
    ],
)
def test_a_changed_line_changes_the_picture(name: str, cell: str, line: str, changed: str, sentence: str) -> None:
    assert sentence in told(name, cell, line, changed)


def test_a_single_number_is_not_spoiled_through_data_as_02_says() -> None:
    for value, gradient in ((1.0, 2.7183), ([1.0], 271.8282)):
        x = ml.tensor(value, requires_grad=True)
        y = x.exp()
        other = y.data
        other *= 100
        y.backward()
        assert x.grad.item() == pytest.approx(gradient, rel=1e-4)
