"""The checks of 17: right answers of several kinds, every wrong one is told what it is, and pictures never fail."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import OutOfMemoryError
from minitorch_lab.lessons import lesson_17_allocator as lesson
from minitorch_lab.lessons.lesson_17_allocator.equation import TRAININGS, counted
from minitorch_lab.lessons.lesson_17_allocator.ordering import WISHES, pieces
from minitorch_lab.lessons.lesson_17_allocator.placing import best_fit, merged
from minitorch_lab.lessons.lesson_17_allocator.trace import Request
from tests.notebooks.inject import parts_of
from tests.notebooks.rerun import ROOT

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s17_allocator_and_memory.py"
NOTEBOOK = ROOT / "notebooks/17_allocator_and_memory.ipynb"
MIB = 1 << 20
CHECKS = [
    lesson.check_sizes, lesson.check_place, lesson.check_merge, lesson.check_order, lesson.check_holders,
    lesson.check_terms,
]  # fmt: skip


def right(exercise: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {"MIB": MIB}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[f"{exercise}-exercise"], space)
    return space[exercise]


def requests() -> list[Request]:
    """What the training of the lesson asks for, as its own cell does it."""
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]}
    space: dict[str, Any] = {"ml": ml, "lesson": lesson}
    exec(cells["training"], space)
    return space["requests"]


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


# ---- checks ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    "answer",
    [None, 3, "sizes", lambda *_: None, lambda *_: 3, lambda *_: "word", lambda *_: (1, 2, 3), lambda *_: [(1, 2), 3],
     lambda *_: {"a": []}, lambda *_: (float("nan"), [(float("inf"), -5)]), lambda: 1, lambda *_: 1 / 0,
     lambda *_: (x for x in "ab")],
)  # fmt: skip
def test_a_check_has_an_answer_to_anything(check: Any, answer: Any) -> None:
    verdict = check(answer)
    assert not verdict.done
    assert len(verdict.text) > 10


@pytest.mark.parametrize("exercise", ["sizes", "place", "merge", "order", "holders", "terms"])
def test_the_solutions_are_right(exercise: str) -> None:
    assert getattr(lesson, f"check_{exercise}")(right(exercise)).done


def sized(change: Any) -> Any:
    return lambda nbytes: change(nbytes, *right("sizes")(nbytes))


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        (sized(lambda n, b, p, s: (b, p, b)), "small blocks are cut from segments of 2 MiB"),
        (sized(lambda n, b, p, s: (n, p, s)), "a multiple of 512 bytes: round up"),
        (sized(lambda n, b, p, s: (b, "small", s)), "a block of 1,049,088 bytes is large: the border is 1 MiB"),
        (sized(lambda n, b, p, s: (b, p, min(s, 20 * MIB))), "in steps of 2 MiB"),
        (sized(lambda n, b, p, s: (b, p, b if p == "large" else s)), "so that others find room in it"),
        (sized(lambda n, b, p, s: (b, p, 20 * MIB if b == 10 * MIB else s)), "10 MiB included"),
        (sized(lambda n, b, p, s: (b, p, 20 * MIB if 10 * MIB > n > MIB else s)), "the size of the block decides"),
        (sized(lambda n, b, p, s: (b, p)), "It is three things: block, pool, segment."),
    ],
)
def test_wrong_sizes_are_told_what_they_are(sizes: Any, text: str) -> None:
    told(lesson.check_sizes(sizes), text)


def placing(change: Any) -> Any:
    def place(free: Any, size: int) -> Any:
        address, left = best_fit(free, size)
        return change(free, size, address, left)

    return place


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (placing(lambda f, n, a, left: (a, f)), "still free in your list"),
        (placing(lambda f, n, a, left: (a, left[:-1])), "you gave the whole block away"),
        (placing(lambda f, n, a, left: (a, left[1:] if len(f) > 1 else left)), "had nothing to do with it are gone"),
        (placing(lambda f, n, a, left: (7, left)), "at 7 no free block begins"),
        (placing(lambda f, n, a, left: (a or 0, left)), "no block is large enough, and you give an address"),
        (placing(lambda f, n, a, left: (min(f, key=lambda b: b[1])[0] if f else a, left)), "is too small"),
        (placing(lambda f, n, a, left: (str(a), left)), "It is a number, or None."),
        (placing(lambda f, n, a, left: (a, 5)), "It is a list of pairs: address and size."),
    ],
)
def test_wrong_places_are_told_what_they_are(place: Any, text: str) -> None:
    told(lesson.check_place(place), text)


@pytest.mark.parametrize(
    ("merge", "text"),
    [
        (lambda free, a, n: free, "512 bytes are lost"),
        (lambda free, a, n: [(a + 512, m) for a, m in merged(free, a, n)], "it begins where the first of them begins"),
        (lambda free, a, n: [(0, sum(m for _, m in free) + n)], "merged what does not touch"),
        (lambda free, a, n: [*merged(free, a, n), (a, n)], "one byte is in two of your blocks"),
    ],
)
def test_wrong_merging_is_told_what_it_is(merge: Any, text: str) -> None:
    told(lesson.check_merge(merge), text)


def test_wrong_orders_are_told_what_they_are() -> None:
    told(lesson.check_order(lambda wishes: [*(name for name, *_ in wishes), "x"]), "you name 'x', and nothing has")
    told(lesson.check_order(lambda wishes: [wishes[0][0]] * len(wishes)), "a name is on your list twice")
    told(lesson.check_order(lambda wishes: [name for name, *_ in wishes][::-1]), "something that goes early lies below")


def test_every_order_is_judged_by_what_the_allocator_makes_of_it() -> None:
    for wishes in WISHES.values():
        names = [name for name, *_ in sorted(wishes, key=lambda wish: -wish[2])]
        assert all(free == largest for _, free, largest in pieces(wishes, names))
        torn = any(free != largest for _, free, largest in pieces(wishes, [name for name, *_ in wishes]))
        assert torn == (len({until for *_, until in wishes}) > 1)


def test_the_terms_are_those_of_real_trainings() -> None:
    """The formulas of the text beside what the account has counted."""
    for widths, batch, optimizer in TRAININGS:
        weights = 4 * sum((a + 1) * b for a, b in pairwise(widths))
        states = {"SGD": 0, "momentum": 1, "Adam": 2}[optimizer] * weights
        found = counted(widths, batch, optimizer)
        assert [*found.values()] == [weights, weights, states, 4 * batch * sum(widths[1:])]


# ---- pictures -------------------------------------------------------------------------------------------------------
def test_two_right_functions_are_the_houses_allocator() -> None:
    asked = requests()
    assert repr(lesson.memory_map(right("place"), right("merge"), asked)) == (
        "Your allocator served 252 blocks from 3 segments of 2 MiB, and the house's needs 3. Every block lies where "
        "the house's puts it."
    )
    untouched = repr(lesson.memory_map(right("place"), lambda free, a, n: [*free, (a, n)], asked))
    assert untouched.startswith("Your allocator served 252 blocks from 5 segments of 2 MiB")


@pytest.mark.parametrize(
    ("count", "place", "merge", "text"),
    [
        (65, lambda free, n: (None, free), merged, "64 segments of 2 MiB, and still more are asked for"),
        (3, lambda free, n: (0, free), merged, "would lie in no segment"),
        (3, lambda free, n: 1 / 0, merged, "place gives no answer"),
        (3, lambda free, n: (0 if free else None, free), merged, "would lie over a block that is in use"),
        (3, best_fit, lambda free, a, n: None, "merge stops, or gives no list of blocks"),
    ],
)
def test_a_map_of_wrong_functions_says_why_it_is_not_drawn(count: int, place: Any, merge: Any, text: str) -> None:
    asked = [Request("allocate", f"b{k}", 900_000, "input", None) for k in range(count)]
    asked += [Request("free", each.name, each.nbytes, "input", None) for each in asked]
    said = repr(lesson.memory_map(place, merge, asked))
    assert said.startswith("no map: ")
    assert text in said


def test_growing_batches_do_not_fit_into_two_segments() -> None:
    with pytest.raises(OutOfMemoryError, match="the free memory is fragmented"):
        lesson.serve(requests(), lesson.allocator_of(4 * MIB))


@pytest.mark.parametrize("answer", [None, 3, ["z"], [["a"]], ["a", "a"], {"a": 1}])
def test_a_layout_of_no_order_says_why(answer: Any) -> None:
    assert lesson.layout([("a", 8, 1), ("b", 8, 2)], answer).startswith("no picture: ")


def test_a_strip_of_any_answer() -> None:
    free = [(0, 1024), (2048, 512)]
    assert lesson.strip(best_fit, free, 512) == "before  ··██·\nafter   ··██a"
    assert lesson.strip(lambda free, n: (-(10**12), [(-512, 10**12)]), free, 512) == "before  ··██·\nafter   ·····"
    assert lesson.strip(lambda free, n: None, free, 512).startswith("no picture: your function gives None.")
    assert "your function stops with ZeroDivisionError" in lesson.strip(lambda free, n: 1 / 0, free, 512)
