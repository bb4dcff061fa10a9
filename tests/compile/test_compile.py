"""`ml.compile`: random programs, the rows of the plan, and guards."""

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.capture.bytecode.report import report
from tests.compile.captured.engine import S, T
from tests.compile.fuzz import agree


@pytest.mark.family(4)
@pytest.mark.parametrize("seed", range(300))
def test_random_program(seed: int) -> None:
    assert agree(seed)


# ---- rows -----------------------------------------------------------------------------------------------------------
def test_row_A6_leaky_relu_is_three_graphs_one_of_them_empty() -> None:
    @ml.compile
    def leaky(x):
        if x.sum() > 0:
            return x
        return 0.1 * x

    assert leaky(T(1, 2)).tolist() == [1.0, 2.0]
    assert leaky(T(-1, -2)).tolist() == pytest.approx([-0.1, -0.2])
    told = report(leaky)
    assert (told["graphs"], told["empty"], told["continuations"]) == (3, 1, 2)
    assert told["breaks"] == ["Python decides by an entry of a tensor"]
    assert str(told["places"][0]).endswith("if x.sum() > 0:")
    assert [str(g) for g in leaky.graphs] == [
        "graph_0(x: f32[2]):\n"
        "    sum: f32[] = sum(x, axis=(0,), keepdims=False)\n"
        "    gt: b8[] = gt(sum, 0)\n"
        "    return (gt,)",
        "graph_1(x: f32[2]):\n    mul: f32[2] = mul(0.1, x)\n    return (mul,)",
    ]
    assert "\n".join(leaky.text.splitlines()[7:]) == (
        "    v2, = graph_0(x)\n"
        "    v3 = bool(v2)\n"
        "    if v3 is True:\n"
        "        return x\n"
        "    if not (v3 is False): return miss(1, locals())\n"
        "    v4, = graph_1(x)\n"
        "    return v4"
    )


def test_row_A6_print_in_the_middle_is_two_graphs(capsys: pytest.CaptureFixture[str]) -> None:
    @ml.compile
    def f(x):
        y = x + 1
        print("middle")
        return y * 2

    assert [f(T(1)).item() for _ in range(3)] == [4.0] * 3
    assert capsys.readouterr().out == "middle\n" * 3
    assert (report(f)["graphs"], report(f)["empty"], f.captures) == (2, 0, 1)
    assert report(f)["breaks"] == ["print() writes to the screen"]


def test_row_A6_ten_slice_lengths_without_dynamic_shapes() -> None:
    # torch 2.13, dynamic=False: 8 compilations, then its limit
    f = ml.compile(lambda x: x * 2 + 1, dynamic=False)
    x = ml.arange(10).float()
    with pytest.warns(UserWarning, match="was captured 8 times, and runs eagerly from now on"):
        got = [f(x[:n]).tolist() for n in range(1, 11)]
    assert got == [[2.0 * i + 1 for i in range(n)] for n in range(1, 11)]
    assert f.captures == 9


# ---- guards ---------------------------------------------------------------------------------------------------------
def test_a_failed_guard_says_which() -> None:
    f = ml.compile(lambda x, k: x * k)
    f(ml.ones(2), "a" == "b")
    f(ml.ones(3), False)
    f(ml.ones(3).double(), False)
    f(ml.ones(3, requires_grad=True), False)
    f(ml.ones(3), True)
    assert [text.rpartition(" (test")[0] or text for text in f.recompiles] == [
        "x: shape (2,), now (3,)",
        "x: dtype dtype('float32'), now dtype('float64'); strides (4,), now (8,)",
        "x: dtype dtype('float64'), now dtype('float32'); strides (8,), now (4,); requires_grad False, now True",
        "k: False, now True",
    ]


def test_grad_mode_strides_and_type_are_guarded() -> None:
    f = ml.compile(lambda x: x * 2)
    w = ml.ones(2, 3, requires_grad=True)
    assert f(w).requires_grad
    with ml.no_grad():
        assert not f(w).requires_grad
    assert f(w.detach().T).shape == (3, 2)
    assert f(nn.Parameter(ml.ones(2, 3))).requires_grad
    assert f.captures == 4


def test_code_and_defaults_of_functions_are_guarded() -> None:
    def inner(x, k=2.0):
        return x * k

    f = ml.compile(lambda x: inner(x))
    assert f(S(1)).item() == 2.0
    inner.__defaults__ = (5.0,)
    assert f(S(1)).item() == 5.0
    inner.__code__ = (lambda x, k=0: x - k).__code__
    assert f(S(1)).item() == -4.0


def test_variables_may_have_names_of_the_program_and_parameters_may_not() -> None:
    def f(x):
        top, error, miss = x + 1, x.sum().item(), 2
        return top * error * miss

    def g(miss):
        return miss + 1

    compiled = ml.compile(f)
    assert [compiled(T(1, 2)).tolist() for _ in range(2)] == [[12.0, 18.0]] * 2
    assert (compiled.reason, len(compiled.graphs)) == ("", 2)
    eager = ml.compile(g)
    assert eager(T(1)).tolist() == [2.0]
    assert eager.reason == "a parameter is called miss"


def test_special_methods_of_classes_are_guarded() -> None:
    class Box:
        def __call__(self, x):
            return x + 1

    box = Box()
    f = ml.compile(lambda x: box(x))
    assert f(S(1)).item() == 2.0
    Box.__call__ = lambda self, x: x + 10
    assert f(S(1)).item() == 11.0


def test_a_monkeypatched_layer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    f, x = ml.compile(net), T(1, 2).reshape(1, 2)
    assert f(x).tolist() == net(x).tolist()
    monkeypatch.setattr(nn.ReLU, "forward", lambda self, x: x * 100)
    assert f(x).tolist() == net(x).tolist()


def test_escaping_iterators_keep_their_type() -> None:
    def f(xs, d):
        return zip(xs, xs), enumerate(xs), map(abs, xs), d.items(), (x for x in xs), reversed(xs)  # noqa: B905

    kinds = [type(x) for x in f([1], {})]
    assert [type(x) for x in ml.compile(f)([1], {})] == kinds
