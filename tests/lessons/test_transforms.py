"""The checks of 07: typical wrong answers are told what they believed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.core.interpret import Interpreter, stack
from minitorch_lab.func import custom_jvp, grad, vmap
from minitorch_lab.lessons import lesson_07_transforms as lesson
from minitorch_lab.ops import OPS
from tests.notebooks.solutions import s07_function_transforms as right


def test_the_right_answers_are_done() -> None:
    assert lesson.check_loss(right.loss).done
    assert lesson.check_step(right.step).done
    assert lesson.check_levels(slope_with(lambda dual: lambda x, level: own_level(dual, x, level))).done
    assert lesson.check_tally(right.Tally).done
    assert lesson.check_batch(lesson.own_dot(right.dot_of_many)).done


# ---- cross-entropy --------------------------------------------------------------------------------------------------


def believed(s: Any, k: Any) -> Any:
    return s.softmax(dim=0)[k]


@pytest.mark.parametrize(
    ("loss", "told"),
    [
        (lambda s, k: s.exp().sum().log(), "these are the p alone"),
        (lambda s, k: s[k] - s.exp().sum().log(), "the sign is turned"),
        (lambda s, k: -believed(s, k), "you took minus the probability"),
        (lambda s, k: believed(s, k), "this is the probability itself"),
        (lambda s, k: (s.logsumexp(dim=0) - s[k]) / 3, "you took the mean over the classes"),
        (lambda s, k: (s.logsumexp(dim=0) - s[k]) / 0.6931472, "right, in bits"),
        (lambda s, k: s.sum() * 0.0, "does not depend on the scores"),
        (lambda s, k: s.logsumexp(dim=0) - 2 * s[k], "for the scores [2.0, 0.0, -1.0] and the label 0 the gradient is"),
        (lambda s, k: s.log_softmax(dim=0), "your loss is no single number"),
        (lambda s, k: s.logsumexp(dim=0) - s[k.item()], "you asked for a Python number"),
        (lambda s, k: s.logsumexp(dim=1) - s[k], "you counted the axis of the batch"),
        (lambda s, k: s.exp().sum().log() - s[k], "exp(1000) is no number"),
        (lambda s, k: 1 / 0, "your loss stops with ZeroDivisionError"),
    ],
)
def test_the_loss_of_one_example(loss: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_loss(loss)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_loss_that_only_pulls_is_the_starter() -> None:
    assert lesson.check_loss(lambda s, k: -s[k]).state == "not written yet"


def test_another_way_to_write_it_is_as_good() -> None:
    assert lesson.check_loss(lambda s, k: -s.log_softmax(dim=0)[k]).done
    assert "something is added that does not move" in lesson.check_loss(lambda s, k: 7 - s.log_softmax(dim=0)[k]).text


# ---- a step ---------------------------------------------------------------------------------------------------------


def by_leaf(fn: Callable[..., Any]) -> Callable[..., Any]:
    return lambda params, grads, lr: lesson.tree_map(lambda w, g: fn(w, g, lr), params, grads)


def in_place(params: Any, grads: Any, lr: Any) -> Any:
    lesson.tree_map(lambda w, g: w.sub_(lr * g), params, grads)
    return params


def in_the_dict(params: Any, grads: Any, lr: Any) -> Any:
    for name in params["hidden"]:
        params["hidden"][name] = params["hidden"][name] - lr * grads["hidden"][name]
    params["out"] = params["out"] - lr * grads["out"]
    return params


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (by_leaf(lambda w, g, lr: w + lr * g), "you walk uphill"),
        (by_leaf(lambda w, g, lr: w - g), "lr is missing"),
        (by_leaf(lambda w, g, lr: lr * g), "this is the step itself. Subtract it"),
        (by_leaf(lambda w, g, lr: -lr * g), "this is the step itself. Add it"),
        (by_leaf(lambda w, g, lr: g), "these are the gradients"),
        (by_leaf(lambda w, g, lr: w - lr * w), "grads is not in it"),
        (by_leaf(lambda w, g, lr: w * 1.0), "nothing has moved"),
        (by_leaf(lambda w, g, lr: w - 2 * lr * g), "It is w − lr · g for each leaf"),
        (by_leaf(lambda w, g, lr: w - float(lr) * g if isinstance(lr, float) else w), "lr has to stay a tensor"),
        (in_place, "the old parameters have changed"),
        (in_the_dict, "the old parameters have changed"),
        (lambda params, grads, lr: None, "step returns nothing"),
        (lambda params, grads, lr: {"out": params["out"]}, "not built like the old ones"),
        (lambda params, grads, lr: {"hidden": params["out"], "out": params["out"]}, "not nested like the old ones"),
        (lambda params, grads, lr: {k: v - lr * grads[k] for k, v in params.items()}, "you computed with a dict"),
        (lambda params, grads, lr: 1 / 0, "step stops with ZeroDivisionError"),
    ],
)
def test_the_step(step: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_step(step)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_step_that_returns_what_it_was_given_is_the_starter() -> None:
    assert lesson.check_step(lambda params, grads, lr: params).state == "not written yet"


def test_trees_of_another_form_do_not_map() -> None:
    assert lesson.tree_map(lambda a: -a, [1, {"b": (2, None)}]) == [-1, {"b": (-2, None)}]
    with pytest.raises(ValueError, match="zip"):
        lesson.tree_map(lambda a, b: a, {"w": 1}, {"w": 1, "b": 2})


# ---- levels ---------------------------------------------------------------------------------------------------------


def slope_with(make: Callable[[type], Callable[..., Any]]) -> Callable[..., Any]:
    """`slope_of`, as the notebook has it, on the given `parts`."""
    next_level = count(1).__next__

    class Dual:
        def __init__(self, value: Any, slope: Any, level: int) -> None:
            self.value, self.slope, self.level = value, slope, level

        def __add__(self, other: Any) -> Any:
            level, (a, da), (b, db) = both(self, other)
            return Dual(a + b, da + db, level)

        def __mul__(self, other: Any) -> Any:
            level, (a, da), (b, db) = both(self, other)
            return Dual(a * b, da * b + a * db, level)

        __radd__, __rmul__ = __add__, __mul__

    parts = make(Dual)

    def both(x: Any, y: Any) -> Any:
        level = max(getattr(x, "level", 0), getattr(y, "level", 0))
        return level, parts(x, level), parts(y, level)

    def slope_of(f: Any, x: Any) -> Any:
        level = next_level()
        return parts(f(Dual(x, 1.0, level)), level)[1]

    return slope_of


def own_level(dual: type, x: Any, level: int) -> Any:
    return (x.value, x.slope) if isinstance(x, dual) and x.level == level else (x, 0.0)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda dual: lambda x, level: (x, 0.0), "everything is a constant now"),
        (
            lambda dual: (
                lambda x, level: (x.value, x.slope if x.level == level else 0.0) if isinstance(x, dual) else (x, 0.0)
            ),
            "you took a Dual of another level apart",
        ),
        (
            lambda dual: lambda x, level: (x.value, x.slope) if x.level == level else (x, 0.0),
            "a plain number has no level",
        ),
        (lambda dual: lambda x, level: None, "parts returns a pair in every case"),
        (
            lambda dual: (
                lambda x, level: (
                    own_level(dual, x, level)[0],
                    2 * own_level(dual, x, level)[1],
                )
            ),
            "comes out as",
        ),
        (lambda dual: lambda x, level: 1 / 0, "slope_of stops with ZeroDivisionError"),
    ],
)
def test_levels(make: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_levels(slope_with(make))
    assert verdict.state == "not yet"
    assert told in verdict.text


@pytest.mark.parametrize("lower", [False, True])
def test_taking_every_dual_apart_is_the_starter(lower: bool) -> None:
    def make(dual: type) -> Any:
        def parts(x: Any, level: int) -> Any:
            return (x.value, x.slope) if isinstance(x, dual) and (not lower or x.level <= level) else (x, 0.0)

        return parts

    assert lesson.check_levels(slope_with(make)).state == "not written yet"


# ---- an interpreter -------------------------------------------------------------------------------------------------


def tally(run: Callable[..., Any], start: Callable[[], Any] = dict) -> Callable[[], Any]:
    class Tally(Interpreter):
        def __init__(self) -> None:
            self.below, self.counts = stack.get(), start()

        def run(self, op: Any, args: Any, params: Any) -> Any:
            return run(self, op, args, params)

    return Tally


def passing(count: Callable[..., Any]) -> Callable[..., Any]:
    def run(self: Any, op: Any, args: Any, params: Any) -> Any:
        count(self.counts, op)
        return self.below.run(op, args, params)

    return run


def add(counts: Any, op: Any) -> None:
    counts[op.name] = counts.get(op.name, 0) + 1


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (tally(lambda self, op, args, params: add(self.counts, op)), "run returns nothing"),
        (tally(lambda self, op, args, params: op(*args, **params)), "your run asks whoever is on top"),
        (
            tally(lambda self, op, args, params: ml.tensor(op.impl(*[a.value for a in args], **params))),
            "The floors below never heard",
        ),
        (tally(lambda self, op, args, params: self.below.run(op, *args, **params)), "run takes three things"),
        (tally(passing(lambda counts, op: counts.update({op.name: counts[op.name] + 1}))), "you add to a count that"),
        (tally(passing(lambda counts, op: counts.update({op.name: 1}))), "every op is counted once"),
        (tally(passing(lambda counts, op: counts.update({op: counts.get(op, 0) + 1}))), "your keys are the ops"),
        (tally(passing(lambda counts, op: counts.append(op.name)), list), "counts is a list"),
        (tally(passing(lambda counts, op: counts.update({"all": counts.get("all", 0) + 1}))), "you count {'all': 4}"),
        (tally(lambda self, op, args, params: 1 / 0), "an op under your interpreter stops with ZeroDivisionError"),
    ],
)
def test_the_tally(kind: Callable[[], Any], told: str) -> None:
    verdict = lesson.check_tally(kind)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_interpreter_that_changes_the_results_is_told_so() -> None:
    def run(self: Any, op: Any, args: Any, params: Any) -> Any:
        return self.below.run(OPS["cos"] if op.name == "sin" else op, args, params)

    assert "the result has changed" in lesson.check_tally(tally(run)).text


def test_passing_on_alone_is_the_starter() -> None:
    assert lesson.check_tally(tally(passing(lambda counts, op: None))).state == "not written yet"


def test_the_floors_of_nested_transforms() -> None:
    seen: list[list[str]] = []

    def f(x: Any) -> Any:
        seen.append(lesson.floors())
        return (x * x).sum()

    vmap(grad(f))(ml.ones(2, 3))
    assert seen == [["Tape", "Vmap", "Eager", "Ground"]]


# ---- a batching rule ------------------------------------------------------------------------------------------------


def in_a_loop(x: Any, y: Any) -> Any:
    return ml.stack([(a * b).sum() for a, b in zip(x, y, strict=True)])


@pytest.mark.parametrize(
    ("batch", "told"),
    [
        (lambda x, y: (x * y).sum(dim=0), "you added up the wrong axis"),
        (lambda x, y: x @ y.T, "this is every example with every other one"),
        (lambda x, y: x * y, "the products are there, and they are not added up"),
        (lambda x, y: (x + y).sum(dim=-1), "for a batch of four pairs you give"),
        (in_a_loop, "one of the two may be shared"),
        (lambda x, y: None, "The batching rule of dot returned None."),
        (lambda x, y: ml.ones(7), "The batching rule of dot returned something of shape (7,)."),
        (lambda x, y: ml.tensor((x.numpy() * y.numpy()).sum(-1)), "right for one vmap, and not for two"),
        (lambda x, y: (x.detach() * y).sum(dim=-1), "the gradients are not"),
        (lambda x, y: 1 / 0, "your batching rule stops with ZeroDivisionError"),
    ],
)
def test_the_batching_rule(batch: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_batch(lesson.own_dot(batch))
    assert told in verdict.text
    assert verdict.state == "not yet"


def test_a_sum_over_everything_is_the_starter() -> None:
    assert lesson.check_batch(lesson.own_dot(lambda x, y: (x * y).sum())).state == "not written yet"


def test_dot_is_in_no_registry() -> None:
    before = dict(OPS)
    lesson.own_dot(right.dot_of_many)
    assert before == OPS


def test_a_batch_of_the_wrong_shape_is_answered_where_it_happens() -> None:
    with pytest.raises(ml.errors.ShapeError) as caught:
        vmap(lesson.own_dot(lambda x, y: (x * y).sum()))(ml.ones(4, 3), ml.ones(4, 3))
    assert str(caught.value) == (
        "The batching rule of dot returned something of shape ().\n"
        "  There are 4 examples, and the dot product of each is one number: the shape is (4,).\n"
        "  Which axes are added up, and which one counts the examples?"
    )


# ---- a derivative of one's own --------------------------------------------------------------------------------------


def softplus_with(rule: Callable[..., Any]) -> Any:
    @custom_jvp
    def softplus(x: Any) -> Any:
        return x.relu() + (-x.abs()).exp().log1p()

    softplus.defjvp(lambda primals, tangents: rule(softplus, *primals, *tangents))
    return softplus


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (lambda f, x, dx: (f(x), dx * (x > 0).float()), "this is the slope of relu"),
        (lambda f, x, dx: (f(x), dx / (1 + x.exp())), "this one falls from 1 to 0"),
        (lambda f, x, dx: (f(x), dx * x.sigmoid() * (1 - x.sigmoid())), "you differentiated once too often"),
        (lambda f, x, dx: (f(x), dx * x.exp()), "the chain rule is not through"),
        (lambda f, x, dx: (f(x), dx * f(x)), "this is the value"),
        (lambda f, x, dx: (f(x), dx * x.sigmoid() * 2), "at 0 your slope is 1, at 2 it is 1.762."),
        (lambda f, x, dx: (f(x), dx * x.exp() / (1 + x.exp())), "infinity by infinity is no number"),
        (lambda f, x, dx: (f(x), x.sigmoid()), "three times the tangent gives something else"),
        (lambda f, x, dx: (dx * x.sigmoid(), f(x)), "the pair is the wrong way round"),
        (lambda f, x, dx: (f(x) + 1, dx * x.sigmoid()), "the value has changed"),
        (lambda f, x, dx: 1 / 0, "your rule stops with ZeroDivisionError"),
        (lambda f, x, dx: dx * x.sigmoid(), "your rule stops with"),
    ],
)
def test_softplus(rule: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_softplus(softplus_with(rule))
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_rule_that_passes_dx_on_is_the_starter() -> None:
    assert lesson.check_softplus(softplus_with(lambda f, x, dx: (f(x), dx))).state == "not written yet"


def test_the_right_rule_is_done() -> None:
    assert lesson.check_softplus(softplus_with(lambda f, x, dx: (f(x), dx / (1 + (-x).exp())))).done
    assert lesson.check_softplus(softplus_with(lambda f, x, dx: (f(x), dx * x.sigmoid()))).done


def test_what_brings_its_own_rule_is_passed_on_too() -> None:
    count = lesson.counted(grad(softplus_with(lambda f, x, dx: (f(x), dx * x.sigmoid()))), ml.tensor(1.0))
    assert count.ops["sigmoid"] == 1
