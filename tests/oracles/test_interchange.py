"""The memory that PyTorch and JAX share with us, by DLPack and by NumPy; einops on both sides."""

from __future__ import annotations

from typing import Any

import einops
import jax.numpy as jnp
import numpy as np
import pytest
import torch

import minitorch_lab as ml
from minitorch_lab.errors import DTypeError, ShapeError

pytestmark = pytest.mark.oracle


def test_pytorch_and_we_look_at_one_memory() -> None:
    theirs = torch.arange(6.0).reshape(2, 3).t()
    ours = ml.from_dlpack(theirs)
    assert (ours.stride(), ours.shape) == (theirs.stride(), tuple(theirs.shape))
    ours[0, 1] = 70.0
    theirs[2, 1] = 50.0
    assert ours.tolist() == theirs.tolist() == [[0.0, 70.0], [1.0, 4.0], [2.0, 50.0]]
    back = torch.from_dlpack(ml.ones(2, 3).t())
    assert back.stride() == (1, 3)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
def test_every_dtype_crosses(dtype: str) -> None:
    ours = ml.ones(3, dtype=dtype)
    assert ml.from_dlpack(torch.from_dlpack(ours)).tolist() == ours.tolist()
    assert torch.from_dlpack(ours).dtype == getattr(torch, dtype)


def test_what_numpy_cannot_name_is_refused() -> None:
    with pytest.raises(DTypeError, match="no such element type"):
        ml.from_dlpack(torch.ones(2, dtype=torch.bfloat16))


def test_a_jax_array_can_be_read_and_not_written() -> None:
    theirs = jnp.arange(3.0)
    ours = ml.from_dlpack(theirs)
    assert (ours * 2.0).tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(ShapeError, match="lent for reading only"):
        ours.add_(1.0)
    assert jnp.from_dlpack(ml.ones(2)).tolist() == [1.0, 1.0]


def test_an_array_keeps_the_strides_that_pytorch_gives_it() -> None:
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    for name in ("tensor", "from_numpy", "as_tensor"):
        assert getattr(ml, name)(a).stride() == getattr(torch, name)(a).stride()


EINOPS: dict[str, Any] = {
    "rearrange": lambda x: einops.rearrange(x, "b (h h1) w -> (b h) w h1", h1=2),
    "max": lambda x: einops.reduce(x, "b (h 2) w -> b w", "max"),
    "mean": lambda x: einops.reduce(x, "b h w -> h", "mean"),
    "repeat": lambda x: einops.repeat(x, "b h w -> b h (w k)", k=3),
    "einsum": lambda x: einops.einsum(x, x, "b h w, c h w -> b c"),
}


@pytest.mark.parametrize("example", EINOPS.values(), ids=EINOPS)
def test_einops_gives_the_values_and_gradients_that_it_gives_on_pytorch(example: Any) -> None:
    a = np.random.default_rng(0).normal(size=(2, 4, 3))
    ours, theirs = ml.tensor(a, requires_grad=True), torch.tensor(a, requires_grad=True)
    for x in (ours, theirs):
        (example(x) ** 2).sum().backward()
    np.testing.assert_allclose(example(ours).detach().numpy(), example(theirs).detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(ours.grad.numpy(), theirs.grad.numpy(), rtol=1e-12)
