"""What a run of random programs says of those that must differ."""

from __future__ import annotations

import pytest

from tests.compile.in_parts import tried


def is_odd(n: int) -> bool:
    return n % 2 == 1


def test_what_must_differ_and_does_is_not_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert not tried(is_odd, range(4), differing={0: "it is even", 2: "it is even", 9: "it is not among them"})
    assert "0 differs, as it must: it is even" in capsys.readouterr().out


def test_what_must_differ_and_does_not_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert tried(is_odd, range(4), differing={0: "it is even", 1: "it is odd"})
    said = capsys.readouterr().out
    assert "1 does not differ: it is odd" in said
    assert said.endswith("4 programs, wrong: [1, 2]\n")
