"""Modes, hooks on saved tensors, checkpoints, gradcheck and anomaly detection beside PyTorch's."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils.checkpoint import checkpoint

import minitorch_lab as ml
from tests.oracles.test_fuzz import A, program

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

BOTH = [pytest.param(ml, id="ours"), pytest.param(torch, id="theirs")]


def leaf(lib: Any, *values: float) -> Any:
    return lib.tensor(values, dtype=lib.float64, requires_grad=True)


# ---- modes: one random nest of blocks, calls and decorators, run by both ---


def nest(r: random.Random, lib: Any, seen: list[Any], depth: int) -> None:
    x = leaf(lib, 1.0)
    seen.append((lib.is_grad_enabled(), (x * 2).requires_grad))
    if not depth:
        return
    for _ in range(r.randint(1, 3)):
        k, on = r.randrange(5), r.random() < 0.5
        inside: Callable[[], None] = lambda: nest(r, lib, seen, depth - 1)  # noqa: E731
        if k == 0:
            with lib.no_grad():
                inside()
        elif k == 1:
            with lib.set_grad_enabled(on):
                inside()
        elif k == 2:
            lib.set_grad_enabled(on)
            inside()
        elif k == 3:
            (lib.no_grad() if on else lib.enable_grad())(inside)()
        else:
            lib.set_grad_enabled(on)(inside)()
        seen.append(lib.is_grad_enabled())


@pytest.mark.parametrize("seed", range(30))
def test_any_nest_of_modes(seed: int) -> None:
    seen: list[list[Any]] = []
    for lib in (ml, torch):
        with lib.enable_grad():
            seen.append([])
            nest(random.Random(seed), lib, seen[-1], 3)
    assert seen[0] == seen[1]


USES: dict[str, Callable[[Any, Any], Any]] = {
    "saved by mul": lambda x, y: x * y,
    "not saved by add": lambda x, y: x + y,
    "saved by matmul": lambda x, y: x @ y,
    "a view of it saved": lambda x, y: x * y[:1],
    "cloned": lambda x, y: x * y.clone(),
    "written": lambda x, y: y.add_(1),
    "a view written": lambda x, y: y[0].add_(1),
    "read": lambda x, y: (y * 2, y[0], y.T, y.sum()),
    "its exponential": lambda x, y: x * y.exp(),
}


@pytest.mark.parametrize("use", USES)
def test_what_may_be_done_with_an_inference_tensor(use: str) -> None:
    answers: list[bool] = []
    for lib in (ml, torch):
        x = leaf(lib, 1.0, 2.0)
        with lib.inference_mode():
            y = x * 2
        try:
            USES[use](x, y)
        except RuntimeError:
            answers.append(False)
        else:
            answers.append(True)
    assert answers[0] == answers[1]


# ---- saved tensors ---


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * x,
        lambda x: x.exp(),
        lambda x: x + x,
        lambda x: x.sin().tanh(),
        lambda x: x.sigmoid() * x,
        lambda x: x @ x,
        lambda x: x.reshape(2, 1) @ x.reshape(1, 2),
        lambda x: x.relu().sum(),
        lambda x: x.log().sqrt(),
    ],
)
def test_as_many_tensors_are_packed_and_unpacked(function: Any) -> None:
    counts: list[Any] = []
    for lib in (ml, torch):
        packed, unpacked = [], []
        x = leaf(lib, 1.5, 2.5)

        def pack(t: Any, packed: list[Any] = packed) -> Any:
            packed.append(t.detach().numpy().tolist())
            return t

        def unpack(t: Any, unpacked: list[Any] = unpacked) -> Any:
            unpacked.append(t.detach().numpy().tolist())
            return t

        hooks = ml.autograd.saved_tensors_hooks if lib is ml else torch.autograd.graph.saved_tensors_hooks
        with hooks(pack, unpack):
            y = function(x).sum()
        y.backward()
        counts.append((sorted(map(str, packed)), sorted(map(str, unpacked)), x.grad.numpy().tolist()))
    assert [len(part) for part in counts[0]] == [len(part) for part in counts[1]]
    np.testing.assert_allclose(counts[0][2], counts[1][2], rtol=1e-12)


def ours(seed: int, how: Callable[[Callable[[], Any]], Any]) -> Any:
    leaves = [ml.tensor(a, requires_grad=True) for a in A]
    try:
        how(lambda: program(seed, leaves, ml)).backward()
    except (RuntimeError, ValueError) as error:
        return type(error)
    return [None if x.grad is None else x.grad.numpy().tobytes() for x in leaves]


def copied(run: Callable[[], Any]) -> Any:
    """Through hooks that keep the numbers."""
    with ml.autograd.saved_tensors_hooks(lambda t: np.array(t.numpy()), ml.tensor):
        return run()


def plain(run: Callable[[], Any]) -> Any:
    return run()


@pytest.mark.parametrize("block", range(4))
def test_random_programs_are_the_same_through_hooks_and_in_checkpoints(block: int) -> None:
    agreed = 0
    for seed in range(block * 50, (block + 1) * 50):
        want, packed, again = (ours(seed, how) for how in (plain, copied, ml.autograd.checkpoint))
        if not isinstance(want, type):
            agreed += 1
            assert packed == want, f"seed {seed}"
        assert again == want, f"seed {seed}"
    assert agreed > 5


# ---- checkpoints ---


def calls(lib: Any, check: Callable[..., Any]) -> tuple[list[str], list[float]]:
    seen: list[str] = []

    def inner(x: Any) -> Any:
        seen.append("inner")
        return (x * x).sin()

    def outer(x: Any) -> Any:
        seen.append("outer")
        return check(inner, check(inner, x).exp()) * x

    x = leaf(lib, 0.3, 0.4)
    y = check(outer, x).sum()
    seen.append("walk")
    y.backward()
    return seen, x.grad.numpy().tolist()


def test_nested_checkpoints() -> None:
    mine = calls(ml, ml.autograd.checkpoint)
    other = calls(torch, lambda fn, x: checkpoint(fn, x, use_reentrant=False))
    assert mine[0][: mine[0].index("walk")] == other[0][: other[0].index("walk")]
    assert len(mine[0]) <= len(other[0])  # no piece runs more often than there
    np.testing.assert_allclose(mine[1], other[1], rtol=1e-12)


# ---- what a walk frees ---

ONCE: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, lib: x,
    "reshape": lambda x, lib: x.reshape(-1),
    "add": lambda x, lib: x + 1,
    "sub": lambda x, lib: x - x,
    "neg": lambda x, lib: -x,
    "mul by a number": lambda x, lib: x * 2,
    "mul": lambda x, lib: x * x,
    "div": lambda x, lib: x / 2,
    "pow": lambda x, lib: x**2,
    "relu": lambda x, lib: x.relu(),
    "exp": lambda x, lib: x.exp(),
    "abs": lambda x, lib: x.abs(),
    "max": lambda x, lib: x.max(),
    "mean": lambda x, lib: x.mean(),
    "var": lambda x, lib: x.var(),
    "cumsum": lambda x, lib: x.cumsum(0),
    "clone": lambda x, lib: x.clone(),
    "slice": lambda x, lib: x[0:1],
    "index": lambda x, lib: x[lib.tensor([0, 1])],
    "stack": lambda x, lib: lib.stack([x, x]),
    "cat": lambda x, lib: lib.cat([x, x]),
    "expand": lambda x, lib: x.expand(3, 2),
    "permute": lambda x, lib: x.reshape(1, 2).permute(1, 0),
    "tril": lambda x, lib: x.reshape(1, 2).tril(),
    "where": lambda x, lib: lib.where(x > 0, x, -x),
    "matmul": lambda x, lib: x @ x,
    "softmax": lambda x, lib: x.softmax(0),
    "as float": lambda x, lib: x.float(),
}


@pytest.mark.parametrize("name", ONCE)
def test_the_same_graphs_can_be_walked_twice(name: str) -> None:
    verdicts: list[Any] = []
    for lib in (ml, torch):
        x = leaf(lib, 1.0, 2.0)
        y = ONCE[name](x, lib).sum()
        y.backward()
        try:
            y.backward()
            verdicts.append(x.grad.tolist())
        except RuntimeError:
            verdicts.append("freed")
    assert verdicts[0] == verdicts[1]


# ---- gradcheck and anomalies ---

CHECKS: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda x, lib: x.exp() * x,
    "kink": lambda x, lib: (x - 1.0).relu(),
    "detached factor": lambda x, lib: x.detach() * x,
    "constant": lambda x, lib: x * 0.0,
    "second entry": lambda x, lib: x[1] ** 3,
    "cut": lambda x, lib: x.sin().detach() + x,
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_same_verdict(name: str) -> None:
    verdicts = [
        lib.autograd.gradcheck(lambda x, lib=lib: CHECKS[name](x, lib), (leaf(lib, 1.0, 2.0),), raise_exception=False)
        for lib in (ml, torch)
    ]
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("name", ["exp", "second entry", "constant"])
def test_the_same_verdict_on_second_derivatives(name: str) -> None:
    for lib in (ml, torch):
        assert lib.autograd.gradgradcheck(lambda x, lib=lib: CHECKS[name](x, lib), (leaf(lib, 1.0, 2.0),))


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda x: (x.sqrt() * x).sum(), "Sqrt"),
        (lambda x: (x * 0.0 / x).sum(), "Div"),
        (lambda x: ((x + 1.0).log() * 0.0 * x.sqrt()).sum(), "Sqrt"),
        (lambda x: (x + 1.0).sum(), None),
    ],
)
@pytest.mark.parametrize("lib", BOTH)
def test_the_same_node_is_blamed(lib: Any, function: Any, name: str | None) -> None:
    x = leaf(lib, 0.0, 1.0)
    with lib.autograd.detect_anomaly():
        if name is None:
            function(x).backward()
            return
        y = function(x)
        with pytest.raises(RuntimeError, match=name):
            y.backward()


RELAID = {
    "the base, written": lambda t, u: (v := u[0], u.t_(), u.mul_(2), (v * t.tensor([1.0, 2, 3])).sum())[-1],
    "a view, written": lambda t, u: (v := u[0], u.t_(), v.mul_(2), (u * t.arange(6.0).view(3, 2)).sum())[-1],
    "a column": lambda t, u: (v := u[:, 1], u.transpose_(0, 1), v.add_(u[0]), (u * u).sum() + v.sum())[-1],
    "a part": lambda t, u: (v := u[1:], u.unsqueeze_(0), u.mul_(3), (v * 2).sum())[-1],
    "a view of a view": lambda t, u: (
        w := u.view(3, 2), v := w[1], w.t_(), w.mul_(2), (v * t.tensor([1.0, 5])).sum() + (u * u).sum()
    )[-1],
    "twice": lambda t, u: (
        v := u[0], u.t_(), u.t_(), u.unsqueeze_(1), v.mul_(2), u.sin_(), (v * v + u[0, 0]).sum()
    )[-1],
    "two views": lambda t, u: (
        v := u[0], w := u[:, 0], u.t_(), v.mul_(2), w.mul_(3), (u * u).sum() + (v * v).sum()
    )[-1],
}  # fmt: skip


@pytest.mark.parametrize("name", RELAID)
def test_views_of_what_became_another_view_of_its_memory(name: str) -> None:
    found = []
    for t in (ml, torch):
        x = t.tensor([[1.0, 2, 3], [4, 5, 6]], requires_grad=True)
        RELAID[name](t, x * 1).backward()
        found.append(x.grad.tolist())
    assert np.allclose(*found, rtol=1e-5)
