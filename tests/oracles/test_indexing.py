"""Numbers, slices and index arrays together, against PyTorch: read and written, and one by one under vmap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

A, I = np.arange(24.0).reshape(2, 3, 4), np.array([1, 0, 1])  # noqa: E741
ALL = slice(None)
INDICES: dict[str, Any] = {
    "0, :, i": lambda i: (0, ALL, i),
    "i, :, 0": lambda i: (i, ALL, 0),
    ":, i": lambda i: (ALL, i),
    "i, 0": lambda i: (i, 0),
    "i, 0, i": lambda i: (i, 0, i),
    "i, :, i": lambda i: (i, ALL, i),
    "0, :, None, i": lambda i: (0, ALL, None, i),
    "..., 0, i": lambda i: (..., 0, i),
    "0, ..., i": lambda i: (0, ..., i),
    "1:, i": lambda i: (slice(1, None), i),
}


def theirs(array: Any, index: Any, i: Any) -> Any:
    return torch.tensor(array)[index(torch.tensor(i))].numpy()


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_read_and_written(index: Any) -> None:
    want = theirs(A, index, I)
    ours, other = ml.tensor(A), torch.tensor(A)
    np.testing.assert_array_equal(ours[index(ml.tensor(I))].numpy(), want)
    new = -np.arange(float(want.size)).reshape(want.shape)
    ours[index(ml.tensor(I))] = ml.tensor(new)
    other[index(torch.tensor(I))] = torch.tensor(new)
    np.testing.assert_array_equal(ours.numpy(), other.numpy())


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_one_by_one_under_vmap(index: Any) -> None:
    x, i, both, places = ml.tensor(A), ml.tensor(I), np.stack([A, -A]), np.stack([I, 1 - I])
    vmap = ml.func.vmap
    by_place = [theirs(A, index, p) for p in places]
    np.testing.assert_array_equal(vmap(lambda j: x[index(j)])(ml.tensor(places)).numpy(), by_place)
    by_tensor = [theirs(a, index, I) for a in both]
    np.testing.assert_array_equal(vmap(lambda y: y[index(i)])(ml.tensor(both)).numpy(), by_tensor)
    by_both = [theirs(a, index, p) for a, p in zip(both, places, strict=True)]
    np.testing.assert_array_equal(vmap(lambda y, j: y[index(j)])(ml.tensor(both), ml.tensor(places)).numpy(), by_both)


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_written_one_by_one_under_vmap(index: Any) -> None:
    both, places = np.stack([A, -A]), np.stack([I, 1 - I])
    news = [-np.arange(float(w.size)).reshape(w.shape) for w in [theirs(A, index, I)] * 2]

    def write(y: Any, j: Any, new: Any) -> Any:
        y = y.clone()
        y[index(j)] = new
        return y

    def want(k: int, new: Any) -> Any:
        out = torch.tensor(both[k])
        out[index(torch.tensor(places[k]))] = torch.tensor(new)
        return out.numpy()

    args = ml.tensor(both), ml.tensor(places)
    got = ml.func.vmap(write)(*args, ml.tensor(np.stack([news[0], 2 * news[1]])))
    np.testing.assert_array_equal(got.numpy(), [want(0, news[0]), want(1, 2 * news[1])])
    shared = ml.func.vmap(write, (0, 0, None))(*args, ml.tensor(news[0]))
    np.testing.assert_array_equal(shared.numpy(), [want(0, news[0]), want(1, news[0])])
