"""The progress bar in a terminal, and the plot in a real Jupyter kernel."""

import math
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path

import nbformat
import pytest

import minitorch_lab as ml
from book.making.run import execute
from minitorch_lab.train import History, LossPlot, Progress
from minitorch_lab.train.lossplot import figure
from minitorch_lab.train.sketch import sketch

ROOT = Path(ml.__file__).parents[1]
PLOTLY = "application/vnd.plotly.v1+json"


def test_the_bar_counts_steps_and_names_the_numbers(capsys):
    history, bar = History(1, 2), Progress()
    bar.on_start(history)
    for loss in (3.0, 1.0):
        history.losses.append(loss)
        bar.on_step(history)
    history.accuracies.append(0.975)
    bar.on_epoch(history)
    bar.on_end(history)
    last = capsys.readouterr().err.rpartition("\r")[2]
    assert "epoch 1/1" in last
    assert "2/2" in last
    assert "loss=2.0000" in last
    assert "accuracy=97.50 %" in last


def test_the_plot_is_silent_in_a_terminal(capsys):
    plot = LossPlot()
    for event in (plot.on_start, plot.on_step, plot.on_epoch, plot.on_end):
        event(History(1, 1, [1.0]))
    assert plot.place is None
    assert capsys.readouterr() == ("", "")


def test_importing_and_training_load_no_plotting():
    code = (
        "import sys, minitorch_lab as ml\n"
        "x = ml.ones(1, 1)\n"
        "model = ml.nn.Linear(1, 1)\n"
        "sgd = ml.optim.SGD(model.parameters(), lr=0.1)\n"
        "plot = ml.train.LossPlot()\n"
        "ml.train.fit(model, [(x, x)], loss=ml.nn.MSELoss(), optimizer=sgd, epochs=1, callbacks=[plot])\n"
        "print(sorted({'plotly', 'IPython', 'tqdm', 'ipywidgets'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert out.stdout == "[]\n"


def test_in_a_notebook_one_plot_is_drawn_again_in_place():
    source = (
        "import minitorch_lab as ml\n"
        "x = ml.ones(4, 1)\n"
        "model = ml.nn.Linear(1, 1)\n"
        "sgd = ml.optim.SGD(model.parameters(), lr=0.1)\n"
        "plot = ml.train.LossPlot(seconds=0)\n"
        "h = ml.train.fit(model, [(x, x)] * 3, loss=ml.nn.MSELoss(), optimizer=sgd, epochs=2, callbacks=[plot])"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    execute(notebook, ROOT)
    (output,) = notebook.cells[0].outputs
    assert output.output_type == "display_data"
    assert set(output.data) == {PLOTLY, "text/plain"}
    steps, epochs = output.data[PLOTLY]["data"]
    assert steps["x"] == [1, 2, 3, 4, 5, 6]
    assert len(steps["y"]) == 6
    assert epochs["x"] == [3, 6]
    assert output.data["text/plain"].startswith("Step 6 of 6: mean loss of the epoch ")
    assert len(str(output.data)) < 20_000


class Place:
    """An output on a page that counts how often it is drawn."""

    drawings = 0

    def update(self, bundle, raw):
        self.bundle, self.drawings = bundle, self.drawings + 1


def placed(seconds=0.5):
    plot = LossPlot(seconds)
    plot.place, plot.drawn = Place(), 0.0
    return plot


def test_the_plot_is_drawn_at_a_bounded_rate(monkeypatch):
    plot, history = placed(seconds=0.5), History(1, 8)
    for tick in range(8):  # four steps per second
        monkeypatch.setattr("minitorch_lab.train.lossplot.monotonic", lambda tick=tick: tick / 4)
        history.losses.append(1.0)
        plot.on_step(history)
    assert plot.place.drawings == 3  # at 0.5, 1.0 and 1.5 seconds
    assert set(plot.place.bundle) == {"text/html", "text/plain"}
    plot.on_end(history)
    assert plot.place.drawings == 4
    assert set(plot.place.bundle) == {PLOTLY, "text/plain"}


def points(html):
    """The points of every line of the sketch."""
    lines = re.findall(r'points="([^"]*)"', html)
    return [[tuple(map(float, pair.split(","))) for pair in line.split()] for line in lines]


def test_the_sketch_lies_on_a_logarithmic_axis_over_the_whole_run():
    html = sketch(History(2, 2, [1.0, 0.1, 0.01]))
    steps, epochs = points(html)
    assert steps == [(232, 60), (404, 167.5), (576, 275)]  # a quarter of 688 per step; two decades in 215
    assert epochs == [(404, pytest.approx(60 - 107.5 * math.log10(0.55), abs=0.05)), (576, 275)]
    assert re.findall(r">([\d.]+)</text>", html) == ["0.01", "0.1", "1"]


@pytest.mark.parametrize("losses", [[], [0.0], [math.nan], [math.inf, 1.0], [0.5, 0.5]])
def test_the_sketch_takes_any_losses(losses):
    html = sketch(History(1, 4, losses))
    assert "nan," not in html
    assert "inf," not in html
    for x, y in chain.from_iterable(points(html)):
        assert 60 <= x <= 748
        assert 60 <= y <= 275
    assert figure(History(1, 4, losses)).layout.title.text in html


def test_long_runs_are_thinned():
    history = History(1, 12345, [1.0] * 12345)
    assert len(points(sketch(history))[0]) <= 1000
    assert len(figure(history).data[0].x) <= 1000
