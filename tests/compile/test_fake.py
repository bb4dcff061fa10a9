"""What is foretold of an op without running it, against what running it gives: for every op of the registry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.fake import facts_of, foretold, in_row_order, row_order
from minitorch_lab.core.array import is_number
from minitorch_lab.ops.op import OPS, Op

LAYOUTS = {
    "row order": np.ascontiguousarray,
    "column order": np.asfortranarray,
    "gaps": lambda a: np.repeat(a, 2, -1)[..., ::2] if a.ndim else a,
}


def laid(a: Any, layout: str) -> Any:
    """A sample's input as a tensor that lies in memory as `layout` says."""
    if is_number(a):
        return a
    array = np.asarray(a)
    x = ml.tensor(array)
    x.value = LAYOUTS[layout](array) if array.ndim else x.value
    return x


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_facts_are_foretold(op: Op, layout: str) -> None:
    for args, params in op.samples(np.random.default_rng(0)):
        inputs = tuple(laid(a, layout) for a in args)
        out = op(*inputs, **params)
        facts = foretold(op, tuple(a if is_number(a) else facts_of(a) for a in inputs), params)
        assert (facts.shape, facts.dtype, facts.device) == (out.shape, out.dtype, out.device)
        if facts.strides is not None and out.numel():
            seen = [s for n, s in zip(out.shape, out.value.strides, strict=True) if n > 1]
            assert seen == [s for n, s in zip(facts.shape, facts.strides, strict=True) if n > 1]
        elif op.put is None:
            assert layout != "row order" or not out.numel()  # only a strange order may leave it open


def test_strides_in_row_order_are_what_numpy_allocates() -> None:
    for shape in [(), (3,), (2, 3, 4), (1, 0, 5)]:
        assert row_order(shape, 8) == np.empty(shape, "float64").strides or 0 in shape
    assert not in_row_order(facts_of(ml.tensor(np.zeros((2, 3))).T))
