"""Lengths that are symbols: one capture for many shapes, guards on relations, recompiles only where one fails."""

from __future__ import annotations

import re
import struct
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.capture.bytecode import compiled
from tests.compile.captured.observe import PROGRAMS, observe
from tests.compile.fuzz_sizes import agree

F = nn.functional
SIZES = [(5, 4), (7, 3), (2, 6), (9, 9), (4, 5)]


@pytest.mark.family(4)
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("dynamic", [True, None])
def test_random_program(seed: int, dynamic: bool | None) -> None:
    assert agree(seed, dynamic)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    def dynamic(f: Any = None, **more: Any) -> Any:
        return ml.compile(f, dynamic=True, **more)

    assert observe(name, dynamic) == observe(name, lambda f: f)


# ---- rows -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("dynamic", "captures"), [(False, 10), (None, 2), (True, 1)])
def test_row_A6_ten_slice_lengths(dynamic: bool | None, captures: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # torch 2.13 counts 2 and 1 for these lengths, and without dynamic shapes 8, its limit
    monkeypatch.setattr(compiled, "RECOMPILES", 16)
    f, x = ml.compile(lambda x: x * 2 + 1, dynamic=dynamic), ml.arange(20).float()
    for n in range(2, 12):
        assert f(x[:n]).tolist() == (x[:n] * 2 + 1).tolist()
    assert f.captures == captures


@pytest.mark.parametrize(("first", "captures"), [(0, 3), (1, 2), (2, 2)])
def test_lengths_0_and_1_are_numbers(first: int, captures: int) -> None:
    f, x = ml.compile(lambda x: x * 2 + 1), ml.arange(20).float()  # captures counted with torch 2.13
    for n in range(first, first + 10):
        assert f(x[:n]).tolist() == (x[:n] * 2 + 1).tolist()
    assert f.captures == captures


def test_row_A6_a_slice_length_that_is_an_argument() -> None:
    f, x = ml.compile(lambda x, n: x[:, :n] * 2), ml.arange(20).float().reshape(2, 10)
    for n in range(2, 11):
        assert f(x, n).tolist() == (x[:, :n] * 2).tolist()
    assert f.captures == 2
    assert "    if not (s_n >= 0 and s_n <= 10 and s_n >= 1): return miss(2, locals())" in f.text.splitlines()
    assert f(x, -3).tolist() == (x[:, :-3] * 2).tolist()
    assert f(x, 30).tolist() == (x * 2).tolist()


# ---- what is guarded ------------------------------------------------------------------------------------------------
PROGRAM = """
    if not (
        grad_mode.get() is True and type(x) is Tensor and type(_a := x.value) is ndarray and _a.dtype is float32
        and len(_a.shape) == 2 and _a.shape[0] >= 2 and _a.shape[1] >= 2 and _a.strides == (4 * _a.shape[1], 4)
        and x.node is None
    ): return miss(0, locals())
    s0 = x.shape[0]
    s1 = x.shape[1]
    if not (
        type(y) is Tensor and type(_a := y.value) is ndarray and _a.dtype is float32 and len(_a.shape) == 2
        and _a.shape[0] >= 2 and _a.shape[1] >= 2 and _a.strides == (4 * _a.shape[1], 4) and y.node is None
    ): return miss(1, locals())
    s2 = y.shape[0]
    s3 = y.shape[1]
    if not (s0 == s2 and s1 == s3): return miss(2, locals())
    v2, = graph_0(s0, s1, x, y)
    return v2
"""


def test_the_program_and_its_graph_can_be_read() -> None:
    f = ml.compile(lambda x, y: (x + y).reshape(-1), dynamic=True)
    f(ml.ones(3, 10), ml.ones(3, 10))
    assert "\n".join(f.text.splitlines()[3:]) == PROGRAM.strip("\n")
    assert str(f.graphs[0]) == (
        "graph_0(x: f32[s0, s1], y: f32[s0, s1]):\n"
        "    add: f32[s0, s1] = add(x, y)\n"
        "    reshape: f32[s0 * s1] = reshape(add, shape=(s0 * s1,))\n"
        "    return (reshape,)"
    )


def test_only_a_relation_that_fails_captures_again() -> None:
    f = ml.compile(lambda x, y: x + y, dynamic=True)
    for n in (3, 5, 8):
        assert f(ml.ones(n, 2), ml.ones(n, 2)).shape == (n, 2)
    assert f.captures == 1
    with pytest.raises(ml.errors.ShapeError):
        f(ml.ones(3, 2), ml.ones(4, 2))
    assert f.captures == 2
    assert [text.partition(" (")[0] for text in f.recompiles] == ["s0 == s2: True, now False"]


def test_a_length_that_decides_a_branch_is_guarded() -> None:
    def f(x):
        return x * 2 if x.shape[0] > 4 else x + 1

    g = ml.compile(f, dynamic=True)
    for n in (2, 3, 4, 5, 6, 40):
        assert g(ml.ones(n)).tolist() == f(ml.ones(n)).tolist()
    assert g.captures == 2
    assert "    if s0 <= 4:" in g.text.splitlines() or "    if s0 >= 5:" in g.text.splitlines()


def test_the_second_length_of_an_axis_makes_a_symbol_of_it_and_of_no_other() -> None:
    f = ml.compile(lambda x: x.tanh())
    for shape in ((3, 10), (5, 10), (6, 10)):
        f(ml.ones(*shape))
    assert [str(g).partition("\n")[0] for g in f.graphs] == ["graph_0(x: f32[3, 10]):", "graph_1(x: f32[s0, 10]):"]
    f(ml.ones(6, 11))
    assert f.captures == 3
    assert f.recompiles[-1].startswith("x: shape (≥2, 10), now (6, 11)")


# ---- sizes that leave -----------------------------------------------------------------------------------------------
def test_sizes_in_texts_containers_and_unknown_calls_are_read_when_the_call_runs() -> None:
    log: list[Any] = []

    def f(x, d):
        n = x.shape[0]
        d["rows"] = n * 2
        log.append(struct.pack("b", n)[0])
        return x * 2, [n, x.numel()], n / 2

    g = ml.compile(f, dynamic=True)
    for n in (3, 4, 7):
        d: dict[str, int] = {}
        out, sizes, half = g(ml.ones(n, 2), d)
        assert (out.shape, sizes, half, d) == ((n, 2), [n, 2 * n], n / 2, {"rows": 2 * n})
        assert {type(sizes[0]), type(sizes[1]), type(d["rows"])} == {int}
    assert log == [3, 4, 7]


def test_a_text_of_a_size_is_made_when_the_call_runs() -> None:
    f = ml.compile(lambda x: f"{x.shape[0]:>3} of {x.shape}", dynamic=True)
    assert [f(ml.ones(n, 2)) for n in (3, 4, 3)] == ["  3 of (3, 2)", "  4 of (4, 2)", "  3 of (3, 2)"]


def test_where_the_number_is_needed_it_is_guarded() -> None:
    def f(x, d):
        for _ in range(x.shape[0]):
            x = x + 1
        return x * d[x.shape[0]]

    g, d = ml.compile(f, dynamic=True), {n: n for n in range(9)}
    for n in (3, 4, 3, 4):
        assert g(ml.ones(n), d).tolist() == f(ml.ones(n), d).tolist()
    assert g.captures == 2
    assert g.recompiles[0].startswith("s0: 3, now 4")


# ---- values, gradients, effects -------------------------------------------------------------------------------------
CASES: dict[str, tuple[Callable[..., Any], str]] = {
    "mlp": (lambda x, w: (x @ w).relu().softmax(-1), "nc cn"),
    "means": (lambda x: x.mean(0) + x.var(0) * x.shape[0] / x.mean(), "nc"),
    "joined": (lambda x, y: ml.cat([x, y]).cumsum(0)[1:-1], "nc mc"),
    "attention": (
        lambda q, k: F.scaled_dot_product_attention(q, k, k),
        "n4 m4",
    ),  # the width is guarded: its root is taken
    "norm": (lambda x: F.layer_norm(x, x.shape[-1:]), "nc"),
    "reshapes": (lambda x: x.reshape(-1).reshape(x.shape[1], -1).T.reshape(1, -1), "nc"),
    "views": (lambda x: (x * 2).T[1:], "nc"),
    "made": (lambda x: ml.zeros(x.shape[0], 2) + x.sum(1, keepdim=True) * ml.arange(2), "nc"),
    "loss": (lambda x, y: F.mse_loss(x, y) + (x - y).abs().mean(), "nc nc"),
    "picked": (lambda x: ml.where(x > 0, x, x.exp()).amax(1), "nc"),
    "distances": (lambda x, y: (x.unsqueeze(1) - y.unsqueeze(0)).pow(2).sum(-1).sqrt(), "nc mc"),
}


@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients_at_other_sizes(name: str) -> None:
    fn, shapes = CASES[name]
    f, rng = ml.compile(fn, dynamic=True, fullgraph=True), np.random.default_rng(0)
    for n, c in SIZES:
        lengths = {"n": n, "c": c, "m": n + c, "4": 4}
        arrays = [rng.standard_normal([lengths[a] for a in s]).astype("float32") for s in shapes.split(" ")]
        ours, theirs = ([ml.tensor(a, requires_grad=True) for a in arrays] for _ in range(2))
        got, want = f(*ours), fn(*theirs)
        assert got.shape == want.shape
        np.testing.assert_allclose(got.detach().numpy(), want.detach().numpy(), atol=1e-6)
        (got * got).sum().backward()
        (want * want).sum().backward()
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(a.grad.numpy(), b.grad.numpy(), atol=1e-5)
    assert f.captures == 1


def test_a_model_takes_batches_of_any_size() -> None:
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.LayerNorm(8), nn.Linear(8, 3))
    f = ml.compile(net, dynamic=True, fullgraph=True)
    for n in (2, 3, 17, 5):
        x = ml.arange(4 * n).float().reshape(n, 4) * 0.1
        np.testing.assert_allclose(f(x).detach().numpy(), net(x).detach().numpy(), atol=1e-6)
    assert f.captures == 1
    assert re.match(r"graph_0\(v\d+: f32\[s0, 4\], v\d+: f32\[8, 4\], v\d+: f32\[8\], ", str(f.graphs[0]))


def test_a_write_in_place_reaches_the_argument_at_every_size() -> None:
    def f(x, y):
        x[1:] += y[:-1]
        x *= 2

    g = ml.compile(f, dynamic=True)
    for n in (3, 5, 4, 3):
        a, b, y = ml.ones(n), ml.ones(n), ml.arange(n).float()
        g(a, y)
        f(b, y)
        assert a.tolist() == b.tolist()
    assert g.captures == 1


def test_a_training_step_takes_batches_of_any_size() -> None:
    def trained(compile: Callable[[Any], Any]) -> Any:
        ml.manual_seed(0)
        net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        opt = ml.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

        def step(x, y):
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            opt.step()
            return loss

        f, rng = compile(step), np.random.default_rng(0)
        batches = [rng.standard_normal((n, 5)).astype("float32") for n in (8, 8, 5, 8, 6, 7, 3, 9)]
        losses = [f(ml.tensor(b[:, :4]), ml.tensor(b[:, 4:])).item() for b in batches]
        return losses, [p.tolist() for p in net.parameters()], f

    losses, weights, _ = trained(lambda f: f)
    got, found, f = trained(lambda f: ml.compile(f, dynamic=True))
    assert got == pytest.approx(losses, rel=1e-5)
    for a, b in zip(found, weights, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)
    assert f.captures == 2  # the first step makes the momenta
    assert "mul(sub, 2.0 * (1.0 / s0))" in str(f.graphs[-1])


def test_a_gradient_that_arrives_as_a_view_gets_memory_of_its_own() -> None:
    w = ml.ones(3, requires_grad=True)
    f = ml.compile(lambda x: (x.mean() + w.sum()).backward(), dynamic=True)
    for n in (2, 3, 4):
        f(ml.ones(n))
    assert w.grad.tolist() == [3.0, 3.0, 3.0]


def test_strange_strides_are_guarded_as_they_are() -> None:
    f, x = ml.compile(lambda x: x.reshape(-1) * 2, dynamic=True), ml.arange(60).float().reshape(6, 10)
    for part in (x, x.T, x[:, ::2], x[:3], x[:, 2:5], x.T[:4], x[::2]):
        assert f(part).tolist() == (part.reshape(-1) * 2).tolist()


# ---- regions --------------------------------------------------------------------------------------------------------
def test_kernels_serve_many_sizes_and_their_buffers_are_made_anew() -> None:
    f = ml.compile(lambda x: (x * 2 + 1).tanh().sum(), dynamic=True)
    for n in (3, 4, 4, 1000, 3):
        assert f(ml.ones(n)).item() == pytest.approx(n * np.tanh(3.0), rel=1e-6)
    (region,) = f._compiled.built.values()
    assert (len(region.variants), region.fixed) == (1, {})


def test_a_backend_that_knows_no_sizes_gets_a_graph_for_every_length() -> None:
    f = ml.compile(lambda x: x * 2 + x.shape[0], dynamic=True, backend="eager")
    for n in (3, 4, 5, 3):
        assert f(ml.ones(n)).tolist() == [2.0 + n] * n
    (region,) = f._compiled.built.values()
    assert (f.captures, sorted(region.fixed)) == (1, [(3,), (4,), (5,)])


def test_inside_a_transform_and_for_second_derivatives_the_graph_runs_op_by_op() -> None:
    f = ml.compile(lambda x: (x.reshape(-1, 1) ** 3).sum() / x.shape[0], dynamic=True)
    for n in (2, 3, 4):
        x = ml.arange(n).float()
        assert ml.func.grad(f)(x).tolist() == pytest.approx([3.0 * i * i / n for i in range(n)])


def test_threads_with_different_sizes() -> None:
    f, wrong = ml.compile(lambda x: (x * 2 + 1).tanh().sum(0) * x.shape[0], dynamic=True), []

    def work(n: int) -> None:
        for _ in range(30):
            x = ml.ones(n, 2).requires_grad_(n % 2 == 0)
            got = f(x)
            if not np.allclose(got.detach().numpy(), n * n * np.tanh(3.0)):
                wrong.append((n, got))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2, 8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
