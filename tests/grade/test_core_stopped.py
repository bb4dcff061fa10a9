"""Cells that run on are interrupted, and what they have defined counts; what they import is ready, or is named."""

from __future__ import annotations

import os
import signal
import sys
import time
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from minitorch_lab.grade import ExerciseResult
from minitorch_lab.grade.extract import Submitted
from minitorch_lab.grade.imported import absent, wanted
from minitorch_lab.grade.inside import cells, worker
from minitorch_lab.grade.inside.worker import Stopped, Worker, warm_for
from minitorch_lab.grade.keeper import Keeper
from minitorch_lab.grade.limits import MIB, Limits
from minitorch_lab.grade.one import Stop, cut_short, missing, uninstalled

ANSWER = "def f():\n    return 3\n\n"


@pytest.fixture
def student(monkeypatch: pytest.MonkeyPatch) -> Worker:
    """A student's process that is none: a signal of a timer stands for the keeper's."""
    for name in ("__main__", "IPython"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name, sys))
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    made = Worker(-1, -1)
    monkeypatch.setattr(cells, "lend_shell", lambda space: None)
    return made


@pytest.mark.parametrize("demo", ["while True:\n    pass", "import time\ntime.sleep(60)", "while True:\n"
    "    try:\n        1 / 0\n    except Exception:\n        pass"])  # fmt: skip
def test_a_cell_that_is_stopped_leaves_what_it_has_defined(student: Worker, demo: str) -> None:
    before = signal.signal(signal.SIGALRM, student.interrupted)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    try:
        with pytest.raises(Stopped) as caught:
            student.run([("f-exercise", ANSWER + demo), ("f-exercise, and cell 3", "g = f() + 1")])
        end = time.monotonic() + 0.2
        while time.monotonic() < end:  # what is no cell is not stopped
            pass
        student.prepare([("f-exercise", "late")], [(f"late = 5\n\nlate += {ANSWER!r} * 0\n", True, True)])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert student.get("f")() == 3
    assert student.get("g") == 4
    assert (student.line_of(caught.value) or 0) > 3


def test_the_first_process_of_an_exercise_is_interrupted_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    hit: list[tuple[int, int]] = []

    def process(pid: int, parent: int, born: float) -> Any:
        return SimpleNamespace(pid=pid, ppid=lambda: parent, create_time=lambda: born,
                               send_signal=lambda number: hit.append((pid, number)))  # fmt: skip

    nursery = SimpleNamespace(pid=1)
    others = [process(5, 1, 9.0), process(3, 1, 7.0), process(2, 3, 6.0)]
    said: list[bytes] = []
    kept: Any = SimpleNamespace(own=Own([nursery]), late=lambda _: "time", judge=SimpleNamespace(send=said.append))
    kept.tree = SimpleNamespace(alive=lambda: Own([*others, nursery]))
    Keeper.interrupt(kept)
    assert hit == [(3, signal.SIGINT)]
    assert said == [b'{"limit": "time"}']


class Own(list[Any]):
    """Processes, of which some can be taken away."""

    def __sub__(self, others: list[Any]) -> list[Any]:
        return [each for each in self if each not in others]


@pytest.mark.parametrize(("held", "limit"), [(0, "grown"), (1 << 40, "time")])
def test_who_is_stopped_while_memory_fills_is_told_that(held: int, limit: str) -> None:
    keeper: Any = SimpleNamespace(held=held, limits=Limits(memory=16 * MIB), grown=False)
    assert Keeper.late(keeper, {psutil.Process(os.getpid())}) == limit


def test_an_import_without_end_is_left_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "IMPORTED", 0.05)
    warm_for(["import no_such_module", "raise SystemExit", "while True: pass", "import never_tried"])
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_cells_import_is_ready_where_answers_stand_on_it() -> None:
    assert wanted(["try:\n    import plotly\nexcept ImportError: pass"], []) == ("import plotly",)
    assert wanted(["x = helper(1)"], ["import json\ndef helper(x):\n    return json.dumps(x)"]) == ("import json",)
    assert wanted(["x = 1"], ["import json\nprint(json)", "import no_such"]) == ()
    assert wanted(["import json"], ["%%writefile json.py\nx = 1"]) == ()  # theirs, and not Python's
    assert wanted(["(" * 3000, "import"], []) == ()


def taken(*sources: str) -> Submitted:
    """A submission with one exercise."""
    cell = [("order-exercise", source) for source in sources]
    return Submitted(SimpleNamespace(handed_out=frozenset()), {"order": cell}, {}, (*sources, "import helpers, pandas"))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("source", "raised", "line", "named"),
    [
        ("import os\nimport no_such_plot.pyplot as plt", "ModuleNotFoundError", 2, "'no_such_plot'"),
        ("import os, no_such\n1", "ImportError", 2, "'no_such', 'helpers', 'pandas'"),
        ("pd.DataFrame()", "NameError", 1, "'helpers', 'pandas'"),
    ],
)
def test_what_is_not_installed_is_named(source: str, raised: str, line: int, named: str) -> None:
    why = "not installed where this was graded, and files beside the notebook are not taken along"
    failed = ExerciseResult("order", (), raised=raised, line=line)
    assert uninstalled(taken(source), failed) == f"it imports {named}: {why}"
    assert uninstalled(taken(source), ExerciseResult("order", (), raised="KeyError", line=line)) == ""
    assert absent([source, "import sys"]) in (("no_such_plot",), ("no_such",), ())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def order(n):\n    return n\ndel order", "'order' is no longer there when its cells have run (del order)"),
        ("%%writefile order.py\ndef order(n): ...", "the cell of 'order' begins with %%writefile, so it makes nothing "
            "called that"),
        ("%%time\ndef orders(n): ...", "nothing called 'order' is defined here (did you mean 'orders'?)"),
        ("if False:\n    order = 1", "'order' is no longer there when its cells have run"),
    ],
)  # fmt: skip
def test_a_name_that_stands_there_is_not_what_may_be_meant(source: str, said: str) -> None:
    assert missing(taken(source), "order", "order") == said


def test_who_was_stopped_is_told_where() -> None:
    counts = "what they had defined by then counts"
    assert cut_short(Stop("time", 3)) == f"its cells ran on and were stopped in line 3; {counts}"
    assert cut_short(Stop("time", None)) == f"its cells ran on and were stopped; {counts}"
