"""einops on our tensors: the examples of its tutorials give the values that they give on NumPy, and right slopes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import einops
import numpy as np
import pytest
from einops import einsum, pack, parse_shape, rearrange, reduce, repeat, unpack

import minitorch_lab as ml

IMAGES = np.random.default_rng(0).normal(size=(6, 4, 8, 3))
EXAMPLES: dict[str, Callable[[Any], Any]] = {
    "transpose": lambda x: rearrange(x, "b h w c -> b w h c"),
    "batch into height": lambda x: rearrange(x, "b h w c -> (b h) w c"),
    "batch into width": lambda x: rearrange(x, "b h w c -> h (b w) c"),
    "flatten": lambda x: rearrange(x, "b h w c -> (b h w c)"),
    "split the batch": lambda x: rearrange(x, "(b1 b2) h w c -> (b1 h) (b2 w) c", b1=2),
    "space to depth": lambda x: rearrange(x, "b (h h1) (w w1) c -> b h w (c h1 w1)", h1=2, w1=2),
    "a list": lambda x: rearrange([x[i] for i in range(6)], "b h w c -> h w c b"),
    "a new axis": lambda x: rearrange(x, "b h w c -> b 1 h w 1 c"),
    "mean over the batch": lambda x: reduce(x, "b h w c -> h w c", "mean"),
    "mean pooling": lambda x: reduce(x, "b (h h2) (w w2) c -> h (b w) c", "mean", h2=2, w2=2),
    "max pooling": lambda x: reduce(x, "b (h 2) (w 2) c -> b h w c", "max"),
    "smallest": lambda x: reduce(x, "b h w c -> b () () c", "min"),
    "sum": lambda x: reduce(x, "... c -> c", "sum"),
    "a function": lambda x: reduce(x, "b h w c -> b c", lambda t, axes: t.sum(axes)),
    "centred": lambda x: x - reduce(x, "b h w c -> 1 1 1 c", "mean"),
    "repeat along a new axis": lambda x: repeat(x, "b h w c -> b h new w c", new=2),
    "upsample": lambda x: repeat(x, "b h w c -> b (h 2) (w 2) c"),
    "einsum": lambda x: einsum(x, x, "b h w c, b h w d -> b c d"),
    "pack": lambda x: pack([x, x[:, 0]], "b * c")[0],
    "unpack": lambda x: unpack(x, [[1], [3]], "b * w c")[1],
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_gives_the_values_of_numpy_and_the_right_slope(example: Callable[[Any], Any]) -> None:
    x = ml.tensor(IMAGES, requires_grad=True)
    out, want = example(x), example(IMAGES)
    np.testing.assert_allclose(out.detach().numpy(), want, rtol=1e-12)
    u, t = np.random.default_rng(1).normal(size=want.shape), np.random.default_rng(2).normal(size=IMAGES.shape)
    out.backward(ml.tensor(u))
    assert x.grad is not None
    up, down = (example(IMAGES + step * t) for step in (1e-6, -1e-6))
    slope = float(((up - down) / 2e-6 * u).sum())
    np.testing.assert_allclose(float((x.grad.numpy() * t).sum()), slope, rtol=1e-6, atol=1e-7)


def test_views_stay_views() -> None:
    x = ml.zeros(2, 3)
    rearrange(x, "a b -> b a").add_(1.0)
    assert x.sum().item() == 6.0


def test_shapes_are_parsed_and_wrong_ones_explained_by_einops() -> None:
    assert parse_shape(ml.ones(2, 3), "a _") == {"a": 2}
    with pytest.raises(einops.EinopsError, match="Error while processing rearrange-reduction pattern"):
        rearrange(ml.ones(2, 3), "a b c -> c b a")


@pytest.mark.parametrize("first", ["einops", "minitorch_lab"])
def test_either_may_be_imported_first_and_neither_imports_the_other(first: str) -> None:
    program = f"""
import sys, {first}
assert not {{"einops", "minitorch_lab"}} <= set(sys.modules)
import einops, minitorch_lab as ml
assert einops.rearrange(ml.ones(2, 3), "a b -> b a").shape == (3, 2)
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, timeout=120)
