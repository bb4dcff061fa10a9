"""The laws of element types, run over the registry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minitorch_lab.errors import DTypeError
from minitorch_lab.ops.op import OPS, Op

from . import laws, widths

SAMPLES = [
    pytest.param(op, args, params, id=f"{op.name}-{k}")
    for op in list(OPS.values())
    if op.name not in laws.RANDOM
    for k, (args, params) in enumerate(op.samples(np.random.default_rng(0)))
    if args
]
NARROW = [case for case in SAMPLES if case.values[0].name not in widths.NO_NARROW]
MOVES = [case for case in NARROW if laws.moving(case.values[0], laws.inputs(case.values[1]))]


@pytest.mark.parametrize("dtype", widths.NARROW)
@pytest.mark.parametrize(("op", "args", "params"), NARROW)
def test_two_bytes_are_rounded_once(op: Op, args: Any, params: dict[str, Any], dtype: str) -> None:
    widths.rounds_once(op, list(args), params, dtype)


@pytest.mark.parametrize("dtype", widths.NARROW)
@pytest.mark.parametrize(("op", "args", "params"), MOVES)
def test_second_derivatives_and_tangents_of_two_bytes(op: Op, args: Any, params: dict[str, Any], dtype: str) -> None:
    widths.rounds_twice(op, list(args), params, dtype)


@pytest.mark.parametrize("dtype", widths.NARROW)
@pytest.mark.parametrize("name", sorted(widths.NO_NARROW))
def test_factorizations_refuse_two_bytes(name: str, dtype: str) -> None:
    args, params = OPS[name].samples(np.random.default_rng(0))[0]
    with pytest.raises(DTypeError, match=f"got a matrix of dtype {dtype}"):
        laws.value(OPS[name], laws.inputs(args, dtype), params)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("dtype", widths.WHOLE)
@pytest.mark.parametrize(("op", "args", "params"), SAMPLES)
def test_whole_numbers(op: Op, args: Any, params: dict[str, Any], dtype: str) -> None:
    if widths.refused(op, args, params, dtype):
        with pytest.raises(DTypeError):
            widths.counts(op, args, params, dtype)
    else:
        widths.counts(op, args, params, dtype)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_what_refuses_whole_numbers_is_what_has_no_whole_result() -> None:
    refusing = {case.values[0].name for case in SAMPLES if widths.only_floats(*case.values)}
    assert {"mean", "var", "standardize", "cross_entropy"} <= refusing
    assert not refusing & {"add", "mul", "div", "exp", "sum", "matmul", "getitem", "where", "argsort", "softmax"}
