"""The generated functions are within 4 units in the last place of the true values, over the whole of float32.

One number of each thousand is tried here, on every target; `make ulps` tries all.
"""

from __future__ import annotations

import pytest

from tests.compile.test_llvm_backend import skip_unless_runnable
from tests.compile.ulps import TRUE, worst

BOUND = {"exp": 1, "log": 1, "log1p": 2, "expm1": 2, "tanh": 3, "erf": 2, "sigmoid": 3, "sqrt": 0}  # what we state: 4


@pytest.mark.parametrize("target", ["host", "generic", "avx2"])
@pytest.mark.parametrize("name", TRUE)
def test_functions_are_within_their_bounds(name: str, target: str) -> None:
    skip_unless_runnable(target)
    far, where = worst(name, 1021, target)
    assert far <= BOUND[name] <= 4, f"{name}({where}) is {far} units off"
