"""The checks of 01: typical wrong answers are told what they believed."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons.lesson_01_strides import strides as lesson
from minitorch_lab.lessons.lesson_01_strides.layout import as_strided, row_major
from tests.notebooks.solutions import s01_tensors_and_strides as right


def dot(index: Any, stride: Any) -> int:
    return sum(i * s for i, s in zip(index, stride, strict=True))


def test_the_right_answers_are_done() -> None:
    assert lesson.check_address(right.address).done
    assert lesson.check_permuted(right.permuted).done
    assert lesson.check_mirrored(right.mirrored).done
    assert lesson.check_copies(right.copies).done
    assert lesson.check_snapshots(right.snapshots).done


def test_other_right_ways_are_done() -> None:
    assert lesson.check_permuted(lambda shape, stride, dims: [[shape[d] for d in dims], [stride[d] for d in dims]]).done
    assert lesson.check_mirrored(lambda x: x.as_strided(x.shape[::-1], x.stride()[::-1], x.storage_offset())).done


@pytest.mark.parametrize(
    "mirrored",
    [
        lambda x: x.T, lambda x: x.mT, lambda x: x.t(), lambda x: x.transpose(0, 1), lambda x: x.permute(1, 0),
        lambda x: x.swapaxes(0, 1), lambda x: ml.movedim(x, 0, 1), lambda x: ml.einsum("ij->ji", x), ml.t,
        lambda x: getattr(x, "trans" + "pose")(0, 1), attrgetter("T"), ml.vmap(lambda row: row, out_dims=1),
    ],
)  # fmt: skip
def test_what_the_exercise_forbids_is_forbidden_under_every_name(mirrored: Callable[..., Any]) -> None:
    assert ".T, transpose and permute are one op under many names" in lesson.check_mirrored(mirrored).text


@pytest.mark.parametrize(
    ("address", "told"),
    [
        (lambda i, s, o: dot(i, s), "x[1, 1:] starts further on: where is the offset?"),
        (lambda i, s, o: o + dot(i, s[::-1]), "the first index goes with the first stride"),
        (lambda i, s, o: 8 * (o + dot(i, s)), "these are bytes."),
        (lambda i, s, o: o + dot([k + 1 for k in i], s), "you count from 1."),
        (lambda i, s, o: o + sum(i), "a step along an axis is as long as its stride"),
        (lambda i, s, o: 7, "address((0, 0), (3, 1), 0) gives 7; it is 0."),
        (lambda i, s, o: i[2] * s[2], "stops with IndexError: tuple index out of range"),
    ],
)
def test_addresses(address: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_address(address)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_address_without_code_waits() -> None:
    assert lesson.check_address(lambda i, s, o: None).state == "not written yet"


def lengths(shape: Any, dims: Any) -> tuple[int, ...]:
    return tuple(shape[d] for d in dims)


@pytest.mark.parametrize(
    ("permuted", "told"),
    [
        (lambda n, s, d: (lengths(n, d), row_major(lengths(n, d))), "as if permute moved the entries"),
        (lambda n, s, d: (lengths(n, d), s), "the lengths moved and the strides stayed."),
        (lambda n, s, d: (n, lengths(s, d)), "the strides moved and the lengths stayed."),
        (lambda n, s, d: right.permuted(n, s, [d.index(k) for k in range(len(d))]), "the permutation backwards"),
        (lambda n, s, d: (n, s), "it is ((1, 3, 4, 2), (24, 4, 1, 12))."),
    ],
)
def test_permutations(permuted: Callable[..., Any], told: str) -> None:
    assert told in lesson.check_permuted(permuted).text


@pytest.mark.parametrize(
    ("mirrored", "told"),
    [
        (lambda x: None, "mirrored returns None so far."),
        (lambda x: x[1:], "the result is a tensor of shape (2, 3) and should have the shape (3, 3): rows become"),
        (lambda x: x.tolist(), "the result is a list"),
        (lambda x: x.T.clone(), "the numbers are right, but they were copied."),
        (lambda x: x.reshape(x.shape[::-1]), "for a (3, 3) matrix, the entries still come in the order of x."),
        (
            lambda x: as_strided(x, x.shape[::-1], x.stride()),
            "That is a reshape: the strides have to change places too.",
        ),
        (
            lambda x: as_strided(x, x.shape[::-1], x.stride()[::-1]),
            "for its part [1:, 1:], the view starts in cell 0, but x starts in cell 5.",
        ),
        (lambda x: as_strided(x, x.shape[::-1], (2, 2)), "which of its steps leads to the next row"),
        (lambda x: as_strided(x, x.shape[::-1], (9, 9)), "stops with ShapeError: as_strided got shape (3, 3)"),
    ],
)
def test_transposed_views(mirrored: Callable[..., Any], told: str) -> None:
    assert told in repr(lesson.check_mirrored(mirrored))


@pytest.mark.parametrize("text", lesson.CANDIDATES)
def test_view_or_copy(text: str) -> None:
    verdict = lesson.check_copies({**right.copies, text: not right.copies[text]})
    assert verdict.state == "not yet"
    assert verdict.text == f"1 of 8 are the other way round. {text}: {lesson.CANDIDATES[text][1]}"


def test_open_answers_wait() -> None:
    assert repr(lesson.check_copies({**right.copies, "x.T": None})) == "not written yet: 1 of 8 answers are still None."
    assert lesson.check_copies({}).text == "8 of 8 answers are still None."


def kept(change: Callable[[Any], Any], keep: Callable[[Any], Any]) -> Callable[[Any, int], Any]:
    def snapshots(w: Any, steps: int) -> Any:
        found = []
        for _ in range(steps):
            w = change(w)
            found.append(keep(w))
        return found

    return snapshots


def in_place(w: Any) -> Any:
    w += 1
    return w


@pytest.mark.parametrize(
    ("snapshots", "told"),
    [
        (
            kept(in_place, lambda w: w),
            "not written yet: all 3 snapshots show [3.0, 3.0], though step 1 left [1.0, 1.0].",
        ),
        (kept(in_place, lambda w: w.detach()), "A view or detach() of w is a new tensor over the same memory."),
        (kept(in_place, lambda w: w[:]), "A view or detach() of w"),
        (kept(lambda w: w + 1, lambda w: w), "the caller's w is still 0."),
        (kept(in_place, lambda w: w * 2), "the snapshots show [[2.0, 2.0], [4.0, 4.0], [6.0, 6.0]]"),
        (kept(in_place, lambda w: w.tolist()), "It gives a list of 3 tensors"),
        (lambda w, steps: None, "It gives a list of 3 tensors"),
        (lambda w, steps: w.nothing, "stops with AttributeError"),
    ],
)
def test_snapshots(snapshots: Callable[..., Any], told: str) -> None:
    assert told in repr(lesson.check_snapshots(snapshots))


def test_a_view_by_its_numbers() -> None:
    x = ml.arange(12).reshape(3, 4)
    part = as_strided(x[1:], shape=(2, 3), stride=(1, 4), offset=1)
    assert part.tolist() == [[1, 5, 9], [2, 6, 10]]
    assert (part.stride(), part.storage_offset()) == ((1, 4), 1)
    part += 100
    assert x[0].tolist() == [0, 101, 102, 3]
    assert (x._version, part._version) == (1, 1)


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        (((3,), (1, 1), 0), "There is one step per axis"),
        (((3,), (-1,), 2), "Did you mean stride=(1,)?"),
        (((4,), (3,), 3), "Its last entry would lie in cell 12, and the memory ends with cell 11."),
    ],
)
def test_views_that_cannot_be(numbers: tuple[Any, Any, int], told: str) -> None:
    with pytest.raises(ml.errors.ShapeError, match="as_strided got shape") as raised:
        as_strided(ml.arange(12), *numbers)
    assert told in str(raised.value)
