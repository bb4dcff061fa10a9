"""Machine code that is told lengths when it runs: one piece of it is right for all, whatever it was made for."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.ir.expressions import number, symbol
from minitorch_lab.compiler.ir.extents import Asked, Extents
from minitorch_lab.compiler.ir.relations import at_least, equal
from minitorch_lab.compiler.ir.sizes import Sizes
from minitorch_lab.compiler.targets import backends
from minitorch_lab.compiler.targets.record import Backend

pytest.importorskip("llvmlite")
F = nn.functional
FIRST, OTHERS = (9, 9, 12, 12), (3, 15, 16, 17, 31, 64, 65, 130)  # around the widths of vectors and tiles

# What is computed of arguments of these shapes; m is another length than n.
PROGRAMS: list[tuple[Callable[..., Any], str]] = [
    (lambda x: (x * 2 + 1).tanh(), "n,5"),
    (lambda x: x.sum(0) + x.amax(0), "n,5"),
    (lambda x: x.sum(1) + x.mean(), "n,5"),
    (lambda x: x.softmax(0), "n,5"),
    (lambda x: F.gelu(F.layer_norm(x, (5,))), "n,5"),
    (lambda x: x.mT.softmax(-1) * 2, "n,5"),
    (lambda x, w: x @ w, "n,5 5,40"),
    (lambda x, w: x @ w, "40,n n,5"),
    (lambda x, y: x @ y, "n,7 7,m"),
    (lambda x, y: (x.mT @ y).relu(), "n,20 n,33"),
    (lambda x, y: x @ y.mT, "3,n,8 3,m,8"),
    (lambda x, y: (x[:, None] - y[None]).pow(2).sum(-1), "n,3 m,3"),
    (lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), "2,n,8"),
    (lambda x: (x @ x.mT).tril() @ x, "n,6"),
    (lambda x, w: F.conv2d(x, w, padding=1), "n,2,6,6 3,2,3,3"),
    (lambda x, w: F.conv1d(x, w, stride=2), "n,3,9 4,3,2"),
    (lambda x: F.max_pool2d(x, 2), "n,2,6,6"),
    (lambda x: x.permute(1, 0, 2).reshape(4, -1).sum(1), "n,4,3"),
    (lambda x: x[1:] * x[:-1] + x[-1], "n,5"),
    (lambda x: x[::2].flip(0).sum(1), "n,5"),
    (lambda x: ml.cat([x, x * 2]).cumsum(0), "n,5"),
    (lambda x: x * x.shape[0] + 1.0 / x.shape[0] + ml.arange(x.shape[0])[:, None], "n,5"),
    (lambda x: x.reshape(-1) * ml.arange(x.numel()), "n,5"),
    (lambda x: (x > 0).sum(0) * x, "n,5"),
    (lambda x: x.double().sum(0).float() * x.var(), "n,5"),
    (lambda x, y: F.cross_entropy(x, y.softmax(1)), "n,5 n,5"),
]


def drawn(shapes: str, n: int, seed: int) -> list[Any]:
    rng, lengths = np.random.default_rng(seed), {"n": n, "m": n + 3}
    shapes_ = [[lengths.get(s) or int(s) for s in text.split(",")] for text in shapes.split(" ")]
    return [ml.tensor(rng.normal(size=s).astype("float32")).requires_grad_() for s in shapes_]


def observed(f: Callable[..., Any], args: list[Any]) -> list[Any]:
    """The value and the gradients."""
    out = f(*args)
    (out * out).sum().backward()
    return [out.detach().numpy(), *(x.grad.numpy() for x in args)]


def counting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The graphs that have come to the backend "counted"."""
    made, own = list[str](), backends.BACKENDS["llvm"]

    def counted(graph: Any) -> Any:
        made.append(graph.name)
        return own(graph)

    monkeypatch.setitem(backends.BACKENDS, "counted", Backend("counted", counted, takes_sizes=True))
    return made


@pytest.mark.parametrize("program", range(len(PROGRAMS)))
def test_one_piece_of_code_serves_all_lengths(program: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (f, shapes), made = PROGRAMS[program], counting(monkeypatch)
    compiled = ml.compile(f, backend="counted", fullgraph=True)
    counts: list[Any] = []
    for n in (*FIRST, *OTHERS):
        got, want = (observed(g, drawn(shapes, n, n)) for g in (compiled, f))
        for a, b in zip(got, want, strict=True):
            assert (a.shape, a.dtype) == (b.shape, b.dtype)
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-5 * max(1.0, float(np.abs(b).max())))
        counts.append((compiled.captures, len(made)))
    assert counts[len(FIRST) - 1 :] == [counts[-1]] * (len(OTHERS) + 1), compiled.recompiles


def test_a_page_takes_lengths_and_a_table() -> None:
    """What runs is one function of the length and the arrays; its code has no length in it."""
    f = ml.compile(lambda x: (x * 3).softmax(0).sum(1), backend="llvm", dynamic=True)
    for n in (6, 7, 40):
        f(ml.randn(n, 5))
    (variant,) = next(iter(f._compiled.built.values())).variants
    kernels = variant.region.compiled().kernel
    assert kernels.source.startswith("def f(s0, s1, x):")
    assert list(kernels.table.known) == [(7, 5), (40, 5)]
    assert kernels.table.known[40, 5].size > kernels.table.known[7, 5].size


def test_what_a_kernel_relied_on_is_asked_of_other_lengths() -> None:
    """A slice that begins before the first entry of a short row begins at it: each case has kernels of its own."""
    f = ml.compile(lambda x: x[-8:] * 2, backend="llvm", dynamic=True)
    for n in (12, 20, 5, 30, 3):
        x = ml.randn(n, 3)
        np.testing.assert_array_equal(f(x).numpy(), (x[-8:] * 2).numpy())


def test_threads_meet_lengths_at_once() -> None:
    f: Any = ml.compile(lambda x, w: ((x @ w).tanh() @ w.mT).softmax(0), backend="llvm", dynamic=True)
    w = ml.randn(8, 20)
    f(ml.randn(7, 8), w)
    wrong: list[int] = []

    def run(start: int) -> None:
        for n in range(start, 60, 4):
            x = ml.randn(n, 8)
            if not f(x, w).allclose(((x @ w).tanh() @ w.mT).softmax(0), atol=1e-5):
                wrong.append(n)

    threads = [Thread(target=run, args=(2 + i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_extents_are_equal_only_if_they_are_the_same() -> None:
    """What is equal by chance is not, and nobody notes that it was asked; what is known is known."""
    sizes = Sizes({"s0": 16, "s1": 16})
    extents = Extents(sizes)
    n, m = (extents.size(symbol(name)) for name in ("s0", "s1"))
    assert (n == 16, n == m, n * 2 == n + n, hash(n * 2) == hash(n + n), n > 1) == (False, False, True, True, True)
    assert sizes.relations == []
    assert n >= 10
    assert [str(relation) for relation, _ in sizes.relations] == ["s0 >= 10"]


def test_closed_extents_answer_only_what_is_known() -> None:
    """Code comes from a cache, where nobody could note what it relies on."""
    sizes = Sizes({"s0": 16})
    extents = Extents(sizes)
    n = extents.size(symbol("s0"))
    extents.close()
    assert extents.decide(at_least(n.expression, number(2)))
    assert not extents.decide(equal(n.expression, number(16)))
    with pytest.raises(Asked):
        extents.decide(at_least(n.expression, number(10)))
    with pytest.raises(Asked):
        range(n)


@pytest.mark.parametrize("dynamic", [True, None])
def test_a_kernel_that_reads_a_view_of_what_another_has_made(dynamic: bool | None) -> None:
    def f(scale: Any, x: Any) -> Any:
        return (x @ (ml.ones(4, 4, dtype=ml.float64).tril(-1) + ml.diag(scale.exp()))).pow(2).sum()

    compiled = ml.compile(f, backend="llvm", dynamic=dynamic)
    for n in (5, 3, 6, 2):
        x, scale = ml.randn(n, 4, dtype=ml.float64), ml.randn(4, dtype=ml.float64).requires_grad_()
        compiled(scale, x).backward()
        got, scale.grad = scale.grad, None
        f(scale, x).backward()
        assert ml.allclose(got, scale.grad, rtol=1e-9)
