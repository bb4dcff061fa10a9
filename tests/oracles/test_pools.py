"""Where the largest entries of windows stand, beside PyTorch: also where all of a window are the least there is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

LEAST = [-np.inf, -np.inf, 1.0, 2.0]


def both(call: Any) -> None:
    try:
        theirs = call(torch)
    except RuntimeError:  # no window fits
        with pytest.raises(ml.errors.ShapeError, match="does not fit"):
            call(ml)
        return
    ours = call(ml)
    assert [x.tolist() for x in ours] == [x.tolist() for x in theirs]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_places_of_windows(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(60):
        x = rng.choice(LEAST, (1, 2, *rng.integers(3, 7, n))).astype("float32")
        size, dilation, step = (int(k) for k in rng.integers((2, 1, 1), (4, 3, 4)))
        edge, ceil = int(rng.integers(0, size // 2 + 1)), bool(rng.integers(2))

        def pooled(t: Any, x: Any = x, settings: Any = (size, step, edge, dilation), ceil: bool = ceil) -> Any:
            pool = getattr(t.nn.functional, f"max_pool{n}d")
            return pool(t.tensor(x), *settings, ceil_mode=ceil, return_indices=True)

        both(pooled)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_places_of_windows_that_hold_everything(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(20):
        x, lengths = rng.choice(LEAST, (2, *rng.integers(3, 7, n))).astype("float32"), rng.integers(1, 4, n).tolist()
        both(lambda t, x=x, to=lengths: getattr(t.nn.functional, f"adaptive_max_pool{n}d")(t.tensor(x), to, True))


def test_how_often_each_place_stands() -> None:
    for call in (
        lambda t: t.repeat_interleave(t.tensor([2, 0, 1])),
        lambda t: t.tensor([4, 5]).repeat_interleave(t.tensor(3)),
        lambda t: t.ones(2, 2).repeat_interleave(t.tensor([2]), 1),
    ):
        assert call(ml).tolist() == call(torch).tolist()


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_numbers_of_numpy_with_whole_numbers(kind: str) -> None:
    number = getattr(np, kind)(1.5)
    for call in (lambda t: t.tensor([1, 2]) * number, lambda t: t.tensor([1, 2]) + number):
        assert str(call(torch).dtype) == f"torch.{call(ml).dtype}"
        assert call(ml).tolist() == call(torch).tolist()
