"""Whose a notebook is, and what one bad hand-in does to the others: nothing."""

from __future__ import annotations

import errno
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import archives, pieces
from minitorch_lab.grade.box import empty
from minitorch_lab.grade.inputs import Look, collect, handed_in
from minitorch_lab.grade.submission import Submission

LESSON = "03_backward.ipynb"


def hand_in(path: Path, text: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def found(*paths: Path) -> dict[str, str]:
    return {each.student: each.refused or each.fault or each.content.decode() for each in submissions(*paths)}


def submissions(*paths: Path) -> list[Submission]:
    return collect(paths, LESSON, lambda content: Look("", 0)).submissions


def test_a_folder_per_student_as_nbgrader_and_github_classroom_have_it(tmp_path: Path) -> None:
    hand_in(tmp_path / "in/ada/03_backward" / LESSON, "ada's")
    hand_in(tmp_path / "in/bob" / LESSON, "bob's")
    hand_in(tmp_path / "in/bob/notes.ipynb", "other")
    hand_in(tmp_path / "in/bob/.ipynb_checkpoints" / LESSON, "old")
    hand_in(tmp_path / "in/eve/my work.ipynb", "eve's")
    hand_in(tmp_path / "in/nobody/readme.txt")
    none = "no notebook, but nobody/readme.txt"
    assert found(tmp_path / "in") == {"ada": "ada's", "bob": "bob's", "eve": "eve's", "nobody": none}


def test_files_by_their_names(tmp_path: Path) -> None:
    one, two = hand_in(tmp_path / "ada.ipynb", "1"), hand_in(tmp_path / "in/bob.ipynb", "2")
    assert found(one, two.parent) == {"ada": "1", "bob": "2"}


def test_an_archive_of_folders_and_an_archive_from_a_student(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as made:
        made.writestr("submitted/ada/03_backward.ipynb", "ada's")
        made.writestr("submitted/bob/03_backward.ipynb", "bob's")
    assert found(tmp_path / "class.zip") == {"ada": "ada's", "bob": "bob's"}
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in/eve.zip", "w") as made:
        made.writestr("work/03_backward.ipynb", "eve's")
    assert found(tmp_path / "in") == {"eve": "eve's"}


def test_one_bad_hand_in_is_one_record(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    hand_in(folder / "ada" / LESSON, "ada's")
    (folder / "bad.zip").write_bytes(b"no zip")
    with zipfile.ZipFile(folder / "empty.zip", "w"):
        pass
    with zipfile.ZipFile(folder / "evil.zip", "w") as made:
        made.writestr("../../evil.ipynb", "x")
    (folder / "link.ipynb").symlink_to("/etc/passwd")
    (folder / "mallory").mkdir()
    (folder / "mallory" / LESSON).symlink_to(folder / "ada" / LESSON)
    os.mkfifo(folder / "pipe.ipynb")
    assert found(folder) == {
        "ada": "ada's",
        "bad": "bad.zip cannot be unpacked (BadZipFile).",
        "empty": "an archive without a notebook",
        "evil": "evil.zip has an entry named '../../evil.ipynb', which leads out of the folder it is unpacked in.",
        "link": "a link or a device, and not a notebook",
        "mallory": "a link or a device, and not a notebook",
        "pipe": "a link or a device, and not a notebook",
    }


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LARGEST", 1 << 20)
    hand_in(tmp_path / "in/ada.ipynb", "x" * (1 << 20) + "y")
    hand_in(tmp_path / "in/bob.ipynb", "x" * (1 << 20))
    ada, bob = submissions(tmp_path / "in")
    assert (ada.refused, ada.content) == ("a file of more than 1 MiB", b"")
    assert (bob.refused, len(bob.content)) == ("", 1 << 20)


def test_a_student_who_is_there_twice(tmp_path: Path) -> None:
    hand_in(tmp_path / "a/ada.ipynb")
    hand_in(tmp_path / "b/ada.ipynb")
    with pytest.raises(ArgumentError) as caught:
        submissions(tmp_path / "a", tmp_path / "b")
    assert str(caught.value) == (
        "There are two submissions of ada.\n"
        "  A student has one submission in a batch: the folder, or the name of the notebook, says whose it is.\n"
        "  Leave one out, or grade the two inputs in two runs."
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("missing", "minitorch-lab grade got missing, which does not exist."),
        ("notes.txt", "minitorch-lab grade got notes.txt, which is neither a notebook nor an archive."),
        ("none", "There is no notebook in none."),
    ],
)
def test_what_cannot_be_graded(name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("")
    Path("none").mkdir()
    with pytest.raises(ArgumentError) as caught:
        submissions(Path(name))
    assert str(caught.value).splitlines()[0] == told
    assert len(str(caught.value).splitlines()) == 3


def test_names_with_points_and_names_of_no_alphabet(tmp_path: Path) -> None:
    for name in ("ada.lovelace.zip", "ada.byron.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as made:
            made.writestr("work.ipynb", name)
    hand_in(tmp_path / os.fsdecode(b"zo\xeb.ipynb"), "latin")
    hand_in(tmp_path / "Zoë/work.ipynb", "unicode")
    assert found(tmp_path) == {
        "Zoë": "unicode",
        "ada.byron": "ada.byron.zip",
        "ada.lovelace": "ada.lovelace.zip",
        "zo\\xeb": "latin",
    }


def test_folders_without_end_hide_nothing_and_stop_nobody(tmp_path: Path) -> None:
    hand_in(tmp_path / "in/ada/work.ipynb", "ada's")
    here = os.getcwd()
    try:
        os.chdir(tmp_path / "in/ada")
        for _ in range(1500):  # deeper than Python's stack
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)
    try:
        assert found(tmp_path / "in") == {"ada": "ada's"}
    finally:
        empty(tmp_path / "in")  # pytest could not


@pytest.mark.parametrize("trouble", [errno.ENOSPC, errno.EIO, errno.EMFILE])
def test_what_this_machine_could_not_read_is_nobody_s_zero(
    trouble: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path / "ada.ipynb", "ada's")
    with zipfile.ZipFile(tmp_path / "bob.zip", "w") as made:
        made.writestr("work.ipynb", "bob's")

    def broken(*_: object) -> bytes:
        raise OSError(trouble, os.strerror(trouble))

    monkeypatch.setattr(pieces, "bytes_of", broken)
    monkeypatch.setattr("minitorch_lab.grade.archives.reader", broken)
    ada, bob = submissions(tmp_path)
    assert (ada.refused, ada.fault) == ("", f"The file could not be read here ({os.strerror(trouble)}).")
    assert (bob.refused, bob.fault) == ("", f"The archive could not be unpacked here ({os.strerror(trouble)}).")


def test_what_students_have_packed_is_gone_before_the_next_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ada", "bob", "eve"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as made:
            made.writestr("work.ipynb", name)
    scratch, seen = tmp_path / ".scratch", list[int]()
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))

    def unpack(*given: Any) -> list[Path]:
        seen.append(len(list(scratch.iterdir())))
        return archives.unpack(*given)

    monkeypatch.setattr(pieces, "unpack", unpack)
    held = handed_in(tmp_path)
    assert [held[name][0].content for name in ("ada", "bob", "eve")] == [b"ada", b"bob", b"eve"]
    assert seen == [1, 1, 1]
    assert list(scratch.iterdir()) == []


def test_a_student_s_archive_has_limits_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LARGEST_PACKED", 1 << 20)
    for name, size, kind in (("bomb", 2 << 20, zipfile.ZIP_DEFLATED), ("large", 2 << 20, zipfile.ZIP_STORED)):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w", kind) as made:
            made.writestr("work.ipynb", "0" * size)
    assert found(tmp_path) == {
        "bomb": "bomb.zip unpacks to more than 20,000 files or 1 MiB.",
        "large": "an archive of more than 1 MiB",
    }


def test_what_a_file_is_is_seen_where_its_name_says_otherwise(tmp_path: Path) -> None:
    book = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}'
    hand_in(tmp_path / "in/ada/work.zip", book)
    (tmp_path / "in/bob").mkdir()
    with zipfile.ZipFile(tmp_path / "in/bob" / LESSON, "w") as made:
        made.writestr(LESSON, "bob's")
    assert found(tmp_path / "in") == {"ada": book, "bob": "bob's"}


def test_a_list_beside_the_students_is_no_student(tmp_path: Path) -> None:
    hand_in(tmp_path / "in/ada" / LESSON, "ada's")
    hand_in(tmp_path / "in/roster.csv", "a,b")
    everything = collect([tmp_path / "in"], LESSON, lambda content: Look("", 0))
    assert [each.student for each in everything.submissions] == ["ada"]
    assert [(piece.path, piece.kind) for piece in everything.pieces if piece.kind != "graded"] == [
        ("roster.csv", "other")
    ]
