"""What a folder of results holds stays there when one student, or another lesson, is graded into it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import Course, Isolation, LessonFiles, Limits, class_run
from minitorch_lab.grade.class_run import Marking, grade_class, looking
from minitorch_lab.grade.gradebook import read_pieces, read_results
from minitorch_lab.grade.inputs import Look
from minitorch_lab.grade.journal import Journal
from minitorch_lab.grade.kept import Graded
from minitorch_lab.grade.result import CheckResult, ExerciseResult, Result
from tests.grade.course import IMPORTS, SOLUTIONS, STARTERS, judge
from tests.grade.notebooks import code, notebook, write

WEAK = Isolation("weak", ("process",))
LESSONS = ("01_tensors", "03_backward")
Grade = Callable[..., Graded]


def look(_: Course, lesson: str | None) -> Callable[[bytes], Look]:
    """A notebook says its lessons: "03_backward and 01_tensors"."""

    def seen(content: bytes) -> Look:
        first, *others = content.decode().partition("#")[0].split(" and ")
        return Look(lesson or first, 1, () if lesson else tuple((each, 1) for each in others))

    return seen


def at_once(work: Mapping[str, bytes], job: Marking, journal: Journal, *_: object) -> None:
    """Stands for the workers: as many points as there are marks in the notebook."""
    for key, content in work.items():
        text = content.decode()
        check = CheckResult("it walks", 5.0, "passed" if "#" in text else "failed")
        lesson = job.lesson or text.partition("#")[0].partition(" and ")[0]
        exercises, hashed = (ExerciseResult("walk", (check,)),), sha256(content).hexdigest()
        result = Result(lesson, "graded", exercises, WEAK, hashed, "d", "")
        if key not in journal:
            journal.append(key, result.record())


@pytest.fixture
def grade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Grade:
    monkeypatch.setattr(class_run, "grade_all", at_once)
    monkeypatch.setattr(class_run, "looking", look)

    def call(*inputs: Path, lesson: str | None = None, course: str = "autumn", **options: Any) -> Graded:
        made: Any = SimpleNamespace(name=course, path=tmp_path, digest="d", lessons=dict.fromkeys(LESSONS))
        return grade_class(inputs, made, lesson, tmp_path / "out", WEAK, lambda: pytest.fail("no cluster"), **options)

    return call


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def scores(out: Path) -> dict[tuple[str, str], float | None]:
    return {e.key: e.score for e in read_results(out / "results.json")[1]}


def test_one_student_is_graded_anew_under_their_name_and_the_class_stays(grade: Grade, tmp_path: Path) -> None:
    last = LESSONS[1]
    place = put(tmp_path / "in", **{f"s{k} a (b)/{last}.ipynb": f"{last}#{k}" for k in range(3)})
    grade(place, lesson=last)
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    put(place, **{f"s1 a (b)/{last}.ipynb": last})
    done = grade(place / "s1 a (b)", lesson=last)
    assert scores(tmp_path / "out") == {("s0 a (b)", last): 5, ("s1 a (b)", last): 0, ("s2 a (b)", last): 5}
    assert [e.student for e in done.now] == ["s1 a (b)"]
    assert done.told == [f"Kept from before: 2 results (s0 a (b) in {last}, s2 a (b) in {last})."]
    assert {path for path in (tmp_path / "out").rglob("*") if path.is_file()} == {*before}
    put(place, **{f"s1 a (b)/{last}.ipynb": f"{last}#1"})
    grade(place / "s1 a (b)" / f"{last}.ipynb", lesson=last)
    assert len(scores(tmp_path / "out")) == 3
    pieces = read_pieces(tmp_path / "out/results.json")
    assert sorted(piece.kind for piece in pieces) == ["graded", "graded", "graded", "passed over"]
    grade(place, lesson=last)
    assert set(scores(tmp_path / "out").values()) == {5}


def test_another_lesson_stands_beside_the_first_and_grading_again_changes_nothing(grade: Grade, tmp_path: Path) -> None:
    found: dict[Path, bytes] = {}
    for _ in range(2):
        for lesson in LESSONS:
            grade(put(tmp_path / lesson, **{"ada/work.ipynb": f"{lesson}#", "bob/work.ipynb": lesson}), lesson=lesson)
        found = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
        assert scores(tmp_path / "out") == {
            ("ada", LESSONS[0]): 5, ("ada", LESSONS[1]): 5, ("bob", LESSONS[0]): 0, ("bob", LESSONS[1]): 0,
        }  # fmt: skip
        assert len(read_pieces(tmp_path / "out/results.json")) == 4
    grade(tmp_path / LESSONS[1], lesson=LESSONS[1])
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == found
    for folder in ("gradescope", "report/students"):
        assert len(list((tmp_path / "out" / folder).iterdir())) == 4


def test_results_of_another_course_are_given_up_only_when_that_is_said(grade: Grade, tmp_path: Path) -> None:
    place = put(tmp_path / "in", **{"ada.ipynb": LESSONS[0], "bob.ipynb": LESSONS[0]})
    grade(place)
    (place / "bob.ipynb").unlink()
    with pytest.raises(ArgumentError) as caught:
        grade(place, course="spring")
    assert str(caught.value) == (
        f"{tmp_path / 'out'} holds results that would be lost. "
        "These are of the course 'autumn', and this is 'spring'.\n"
        "  A folder of results is of one course: what is graded is added, or takes the place of what is graded anew.\n"
        "  Name another folder with --out, or say --replace, and what it holds is given up."
    )
    grade(place, course="spring", anew=True)
    assert scores(tmp_path / "out") == {("ada", LESSONS[0]): 0}


def test_two_people_of_one_name_in_two_downloads_stay_two(grade: Grade, tmp_path: Path) -> None:
    for number in (7, 8, 8):
        name = f"Ada Lovelace_{number}_assignsubmission_file_/w.ipynb"
        grade(put(tmp_path / f"group {number}", **{name: f"{LESSONS[0]}#{number}"}), lesson=LESSONS[0])
    assert [*scores(tmp_path / "out")] == [("Ada Lovelace", LESSONS[0]), ("Ada Lovelace (8)", LESSONS[0])]


def test_downloads_of_two_lessons_are_one_student_with_two_results(grade: Grade, tmp_path: Path) -> None:
    put(tmp_path / "in/one", **{"Ada L_7_assignsubmission_file_/w.ipynb": f"{LESSONS[0]}#"})
    put(tmp_path / "in/two", **{"Ada L_8_assignsubmission_file_/w.ipynb": f"{LESSONS[1]}#"})
    for inputs in ([tmp_path / "in"], [tmp_path / "in/one", tmp_path / "in/two"]):
        found = grade(*inputs, anew=True).entries
        assert [(e.student, e.result.lesson, e.account) for e in found] == [
            ("Ada L", LESSONS[0], "Moodle 7"), ("Ada L", LESSONS[1], "Moodle 8"),
        ]  # fmt: skip
    put(tmp_path / "in/two", **{"Ada L_8_assignsubmission_file_/w.ipynb": f"{LESSONS[0]}#2"})
    assert [e.student for e in grade(tmp_path / "in", anew=True).entries] == ["Ada L (7)", "Ada L (8)"]


def test_a_notebook_of_two_lessons_is_graded_in_both(grade: Grade, tmp_path: Path) -> None:
    found = grade(put(tmp_path / "in", **{"ada.ipynb": f"{LESSONS[0]} and {LESSONS[1]}#", "bob.ipynb": LESSONS[0]}))
    assert {e.key: (e.score, e.note) for e in found.entries} == {
        ("ada", LESSONS[0]): (5, f"the notebook holds {LESSONS[1]} too, which is graded as well"),
        ("ada", LESSONS[1]): (5, f"the notebook holds {LESSONS[0]} too, which is graded as well"),
        ("bob", LESSONS[0]): (0, ""),
    }
    assert [piece.kind for piece in found.pieces] == ["graded", "graded"]


def test_further_lessons_are_seen_by_their_ids_and_answers(tmp_path: Path) -> None:
    def cells(name: str, sources: Mapping[str, str]) -> list[dict[str, Any]]:
        return [IMPORTS, *(code(f"{name}{each}-exercise", source) for each, source in sources.items())]

    def files(name: str) -> LessonFiles:
        folder = tmp_path / (name or "a")
        folder.mkdir()
        asked = json.dumps(judge())
        for call in ("submission", "draw"):
            asked = asked.replace(f'{call}(\\"', f'{call}(\\"{name}')
        return LessonFiles(
            write(folder / "lesson.ipynb", notebook(*cells(name, STARTERS))),
            write(folder / "judge.ipynb", json.loads(asked)),
            write(folder / "solved.ipynb", notebook(*cells(name, SOLUTIONS))),
        )  # fmt: skip

    course = Course.create(tmp_path / "course", "two", {"01_a": files(""), "02_b": files("b")}, Limits())
    seen = looking(course, None)
    both = notebook(*cells("", SOLUTIONS), *cells("b", SOLUTIONS)[1:])
    found = seen(json.dumps(both).encode())
    assert (found.lesson, [name for name, answered in found.others if answered]) == ("01_a", ["02_b"])
    assert looking(course, "02_b")(json.dumps(both).encode()).others == ()
    for name, lesson in (("", "01_a"), ("b", "02_b")):
        assert seen(json.dumps(notebook(*cells(name, SOLUTIONS))).encode()) == Look(lesson, 3)
