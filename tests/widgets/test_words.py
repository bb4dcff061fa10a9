"""Numbers and formulas as views write them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from minitorch_lab.ops.op import OPS
from minitorch_lab.record.values import summarise, unknown
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
    assert numbers.said(value) == "(3, 4) with mean 5.5"
    assert numbers.facts(value) == "float64 · shape (3, 4) · mean 5.5 · from 0 to 11 · begins 0, 1, 2, 3, 4, 5, 6, 7, …"


def test_small_tensors_show_their_elements() -> None:
    assert numbers.short(summarise(np.array([1.0, -2.0]))) == "[1, −2]"
    assert numbers.said(summarise(np.array([[1.0, 2.0], [3.0, 4.0]]))) == "[[1, 2], [3, 4]]"
    assert numbers.short(summarise(np.array([0.12345, 1.23456, 2.34567]))) == "(3,)", "too long for a pill"


@pytest.mark.parametrize("op", OPS)
def test_every_op_says_what_it_keeps_and_why(op: str) -> None:
    for kept in OPS[op].keeps:
        said = formulas.keeps(op, list(kept), {"x": "a", "y": "b"})
        assert said.startswith("keeps ")
        assert len(said.partition(": ")[2]) > 10
        assert "_" not in said.replace(op, ""), "no parameter name of a rule in a sentence"


def test_there_are_no_words_for_what_does_not_happen() -> None:
    idle: list[object] = []
    for table in (pullbacks.SAVED, pullbacks.THROUGH, pullbacks.DERIVATIVE, pullbacks.WHOLE):
        idle += [(name, i) for name, i in table if name not in OPS or i >= len(OPS[name].vjp)]
    for name, kept in formulas.WHY:
        held = [
            frozenset(want for want in wants if want in formulas.NOUNS) or frozenset(wants) for wants in keeps_of(name)
        ]
        idle += [(name, set(kept))] if kept not in held else []
    assert idle == []
    assert set(formulas.INFIX) <= set(OPS)


def keeps_of(name: str) -> tuple[tuple[str, ...], ...]:
    return OPS[name].keeps if name in OPS else ()


@pytest.mark.parametrize("op", ["window", "fold", "standardize", "contiguous", "pad", "cumsum", "scatter"])
def test_what_has_words_of_its_own_is_not_told_generically(op: str) -> None:
    (kept,) = {keep for keep in OPS[op].keeps if keep} or {()}
    assert formulas.WHY.get((op, frozenset(name for name in kept if name in formulas.NOUNS) or frozenset(kept)))


def test_several_values_together_have_no_numbers_to_tell() -> None:
    many = unknown((), "tuple")
    assert (numbers.short(many), numbers.said(many)) == ("(…)", "one part for each result")
    told = "".join(pullbacks.sentence("output 1", "both", many, pullbacks.Pull("", "it is one of them.", "")))
    assert told == "`output 1` sends what came from above to `both`: it is one of them."


def test_a_name_that_can_be_followed_by_a_dot() -> None:
    assert [model.atom(name) for name in ("x", "0.weight", "x[0]", "f(x)", "x[0]*x[1]", "-x")] == [
        "x", "0.weight", "x[0]", "f(x)", "(x[0]*x[1])", "(-x)",
    ]  # fmt: skip
