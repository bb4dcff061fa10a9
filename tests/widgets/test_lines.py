"""The view "Source": what every line costs."""

from __future__ import annotations

import pytest

from minitorch_lab.errors import RecordingError
from minitorch_lab.recording import Recording
from minitorch_lab.recording import events as ev
from minitorch_lab.widgets.lines import lines_scene
from tests.widgets.fixtures import exact


def test_every_byte_and_every_ns_belongs_to_a_line() -> None:
    rec = exact()
    rows = lines_scene(rec)["panels"][0]["rows"]
    made = [b for b in rec.each(ev.Birth) if b.phase != "before" and b.category != "input" and b.op is not None]
    total = {name: sum(mark[name] for row in rows for mark in row["marks"]) for name in ("ops", "bytes", "ns")}
    assert total["bytes"] == sum(b.nbytes for b in made)
    assert total["ns"] == sum(r.python + r.kernel + r.together for r in rec.each(ev.Ran))
    assert total["ops"] == len(rec.each(ev.Op))


def test_it_tells_line_by_line() -> None:
    say = [step["say"] for step in lines_scene(exact())["steps"]]
    assert say[0].startswith("What does each line cost? Line ")
    assert say[1] == "Line 1 runs 3 ops: 144\u2009B made, 15\u2009µs."
    assert say[4].startswith("Line 3 runs the rules of its 1 op: ")


def test_without_lines_it_says_so() -> None:
    empty = Recording()
    empty.complete = True
    with pytest.raises(RecordingError, match="Source got a recording without lines"):
        lines_scene(empty)
