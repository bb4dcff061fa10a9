"""The checks of 12: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.partition import cheap, default_partition, min_cut_partition
from minitorch_lab.lessons import lesson_12_partition as lesson
from minitorch_lab.lessons.lesson_12_partition import cut as the_cut
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s12_joint_graph_and_partition.py"
FLOATS = (ml.float16, ml.float32, ml.float64)


def right(exercise: str, name: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {"ml": ml, "lesson": lesson}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[exercise], space)
    return space[name]


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- a sum foretold ---


def summed(dtype: Any) -> Any:
    return dtype if dtype in FLOATS else ml.int64


def but(shape: Callable[..., tuple[int, ...]], dtype: Callable[[Any], Any] = summed) -> Callable[..., Any]:
    return lambda s, d, axes, keep: (shape(s, axes, keep), dtype(d))


def lengths(s: Any, axes: Any, keep: bool) -> tuple[int, ...]:
    axes = {a % len(s) for a in axes}
    return tuple(1 if i in axes else n for i, n in enumerate(s) if keep or i not in axes)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (but(lambda s, axes, keep: lengths(s, axes, True)), "you left a 1 where an axis was summed"),
        (but(lambda s, axes, keep: lengths(s, axes, False)), "you dropped the axis. With keepdims=True it stays"),
        (but(lambda s, axes, keep: tuple(s[i] for i in axes)), "you kept the axes that are summed"),
        (but(lambda s, axes, keep: lengths(s, axes[:1], keep)), "you summed the first of the axes only"),
        (
            but(lambda s, axes, keep: tuple(1 if i in axes else n for i, n in enumerate(s) if keep or i not in axes)),
            "an axis may count from the end: −1 is the last one. For [2, 3, 4] of float32, axes (-1,), keepdims=False "
            "you say [2, 3, 4], and it is [2, 3].",
        ),
        (
            but(lambda s, axes, keep: tuple(n for n in lengths(s, axes, keep) if n != 1 or keep)),
            "you dropped an axis because its length is 1",
        ),
        (but(lambda s, axes, keep: (7,)), "not this shape. For [2, 3, 4]"),
        (but(lengths, lambda d: ml.float32 if d in FLOATS else ml.int64), "a sum of floats is of their dtype"),
        (but(lengths, lambda d: d), "whole numbers are summed as int64: int32 would overflow"),
        (but(lengths, lambda d: ml.float32 if d == ml.int32 else summed(d)), "whole numbers are summed as int64."),
        (but(lengths, lambda d: d if d == ml.bool else summed(d)), "a sum of truth values counts them"),
        (lambda s, d, axes, keep: s, "It gives a pair"),
        (lambda s, d, axes, keep: s[9], "your rule stops with IndexError"),
    ],
)
def test_foretelling(rule: Callable[..., Any], text: str) -> None:
    told(lesson.check_foretelling(rule), text)


def test_the_right_rule() -> None:
    assert lesson.check_foretelling(right("foretell-exercise", "foretell_sum")).done
    assert lesson.check_foretelling(but(lambda s, axes, keep: list(lengths(s, axes, keep)))).done
    assert lesson.check_foretelling(lambda s, d, axes, keep: (s, d)).state == "not written yet"


# ---- a choice ---


def back_to_the_ends(joint: Any) -> list[Any]:
    """From what is needed back over cheap ops, to what is none: legal, and not the least."""
    late = {n for n in joint.graph.nodes if n not in lesson.values(joint)}
    pending = list(dict.fromkeys(f for n in late for f in n.feeds if f not in late))
    ends: dict[Any, None] = {}
    while pending:
        node = pending.pop()
        if node.kind == "call" and cheap(node):
            pending += node.feeds
        else:
            ends[node] = None
    return list(ends)


@pytest.mark.parametrize(
    ("choose", "text"),
    [
        (lambda j: [], "in chain, the way back ends at primals_1, which is an argument"),
        (lambda j: j.primals, "in past_a_product, matmul would have to run again, and it is not cheap"),
        (lambda j: [*j.primals, *j.tangents], "you save tangents_1. It depends on a tangent"),
        (lambda j: [n.name for n in j.primals], "you give names. Give the nodes themselves."),
        (lambda j: [3], "not all of what you give are nodes"),
        (lambda j: [*j.primals, *j.primals], "you save a value twice"),
        (back_to_the_ends, "in bottleneck, you go back to the arguments, as far as one can, past a place"),
        (lesson.values, "is not needed: it can be computed from the others"),
        (lambda j: 1 / 0, "your choice stops with ZeroDivisionError"),
        (lambda j: None, "your choice gives None. It gives a list of nodes"),
    ],
)
def test_a_choice(choose: Callable[[Any], Any], text: str) -> None:
    told(lesson.check_choice(choose), text)


def test_right_choices() -> None:
    assert lesson.check_choice(right("choose-exercise", "choose")).done
    assert lesson.check_choice(lambda j: default_partition(j).saved).state == "not written yet"


def test_a_choice_that_is_enough_and_not_the_cheapest() -> None:
    both = lesson.joint_of(lambda x, w: (x @ w).sum(1).exp(), ml.ones(8, 4), ml.ones(4, 8))
    given = [n for n in both.graph.nodes if n.name in ("primals_1", "primals_2", "matmul")]
    assert lesson.enough(both, given)
    best = lesson.fewest(both)
    assert lesson.weight(best) == min_cut_partition(both).nbytes < lesson.weight(given)
    assert "it is enough, and not the cheapest." in the_cut.dear(both, given, best)


# ---- what is cheap ---


def named(*names: str) -> Callable[[Any], bool]:
    return lambda n: n.op.name in names


@pytest.mark.parametrize(
    ("again", "text"),
    [
        (lambda n: True, "uniform runs again, and it gives other numbers: the gradients are wrong."),
        (lambda n: n.op.name != "matmul", "uniform runs again, and it gives other numbers: the gradients are wrong."),
        (lambda n: n.op.name != "uniform", "the matmul runs again. The gradients are right"),
        (
            lambda n: n.op.name not in ("matmul", "uniform", "sin", "exp", "tanh", "cos"),
            "They look dear, but each passes over its numbers once",
        ),
        (named("mul", "sin", "exp", "tanh", "sub", "cos", "permute"), "you refuse [cast]: the mask."),
        (named("permute"), "you refuse ["),
        (lambda n: n.name, "for matmul your function gives the str 'matmul'. It gives True or False."),
        (lambda n: None, "for matmul your function gives None"),
        (lambda n: n.shape[9] > 1, "your function stops with IndexError"),
    ],
)
def test_what_is_cheap(again: Callable[[Any], Any], text: str) -> None:
    told(lesson.check_again(again), text)


def test_right_ideas_of_cheap() -> None:
    assert lesson.check_again(right("again-exercise", "again")).done
    assert lesson.check_again(lambda n: False).state == "not written yet"


# ---- pictures ---


def test_the_network_says_what_it_shows() -> None:
    both = lesson.joint_of(lambda x: (x.sin().exp() + 1).log(), ml.ones(10))
    open_, shut = lesson.drawn(both, [both.graph.nodes[2]]), lesson.drawn(both, both.primals)
    assert repr(lesson.drawn(both)) == "7 values. The backward pass needs exp, div, cos."
    assert repr(open_).endswith("Cut through: sin, 40 bytes in all. A way is still open: from primals_1.")
    assert repr(shut).endswith("Cut through: primals_1, 40 bytes in all.")
    html = shut._repr_html_()
    assert html.count("<circle") == 14
    assert html.count('stroke="#d55e00" stroke-width="4"') == 1  # one bar
    assert html.count("stroke-dasharray") == 5  # sin, exp, add, div, cos: not log
    assert "stroke-dasharray" not in lesson.drawn(both)._repr_html_()


def test_values_stand_right_of_what_they_read_and_never_on_each_other() -> None:
    from minitorch_lab.lessons.lesson_12_partition.network import placed

    both = lesson.joint_of(lambda x, w: ((x @ w).sin() * (x @ w).exp()).tanh(), ml.ones(3, 3), ml.ones(3, 3))
    places = placed(lesson.values(both))
    assert len(set(places.values())) == len(places)
    assert all(places[f][0] < places[n][0] for n in places for f in n.feeds)


def test_the_curve_says_what_it_shows() -> None:
    chart = lesson.budget_curve([0, 0.5, 1], [10, 20, 40], [9, 5, 0], "A block.")
    assert repr(chart) == "A block. From 10 bytes with 9 entries again to 40."
    assert [trace.name for trace in chart.figure.data] == ["bytes saved", "entries computed again"]
