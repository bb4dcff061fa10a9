"""Random programs of views, in-place writes, no_grad and detach: our values, gradients and refusals are PyTorch's."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

A = np.random.default_rng(0).normal(size=(2, 3, 4))
PROGRAMS = 2000


def step(r: random.Random, pool: list[Any], lib: Any) -> None:  # one random statement
    x, k = r.choice(pool), r.randrange(16)
    y = r.choice([p for p in pool if p.shape == x.shape])
    n = len(x.shape)
    if k == 0:
        pool.append(x * y)
    elif k == 1:
        pool.append((x * 0.3).tanh())
    elif k == 2 and n and x.shape[0] > 1:
        pool.append(x[1:])
    elif k == 3 and n == 2:
        pool.append(x.permute(1, 0))
    elif k == 4 and n and x.shape[0]:
        pool.append(x[r.randrange(x.shape[0])])
    elif k == 5 and n == 2:
        pool.append(x.reshape(x.shape[0] * x.shape[1]))
    elif k == 6:
        x.mul_(y)
    elif k == 7:
        x.add_(y)
    elif k == 8 and n and x.shape[0]:
        i = r.randrange(x.shape[0])
        x[i] = y[i] * 2.0
    elif k == 9:
        x.relu_()
    elif k == 10:
        with lib.no_grad():
            x.mul_(0.5)
    elif k == 11:
        pool.append(x.detach() if r.random() < 0.5 else x.exp() * 0.1)
    elif k == 12 and n:
        pool.append(x.unsqueeze(r.randrange(n + 1)).squeeze())
    elif k == 13 and n:
        pool.append(x.sum(0))
    elif k == 14 and n == 2:
        x[:, r.randrange(x.shape[1])] = 0.25
    elif k == 15:
        x.copy_(y * 0.5)


def program(seed: int, leaves: list[Any], lib: Any, step: Any = step) -> Any:
    """A few random statements, each made by `step`, and a sum that depends on all that they left."""
    r = random.Random(seed)
    pool = [leaf * 1.0 for leaf in leaves]
    for _ in range(r.randint(3, 12)):
        step(r, pool, lib)
    total = (pool[0] * pool[0]).sum()
    for p in pool[1:]:
        total = total + (p * p).sum()
    return total


def attempt(seed: int, leaves: list[Any], lib: Any, step: Any = step) -> Any:
    try:
        total = program(seed, leaves, lib, step)
        total.backward()
    except (RuntimeError, ValueError) as error:
        return type(error)
    return total.item(), [np.zeros(leaf.shape) if leaf.grad is None else np.array(leaf.grad.numpy()) for leaf in leaves]


def compare(block: int, programs: int, step: Any) -> None:
    """One tenth of the programs, beside PyTorch."""
    size = programs // 10
    agreed = 0
    for seed in range(block * size, (block + 1) * size):
        ours = attempt(seed, [ml.tensor(a, requires_grad=True) for a in A], ml, step)
        other = attempt(seed, [torch.tensor(a, requires_grad=True) for a in A], torch, step)
        if isinstance(other, type) or isinstance(ours, type):
            assert isinstance(other, type) == isinstance(ours, type), f"seed {seed}: ours {ours}, torch {other}"
            continue
        agreed += 1
        np.testing.assert_allclose(ours[0], other[0], rtol=1e-9, err_msg=f"seed {seed}")
        for a, b in zip(ours[1], other[1], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9, err_msg=f"seed {seed}")
    assert agreed > size // 10  # most programs write over something that is still needed; enough do not


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", range(10))
def test_random_programs(block: int) -> None:
    compare(block, PROGRAMS, step)
