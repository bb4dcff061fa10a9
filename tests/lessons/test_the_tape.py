"""The checks of 02: typical wrong answers are told what they believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons.lesson_02_tape import tape as lesson
from minitorch_lab.lessons.lesson_02_tape.tape import PROGRAMS, kept_by
from tests.notebooks.solutions import s02_the_tape as right

Names = Callable[[Any], list[str]]


def test_the_right_answers_are_done() -> None:
    assert lesson.check_kept(right.answers).done
    assert lesson.check_graph(right.names_of).done
    assert lesson.check_mended(right.suspect, right.bake).done
    assert lesson.check_update(right.update).done


def test_what_is_kept_is_looked_up_on_a_tape() -> None:
    assert {line: kept_by(line) for line in PROGRAMS} == right.answers


@pytest.mark.parametrize(
    ("line", "answer", "told"),
    [
        ("a + b", "both inputs", "6 of 7 are right. `a + b` does not keep both inputs: the derivative of a sum is 1"),
        ("a.exp()", "its input", "the derivative of exp is exp, and that number is the result"),
        ("a.sin()", "its result", "From the result alone you would not know its sign"),
        ("a * 3", "its input", "The 3 wants no gradient, so nobody will ask for a."),
        ("a * b", None, "6 of 7 are right. `a * b` has no answer yet."),
        ("a * b", "everything", "'everything' is none of the answers"),
    ],
)
def test_what_an_op_keeps(line: str, answer: str | None, told: str) -> None:
    verdict = lesson.check_kept({**right.answers, line: answer})
    assert verdict.state == "not yet"
    assert told in verdict.text


# ---- the graph ------------------------------------------------------------------------------------------------------


def root_only(node: Any) -> list[str]:
    return [node.name()]


def with_none(node: Any) -> list[str]:
    return [node.name(), *(name for edge, _ in node.next_functions for name in with_none(edge))]


def with_pairs(node: Any) -> list[str]:
    return [node.name(), *(name for pair in node.next_functions for name in with_pairs(pair))]


def first_edge(node: Any) -> list[str]:
    edges = [edge for edge, _ in node.next_functions if edge is not None]
    return [node.name(), *(first_edge(edges[0]) if edges else [])]


def without_memory(node: Any) -> list[str]:
    return [node.name(), *(n for edge, _ in node.next_functions if edge is not None for n in without_memory(edge))]


def by_name(node: Any) -> list[str]:
    return list(dict.fromkeys(without_memory(node)))


def without_leaf(node: Any) -> list[str]:
    return [name for name in right.names_of(node) if name != "AccumulateGrad"]


@pytest.mark.parametrize(
    ("names_of", "told"),
    [
        (with_none, "you followed an edge that leads nowhere"),
        (with_pairs, "next_functions holds pairs"),
        (first_edge, "did you follow all of next_functions"),
        (without_memory, "It has two readers, but it is one node"),
        (by_name, "either you told nodes apart by their names"),
        (without_leaf, "AccumulateGrad is a node too"),
        (lambda node: right.names_of(node)[::-1], "it starts at the result"),
        (lambda node: [*right.names_of(node), "MulBackward"], "MulBackward stands in your list 2 times"),
        (lambda node: 1 / 0, "your function stops with ZeroDivisionError: division by zero"),
        (lambda node: endless(node), "your walk never ends"),
    ],
)
def test_listing_the_graph(names_of: Names, told: str) -> None:
    verdict = lesson.check_graph(names_of)
    assert verdict.state == "not yet"
    assert told in verdict.text


def endless(node: Any) -> list[str]:
    return endless(node)


@pytest.mark.parametrize("names_of", [root_only, lambda node: []])
def test_a_list_of_the_root_alone_is_the_starter(names_of: Names) -> None:
    assert lesson.check_graph(names_of).state == "not written yet"


# ---- the in-place bug -----------------------------------------------------------------------------------------------


def copied_for_one_reader(x: ml.Tensor) -> ml.Tensor:
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s.clone() * h
    s *= 0.5
    return p + s


def silenced(x: ml.Tensor) -> ml.Tensor:
    return lesson.bake_unseen(x)


def write_left_out(x: ml.Tensor) -> ml.Tensor:
    h = x * 3
    s = h.sigmoid()
    h += 1
    return s * h + s


def cut(x: ml.Tensor) -> ml.Tensor:
    h = x * 3
    s = h.sigmoid()
    h += 1
    return s * h + s.detach() * 0.5


def cut_off(x: ml.Tensor) -> ml.Tensor:
    return lesson.bake_truth(x.detach())


@pytest.mark.parametrize(
    ("suspect", "bake", "told"),
    [
        ("h += 1", lesson.bake, "not h += 1. Who kept the old h?"),
        ("p = s * h", lesson.bake, "one of the two lines that write in place"),
        ("s *= 0.5", lesson.bake, "MulBackward still finds its saved value overwritten"),
        ("s *= 0.5", copied_for_one_reader, "SigmoidBackward still finds its saved value overwritten"),
        ("s *= 0.5", silenced, "the alarm is off, the fire is not"),
        ("s *= 0.5", write_left_out, "now bake() computes something else: 6.7218 where it was 5.8147"),
        ("s *= 0.5", cut, "one of the terms no longer leads back to x"),
        ("s *= 0.5", cut_off, "the gradient has no way back to x any more"),
        ("s *= 0.5", lambda x: x.missing(), "bake() stops with AttributeError"),
    ],
)
def test_finding_the_in_place_bug(suspect: str, bake: Callable[[ml.Tensor], Any], told: str) -> None:
    verdict = lesson.check_mended(suspect, bake)
    assert verdict.state == "not yet"
    assert told in verdict.text


def out_of_place(x: ml.Tensor) -> ml.Tensor:
    h = x * 3
    s = h.sigmoid()
    h = h + 1
    return s * h + s * 0.5


def written_into_a_copy(x: ml.Tensor) -> ml.Tensor:
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    s = s.clone()
    s *= 0.5
    return (p + s).sum()


@pytest.mark.parametrize("bake", [out_of_place, written_into_a_copy])
def test_other_ways_to_mend_are_as_good(bake: Callable[[ml.Tensor], Any]) -> None:
    assert lesson.check_mended("s *= 0.5", bake).done


def test_the_program_with_the_bug_is_the_starter() -> None:
    assert lesson.check_mended(None, lesson.bake).state == "not written yet"


# ---- the update -----------------------------------------------------------------------------------------------------


def watched(w: ml.Tensor, lr: float) -> None:
    w -= lr * w.grad


def uphill(w: ml.Tensor, lr: float) -> None:
    with ml.no_grad():
        w += lr * w.grad


def without_lr(w: ml.Tensor, lr: float) -> None:
    with ml.no_grad():
        w -= w.grad


def hidden(w: ml.Tensor, lr: float) -> None:
    memory = w.data
    memory -= lr * w.grad


def renamed(w: ml.Tensor, lr: float) -> None:
    w = w - lr * w.grad


def into_the_gradient(w: ml.Tensor, lr: float) -> None:
    w.grad *= lr


def assigned(w: ml.Tensor, lr: float) -> None:
    w.data -= lr * w.grad


def by_method(w: ml.Tensor, lr: float) -> None:
    with ml.no_grad():
        w.sub_(w.grad, alpha=lr)


def by_index(w: ml.Tensor, lr: float) -> None:
    with ml.no_grad():
        w[...] = w - lr * w.grad


@pytest.mark.parametrize("update", [by_method, by_index])
def test_other_ways_to_update_are_as_good(update: Callable[[ml.Tensor, float], None]) -> None:
    assert lesson.check_update(update).done


def twice(w: ml.Tensor, lr: float) -> None:
    right.update(w, lr)
    right.update(w, lr)


def released(w: ml.Tensor, lr: float) -> None:
    right.update(w, lr)
    w.requires_grad_(False)


@pytest.mark.parametrize(
    ("update", "state", "told"),
    [
        (watched, "not yet", "with ml.no_grad():"),
        (uphill, "not yet", "you went uphill"),
        (without_lr, "not yet", "you left out lr"),
        (hidden, "not yet", "written through .data"),
        (assigned, "not yet", "written through .data"),
        (renamed, "not written yet", "inside a function only renames"),
        (into_the_gradient, "not yet", "The gradient is subtracted from w."),
        (twice, "not yet", "With gradient [2, 4] and lr 0.25 it should be [0.5, 1]"),
        (released, "not yet", "the next backward() would pass it by"),
        (lambda w, lr: 1 / 0, "not yet", "your update stops with ZeroDivisionError"),
    ],
)
def test_an_update_by_hand(update: Callable[[ml.Tensor, float], None], state: str, told: str) -> None:
    verdict = lesson.check_update(update)
    assert verdict.state == state
    assert told in verdict.text
