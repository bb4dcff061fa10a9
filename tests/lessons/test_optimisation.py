"""The checks of 13: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.lessons import lesson_13_passes as lesson
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s13_graph_optimisation.py"


def right(exercise: str) -> dict[str, Any]:
    """What a part of the solutions defines."""
    space: dict[str, Any] = {"ml": ml, "lesson": lesson}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[exercise], space)
    return space


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- wrong rewrites -------------------------------------------------------------------------------------------------


FOUND = right("found-exercise")["found"]


def test_all_found() -> None:
    assert lesson.check_found(FOUND).done
    assert sum(answer == "same" for answer in FOUND.values()) == 3
    assert lesson.check_found(FOUND | {"x / x → 1": 0, "x + x → x * 2": " Same "}).done
    assert lesson.check_found(dict.fromkeys(FOUND)).state == "not written yet"
    told(lesson.check_found({"x / x → 1": [float("nan")]} | {"x + 0 → x": None}), "right so far. 8 are still open")


@pytest.mark.parametrize(
    ("name", "answer", "text"),
    [
        ("x / x → 1", "same", "not for all numbers: is there a number that cannot be divided by itself?"),
        ("log(exp(x)) → x", "same", "float32 ends at about 3.4e38"),
        ("x + 0 → x", "same", "floats have two zeros"),
        ("(a + b) + c → a + (b + c)", "same", "floats round after every sum"),
        ("x / 3 → x * (1 / 3)", "same", "1/3 is rounded before it is multiplied"),
        ("y = x * 1; y += 1 → y = x; y += 1", "same", "look at x itself"),
        ("x / x → 1", [1, 2], "both sides give [1.0, 1.0] for your numbers. They differ for others"),
        ("x + x → x * 2", [3e38], "both sides give [inf] for your numbers, and they do for all"),
        ("(a + b) + c → a + (b + c)", [1.0], "give a list of three"),
        ("x + 0 → x", "different", "you say 'different'. Say \"same\", or show a list of numbers"),
        ("x + 0 → x", ["0"], "['0'] is no list of numbers"),
        ("x + 0 → x", [], "[] is no list of numbers"),
        ("x → x", "same", "there is no rewrite 'x → x'"),
    ],
)
def test_wrong_about_a_rewrite(name: str, answer: Any, text: str) -> None:
    told(lesson.check_found({name: answer}), text)


# ---- two functions --------------------------------------------------------------------------------------------------


def softmax(x: Any) -> Any:
    return x.softmax(1)


def by_hand(x: Any, axis: int = 1, keep: bool = True) -> Any:
    e = (x - x.amax(axis, keepdim=True)).exp()
    return e / e.sum(axis, keepdim=keep)


def test_right_rewrites() -> None:
    space = right("rewrite-exercise")
    assert lesson.check_rewrite(space["before"], space["after"]).done
    assert lesson.check_rewrite(lambda s: by_hand(s), lambda s: s.log_softmax(1).exp()).done
    assert lesson.check_rewrite(lambda x: by_hand(x), lambda x: by_hand(x)).state == "not written yet"


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (lambda x: by_hand(x, 0), lambda x: x.softmax(0), "your pattern goes down the columns"),
        (lambda x: softmax(x), lambda x: by_hand(x), "your pattern is the softmax that you want to have"),
        (lambda x: x.exp() / x.exp().sum(1, keepdim=True), softmax, "the shift is still computed outside"),
        (lambda x: by_hand(x), lambda x: x.softmax(0), "you wrote two functions that differ"),
        (lambda x: by_hand(x), lambda x: x.log_softmax(1), "Are they probabilities, and not their logarithms?"),
        (lambda x: by_hand(x, 1, False), softmax, "you wrote two functions that differ"),
        (lambda q, k: by_hand(q @ k.T), lambda q, k: (q @ k.T).softmax(1), "found 0 of 2 times in another function"),
        (
            lambda x: x - x.amax(1, keepdim=True),
            lambda x: -(x.amax(1, keepdim=True) - x),
            "as many bytes: 1,604",
        ),
        (lambda x: by_hand(x), lambda x: None, "What stands for a value has its shape and dtype"),
        (lambda x, y: by_hand(x), softmax, "functions of 2 and 1 arguments"),
        (lambda x: x.tan(), lambda x: x.sin() / x.cos(), "it is nowhere in attention"),
        (lambda x: by_hand(x), lambda x: x.softmx(1), "one of your functions stops with AttributeError"),
    ],
)
def test_wrong_rewrites(before: Callable[..., Any], after: Callable[..., Any], text: str) -> None:
    told(lesson.check_rewrite(before, after), text)


# ---- a pass ---------------------------------------------------------------------------------------------------------


def whole(node: Any, made: lesson.Copy) -> tuple[Any, ...]:
    return node.op, tuple(map(repr, made.inputs(node))), str(node.params), node.grad


def alone(node: Any, graph: Graph) -> bool:
    return node.kind != "call" or lesson.draws(node) or node in lesson.results(graph)


def sharing(key: Callable[..., Any] = whole, apart: Callable[..., Any] = alone) -> Callable[[Graph], Graph]:
    """A pass with this idea of what is the same, and of what is left alone."""

    def share(graph: Graph) -> Graph:
        made, known = lesson.Copy(graph), dict[Any, Any]()
        for node in graph.nodes:
            k = key(node, made)
            if k in known and not apart(node, graph):
                made.let(node, known[k])
            else:
                known[k] = made.copy(node)
        return made.graph

    return share


def test_two_ops_of_the_same_inputs_are_two() -> None:
    def without_op(node: Any, made: Any) -> Any:
        return whole(node, made)[1:]

    told(lesson.check_share(sharing(without_op)), "The same inputs are not enough: by the same op.")


def test_right_passes() -> None:
    assert lesson.check_share(right("share-exercise")["share"]).done
    assert lesson.check_share(sharing()).done
    assert lesson.check_share(sharing(apart=lambda node, graph: True)).state == "not written yet"
    assert lesson.check_share(lambda graph: graph).state == "not written yet"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (sharing(apart=lambda n, g: lesson.draws(n) or n in lesson.results(g)), "two arguments became one"),
        (sharing(lambda n, m: n.op), "x + 1 and x + 2 became one"),
        (
            sharing(lambda n, m: (n.op, frozenset(map(repr, m.inputs(n))), str(n.params), n.grad)),
            "have an order",
        ),
        (sharing(lambda n, m: (n.op, *map(repr, m.inputs(n)), n.grad)), "The axis stands in node.params"),
        (sharing(lambda n, m: (n.op, m.inputs(n), n.params, n.grad)), "a dict, like node.params, cannot be part of"),
        (sharing(lambda n, m: (n.op, m.inputs(n), str(n.params), n.grad)), "for Python the two zeros are equal"),
        (sharing(lambda n, m: (n.op.name, whole(n, m))), "not every node has an op"),
        (
            sharing(lambda n, m: (n.op, str(n.inputs), str(n.params), n.grad)),
            "exp reads the same *new* node",
        ),
        (sharing(lambda n, m: whole(n, m)[:3]), "node.grad says which it is"),
        (sharing(apart=lambda n, g: n.kind != "call" or n in lesson.results(g)), "two draws of random numbers"),
        (sharing(apart=lambda n, g: n.kind != "call" or lesson.draws(n)), "two results became one tensor"),
        (lambda graph: None, "It gives the new graph: made.graph"),
        (lambda graph: lesson.Copy(graph).graph, "does not end with its output"),
        (lambda graph: graph.nodez, "your pass stops with AttributeError"),
    ],
)
def test_wrong_passes(share: Callable[..., Any], text: str) -> None:
    told(lesson.check_share(share), text)


def test_constants_from_outside_are_not_shared() -> None:
    def apart(node: Any, graph: Graph) -> bool:
        return node.kind == "placeholder" or lesson.draws(node) or node in lesson.results(graph)

    told(lesson.check_share(sharing(apart=apart)), "two tensors from outside became one")


# ---- what is shown --------------------------------------------------------------------------------------------------


def test_a_change_shows_lines_that_went_and_came() -> None:
    graph = lesson.graph_of(lambda x: x * 1 < 2, ml.ones(2))
    shown = lesson.change(graph, lesson.graph_of(lambda x: x < 2, ml.ones(2)))
    assert [line[0] for line in repr(shown).splitlines()] == [" ", "-", "-", "+", " "]
    html = shown._repr_html_()
    assert html.count("line-through") == 2
    assert "font-weight:600" in html
    assert "&" not in repr(shown)
