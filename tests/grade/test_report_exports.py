"""The forms of other course systems, beside what these say that they read (formats/)."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import jsonschema
import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.course_systems import pairs
from minitorch_lab.grade.exports import RUN, autograder, canvas, moodle_csv, moodle_worksheet, moodle_xml
from minitorch_lab.grade.gradebook import Entry, gradescope
from minitorch_lab.grade.nbgrader import Known, gather, known, nbgrader_csv
from tests.grade.test_report_gradebook import ADA, BOB, CLASS, CUT, ILL

HERE = Path(__file__).with_name("formats")
FORMS = json.loads((HERE / "columns.json").read_text())
LESSON = "03_backward"
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Lesson 3 (4711),Current Score
    Points Possible,,,,,5,(read only)
"Lovelace, Ada",101,S1,ada,A,,
"Bell, Bob",102,S2,b.bell@x.org,A,,
"Ill, I.",103,S3,ill,B,,
"""
MOODLE = """Identifier,Full name,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade),Feedback comments
Participant 7,Ada Lovelace,Submitted,,5.00,Yes,-,
Participant 8,Bob Bell,Submitted,1.00,5.00,Yes,-,kept
"""


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_canvas_gets_its_columns_its_points_and_its_students() -> None:
    bob = replace(BOB, student="bellbob_102_99_03_backward")
    made = canvas([ADA, bob, ILL, replace(CUT, student="nobody")], LESSON, CANVAS, "Lesson 3")
    head, points, *students = rows(made.text)
    assert head == [*FORMS["canvas"]["columns"], "Lesson 3 (4711)"]
    assert FORMS["canvas"]["second row"] in points[0]
    assert points[-1] == "5"
    assert [(row[1], row[-1]) for row in students] == [("101", "5"), ("102", "3")]  # an empty score would be a new one
    assert made.missing == ["nobody"]


@pytest.mark.parametrize(
    ("student", "number"),
    [("ada@uni.example", "101"), ("ADA", "101"), ("0101", "101"), ("Ada_Lovelace", "101"), ("bell, bob", "102")],
)
def test_one_student_is_found_however_they_are_written(student: str, number: str) -> None:
    made = canvas([replace(ADA, student=student)], LESSON, CANVAS)
    assert ([row[1] for row in rows(made.text)[2:]], made.missing) == ([number], [])


def test_two_of_one_name_are_not_guessed_at_and_nobody_else_waits_for_them() -> None:
    listed = CANVAS + '"Ada",104,S4,x,B,,\n"Ada",105,S5,y,B,,\n'
    made = canvas([replace(ADA, student="Ada"), BOB], LESSON, listed.replace(",ada,", ",lovelace,"))
    assert made.notes[0].startswith("Left out: Ada may be 2 students of the list: they have the same Student.")
    assert ([row[1] for row in rows(made.text)[2:]], made.written) == ([], 0)  # there is no bob either
    made = canvas([ADA, replace(BOB, student="Ada Lovelace")], LESSON, CANVAS)
    assert made.notes[0].startswith("Left out: 'ada' and 'Ada Lovelace' are one student of the list")
    with pytest.raises(ArgumentError, match="The list has no column 'ID'"):
        canvas([ADA], LESSON, "Student,Section\n")


def test_a_login_as_it_stands_is_nobody_elses() -> None:
    made = canvas([ADA], LESSON, CANVAS + '"Other, Ada",104,S4,ADA,B,,\n')
    assert ([row[1] for row in rows(made.text)[2:]], made.written, made.missing) == (["101"], 1, [])


def test_scores_are_scaled_to_what_the_course_system_counts_to() -> None:
    made = canvas([ADA, BOB], LESSON, CANVAS.replace(",,5,(", ",,100,(").replace("b.bell@x.org", "bob"), "Lesson 3")
    assert [row[-1] for row in rows(made.text)] == ["Lesson 3 (4711)", "100", "100", "60"]
    assert made.notes == ["The lesson has 5 points, the course system counts to 100: scores are scaled."]
    people = [replace(ADA, student="Ada Lovelace"), replace(BOB, student="Bob Bell")]
    sheet = MOODLE.replace(",,5.00,Yes", ",,100.00,Yes").replace("1.00,5.00,Yes", "1.00,5.00,No")
    made = moodle_worksheet(people, LESSON, sheet)
    assert [row[3] for row in rows(made.text)] == ["Grade", "100", "1.00"]
    assert (made.written, len(made.notes), "lets nobody change" in made.notes[0]) == (1, 2, True)


def test_a_new_assignment_is_said_with_those_that_are_there() -> None:
    said = canvas([ADA], LESSON, CANVAS, "Leson 3").notes
    assert said == ["Canvas has no assignment 'Leson 3' and will make a new one; it has Lesson 3 (4711)."]


def test_moodles_worksheet_comes_back_with_its_grades_and_as_it_was() -> None:
    bob = replace(BOB, student="Bob Bell")
    made = moodle_worksheet([replace(ADA, student="Ada Lovelace_7_assignsubmission_file_"), bob], LESSON, MOODLE)
    assert {*FORMS["moodle worksheet"]["columns"]} <= {*rows(made.text)[0]}
    wanted = MOODLE.replace("Submitted,,", "Submitted,5,").replace("1.00", "3")
    assert rows(made.text) == rows(wanted)
    assert rows(moodle_worksheet([replace(ILL, student="Bob Bell")], LESSON, MOODLE).text) == rows(MOODLE)


def test_moodles_imports_have_no_row_where_there_is_no_score() -> None:
    assert rows(moodle_csv([ADA, ILL, CUT], LESSON).text) == [["username", LESSON], ["ada", "5"]]
    about, root = FORMS["moodle xml"], ElementTree.fromstring(moodle_xml(CLASS, LESSON, "A3").text)
    assert root.tag == about["root"]
    assert {each.tag for each in root} == {about["each"]}
    assert all([part.tag for part in each] == about["parts"] for each in root)
    assert [[part.text for part in each] for each in root][:2] == [["A3", "ada", "5"], ["A3", "bob", "3"]]
    assert "ill" not in {each.findtext("student") for each in root}


def test_gradescope_reads_every_result() -> None:
    schema = json.loads((HERE / "gradescope.json").read_text())
    for entry in CLASS:
        if entry.result.score is not None:
            jsonschema.validate(json.loads(gradescope(entry.result)), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"tests": [{"name": "no score"}]}, schema)


def test_the_autograder_hands_over_what_was_graded_and_runs_nothing(tmp_path: Path) -> None:
    work = b'{"cells": []}'
    entry = replace(ADA, result=replace(ADA.result, submission=hashlib.sha256(work).hexdigest()))
    home = tmp_path / "autograder"
    for folder in ("source", "submission", "results"):
        (home / folder).mkdir(parents=True)
    with ZipFile(io.BytesIO(autograder([entry, ILL], LESSON))) as archive:
        assert {"setup.sh", "run_autograder"} <= {*archive.namelist()}
        assert all(archive.getinfo(name).external_attr >> 16 & 0o100 for name in ("setup.sh", "run_autograder"))
        archive.extractall(home / "source")
    assert len([*(home / "source/graded").iterdir()]) == 1
    script = RUN.replace('"/autograder"', repr(str(home)))
    (home / "submission/other.ipynb").write_bytes(b"other")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no score, which is no zero" in done.stderr
    assert not [*(home / "results").iterdir()]
    (home / "submission/work.ipynb").write_bytes(work)
    subprocess.run([sys.executable, "-c", script], check=True)
    assert (home / "results/results.json").read_text() == gradescope(ADA.result)


# ---- lists as they come from elsewhere ------------------------------------------------------------------------------

SHEETS = {
    "German": "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert werden;"
    "Zuletzt geändert (Bewertung)\nTeilnehmer/in7;Ada Lovelace;a@x;;;100,00;Ja;-\n"
    "Teilnehmer/in8;Bob Bell;;;1,00;100,00;Nein;-\n",
    "French": "Identifiant\tNom complet\tStatut\tNote\tNote maximale\tLa note peut être modifiée\n"
    "Participant7\tAda Lovelace\t\t\t100,00\tOui\nParticipant8\tBob Bell\t\t1,00\t100,00\tNon\n",
    "Spanish": "Identificador,Nombre completo,Calificación,Calificación máxima,La calificación puede cambiarse\n"
    'Participante7,"Lovelace, Ada",,"100,00",Sí\nParticipante8,Bob Bell,"1,00","100,00",No\n',
}


@pytest.mark.parametrize("language", SHEETS)
def test_a_sheet_in_another_language_comes_back_as_it_was_with_its_grades(language: str) -> None:
    sheet = SHEETS[language]
    mark = {"German": ";", "French": "\t", "Spanish": ","}[language]
    people = [replace(ADA, student="Ada L", account="Moodle 7"), replace(BOB, student="Bob Bell")]
    half = replace(people[0], lost=1.25)
    made = moodle_worksheet([half, people[1]], LESSON, "\ufeff" + sheet)
    before, after = (list(csv.reader(io.StringIO(text), delimiter=mark)) for text in (sheet, made.text))
    changed = [(old, new) for one, two in zip(before, after, strict=True) for old, new in zip(one, two, strict=True)]
    assert [pair for pair in changed if pair[0] != pair[1]] == [("", "75")]
    assert (made.written, made.missing, len(made.notes)) == (1, [], 2)
    made = moodle_worksheet([replace(half, lost=1.26)], LESSON, sheet)
    assert "74,8" in made.text


def test_a_gradebook_of_canvas_with_semicolons_goes_back_with_semicolons() -> None:
    listed = "Student;ID;SIS User ID;Section;Lesson 3 (4711)\n    Points Possible;;;;5,0\nLovelace, Ada;101;S1;A;\n"
    made = canvas([replace(ADA, student="lovelaceada", lost=0.5)], LESSON, "\ufeff" + listed, "Lesson 3")
    assert made.text.splitlines()[-1] == "Lovelace, Ada;101;S1;A;4,5"
    assert (made.written, made.missing) == (1, [])


def test_a_list_in_no_known_language_says_what_to_do_and_then_it_is_read() -> None:
    sheet = "Identifikator,Karakter\nDeltager 7,\n"
    with pytest.raises(ArgumentError) as caught:
        moodle_worksheet([ADA], LESSON, sheet)
    assert str(caught.value) == (
        "The list has no column 'Identifier'; it has Identifikator, Karakter.\n"
        "  It needs Identifier, Grade: in English, and if it is Moodle's, in German, French or Spanish too.\n"
        "  In another language, say which one it is: --column 'Identifier=NAME'. "
        "Or is the list of another course system?"
    )
    said = pairs(["Identifier=Identifikator", "Grade=Karakter"])
    made = moodle_worksheet([replace(ADA, account="Moodle 7")], LESSON, sheet, said)
    assert rows(made.text)[1] == ["Deltager 7", "5"]
    for odd in ("Grade", "=x"):
        with pytest.raises(ArgumentError, match="got --column"):
            pairs([odd])
    with pytest.raises(ArgumentError, match="--column names 'Note', and the list has"):
        moodle_worksheet([ADA], LESSON, sheet, {"Grade": "Note"})


def test_moodle_s_imports_have_what_moodle_knows_students_by_or_are_refused() -> None:
    ada = replace(ADA, student="Ada Lovelace", account="Moodle 7")
    eve = replace(ADA, student="Eve E", account="Moodle 9")
    listed = "Vorname;Nachname;ID-Nummer;E-Mail-Adresse\nAda;Lovelace;A1;ada@x\nBob;Bell;;bob@x\n"
    made = moodle_csv([ada, replace(BOB, student="Bob Bell"), eve], LESSON, listed)
    assert rows(made.text) == [["E-Mail-Adresse", LESSON], ["ada@x", "5"], ["bob@x", "3"]]
    assert made.missing == ["Eve E"]
    made = moodle_xml([ada, replace(BOB, student="Bob Bell")], LESSON, "A3", listed)
    assert [[part.text for part in each] for each in ElementTree.fromstring(made.text)] == [["A3", "A1", "5"]]
    assert made.notes == ["Without 'ID number' in the list, and left out: 'Bob Bell'."]
    raw = replace(ADA, student="Ada Lovelace_1000_assignsubmission_file")
    for call in (moodle_csv, moodle_xml):
        for student in (ada, raw):
            with pytest.raises(ArgumentError, match="got no --students, and students such as 'Ada Lovelace"):
                call([student], LESSON)
    with pytest.raises(ArgumentError, match="got a list without Username or Email address or ID number; it has Nom"):
        moodle_csv([ada], LESSON, "Nom complet,Note\nAda Lovelace,\n")


def nbgrader_course(folder: Path) -> Path:
    """A course as nbgrader lays it out, with the tables of its gradebook that matter."""
    for student, assignment in (("ada", "ps1"), ("ada", "ps2"), ("bob", "ps1")):
        place = folder / "submitted" / student / assignment
        place.mkdir(parents=True)
        (place / f"{LESSON}.ipynb").write_text(f"{student} {assignment}")
    with sqlite3.connect(folder / "gradebook.db") as book:
        book.executescript("""
            CREATE TABLE student (id TEXT, first_name TEXT, last_name TEXT, email TEXT, lms_user_id TEXT);
            CREATE TABLE assignment (id TEXT, name TEXT, duedate DATETIME, course_id TEXT);
            CREATE TABLE submitted_assignment (id TEXT, assignment_id TEXT, student_id TEXT, timestamp DATETIME);
            INSERT INTO student VALUES ('ada', 'Ada', 'Lovelace', 'ada@x.org', NULL), ('eve', NULL, NULL, NULL, NULL);
            INSERT INTO assignment VALUES ('1', 'ps1', '2026-11-02 12:00:00', 'c'), ('2', 'ps2', NULL, 'c');
            INSERT INTO submitted_assignment VALUES ('x', '1', 'ada', '2026-11-01 09:30:00'),
                                                    ('y', '2', 'ada', '2026-12-01 09:30:00');
        """)
    book.close()
    return folder


def test_an_nbgrader_course_comes_in_and_its_grades_go_out(tmp_path: Path) -> None:
    course = nbgrader_course(tmp_path / "course")
    found = gather(course, "ps1", tmp_path / "in")
    assert {path.relative_to(found).as_posix(): path.read_text() for path in found.rglob("*.ipynb")} == {
        f"ada/{LESSON}.ipynb": "ada ps1", f"bob/{LESSON}.ipynb": "bob ps1",
    }  # fmt: skip
    head, *lines = rows(nbgrader_csv([ADA, BOB, ILL], "ps1", known(course, "ps1")))
    assert head == FORMS["nbgrader"]["columns"]
    due = "2026-11-02 12:00:00"
    assert lines == [
        ["ps1", due, "2026-11-01 09:30:00", "ada", "Lovelace", "Ada", "ada@x.org", "5", "0", "5", "5"],
        ["ps1", due, "", "bob", "", "", "", "3", "0", "3", "5"],
        ["ps1", due, "", "eve", "", "", "", "0", "0", "0", "5"],
        ["ps1", due, "", "ill", "", "", "", "", "0", "", "5"],
    ]


def test_what_is_no_nbgrader_course_is_said(tmp_path: Path) -> None:
    course = nbgrader_course(tmp_path / "course")
    with pytest.raises(ArgumentError, match="has no submission of 'ps9'; it has ps1, ps2"):
        gather(course, "ps9", tmp_path / "in")
    (course / "gradebook.db").write_text("no database, but quite long a text")
    with pytest.raises(ArgumentError, match="is no gradebook of nbgrader's"):
        known(course, "ps1")
    (course / "gradebook.db").unlink()
    assert known(course, "ps1") == Known()


def test_formulas_of_students_stay_texts() -> None:
    odd = Entry("=1+1", ADA.result)
    assert rows(moodle_csv([odd], LESSON).text)[1][0] == "'=1+1"
    assert rows(nbgrader_csv([odd], "ps1", Known()))[1][3] == "'=1+1"
