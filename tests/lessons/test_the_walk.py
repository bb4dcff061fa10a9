"""The checks of 03: typical wrong answers are told what they believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons.lesson_03_backward import walk as lesson
from minitorch_lab.ops import OPS
from tests.notebooks.solutions import s03_backward as right


def cube(rule: Callable[..., Any]) -> Any:
    return lesson.own_op("cube", lambda x: x**3, rule)


def ratio(by_x: Callable[..., Any], by_y: Callable[..., Any]) -> Any:
    return lesson.own_op("ratio", lambda x, y: x / y, by_x, by_y)


def test_the_right_answers_are_done() -> None:
    assert lesson.check_cube(cube(right.cube_rule)).done
    assert lesson.check_ratio(ratio(right.rule_for_x, right.rule_for_y)).done
    assert lesson.check_order(right.order).done
    assert lesson.check_walk(right.gradients).done


# ---- the reader's own op --------------------------------------------------------------------------------------------


def test_an_own_op_can_be_declared_again_and_is_in_no_registry() -> None:
    before = dict(OPS)
    assert cube(right.cube_rule) is not cube(right.cube_rule)
    assert before == OPS


def test_a_name_of_the_engine_is_refused() -> None:
    with pytest.raises(ml.errors.ArgumentError) as caught:
        lesson.own_op("exp", lambda x: x, lambda g: g)
    assert str(caught.value) == (
        "own_op got the name 'exp'.\n"
        "  An op with this name is there already, and every view knows it by the name.\n"
        "  Did you mean own_op('my_exp', ...)?"
    )


def test_an_op_without_a_rule_is_refused() -> None:
    with pytest.raises(ml.errors.ArgumentError, match="got no rule"):
        lesson.own_op("mine", lambda x: x)


def test_a_rule_that_returns_nothing_is_answered_where_it_happens() -> None:
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(ml.errors.GradientError) as caught:
        cube(lambda g, x: None)(x).sum().backward()
    assert str(caught.value) == (
        "A rule of cube returned None.\n"
        "  A rule returns one number per entry of g, which has the shape (2,) here.\n"
        "  Did you forget the return?"
    )


def test_a_rule_that_adds_up_is_answered() -> None:
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(ml.errors.GradientError, match=r"returned something of shape \(\)"):
        cube(lambda g, x: (g * 3 * x**2).sum())(x).sum().backward()


def test_an_own_op_is_in_the_views_with_the_number_that_it_sends() -> None:
    op, x = cube(lambda g, x: g * x**2), ml.tensor(2.0, requires_grad=True)
    with ml.record() as rec:
        y = op(x) * 5
        y.backward()
    said = ml.widgets.Backward(rec).transcript()
    assert any("`cube` sends 20 to `x`: 5 (from above) × 4" in line for line in said)
    assert any("`cube` makes" in line for line in ml.widgets.Tape(rec).transcript())


def test_an_own_op_broadcasts_like_any_other() -> None:
    x, y = ml.tensor([[6.0], [3.0]], requires_grad=True), ml.tensor([2.0, 4.0], requires_grad=True)
    ratio(right.rule_for_x, right.rule_for_y)(x, y).sum().backward()
    assert x.grad.tolist() == [[0.75], [0.75]]
    assert y.grad.tolist() == [-2.25, -0.5625]


# ---- rules ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (lambda g, x: 3 * x**2, "your rule returns the derivative without g: it is right only when g is 1"),
        (lambda g, x: g * x**3, "you sent g times the value"),
        (lambda g, x, out: g * out, "you sent g times the value"),
        (lambda g, x: g * x**2, "the 3 got lost on the way"),
        (lambda g, x: 3 * g * x, "3x is one power too low"),
        (lambda g, x: g * x**4 / 4, "you integrated"),
        (lambda g, x: g + 3 * x**2, "The chain rule multiplies"),
        (lambda g, x: g**2 * 3 * x**2, "g is in it twice"),
        (lambda g, x: g * 7.0, "at x = 2 with g = 1 the rule for x sends 7."),
        (lambda g, x: None, "A rule of cube returned None. A rule returns one number per entry of g"),
        (lambda g, x: 12, "A rule of cube returned the int 12."),
        (lambda g, x: x.cos() * g, "inside a rule x is a bare array"),
        (lambda g, x: 1 / 0, "your rule stops with ZeroDivisionError"),
    ],
)
def test_the_rule_of_the_cube(rule: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_cube(cube(rule))
    assert verdict.state == "not yet"
    assert told in verdict.text


X, Y = right.rule_for_x, right.rule_for_y


@pytest.mark.parametrize(
    ("by_x", "by_y", "told"),
    [
        (lambda g, x, y: 1 / y, Y, "your rule for x returns 1/y without g"),
        (lambda g, x, y: g / x, Y, "your rule for x divides by x"),
        (lambda g, x, y: g * x / y, Y, "It wants the derivative, 1/y"),
        (Y, X, "the rules have changed places"),
        (lambda g, x, y: g * y, Y, "your rule for x multiplies by y"),
        (X, lambda g, x, y: g, "your rule for y still sends g through"),
        (X, lambda g, x, y: -x / y**2, "your rule for y returns the derivative without g"),
        (X, lambda g, x, y: g * x / y**2, "the sign of the rule for y is missing"),
        (X, lambda g, x, y: -g * x / y, "one more y below"),
        (X, lambda g, x, y: -g / y**2, "your rule for y has lost x"),
        (X, X, "both rules are the same"),
        (X, lambda g, x, y: None, "A rule of ratio returned None."),
    ],
)
def test_the_rules_of_the_ratio(by_x: Callable[..., Any], by_y: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_ratio(ratio(by_x, by_y))
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_rules_that_send_g_through_are_the_starter() -> None:
    assert lesson.check_cube(cube(lambda g, x: g)).state == "not written yet"
    assert lesson.check_ratio(ratio(lambda g, x, y: g, lambda g, x, y: g)).state == "not written yet"


# ---- the order ------------------------------------------------------------------------------------------------------


def depth_first(root: Any) -> list[Any]:
    found: list[Any] = []

    def visit(node: Any) -> None:
        if node not in found:
            found.append(node)
            for edge, _ in node.next_functions:
                if edge is not None:
                    visit(edge)

    visit(root)
    return found


def by_levels(root: Any) -> list[Any]:
    found = [root]
    for node in found:
        found += [edge for edge, _ in node.next_functions if edge is not None and edge not in found]
    return found


def last_edge_first(root: Any) -> list[Any]:
    found, pending = [], [root]
    while pending:
        node = pending.pop()
        if node not in found:
            found.append(node)
            pending += [edge for edge, _ in node.next_functions if edge is not None]
    return found


def every_path(root: Any) -> list[Any]:
    return [root, *(n for edge, _ in root.next_functions if edge is not None for n in every_path(edge))]


def with_none(root: Any) -> list[Any]:
    return [root, *(n for edge, _ in root.next_functions for n in with_none(edge))]


EARLY = "in y = v * (1 + v) you visited exp before add: v held only one of its two parts. "


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (depth_first, EARLY + "The gradient came out as 6 instead of 10."),
        (by_levels, EARLY),
        (last_edge_first, "in y = (v * 3).sin() + v you visited exp before mul: v held only one of its two parts"),
        (lambda root: right.order(root)[::-1], "the order of the forward pass"),
        (every_path, "ExpBackward stands in your list 2 times"),
        (with_none, "you followed an edge to nowhere"),
        (lambda root: [root, None], "there is a None in your list"),
        (lambda root: [root, *root.next_functions], "your list holds a tuple"),
        (lambda root: right.order(root)[1:], "your list does not start at the root"),
        (lambda root: [node for node in right.order(root) if node.name() != "AddBackward"], "AddBackward is not in"),
        (lambda root: 1 / 0, "your order stops with ZeroDivisionError"),
        (lambda root: forever(root), "your order never ends"),
    ],
)
def test_the_order(order: Callable[[Any], list[Any]], told: str) -> None:
    verdict = lesson.check_order(order)
    assert verdict.state == "not yet"
    assert told in verdict.text


def forever(root: Any) -> list[Any]:
    return forever(root)


@pytest.mark.parametrize("order", [lambda root: [root], lambda root: []])
def test_an_order_of_the_root_alone_is_the_starter(order: Callable[[Any], Any]) -> None:
    assert lesson.check_order(order).state == "not written yet"


def by_counting_readers(root: Any) -> list[Any]:
    readers: dict[Any, int] = {}
    for node in depth_first(root):
        for edge, _ in node.next_functions:
            readers[edge] = readers.get(edge, 0) + 1
    ready, done = [root], []
    while ready:
        done.append(ready.pop(0))
        for edge, _ in done[-1].next_functions:
            readers[edge] -= 1
            if edge is not None and readers[edge] == 0:
                ready.append(edge)
    return done


def test_another_right_order_is_as_good() -> None:
    assert lesson.check_order(by_counting_readers).done


def test_leaves_may_be_left_out() -> None:
    assert lesson.check_order(lambda root: [n for n in right.order(root) if n.next_functions]).done


# ---- the walk -------------------------------------------------------------------------------------------------------


def walk(joined: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def gradients(root: Any, order: Any) -> Any:
        held = {root: 1.0}
        for node in order:
            for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node]), strict=False):
                if edge is not None:
                    held[edge] = joined(held[edge], part) if edge in held else part
        return held

    return gradients


def without_a_place(root: Any, order: Any) -> Any:
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node]), strict=False):
            if edge is not None:
                held[edge] += part
    return held


def with_constants(root: Any, order: Any) -> Any:
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node]), strict=False):
            held[edge] = held.get(edge, 0) + part
    return held


@pytest.mark.parametrize(
    ("gradients", "told"),
    [
        (walk(lambda old, new: new), "you overwrote instead of adding: in y = v * (1 + v) the gradient came out as 4"),
        (walk(lambda old, new: old), "you kept the first part and left the second one out"),
        (walk(lambda old, new: old * new), "you multiplied the parts. They are added"),
        (walk(lambda old, new: old - new), "Does each node run on all that it holds"),
        (without_a_place, "ExpBackward holds before anything had been put there"),
        (with_constants, "that edge leads to a constant, and nothing is sent there"),
        (lambda root, order: right.gradients(root, order[:-2]), "the leaf is not in your dict"),
        (lambda root, order: None, "your walk returns None"),
        (lambda root, order: 1 / 0, "your walk stops with ZeroDivisionError"),
    ],
)
def test_the_walk(gradients: Callable[[Any, Any], Any], told: str) -> None:
    verdict = lesson.check_walk(gradients)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_walk_that_holds_the_root_alone_is_the_starter() -> None:
    assert lesson.check_walk(lambda root, order: {root: 1.0}).state == "not written yet"


def test_row_b1_the_parts_and_the_wrong_order() -> None:
    root, leaf = lesson.program(lesson.product)
    mul, exp, add = root, root.next_functions[0][0], root.next_functions[1][0]
    assert lesson.pull(mul, 1.0) == pytest.approx([3.0, 2.0])
    assert lesson.pull(add, 2.0) == [None, 2.0]
    assert lesson.pull(exp, 5.0) == pytest.approx([10.0])
    assert lesson.walk_in(root, [mul, add, exp]).leaves[leaf] == pytest.approx(10.0)
    assert lesson.walk_in(root, [mul, exp, add]).leaves[leaf] == pytest.approx(6.0)
