"""Compiled code beside torch eager, `torch.compile` and `jax.jit`, one thread. BENCH_BACKEND names our backend."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from bench.libraries import AVX2, BACKEND, EAGER, EXACT, OURS, TORCH, TORCH_COMPILE, Library, Program
from bench.row import HEAD, Row

# isort: split
import os

import numpy as np

from bench import kernels, steps

WITH_TORCH_COMPILE = os.environ.get("BENCH_TORCH_COMPILE", "1") == "1"


def row(
    work: str, by: Callable[[Library], Program], jax: Callable[[], Program], bars: dict[str, float], **more: Any
) -> Row:
    """A row by all libraries."""
    programs = {"ours": partial(by, OURS), "JAX jit": jax, "torch eager": partial(by, TORCH)}
    if WITH_TORCH_COMPILE:
        programs["torch.compile"] = partial(by, TORCH_COMPILE)
    if BACKEND == "llvm":
        programs["ours, AVX2 alone"] = partial(by, AVX2)  # without a limit
    return Row(work, programs, bars, partial(by, EXACT), **more)


def rows() -> Iterator[Row]:
    """The rows."""
    yield one_op()
    yield from step_rows()
    yield from kernel_rows()
    yield from rows_there_and_back()


def step_rows() -> Iterator[Row]:
    """Whole steps of MLPs."""
    big, tiny = (32, 784, 256, 10), (8, 16, 32, 4)
    flop = 2.0 * 32 * (2 * 784 * 256 + 3 * 256 * 10)  # x needs no gradient
    for name, bar in (("SGD", 0.65), ("Adam", 0.60)):
        yield row(
            f"MLP step 32×784×256×10, {name}",
            partial(steps.mlp, sizes=big, optimizer=name),
            partial(steps.mlp_in_jax, big, name),
            {"JAX jit": bar, "torch eager": 0.40},
            flop=flop,
        )
    yield row(
        "tiny MLP step 8×16×32×4, SGD",
        partial(steps.mlp, sizes=tiny, optimizer="SGD"),
        partial(steps.mlp_in_jax, tiny, "SGD"),
        {"JAX jit": 0.25, "torch eager": 0.07},
    )


def kernel_rows() -> Iterator[Row]:
    """Values alone."""
    for count, bar in ((2**16, 0.45), (2**22, 0.65)):
        arrays = kernels.drawn(*[(count,)] * 4)
        yield row(
            f"tanh(ab+c)·σ(d)+exp(−a²), {count:,}",
            partial(kernels.of_tensors, fn=kernels.chain, arrays=arrays),
            partial(kernels.of_jax, kernels.chain_in_jax, arrays),
            {"JAX jit": bar},
            nbytes=20.0 * count,
        )
    rows_ = kernels.drawn((4096, 1024), (1024,), (1024,))
    yield row(
        "layer norm + GELU, [4096, 1024]",
        lambda lib: kernels.of_tensors(lib, kernels.norm_and_gelu(lib), rows_),
        partial(kernels.of_jax, kernels.norm_and_gelu_in_jax, rows_),
        {"JAX jit": 0.45},
    )
    yield row(
        "softmax, [4096, 1024]",
        lambda lib: kernels.of_tensors(lib, kernels.softmax(lib), rows_[:1]),
        partial(kernels.of_jax, kernels.softmax_in_jax, rows_[:1]),
        dict.fromkeys(("JAX jit", "torch eager", "torch.compile"), 0.75),
    )


def rows_there_and_back() -> Iterator[Row]:
    """Forward and backward."""
    heads = kernels.drawn(*[(4, 4, 128, 32)] * 3)
    yield row(
        "attention B4 H4 T128 D32, there and back",
        lambda lib: kernels.and_back(lib, kernels.attention(lib), heads),
        partial(kernels.and_back_in_jax, kernels.attention_in_jax, heads),
        {"JAX jit": 0.5, "torch eager": 0.5},
    )
    tokens = steps.BATCH * steps.TIME
    yield row(
        "transformer block step, SGD",
        steps.block,
        steps.block_in_jax,
        {"JAX jit": 0.65, "torch eager": 0.5},
        flop=3 * 2.0 * tokens * steps.WIDTH * (12 * steps.WIDTH + 2 * steps.TIME),  # forward, and twice that back
    )
    images = kernels.drawn(*kernels.CONV)
    found = row(
        "conv 3×3 N16 C16 32×32, there and back",
        lambda lib: kernels.and_back(lib, kernels.conv(lib), images),
        partial(kernels.and_back_in_jax, kernels.conv_in_jax, images),
        {"JAX jit": 0.75, "torch channels-last": 1.0},
    )
    found.programs["torch channels-last"] = kernels.conv_channels_last
    yield found


def one_op() -> Row:
    """A compiled function of one op, guards and all, beside NumPy's function itself."""
    x, y = (a.astype("float32") for a in kernels.drawn((32,), (32,)))
    programs = {
        "ours": lambda: kernels.of_tensors(OURS, lambda a, b: a + b, [x, y]),
        "NumPy": lambda: lambda: np.add(x, y),
        "ours, eager": lambda: kernels.of_tensors(EAGER, lambda a, b: a + b, [x, y]),
    }
    return Row("one op on 32 floats", programs, {"NumPy": 3.5})


def main() -> Iterator[str]:
    """The table."""
    yield f"Our backend: `{BACKEND}`. GFLOP/s count products as dense: what meets a 0 may be left out.\n"
    yield HEAD
    for found in rows():
        yield from found.lines()
