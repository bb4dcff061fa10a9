"""What a captured program read is asked for, and what it did is in it: the verifier, and each place that notes."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode import source
from minitorch_lab.compiler.capture.bytecode.lines import Lines
from minitorch_lab.compiler.capture.bytecode.predicate import Predicate
from minitorch_lab.compiler.capture.bytecode.source import Source
from minitorch_lab.errors import CaptureError
from tests.compile.noting import places, without
from tests.compile.test_worlds import PROGRAMS
from tests.compile.witnesses import UNWITNESSED, WITNESSES
from tests.compile.worlds.observe import observe

X = ml.tensor([1.0, 2.0])
PLACES = places()


def test_a_question_that_is_lost_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    join, held = Predicate.join, {"k": 2}

    def losing(self: Any, guard: Any, key: Any) -> None:
        if "k" not in str(key):
            join(self, guard, key)

    monkeypatch.setattr(Predicate, "join", losing)
    with pytest.raises(CaptureError, match=r"The program of <lambda> lacks the question 'tuple\(v1\)'"):
        ml.compile(lambda x: x * held["k"])(X)


def test_a_line_that_is_lost_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    matters = Source.matters
    monkeypatch.setattr(Source, "matters", lambda self, n, *a: "append" not in n.text and matters(self, n, *a))
    with pytest.raises(CaptureError, match=r"lacks `v3 = v2\.append\(1\)`"):
        ml.compile(lambda x: (x * 2, seen.append(1)))(X)


@pytest.mark.parametrize("gives", [lambda xs: xs, lambda xs: [xs], lambda xs: {"k": (xs,)}])
def test_a_line_is_missed_that_serves_what_is_still_looked_at(gives: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        xs = [x]
        out = gives(xs)
        xs.append(x * 2)
        return out, xs[0]

    matters = Source.matters
    monkeypatch.setattr(Source, "matters", lambda self, n, *a: "append" not in n.text and matters(self, n, *a))
    with pytest.raises(CaptureError, match=r"lacks `v\d = v\d\.append\(v\d\)`"):
        ml.compile(f)(X)


def test_lines_in_another_order_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    xs: list[int] = []
    flush = Lines.flush

    def turned(self: Any) -> None:
        self.after.reverse()
        flush(self)

    def f(x: Any) -> Any:
        xs.append(1)
        xs.append(2)
        return x * 2

    monkeypatch.setattr(Lines, "flush", turned)
    with pytest.raises(CaptureError, match=r"lacks `v\d = v1\.append\(2\)`"):
        ml.compile(f)(X)


def test_an_op_that_is_lost_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "stays", lambda node: False)
    y = ml.zeros(2)
    with pytest.raises(CaptureError, match="lacks the op 'add_', which acts"):
        ml.compile(lambda x: (x * 2, y.add_(x))[0])(X)


def test_every_place_that_notes_has_a_witness() -> None:
    assert WITNESSES.keys() | UNWITNESSED == PLACES.keys()
    assert not WITNESSES.keys() & UNWITNESSED


@pytest.mark.parametrize("place", WITNESSES)
def test_without_the_note_a_program_differs(place: str) -> None:
    program = PROGRAMS[WITNESSES[place]]
    want = observe(program, lambda f: f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with without(PLACES[place]):
            assert observe(program, ml.compile) != want
