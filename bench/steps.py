"""Training steps: an MLP, a tiny one, a transformer block. Forward, backward and update, by every library."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from bench.libraries import Library, Program

# isort: split
import numpy as np


def weights_of(sizes: tuple[int, ...]) -> tuple[Any, Any, list[Any]]:
    """A batch, its labels, and the weights of the layers, (out, in) and (out,) in turn."""
    batch, *widths = sizes
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((batch, widths[0])), rng.integers(0, widths[-1], batch)
    weights: list[Any] = []
    for a, b in pairwise(widths):
        weights += [rng.standard_normal((b, a)) / np.sqrt(a), rng.standard_normal(b) * 0.05]
    return x, y, weights


def mlp(lib: Library, sizes: tuple[int, ...], optimizer: str) -> Program:
    """The step of an MLP with two layers: batch, inputs, hidden units, classes."""
    nn, (x, y, weights) = lib.module.nn, weights_of(sizes)
    dtype = getattr(lib.module, lib.dtype)
    layers = nn.Linear(*sizes[1:3], dtype=dtype), nn.ReLU(), nn.Linear(*sizes[2:4], dtype=dtype)
    model = lib.load(nn.Sequential(*layers), weights)
    return stepping(lib, model, optimizer, lib.tensor(x), lib.tensor(y))


def stepping(lib: Library, model: Any, optimizer: str, x: Any, y: Any) -> Program:
    """Forward, cross entropy, backward and update. As in JAX, whose step returns none, no gradient outlives it."""
    cross_entropy = lib.module.nn.functional.cross_entropy
    update = getattr(lib.module.optim, optimizer)(model.parameters(), lr=1e-3)
    forward = lib.part(lambda x, y: cross_entropy(model(x), y)) if lib.whole is not lib.part else None

    def step(x: Any, y: Any) -> Any:
        update.zero_grad()
        loss = forward(x, y) if forward else cross_entropy(model(x), y)
        loss.backward()
        update.step()
        update.zero_grad()
        return loss

    whole = lib.whole(step)
    return lambda: whole(x, y)


def mlp_in_jax(sizes: tuple[int, ...], optimizer: str) -> Program:
    """The same under `jax.jit`, the update inside, the old weights donated."""
    import jax
    import jax.numpy as jnp

    x, y, weights = weights_of(sizes)
    x, y = jnp.asarray(x, "float32"), jnp.asarray(y)
    p = [jnp.asarray(w, "float32") for w in weights]
    state = [jnp.zeros_like(w) for w in p * 2] if optimizer == "Adam" else []

    def loss(p: Any) -> Any:
        w1, b1, w2, b2 = p
        scores = jax.nn.log_softmax(jax.nn.relu(x @ w1.T + b1) @ w2.T + b2)
        return -jnp.take_along_axis(scores, y[:, None], 1).mean()

    def step(p: Any, state: Any, t: Any) -> Any:
        value, g = jax.value_and_grad(loss)(p)
        if not state:
            return value, [w - 1e-3 * d for w, d in zip(p, g, strict=True)], state
        m = [0.9 * a + 0.1 * d for a, d in zip(state[: len(p)], g, strict=True)]
        v = [0.999 * a + 0.001 * d * d for a, d in zip(state[len(p) :], g, strict=True)]
        scale = jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        new = [w - 1e-3 * scale * a / (jnp.sqrt(b) + 1e-8) for w, a, b in zip(p, m, v, strict=True)]
        return value, new, m + v

    return keeping(jax.jit(step, donate_argnums=(0, 1)), p, state)


def keeping(step: Any, p: Any, state: Any) -> Program:
    """A step that hands its state to the next one."""
    t = 0.0

    def program() -> Any:
        nonlocal p, state, t
        t += 1
        value, p, state = step(p, state, t)
        return value

    return program


BATCH, HEADS, TIME, DEPTH = 4, 4, 128, 32
WIDTH = HEADS * DEPTH


def block_weights() -> tuple[Any, list[Any]]:
    """A batch of sequences, and the weights of a block: two norms, qkv, the way out, up, down."""
    rng = np.random.default_rng(1)
    shapes = [(WIDTH,), (WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH,), (WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)]
    weights = [np.ones(s) if len(s) == 1 else rng.standard_normal(s) / np.sqrt(s[0]) for s in shapes]
    return rng.standard_normal((BATCH, TIME, WIDTH)), weights


def block(lib: Library) -> Program:
    """A transformer block with the norms first, causal: forward, mean square, backward, SGD."""
    ml, F = lib.module, lib.module.nn.functional  # noqa: N806 - PyTorch's name
    data, weights = block_weights()
    x, p = lib.tensor(data), [lib.tensor(w, True) for w in weights]
    update = ml.optim.SGD(p, lr=1e-4)

    def forward(x: Any) -> Any:
        g1, qkv, out, g2, up, down = p
        parts = (F.layer_norm(x, (WIDTH,), g1) @ qkv).reshape(BATCH, TIME, 3, HEADS, DEPTH).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(parts[0], parts[1], parts[2], is_causal=True)
        x = x + a.permute(0, 2, 1, 3).reshape(BATCH, TIME, WIDTH) @ out
        return ((x + F.gelu(F.layer_norm(x, (WIDTH,), g2) @ up) @ down) ** 2).mean()

    inner = lib.part(forward) if lib.whole is not lib.part else forward

    def step(x: Any) -> Any:
        update.zero_grad()
        loss = inner(x)
        loss.backward()
        update.step()
        update.zero_grad()
        return loss

    whole = lib.whole(step)
    return lambda: whole(x)


def block_in_jax() -> Program:
    """The same under `jax.jit`."""
    import jax
    import jax.numpy as jnp

    data, weights = block_weights()
    x, p = jnp.asarray(data, "float32"), [jnp.asarray(w, "float32") for w in weights]
    hidden = jnp.triu(jnp.ones((TIME, TIME), bool), 1)

    def norm(x: Any, g: Any) -> Any:
        d = x - x.mean(-1, keepdims=True)
        return d / jnp.sqrt((d * d).mean(-1, keepdims=True) + 1e-5) * g

    def loss(p: Any) -> Any:
        g1, qkv, out, g2, up, down = p
        q, k, v = (norm(x, g1) @ qkv).reshape(BATCH, TIME, 3, HEADS, DEPTH).transpose(2, 0, 3, 1, 4)
        scores = jnp.where(hidden, -jnp.inf, q @ k.swapaxes(-1, -2) / DEPTH**0.5)
        a = jax.nn.softmax(scores) @ v
        y = x + a.transpose(0, 2, 1, 3).reshape(BATCH, TIME, WIDTH) @ out
        return ((y + jax.nn.gelu(norm(y, g2) @ up, approximate=False) @ down) ** 2).mean()

    def step(p: Any, state: Any, t: Any) -> Any:
        value, g = jax.value_and_grad(loss)(p)
        return value, [w - 1e-4 * d for w, d in zip(p, g, strict=True)], state

    return keeping(jax.jit(step, donate_argnums=0), p, [])
