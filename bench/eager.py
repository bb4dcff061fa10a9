"""What eager execution costs beside torch: vectors of 32 floats, a training step of 32x784x256x10. Ours / theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.interleaved import Ratio, compare, row  # first: it sets the number of threads

# isort: split
import numpy as np
import torch

import minitorch_lab as ml

PAIRS = 10
Program = Callable[[], Any]


def small(lib: Any, tensor: Callable[[Any, bool], Any], pairs: int) -> Program:
    """`pairs` times relu(x + b), and the walk back."""
    x, b, one = (tensor(a, grad) for a, grad in zip(vectors(), (True, True, False), strict=True))

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


def ours(a: Any, grad: bool = False) -> Any:
    return ml.tensor(a, requires_grad=grad)


def theirs(a: Any, grad: bool = False) -> Any:
    return torch.tensor(a, requires_grad=grad)


def forward(pairs: int) -> tuple[Program, Program]:
    """The same without gradients, beside the two NumPy calls that do the work."""
    x0, b0, _ = vectors()
    x, b = ours(x0), ours(b0)

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


def step_on_tensors(lib: Any, tensor: Callable[[Any, bool], Any], loss_of: Program) -> Program:
    """Forward, backward and SGD on four bare tensors."""
    x, labels, weights = data()
    parameters = [tensor(w, True) for w in weights]
    w1, b1, w2, b2 = parameters
    images, targets = tensor(x, False), tensor(labels, False)
    optimizer = lib.optim.SGD(parameters, lr=0.1)

    def program() -> Any:
        optimizer.zero_grad()
        loss = loss_of((images @ w1 + b1).relu() @ w2 + b2, targets)
        loss.backward()
        optimizer.step()
        return loss

    return program


def step_on_modules(lib: Any, tensor: Callable[[Any, bool], Any], loss_of: Program) -> Program:
    """The same with Linear layers."""
    x, labels, weights = data()
    model = lib.nn.Sequential(lib.nn.Linear(784, 256), lib.nn.ReLU(), lib.nn.Linear(256, 10))
    with lib.no_grad():
        for parameter, weight in zip(model.parameters(), weights, strict=True):
            parameter.copy_(tensor(weight.T.copy(), False))
    images, targets = tensor(x, False), tensor(labels, False)
    optimizer = lib.optim.SGD(model.parameters(), lr=0.1)

    def program() -> Any:
        optimizer.zero_grad()
        loss = loss_of(model(images), targets)
        loss.backward()
        optimizer.step()
        return loss

    return program


def data() -> tuple[Any, Any, list[Any]]:
    """A batch of 32 images, their labels, and starting weights."""
    rng = np.random.default_rng(0)

    def draw(*shape: int) -> Any:
        return (rng.standard_normal(shape) * 0.05).astype("f4")

    return draw(32, 784), rng.integers(0, 10, 32), [draw(784, 256), draw(256), draw(256, 10), draw(10)]


def same(a: Any, b: Any) -> None:
    """Refuse to time programs that do not agree."""
    for left, right in zip(a, b, strict=True):
        np.testing.assert_allclose(left.detach().numpy(), right.detach().numpy(), rtol=1e-4, atol=1e-5)


def recording_off() -> Ratio:
    """A program after a recording has come and gone, beside itself before."""
    before, after = small(ml, ours, PAIRS), small(ml, ours, PAIRS)
    with ml.record():
        after()
    return compare(after, before, 40)


def main() -> None:
    """Print the table."""
    torch.set_num_threads(1)
    print(f"{'':<58}{'ratio':>6}  {'quartiles':<14}{'ours':>12}{'theirs':>13}")
    for name, pairs, calls, bar in (
        ("relu(x + b), forward and backward", 1, 200, 0.45),
        ("a chain of twenty such ops", PAIRS, 40, 0.70),
    ):
        a, b = small(ml, ours, pairs), small(torch, theirs, pairs)
        same(a(), b())
        print(row(f"{name} / torch", compare(a, b, calls), bar))
    print(row("forward without gradients / two NumPy calls", compare(*forward(PAIRS), 40), 1.6))
    print(row("after a recording / before it", recording_off(), 1.03))
    losses = ml.nn.functional.cross_entropy, torch.nn.functional.cross_entropy
    for name, step, bar in (("bare tensors", step_on_tensors, 0.95), ("Linear modules", step_on_modules, 0.95)):
        a, b = step(ml, ours, losses[0]), step(torch, theirs, losses[1])
        for _ in range(3):
            same([a()], [b()])
        print(row(f"MLP step 32x784x256x10, SGD, {name} / torch", compare(a, b, 5), bar))


if __name__ == "__main__":
    main()
