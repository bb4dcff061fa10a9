"""Blocks of autocast inside a compiled call: their casts are nodes of its graphs, and it trains to eager's bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minitorch_lab as ml

nn, F = ml.nn, ml.nn.functional


def plain() -> Any:
    return nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 3))


class Tied(nn.Module):
    """A layer that is used twice: its weight is cast once."""

    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(6, 6), nn.Linear(6, 3)

    def forward(self, x: Any) -> Any:
        return self.outer(self.inner(self.inner(x)).relu())


class Convolved(nn.Module):
    """A convolution and batch norm."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.out = nn.Conv1d(1, 4, 3, padding=1), nn.BatchNorm1d(4), nn.Linear(24, 3)

    def forward(self, x: Any) -> Any:
        return self.out(self.norm(self.conv(x[:, None])).relu().flatten(1))


def losses(make: Callable[[], Any], dtype: Any, scaled: bool, backend: str | None) -> tuple[list[float], Any]:
    """The losses of some steps in mixed precision, and the step."""
    ml.manual_seed(1)
    model = make()
    optimizer = ml.optim.AdamW(model.parameters(), lr=1e-2)
    scaler = ml.amp.GradScaler("cpu", init_scale=256.0, growth_interval=3, enabled=scaled)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        with ml.autocast("cpu", dtype=dtype):
            loss = F.cross_entropy(model(x), y)
        if scaled:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
        return loss.detach()

    run = step if backend is None else ml.compile(step, backend=backend)
    ml.manual_seed(5)
    found = [float(run(ml.randn(n, 6), ml.randint(0, 3, (n,)))) for n in (8, 8, 8, 5, 8)]
    return found, run


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("make", [plain, Tied, Convolved])
def test_it_trains_to_the_losses_of_eager(make: Callable[[], Any], scaled: bool, backend: str) -> None:
    dtype = ml.float16 if scaled else ml.bfloat16
    found, step = losses(make, dtype, scaled, backend)
    assert found == pytest.approx(losses(make, dtype, scaled, None)[0], rel=0 if backend == "numpy" else 1e-5)
    assert step.reason == ""


def test_a_step_is_one_graph() -> None:
    model = plain()
    optimizer = ml.optim.SGD(model.parameters(), lr=0.1)

    @ml.compile(fullgraph=True)
    def step(x: Any, y: Any) -> Any:
        with ml.autocast("cpu"):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    for _ in range(3):
        step(ml.randn(4, 6), ml.randint(0, 3, (4,)))


W, OUTSIDE, LOW = ml.randn(3, 3), ml.autocast("cpu"), {"dtype": ml.bfloat16}


def switched(x: Any, on: bool) -> Any:
    with ml.autocast("cpu", enabled=on):
        return x @ W


def caught(x: Any, on: bool) -> Any:
    try:
        with ml.autocast("cpu"):
            y = x @ W
            y.view(7)
    except ml.errors.ShapeError:
        pass
    return [y, x @ W]


def made_outside(x: Any, on: bool) -> Any:
    with OUTSIDE:
        return x @ W


def of_a_dict(x: Any, on: bool) -> Any:
    with ml.autocast("cpu", dtype=LOW["dtype"]):
        return x @ W


def asked(x: Any, on: bool) -> Any:
    with ml.autocast("cpu"):
        inside, y = ml.is_autocast_enabled("cpu"), x @ W
    return [y] if inside and not ml.is_autocast_enabled("cpu") else []


def looked_at(x: Any, on: bool) -> Any:
    with ml.autocast("cpu"):
        y = x @ W
        return y * 2 if y.sum().item() > 0 else y @ W


def in_turns(x: Any, on: bool) -> Any:
    def rows() -> Iterator[Any]:
        with ml.autocast("cpu"):
            yield x @ W
            yield x @ W + 1

    return [*rows(), x @ W]


def nested(x: Any, on: bool) -> Any:
    with ml.autocast("cpu"):
        y = x @ W
        with ml.autocast("cpu", enabled=False):
            z = y.float() @ W
        with ml.no_grad(), ml.autocast("cpu", dtype=ml.float16):
            return [y, z, x @ W]


@ml.autocast("cpu")
def decorated(x: Any, on: bool) -> Any:
    return x @ W


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize(
    "f", [switched, caught, made_outside, of_a_dict, asked, looked_at, in_turns, nested, decorated]
)
def test_a_block_does_what_it_does_in_eager(
    f: Callable[..., Any], backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = ml.compile(f, backend=backend)
    for k in range(4):
        if k == 3:
            monkeypatch.setitem(LOW, "dtype", ml.float16)
        x, on = ml.randn(2, 3), k % 2 == 0
        expected, found = (r if isinstance(r, list) else [r] for r in (f(x, on), compiled(x, on)))
        assert [(y.dtype, y.tolist()) for y in found] == [(y.dtype, y.tolist()) for y in expected]
        assert not ml.is_autocast_enabled("cpu")
