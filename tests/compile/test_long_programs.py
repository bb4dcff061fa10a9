"""How long a program may grow: by one call and not by all together; and a function that grows too long says so."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode import compiled


def summed(x: Any, n: Any) -> Any:
    for i in range(n.rounds):
        x = x * 1.5 + i
    return x


class Rounds:
    def __init__(self, rounds: int) -> None:
        self.rounds = rounds


def test_many_short_paths_are_no_long_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "LONGEST", 60)
    f, x = ml.compile(summed), ml.tensor([1.0, 2.0])
    for k in (3, 4, 5, 6, 7, 3, 7):
        assert f(x, Rounds(k)).tolist() == summed(x, Rounds(k)).tolist()
    assert f.reason == ""


def test_a_function_that_grows_too_long_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "LONGEST", 60)
    f, x = ml.compile(summed), ml.tensor([1.0, 2.0])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        found = [f(x, Rounds(80)).tolist() for _ in range(3)]
    assert found == [summed(x, Rounds(80)).tolist()] * 3
    assert [str(w.message) for w in heard] == [
        "summed runs eagerly from now on: one call makes 61 values and more, and its program would write them "
        "out one by one. Compile one round of the loop, and leave the loop outside."
    ]
    assert "the program has grown too long" in f.reason
