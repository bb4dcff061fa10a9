"""The checks of 14: right answers of several kinds, and every wrong one is told what it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError
from minitorch_lab.lessons import lesson_14_fusion as lesson
from minitorch_lab.lessons.lesson_14_fusion import kernels as the_kernels
from minitorch_lab.lessons.lesson_14_fusion.kernels import PROGRAMS, Pair, asked_about
from tests.notebooks.inject import parts_of

SOLUTIONS = Path(__file__).parents[1] / "notebooks/solutions/s14_fusion_and_codegen.py"


def right(exercise: str, name: str) -> Any:
    """A function of the solutions."""
    space: dict[str, Any] = {"lesson": lesson}
    exec(parts_of(SOLUTIONS.read_text("utf-8"))[exercise], space)
    return space[name]


joins, emit, product = (right(f"{name}-exercise", name) for name in ("joins", "emit", "product"))


def told(verdict: Any, text: str, state: str = "not yet") -> None:
    assert verdict.state == state
    assert text in verdict.text


# ---- the rule -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_rule_of_the_solution_is_the_compiler_s_own(name: str) -> None:
    asked = asked_about(joins, name)
    assert [one.says for one in asked] == [one.true for one in asked]
    assert all((one.saved > 0) == one.true for one in asked)


def test_the_programs_ask_for_everything_that_a_rule_needs() -> None:
    pairs = [one.pair for name in PROGRAMS for one in asked_about(joins, name)]
    assert {(p.first, p.second) for p in pairs} >= {("tile", "tile"), ("tile", "rows"), ("rows", "rows")}
    assert any(p.same and p.straight and p.detour for p in pairs)
    assert any(p.same and not p.straight for p in pairs)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (lambda p: joins(p) or not p.straight, "ask for straight."),
        (lambda p: joins(p) or p.detour, "it would have to run in the middle of your kernel. Ask for detour."),
        (lambda p: joins(p) or p.first == p.second == "tile", "two products in one kernel."),
        (lambda p: joins(p) or {p.first, p.second} == {"tile", "rows"}, "It needs whole rows, and a tile holds only"),
        (lambda p: joins(p) or (not p.same and p.first == "entries"), "ask for same."),
        (
            lambda p: joins(p) and "rows" not in (p.first, p.second),
            "sub stays apart from amax: 240 bytes more",
        ),
        (lambda p: joins(p) and "tile" not in (p.first, p.second), "can be done while its tile is in registers."),
        (lambda p: joins(p) and "rows" in (p.first, p.second), "Both go entry by entry, over the same points."),
        (lambda p: 2, "joins gave the int 2. It answers with True or False"),
        (lambda p: p.third, "in chain, joins stops with AttributeError"),
    ],
)
def test_wrong_rules_are_told_what_they_are(rule: Callable[[Pair], Any], text: str) -> None:
    told(lesson.check_joins(rule), text)


def test_the_right_rule_runs_in_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    told(lesson.check_joins(joins), "softmax 5 → 1, layers 4 → 2, mirrored 2 → 2", "done")
    told(lesson.check_joins(lambda p: False), "each is a launch of its own.", "not written yet")
    monkeypatch.setattr(the_kernels, "available", lambda: False)  # then the page of NumPy runs
    told(lesson.check_joins(joins), "softmax 5 → 1", "done")


# ---- the loop -------------------------------------------------------------------------------------------------------
def changed(old: str, new: str) -> Callable[..., str]:
    """The solution, which writes something else."""
    return lambda *case: emit(*case).replace(old, new)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (changed("def kernel", "def loop"), "your text defines no function kernel"),
        (changed("        sub_out[i] = v_sub\n", ""), "sub_out was not written"),
        (changed("v_b = b[i]", "v_b = 0.0"), "for d + (a + b) * c, sum is"),
        (changed("v_x = x[i]", "v_x = x[i] + 0 * x[i]"), "x is read 2 times for every entry."),
        (changed("    for i in range(n):", "    keep = [0.0]\n    for i in range(n):"), "your code makes 1 arrays."),
        (changed("    for i in range(n):", "    for i in range(n): pass\n    for i in range(n):"), "has 2 loops."),
        (changed("v_a +", "a +"), "what an op has made in this round is a plain name."),
        (changed("v_a + v_b", "v_a[i] + v_b"), "what an op has made in this round is a plain name."),
        (changed("):", ")"), "for d + (a + b) * c, your code stops with SyntaxError"),
    ],
)
def test_wrong_loops_are_told_what_they_are(wrong: Callable[..., str], text: str) -> None:
    told(lesson.check_emit(wrong), text)


def test_the_loop_runs_in_the_compiler() -> None:
    told(lesson.check_emit(emit), "one loop, whatever the ops.", "done")
    x, y = ml.randn(3, 4), ml.randn(3, 4)
    compiled = ml.compile(lambda x, y: ((x * 2 - y).relu(), x.exp() / 3), backend=lesson.with_loop(emit))
    for _ in range(2):
        found = compiled(x, y)
    assert ml.allclose(found[0], (x * 2 - y).relu())
    assert ml.allclose(found[1], x.exp() / 3)
    with pytest.raises(ArgumentError, match="It goes entry by entry, and knows add, sub"):
        lesson.ops_of(lesson.pure(lambda x: x.sum(0), x))


# ---- the product ----------------------------------------------------------------------------------------------------
def in_tiles(rows: Any, columns: Any, deep: Any, add: bool = True, height: int | None = None) -> Any:
    """A product in tiles, whose ranges and blocks may be wrong."""

    def product(a: Any, b: Any, tile: int) -> Any:
        c = lesson.zeros(a.rows, b.columns)
        for i in range(0, rows(a.rows, tile), height or tile):
            for j in range(0, columns(b.columns, tile), tile):
                for p in range(0, deep(a.columns, tile), tile):
                    block = a.fetch(i, p, height or tile, tile) @ b.fetch(p, j, tile, tile)
                    at = slice(i, i + (height or tile)), slice(j, j + tile)
                    c[at] = c[at] * add + block
        return c

    return product


def whole(n: int, tile: int) -> int:
    return n


def inside(n: int, tile: int) -> int:
    return n // tile * tile


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (in_tiles(whole, whole, whole, add=False), "add to it, do not assign."),
        (in_tiles(inside, whole, whole), "which 4 does not divide, the border is wrong."),
        (in_tiles(whole, inside, whole), "which 4 does not divide, the border is wrong."),
        (in_tiles(whole, whole, inside), "k is 7 here, and 4 does not divide it"),
        (in_tiles(whole, whole, whole, height=1), "you fetch 640 numbers; 256 are enough."),
        (lambda a, b, tile: a.fetch(0, 0, a.rows, 1), "product stops with ArgumentError: You fetched 8 × 1 at once."),
        (lambda a, b, tile: a.fetch(99, 0, 1, 1), "You fetched 1 × 1 from (99, 0)."),
        (lambda a, b, tile: None, "product gives None. It gives an array of shape (8, 8)."),
        (lambda a, b, tile: lesson.zeros(a.rows, b.columns), "c["),
    ],
)
def test_wrong_products_are_told_what_they_are(wrong: Any, text: str) -> None:
    told(lesson.check_product(wrong), text)


def test_the_product_runs_in_the_compiler() -> None:
    told(lesson.check_product(product), "16,384 numbers fetched", "done")
    assert lesson.count(product, 32, 32, 32, tile=4) == 16_384
    told(lesson.check_product(in_tiles(whole, whole, whole)), "16,384 numbers fetched", "done")
    x, w = ml.randn(5, 6), ml.randn(6, 3)
    compiled = ml.compile(lambda x: (x @ w).relu(), backend=lesson.with_product(product, 2))
    for _ in range(2):
        found = compiled(x)
    assert ml.allclose(found, (x @ w).relu(), atol=1e-5)
