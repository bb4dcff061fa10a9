"""The checks of 15: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.compiler.ir.views import is_view
from minitorch_lab.compiler.memory.plan import Life, best_of_orders, planned
from minitorch_lab.lessons import lesson_15_planning as lesson
from minitorch_lab.lessons.lesson_15_planning import plan as the_plan
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s15_memory_planning.py"


def right(exercise: str, name: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {"lesson": lesson}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[exercise], space)
    return space[name]


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- lifetimes ------------------------------------------------------------------------------------------------------
def changed(change: Callable[[int, int], tuple[int, int]]) -> Callable[..., Any]:
    return lambda graph: {name: change(*span) for name, span in lesson.lives_of(graph).items()}


def naive(graph: Any) -> Any:
    """Lives as the nodes themselves are read."""
    found = {}
    for i, node in enumerate(graph.nodes):
        if node.kind == "call" and not is_view(node) and node not in graph.nodes[-1].feeds:
            found[node.name] = i, max((j for j, m in enumerate(graph.nodes) if node in m.feeds), default=i)
    return found


def everything(keep: Callable[[Any], bool]) -> Callable[..., Any]:
    def lives(graph: Any) -> Any:
        found = {n.name: (i, i) for i, n in enumerate(graph.nodes) if keep(n) and n.name not in lesson.lives_of(graph)}
        return lesson.lives_of(graph) | found

    return lives


@pytest.mark.parametrize(
    ("lives", "text"),
    [
        (changed(lambda a, b: (a, b - 1)), "its inputs and its result are there at the same time"),
        (changed(lambda a, b: (a + 1, b)), "It is written at step 1: its own place in the list."),
        (changed(lambda a, b: (a, b + 1)), "It is read last at step 2."),
        (naive, "in turned, exp ends at step 3 for you. But permute is a view of it"),
        (everything(lambda n: n.kind == "placeholder"), "you plan x. It is an argument"),
        (everything(lambda n: n.kind == "call" and not is_view(n)), "you plan exp. It is a result: it leaves"),
        (everything(lambda n: n.kind == "call" and is_view(n)), "you plan permute. It is a view: it shows"),
        (lambda graph: {}, "you leave out mul."),
        (lambda graph: {"h": (1, 2)}, "you name 'h', and there is no such value."),
        (lambda graph: None, "your function gives None. It gives a dict"),
    ],
)
def test_wrong_lifetimes_are_told_what_they_are(lives: Any, text: str) -> None:
    told(lesson.check_lives(lives), text)


def test_right_lifetimes() -> None:
    assert lesson.check_lives(right("lives-exercise", "lives")).done
    last = lesson.check_lives(lambda graph: {n.name: (0, len(graph.nodes) - 1) for n in graph.nodes})
    assert last.state == "not written yet"


# ---- planners -------------------------------------------------------------------------------------------------------
def lowest(order: Callable[[Life], Any]) -> Callable[..., Any]:
    """Each life as low as it goes, in this order."""

    def planner(lives: Any) -> Any:
        at: dict[int, int] = {}
        for i in sorted(range(len(lives)), key=lambda i: order(lives[i])):
            spot = 0
            for j in sorted((j for j in at if lives[i].meets(lives[j])), key=lambda j: at[j]):
                if at[j] < spot + lives[i].nbytes:
                    spot = max(spot, at[j] + lives[j].nbytes)
            at[i] = spot
        return [at[i] for i in range(len(lives))]

    return planner


def only_the_last(lives: Any) -> Any:
    """Every value has memory of its own, but the last takes the place of the first if it may."""
    found = [sum(x.nbytes for x in lives[:i]) for i in range(len(lives))]
    return [*found[:-1], found[-1] if lives[-1].meets(lives[0]) else 0] if lives[-1].nbytes == 64 else found


@pytest.mark.parametrize(
    ("planner", "text"),
    [
        (lambda lives: [0] * len(lives), "v0 lies at bytes 0–64 and v1 at 0–64. Both are needed from step 1 to step 1"),
        (lambda lives: [1] * len(lives), "Offsets are multiples of 64"),
        (lambda lives: [0], "A plan of 1 offsets for 8 lives."),
        (lambda lives: None, "the planner gives None. It gives a list of offsets, which are whole numbers."),
        (only_the_last, "Give a place back when its life is over."),
        (lowest(lambda x: x.first), "Who should choose first?"),
        (lowest(lambda x: (x.first, -x.nbytes)), "Who should choose first?"),
        (lowest(lambda x: x.nbytes), "you use"),
    ],
)
def test_wrong_planners_are_told_what_they_are(planner: Any, text: str) -> None:
    told(lesson.check_planner(planner), text)


def test_right_planners() -> None:
    for planner in (right("planner-exercise", "planner"), lowest(lambda x: -x.nbytes)):
        assert lesson.check_planner(planner).done
    stacked = lesson.check_planner(lambda lives: [sum(x.nbytes for x in lives[:i]) for i in range(len(lives))])
    assert stacked.state == "not written yet"


def test_the_compiler_runs_with_the_planner_of_the_reader() -> None:
    asked: list[int] = []

    def planner(lives: Any) -> Any:
        asked.append(len(lives))
        return best_of_orders(lives)

    assert the_plan.runs_with(planner)
    assert len(asked) == 1


# ---- what to keep ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("keep", "text"),
    [
        (lambda n: [], "All layers run again at once"),
        (lambda n: [0], "They are counted from 1 to 10."),
        (lambda n: [n + 1], "They are counted from 1 to 10."),
        (lambda n: range(2, n), "you keep too many"),
        (lambda n: range(3, n, 3) if n == 10 else [n // 2], "their values are all alive at once"),
        (lambda n: range(4, n, 4), "Which may be longer?"),
        (lambda n: 5, "It is a list of whole numbers."),
    ],
)
def test_wrong_choices_are_told_what_they_are(keep: Any, text: str) -> None:
    told(lesson.check_keep(keep), text)


def test_right_choices() -> None:
    assert lesson.check_keep(right("keep-exercise", "keep")).done
    assert lesson.check_keep(lambda n: range(1, n)).state == "not written yet"


# ---- what is shown --------------------------------------------------------------------------------------------------
def test_a_picture_shows_each_byte_at_each_step() -> None:
    plan = planned([Life(64, 0, 1, ("a",)), Life(128, 1, 3, ("b",)), Life(192, 3, 5, ("c",))])
    assert (
        lesson.picture(plan)
        == """\
      320  ·bbb··
      192  ···ccc
       64  aa·ccc
a: a, b: b, c: c"""
    )


def test_a_curve_names_its_peaks() -> None:
    assert repr(lesson.memory_curve({"one": [1, 3, 2], "two": [5, 4]}, "GB", "Two.")) == (
        "Two. The peaks, in GB: one 3.00 at step 1, two 5.00 at step 0."
    )
