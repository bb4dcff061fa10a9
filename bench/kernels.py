"""Kernels: one op, a pointwise chain, softmax, layer norm with GELU, attention, convolution, by every library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.libraries import Library, Program

# isort: split
import numpy as np


def drawn(*shapes: tuple[int, ...]) -> list[Any]:
    """Arrays of normal numbers."""
    rng = np.random.default_rng(2)
    return [rng.standard_normal(shape) for shape in shapes]


def of_tensors(lib: Library, fn: Callable[..., Any], arrays: list[Any]) -> Program:
    """A function of tensors, compiled if the library compiles."""
    tensors, run = [lib.tensor(a) for a in arrays], lib.part(fn)
    return lambda: run(*tensors)


def of_jax(fn: Callable[..., Any], arrays: list[Any]) -> Program:
    """A function of JAX arrays under `jit`."""
    import jax
    import jax.numpy as jnp

    tensors, run = [jnp.asarray(a, "float32") for a in arrays], jax.jit(fn)
    return lambda: run(*tensors)


def chain(a: Any, b: Any, c: Any, d: Any) -> Any:
    """tanh(ab + c) σ(d) + exp(−a²), in PyTorch's names."""
    return (a * b + c).tanh() * d.sigmoid() + (-a * a).exp()


def chain_in_jax(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The same in JAX."""
    import jax
    import jax.numpy as jnp

    return jnp.tanh(a * b + c) * jax.nn.sigmoid(d) + jnp.exp(-a * a)


def norm_and_gelu(lib: Library) -> Callable[..., Any]:
    """Layer norm of rows, then GELU."""
    F = lib.module.nn.functional  # noqa: N806 - PyTorch's name
    return lambda x, g, b: F.gelu(F.layer_norm(x, (x.shape[-1],), g, b))


def norm_and_gelu_in_jax(x: Any, g: Any, b: Any) -> Any:
    """The same in JAX."""
    import jax
    import jax.numpy as jnp

    d = x - x.mean(-1, keepdims=True)
    return jax.nn.gelu(d / jnp.sqrt((d * d).mean(-1, keepdims=True) + 1e-5) * g + b, approximate=False)


def softmax(lib: Library) -> Callable[..., Any]:
    """Softmax of rows."""
    return lambda x: lib.module.nn.functional.softmax(x, 1)


def softmax_in_jax(x: Any) -> Any:
    """The same in JAX."""
    import jax

    return jax.nn.softmax(x)


# ---- there and back -------------------------------------------------------------------------------------------------
def and_back(lib: Library, fn: Callable[..., Any], arrays: list[Any]) -> Program:
    """A function, then the gradients of the sum of its squares by all arguments."""
    tensors = [lib.tensor(a, True) for a in arrays]

    def step(*tensors: Any) -> Any:
        for x in tensors:
            x.grad = None
        loss = (run(*tensors) ** 2).sum()
        loss.backward()
        return loss

    run = lib.part(fn) if lib.whole is not lib.part else fn
    whole = lib.whole(step)

    def program() -> Any:
        loss = whole(*tensors)
        return [loss, *(x.grad for x in tensors)]

    return program


def and_back_in_jax(fn: Callable[..., Any], arrays: list[Any]) -> Program:
    """The same in JAX."""
    import jax

    def step(*xs: Any) -> Any:
        value, g = jax.value_and_grad(lambda xs: (fn(*xs) ** 2).sum())(xs)
        return [value, *g]

    return of_jax(step, arrays)


def attention(lib: Library) -> Callable[..., Any]:
    """Causal attention."""
    attend = lib.module.nn.functional.scaled_dot_product_attention
    return lambda q, k, v: attend(q, k, v, is_causal=True)


def attention_in_jax(q: Any, k: Any, v: Any) -> Any:
    """The same in JAX."""
    import jax
    import jax.numpy as jnp

    n, d = q.shape[-2:]
    hidden = jnp.triu(jnp.ones((n, n), bool), 1)
    return jax.nn.softmax(jnp.where(hidden, -jnp.inf, q @ k.swapaxes(-1, -2) / d**0.5)) @ v


def conv(lib: Library) -> Callable[..., Any]:
    """Convolution 3×3 that keeps the size."""
    return lambda x, w: lib.module.nn.functional.conv2d(x, w, padding=1)


def conv_in_jax(x: Any, w: Any) -> Any:
    """The same in JAX."""
    import jax

    return jax.lax.conv(x, w, (1, 1), "SAME")


def conv_channels_last() -> Program:
    """torch with the channels innermost in memory."""
    import torch

    x, w = [torch.tensor(a.astype("float32")).to(memory_format=torch.channels_last) for a in drawn(*CONV)]
    x.requires_grad_(), w.requires_grad_()

    def program() -> Any:
        x.grad = w.grad = None
        loss = (torch.nn.functional.conv2d(x, w, padding=1) ** 2).sum()
        loss.backward()
        return [loss, x.grad, w.grad]

    return program


CONV = ((16, 16, 32, 32), (16, 16, 3, 3))
