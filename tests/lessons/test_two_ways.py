"""The checks of 04: typical wrong answers are told what they believed, and what is counted is right."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap
from minitorch_lab.lessons import lesson_04_modes as lesson
from minitorch_lab.ops import OPS
from tests.notebooks.solutions import s04_forward_and_reverse as right


def dual(product: Callable[..., float], sine: Callable[..., float]) -> type:
    """A class Dual whose slopes come from these two rules, of values and slopes."""

    class Dual:
        def __init__(self, value: float, slope: float) -> None:
            self.value, self.slope = value, slope

        def __mul__(self, other: Any) -> Any:
            return Dual(self.value * other.value, product(self.value, self.slope, other.value, other.slope))

        def sin(self) -> Any:
            return Dual(math.sin(self.value), sine(self.value, self.slope))

    return Dual


def ratio(push: Callable[..., Any]) -> Any:
    return lesson.own_op("ratio", lambda x, y: x / y, lambda g, y: g / y, lambda g, x, y: -g * x / y**2, push=push)


def test_the_right_answers_are_done() -> None:
    assert lesson.check_dual(right.Dual).done
    assert lesson.check_dual(lambda value, slope: right.Dual(np.float32(value), np.float32(slope))).done
    assert lesson.check_push(ratio(right.push)).done
    assert lesson.check_columns(right.columns).done
    assert lesson.check_rows(right.rows).done
    assert lesson.check_hvp(right.hvp).done


# ---- a number with a slope ------------------------------------------------------------------------------------------


def leibniz(a: float, da: float, b: float, db: float) -> float:
    return da * b + a * db


def chained(a: float, da: float) -> float:
    return da * math.cos(a)


@pytest.mark.parametrize(
    ("product", "sine", "told"),
    [
        (lambda a, da, b, db: da * db, chained, "you multiplied the slopes"),
        (lambda a, da, b, db: da + db, chained, "that is the rule of a sum"),
        (lambda a, da, b, db: da * b, chained, "only the first factor moves"),
        (lambda a, da, b, db: a * db, chained, "only the second factor moves"),
        (lambda a, da, b, db: da * b - a * db, chained, "the minus belongs to the quotient"),
        (lambda a, da, b, db: a * da + b * db, chained, "each slope stands with its own value"),
        (lambda a, da, b, db: da * b * a * db, chained, "you multiplied the two terms"),
        (lambda a, da, b, db: 7.0, chained, "for 2 with slope 3 and 5 with slope 7, __mul__ gives the slope 7."),
        (lambda a, da, b, db: 0.0, chained, "__mul__ still gives the slope 0"),
        (leibniz, lambda a, da: math.cos(a), "your sine forgets the slope that came in"),
        (leibniz, lambda a, da: da, "the slope passes through your sine unchanged"),
        (leibniz, lambda a, da: -da * math.cos(a), "the sign of the sine is turned"),
        (leibniz, lambda a, da: -da * math.sin(a), "that is the slope of cosine"),
        (leibniz, lambda a, da: math.sin(da), "you took the sine of the slope"),
        (leibniz, lambda a, da: math.cos(da), "you took the cosine of the slope"),
        (leibniz, lambda a, da: da + math.cos(a), "you added the slope that came in"),
        (leibniz, lambda a, da: 0.0, "sin still gives the slope 0"),
        (lambda a, da, b, db: 1 / 0, chained, "a product of two Duals stops with ZeroDivisionError"),
        (leibniz, lambda a, da: da + "x", "the sine of a Dual stops with TypeError"),
    ],
)
def test_the_dual(product: Callable[..., float], sine: Callable[..., float], told: str) -> None:
    verdict = lesson.check_dual(dual(product, sine))
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_dual_whose_sine_is_a_number_is_told_that_it_cannot_go_on() -> None:
    class Dual(right.Dual):
        def sin(self) -> Any:
            return math.sin(self.value)

    assert "sin returns the float 0.9092974268256817. The next op wants a slope too" in lesson.check_dual(Dual).text


def test_a_dual_with_a_wrong_value_is_told_so() -> None:
    class Dual(right.Dual):
        def __mul__(self, other: Any) -> Any:
            return Dual(self.value + other.value, leibniz(self.value, self.slope, other.value, other.slope))

    assert "__mul__ changes the value: it gives 7 and should give 10." in lesson.check_dual(Dual).text


def test_slopes_that_stay_0_are_the_starter() -> None:
    assert lesson.check_dual(dual(lambda *_: 0.0, lambda *_: 0.0)).state == "not written yet"


# ---- the forward rule -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("push", "told"),
    [
        (lambda dx, dy, x, y: dx / y, "y may move too"),
        (lambda dx, dy, x, y: -dy * x / y**2, "x may move too"),
        (lambda dx, dy, x, y: 1 / y - x / y**2, "dx and dy are not in it"),
        (lambda dx, dy, x, y: dx * y + dy * x, "this is the rule of a product"),
        (lambda dx, dy, x, y: dx / dy, "you divided the tangents"),
        (lambda dx, dy, x, y: dx / y + dy * x / y**2, "the sign of y's part is missing"),
        (lambda dx, dy, x, y: dx / y - dy * x / y, "one more y below"),
        (lambda dx, dy, x, y: (dx * y - dy * x) / y, "the quotient rule divides by y²"),
        (lambda dx, dy, x, y: dx / y - dy / y**2, "y's part has lost x"),
        (lambda dx, dy, x, y: dx + dy, "you added the tangents as they are"),
        (lambda dx, dy, x, y: x * 0.0 + 7.0, "moving by 2 and -3, you push 7; it is 5.5."),
        (lambda dx, dy, x, y: (dx / y, -dy * x / y**2), "you return one part per input. That is the way back."),
        (lambda dx, dy, x, y: None, "The forward rule of ratio returned None."),
        (lambda dx, dy, x, y: x.nothing, "your forward rule stops with"),
    ],
)
def test_the_forward_rule(push: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_push(ratio(push))
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_forward_rule_that_passes_dx_on_is_the_starter() -> None:
    assert lesson.check_push(ratio(lambda dx, dy, x, y: dx)).state == "not written yet"


def test_a_wrong_rule_back_is_found_by_the_right_rule_forward() -> None:
    op = lesson.own_op("ratio", lambda x, y: x / y, lambda g, y: g / y, lambda g, x, y: g * x / y**2, push=right.push)
    assert "the two rules of the way back are not: they disagree" in lesson.check_push(op).text


def test_an_op_with_a_forward_rule_is_in_no_registry_and_can_be_mapped() -> None:
    before = dict(OPS)
    op = ratio(right.push)
    assert before == OPS
    x, y = ml.tensor([6.0, 3.0]), ml.tensor(2.0)
    assert jvp(op, (x, y), (ml.ones(2), ml.tensor(1.0)))[1].tolist() == [-1.0, -0.25]
    assert jvp(lambda x: op(x, 2.0), (x,), (ml.ones(2),))[1].tolist() == [0.5, 0.5]
    assert jacfwd(lambda x: op(x, y))(x).tolist() == jacrev(lambda x: op(x, y))(x).tolist()


def test_a_forward_rule_of_another_shape_is_answered_where_it_happens() -> None:
    x = ml.ones(3)
    with pytest.raises(ml.errors.GradientError) as caught:
        jvp(ratio(lambda dx, dy, x, y: (dx / y).sum()), (x, x), (x, x))
    assert str(caught.value) == (
        "The forward rule of ratio returned something of shape ().\n"
        "  A forward rule returns one tangent, of the shape of the result, which is (3,) here.\n"
        "  Did you mean to add the parts of the inputs?"
    )


# ---- columns and rows -----------------------------------------------------------------------------------------------


def passes(f: Any, x: Any, which: int, n: int, dim: int) -> Any:
    return ml.stack([jvp(f, (x,), (e,))[which] for e in ml.eye(n)], dim=dim)


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (lambda f, x: passes(f, x, 1, 2, 0), "your columns lie there as rows"),
        (lambda f, x: passes(f, x, 0, 2, 1), "these are the values of f"),
        (lambda f, x: passes(f, x, 1, 3, 1), "a tangent has the shape of the input"),
        (lambda f, x: [jvp(f, (x,), (e,))[1] for e in ml.eye(2)], "columns returns a list of 2"),
        (lambda f, x: right.rows(f, x) * 2, "columns gives [[10.0, 4.0]"),
        (lambda f, x: jvp(f, (x,), (ml.tensor([1.0, 0.0]),))[1], "the shape should be (3, 2)"),
        (lambda f, x: [[1.0]][0][0], "columns returns the float 1.0"),
        (lambda f, x: ml.stack([vjp(f, x)[1](e)[0] for e in ml.eye(3)]), "you walked back, once per *output*"),
        (lambda f, x: jacrev(f)(x), "you walked back, once per *output*"),
        (lambda f, x: ml.stack([(f(x + 1e-2 * e) - f(x - 1e-2 * e)) / 2e-2 for e in ml.eye(2)], dim=1), "an estimate"),
        (lambda f, x: 1 / 0, "columns(f, x) stops with ZeroDivisionError"),
    ],
)
def test_columns(columns: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_columns(columns)
    assert verdict.state == "not yet"
    assert told in verdict.text


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (lambda f, x: right.rows(f, x).T, "your rows stand there as columns"),
        (lambda f, x: ml.stack([vjp(f, x)[1](e) for e in ml.eye(3)]), "pull returns a tuple"),
        (lambda f, x: ml.stack([vjp(f, x)[1](e)[0] for e in ml.eye(2)]), "a cotangent has the shape of the *output*"),
        (lambda f, x: ml.stack([vjp(f, x)[1](e)[0] for e in ml.eye(3)]), "f itself ran 3 times"),
        (lambda f, x: ml.stack([vjp(f, x)[0] for _ in ml.eye(3)]), "these are the values of f"),
        (lambda f, x: right.columns(f, x), "you went forward, once per *input*"),
        (lambda f, x: jacfwd(f)(x), "you went forward, once per *input*"),
        (lambda f, x: 1 / 0, "rows(f, x) stops with ZeroDivisionError"),
    ],
)
def test_rows(rows: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_rows(rows)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_all_inputs_or_all_outputs_at_once_are_the_starters() -> None:
    assert lesson.check_columns(lambda f, x: jvp(f, (x,), (ml.ones(2),))[1]).state == "not written yet"
    assert lesson.check_rows(lambda f, x: vjp(f, x)[1](ml.ones(3))[0]).state == "not written yet"


def test_passes_on_top_of_each_other_are_as_good() -> None:
    verdict = lesson.check_columns(lambda f, x: vmap(lambda way: jvp(f, (x,), (way,))[1], out_dims=1)(ml.eye(len(x))))
    assert verdict.done
    assert "on top of each other" in verdict.text

    def rows(f: Any, x: Any) -> Any:
        value, pull = vjp(f, x)
        return vmap(lambda way: pull(way)[0])(ml.eye(len(value)))

    assert lesson.check_rows(rows).done


# ---- second derivatives ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hvp", "told"),
    [
        (lambda f, x, v: jvp(grad(f), (x,), (v,)), "jvp returns a pair"),
        (lambda f, x, v: jvp(f, (x,), (v,))[1], "this is one number: how f moves along v"),
        (lambda f, x, v: grad(f)(x), "this is the gradient at x"),
        (lambda f, x, v: grad(f)(v), "v is no point"),
        (lambda f, x, v: grad(lambda z: grad(f)(z).sum())(x) * v, "v belongs inside"),
        (lambda f, x, v: hessian(f)(x), "this is the whole Hessian"),
        (lambda f, x, v: hessian(f)(x) @ v, "you built all 32 columns"),
        (lambda f, x, v: grad(f)(x + v) - grad(f)(x), "a difference over the whole length of v"),
        (lambda f, x, v: (grad(f)(x + v * 1e-4) - grad(f)(x)) * 1e4, "this is an estimate from a small step"),
        (lambda f, x, v: grad(grad(f))(x), "grad(grad(f)) asks for the gradient of a vector"),
        (lambda f, x, v: v, "hvp gives a tensor of shape (32,)"),
        (lambda f, x, v: None, "hvp gives None"),
        (lambda f, x, v: 1 / 0, "hvp(f, x, v) stops with ZeroDivisionError"),
    ],
)
def test_the_hessian_times_a_vector(hvp: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_hvp(hvp)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_gradient_times_v_is_the_starter() -> None:
    assert lesson.check_hvp(lambda f, x, v: grad(f)(x) * v).state == "not written yet"


def test_reverse_over_reverse_is_as_good() -> None:
    assert lesson.check_hvp(lambda f, x, v: grad(lambda z: (grad(f)(z) * v).sum())(x)).done


# ---- counting and drawing -------------------------------------------------------------------------------------------


def test_what_computes_nothing_is_not_counted() -> None:
    count = lesson.counted(lambda x: (ml.zeros(3) + x.T.reshape(3, 2)[0, 0]).exp(), ml.ones(2, 3))
    assert dict(count.ops) == {"add": 1, "exp": 1}


@pytest.mark.parametrize(
    ("fn", "work"),
    [
        (lambda a, b: a @ b, 2 * 4 * 3 * 5),
        (lambda a, b: ml.linear(a, b.T), 2 * 4 * 3 * 5),
        (lambda a, b: a.exp() * 2, 24),
        (lambda a, b: a.sum(), 11),
        (lambda a, b: a.add_(1.0), 12),
    ],
)
def test_work(fn: Callable[..., Any], work: int) -> None:
    assert lesson.counted(fn, ml.ones(4, 3), ml.ones(3, 5)).work == work


def test_counting_leaves_results_and_gradients_as_they_are() -> None:
    x = ml.tensor(2.0, requires_grad=True)
    seen: list[Any] = []
    lesson.counted(lambda x: seen.append(x * x), x)
    seen[0].backward()
    assert x.grad.item() == 4.0


def test_curves_have_the_lines_of_the_views() -> None:
    figure = lesson.curves(
        [1, 10], {"inputs": {"forward": [1, 2], "reverse": [2, 2]}, "outputs": {"forward": [1, 1]}}, "s"
    )
    assert [(line.name, line.line.dash, line.showlegend) for line in figure.data] == [
        ("forward", "solid", True), ("reverse", "dash", True), ("forward", "solid", False),
    ]  # fmt: skip
    assert figure.layout.xaxis2.title.text == "outputs"
    assert figure.layout.yaxis.type == "log"


def test_a_peak_is_what_was_in_use_at_once() -> None:
    assert 3_000_000 <= lesson.peak(lambda: [bytearray(1_000_000) for _ in range(3)]) < 3_100_000
