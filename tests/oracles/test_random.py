"""Keys and bits are JAX's: the same cipher, split and fold_in, to the last bit."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.ops.threefry import joined

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("seed", [0, 42, 2**31 + 5])
def test_keys(seed: int) -> None:
    ours, theirs = ml.Generator(seed), jax.random.key(np.uint32(seed))
    assert list(ours.key) == jax.random.key_data(theirs).tolist()
    assert [list(g.key) for g in ours.split(5)] == jax.random.key_data(jax.random.split(theirs, 5)).tolist()
    for data in (0, 7, 2**32 - 1):
        assert list(ours.fold_in(data).key) == jax.random.key_data(jax.random.fold_in(theirs, data)).tolist()


def test_bits() -> None:
    with jax.enable_x64(True):
        theirs = np.asarray(jax.random.bits(jax.random.key(3), (5, 7), "uint64"))
    np.testing.assert_array_equal(joined(*ml.Generator(3).words((5, 7))), theirs)
