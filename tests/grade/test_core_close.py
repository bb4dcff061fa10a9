"""Whether an answer is the one that was wanted: by value, in every style that an honest program writes it in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from minitorch_lab.grade.inside import wire
from minitorch_lab.grade.judge import close
from minitorch_lab.grade.judging import alike

# Ways to say the same, and what says something else.
SAME: list[tuple[Any, ...]] = [
    (1, 1.0, True, np.int64(1), np.float32(1), np.float64(1), np.bool_(True), np.array(1), np.array(1.0)),
    (0, 0.0, -0.0, False, np.uint8(0), np.bool_(False), np.array(False)),
    (float("nan"), np.float64("nan"), np.array(np.nan)),
    ([1, 2.5], (1, 2.5), np.array([1, 2.5]), [np.float64(1), np.float32(2.5)], (True, np.array(2.5))),
    ([[1, 2], [3, 4]], ((1, 2), (3, 4)), np.array([[1, 2], [3, 4]]), [np.array([1, 2]), (3.0, 4.0)]),
    ([1, "a", None], (1.0, "a", None), [np.int64(1), np.str_("a"), None]),
    ([[1], [1, 2]], ([1.0], (True, 2)), (np.array([1]), np.array([1, 2]))),
    ({"a": 1, "b": [2]}, {"b": (2.0,), "a": np.bool_(True)}),
    ("a", np.str_("a")),
    ([], (), np.zeros(0)),
]
OTHERS: list[tuple[Any, Any]] = [
    (1, 2), (1, [1]), ([1], 1), (np.ones(1), np.ones(3)), ([1, 2], [1, 2, 3]), ([1, 2, 3], [1, 2]), ("1", 1), (1, "1"),
    (None, 0), (0, None), ("", None), (float("nan"), 1.0), (1.0, float("nan")), (float("inf"), -float("inf")),
    ([[1], [1, 2]], [[1], [1, 3]]), ({"a": 1}, {"a": 1, "b": 2}), ({"a": 1, "b": 2}, {"a": 1}), ([("a", 1)], {"a": 1}),
    (10**400, 1.0), ("a", ["a"]), (np.array(["1"]), np.array([1])), (1 + 1j, 1), ([], [0]),
    (type, 1), (False, None),
]  # fmt: skip


def crossed(value: Any) -> Any:
    """A value as it arrives at the judge."""
    sent = wire.frame("n", 1, value, lambda thing: wire.Reference(0, "object"))
    text, raw = wire.HEADER.unpack(sent[: wire.HEADER.size])
    start = wire.HEADER.size
    return wire.read(sent[start : start + text], sent[start + text : start + text + raw], tuple).body


@pytest.mark.parametrize("ways", SAME, ids=lambda ways: repr(ways[0]))
def test_one_value_in_any_type_is_the_same_answer(ways: tuple[Any, ...]) -> None:
    for got in ways:
        for want in ways:
            want = want.item() if isinstance(want, np.str_) else want
            assert close(crossed(got), want), (got, want)
            assert alike(crossed(got), want), (got, want)


@pytest.mark.parametrize(("got", "want"), OTHERS, ids=repr)
def test_another_value_is_another_answer(got: Any, want: Any) -> None:
    assert not close(got, want)
    assert not alike(got, want)
