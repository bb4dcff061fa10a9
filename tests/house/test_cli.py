"""The `minitorch-lab` command: what it copies, what it never touches, and what it says when it cannot."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from minitorch_lab import cli
from minitorch_lab.errors import ArgumentError


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """A course of two lessons and an exercise, with what Jupyter leaves behind."""
    folder = tmp_path / "lessons"
    for name in ("00_tour.ipynb", "01_next.ipynb", "exercises/one.py", ".ipynb_checkpoints/00_tour.ipynb"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"as shipped: {name}")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_new_folder_gets_the_whole_course(lessons: Path, tmp_path: Path) -> None:
    assert cli.copy_course(lessons, tmp_path / "mine") == 3
    assert names(tmp_path / "mine") == ["00_tour.ipynb", "01_next.ipynb", "exercises/one.py"]


def test_an_empty_folder_does_too(lessons: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert cli.copy_course(lessons, tmp_path / "mine") == 3


def test_the_readers_work_is_never_overwritten_and_new_lessons_arrive(lessons: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    cli.copy_course(lessons, mine)
    (mine / "00_tour.ipynb").write_text("my answers")
    (mine / "notes.txt").write_text("my notes")
    (lessons / "02_new.ipynb").write_text("a new lesson")
    assert cli.copy_course(lessons, mine) == 1
    assert (mine / "00_tour.ipynb").read_text() == "my answers"
    assert (mine / "notes.txt").read_text() == "my notes"
    assert (mine / "02_new.ipynb").read_text() == "a new lesson"


def test_the_course_opens_where_it_was_written(lessons: Path) -> None:
    assert cli.copy_course(lessons, lessons) == 0


def test_a_folder_with_other_things_is_refused(lessons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "dcba":
        Path("papers", name).mkdir(parents=True)
    with pytest.raises(ArgumentError) as caught:
        cli.copy_course(lessons, Path("papers"))
    assert str(caught.value) == (
        "minitorch-lab lab got papers, which holds other files (a, b, c, …) and no lesson.\n"
        "  The course goes into a new folder, an empty one, or one that it is in already.\n"
        f"  Did you mean minitorch-lab lab {Path('papers', 'minitorch-lab-course')}?"
    )
    assert names(Path("papers")) == []


def test_a_file_is_refused(lessons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tour.ipynb").write_text("mine")
    with pytest.raises(ArgumentError) as caught:
        cli.copy_course(lessons, Path("tour.ipynb"))
    assert str(caught.value) == (
        "minitorch-lab lab got tour.ipynb, which is a file.\n"
        "  The course is copied into a folder.\n"
        "  Did you mean minitorch-lab lab tour-course?"
    )


def test_a_port_in_use_is_told_before_anything_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(ArgumentError) as caught:
            cli.require_free_port(port)
        monkeypatch.setattr(sys, "argv", ["minitorch-lab", "lab", str(tmp_path / "mine"), "--port", str(port)])
        with pytest.raises(SystemExit, match=f"got --port {port}, which is not free"):
            cli.main()
    assert str(caught.value).splitlines()[1:] == [
        "  A port serves one program at a time, and those under 1024 belong to the administrator.",
        "  Leave --port out, and the first free port is taken.",
    ]
    assert not (tmp_path / "mine").exists()


def test_without_jupyterlab_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    with pytest.raises(ArgumentError) as caught:
        cli.require_jupyterlab()
    assert str(caught.value) == (
        "minitorch-lab lab needs JupyterLab, which is not installed here.\n"
        "  It comes with the extra named lab.\n"
        "  Run pip install 'minitorch-lab[lab]' first."
    )


def test_lab_copies_then_serves_with_what_was_asked(
    lessons: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[Path, list[str]]] = []
    monkeypatch.setattr(cli, "course", lambda: lessons)
    monkeypatch.setattr(cli, "serve", lambda folder, options: served.append((folder, options)))
    mine = tmp_path / "mine"
    first = CliRunner().invoke(cli.commands, ["lab", str(mine), "--no-browser"])
    second = CliRunner().invoke(cli.commands, ["lab", str(mine)])
    assert first.output == f"The course is in {mine} (3 new files; what was there is as you left it).\n"
    assert second.output == f"The course is in {mine} (0 new files; what was there is as you left it).\n"
    assert served == [(mine, ["--no-browser"]), (mine, [])]


def test_the_course_of_this_checkout_holds_the_first_lesson() -> None:
    assert (cli.course() / cli.FIRST_LESSON).is_file()


def test_version_and_help() -> None:
    assert CliRunner().invoke(cli.commands, ["--version"]).output == "minitorch-lab 0.1.0\n"
    assert "--no-browser" in CliRunner().invoke(cli.commands, ["lab", "--help"]).output


def test_lab_really_serves_the_first_lesson(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start = "from minitorch_lab.cli import main; main()"
    command = [sys.executable, "-c", start, "lab", "mine", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        bound = threading.Timer(120, server.kill)  # the lines end then, and what was printed is shown
        bound.start()
        try:
            said: list[str] = []
            for line in server.stdout:
                said.append(line)
                if f":{port}/lab/tree/00_tour.ipynb?token=" in line:
                    break
        finally:
            bound.cancel()
            server.kill()
    assert "http://" in said[-1], "".join(said)
    assert (tmp_path / "mine" / "00_tour.ipynb").is_file()
