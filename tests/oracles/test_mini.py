"""mini against JAX, on random programs eager and compiled, and its GPT against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minitorch_lab import mini
from minitorch_lab.mini import nn, ops
from minitorch_lab.mini.examples.gpt import GPT

pytestmark = pytest.mark.oracle
SEEDS = pytest.mark.parametrize("seed", range(10))


@pytest.fixture(scope="module")
def jax() -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def words(jax: Any) -> list[tuple[Any, Any]]:
    """What programs are made of, in mini and in JAX: functions of two arrays of shape (3, 4) that return one."""
    j, rows = jax.numpy, np.array([2, 0, 2])
    return [
        (lambda x, _: x.exp() * 0.1, lambda x, _: j.exp(x) * 0.1),
        (lambda x, _: (x * x + 1.0).log(), lambda x, _: j.log(x * x + 1.0)),
        (lambda x, _: x.tanh(), lambda x, _: j.tanh(x)),
        (lambda x, _: x.sin(), lambda x, _: j.sin(x)),
        (lambda x, _: x.sigmoid(), lambda x, _: jax.nn.sigmoid(x)),
        (lambda x, _: (x * x + 0.5) ** -0.5, lambda x, _: (x * x + 0.5) ** -0.5),
        (lambda x, _: x - x.mean(-1, keepdims=True), lambda x, _: x - x.mean(-1, keepdims=True)),
        (lambda x, _: x / (1.0 + x.sum(0) ** 2), lambda x, _: x / (1.0 + x.sum(0) ** 2)),
        (lambda x, _: nn.softmax(x), lambda x, _: jax.nn.softmax(x, -1)),
        (lambda x, _: nn.gelu(x), lambda x, _: jax.nn.gelu(x, approximate=True)),
        (lambda x, _: x + x.max(1, keepdims=True), lambda x, _: x + x.max(1, keepdims=True)),
        (lambda x, _: x.reshape(4, 3).T.sin(), lambda x, _: j.sin(x.reshape(4, 3).T)),
        (lambda x, y: x @ y.T @ x * 0.1, lambda x, y: x @ y.T @ x * 0.1),
        (lambda x, y: x[:, 1:3].sum(1, keepdims=True) * y, lambda x, y: x[:, 1:3].sum(1, keepdims=True) * y),
        (lambda x, y: x[rows] * y, lambda x, y: x[rows] * y),
        (lambda x, y: ops.pad(x, widths=((1, 0), (0, 0)))[:3] * y, lambda x, y: j.pad(x, ((1, 0), (0, 0)))[:3] * y),
        (lambda x, y: x - 2.0 * y, lambda x, y: x - 2.0 * y),
        (lambda x, y: x / (y * y + 1.0), lambda x, y: x / (y * y + 1.0)),
        (ops.maximum, j.maximum),
        (lambda x, y: (x > y) * x + y[0], lambda x, y: (x > y) * x + y[0]),
    ]


def random_program(jax: Any, seed: int, length: int = 6) -> tuple[Any, Any]:
    """The same program twice: in mini, and in JAX."""
    rng, table = np.random.default_rng(seed), words(jax)
    plan = [(int(rng.integers(len(table))), *map(int, rng.integers(0, k + 1, 2))) for k in range(length)]

    def written_in(side: int) -> Any:
        def program(x: Any) -> Any:
            values = [x]
            for which, a, b in plan:
                values.append(table[which][side](values[a], values[b]))
            return sum(values[1:], values[0] * 0.5)

        return program

    return written_in(0), written_in(1)


def data(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed + 1000).normal(size=shape)


def near(ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=1e-8, atol=1e-8)


@SEEDS
def test_eager_programs(jax: Any, seed: int) -> None:
    f, g = random_program(jax, seed)
    x, v = data(seed, 3, 4), data(seed + 1, 3, 4)
    leaf = mini.tensor(x, requires_grad=True)
    f(leaf).sum().backward()
    near(f(mini.tensor(x)), g(x))
    near(leaf.grad, jax.grad(lambda x: g(x).sum())(x))
    slope, theirs = mini.grad(lambda x: f(x).sum()), jax.grad(lambda x: g(x).sum())
    curve = jax.jvp(theirs, (x,), (v,))[1]
    near(mini.grad(lambda x: (slope(x) * v).sum())(x), curve)  # reverse over reverse
    near(mini.jvp(slope, (mini.tensor(x),), (v,))[1], curve)  # forward over reverse
    near(mini.grad(lambda x: mini.jvp(f, (x,), (v,))[1].sum())(x), curve)  # reverse over forward


@SEEDS
def test_batches_of_programs(jax: Any, seed: int) -> None:
    f, g = random_program(jax, seed)
    x = data(seed, 5, 3, 4)
    near(mini.vmap(f)(x), jax.vmap(g)(x))
    near(mini.vmap(mini.grad(lambda x: f(x).sum()))(x), jax.vmap(jax.grad(lambda x: g(x).sum()))(x))


@SEEDS
@pytest.mark.parametrize("target", ["numpy", "c"])
def test_compiled_programs(jax: Any, seed: int, target: str) -> None:
    f, g = random_program(jax, seed)
    x, leaf = data(seed, 3, 4), mini.tensor(data(seed, 3, 4), requires_grad=True)
    out = mini.compile(f, target)(leaf)
    out.sum().backward()
    near(out, g(x))
    near(leaf.grad, jax.grad(lambda x: g(x).sum())(x))
    curve = mini.compile(lambda x: mini.jvp(mini.grad(lambda x: f(x).sum()), (x,), (x,))[1], target)
    near(curve(x), jax.jvp(jax.grad(lambda x: g(x).sum()), (x,), (x,))[1])


def torch_loss(torch: Any, p: dict[str, Any], index: np.ndarray, labels: np.ndarray) -> Any:
    """The GPT of the examples, written with PyTorch's layers: width 12, 3 heads, 2 blocks."""
    functional = torch.nn.functional
    linear = lambda x, name: x @ p[f"{name}.weight"] + p[f"{name}.bias"]  # noqa: E731
    norm = lambda x, name: functional.layer_norm(x, (12,), p[f"{name}.weight"], p[f"{name}.bias"])  # noqa: E731
    x = p["words.weight"][torch.tensor(index)] + p["places.weight"]
    for block in ("blocks.0", "blocks.1"):
        y = norm(x, f"{block}.norm1")
        rows = [linear(y, f"{block}.attention.{n}") for n in ("query", "key", "value")]
        heads = [row.reshape(2, 8, 3, 4).transpose(1, 2) for row in rows]
        y = functional.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + linear(y.transpose(1, 2).reshape(2, 8, 12), f"{block}.attention.out")
        y = functional.gelu(linear(norm(x, f"{block}.norm2"), f"{block}.up"), approximate="tanh")
        x = x + linear(y, f"{block}.down")
    return functional.cross_entropy(linear(norm(x, "norm"), "head").reshape(-1, 11), torch.tensor(labels).reshape(-1))


def test_the_gradient_of_a_gpt_is_torchs() -> None:
    import torch

    rng = np.random.default_rng(0)
    model = GPT(words=11, length=8, width=12, heads=3, layers=2, rng=rng)
    for p in model.parameters():
        p.value = rng.normal(0, 0.3, p.shape)
    index, labels = rng.integers(0, 11, (2, 8)), rng.integers(0, 11, (2, 8))
    theirs = {name: torch.tensor(p.numpy().copy(), requires_grad=True) for name, p in model.named_parameters()}
    loss = torch_loss(torch, theirs, index, labels)
    loss.backward()
    for run in (model.loss, mini.compile(model.loss, "numpy"), mini.compile(model.loss, "c")):
        model.zero_grad()
        ours = run(index, labels)
        ours.backward()
        near(ours, loss.item())
        for name, p in model.named_parameters():
            near(p.grad, theirs[name].grad.numpy())
