"""The view "Timeline": Python and kernels told apart, on times that are set here."""

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.recording import Recording
from minitorch_lab.recording import events as ev
from minitorch_lab.widgets.example import memory_example, timeline_example
from minitorch_lab.widgets.tape import tape_scene
from minitorch_lab.widgets.timeline import timeline_scene
from tests.widgets.fixtures import timed


def test_the_worked_example() -> None:
    scene = timeline_scene(timed(timeline_example()))
    assert [step["say"] for step in scene["steps"]] == [
        "Who keeps us waiting: Python or the kernels? "
        "60 % of the time of these ops is Python: overhead, the term that a compiler makes small.",
        "`add` takes 4\u2009µs, 3\u2009µs of it Python and 1\u2009µs the kernel.",
        "`mul` takes 5\u2009µs, 3\u2009µs of it Python and 2\u2009µs the kernel.",
        "`add` takes 6\u2009µs, 3\u2009µs of it Python and 3\u2009µs the kernel.",
        "In all: 9\u2009µs of Python, 6\u2009µs of kernels. "
        "60 % of the time of these ops is Python: overhead, the term that a compiler makes small.",
    ]


def test_a_rule_is_not_told_apart() -> None:
    say = [step["say"] for step in timeline_scene(timed(memory_example()))["steps"]]
    assert "The rule of `cross_entropy` takes 7\u2009µs, Python and NumPy together." in say


def test_times_are_of_the_engine_and_add_up() -> None:
    """A kernel runs inside of its op: neither part is negative, and both are there."""
    rec = timeline_example()
    for ran in rec.each(ev.Ran):
        assert ran.python > 0
        assert ran.kernel > 0
        assert ran.together == 0
    assert [ran.of for ran in rec.each(ev.Ran)] == [op.id for op in rec.each(ev.Op)]


def test_an_op_inside_a_rule_counts_once() -> None:
    with ml.record() as rec:
        x = ml.tensor(2.0, requires_grad=True)
        y = x * x * x
        (g,) = ml.autograd.grad(y, x, create_graph=True)
    assert g.item() == 12
    inside = {op.id for op in rec.each(ev.Op) if op.during is not None}
    runs = {run["id"] for run in timeline_scene(rec)["panels"][0]["runs"]}
    assert inside
    assert not {f"r:{op}" for op in inside} & runs


def test_the_engine_is_as_it_was_afterwards() -> None:
    from minitorch_lab.autograd import eager, tape

    before = eager.held, eager.as_view
    with ml.record():
        assert eager.held is not before[0]
    assert (eager.held, eager.as_view) == before
    assert eager.held is tape.held


def test_without_times_it_says_what_to_do() -> None:
    empty = Recording()
    empty.complete = True
    with pytest.raises(RecordingError, match="Timeline got a recording without times"):
        timeline_scene(empty)


def test_a_run_ends_where_the_step_of_its_op_does() -> None:
    """Also the last one before a walk: the walk's begin belongs to the walk."""
    rec = memory_example()
    steps = {step["at"] for step in tape_scene(rec)["steps"]}
    runs = timeline_scene(rec)["panels"][0]["runs"]
    walk = rec.each(ev.Begin)[0].n
    forward = {run["at"] for run in runs if run["at"] <= walk}
    assert len(forward) > 3
    assert forward <= steps
