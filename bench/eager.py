"""Eager execution beside torch: vectors of 32 floats, a training step of 32x784x256x10."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bench.libraries import EAGER, EXACT, TORCH, Library, Program
from bench.row import HEAD, Row

# isort: split
import numpy as np

import minitorch_lab as ml
from bench.steps import mlp

PAIRS = 10


def small(lib: Library, pairs: int) -> Program:
    """`pairs` times relu(x + b), and the walk back."""
    x, b, one = (lib.tensor(a, grad) for a, grad in zip(vectors(), (True, True, False), strict=True))

    def program() -> Any:
        x.grad = b.grad = None
        y = x
        for _ in range(pairs):
            y = (y + b).relu()
        y.backward(one)
        return x.grad, b.grad

    return program


def vectors() -> tuple[Any, Any, Any]:
    """x, b and the cotangent: 32 float32 each."""
    rng = np.random.default_rng(0)
    return (
        rng.standard_normal(32).astype("f4"),
        rng.standard_normal(32).astype("f4") * np.float32(0.1),
        np.ones(32, "f4"),
    )


def forward(pairs: int) -> tuple[Program, Program]:
    """The same without gradients, beside the two NumPy calls that do the work."""
    x0, b0, _ = vectors()
    x, b = EAGER.tensor(x0), EAGER.tensor(b0)

    def tensors() -> Any:
        y = x
        for _ in range(pairs):
            y = (y + b).relu()
        return y

    def arrays() -> Any:
        y = x0
        for _ in range(pairs):
            y = np.maximum(y + b0, 0.0)
        return y

    return tensors, arrays


def bare_step(lib: Library) -> Program:
    """Forward, backward and SGD of the MLP, on four bare tensors."""
    rng = np.random.default_rng(0)
    draw: Callable[..., Any] = lambda *shape: rng.standard_normal(shape) * 0.05  # noqa: E731
    images, targets = lib.tensor(draw(32, 784)), lib.tensor(rng.integers(0, 10, 32))
    w1, b1, w2, b2 = parameters = [lib.tensor(draw(*s), True) for s in ((784, 256), (256,), (256, 10), (10,))]
    optimizer = lib.module.optim.SGD(parameters, lr=0.1)

    def program() -> Any:
        optimizer.zero_grad()
        scores = (images @ w1 + b1).relu() @ w2 + b2
        loss = lib.module.nn.functional.cross_entropy(scores, targets)
        loss.backward()
        optimizer.step()
        return loss

    return program


def after_a_recording() -> Program:
    """A program for which a recording has come and gone."""
    program = small(EAGER, PAIRS)
    with ml.record():
        program()
    return program


def rows() -> Iterator[Row]:
    """The rows."""
    for name, pairs, bar in (("relu(x + b) of 32, there and back", 1, 0.45), ("twenty such ops", PAIRS, 0.70)):
        yield Row(
            name,
            {"ours": lambda p=pairs: small(EAGER, p), "torch": lambda p=pairs: small(TORCH, p)},
            {"torch": bar},
            lambda p=pairs: small(EXACT, p),
        )
    tensors, arrays = forward(PAIRS)
    yield Row("forward without gradients", {"ours": lambda: tensors, "two NumPy calls": lambda: arrays},
              {"two NumPy calls": 1.6})  # fmt: skip
    yield Row("after a recording", {"after": after_a_recording, "before": lambda: small(EAGER, PAIRS)},
              {"before": 1.03})  # fmt: skip
    for name, step in (
        ("bare tensors", bare_step),
        ("Linear modules", lambda lib: mlp(lib, (32, 784, 256, 10), "SGD")),
    ):
        yield Row(
            f"MLP step 32x784x256x10, SGD, {name}",
            {"ours": lambda s=step: s(EAGER), "torch": lambda s=step: s(TORCH)},
            {"torch": 0.95},
            lambda s=step: s(EXACT),
        )


def main() -> Iterator[str]:
    """The table."""
    yield HEAD
    for row in rows():
        yield from row.lines()
