"""Nobody vanishes: whatever lies in a folder or an archive has a record, and the records are as many as the things."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.grade import Course, Isolation, Limits
from minitorch_lab.grade.class_run import grade_class, looking
from minitorch_lab.grade.gradebook import Entry, read_pieces, read_results
from minitorch_lab.grade.inputs import Collected, Look, collect
from minitorch_lab.grade.pages import accounts
from minitorch_lab.grade.pieces import KINDS
from minitorch_lab.grade.submission import twins
from tests.grade.course import SOLUTIONS, STARTERS, answered, small_course
from tests.grade.notebooks import write

LESSON = "small.ipynb"
WEAK = Isolation("weak", ("process",))
BOOK = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}'
FILES = [
    "small.ipynb", "small (1).ipynb", "small_final.ipynb", "WORK.IPYNB", "work.ipynb.txt", "work.ipynb.json", "x.json",
    "notes.txt", "report.pdf", "solution.py", "work.rar", "work.7z", "work.tar.zst", ".DS_Store", "Thumbs.db", "data",
    "wörk é 漢字.ipynb", "a\nb.ipynb", "=1+1.ipynb", "-rf", " .ipynb", "a.b.c.ipynb", "broken.zip", "x" * 99 + ".ipynb",
]  # fmt: skip
FOLDERS = ["small", "old work", "__MACOSX", ".ipynb_checkpoints", ".git", "node_modules", "tests.ipynb", "é"]
TOOLS = {"__MACOSX", ".ipynb_checkpoints", ".git", "node_modules"}


def fill(folder: Path, rng: random.Random, deep: int = 0, links: bool = True) -> list[str]:
    """Put random things into a folder, and return where each one is that must have a record."""
    made = rng.sample(FILES, rng.randint(0, 4))
    for name in made:
        (folder / name).write_text(rng.choice([BOOK, "{", "", "text"]))
        os.utime(folder / name, (10**9 + rng.randrange(10**8),) * 2)
    for name in rng.sample(FOLDERS, rng.randint(0, 2 if deep < 3 else 0)):
        (folder / name).mkdir()
        inside = fill(folder / name, rng, deep + 1, links)
        made += [name] if name in TOOLS or not inside else [f"{name}/{each}" for each in inside]
    if links and rng.random() < 0.3:
        (folder / "link.ipynb").symlink_to(rng.choice(["/etc/passwd", "nowhere", "."]))
        made.append("link.ipynb")
    if deep < 2 and rng.random() < 0.4:
        (folder / "packed").mkdir()
        inside = fill(folder / "packed", rng, deep + 1, links=False)
        name = pack(folder / "packed", rng)
        made += [f"{name}/{each}" for each in inside] or [name]
    return made


def pack(folder: Path, rng: random.Random) -> str:
    """Put an archive in the place of a folder, and return its name."""
    name = Path(shutil.make_archive(str(folder), rng.choice(["zip", "gztar", "tar"]), folder)).name
    shutil.rmtree(folder)
    return name


def look(content: bytes) -> Look:
    return Look("small" if content == BOOK.encode() else "", 0)


def collected(*inputs: Path) -> Collected:
    return collect(inputs, LESSON, look)


@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")  # of tarfile, for archives that are made here
@pytest.mark.parametrize("seed", range(120))
def test_there_are_as_many_records_as_things(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "ada").mkdir()
    made = [f"ada/{each}" for each in fill(tmp_path / "class" / "ada", rng)] or ["ada"]
    made += fill(tmp_path / "class", rng)
    found = collected(tmp_path / "class")
    assert sorted(piece.path for piece in found.pieces) == sorted(made)
    assert {piece.kind for piece in found.pieces} <= KINDS.keys()
    graded = [each.file for each in found.submissions if not each.problem and not each.fault]
    assert sorted(graded) == sorted(piece.path for piece in found.pieces if piece.kind == "graded")
    tops = {each.partition("/")[0] for each in made}
    students = {each.student for each in found.submissions}
    assert len(students) + len({top for top in tops if top.startswith(".") or top in {*TOOLS, "Thumbs.db"}}) <= len(
        tops
    )
    assert "ada" in students


@pytest.mark.parametrize("seed", range(30))
def test_a_class_in_an_archive_has_the_records_of_its_folder(seed: int, tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    made = fill(tmp_path / "class", random.Random(seed), links=False)
    for name in ("bob", "eve"):
        (tmp_path / "class" / name).mkdir()
    shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "class")
    there, here = collected(tmp_path / "packed.zip"), collected(tmp_path / "class")
    assert sorted(piece.path for piece in here.pieces) == sorted([*made, "bob", "eve"])
    assert sorted(p[:3] for p in there.pieces) == sorted(p[:3] for p in here.pieces)
    assert [each[:2] for each in there.submissions] == [each[:2] for each in here.submissions]


ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "an upper case": (lambda p: (p / "ada.IPYNB").write_text(BOOK), ""),
    "as a text": (lambda p: (p / "ada.ipynb.txt").write_text(BOOK), ""),
    "a rar": (
        lambda p: (p / "ada.rar").write_bytes(b"Rar!"),
        "an archive of a kind that is not opened here (.rar): ask for a .zip",
    ),
    "a 7z in a folder": (
        lambda p: ((p / "ada").mkdir(), (p / "ada/work.7z").write_bytes(b"7z")),
        "an archive of a kind that is not opened here (.7z): ask for a .zip",
    ),
    "an empty folder": (lambda p: (p / "ada").mkdir(), "an empty folder"),
    "a text that is none": (lambda p: (p / "ada.ipynb.txt").write_text("x"), "no notebook, but ada.ipynb.txt"),
    "a page": (lambda p: (p / "ada.pdf").write_text("x"), "no notebook, but ada.pdf"),
    "only what tools leave": (
        lambda p: (p / "ada/__MACOSX").mkdir(parents=True),
        "no notebook, but ada/__MACOSX",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_things_are_their_student_s_record(name: str, tmp_path: Path) -> None:
    make, refused = ODD[name]
    make(tmp_path)
    (each,) = collected(tmp_path).submissions
    assert (each.student, each.refused, each.problem) == ("ada", refused, "no notebook" if refused else "")


def test_an_archive_in_an_archive_is_opened_and_one_more_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    inner = "work.ipynb"
    (tmp_path / inner).write_text(BOOK)
    for name in ("c.zip", "b.zip", "in/ada.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as made:
            made.write(tmp_path / inner, Path(inner).name)
        inner = name
        (each,) = collected(tmp_path / "in").submissions if name.startswith("in") else [None]
    assert each is not None
    assert (each.refused, each.file) == ("an archive in 2 others", "ada.zip/b.zip/c.zip")


# ---- of several notebooks, which one counts -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course(tmp_path_factory.mktemp("everything"), Limits())


HALF = answered(cube=STARTERS["cube"])
FULL = answered()
SEVERAL: dict[str, tuple[list[tuple[str, Any, int]], str, str]] = {
    "the fullest": (
        [("small.ipynb", HALF, 9), ("small_final.ipynb", FULL, 1)],
        "small_final.ipynb", "it answers the most exercises",
    ),
    "the name": ([("a.ipynb", FULL, 9), ("small.ipynb", FULL, 1)], "small.ipynb", "it has the name of the lesson"),
    "the newest": (
        [("small (1).ipynb", FULL, 1), ("small_final.ipynb", FULL, 9)],
        "small_final.ipynb", "it was changed last",
    ),
    "the newest by its number": (
        [("small.ipynb", FULL, 9), ("small (1).ipynb", FULL, 1)],
        "small (1).ipynb", "by its number it is the newest",
    ),
    "no stub": (
        [("small.ipynb", answered(cube="def cube_rule(*_):\n    pass"), 9), ("a.ipynb", FULL, 1)],
        "a.ipynb", "it answers the most exercises",
    ),
    "the newest the other way": (
        [("small (1).ipynb", FULL, 9), ("small_final.ipynb", FULL, 1)],
        "small (1).ipynb", "it was changed last",
    ),
    "the first": ([("b.ipynb", FULL, 1), ("a.ipynb", FULL, 1)], "a.ipynb", "it is the first by name"),
    "on top": ([("old/a.ipynb", FULL, 1), ("z.ipynb", FULL, 1)], "z.ipynb", "it lies on top"),
    "of the lesson": ([("a.ipynb", {"nbformat": 4, "cells": []}, 9), ("b.ipynb", FULL, 1)],
        "b.ipynb", "it is of the lesson"),
}  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", SEVERAL)
def test_one_counts_by_a_rule_that_is_told(name: str, packed: bool, course: Course, tmp_path: Path) -> None:
    books, counts, why = SEVERAL[name]
    folder = tmp_path / "in" / "ada"
    for file, book, day in books:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        write(folder / file, book)
        os.utime(folder / file, (1.6e9 + day * 86400,) * 2)
    where = "ada.zip" if packed else "ada"
    if packed:
        shutil.make_archive(str(folder), "zip", folder)
        shutil.rmtree(folder)
    found = collect([tmp_path / "in"], LESSON, looking(course, "small"))
    (each,) = found.submissions
    assert (each.file, each.note) == (f"{where}/{counts}", f"2 notebooks; {where}/{counts} counts: {why}")
    assert Counter(piece.kind for piece in found.pieces) == {"graded": 1, "passed over": 1}


def test_a_folder_an_archive_and_a_notebook_of_one_student_are_one(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "work.ipynb").write_text(BOOK)
    (tmp_path / "ada.ipynb").write_text(BOOK)
    (tmp_path / "ada (1).ipynb").write_text(BOOK)
    ada, copy = collected(tmp_path).submissions
    assert (ada.student, ada.note.partition(";")[0]) == ("ada", "2 notebooks")
    assert copy.note == "called like a copy of ada: was this handed in twice?"


def test_notebooks_of_two_lessons_are_two_submissions(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    for name in ("one", "two", "none", "zwei"):
        (tmp_path / "ada" / f"{name}.ipynb").write_text(name)
        os.utime(tmp_path / "ada" / f"{name}.ipynb", (1e9, 1e9))

    def look(content: bytes) -> Look:
        return Look({b"one": "1", b"none": ""}.get(content, "2"), 0)

    found = collect([tmp_path], "", look)
    assert [each.file for each in found.submissions] == ["ada/one.ipynb", "ada/two.ipynb"]
    assert Counter(piece.kind for piece in found.pieces) == {"graded": 2, "passed over": 2}


# ---- in every form of the results -----------------------------------------------------------------------------------


def graded(folder: Path, course: Course, out: Path, monkeypatch: pytest.MonkeyPatch) -> list[Entry]:
    """Grade a class, here and without Dask."""

    def here(work: dict[str, bytes], job: Any, journal: Any, connect: object, done: object) -> None:
        for key, content in work.items():
            journal.append(key, job(content))

    monkeypatch.setattr("minitorch_lab.grade.class_run.grade_all", here)
    done = grade_class([folder], course, "small", out, WEAK, lambda: pytest.fail("no cluster is needed"))
    return [*done.entries]


def test_console_tables_and_report_account_for_everything(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    made = fill_class(folder)
    entries = graded(folder, course, tmp_path / "out", monkeypatch)
    rows = rows_of(tmp_path / "out/handed-in.csv")
    assert sorted(row["path"].removeprefix("'") for row in rows) == sorted(made)
    assert Counter(row["became"] for row in rows) == {
        "unreadable": 3, "passed over": 1, "refused": 2, "empty": 1, "other": 2, "left behind": 1,
    }  # fmt: skip
    pieces = read_pieces(tmp_path / "out/results.json")
    assert read_results(tmp_path / "out/results.json")[1] == entries
    head, *lines = accounts(pieces, entries)
    assert head.startswith(f"Handed in: {len(made)}. 3 notebooks in which there was nothing to grade; 1 notebook in")
    page = (tmp_path / "out/report/index.html").read_text("utf-8")
    for entry in entries:
        if entry.student != "=1":
            assert any(line.startswith(f"Needs a look: {entry.student}: ") for line in lines)
        assert entry.student in page
    assert f'<td>together</td><td class="number">{len(made)}</td>' in page
    students = {row["student"]: row for row in rows_of(tmp_path / "out/results.csv")}
    assert {name.removeprefix("'"): row["score"] for name, row in students.items()} == {
        "=1": "", "ada": "", "bob": "", "eve": "", "kim": "", "link": "", "zoe": "",
    }  # fmt: skip
    assert not [*(tmp_path / "out/gradescope").glob("*")]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill_class(folder: Path) -> list[str]:
    """A class in which nothing can be graded."""
    made = ["ada/a.ipynb", "ada/b.ipynb", "bob.rar", "eve/notes.pdf", "=1.ipynb", ".DS_Store", "zoe.ipynb.txt"]
    for name in made:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{")
    (folder / "kim").mkdir()
    (folder / "link.ipynb").symlink_to("/etc/passwd")
    (folder / "zoe").mkdir()
    (folder / "zoe" / "1.ipynb").write_text(BOOK)
    return [*made, "kim", "link.ipynb", "zoe/1.ipynb"]


def test_a_solved_notebook_under_an_odd_name_is_graded_and_told(course: Course) -> None:
    assert looking(course, "small")(json.dumps(FULL).encode()) == Look("small", len(SOLUTIONS))
    assert looking(course, None)(json.dumps(HALF).encode()) == Look("small", len(SOLUTIONS) - 1)
    assert looking(course, None)(BOOK.encode()) == Look("", 0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ada", "Ada"), ("ada", "ada "), ("Ada Lovelace", "Lovelace, Ada"), ("ada", "ada@uni.example"),
        ("Zo\u00eb", "Zoe\u0308"), ("007", "7"), ("ada", "\uff41\uff44\uff41"), ("ada", "a\u200bda"),
        ("ada.lovelace", "ada_lovelace"), ("Straße", "STRASSE"),
    ],
)  # fmt: skip
def test_one_person_under_two_names_is_told_of_both(tmp_path: Path, first: str, second: str) -> None:
    for name in (first, second, "bob"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "w.ipynb").write_bytes(b"{}")
    notes = {each.student: each.note for each in collected(tmp_path / "in").submissions}
    assert notes == {
        first: f"may be the same person as {second!r}", second: f"may be the same person as {first!r}", "bob": "",
    }  # fmt: skip


def test_people_whose_names_are_alike_are_two() -> None:
    names = ["ada", "adam", "ada.byron", "ada2", "0", "00x", "10", "100", "1", "Zoe", "Zoë", "müller", "@", ".", "_"]
    assert not [found for name in names for found in twins(name, names)]
