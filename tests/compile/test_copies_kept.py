"""What the backward pass keeps as a copy is one: what the caller does to the source in between changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml

COPIES: dict[str, Callable[[Any], Any]] = {
    "clone": lambda q: q.clone(),
    "clone of a view": lambda q: q.view(3, 1).T.clone()[0],
    "detached": lambda q: q.detach().clone(),
    "quotient": lambda q: q / 1,
    "power": lambda q: q.pow(1),
    "choice": lambda q: ml.where(q > 0, q, q),
    "maximum": lambda q: ml.maximum(q, q),
    "cat": lambda q: ml.cat([q]),
    "stack": lambda q: ml.stack([q])[0],
    "repeat": lambda q: q.repeat(1),
    "expanded": lambda q: q.unsqueeze(0).expand(1, 3).clone(),
    "cast there and back": lambda q: q.float().double(),
}
WRITES: dict[str, Callable[[Any], Any]] = {
    "op": lambda q: q.mul_(2),
    "uncounted": lambda q: q.data.mul_(2),
    "entry": lambda q: q.__setitem__(0, 5.0),
}


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("copy", COPIES)
def test_a_write_after_the_call(copy: str, write: str, backend: str) -> None:
    f = ml.compile(lambda w, q: (w.sin() * COPIES[copy](q)).sum(), backend=backend)
    for k in range(1, 4):
        w = ml.tensor([0.0, 0.0, 0.0], dtype=ml.float64, requires_grad=True)
        q = ml.full((3,), float(k), dtype=ml.float64)
        y = f(w, q)
        WRITES[write](q)
        y.backward()
        assert w.grad is not None
        assert w.grad.tolist() == [k] * 3
