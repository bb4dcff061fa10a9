"""Charts on the clock of a view: the cursor follows the step, a click sets it, the numbers are those of the account."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import plotly.graph_objects as go
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets import Chart, Memory, Tape


def click(chart: Chart, x: float, trace: int = 0) -> None:
    """What plotly does when the reader clicks on a trace."""
    called: Any = chart.figure.data[trace]._dispatch_on_click
    called(SimpleNamespace(xs=[x]), None)


def test_the_cursor_follows_the_step_and_a_click_sets_it() -> None:
    chart = Chart(Memory())
    assert chart.cursor == 1
    chart.view.step = 6
    assert chart.cursor == 7
    click(chart, 3)
    assert (chart.view.step, chart.cursor) == (2, 3)


def test_a_figure_of_ones_own_with_its_own_axis() -> None:
    x = ml.tensor(1.0, requires_grad=True)
    with ml.record() as rec:
        (x * 2).exp().backward()
    view = Tape(rec)
    times = [10.0 * k for k in range(view.steps)]
    figure = go.Figure(go.Scatter(x=times, y=times))
    chart = Chart(view, figure, x=times)
    assert len(figure.layout.shapes) == 0, "the figure that was given stays as it was"
    view.step = 3
    assert chart.cursor == 30
    click(chart, 18)
    assert view.step == 2


def test_the_default_figure_counts_what_the_account_counts() -> None:
    with ml.record() as rec, ml.memory.account() as account:
        x = ml.ones(64, 64, requires_grad=True)
        ((x * 2).sin().sum()).backward()
    chart = Chart(rec)
    tops = [sum(column) for column in zip(*(trace.y for trace in chart.figure.data), strict=True)]
    assert tops[-1] == account.live
    assert max(tops) <= account.peak


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ((3,), "Chart got a int.\n  It puts a plotly figure on the clock of a view."),
        ((Tape(),), "Chart got Tape without a figure.\n  Without one it draws the bytes alive"),
        ((Tape(), [1, 2]), "Chart got a list as its figure.\n  The cursor is a line in a plotly figure."),
        ((Tape(), go.Figure(), [1, 2]), "Chart got 2 places in x for 7 steps.\n  Each step of the view has one place"),
        ((Tape(), go.Figure(), [7, 6, 5, 4, 3, 2, 1]), "Chart got 7 places in x for 7 steps.\n"),
    ],
)
def test_what_does_not_fit_is_refused(given: tuple[Any, ...], text: str) -> None:
    with pytest.raises(ArgumentError) as error:
        Chart(*given)
    assert str(error.value).startswith(text)
