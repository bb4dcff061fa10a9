"""The view "Tiling": what is fetched, counted by simulating the cache, tile by tile."""

from __future__ import annotations

from typing import Any

import pytest

from minitorch_lab import widgets
from minitorch_lab.compiler.schedule.tiling import fetched, grouped, row_by_row, touched, visits
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.tiling import tiling_scene


def panel(scene: Json) -> Json:
    return scene["panels"][0]


def totals(**settings: Any) -> list[int]:
    return [way["total"] for way in panel(tiling_scene(**settings))["ways"]]


def test_row_A12_the_figures_of_the_notes() -> None:
    assert totals() == [65_536, 34_816, 16_384, 9_216, 3_072]
    says = [step["say"] for step in tiling_scene()["steps"]]
    assert says[1] == "An entry of C needs a row of A and a column of B: 1 · 32 + 1 · 32 = 64 numbers."
    assert says[5] == "The next one needs the same row of A again, and it is fetched again: 1,088 so far."
    assert says[8] == "The next one needs the same 4 rows of A again, and it is fetched again: 512 so far."
    assert says[9] == "All 64 of them: 16,384 numbers fetched, each of them used 4 times."
    assert says[19].endswith(
        "9,216 fetched, 7,168 found in the cache, 44 %. A number of A was fetched 1 ×, one of B 8 ×."
    )
    assert says[27].endswith(
        "3,072 fetched, 13,312 found in the cache, 81 %. A number of A was fetched 1 ×, one of B 2 ×."
    )
    assert says[28].endswith("it cannot be less than 2,048. The work is the same: only data / bandwidth moves.")


# ---- the cache ------------------------------------------------------------------------------------------------------
def test_a_cache_for_everything_fetches_each_block_once() -> None:
    for order in (row_by_row(5, 7), grouped(5, 7, 2)):
        assert sum(len(v.fetched) for v in visits(order, 3, 10_000)) == 3 * (5 + 7) == touched(order, 3)


def test_a_cache_for_nothing_fetches_all_each_time() -> None:
    assert sum(len(v.fetched) for v in visits(row_by_row(5, 7), 3, 0)) == 5 * 7 * 3 * 2
    assert fetched(20, 28, 12, 4, 4) == 5 * 7 * 3 * 2 * 16


def test_what_was_not_used_for_the_longest_time_makes_room() -> None:
    first, second = visits([(0, 0), (0, 1)], 1, 2)
    assert (first.fetched, second.found, second.fetched) == ((("a", 0, 0), ("b", 0, 0)), (("a", 0, 0),), (("b", 0, 1),))
    assert second.held == (("a", 0, 0), ("b", 0, 1))


@pytest.mark.parametrize("shape", [(32, 32, 32), (10, 13, 7), (1, 5, 3), (6, 4, 1)])
@pytest.mark.parametrize("cache", [1, 6, 500])
def test_every_number_that_is_needed_is_fetched_or_found(shape: tuple[int, int, int], cache: int) -> None:
    m, n, k = shape
    ways, stages = (panel(tiling_scene(shape, (4, 3), 2, cache))[key] for key in ("ways", "stages"))
    for way in ways[-2:]:
        last = [s for s in stages if s["of"] == way["id"]][-1]
        assert way["total"] >= m * k + k * n if cache < 500 else way["total"] == m * k + k * n
        for block in (*last["fetched"], *last["found"], *last["held"]):
            high, wide = (m, k) if block["in"] == "a" else (k, n)
            assert 0 < block["rows"] <= high - block["row"]
            assert 0 < block["columns"] <= wide - block["column"]
    assert ways[0]["total"] == 2 * m * n * k


def test_predictions_ask_for_the_totals() -> None:
    asked = [step for step in tiling_scene()["steps"] if "predict" in step]
    assert [step["predict"]["answer"] for step in asked] == ["65,536", "34,816", "16,384", "9,216", "3,072"]
    for step in asked:
        at, length = step["predict"]["at"], step["predict"]["length"]
        assert step["say"][at : at + length] == step["predict"]["answer"]


def test_what_cannot_be_drawn_says_what_can() -> None:
    with pytest.raises(ArgumentError) as caught:
        widgets.Tiling((1000, 32, 32))
    assert str(caught.value) == (
        "Tiling got the sizes (1000, 32, 32), tiles of (4, 4), groups of 4 and a cache of 48 blocks.\n"
        "  Sizes begin with 1, and it draws matrices of up to 128 by 128.\n"
        "  Did you mean Tiling((32, 32, 32), tile=(4, 4), group=4, cache=48)?"
    )
    with pytest.raises(ArgumentError, match=r"tiles of \(0, 4\)"):
        widgets.Tiling(tile=(0, 4))
