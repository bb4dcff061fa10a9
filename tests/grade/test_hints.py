"""No hint reaches a student with holes in it, and none with words that are not the teacher's."""

from __future__ import annotations

import pytest

from minitorch_lab.grade import CheckResult, ExerciseResult, Isolation, Result
from minitorch_lab.grade.analysis import misconceptions
from minitorch_lab.grade.gradebook import Entry
from minitorch_lab.grade.hints import public_words, told
from minitorch_lab.grade.judge_source import judge_of
from minitorch_lab.grade.release import judged_lessons, room
from minitorch_lab.grade.sentences import HOLE
from minitorch_lab.grade.writing import judge_notebook
from tests.grade.answers import lesson


@pytest.mark.parametrize("name", judged_lessons())
def test_every_hint_of_every_judge_is_whole(name: str) -> None:
    judge, solutions = room("judges") / f"{name}.py", room("solutions") / f"s{name}.py"
    made = judge_notebook(judge.read_text("utf-8"), lesson(name), solutions.read_text("utf-8"))
    checks = judge_of(name, made, lesson(name)).checks
    assert not [check.hint for check in checks if HOLE in check.hint]
    for hint in {hint for check in checks for hint in check.hints}:
        said = f"{hint.replace(HOLE, '[1.5 -2]')} And more."
        full = told(hint, said, public_words())
        assert "".join(full.split()).startswith("".join(hint.replace(HOLE, "[1.5 -2]").split()))
        for lost in ("", hint.replace(HOLE, "cänary"), hint.replace(HOLE, "x\x1b[2J"), hint.replace(HOLE, "1" * 999)):
            shown = told(hint, lost, public_words())
            assert HOLE not in shown
            assert not {"cänary", "\x1b", "111"} & {shown, *shown.split()}
            assert shown in ("", hint) or len(shown) >= 18


@pytest.mark.parametrize(
    ("hint", "said", "shown"),
    [
        ("the root stands last.", "", "the root stands last."),
        ("for … rows you say …, not ….", "so: for 3 rows you say 1.5, not 4.8.", "for 3 rows you say 1.5, not 4.8."),
        ("for … rows you say …, and it is ….", "for 3 rows you say canary, and it is 48.", ""),
        ("… stops with …: …", "f stops with ValueError: canary", "f stops with ValueError."),
        ("… stops with …: …", "canary stops with ValueError: f", ""),
        ("…… gives …; it is ….", "f(2) gives 3; it is 4.", "f(2) gives 3; it is 4."),
        ("your list holds a …. It should hold nodes.", "your list holds a canary. It should hold nodes.",
            "It should hold nodes."),
        ("it is …", "it is 3.25 and no more", "it is 3.25 and no more"),
        ("it is …", "what else", ""),
    ],
)  # fmt: skip
def test_holes_are_filled_with_numbers_and_known_words_or_left_out(hint: str, said: str, shown: str) -> None:
    assert told(hint, said, {"f", "ValueError", "and", "no", "more"}) == shown


def test_what_fills_a_hole_does_not_part_those_who_believe_the_same() -> None:
    def wrong(number: int) -> Result:
        check = CheckResult("t", 1.0, "failed", f"you say {number}, and it is 48.", "you say …, and it is 48.")
        exercises = (ExerciseResult("rows", (check,)),)
        return Result("06", "graded", exercises, Isolation("weak", ()), "", "", "")

    entries = [Entry(str(i), wrong(number)) for i, number in enumerate((0, 1, 1))]
    read = [(hint, count) for hint, _, count in misconceptions(entries)]
    assert read == [("you say 1, and it is 48.", 3)]  # one belief, in the words that most have read
    assert Result.from_record(entries[0].result.record()) == entries[0].result
