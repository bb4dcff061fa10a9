"""Every op against PyTorch on shapes and layouts that hypothesis chooses: values, gradients, second derivatives.

`GENERATED=500 pytest tests/oracles/test_generated.py` tries 500 examples of each op in each dtype, others each time.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitorch_lab as ml
from minitorch_lab.core.array import is_float
from minitorch_lab.ops.op import OPS, Op
from tests.ops import generated, laws, table, widths
from tests.ops.generated import laid
from tests.oracles import test_ops
from tests.oracles.test_dtypes import as_torch
from tests.oracles.test_ops import TORCH

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

EXAMPLES = int(os.environ.get("GENERATED", "0"))
CHOSEN = settings(
    max_examples=EXAMPLES or 12,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

# By how much an op's own conditioning widens the tolerance: eigenvectors of values 1 apart, twice differentiated; and a
# rule that divides its rounded result by a spread, which of two entries may be small.
CONDITION = dict.fromkeys(
    ["eigh", "svd", "qr", "cholesky", "solve", "solve_triangular", "inv", "det", "logabsdet"], 50.0
) | {"standardize": 4.0}


def near(op: Op, ours: Any, other: Any, table: dict[str, tuple[float, float]], dtype: str, times: float = 1.0) -> None:
    """Whether a result is as near to torch's as the table allows."""
    assert tuple(ours.shape) == tuple(other.shape)
    assert f"torch.{ours.dtype.name}" == str(other.dtype)
    other = other.detach()
    other = (other.double() if other.is_floating_point() else other).numpy(force=True)
    rtol, atol = (times * CONDITION.get(op.name, 1.0) * t for t in table[dtype])
    widths.close(ours.detach().value, other, (rtol, atol)) if np.size(other) else None


def pair(op: Op, args: list[Any], layouts: list[str]) -> tuple[list[Any], list[Any]]:
    """The inputs as leaves, here as they lie and in PyTorch."""
    live = laws.moving(op, args)
    ours = [ml.Tensor(laid(a, layout)) for a, layout in zip(args, layouts, strict=True)]
    for i in live:
        ours[i].requires_grad_()
    return ours, [as_torch(a).requires_grad_(i in live) for i, a in enumerate(args)]


def agree(op: Op, drawn: Any, dtype: str) -> None:
    """Values and gradients; in the wide dtypes the derivatives of the gradients as well."""
    args, params, layouts = drawn
    args = laws.inputs(tuple(args), dtype)
    ours, other = pair(op, args, layouts)
    a, b = op(*ours, **params), TORCH[op.name](*other, **params)
    table = widths.GRADIENT if dtype in widths.NARROW else widths.VALUE  # in two bytes each part of torch's rounds
    near(op, a, b, table, dtype)
    live = laws.moving(op, args)
    assert a.requires_grad == b.requires_grad == bool(live)
    if not live:
        return
    u = widths.cotangent(np.zeros(a.shape), dtype).astype(a.dtype)
    wide = dtype not in widths.NARROW
    a.backward(ml.tensor(u), create_graph=wide)
    first = torch.autograd.grad(b, [other[i] for i in live], as_torch(u), create_graph=wide)
    for i, g in zip(live, first, strict=True):
        near(op, ours[i].grad, g, widths.GRADIENT, dtype, 4.0)
    if wide:
        second(op, [ours[i] for i in live], [other[i] for i in live], first, dtype)


def second(op: Op, ours: list[Any], other: list[Any], first: Any, dtype: str) -> None:
    """The gradients of a random combination of the gradients."""
    rng = np.random.default_rng(3)
    ts = [rng.normal(size=tuple(g.shape)).astype(dtype) for g in first]
    mine = sum(((x.grad * ml.tensor(t)).sum() for x, t in zip(ours, ts, strict=True)), ml.tensor(0.0, dtype=dtype))
    total = sum(
        ((g * as_torch(t)).sum() for g, t in zip(first, ts, strict=True)), torch.zeros((), dtype=first[0].dtype)
    )
    for x in ours:
        x.grad = None
    if mine.requires_grad:
        mine.backward()
    found = torch.autograd.grad(total, other, allow_unused=True) if total.requires_grad else [None] * len(ours)
    for x, y, g in zip(ours, other, found, strict=True):
        want = torch.zeros_like(y) if g is None else g
        near(op, ml.zeros_like(x.detach()) if x.grad is None else x.grad, want, widths.GRADIENT, dtype, 16.0)


def computing(dtype: str) -> list[Op]:
    """The ops that compute in this dtype."""
    return [op for op in generated.COVERED if not (dtype in widths.NARROW and op.name in widths.NO_NARROW)]


@pytest.mark.family(2)
@pytest.mark.parametrize(
    ("op", "dtype"),
    [pytest.param(op, dtype, id=f"{op.name}-{dtype}") for dtype in widths.FLOATS for op in computing(dtype)],
)
def test_generated_shapes(op: Op, dtype: str) -> None:
    @CHOSEN
    @given(generated.drawn(op))
    def holds(drawn: Any) -> None:
        agree(op, drawn, dtype)

    holds()


@pytest.mark.parametrize(
    "op",
    [op for op in generated.COVERED if op.name not in widths.NO_WHOLE | widths.NO_KERNEL],
    ids=lambda op: op.name,
)
def test_generated_whole_numbers(op: Op) -> None:
    @CHOSEN
    @given(generated.drawn(op), st.sampled_from(widths.WHOLE))
    def holds(drawn: Any, dtype: str) -> None:
        args, params, layouts = drawn
        given, fixed = widths.whole_samples(op, args, params, dtype)
        if widths.refused(op, args, params, dtype) or (dtype == "bool" and op.name in widths.NO_BOOL_KERNEL):
            return
        ours = [ml.Tensor(laid(np.asarray(a), layout)) for a, layout in zip(given, layouts, strict=True)]
        a, b = op(*ours, **fixed), TORCH[op.name](*map(as_torch, map(np.asarray, given)), **fixed)
        b = b.bool() if op.name in ("any", "all") else b  # which PyTorch answers in uint8 for uint8, and for that alone
        assert tuple(a.shape) == tuple(b.shape)
        assert f"torch.{a.dtype.name}" == str(b.dtype)
        widths.close(a.value, (b.double() if is_float(a.dtype) else b).numpy(), (1e-6, 0.0))

    holds()


def test_every_op_is_covered_or_has_its_reason() -> None:
    assert {op.name for op in generated.COVERED} | set(generated.SKIPPED) == set(OPS)
    assert all(generated.family(op) for op in generated.COVERED)


def test_the_table_of_the_book_counts_what_runs_here() -> None:
    assert table.run_by(test_ops.test_value_gradient_and_second_derivative) == table.sampled()
    run = {param.values[0].name for param in test_generated_shapes.pytestmark[0].args[1]}
    assert run == {op.name for op in generated.COVERED}
