"""What stands in a set or dict, or is sorted, by a number that a tensor gives: other numbers, other answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml

ROWS = ([3.0, 1.0, 2.0], [1.0, 1.0, 2.0], [2.0, 3.0, 1.0], [1.0, 1.0, 1.0], [4.0, 5.0, 5.0], [9.0, 9.0, 7.0])


class Valued:
    """An object that equals others of its value."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: Any) -> bool:
        return self.value == other.value


def sorted_by_key(x: Any) -> Any:
    return x[sorted(range(len(x)), key=lambda i: x[i].item())].tolist()


def sorted_in_place(x: Any) -> Any:
    rows = [*x]
    rows.sort(key=lambda row: row.item())
    return [row.item() for row in rows]


def grouped(x: Any) -> Any:
    groups: dict[float, list[int]] = {}
    for i, v in enumerate(x):
        groups.setdefault(v.item(), []).append(i)
    return groups


def removed(x: Any) -> Any:
    places = {v.item(): i for i, v in enumerate(x)}
    del places[x[0].item()]
    return places, [*places], places.pop(1.0, None)


def updated(x: Any) -> Any:
    seen = {1.0}
    seen.update(x.tolist())
    return len(seen), 2.0 in seen, x[0].item() in seen


@pytest.mark.parametrize("f", [
    lambda x: sorted(v.item() for v in x), sorted_by_key, sorted_in_place,
    lambda x: len({v.item() for v in x}), lambda x: {v.item(): 1 for v in x}, lambda x: sorted(set(x.tolist())),
    lambda x: len({(v.item(), 1) for v in x}), lambda x: len({Valued(v.item()) for v in x}),
    lambda x: len(dict.fromkeys(x.tolist())), grouped, removed, updated,
])  # fmt: skip
def test_which_numbers_are_equal_is_asked_in_each_call(f: Callable[[Any], Any]) -> None:
    compiled = ml.compile(f)
    for row in (*ROWS, *ROWS):
        assert compiled(ml.tensor(row)) == f(ml.tensor(row))


@pytest.mark.filterwarnings("ignore:.*runs eagerly from now on")
@pytest.mark.parametrize("f", [
    lambda n: n.bit_length(), lambda n: n.numerator + 1, lambda n: (n.real, n.denominator, n.__doc__),
    lambda n: (complex(float(n), 1.0).real, float(n).is_integer()),
])  # fmt: skip
def test_a_number_that_varies_is_asked_what_it_says_of_itself(f: Callable[[Any], Any]) -> None:
    compiled = ml.compile(lambda x: f(int(x.sum())))
    for n in (*range(1, 12), 1, 5):
        assert compiled(ml.tensor([n, n])) == f(2 * n)


def test_a_class_that_is_made_in_a_call_is_made_in_each() -> None:
    def f(x: Any) -> Any:
        made: Any = type("Made", (), {"v": x.sum().item()})
        return made().v

    compiled = ml.compile(f)
    assert [compiled(ml.tensor([n, n])) for n in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]
