"""PyTorch's own list of ops: every op whose name exists here, with PyTorch's samples, in every form that exists.

Values, dtypes, shapes, shared memory, and in float64 gradients and second gradients. What is found of each op stands in
`opinfo/record.json`, number by number: a test fails when it grows, and when it shrinks, so that the record follows
(`python -m tests.oracles.opinfo --write`). What the numbers may be at most stands here.
"""

from __future__ import annotations

from typing import Any

import pytest

from .opinfo.argued import DIFFERS, REFUSES
from .opinfo.forms import every_op
from .opinfo.measure import measure
from .opinfo.record import as_record, load, sums

pytestmark = pytest.mark.oracle
OPS, RECORD = every_op(), load()
MISSING = "argument "  # how a cause begins that is an argument which the function does not have yet


@pytest.mark.parametrize("name", OPS)
def test_an_op_does_what_pytorch_says(name: str) -> None:
    row = measure(OPS[name])
    again = f"python -m tests.oracles.opinfo --write {name!r}"
    assert as_record(row) == RECORD.get(name), "\n".join([*row.notes, f"If it is better than before: {again}"])


def test_the_record_knows_every_op() -> None:
    assert set(RECORD) == set(OPS)


def rows_with(kind: str, holds: Any) -> dict[str, set[str]]:
    """The ops that have findings of a kind, with the causes."""
    found = {name: {cause for cause in row.get(kind, {}) if holds(cause)} for name, row in RECORD.items()}
    return {name: causes for name, causes in found.items() if causes}


def test_every_difference_is_argued() -> None:
    differing = rows_with("differing", lambda cause: True)
    assert set(differing) == set(DIFFERS)
    in_float64 = {cause for causes in differing.values() for cause in causes if cause.startswith("float64")}
    assert in_float64 <= {"float64 requires_grad"}


def test_few_calls_raise_for_another_cause_than_a_missing_argument() -> None:
    total = sums(RECORD)
    other = {cause: count for cause, count in total["raising"].items() if not cause.startswith(MISSING)}
    assert sum(other.values()) <= 0.013 * total["calls"], other
    assert set(rows_with("raising", lambda cause: not cause.startswith(MISSING))) == set(REFUSES)


def test_what_pytorch_refuses_is_refused_with_its_reason() -> None:
    refused, of = sums(RECORD)["refused"]
    assert refused >= 0.95 * of
