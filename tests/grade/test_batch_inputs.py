"""Whose a notebook is, and what one bad hand-in does to the others: nothing."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import inputs
from minitorch_lab.grade.inputs import submissions

LESSON = "03_backward.ipynb"


def hand_in(path: Path, text: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def found(*paths: Path, scratch: Path) -> dict[str, str]:
    return {each.student: each.refused or each.content.decode() for each in submissions(paths, LESSON, scratch)}


def test_a_folder_per_student_as_nbgrader_and_github_classroom_have_it(tmp_path: Path) -> None:
    hand_in(tmp_path / "in/ada/03_backward" / LESSON, "ada's")
    hand_in(tmp_path / "in/bob" / LESSON, "bob's")
    hand_in(tmp_path / "in/bob/notes.ipynb", "other")
    hand_in(tmp_path / "in/bob/.ipynb_checkpoints" / LESSON, "old")
    hand_in(tmp_path / "in/eve/my work.ipynb", "eve's")
    hand_in(tmp_path / "in/nobody/readme.txt")
    assert found(tmp_path / "in", scratch=tmp_path / "s") == {"ada": "ada's", "bob": "bob's", "eve": "eve's"}


def test_files_by_their_names(tmp_path: Path) -> None:
    one, two = hand_in(tmp_path / "ada.ipynb", "1"), hand_in(tmp_path / "in/bob.ipynb", "2")
    assert found(one, two.parent, scratch=tmp_path / "s") == {"ada": "1", "bob": "2"}


def test_an_archive_of_folders_and_an_archive_from_a_student(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as made:
        made.writestr("submitted/ada/03_backward.ipynb", "ada's")
        made.writestr("submitted/bob/03_backward.ipynb", "bob's")
    assert found(tmp_path / "class.zip", scratch=tmp_path / "s") == {"ada": "ada's", "bob": "bob's"}
    (tmp_path / "in").mkdir()
    with zipfile.ZipFile(tmp_path / "in/eve.zip", "w") as made:
        made.writestr("work/03_backward.ipynb", "eve's")
    assert found(tmp_path / "in", scratch=tmp_path / "t") == {"eve": "eve's"}


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
    assert found(folder, scratch=tmp_path / "s") == {
        "ada": "ada's",
        "bad": "bad.zip cannot be unpacked (BadZipFile).",
        "empty": "an archive without a notebook",
        "evil": "evil.zip has an entry named '../../evil.ipynb', which leads out of the folder it is unpacked in.",
        "link": "a link, and not a notebook",
        "mallory": "a link or a device, and not a notebook",
        "pipe": "a link or a device, and not a notebook",
    }


def test_a_large_file_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LARGEST", 1 << 20)
    hand_in(tmp_path / "in/ada.ipynb", "x" * (1 << 20) + "y")
    hand_in(tmp_path / "in/bob.ipynb", "x" * (1 << 20))
    ada, bob = submissions([tmp_path / "in"], LESSON, tmp_path / "s")
    assert (ada.refused, ada.content) == ("a file of more than 1 MiB", b"")
    assert (bob.refused, len(bob.content)) == ("", 1 << 20)


def test_a_student_who_is_there_twice(tmp_path: Path) -> None:
    hand_in(tmp_path / "a/ada.ipynb")
    hand_in(tmp_path / "b/ada.ipynb")
    with pytest.raises(ArgumentError) as caught:
        submissions([tmp_path / "a", tmp_path / "b"], LESSON, tmp_path / "s")
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
        submissions([Path(name)], LESSON, tmp_path / "s")
    assert str(caught.value).splitlines()[0] == told
    assert len(str(caught.value).splitlines()) == 3
