"""Watching a capture: what the machine tells is what it did, and nobody is told where nobody watches."""

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode.machine import MEANINGS, Machine
from minitorch_lab.compiler.capture.bytecode.plain import Plain
from minitorch_lab.compiler.capture.bytecode.tree import Leaf, Line, Segment
from minitorch_lab.compiler.capture.bytecode.versions import listing
from minitorch_lab.compiler.capture.bytecode.watching import MOST, Moment, Watch
from minitorch_lab.errors import CaptureError


def middle(x: ml.Tensor) -> ml.Tensor:
    y = x + 1
    print("middle")
    return y * 2


def names(moments: list[Moment]) -> list[str]:
    """The instructions of moments."""
    return [listing(m.code).instructions[m.index].opname for m in moments]


def watched(f: object, *args: object) -> Watch:
    """One call of a compiled function."""
    with ml.compile.watch() as seen:
        ml.compile(f)(*args)
    return seen


def test_every_instruction_is_told_in_the_order_in_which_python_runs_it() -> None:
    (walk,) = watched(middle, ml.ones(3)).walks
    assert names(walk.moments) == [i.opname for i in listing(middle.__code__).instructions]
    assert not walk.cut


def test_stack_and_variables_are_those_after_the_instruction() -> None:
    (walk,) = watched(middle, ml.ones(3)).walks
    stored = next(m for m in walk.moments if listing(m.code).instructions[m.index].argval == "y")
    before = walk.moments[walk.moments.index(stored) - 1]
    assert [(t.text, t.kind, t.node and t.node.name) for t in before.stack] == [("f32[3]", "tensor", "add")]
    assert stored.stack == ()
    assert stored.variables["y"] == before.stack[0]


def test_nodes_enter_one_by_one_and_a_break_closes_the_graph(capsys: pytest.CaptureFixture[str]) -> None:
    (walk,) = watched(middle, ml.ones(3)).walks
    assert [n.name for m in walk.moments for n in m.nodes] == ["x", "add", "v1", "mul"]
    broke = next(m for m in walk.moments if any(isinstance(s, Line) and s.breaks for s in m.steps))
    assert [type(s).__name__ for s in broke.steps if isinstance(s, (Segment, Line))] == ["Segment", "Line"]
    assert capsys.readouterr().out == "middle\n"


def test_the_path_of_a_capture_is_what_it_added_to_the_program() -> None:
    f = ml.compile(middle)
    with ml.compile.watch() as seen:
        f(ml.ones(3)), f(ml.ones(5)), f(ml.ones(5))
    first, second = seen.walks
    assert second.why == "x: shape (3,), now (5,)"
    for walk in (first, second):
        assert [type(s) for s in walk.path if isinstance(s, (Segment, Leaf))] == [Segment, Segment, Leaf]
    assert not set(first.path) & set(second.path)
    assert {s for s in (*first.path, *second.path) if isinstance(s, Segment)} == set(f._compiled.of_segment)


def test_a_call_of_a_function_goes_a_frame_deeper_and_back() -> None:
    def inner(x: ml.Tensor) -> ml.Tensor:
        return x * 2

    def outer(x: ml.Tensor) -> ml.Tensor:
        return inner(x) + 1

    (walk,) = watched(outer, ml.ones(2)).walks
    depths = [m.depth for m in walk.moments]
    assert (max(depths), depths[0], depths[-1]) == (1, 0, 0)
    assert {m.code.co_name for m in walk.moments if m.depth} == {"inner"}


def test_an_error_is_told_where_it_was_raised() -> None:
    def picky(x: ml.Tensor) -> ml.Tensor:
        raise ValueError("too much")

    with ml.compile.watch() as seen, pytest.raises(ValueError, match="too much"):
        ml.compile(picky)(ml.ones(2))
    assert [m.error for m in seen.walks[0].moments if m.error] == ["ValueError: too much"]


def test_a_refused_break_ends_what_is_told() -> None:
    with ml.compile.watch() as seen, pytest.raises(CaptureError):
        ml.compile(middle, fullgraph=True)(ml.ones(3))
    assert names(seen.walks[0].moments)[-1] == "CALL"


def test_results_are_the_same_and_so_is_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    plain, told = ml.compile(middle), ml.compile(middle)
    expected = plain(ml.ones(3))
    with ml.compile.watch():
        got = told(ml.ones(3))
    assert got.tolist() == expected.tolist()
    assert told.text == plain.text
    assert capsys.readouterr().out == "middle\n" * 2


def test_where_nobody_watches_the_meanings_are_those_of_the_machine() -> None:
    assert Machine(Plain()).meanings is MEANINGS
    with ml.compile.watch() as seen:
        pass
    ml.compile(middle)(ml.ones(3))
    assert seen.walks == []


def test_a_long_capture_is_cut() -> None:
    def long(x: ml.Tensor) -> int:
        total = 0
        for k in range(MOST):
            total += k
        return total

    (walk,) = watched(long, ml.ones(1)).walks
    assert walk.cut
    assert len(walk.moments) == MOST
