"""Random programs of more kinds of views and writes than `test_fuzz` has, against PyTorch; here eager execution only.

Strided and unfolded views, writes by masks and by index arrays, through `detach()` and `.data`, and of views that were
made under `no_grad()`. What two entries share may not be written: PyTorch refuses some of that and leaves the rest
undefined.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from minitorch_lab.core.array import overlaps
from tests.oracles.test_fuzz import compare

pytestmark = pytest.mark.oracle

PROGRAMS = 2000


def step(r: random.Random, pool: list[Any], lib: Any) -> None:  # one random statement
    x, k = r.choice(pool), r.randrange(29)
    y = r.choice([p for p in pool if p.shape == x.shape])
    n = len(x.shape)
    if overlaps(x.shape, x.stride()) and not 8 <= k < 14:
        return  # PyTorch refuses only some writes there, and leaves undefined what the others do; we refuse all
    if k < 8:
        made = view(r, x, k)
        if made is not None:
            pool.append(made)
    elif k < 14:
        pool.append(value(r, x, y, k, lib))
    elif k < 26:
        write(r, x, y, k, lib)
    elif k == 26:
        with lib.no_grad():
            x.mul_(0.5)
    elif k == 27:
        pool.append(x.detach())
    elif k == 28 and n:
        with lib.no_grad():
            made = x[-1:]
            if r.random() < 0.5:
                made.mul_(0.5)
        if r.random() < 0.5:
            made.mul_(0.5)


def view(r: random.Random, x: Any, k: int) -> Any:
    n = len(x.shape)
    if k == 0 and n and x.shape[0] > 1:
        return x[1:]
    if k == 1 and n == 2:
        return x.permute(1, 0)
    if k == 2 and n and x.shape[0]:
        return x[r.randrange(x.shape[0])]
    if k == 3 and n:
        return x.unsqueeze(r.randrange(n + 1)).squeeze()
    if k == 4 and n and x.shape[-1] > 1:
        return x.unfold(n - 1, 2, r.choice([1, 2]))
    if k == 5:
        return x.as_strided((r.randint(1, 3),), (r.randint(1, 3),), x.storage_offset() + r.randint(0, 2))
    if k == 6:
        return x.as_strided((2, r.randint(1, 2)), (r.randint(1, 2), 2), r.randint(0, 3))
    return x.reshape(-1) if k == 7 and n > 1 else None


def value(r: random.Random, x: Any, y: Any, k: int, lib: Any) -> Any:
    if k == 8:
        return x * y
    if k == 9:
        return (x * 0.3).tanh()
    if k == 10:
        return x.exp() * 0.1
    if k == 11 and len(x.shape):
        return x.sum(r.randrange(len(x.shape)))
    if k == 12 and len(x.shape):
        return x.index_put((lib.tensor([0, x.shape[0] - 1, 0]),), x[:1] * 2.0, accumulate=True)
    return lib.where(x > y, x, y * 0.5)


def write(r: random.Random, x: Any, y: Any, k: int, lib: Any) -> None:
    n, filled = len(x.shape), bool(len(x.shape) and x.shape[0])
    if k == 14:
        x.mul_(y)
    elif k == 15:
        x.add_(y)
    elif k == 16 and filled:
        i = r.randrange(x.shape[0])
        x[i] = y[i] * 2.0
    elif k == 17:
        x.relu_()
    elif k == 18 and n == 2:
        x[:, r.randrange(x.shape[1])] = 0.25
    elif k == 19:
        x.copy_(y * 0.5)
    elif k == 20 and n:
        x[x > 0.3] = 0.3
    elif k == 21 and filled:
        x[[0, -1]] = y[:1] * 0.5
    elif k == 22 and filled:
        x.index_put_((lib.tensor([0, 0]),), y[:1] * 1.0, accumulate=True)
    elif k == 23:
        x.detach().mul_(0.9)
    elif k == 24 and n:
        x.data.mul_(0.9)
    elif k == 25 and filled:
        x[0].add_(y[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("block", range(10))
def test_random_programs(block: int) -> None:
    compare(block, PROGRAMS, step)
