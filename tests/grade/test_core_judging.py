"""Judging: hints, faults, drawn numbers, and the same record every time."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import Course, Isolation, Limits, Result, grade_one, probe, run
from minitorch_lab.grade.extract import Submitted, submitted
from minitorch_lab.grade.gradebook import Entry
from minitorch_lab.grade.judge.talk import Talk
from minitorch_lab.grade.one import judged
from minitorch_lab.grade.pages import notes, student_page
from tests.grade.course import CANARY, STARTERS, answered, judge, small_course
from tests.grade.notebooks import code, notebook, write

REGRADES = 6


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course(tmp_path_factory.mktemp("judging"), Limits())


@pytest.fixture(scope="module")
def isolation() -> Isolation:
    return probe()


def graded(folder: Path, course: Course, isolation: Isolation, **cells: str) -> Result:
    return grade_one(write(folder / "submission.ipynb", answered(**cells)), course, isolation=isolation)


def with_judge(course: Course, folder: Path, *sources: str) -> Course:
    """The course with another judge."""
    other = folder / "course"
    folder.mkdir(exist_ok=True)
    shutil.copytree(course.path, other)
    head = judge()["cells"][0]["source"]
    cells = [code(f"judge-{number}", source) for number, source in enumerate([head, *sources])]
    write(other / "judges" / "small.ipynb", notebook(*cells))
    return Course.load(other)


def test_the_solution_earns_everything_and_the_starter_nothing(
    course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    assert graded(tmp_path, course, isolation).score == 10
    assert graded(tmp_path, course, isolation, **STARTERS).score == 0


def test_a_misconception_is_named(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    result = graded(tmp_path, course, isolation, cube="def cube_rule(g, x):\n    return g * x**2")
    shown = result.feedback()["exercises"][1]["checks"]
    assert [check["hint"] for check in shown] == ["The factor 3 is missing.", "It takes tensors, too."]
    assert (result.score, result.points) == (6, 10)


def test_an_error_is_told_by_its_class_and_line_and_never_in_the_student_s_own_words(
    course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    own = CANARY.replace("-", "_")
    mine = f"class {own}(KeyError): pass\n\nraise {own}('{CANARY}')"
    late = f"def softmax(x):\n    y = 0\n    return 1 / y  # {own}"
    result = graded(tmp_path, course, isolation, cube=mine, softmax=late, table="answers = {")
    assert (result.exercises[1].limit, result.exercises[1].ended) == ("error", own)
    assert [each["error"] for each in result.feedback()["exercises"]] == [
        "Your code stops with ZeroDivisionError in line 3 of the exercise's cell.",
        "Your code stops with KeyError in line 3 of the exercise's cell.",
        "Your code stops with SyntaxError in line 1 of the exercise's cell.",
    ]
    for text in (json.dumps(result.feedback()), student_page("ada", result.feedback())):
        assert own not in text
        assert CANARY not in text
    assert "ZeroDivisionError in line 3" in student_page("ada", result.feedback())


@pytest.mark.parametrize(
    ("answer", "meant"),
    [("def Cube_rule(g, x):\n    return g", " (did you mean 'Cube_rule'?)"),
     ("def cube_rul(g, x):\n    return g", " (did you mean 'cube_rul'?)"), ("", ""), ("y = 1", "")],
)  # fmt: skip
def test_a_name_that_is_not_there_is_told_as_that(
    course: Course, isolation: Isolation, tmp_path: Path, answer: str, meant: str
) -> None:
    result = graded(tmp_path, course, isolation, cube=answer)
    assert (result.exercises[1].limit, result.exercises[1].raised) == ("undefined", None)
    assert result.feedback()["exercises"][1]["found"] == f"nothing called 'cube_rule' is defined here{meant}"
    assert result.exercises[1].found in "".join(notes(Entry("ada", result)))


def test_a_missing_cell_loses_its_exercise_only(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    book = answered()
    book["cells"] = [cell for cell in book["cells"] if cell["id"] != "cube-exercise"]
    result = grade_one(write(tmp_path / "submission.ipynb", book), course, isolation=isolation)
    assert (result.score, result.exercises[1].limit) == (6, "missing")


def test_the_same_submission_gives_the_same_record_under_load(
    course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    path = write(tmp_path / "submission.ipynb", answered(table="answers = {}"))
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: grade_one(path, course, isolation=isolation), range(REGRADES)))
    assert {json.dumps(result.record()) for result in results} == {json.dumps(results[0].record())}
    assert results[0].score == 9


# ---- the judge's own faults -----------------------------------------------------------------------------------------

ASK = 's = submission("cube")\nwith check("right", points=1, hint="-"):\n    '


def test_a_judge_that_breaks_gives_no_score(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    broken = with_judge(course, tmp_path, ASK + "assert s.cube_rule(1.0, 2.0) == no_such_name")
    result = graded(tmp_path, broken, isolation)
    assert (result.status, result.score) == ("fault", None)
    assert "no_such_name" in (result.fault or "")
    assert result.feedback()["exercises"] == []


def test_a_judge_that_never_reaches_a_check_gives_no_score(
    course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    broken = with_judge(
        course, tmp_path, 's = submission("cube")\n1 / 0\nwith check("right", points=1, hint="-"): pass'
    )
    assert graded(tmp_path, broken, isolation).status == "fault"


def test_a_judge_whose_kernel_dies_gives_no_score(
    course: Course, isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "LAST_WORDS", 3.0)  # it dies six times
    broken = with_judge(course, tmp_path, ASK + "import os; os._exit(0)")
    assert graded(tmp_path, broken, isolation).status == "fault"


@pytest.mark.parametrize("times", [1, 5])
def test_a_kernel_that_does_not_start_is_nobody_s_zero(
    times: int, course: Course, isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """nbval then reports every cell as failed, and comes to its end."""
    left = iter(range(times))
    started = run.thin

    def hindered(module: str) -> list[str]:
        command = started(module)
        if module.endswith("nbval_run") and next(left, None) is not None:
            command[-1] = command[-1].replace("main()", HINDRANCE)
        return command

    monkeypatch.setattr(run, "thin", hindered)
    result = graded(tmp_path, course, isolation)
    assert (result.status, result.score) == (("graded", 10) if times == 1 else ("fault", None))


HINDRANCE = """
import minitorch_lab.grade.nbval_run as run
def no_kernel(*_):
    def start(*_, **__):
        raise RuntimeError("Kernel didn't respond in 60 seconds")
    return start
run.handing_on = no_kernel
main()
"""


def test_what_goes_wrong_once_is_tried_again(
    course: Course, isolation: Isolation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[run.Run] = []

    def lost_once(*given: Any) -> run.Run:
        found = run.run_judge(*given)
        if not runs:
            found.cells = dict.fromkeys(found.cells, False)  # nbval missed its kernel's answers
        runs.append(found)
        return found

    monkeypatch.setattr("minitorch_lab.grade.one.run_judge", lost_once)
    result = graded(tmp_path, course, isolation)
    assert (result.status, result.score, len(runs)) == ("graded", 10, 2)


def test_a_lesson_whose_setup_breaks_gives_no_score(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    lesson = notebook(code("imports", "1 / 0"), *answered(**STARTERS)["cells"][1:])
    other = with_judge(course, tmp_path, ASK + "assert close(s.cube_rule(1.0, 2.0), 12.0)")
    write(other.path / "lessons" / "small.ipynb", lesson)
    result = graded(tmp_path, Course.load(other.path), isolation)
    assert (result.status, result.fault) == ("fault", "The setup did not run: ('ZeroDivisionError', 'ArithmeticError', "
        "'Exception', 'BaseException', 'object').\n  It is the lesson's.")  # fmt: skip


def test_an_answer_that_trips_the_judge_is_the_submission_s_fault(
    course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    careless = with_judge(course, tmp_path, ASK + "assert s.cube_rule(1.0, 2.0) + 1.0 == 13.0")
    assert graded(tmp_path, careless, isolation).score == 1
    result = graded(tmp_path, careless, isolation, cube='def cube_rule(g, x):\n    return "12"')
    assert (result.status, result.score) == ("graded", 0)


THROUGH = "s.code('def probe(f): return f(1.0, 2.0)').probe(s.cube_rule)"


@pytest.mark.parametrize("asked", ["s.cube_rule(1.0, 2.0)", THROUGH])
def test_a_limit_is_recorded_whoever_asks(course: Course, isolation: Isolation, tmp_path: Path, asked: str) -> None:
    other = with_judge(course, tmp_path, ASK + f"assert close({asked}, 12.0)")
    hurried = replace(other, lessons={k: replace(v, limits=Limits(call=0.5)) for k, v in other.lessons.items()})
    result = graded(tmp_path, hurried, isolation, cube="def cube_rule(g, x):\n    while True:\n        pass")
    assert (result.status, result.score) == ("graded", 0)
    assert [exercise.limit for exercise in result.exercises if exercise.name == "cube"] == ["call"]


NOISE = (
    "v = s.cube_rule(1.0, 2.0)\n    print('odd', file=sys.stderr) if v > 12 else None\n    print(v)\n    assert v >= 12"
)


def test_what_a_check_prints_of_an_answer_costs_nothing(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    chatty = with_judge(course, tmp_path, "import sys\n" + ASK + NOISE)
    result = graded(tmp_path, chatty, isolation, cube="def cube_rule(g, x):\n    return 12.5")
    assert (result.status, result.score) == ("graded", 1)


def test_an_error_without_a_class_is_no_answer() -> None:
    talk = object.__new__(Talk)
    talk.closed, talk.over, talk.tell = True, None, [].append
    for kinds in ([], ["x" * 101], ["E"] * 21, "E", [1], None):
        assert (talk.refused(kinds).limit, talk.over) == ("message", "message")
    assert talk.refused(["E", "Exception"]).kinds == ("E", "Exception")


def test_a_course_that_submissions_may_read_is_refused(
    course: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("minitorch_lab.grade.one.open_to_all", lambda: ("/usr", str(course.path.parent)))
    with pytest.raises(ArgumentError) as caught:
        grade_one(tmp_path / "s.ipynb", course, isolation=Isolation("strong", ("process", "landlock")))
    assert str(caught.value).splitlines() == [
        f"The course {course.path} lies in {course.path.parent}.",
        "  Python itself is there, so submissions may read it: the judges, the solutions and the secret too.",
        "  Move the course to a folder outside of it.",
    ]


def test_a_cell_that_nbval_does_not_pass_scores_nothing(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    skipped = with_judge(course, tmp_path, "# NBVAL_SKIP\n" + ASK + "pass")
    assert graded(tmp_path, skipped, isolation).status == "fault"
    raised = with_judge(course, tmp_path / "2", ASK + "pass\n1 / 0")
    assert graded(tmp_path, raised, isolation).status == "fault"


def test_a_hint_that_was_put_together_is_not_shown(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    source = (
        ASK.replace("):", ") as this:") + "this.hint = HIDDEN; this.title = 'right'; assert s.cube_rule(1.0, 2.0) == 1"
    )
    result = graded(tmp_path, with_judge(course, tmp_path, source), isolation)
    assert (result.status, result.exercises[0].checks[0].hint) == ("graded", "-")


# ---- drawn numbers --------------------------------------------------------------------------------------------------


def taken(course: Course, **cells: str) -> Submitted:
    return submitted(json.dumps(answered(**cells)).encode(), list(course.lessons.values()))


def test_drawn_numbers_depend_on_the_cells_and_on_nothing_else(course: Course) -> None:
    book = answered()
    book["metadata"] = {"another": "time"}
    odd = submitted(json.dumps(book, indent=4).encode(), list(course.lessons.values()))
    assert odd.digest == taken(course).digest
    assert odd.digest != taken(course, cube="def cube_rule(g, x): return 3 * g * x**2").digest


def test_a_key_is_the_submission_s_own(course: Course, isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[bytes] = []

    def seen(course: Course, taken: Submitted, key: bytes, isolation: Isolation) -> None:
        keys.append(key)
        raise NotImplementedError

    monkeypatch.setattr("minitorch_lab.grade.one.run_judge", seen)
    blank = Result("", "graded", (), isolation, "", "", "")
    for cells in (taken(course), taken(course), taken(course, table="answers = 1")):
        with pytest.raises(NotImplementedError):
            judged(course, cells, blank)
    first, again, other = keys
    assert first == again != other
    assert course.secret not in (first, other)


# ---- results --------------------------------------------------------------------------------------------------------


def test_a_result_can_be_read_back(course: Course, isolation: Isolation, tmp_path: Path) -> None:
    result = graded(tmp_path, course, isolation, softmax="")
    assert Result.from_record(json.loads(json.dumps(result.record()))) == replace(result, seconds=0.0)
    assert "seconds" not in result.record()


def test_a_record_of_another_schema_is_refused() -> None:
    with pytest.raises(ArgumentError, match="A result was read with the schema 'other'"):
        Result.from_record({"schema": "other"})


def test_a_lesson_that_is_not_there_is_refused(course: Course) -> None:
    with pytest.raises(ArgumentError, match="The course small has no lesson 'large'"):
        grade_one("x.ipynb", course, lesson="large", isolation=Isolation("weak", ("process",)))
