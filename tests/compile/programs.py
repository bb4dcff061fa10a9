"""Random programs: ops, views, writes, draws, no_grad, constants, redundant steps, several results."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import minitorch_lab as ml

N = 4
Step = Callable[[random.Random, Any, Any], Any]


def square(x: Any) -> bool:
    return tuple(x.shape) == (N, N)


def written(r: random.Random, x: Any, y: Any) -> Any:
    """A copy that is written to, as a whole or through a view of it."""
    z = x.clone()
    if r.random() < 0.5 or not z.shape:
        return z.mul_(0.5)
    z[0] = z[0] * 2.0
    return z + y * 0.0 if y.shape == z.shape else z


def unrecorded(r: random.Random, x: Any, y: Any) -> Any:
    with ml.no_grad():
        return (x * 1.0).tanh() * (1.0 if r.random() < 0.5 else 2.0)


def drawn(r: random.Random, x: Any, y: Any) -> Any:
    return x * ml.rand(*x.shape, dtype=x.dtype)


def branches(r: random.Random, x: Any, y: Any) -> Any:
    """Three products of one input with three matrices."""
    if not square(x):
        return x.sin()
    h, other = ml.cat([x] * 9), y if square(y) else x
    a, b, c = (h @ w for w in (other, x, x * 0.5)) if r.random() < 0.5 else (h @ other, h @ x, h @ x.mT)
    return (a.tanh() * b.tanh() + c.tanh()).sum(0)


def square_of(r: random.Random, x: Any, y: Any) -> Any:
    """The one step whose last digit a pass may change."""
    return x**2


ENTRYWISE: list[Step] = [
    lambda r, x, y: x + y,
    lambda r, x, y: x - y,
    lambda r, x, y: x * y,
    lambda r, x, y: x / (y * y + 1.0),
    lambda r, x, y: ml.maximum(x, y),
    lambda r, x, y: ml.where(x > y, x, y),
    lambda r, x, y: ml.where(x > 0, y, y),
    lambda r, x, y: x + -y,
    lambda r, x, y: -x - -y,
    lambda r, x, y: x * 1,
    lambda r, x, y: x + (0.0 if r.random() < 0.5 else -0.0),
    lambda r, x, y: (x - 0) / 1,
    lambda r, x, y: x.neg().neg(),
    square_of,
    lambda r, x, y: x.sin(),
    lambda r, x, y: x.tanh().exp(),
    lambda r, x, y: x.relu().relu(),
    lambda r, x, y: (-x).abs(),
    lambda r, x, y: x.sigmoid(),
    lambda r, x, y: x.gelu(),
    lambda r, x, y: x.softplus(),
    lambda r, x, y: x.clamp(-1, 1),
    lambda r, x, y: ml.nn.functional.hardsigmoid(x),
    lambda r, x, y: x.double().to(x.dtype),
    lambda r, x, y: x.clone(),
    lambda r, x, y: x.detach(),
    lambda r, x, y: x * (ml.ones(*x.shape, dtype=x.dtype) * 3).exp(),
    lambda r, x, y: x * ml.ones(*x.shape, dtype=x.dtype),
    lambda r, x, y: x * 2.0 + x * 2.0,
]
MOVING: list[Step] = [
    lambda r, x, y: x.mT if len(x.shape) > 1 else x,
    lambda r, x, y: x.mT.mT.relu() if len(x.shape) > 1 else x,
    lambda r, x, y: (x.mT.sin() + 1).mT if len(x.shape) > 1 else x,
    lambda r, x, y: x.reshape(-1),
    lambda r, x, y: x.reshape(-1).reshape(x.shape),
    lambda r, x, y: x.expand(N, *x.shape)[0] if len(x.shape) == 1 else x,
    lambda r, x, y: x[:2].clone() if x.shape and x.shape[0] >= 2 else x,
    lambda r, x, y: ml.cat([x, x]).reshape(2, *x.shape).sum(0) if x.shape else x,
    written,
    written,
    unrecorded,
    drawn,
]
SUMMING: list[Step] = [
    lambda r, x, y: x.sum(),
    lambda r, x, y: x.sum(0) if x.shape else x,
    lambda r, x, y: x.mean(-1, keepdim=True) * x if x.shape else x,
    lambda r, x, y: x.var() if x.shape and x.numel() > 1 else x,
    lambda r, x, y: x.softmax(-1) if x.shape else x,
    lambda r, x, y: x.log_softmax(0) if x.shape else x,
    lambda r, x, y: x.logsumexp(-1) if x.shape else x,
    lambda r, x, y: (x * x + 1.0).norm(),
    lambda r, x, y: ml.nn.functional.layer_norm(x, x.shape[-1:]) if x.shape else x,
    lambda r, x, y: ml.mse_loss(x, y) if x.shape == y.shape else x,
    lambda r, x, y: ml.cross_entropy(x, ml.tensor([0, 1, 2, 3])) if square(x) else x,
    lambda r, x, y: (x @ x).tanh() if square(x) else x,
    lambda r, x, y: (ml.nn.functional.linear(x, y, x[0])).tanh() if square(x) and square(y) else x,
    lambda r, x, y: (x @ y.mT + x[0]).relu() if square(x) and square(y) else x,
    lambda r, x, y: (x[0] + x @ x).tanh() if square(x) else x,
    branches,
]


def program(seed: int, steps: list[Step], length: int = 14) -> Callable[..., Any]:
    """A function of two matrices and a vector, made of some of the `steps`, with up to three results."""

    def f(a: Any, b: Any, c: Any) -> Any:
        r = random.Random(seed)
        pool = [a, b, c]
        for _ in range(length):
            x, y = r.choice(pool[-6:]), r.choice(pool)
            if not fits(x, y):
                y = x
            new = r.choice(steps)(r, x, y)
            if new.numel() <= 64:
                pool.append(new)
        return tuple(pool[-r.randint(1, 3) :])

    return f


def fits(x: Any, y: Any) -> bool:
    """Whether the two can be added without growing."""
    return all(m == n or 1 in (m, n) for m, n in zip(x.shape[::-1], y.shape[::-1], strict=False))


def views(x: Any) -> Any:
    """Views of a tensor of (4, 3, 5), and what is computed from them."""
    return (
        x.transpose(0, 2).exp() + 1, x[1:, ::2].tanh(), x.reshape(6, -1).softmax(1), x.flip(1) - x,
        x[:, None].expand(4, 2, 3, 5) * 2, (x.permute(1, 0, 2) * 2).reshape(-1), x[0, 1] * x[1, 2, 3],
    )  # fmt: skip
