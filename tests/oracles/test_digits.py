"""The digits against scikit-learn's copy, from which they were made."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits

from minitorch_lab.data import Digits

pytestmark = pytest.mark.oracle


def test_digits_are_those_of_the_source() -> None:
    source = load_digits()
    whole = np.concatenate([Digits(train=t).images.numpy() for t in (True, False)]) * 16
    assert sorted(map(tuple, whole)) == sorted(map(tuple, source.data))
