"""What Moodle, Canvas and Gradescope hand over for download: one student each, under the right name, nobody merged."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from pathlib import Path

import pytest

from minitorch_lab.grade import Isolation
from minitorch_lab.grade.class_run import write_results
from minitorch_lab.grade.exports import canvas, moodle_worksheet
from minitorch_lab.grade.forget import forget
from minitorch_lab.grade.gradebook import Entry, read_pieces
from minitorch_lab.grade.inputs import Collected, Look, collect
from minitorch_lab.grade.journal import Journal
from minitorch_lab.grade.result import CheckResult, ExerciseResult, Result

LESSON = "03_backward"
WEAK = Isolation("weak", ("process",))


def look(content: bytes) -> Look:
    """A notebook says its lesson and how many exercises it answers: "03_backward 2"."""
    lesson, _, answered = content.decode().partition(" ")
    return Look(lesson, int(answered or 0))


def collected(folder: Path, **files: str) -> Collected:
    """What is found of these files, given by paths with spaces for the names' slashes."""
    return collect([put(folder, **files)], f"{LESSON}.ipynb", look, ["04_forward_and_reverse"])


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def scores(found: Collected) -> list[Entry]:
    """Entries in which everybody who has a notebook has 5 points, and nobody else has a score."""
    exercise = ExerciseResult("walk", (CheckResult("it walks", 5.0, "passed"),))

    def result(student: str, problem: str) -> Result:
        status = "unreadable" if problem else "graded"
        return Result(LESSON, status, (exercise,), WEAK, student, "", "", problem=problem or None)

    return [
        Entry(s.student, result(s.student, s.problem), s.refused, s.file, s.note, account=s.account)
        for s in found.submissions
    ]


# ---- Moodle ---------------------------------------------------------------------------------------------------------

SHEET = """Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade),Feedback comments
Participant 12345,Ada Lovelace,Submitted,,5.00,Yes,-,
Participant 12346,Bob Bell,Submitted,,5.00,Yes,-,
"""


@pytest.mark.parametrize("end", ["_", ""])  # as older and newer versions of Moodle write it
def test_files_and_online_text_of_moodle_are_one_student_with_one_score(tmp_path: Path, end: str) -> None:
    ada, bob = "Ada Lovelace_12345_assignsubmission", "Bob Bell_12346_assignsubmission"
    found = collected(
        tmp_path,
        **{
            f"{ada}_file{end}/{LESSON}.ipynb": f"{LESSON} 4",
            f"{ada}_onlinetext{end}/onlinetext.html": "<p>Here it is.</p>",
            f"{bob}_onlinetext{end}/onlinetext.html": "<p>I was ill.</p>",
        },
    )
    assert [(each.student, each.refused) for each in found.submissions] == [
        ("Ada Lovelace", ""),
        ("Bob Bell", f"no notebook, but {bob}_onlinetext{end}/onlinetext.html"),
    ]
    made = moodle_worksheet(scores(found), LESSON, SHEET)
    assert [row[3] for row in csv.reader(io.StringIO(made.text))] == ["Grade", "5", ""]
    assert (made.missing, made.notes) == ([], [])


def test_moodle_without_folders_has_one_student_s_files_beside_each_other(tmp_path: Path) -> None:
    ada = "Ada Lovelace_12345_assignsubmission"
    found = collected(
        tmp_path,
        **{
            f"{ada}_file_old.ipynb": f"{LESSON} 4",
            f"{ada}_file_{LESSON}.ipynb": f"{LESSON} 4",
            f"{ada}_onlinetext_onlinetext.html": "",
            f"Ada Lovelace_12346_assignsubmission_file_{LESSON}.ipynb": f"{LESSON} 1",
        },
    )
    one, two = found.submissions
    assert (one.student, two.student) == ("Ada Lovelace (12345)", "Ada Lovelace (12346)")
    counts = f"{ada}_file_{LESSON}.ipynb"
    assert (one.file, one.note) == (counts, f"2 notebooks; {counts} counts: it has the name of the lesson")
    assert (two.account, two.note) == ("Moodle 12346", "")


# ---- Canvas ---------------------------------------------------------------------------------------------------------

ROSTER = """Student,ID,SIS User ID,SIS Login ID,Section,Lesson 3 (4711)
    Points Possible,,,,,5
"Lovelace, Ada",12345,S1,ada,A,
"Bell, Bob",12346,S2,bob,A,
"""


def test_several_files_of_canvas_are_one_student_s_and_the_newest_counts(tmp_path: Path) -> None:
    found = collected(
        tmp_path,
        **{
            f"adalovelace_LATE_12345_67890_{LESSON}.ipynb": f"{LESSON} 4",
            f"adalovelace_LATE_12345_67891_{LESSON}-1.ipynb": f"{LESSON} 4",
            "adalovelace_LATE_12345_67889_notes.pdf": "",
            "adalovelace_LATE_12345_text.html": "",
            f"bobbell_12346_67892_{LESSON}.ipynb": f"{LESSON} 4",
        },
    )
    ada, bob = found.submissions
    newest = f"adalovelace_LATE_12345_67891_{LESSON}-1.ipynb"
    assert (ada.file, ada.note) == (newest, f"2 notebooks; {newest} counts: by its number it is the newest")
    assert bob.note == ""
    made = canvas(scores(found), LESSON, ROSTER, "Lesson 3")
    assert [(row[1], row[-1]) for row in csv.reader(io.StringIO(made.text))][2:] == [("12345", "5"), ("12346", "5")]
    assert (made.missing, made.notes) == ([], [])


def test_two_downloads_of_canvas_in_one_folder_and_another_lesson_beside_it(tmp_path: Path) -> None:
    found = collected(
        tmp_path,
        **{
            f"adalovelace_12345_67890_{LESSON}.ipynb": f"{LESSON} 4",
            f"adalovelace_LATE_12345_167890_{LESSON}.ipynb": f"{LESSON} 4",
            f"bobbell_12346_67892_{LESSON}.ipynb": f"{LESSON} 4",
            "bobbell_12346_67893_04_forward_and_reverse.ipynb": "",
        },
    )
    ada, bob = found.submissions
    assert ada.file == f"adalovelace_LATE_12345_167890_{LESSON}.ipynb"
    assert ada.note.endswith("counts: by its number it is the newest")
    assert bob.file == f"bobbell_12346_67892_{LESSON}.ipynb"
    assert bob.note.endswith("counts: it is of the lesson")


def test_odd_names_are_joined_where_the_folder_is_clearly_canvas_s(tmp_path: Path) -> None:
    found = collected(
        tmp_path,
        **{
            f"adalovelace_12345_67890_{LESSON}.ipynb": f"{LESSON} 4",
            f"bobbell_12346_67892_{LESSON}.ipynb": f"{LESSON} 4",
            "eve_12347_67893_final.ipynb": f"{LESSON} 4",
            "eve_12347_67894_helper.py": "",
        },
    )
    assert [each.student.partition("_")[0] for each in found.submissions] == ["adalovelace", "bobbell", "eve"]


TEACHERS = {
    "term, year, number, name": [f"ws25_2025_{k}_{name}" for k, name in ((101, "ada"), (102, "bob"), (103, "eve"))],
    "with long numbers": [f"autumn_2025_{k}_ada" for k in (1234567, 1234568)],
    "term, year, number, lesson": [f"ws25_2025_{k}_{LESSON}" for k in (1234567, 1234568)],
    "without digits in the term": [f"autumn_2025_{k}_{LESSON}" for k in (1234567, 1234568)],
    "the number of a course": [f"cs_15213_{k}_{LESSON}" for k in (1234567, 1234568, 1234569)],
    "the number of a course, of two": [f"cs_15213_{k}_{LESSON}" for k in (1234567, 1234568)],
    "as the last one, and odd": [f"cs_15213_{k}_{LESSON}-{k % 5}" for k in range(1234567, 1234570)],
    "with one lesson's name": ["cs_15213_1234567_ada", "cs_15213_1234568_bob", f"CS_15213_1234569_{LESSON}"],
    "small ids": [f"ada_7_{k}_{LESSON}" for k in (1, 2)],
    "two who have one id": [f"ada_12345_67890_{LESSON}", f"bob_12345_67891_{LESSON}"],
}


@pytest.mark.parametrize("names", TEACHERS.values(), ids=TEACHERS)
def test_a_teacher_s_own_names_are_never_merged(tmp_path: Path, names: list[str]) -> None:
    found = collected(tmp_path, **{f"{name}.ipynb": f"{LESSON} 4" for name in names})
    assert [each.student for each in found.submissions] == sorted(names)


# ---- where they lie -------------------------------------------------------------------------------------------------

CLASSES = {
    "moodle": {f"{name}_1234{k}_assignsubmission_file_/w.ipynb": f"{LESSON} 4" for k, name in enumerate(("Ada", "Bo"))},
    "canvas": {f"{name}_1234{k}_6789{k}_{LESSON}.ipynb": f"{LESSON} 4" for k, name in enumerate(("ada", "bo"))},
    "gradescope": {
        "submission_1/w.ipynb": f"{LESSON} 4",
        "submission_2/w.ipynb": f"{LESSON} 4",
        "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Ada\n",
    },
}


@pytest.mark.parametrize("packed", [None, "flat.zip", "folder.zip", "folder.tar.gz"])
@pytest.mark.parametrize("system", CLASSES)
def test_a_download_in_a_folder_is_a_class_and_no_student(tmp_path: Path, system: str, packed: str | None) -> None:
    put(tmp_path / "work" / "class", **CLASSES[system])
    put(tmp_path / "in", **{"roster.csv": "a", ".DS_Store": ""})
    if packed is None:
        (tmp_path / "work" / "class").rename(tmp_path / "in" / "class")
    else:
        stem, _, ending = packed.partition(".")
        top = tmp_path / "work" / ("class" if stem == "flat" else "")
        shutil.make_archive(str(tmp_path / "in" / stem), "gztar" if ending == "tar.gz" else "zip", top)
    alone = collect([put(tmp_path / "alone", **CLASSES[system])], f"{LESSON}.ipynb", look).submissions
    found = collected(tmp_path / "in")
    assert [each.student for each in found.submissions] == [each.student for each in alone]
    assert all(not each.refused and " notebooks; " not in each.note for each in found.submissions)
    top = packed or "class"
    assert {piece.path for piece in found.pieces} == {
        *(f"{top}/{name}" for name in CLASSES[system]), "roster.csv", ".DS_Store",
    }  # fmt: skip


def test_who_is_in_a_download_in_a_folder_is_forgotten(tmp_path: Path) -> None:
    put(tmp_path / "in" / "class", **CLASSES["moodle"])
    found = collected(tmp_path / "in")
    with Journal(tmp_path / "out/journal.jsonl"):
        write_results("autumn", scores(found), tmp_path / "out", found.pieces)
    forget(found.submissions[0].student, tmp_path / "out")
    assert [piece.path for piece in read_pieces(tmp_path / "out/results.json")] == [
        "class/Bo_12341_assignsubmission_file_/w.ipynb"
    ]


@pytest.mark.parametrize("system", CLASSES)
def test_a_student_hands_in_nothing_in_the_name_of_others(tmp_path: Path, system: str) -> None:
    put(tmp_path / "in/mallory", **CLASSES[system])
    put(tmp_path / "work", **CLASSES[system])
    shutil.make_archive(str(tmp_path / "in/eve"), "zip", tmp_path / "work")
    found = collected(tmp_path / "in", **{"Ada_12340_assignsubmission_file_/w.ipynb": f"{LESSON} 4"}).submissions
    assert {each.student for each in found} == {"Ada", "eve", "mallory"}


def test_two_downloads_in_one_folder_are_two_classes(tmp_path: Path) -> None:
    put(tmp_path / "in/one", **CLASSES["moodle"])
    put(tmp_path / "in/two", **CLASSES["canvas"])
    assert len(collected(tmp_path / "in").submissions) == 4


def test_what_tools_leave_and_what_cannot_be_unpacked_is_no_class(tmp_path: Path) -> None:
    put(tmp_path / "in/__MACOSX", **{"._Ada_1234_assignsubmission_file_": "", "._Bo_1235_assignsubmission_file_": ""})
    with zipfile.ZipFile(tmp_path / "in/ada.zip", "w") as made:
        made.writestr("Ada_1234_assignsubmission_file_/w.ipynb", "")
        made.writestr("../w.ipynb", "")
    (ada,) = collected(tmp_path / "in").submissions
    assert (ada.student, ada.refused.partition("'")[0]) == ("ada", "ada.zip has an entry named ")


@pytest.mark.parametrize("name", ["class/{}/w.ipynb", "class/{}.ipynb", "a class/{}.ipynb"])
@pytest.mark.parametrize("count", [2, 3])
def test_what_may_be_a_class_under_one_name_is_asked(tmp_path: Path, count: int, name: str) -> None:
    files = {name.format(each): f"{LESSON} 4" for each in ("ada", "bob", "eve")[:count]}
    (only,) = collected(tmp_path, **files).submissions
    asked = "3 of them have names of their own: if that is a class, give this folder itself"
    assert (asked in only.note) == (count == 3)


# ---- Blackboard -----------------------------------------------------------------------------------------------------


def test_all_attempts_on_blackboard_are_one_student_s_and_the_newest_counts(tmp_path: Path) -> None:
    first, second = (f"Lesson 3_adal_attempt_2026-11-01-{hour}-30-00" for hour in ("09", "12"))
    found = collected(
        tmp_path,
        **{
            f"{first}_{LESSON}.ipynb": f"{LESSON} 4", f"{first}.txt": "", f"{second}_{LESSON}.ipynb": f"{LESSON} 4",
            f"{second}.txt": "", f"Lesson 3_bobb_attempt_2026-11-01-09-30-00_{LESSON}.ipynb": f"{LESSON} 4",
        },
    )  # fmt: skip
    ada, bob = found.submissions
    newest = f"{second}_{LESSON}.ipynb"
    assert (ada.file, ada.note) == (newest, f"2 notebooks; {newest} counts: by its number it is the newest")
    assert (ada.student, bob.student, bob.note) == ("adal", "bobb", "")


# ---- how people are called ------------------------------------------------------------------------------------------

IDS = ["99_900001", "12_90001", "123_9001", "1234_9001", "12345_901", "1_2", "123_90001"]


@pytest.mark.parametrize("ids", IDS)
def test_ids_of_any_length_are_known_by_the_whole_folder(tmp_path: Path, ids: str) -> None:
    user, file = map(int, ids.split("_"))
    found = collected(
        tmp_path,
        **{
            f"ada_{user}_{file}_{LESSON}.ipynb": f"{LESSON} 4",
            f"ada_LATE_{user}_{file + 1}_{LESSON}-1.ipynb": f"{LESSON} 4",
            f"bob_{user + 1}_{file + 2}_{LESSON}.ipynb": f"{LESSON} 4",
            f"zoe_{user + 2}_text.html": "",
        },
    )
    ada, bob, zoe = found.submissions
    newest = f"ada_LATE_{user}_{file + 1}_{LESSON}-1.ipynb"
    assert (ada.student, ada.account, ada.file) == ("ada", f"Canvas {user}", newest)
    assert (bob.student, bob.note, zoe.student, zoe.problem) == ("bob", "", "zoe", "no notebook")


def test_one_user_twice_is_told_where_it_is_not_clear(tmp_path: Path) -> None:
    one, two = f"ada_7_1_{LESSON}", f"ada_7_2_{LESSON}"
    found = collected(tmp_path, **{f"{name}.ipynb": f"{LESSON} 4" for name in (one, two)}).submissions
    assert [each.note for each in found] == [f"may be the same person as {two!r}", f"may be the same person as {one!r}"]


def test_two_of_one_name_have_their_numbers(tmp_path: Path) -> None:
    names = [f"ada_12345_67890_{LESSON}", f"ada_12346_67891_{LESSON}", f"eve_12347_67892_{LESSON}"]
    found = collected(tmp_path, **{f"{name}.ipynb": f"{LESSON} 4" for name in names}, **{"eve/w.ipynb": f"{LESSON} 4"})
    assert [each.student for each in found.submissions] == ["ada (12345)", "ada (12346)", "eve", "eve (12347)"]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Ada L_7_assignsubmission_file_", "Ada L"), ("Lesson 3_a_bell_attempt_2026-11-01-09-30-00_w.ipynb", "a_bell"),
        ("ada_9_12_w.ipynb", "ada"),
    ],
)  # fmt: skip
def test_one_of_a_class_that_is_given_alone_has_the_same_name(tmp_path: Path, name: str, student: str) -> None:
    put(tmp_path, **{
        "Ada L_7_assignsubmission_file_/w.ipynb": LESSON,
        "Lesson 3_a_bell_attempt_2026-11-01-09-30-00_w.ipynb": LESSON,
        "Lesson 3_jdoe_attempt_2026-11-01-09-30-00_w.ipynb": LESSON,
        **{f"{who}_{k}_{k + 3}_{LESSON}.ipynb": LESSON for k, who in enumerate(("bob", "eve", "zoe", "kim", "lea"))},
        "ada_9_12_w.ipynb": LESSON,
    })  # fmt: skip
    (found,) = collect([tmp_path / name], f"{LESSON}.ipynb", look, known=["Ada L"]).submissions
    assert (found.student, found.refused) == (student, "")


def test_a_folder_in_which_a_lesson_lies_is_a_student_and_no_class(tmp_path: Path) -> None:
    beside = {"s15/helpers.py": "", "s15/data/a.csv": "", f"{LESSON}.ipynb": LESSON}
    put(tmp_path, **{f"s15/{LESSON}.ipynb": LESSON}, **beside)
    names = [(each.student, each.note) for each in collected(tmp_path / "s15").submissions]
    assert names == [("s15", "")]
    (found,) = collect([tmp_path / f"{LESSON}.ipynb"], f"{LESSON}.ipynb", look).submissions
    assert (found.student, found.note) == (LESSON, "called after the file: give the folder that has the student's name")
