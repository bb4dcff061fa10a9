"""`mode=` and `options=` of `ml.compile`: what each does, that results stay the same, and what is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.explain import Explanation, explain
from minitorch_lab.compiler.targets.backends import BACKENDS, backend_of, register_backend
from minitorch_lab.compiler.targets.spare import LEAST
from minitorch_lab.errors import ArgumentError, CaptureError
from tests.compile.explain_samples import leaky

LARGE = LEAST // 4  # entries of float32


def kernel_of(compiled: Any) -> Any:
    return next(iter(compiled._compiled.built.values())).region.values.kernel


@pytest.mark.parametrize("mode", ["default", "reduce-overhead"])
def test_values_and_gradients_are_the_bits_of_eager(mode: str) -> None:
    ml.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    twin = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    twin.load_state_dict(net.state_dict())
    compiled, x = ml.compile(net, mode=mode), ml.randn(5, 3)
    for _ in range(3):
        a, b = compiled(x).square().sum(), twin(x).square().sum()
        a.backward()
        b.backward()
        assert a.item() == b.item()
    for p, q in zip(net.parameters(), twin.parameters(), strict=True):
        np.testing.assert_array_equal(p.grad.numpy(), q.grad.numpy())


# ---- reduce-overhead ------------------------------------------------------------------------------------------------
def test_a_large_result_lies_where_one_lay_that_nobody_holds() -> None:
    compiled = ml.compile(lambda x: x * 2 + 1, mode="reduce-overhead")
    x = ml.ones(LARGE)
    compiled(x)
    where = compiled(x).value.ctypes.data
    assert compiled(x).value.ctypes.data == where
    held = compiled(x)
    view, other = held[1:], compiled(x * 2)
    assert (held.value.ctypes.data, other.value.ctypes.data != where) == (where, True)
    del held
    assert compiled(x * 3).value.ctypes.data != where  # the view still shows it
    assert view.tolist() == [3.0] * (LARGE - 1)


def test_small_results_and_the_default_mode_keep_nothing() -> None:
    small = ml.compile(lambda x: x * 2, mode="reduce-overhead")
    default = ml.compile(lambda x: x * 2)
    for compiled, x in ((small, ml.ones(3)), (default, ml.ones(LARGE))):
        compiled(x)
        compiled(x)
        assert "spare" not in kernel_of(compiled).source


def test_threads_never_share_a_spare_result() -> None:
    compiled = ml.compile(lambda x: x * 2 + 1, mode="reduce-overhead")
    compiled(ml.ones(LARGE))

    def run(k: int) -> bool:
        return all(bool((compiled(ml.full((LARGE,), float(k))) == 2 * k + 1).all()) for _ in range(30))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(run, range(8)))


def test_what_a_backward_pass_needs_is_not_written_over() -> None:
    compiled = ml.compile(lambda x: x.exp().sin().sum(), mode="reduce-overhead")
    x = ml.ones(LARGE, requires_grad=True)
    compiled(x)
    losses = [compiled(x) for _ in range(3)]  # what each has saved lives until its walk
    want = [np.cos(np.exp(np.float32(1))) * np.exp(np.float32(1))] * 2
    for loss in losses:
        x.grad = None
        loss.backward()
        np.testing.assert_allclose(x.grad[:2].tolist(), want, rtol=1e-6)


# ---- max-autotune ---------------------------------------------------------------------------------------------------
def test_an_order_that_keeps_less_alive_is_tried() -> None:
    def f(x: Any) -> Any:
        a, b = x.exp(), x.sin()
        return a.sum(), b.sum()

    compiled = ml.compile(f, mode="max-autotune")
    x = ml.ones(1000)
    for _ in range(2):
        np.testing.assert_allclose([y.item() for y in compiled(x)], [y.item() for y in f(x)], rtol=1e-5)
    (kernel,) = Explanation.of(compiled).to_dict()["kernels"]
    assert set(kernel["tried"]) >= {"numpy", "numpy, sooner"}
    assert "numpy, sooner " in str(Explanation.of(compiled))


def test_what_draws_random_numbers_is_drawn_once() -> None:
    def f(x: Any) -> Any:
        a, b = x.exp(), x.sin()
        return a.sum() * ml.rand(2), b.sum()

    compiled, x = ml.compile(f, mode="max-autotune"), ml.ones(1000)
    compiled(x)
    ml.manual_seed(3)
    got = [compiled(x)[0].tolist() for _ in range(2)]
    ml.manual_seed(3)
    assert got == [f(x)[0].tolist() for _ in range(2)]


# ---- what is not there ----------------------------------------------------------------------------------------------
def test_modes_and_options_that_are_not_there() -> None:
    with pytest.raises(CaptureError) as caught:
        ml.compile(leaky, mode="fast")
    assert str(caught.value) == (
        "There is no mode 'fast'.\n  The modes are default, reduce-overhead, max-autotune.\n"
        '  Did you mean mode="default"? It is what you get without the argument.'
    )
    for options, first in (
        ({"budget": 1}, "There is no option 'budget'.\n  The options are passes, activation_memory_budget, threads.\n"),
        ({"passes": ["simplfy"]}, "There is no pass 'simplfy'.\n"),
        ({"threads": 0}, "threads is 0.\n  It is how many threads may share the work of one kernel"),
        ({"threads": 2}, "threads is 2, and the backend 'numpy'.\n  Only kernels of the backend llvm are shared"),
        ({"activation_memory_budget": 2}, "activation_memory_budget is 2.\n  It is a share: 0 keeps as little"),
    ):
        with pytest.raises(CaptureError) as caught:
            ml.compile(leaky, options=options)
        assert str(caught.value).startswith(first)


def test_a_budget_computes_again() -> None:
    x = ml.randn(4, 3, requires_grad=True)
    runs = {}
    for budget in (0.0, 1.0):
        compiled = ml.compile(lambda x: x.sin().exp().sin().sum(), options={"activation_memory_budget": budget})
        told = explain(compiled, x).to_dict()["regions"][0]["training"]
        for _ in range(2):
            x.grad = None
            compiled(x).backward()
        runs[budget] = told["recomputed"], told["nbytes"], x.grad.tolist()
    assert (runs[0.0][0], runs[1.0][0]) == (["sin", "exp"], [])
    assert runs[0.0][1] < runs[1.0][1]
    assert runs[0.0][2] == runs[1.0][2]


def test_passes_are_those_that_are_asked_for() -> None:
    seen: list[str] = []

    def mine(graph: Any) -> Any:
        seen.append(graph.name)
        return graph

    compiled, x = ml.compile(lambda x: x * 1 + 1, options={"passes": [mine]}), ml.ones(2)
    assert (compiled(x).tolist(), compiled(x).tolist()) == ([2.0, 2.0], [2.0, 2.0])
    assert seen == ["graph_0"]
    assert "mul" in kernel_of(compiled).source


def test_a_backend_may_be_another_in_a_mode() -> None:
    known, seen = BACKENDS["eager"], list[str]()

    @register_backend("eager", mode="reduce-overhead")
    def special(graph: Any) -> Any:
        seen.append(graph.name)
        return lambda *arrays: [arrays[0] * 2]

    try:
        assert backend_of("eager").in_mode("reduce-overhead").name == "eager (reduce-overhead)"
        for mode in ("default", "reduce-overhead"):
            compiled = ml.compile(lambda x: x * 2, backend="eager", mode=mode)
            assert [compiled(ml.ones(1)).item() for _ in range(2)] == [2.0, 2.0]
        assert seen == ["graph_0"]
    finally:
        BACKENDS["eager"] = known


@pytest.mark.parametrize("fn", [lambda x: x, None])
@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            {"fullgraf": True},
            "compile got the keyword fullgraf.\n"
            "  compile takes fn, mode, backend, fullgraph, dynamic, options, check.\n  Did you mean fullgraph=True?",
        ),
        (
            {"dynamic": "yes"},
            "compile got dynamic='yes'.\n  It takes True, False, or None for lengths that have differed.\n"
            "  Did you mean dynamic=True?",
        ),
        (
            {"check": -1},
            "compile got check=-1.\n  It takes True, False, or how many calls are to be checked.\n"
            "  Did you mean check=True?",
        ),
        (
            {"options": ["fold"]},
            "compile got options=['fold'].\n  It takes a dict of options by name.\n"
            '  Did you mean options={"passes": ["fold", "cse"]}?',
        ),
        (
            {"fullgraph": None},
            "compile got fullgraph=None.\n  It takes True or False.\n  Did you mean fullgraph=True?",
        ),
    ],
)
def test_wrong_arguments_are_refused_at_once(fn: Any, given: dict[str, Any], text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        ml.compile(fn, **given)
    assert str(caught.value) == text
