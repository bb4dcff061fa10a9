"""Draws in place follow their distributions: counts and quantiles against closed forms, within four standard errors."""

import math

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError

N = 40_000
CHANCES = {  # a draw, and at some points the probability of lying at or below
    "geometric": (lambda x: x.geometric_(0.3), {k: 1 - 0.7**k for k in (0, 1, 2, 5, 10)}),
    "cauchy": (
        lambda x: x.cauchy_(1.0, 2.0),
        {t: 0.5 + math.atan((t - 1) / 2) / math.pi for t in (-9.0, -1.0, 1.0, 3.0, 20.0)},
    ),
    "log_normal": (
        lambda x: x.log_normal_(0.5, 0.8),
        {t: 0.5 + math.erf((math.log(t) - 0.5) / 0.8 / math.sqrt(2)) / 2 for t in (0.3, 1.0, 2.0, 6.0)},
    ),
    "exponential": (lambda x: x.exponential_(2.0), {t: 1 - math.exp(-2 * t) for t in (0.1, 0.5, 2.0)}),
}


@pytest.mark.parametrize("dtype", [ml.float32, ml.float64])
@pytest.mark.parametrize("name", CHANCES)
def test_as_often_as_the_distribution_says(name, dtype):
    draw, chances = CHANCES[name]
    ml.manual_seed(0)
    x = ml.empty(N, dtype=dtype)
    assert draw(x) is x
    assert x.dtype == dtype
    for t, p in chances.items():
        assert abs((x.numpy() <= t).mean() - p) <= 4 * math.sqrt(p * (1 - p) / N)


def test_trials_are_counted_in_whole_numbers():
    x = ml.empty(1000, dtype=ml.int64).geometric_(0.9)
    assert set(np.unique(x.numpy())) >= {1, 2}
    assert x.min().item() == 1


def test_a_generator_says_what_is_drawn():
    one, two = (ml.empty(5).cauchy_(generator=ml.Generator().manual_seed(3)) for _ in range(2))
    assert one.tolist() == two.tolist()


@pytest.mark.parametrize(
    ("draw", "text"),
    [
        (lambda x: x.geometric_(1.5), "geometric_ got p=1.5.\n  The probability of a success lies between 0 and 1."),
        (lambda x: x.cauchy_(sigma=0), "cauchy_ got sigma=0.\n  A width lies above 0."),
        (lambda x: x.log_normal_(std=-1), "log_normal_ got std=-1.\n  A standard deviation lies above 0."),
    ],
)
def test_settings_without_meaning(draw, text):
    with pytest.raises(ArgumentError) as caught:
        draw(ml.empty(2))
    assert str(caught.value).startswith(text)
