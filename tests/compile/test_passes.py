"""The passes one by one: the graph that goes in beside the graph that comes out, and what they must leave alone."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.control import cond
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.fake import facts_of
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.ir.symbolic import Capturing
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.compiler.passes.cse import cse
from minitorch_lab.compiler.passes.dce import dce
from minitorch_lab.compiler.passes.fold import fold
from minitorch_lab.compiler.passes.freeze import freeze
from minitorch_lab.compiler.passes.layout import layout
from minitorch_lab.compiler.passes.pipeline import optimize
from minitorch_lab.compiler.passes.simplify import simplify
from minitorch_lab.core.interpret import interpreting


def traced(fn: Any, *examples: Any) -> Graph:
    return ml.jit.trace(fn, *examples).graph


def text(graph: Graph) -> str:
    verify(graph)
    return str(graph)


# ---- dce ------------------------------------------------------------------------------------------------------------


def test_dce_keeps_draws_and_writes() -> None:
    def f(x: Any) -> Any:
        unused = x.exp() + 1
        ml.rand(2)
        buffer = x.clone()
        buffer += unused * 0
        return x * 2

    done: Counter[str] = Counter()
    graph = dce(traced(f, ml.ones(2)), done)
    assert [n.name for n in graph.calls] == ["exp", "add", "uniform", "clone", "mul", "add_", "mul_1"]
    assert "dead" not in done
    graph = dce(traced(lambda x: (x.exp() + 1, x * 2)[1], ml.ones(2)), done)
    assert text(graph) == "graph(x: f32[2]):\n    mul: f32[2] = mul(x, 2)\n    return mul"
    assert done == {"dead": 2}


def test_dce_cleans_the_blocks_of_control_flow() -> None:
    graph = Graph()
    capturing = Capturing(graph)
    x = capturing.imagined("x", facts_of(ml.ones(2)))
    with interpreting(capturing):
        (result,) = cond(capturing, x.sum() > 0, lambda: ((x.exp(), x * 2)[1],), lambda: (x - 1,))
    graph.output(result.value)
    done: Counter[str] = Counter()
    assert text(dce(graph, done)) == (
        "graph(x: f32[2]):\n"
        "    sum: f32[] = sum(x, axis=(0,), keepdims=False)\n"
        "    gt: b8[] = gt(sum, 0)\n"
        "    if: b8[] = if(gt, x)\n"
        "        then(x: f32[2]):\n"
        "            mul: f32[2] = mul(x, 2)\n"
        "            return (mul,)\n"
        "        else(x: f32[2]):\n"
        "            sub: f32[2] = sub(x, 1)\n"
        "            return (sub,)\n"
        "    part: f32[2] = if[0]\n"
        "    return part"
    )
    assert done == {"dead": 1}


# ---- cse ------------------------------------------------------------------------------------------------------------


def test_cse_computes_once_what_is_the_same() -> None:
    def f(x: Any, y: Any) -> Any:
        return (x * y).exp() * (y * x).exp() + (x - y) * (y - x)

    graph = traced(f, ml.ones(2), ml.ones(2))
    assert text(graph) == (
        "f(x: f32[2], y: f32[2]):\n"
        "    mul: f32[2] = mul(x, y)\n"
        "    exp: f32[2] = exp(mul)\n"
        "    mul_1: f32[2] = mul(y, x)\n"
        "    exp_1: f32[2] = exp(mul_1)\n"
        "    mul_2: f32[2] = mul(exp, exp_1)\n"
        "    sub: f32[2] = sub(x, y)\n"
        "    sub_1: f32[2] = sub(y, x)\n"
        "    mul_3: f32[2] = mul(sub, sub_1)\n"
        "    add: f32[2] = add(mul_2, mul_3)\n"
        "    return add"
    )
    done: Counter[str] = Counter()
    assert text(cse(graph, done)) == (
        "f(x: f32[2], y: f32[2]):\n"
        "    mul: f32[2] = mul(x, y)\n"
        "    exp: f32[2] = exp(mul)\n"
        "    mul_2: f32[2] = mul(exp, exp)\n"
        "    sub: f32[2] = sub(x, y)\n"
        "    sub_1: f32[2] = sub(y, x)\n"
        "    mul_3: f32[2] = mul(sub, sub_1)\n"
        "    add: f32[2] = add(mul_2, mul_3)\n"
        "    return add"
    )
    assert done == {"repeated": 2}


def kept(pass_: Any, fn: Any, *args: Any) -> None:
    """The pass finds nothing to do."""
    graph, done = traced(fn, *args), Counter[str]()
    new = pass_(graph, done)
    assert text(new) == text(graph)
    assert not done


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: (x.exp(), x.exp()),  # two results are two tensors
        lambda x: (x * 1.0, x * True, x * -0.0, x * 0.0),  # different numbers, however equal
        lambda x: x.sum(0) + x.sum(0, keepdim=True),  # different parameters
    ],
)
def test_cse_leaves_alone(fn: Any) -> None:
    kept(cse, fn, ml.ones(2))


def test_cse_knows_that_two_draws_are_two_values() -> None:
    graph = cse(traced(lambda x: ml.rand(2) - ml.rand(2) + x, ml.ones(2)))
    assert [n.name for n in graph.calls] == ["uniform", "uniform_1", "sub", "add"]


def test_cse_reads_again_what_was_written_through_a_view() -> None:
    def f(x: Any) -> Any:
        a = x.clone()
        row = a[0]
        before = row * 2.0
        a.mul_(3.0)
        return before + row * 2.0

    graph = cse(traced(f, ml.ones(2, 2)))
    assert evaluate(graph, [ml.ones(2, 2)]).tolist() == [8.0, 8.0]


# ---- fold, freeze ---------------------------------------------------------------------------------------------------


def test_fold_computes_what_is_known() -> None:
    def f(x: Any) -> Any:
        return x * (ml.arange(2).float() * 0.5).exp()

    graph = traced(f, ml.ones(2))
    done: Counter[str] = Counter()
    new = dce(fold(graph, done))
    assert done == {"folded": 3}
    assert text(new) == (
        "f(x: f32[2]):\n    constant_2: f32[2]\n    mul_1: f32[2] = mul(x, constant_2)\n    return mul_1"
    )
    (constant,) = [n for n in new.nodes if n.kind == "get_attr"]
    np.testing.assert_allclose(constant.payload.numpy(), np.exp([0.0, 0.5]), rtol=1e-6)
    assert constant.made_by == "fold"
    assert constant.line is not None
    assert constant.line.file == __file__


def test_a_folded_constant_is_never_returned() -> None:
    graph = fold(traced(lambda x: (ml.ones(2) * 3 + 1, x * 1), ml.ones(2)))
    for _ in range(2):
        result, _ = evaluate(graph, [ml.ones(2)])
        assert result.tolist() == [4.0, 4.0]
        result.zero_()


def test_what_comes_from_outside_is_no_constant_until_it_is_frozen() -> None:
    w = ml.ones(2, requires_grad=True)
    graph = traced(lambda x: x * (w * 2), ml.ones(2))
    assert not any(n.made_by for n in fold(graph).nodes)
    frozen = dce(fold(freeze(graph)))
    with ml.no_grad():
        w.mul_(5.0)
    assert evaluate(graph, [ml.ones(2)]).tolist() == [10.0, 10.0]
    assert evaluate(frozen, [ml.ones(2)]).tolist() == [2.0, 2.0]
    assert [n.name for n in frozen.calls] == ["mul_1"]


def test_fold_leaves_large_constants_alone() -> None:
    graph = traced(lambda x: x + (ml.ones(8_000_000) * 2).sum(), ml.ones(1))
    assert [n.name for n in fold(graph).calls] == [n.name for n in graph.calls]


# ---- simplify -------------------------------------------------------------------------------------------------------

MATRIX = ml.ones(2, 3)
RULES: list[tuple[str, Any, str]] = [
    ("x * 1", lambda x: (x * 1).exp(), "exp(x)"),
    ("1 * x", lambda x: (1.0 * x).exp(), "exp(x)"),
    ("x * ones", lambda x: (x * ml.ones(2, 3)).exp(), "exp(x)"),
    ("x * -1", lambda x: x * -1, "neg(x)"),
    ("x / 1", lambda x: (x / 1).exp(), "exp(x)"),
    ("x - 0", lambda x: (x - 0).exp(), "exp(x)"),
    ("x + -0.0", lambda x: (x + -0.0).exp(), "exp(x)"),
    ("x + -y", lambda x: x + -x.exp(), "sub(x, exp)"),
    ("-x + y", lambda x: -x + x.exp(), "sub(exp, x)"),
    ("x - -y", lambda x: x - -x.exp(), "add(x, exp)"),
    ("-x * -y", lambda x: -x * -x.exp(), "mul(x, exp)"),
    ("-x / -y", lambda x: -x / -x.exp(), "div(x, exp)"),
    ("--x", lambda x: x.neg().neg().exp(), "exp(x)"),
    ("|-x|", lambda x: (-x).abs(), "abs(x)"),
    ("||x||", lambda x: x.abs().abs().exp(), "exp(abs)"),
    ("relu of relu", lambda x: x.relu().relu().exp(), "exp(relu)"),
    ("x ** 1", lambda x: (x**1).exp(), "exp(x)"),
    ("x ** 2", lambda x: x**2, "mul(x, x)"),
    ("where", lambda x: ml.where(x > 0, x, x).exp(), "exp(x)"),
    ("maximum", lambda x: ml.maximum(x, x).exp(), "exp(x)"),
    ("cast there and back", lambda x: x.double().float().exp(), "exp(x)"),
    ("reshape", lambda x: x.reshape(2, 3).exp(), "exp(x)"),
    ("reshapes", lambda x: x.reshape(6).reshape(3, 2).exp(), "exp(reshape_1)"),
    ("reshape and back", lambda x: x.reshape(6).reshape(2, 3).exp(), "exp(x)"),
    ("permute", lambda x: x.permute(0, 1).exp(), "exp(x)"),
    ("permute and back", lambda x: x.T.T.exp(), "exp(x)"),
    ("expand", lambda x: x.expand(2, 3).exp(), "exp(x)"),
    ("expands", lambda x: x.expand(1, 2, 3).expand(4, 2, 3).exp(), "exp(expand_1)"),
    ("clone", lambda x: x.clone().exp(), "exp(x)"),
    ("getitem", lambda x: x[:].exp(), "exp(x)"),
    ("cat", lambda x: ml.cat([x]).exp(), "exp(x)"),
]


@pytest.mark.parametrize(("name", "fn", "last"), RULES, ids=[name for name, _, _ in RULES])
def test_a_rule_of_algebra(name: str, fn: Any, last: str) -> None:
    graph, done = traced(fn, MATRIX), Counter[str]()
    new = dce(simplify(graph, done))
    assert sum(done.values()) >= 1
    assert text(new).splitlines()[-2].split(" = ")[1] == last
    x = ml.tensor(np.random.default_rng(0).normal(size=(2, 3)).astype("float32"))
    np.testing.assert_allclose(evaluate(new, [x]).numpy(), evaluate(graph, [x]).numpy(), rtol=1e-7)


@pytest.mark.parametrize(
    "fn",
    [
        lambda x: (x + 0.0).exp(),  # -0.0 + 0.0 is 0.0
        lambda x: (x - -0.0).exp(),  # so is -0.0 - -0.0
        lambda x: (x * 0).exp(),  # NaN * 0 is NaN
        lambda x: (x - x).exp(),  # inf - inf is NaN
        lambda x: (x / x).exp(),  # 0 / 0 is NaN
        lambda x: x.exp().log().exp(),
        lambda x: (x.sqrt() ** 2.5).exp(),
        lambda x: x.double().float().double().exp(),  # nor is a narrow dtype passed over
        lambda x: (x * ml.ones(4, 2, 3)).exp(),  # another shape
        lambda x: x * 1,  # a result is not an argument
        lambda x: x.clone(),
    ],
    ids=range(11),
)
def test_what_is_not_the_same_for_every_number_stays(fn: Any) -> None:
    graph = traced(fn, MATRIX)
    ops = [n.name for n in graph.calls]
    assert [n.name for n in simplify(graph).calls if not n.name.startswith("cast")] == [
        n for n in ops if not n.startswith("cast")
    ]


def test_special_numbers_stay_what_they_are() -> None:
    """Every rule on NaN, infinities and both zeros."""
    odd = np.array([[np.nan, np.inf, -np.inf], [0.0, -0.0, 1.5]], "float32")
    for _, fn, _ in RULES:
        graph = traced(fn, MATRIX)
        with np.errstate(all="ignore"):
            want, got = (evaluate(g, [ml.tensor(odd)]).numpy() for g in (graph, simplify(graph)))
        np.testing.assert_array_equal(got, want)
        numbers = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got[numbers]), np.signbit(want[numbers]))


def test_a_value_computed_without_gradients_keeps_them_off() -> None:
    def f(x: Any) -> Any:
        with ml.no_grad():
            once, minus = x * 1.0, -x
        return once * 2.0 + minus, x + minus

    def grads(graph: Graph) -> Any:
        x = ml.tensor([1.0, 2.0], requires_grad=True)
        a, b = evaluate(graph, [x])
        assert not a.requires_grad
        b.sum().backward()
        assert x.grad is not None
        return x.grad.tolist()

    graph = traced(f, ml.ones(2))
    assert grads(graph) == grads(simplify(graph)) == [1.0, 1.0]


def test_an_op_is_not_seen_through_where_its_input_was_written_since() -> None:
    def f(x: Any) -> Any:
        a = x.clone()
        row = a[0]
        minus = -row
        a.mul_(3.0)
        return x[0] + minus

    graph = traced(f, ml.ones(2, 2))
    for g in (graph, simplify(graph)):
        assert evaluate(g, [ml.ones(2, 2)]).tolist() == [0.0, 0.0]


def test_what_a_branch_gives_may_be_what_it_takes() -> None:
    """So a copy that goes into one is not taken for the original: the result would be the argument itself."""
    graph = Graph()
    capturing = Capturing(graph)
    x = capturing.imagined("x", facts_of(ml.ones(2)))
    with interpreting(capturing):
        copy = x.clone()
        (result,) = cond(capturing, x.sum() > 0, lambda: (copy,), lambda: (copy,))
    graph.output(result.value)
    given = ml.ones(2)
    evaluate(simplify(graph), [given]).zero_()
    assert given.tolist() == [1.0, 1.0]


class Loud(ml.autograd.Function):
    """A function of the user's that does something besides."""

    heard: ClassVar[list[str]] = []

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        Loud.heard.append("called")
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


def test_code_of_the_user_s_still_runs_when_nobody_reads_its_result() -> None:
    graph = optimize(traced(lambda x: (Loud.apply(x), Loud.apply(x), x * 3)[2], ml.ones(2)))
    verify(graph)
    Loud.heard.clear()
    assert evaluate(graph, [ml.ones(2)]).tolist() == [3.0, 3.0]
    assert Loud.heard == ["called", "called"]


# ---- layout ---------------------------------------------------------------------------------------------------------


def test_transposes_move_down_and_cancel() -> None:
    def channels_last(x: Any, y: Any) -> Any:
        a, b = x.permute(0, 2, 3, 1), y.permute(0, 2, 3, 1)
        return ((a * b).relu() + 1).permute(0, 3, 1, 2).exp()

    graph = traced(channels_last, ml.ones(1, 2, 3, 4), ml.ones(1, 2, 3, 4))
    done: Counter[str] = Counter()
    assert text(dce(layout(graph, done))) == (
        "channels_last(x: f32[1, 2, 3, 4], y: f32[1, 2, 3, 4]):\n"
        "    mul_1: f32[1, 2, 3, 4] = mul(x, y)\n"
        "    relu_1: f32[1, 2, 3, 4] = relu(mul_1)\n"
        "    add_1: f32[1, 2, 3, 4] = add(relu_1, 1)\n"
        "    exp: f32[1, 2, 3, 4] = exp(add_1)\n"
        "    return exp"
    )
    assert done == {"moved": 3, "cancelled": 1}


def test_transposes_of_different_orders_stay() -> None:
    x = ml.ones(2, 2, 2)
    kept(layout, lambda x: x.permute(1, 0, 2) + x.permute(0, 2, 1), x)
    kept(layout, lambda x: x.mT.sum(0), x)
