"""Numbers and formulas as views write them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from minitorch_lab.ops.op import OPS, Op
from minitorch_lab.recording.values import summarise, unknown
from minitorch_lab.widgets import formulas, model, numbers, pullbacks


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (2.0, "2"),
        (-3, "−3"),
        (0.6931471805599453, "0.6931"),
        (1.9999999, "2"),
        (-1.6645873461885696, "−1.665"),
        (1234.5, "1,234"),
        (99999.5, "100,000"),
        (123456.7, "123,500"),
        (12345678.9, "1.235e7"),
        (802816, "802,816"),
        (1.5e-7, "1.5e−7"),
        (0.00012346, "0.0001235"),
        (math.inf, "∞"),
        (-math.inf, "−∞"),
        (math.nan, "nan"),
        (True, "True"),
    ],
)
def test_numbers(x: float, text: str) -> None:
    assert numbers.number(x) == text


def test_large_tensors_show_shape_mean_and_range() -> None:
    value = summarise(np.arange(12.0).reshape(3, 4))
    assert numbers.short(value) == "(3, 4)"
    assert numbers.describe_numbers(value) == "(3, 4) with mean 5.5"
    assert numbers.facts(value) == "float64 · shape (3, 4) · mean 5.5 · from 0 to 11 · begins 0, 1, 2, 3, 4, 5, 6, 7, …"


def test_small_tensors_show_their_elements() -> None:
    assert numbers.short(summarise(np.array([1.0, -2.0]))) == "[1, −2]"
    assert numbers.describe_numbers(summarise(np.array([[1.0, 2.0], [3.0, 4.0]]))) == "[[1, 2], [3, 4]]"
    assert numbers.short(summarise(np.array([0.12345, 1.23456, 2.34567]))) == "(3,)", "too long for a pill"


@pytest.mark.parametrize("op", OPS)
def test_every_op_says_what_it_keeps_and_why(op: str) -> None:
    for kept in OPS[op].keeps:
        said = formulas.keeps(op, list(kept), {"x": "a", "y": "b"})
        assert said.startswith("keeps ")
        assert len(said.partition(": ")[2]) > 10
        assert "_" not in said.replace(op, ""), "no parameter name of a rule in a sentence"


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_there_are_no_words_for_what_does_not_happen(op: Op) -> None:
    told = op.prose
    assert max(len(told.slopes), len(told.wholes), len(told.passes)) <= len(op.vjp)
    assert set(told.why) <= {" ".join(sorted(held(wants))) for wants in op.keeps}
    assert told.form.count("{") in (0, 2 if op.name == "setitem" else len(op.vjp))


def held(wants: tuple[str, ...]) -> set[str]:
    """Of what the tape keeps the values, and where it keeps none the facts."""
    return {want for want in wants if want in formulas.NOUNS} or set(wants)


@pytest.mark.parametrize("op", ["window", "fold", "standardize", "contiguous", "pad", "cumsum", "scatter"])
def test_what_has_words_of_its_own_is_not_told_generically(op: str) -> None:
    (kept,) = {keep for keep in OPS[op].keeps if keep} or {()}
    assert formulas.reason(op, frozenset(held(kept)))


def test_several_values_together_have_no_numbers_to_tell() -> None:
    many = unknown((), "tuple")
    assert (numbers.short(many), numbers.describe_numbers(many)) == ("(…)", "one part for each result")
    told = "".join(pullbacks.sentence("output 1", "both", many, pullbacks.Pull("", "it is one of them.", "")))
    assert told == "`output 1` sends what came from above to `both`: it is one of them."


def test_a_name_that_can_be_followed_by_a_dot() -> None:
    assert [model.atom(name) for name in ("x", "0.weight", "x[0]", "f(x)", "x[0]*x[1]", "-x")] == [
        "x", "0.weight", "x[0]", "f(x)", "(x[0]*x[1])", "(-x)",
    ]  # fmt: skip
