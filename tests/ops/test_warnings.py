"""No warning of NumPy's reaches who computes with infinities and NaN; who asks NumPy itself is still warned."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.ops.op import OPS, Op

from . import laws, specials

LOOK = {"weights", "probabilities"}  # at the entries, and refuse special ones
SPECIAL = [*specials.NUMBERS, np.nan, 1e300, -1e300, 5e-324]


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.name not in laws.RANDOM | LOOK], ids=lambda op: op.name)
def test_no_op_warns(op: Op) -> None:
    cases = [*specials.entrywise(op, "float64")] if op.entrywise else []
    for args, params in [*cases, *specials.with_one(op, SPECIAL)]:
        live = laws.moving(op, args)
        given: list[Any] = [
            ml.tensor(a, requires_grad=i in live) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)
        ]
        with suppress(ml.errors.LinAlgError):  # a matrix that has no such factors, or no inverse
            out = op(*given, **params)
            if out.requires_grad:
                out.backward(ml.ones_like(out))


PROGRAM = """
import numpy as np
import minitorch_lab as ml

def f(x):
    return (x.log().sqrt() / 0 + (x + 800).exp()).cumsum(0) @ ml.eye(2)

for run in (f, ml.compile(f, backend="numpy"), ml.compile(f)):
    for _ in range(3):
        x = ml.tensor([0.0, -1.0], requires_grad=True)
        run(x).sum().backward()
step = ml.optim.Adam([x])
step.step()
x.var(), x.std(), x.mean(), x.norm(), x.softmax(0), repr(x / 0), ml.linalg.det(ml.full((3, 3), np.inf))
print("quiet")
np.log(0.0)
"""


def test_the_package_is_silent_where_all_warnings_are_errors_and_its_user_is_not() -> None:
    ran = subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert ran.stdout == "quiet\n", ran.stderr
    assert "RuntimeWarning: divide by zero encountered in log" in ran.stderr
    assert "np.log(0.0)" in ran.stderr or 'File "<string>"' in ran.stderr
