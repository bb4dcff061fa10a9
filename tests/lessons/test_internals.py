"""The checks of 05 on switches, hooks and Functions: typical wrong answers are told what they believed."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_05_internals as lesson
from minitorch_lab.lessons.lesson_05_internals.switches import SWITCHES, outcome
from tests.notebooks.solutions import s05_autograd_internals as right


def test_the_right_answers_are_done() -> None:
    assert lesson.check_switches(right.answers).done
    assert lesson.check_clip(right.clip).done
    assert lesson.check_watch(right.watch).done
    assert lesson.check_log_cosh(right.LogCosh).done
    assert lesson.check_spoiled(right.remember, right.spoiled).done
    assert lesson.check_packing(right.pack, right.unpack).done
    assert lesson.check_newton(right.newton).done


def test_the_mystery_is_one_of_four_with_the_same_value() -> None:
    x = ml.tensor(2.0, requires_grad=True)
    four = (18 * x, (3 * x) ** 2, 9 * x**2, x**2 + 16 * x)
    assert [z.item() for z in four] == [36.0] * 4
    gradients = [ml.autograd.grad(z, x)[0].item() for z in four]
    assert gradients == [18.0, 36.0, 36.0, 20.0]
    z = lesson.mystery(x)
    ((mul, first), (nothing, _)) = z.grad_fn.next_functions
    assert (z.item(), z.grad_fn.name(), mul.name(), first, nothing) == (36.0, "PowBackward", "MulBackward", 0, None)
    assert z.grad_fn.saved_tensors["x"].item() == 6.0


# ---- ten switches ---------------------------------------------------------------------------------------------------


def test_the_switches_are_what_the_programs_give() -> None:
    assert {name: outcome(name) for name in SWITCHES} == right.answers


@pytest.mark.parametrize(
    ("name", "answer", "told"),
    [
        ("twice", 8, "9 of 10 are right. 'twice' is not 8: there is no second walk"),
        ("twice", 4, "the second call does not simply do nothing"),
        ("twice, retained", 4, "retain_graph keeps the graph, and not the old gradient"),
        ("two losses", 3, "backward() does not empty the tray first"),
        ("two losses", 6, "are added, and not multiplied"),
        ("two losses, emptied", 5, "It is what zero_grad() does"),
        ("h.grad", 12, "nobody asked to keep it: only leaves have trays"),
        ("h.grad, retained", "nothing", "asked for it before the walk"),
        ("detach", 12, "counts the way through h, and that way is cut"),
        ("no_grad", 3, "the way through h is the one that is cut"),
        ("frozen", 5, "It was told not to."),
        ("frozen", 0, "does not get a 0, it gets nothing at all"),
        ("inference_mode", 6, "with no_grad() it would be 6. But h has no version counter"),
        ("no_grad", 1000, "no walk ends with that"),
        ("detach", None, "9 of 10 are right. 'detach' has no answer yet."),
    ],
)
def test_a_switch_that_was_thought_to_do_something_else(name: str, answer: Any, told: str) -> None:
    verdict = lesson.check_switches({**right.answers, name: answer})
    assert verdict.state == "not yet"
    assert told.lower() in verdict.text.lower()


def test_no_belief_is_the_truth() -> None:
    for name, switch in SWITCHES.items():
        assert outcome(name) not in switch.beliefs
        assert len(switch.beliefs) >= 3


def test_switches_without_answers_wait() -> None:
    assert lesson.check_switches(dict.fromkeys(SWITCHES)).state == "not written yet"


# ---- clipping -------------------------------------------------------------------------------------------------------


def length(g: ml.Tensor) -> ml.Tensor:
    return (g * g).sum().sqrt()


def in_place(g: ml.Tensor) -> ml.Tensor:
    g *= 1 / max(1.0, length(g).item())
    return g


@pytest.mark.parametrize(
    ("hook", "told"),
    [
        (lambda g: g.clamp(-1, 1), "you cut each entry by itself: [12, −16] became [1, −1]"),
        (lambda g: g.clamp(max=1), "you only cut from above"),
        (lambda g: g / length(g), "a cotangent of zeros came out as NaN"),
        (lambda g: g / (length(g) + 1e-6), "Clipping never lengthens"),
        (lambda g: g / (g * g).sum().clamp(min=1), "you divided by 400, the sum of squares"),
        (lambda g: g / g.abs().sum().clamp(min=1), "you divided by 28, the sum of the absolute values"),
        (lambda g: g / g.abs().max().clamp(min=1), "you divided by 16, the largest entry"),
        (lambda g: g / g.sum() if g.sum() < 0 else g, "you divided by 12 − 16, the sum"),
        (in_place, "your hook writes into g"),
        (lambda g: 1.0, "your hook returns no tensor"),
        (lambda g: g / 20, "[0.3, 0.4] is shorter than 1 and should pass. It came out as [0.015, 0.02]."),
        (lambda g: g * 2, "It should come out as [0.6, −0.8], and came out as [24, −32]."),
        (lambda g: g if g < 1 else g / 20, "`if` wants one answer"),
        (lambda g: 1 / 0, "your hook stops with ZeroDivisionError"),
    ],
)
def test_clipping(hook: Callable[[ml.Tensor], Any], told: str) -> None:
    verdict = lesson.check_clip(hook)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_other_ways_to_clip_are_right() -> None:
    assert lesson.check_clip(lambda g: g / length(g) if length(g) > 1 else g).done
    assert lesson.check_clip(lambda g: g / length(g) if length(g) > 1 else None).done


@pytest.mark.parametrize("hook", [lambda g: g, lambda g: None])
def test_a_hook_that_only_looks_is_the_starter(hook: Callable[[ml.Tensor], Any]) -> None:
    assert lesson.check_clip(hook).state == "not written yet"


# ---- a log of the walk ----------------------------------------------------------------------------------------------

Note = Callable[..., Any]


def on_each(nodes: Callable[[Any], list[Any]], note: Callable[[Any, list[Any]], Note]) -> Callable[..., None]:
    def watch(root: Any, log: list[Any]) -> None:
        for node in nodes(root):
            node.register_prehook(note(node, log))

    return watch


def pair(node: Any, log: list[Any]) -> Note:
    return lambda g: log.append((node.name(), lesson.size(g)))


def late(root: Any, log: list[Any]) -> None:
    for node in lesson.order_of(root):
        node.register_prehook(lambda g: log.append((node.name(), lesson.size(g))))  # noqa: B023


def sent(root: Any, log: list[Any]) -> None:
    for node in lesson.order_of(root):
        node.register_hook(lambda inputs, g, node=node: log.append((node.name(), lesson.size(inputs))))


def by_paths(root: Any) -> list[Any]:
    return [root, *(n for edge, _ in root.next_functions if edge is not None for n in by_paths(edge))]


def by_names(root: Any) -> list[Any]:
    return list({node.name(): node for node in lesson.order_of(root)}.values())


def edges_and_all(root: Any) -> list[Any]:
    return [root, *(n for edge, _ in root.next_functions for n in edges_and_all(edge))]


def pairs(root: Any) -> list[Any]:
    return [root, *root.next_functions]


def at_once(root: Any, log: list[Any]) -> None:
    log += [(node.name(), 1.0) for node in lesson.order_of(root)]


def two_arguments(root: Any, log: list[Any]) -> None:
    root.register_hook(lambda g: log.append((root.name(), lesson.size(g))))


@pytest.mark.parametrize(
    ("watch", "told"),
    [
        (late, "every line of your log says AccumulateGrad. All hooks read one variable"),
        (sent, "these are the sizes of what each node sends"),
        (on_each(by_paths, pair), "it has two readers, and you hooked it once for each"),
        (on_each(by_names, pair), "A second MulBackward is not in your log."),
        (on_each(edges_and_all, pair), "you followed an edge that leads nowhere"),
        (on_each(pairs, pair), "next_functions holds pairs"),
        (on_each(lambda root: [root], pair), "your log has one line"),
        (on_each(lesson.order_of, lambda node, log: lambda g: log.append(node.name())), "It should be a pair"),
        (on_each(lesson.order_of, lambda node, log: lambda g: log.append((node.name(), 2.0))), "note lesson.size"),
        (on_each(lesson.order_of, lambda node, log: lambda g, more: None), "called with another number of arguments"),
        (two_arguments, "called with another number of arguments"),
        (at_once, "the log is filled before the walk"),
        (lambda root, log: 1 / 0, "watch() stops with ZeroDivisionError"),
    ],
)
def test_watching_the_walk(watch: Callable[..., None], told: str) -> None:
    verdict = lesson.check_watch(watch)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_hook_that_returns_something_is_told_so() -> None:
    doubled = on_each(lesson.order_of, lambda node, log: lambda g: pair(node, log)(g) or log)
    assert "returns something, and the walk goes on with that" in lesson.check_watch(doubled).text


def test_a_watch_without_hooks_is_the_starter() -> None:
    assert lesson.check_watch(lambda root, log: None).state == "not written yet"


def deep_log(activation: type[ml.nn.Module]) -> list[tuple[str, float]]:
    ml.manual_seed(0)
    layers = [part for _ in range(12) for part in (ml.nn.Linear(16, 16), activation())]
    loss, log = ml.nn.Sequential(*layers)(ml.randn(8, 16)).sum(), []
    right.watch(loss.grad_fn, log)
    loss.backward()
    return [(name, number) for name, number in log if name != "AccumulateGrad"]


def test_the_log_of_a_deep_network_falls_and_is_drawn() -> None:
    log = deep_log(ml.nn.Sigmoid)
    sigmoids = [number for name, number in log if name == "SigmoidBackward"]
    assert len(sigmoids) == 12
    assert all(later < 0.5 * earlier for earlier, later in pairwise(sigmoids))
    figure = lesson.fading(log)
    assert [trace.name for trace in figure.data] == ["Sum", "Sigmoid", "Linear"]
    assert list(figure.data[1].y) == sigmoids
    assert lesson.fading([]).state == "not written yet"


def test_what_the_text_says_of_the_three_activations() -> None:
    sigmoid, relu, tanh = (deep_log(kind)[-1][1] for kind in (ml.nn.Sigmoid, ml.nn.ReLU, ml.nn.Tanh))
    assert 1e-11 < sigmoid < 1e-9  # "a ten-billionth"
    assert sigmoid < 4.0**-12 < relu < tanh < 0.01


# ---- a Function -----------------------------------------------------------------------------------------------------


def log_cosh(backward: Callable[[Any, Any], Any], keep: Callable[[Any, Any], Any] | None = None) -> Any:
    class LogCosh(ml.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            (keep or (lambda ctx, x: ctx.save_for_backward(x)))(ctx, x)
            return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return backward(g, ctx.saved_tensors[0] if keep is None else ctx.x)

    return LogCosh


def secret(ctx: Any, x: Any) -> None:
    ctx.x = x


def quotient(g: Any, x: Any) -> Any:
    up, down = x.exp(), (-x).exp()
    return g * (up - down) / (up + down)


@pytest.mark.parametrize(
    ("backward", "told"),
    [
        (lambda g, x: x.tanh(), "returns the derivative without g"),
        (lambda g, x: g * (x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)), "you sent g times the value"),
        (lambda g, x: g * (1 - x.tanh() ** 2), "you differentiated once too often"),
        (lambda g, x: -g * x.tanh(), "the sign is turned"),
        (lambda g, x: g * x.sign(), "±1 is right far away. Near 0"),
        (lambda g, x: g * x.abs().tanh(), "with |x| the sign got lost"),
        (lambda g, x: g + x.tanh(), "you added g"),
        (lambda g, x: g, "you sent g through"),
        (lambda g, x: g * 7, "with g = 1 your backward sends 7."),
        (lambda g, x: g * (x.clamp(-20, 5)).tanh() * (x < 50), "At x = 100, with g = 5, it sends 0"),
        (lambda g, x: g * (x.clamp(-5, 20)).tanh() * (x > -50), "at x = −100 it sends"),
        (lambda g, x: None, "not yet"),
        (lambda g, x: (g, g), "returned 2 gradients"),
        (lambda g, x: (g * x.tanh()).sum(), "gradient of shape ()"),
        (lambda g, x: 1 / 0, "your Function stops with ZeroDivisionError"),
    ],
)
def test_the_backward_of_log_cosh(backward: Callable[[Any, Any], Any], told: str) -> None:
    verdict = lesson.check_log_cosh(log_cosh(backward))
    assert verdict.state == "not yet"
    assert told in repr(verdict)


def test_what_is_kept_in_secret_is_found_out() -> None:
    verdict = lesson.check_log_cosh(log_cosh(lambda g, x: g * x.tanh(), secret))
    assert verdict.state == "not yet"
    assert "Use ctx.save_for_backward(x)." in verdict.text


def test_the_quotient_of_infinities_is_the_starter() -> None:
    assert lesson.check_log_cosh(log_cosh(quotient)).state == "not written yet"


def test_what_is_kept_may_be_the_derivative() -> None:
    class Slope(ml.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x.tanh())
            return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.saved_tensors[0]

    assert lesson.check_log_cosh(Slope).done


def test_newton_returns_a_tensor() -> None:
    verdict = lesson.check_newton(lambda f, x: right.newton(f, x).item())
    assert verdict.text.startswith("newton() returns the float 3.0.")


def test_log_cosh_is_walked_in_the_view() -> None:
    x = ml.tensor(0.5, requires_grad=True)
    with ml.record() as rec:
        y = right.LogCosh.apply(x)
        y.backward()
    assert any("LogCosh" in line and "0.4621" in line for line in ml.widgets.Backward(rec).transcript())
