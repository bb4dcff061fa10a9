"""The generated functions are within 4 units in the last place of the true values, over the whole of float32.

One number of each thousand is tried here, on every target; `make ulps` tries all.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets.llvm import values
from tests.compile.test_llvm_backend import SPECIAL, pure, same, skip_unless_runnable
from tests.compile.ulps import TRUE, worst

BOUND = {"exp": 1, "log": 1, "log1p": 2, "expm1": 2, "tanh": 3, "erf": 2, "sigmoid": 3, "sqrt": 0}  # what we state: 4
TARGETS = ["host", "generic", "avx2"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", TRUE)
def test_functions_are_within_their_bounds(name: str, target: str) -> None:
    skip_unless_runnable(target)
    far, where = worst(name, 1021, target)
    assert far <= BOUND[name] <= 4, f"{name}({where}) is {far} units off"


# ---- what is never above 0 needs no upper bound in exp --------------------------------------------------------------
RISING = np.concatenate([SPECIAL, np.linspace(-120, 120, 300, dtype="float32")])
NEVER_POSITIVE: dict[str, Any] = {
    "minus a square": lambda x: (-x * x).exp(),
    "a square, minus": lambda x: (x * -x * 0.5 / 3.0).exp(),
    "minus a size": lambda x: (-x.abs()).exp() + (-(x.relu() * 2.0)).exp(),
    "less the largest": lambda x: (x - x.amax(-1, keepdim=True)).exp(),
}
ANY: dict[str, Any] = {
    "a square": lambda x: (x * x).exp(),
    "minus a cube": lambda x: (-x * x * x).exp(),
    "minus twice": lambda x: (-x * -x).exp(),
    "divided": lambda x: (-(x.abs() / x)).exp(),
    "less the smallest": lambda x: (x - x.amin(-1, keepdim=True)).exp(),
    "less another one's largest": lambda x: (x - x.neg().amax(-1, keepdim=True)).exp(),
    "less the largest of some": lambda x: (x - x[:, :4].amax(-1, keepdim=True)).exp(),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [*NEVER_POSITIVE, *ANY])
def test_exp_without_an_upper_bound(name: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    skip_unless_runnable(target)
    found = list[bool]()
    known = values.never_positive
    monkeypatch.setattr(values, "never_positive", lambda *given: found.append(known(*given)) or found[-1])
    finite = RISING[np.isfinite(RISING)]
    for rows in (RISING[None], finite[None], np.stack([finite, finite[::-1]])):
        with np.errstate(all="ignore"):
            same(pure((NEVER_POSITIVE | ANY)[name], ml.tensor(rows)), [rows], target)
    assert set(found) == {name in NEVER_POSITIVE}
