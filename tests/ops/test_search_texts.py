"""Search, counting and random numbers: what a wrong call is told, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import errors

CASES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "diff": (
        lambda: ml.zeros(()).diff(),
        errors.ShapeError,
        """\
diff got a 0-d tensor.
  A single number has no neighbour.
  Did you mean x.reshape(1)?""",
    ),
    "diff, backwards": (
        lambda: ml.zeros(2).diff(-1),
        errors.ArgumentError,
        """\
diff got n=-1.
  Differences are taken 0 times or more.
  Did you mean n=1?""",
    ),
    "remainder": (
        lambda: ml.tensor([1]) % 0,
        errors.ArgumentError,
        """\
remainder of whole numbers got a divisor 0.
  Whole numbers have neither infinity nor NaN, so there is no answer.
  Did you mean x.float()? Or ml.where(y == 0, 1, y).""",
    ),
    "masked_fill": (
        lambda: ml.zeros(2).masked_fill(ml.zeros(2), 1),
        errors.DTypeError,
        """\
masked_fill got a mask of dtype float32.
  A mask holds truth values.
  Did you mean mask.bool()?""",
    ),
    "nonzero under vmap": (
        lambda: ml.func.vmap(lambda x: x.nonzero())(ml.ones(2, 3)),
        errors.ArgumentError,
        """\
nonzero inside vmap.
  The shape of its result depends on the entries, so the examples would not fit together.
  Did you mean ml.where(condition, a, b)? It keeps the shape.""",
    ),
    "bincount": (
        lambda: ml.tensor([1.0]).bincount(),
        errors.DTypeError,
        """\
bincount got a tensor of dtype float32 that starts with [1.0].
  It counts whole numbers from 0 up.
  Did you mean ml.histc(x, bins)? It counts floats.""",
    ),
    "bincount, a matrix": (
        lambda: ml.tensor([[1]]).bincount(),
        errors.ShapeError,
        """\
bincount got a tensor of shape (1, 1).
  It counts the entries of one vector, and each has one weight.
  Did you mean x.flatten()?""",
    ),
    "histc": (
        lambda: ml.histc(ml.zeros(2), 0),
        errors.ArgumentError,
        """\
histc got bins=0, min=0 and max=0.
  There is at least one step, from min up to max.""",
    ),
    "searchsorted": (
        lambda: ml.searchsorted(ml.zeros(2, 3), ml.zeros(3, 1)),
        errors.ShapeError,
        """\
searchsorted got boundaries of shape (2, 3) and values of shape (3, 1).
  The boundaries are one sorted vector, or one for each row of the values.
  Compare all lengths but the last.""",
    ),
    "kthvalue": (
        lambda: ml.zeros(3).kthvalue(5),
        errors.ArgumentError,
        """\
kthvalue got k=5 for an axis of length 3.
  k counts from 1 to the length of the axis.
  Did you mean k=3?""",
    ),
    "a seed": (
        lambda: ml.manual_seed("a"),
        errors.ArgumentError,
        """\
manual_seed got 'a'.
  Seeds, keys and counters are whole numbers.
  Did you mean manual_seed(0)?""",
    ),
    "a state": (
        lambda: ml.Generator(0).set_state({}),
        errors.ArgumentError,
        """\
set_state got {}.
  A state is what get_state() gave: {"key": [two words], "counter": n}, whole numbers from 0 up.
  Did you mean manual_seed(seed)?""",
    ),
    "vmap, random": (
        lambda: ml.func.vmap(lambda x: x + ml.rand())(ml.ones(2)),
        errors.ArgumentError,
        """\
Random numbers (uniform) inside vmap.
  It is not said whether all examples get the same numbers.
  Did you mean vmap(f, randomness="different"), or "same"? Or draw them outside and pass them in.""",
    ),
    "vmap, randomness": (
        lambda: ml.func.vmap(lambda x: x, randomness="some"),
        errors.ArgumentError,
        """\
vmap got randomness='some'.
  It is "error", "different" or "same".
  Did you mean randomness="different"?""",
    ),
    "normal": (
        lambda: ml.normal(0.0, 1.0),
        errors.ArgumentError,
        """\
normal got mean=0.0 and std=1.0, and no size.
  The shape comes from the mean, from the spread or from size.
  Did you mean size=(3,)?""",
    ),
    "multinomial": (
        lambda: ml.multinomial(ml.ones(3), 5),
        errors.ArgumentError,
        """\
multinomial got num_samples=5 for 3 entries.
  Without replacement each entry is drawn at most once.
  Did you mean replacement=True?""",
    ),
    "multinomial, a number": (
        lambda: ml.multinomial(ml.ones(()), 5),
        errors.ShapeError,
        """\
multinomial got a single number.
  Its last axis counts the entries.
  Give it a vector.""",
    ),
    "dropout keys": (
        lambda: ml.nn.functional.dropout(ml.ones(3, 2), keys=ml.arange(2)),
        errors.ShapeError,
        """\
dropout got keys of shape (2,) for an input of shape (3, 2).
  There is one key for each example: the shapes agree on the first axes.
  Did you mean keys=ml.arange(3)?""",
    ),
    "xavier": (
        lambda: ml.nn.init.xavier_uniform_(ml.zeros(2)),
        errors.ShapeError,
        """\
xavier_uniform_ got a tensor of shape (2,).
  A weight is (outputs, inputs), or (outputs, inputs, *kernel).
  Did you mean nn.init.zeros_(bias)?""",
    ),
    "kaiming": (
        lambda: ml.nn.init.kaiming_uniform_(ml.zeros(2, 2), mode="fan"),
        errors.ArgumentError,
        """\
kaiming_uniform_ got mode='fan'.
  It is "fan_in" or "fan_out".
  Did you mean "fan_in"?""",
    ),
    "gain": (
        lambda: ml.nn.init.calculate_gain("gelu"),
        errors.ArgumentError,
        """\
calculate_gain got 'gelu'.
  It knows linear, conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d, \
conv_transpose3d, sigmoid, tanh, relu, selu and leaky_relu.
  Did you mean "relu"?""",
    ),
    "rand, whole numbers": (
        lambda: ml.rand(2, dtype=ml.int64),
        errors.DTypeError,
        """\
rand got dtype=int64.
  Its numbers are fractions: the dtype holds floats.
  Did you mean randint?""",
    ),
    "eye_": (
        lambda: ml.nn.init.eye_(ml.zeros(2)),
        errors.ShapeError,
        """\
eye_ got a tensor of shape (2,).
  The identity is a matrix.
  Use ones_.""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_text_of(name: str) -> None:
    call, kind, text = CASES[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text
