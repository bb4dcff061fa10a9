"""The students' wheel and the teacher's: what is in which, that both work, and what the one says without the other."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from minitorch_lab.grade.commands import TEACHING
from minitorch_lab.grade.release import judged_lessons
from minitorch_lab.grade.teaching import COMMANDS
from tests.grade.answers import Answers, lesson, right, starters
from tests.grade.notebooks import write
from tests.house.source import ROOT

pytestmark = pytest.mark.xdist_group("wheel")

ALLOWED = {
    "grade/__init__.py",
    "grade/alive.py",
    "grade/commands.py",
    "grade/installed.py",
    "grade/inside/__init__.py",
    "grade/inside/names.py",
    "grade/reading.py",
    "grade/seek.py",
    "grade/selfcheck.py",
}  # of the grader, in the students' wheel
ANYBODYS = 60  # characters: a shorter function may be written by anybody in the same words


def run(*command: str | Path, cwd: Path, good: int = 0) -> str:
    """Run a command that must end so, and return what it printed."""
    env = {**os.environ, "PYTHONPATH": "", "SKIP_JUPYTER_BUILDER": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == good, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both wheels, as `make wheels` builds them, without a network."""
    folder = tmp_path_factory.mktemp("wheels")
    for project in (".", "teacher"):
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, project, cwd=ROOT)
    return {"teacher" if "teacher" in path.name else "student": path for path in folder.glob("*.whl")}


@pytest.fixture(scope="module")
def names(wheels: dict[str, Path]) -> dict[str, set[str]]:
    """What each of the wheels holds, without what is said about it."""
    return {kind: {name for name in zipfile.ZipFile(path).namelist() if ".dist-info/" not in name}
            for kind, path in wheels.items()}  # fmt: skip


def environment(folder: Path, *wheels: Path) -> Path:
    """The Python of a new environment with these wheels; what they need is taken from where the tests run."""
    venv.create(folder, with_pip=False)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip())
    (site / "needed.pth").write_text(
        f"{Path(sysconfig.get_path('purelib')).resolve()}\n"
    )  # a folder, whose own .pth nobody reads
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index")
    for wheel in wheels:  # in two steps, as when somebody adds the second
        run(*pip, "--ignore-installed", wheel, cwd=folder)
    return python


@pytest.fixture(scope="module")
def student(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with the students' wheel."""
    return environment(tmp_path_factory.mktemp("student"), wheels["student"])


@pytest.fixture(scope="module")
def teacher(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with both wheels."""
    return environment(tmp_path_factory.mktemp("teacher"), wheels["student"], wheels["teacher"])


def solved_functions(name: str) -> Iterator[str]:
    """The functions of a lesson's solutions that it does not hand out, as Python would write them."""
    given = {told(node) for source in starters(name).values() for node in functions(ast.parse(source))}
    for source in right(name).values():
        yield from (text for text in map(told, functions(ast.parse(source))) if text not in given)


def functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def told(function: ast.FunctionDef) -> str:
    """A function's body, whatever the function is called and says of itself."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return "\n".join(map(ast.unparse, body))


def sources(wheel: Path) -> Iterator[tuple[str, str]]:
    """Every Python source in a wheel, those in cells of notebooks too."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".py"):
                yield name, archive.read(name).decode()
            elif name.endswith(".ipynb"):
                cells = json.loads(archive.read(name))["cells"]
                yield from ((f"{name}#{c.get('id')}", "".join(c["source"])) for c in cells if c["cell_type"] == "code")


def parsed(source: str) -> ast.AST:
    try:
        return ast.parse(source)
    except SyntaxError:  # a cell with a magic
        return ast.Module([], [])


def test_the_students_wheel_holds_no_judge_no_solution_and_no_grader(names: dict[str, set[str]]) -> None:
    of_grader = {name.removeprefix("minitorch_lab/") for name in names["student"] if "/grade/" in name}
    assert of_grader == ALLOWED
    assert not [name for name in names["student"] if "judges" in name or "solution" in name or name.startswith("tests")]


def test_together_they_are_the_source_and_nothing_is_in_both(names: dict[str, set[str]]) -> None:
    assert not names["student"] & names["teacher"]
    grader = {path.relative_to(ROOT).as_posix() for path in (ROOT / "minitorch_lab/grade").rglob("*.py")}
    assert grader <= names["student"] | names["teacher"]
    judges = {f"minitorch_lab/judges/{path.name}" for path in (ROOT / "judges").glob("*.py")}
    solved = {f"minitorch_lab/judges/solutions/{path.name}" for path in (ROOT / "tests/notebooks/solutions").glob("*")
              if path.suffix == ".py"}  # fmt: skip
    assert names["teacher"] == judges | solved | grader - {f"minitorch_lab/{name}" for name in ALLOWED}


def test_no_function_of_the_students_wheel_is_one_of_the_solutions(wheels: dict[str, Path]) -> None:
    answers = {text for name in judged_lessons() for text in solved_functions(name) if len(text) >= ANYBODYS}
    assert len(answers) > 40
    theirs = {
        told(function): name for name, source in sources(wheels["student"]) for function in functions(parsed(source))
    }
    assert {theirs[text] for text in answers & theirs.keys()} == set()


def test_a_solution_would_be_seen(wheels: dict[str, Path], tmp_path: Path) -> None:
    answer = right("03_backward")["walk-exercise"]
    with zipfile.ZipFile(tmp_path / "w.whl", "w") as archive:
        archive.writestr("minitorch_lab/lessons/hidden.py", "# renamed\n" + answer.replace("def backward", "def other"))
    found = {told(function) for _, source in sources(tmp_path / "w.whl") for function in functions(ast.parse(source))}
    assert found & {*solved_functions("03_backward")}


def test_the_version_and_the_extra_go_together(wheels: dict[str, Path]) -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = about["version"]
    assert about["optional-dependencies"]["teacher"] == [f"minitorch-lab-teacher=={version}"]
    with zipfile.ZipFile(wheels["teacher"]) as archive:
        said = archive.read(f"minitorch_lab_teacher-{version}.dist-info/METADATA").decode().splitlines()
    assert {f"Version: {version}", f"Requires-Dist: minitorch-lab=={version}"} <= {*said}
    assert sum(line.startswith("Requires-Dist") for line in said) == 1 + len(about["optional-dependencies"]["grade"])


def test_without_the_teachers_part_the_grader_says_what_to_install(student: Path, tmp_path: Path) -> None:
    wanted = (
        "{} is of the teacher's part, which is not installed here.\n"
        "  The students' package holds no grader, no judges and no solutions.\n"
        "  Run pip install 'minitorch-lab[teacher]' first, and not where students can read it.\n"
    )
    command = [student, "-c", "from minitorch_lab.cli import main; main()"]
    for name in TEACHING:
        assert run(*command, name, "--some", "x", cwd=tmp_path, good=1) == wanted.format(f"minitorch-lab {name}")
    ask = "from minitorch_lab.errors import ArgumentError\ntry:\n from minitorch_lab.grade import grade_one\n"
    said = run(student, "-c", f"{ask}except ArgumentError as error:\n print(error)", cwd=tmp_path)
    assert said == wanted.format("minitorch_lab.grade.grade_one")


def handed_in(path: Path, name: str, answers: Answers) -> Path:
    """A student's notebook, as they would hand it in."""
    book = lesson(name)
    cells = [{**cell, "source": answers.get(cell.get("id", ""), cell["source"])} for cell in book["cells"]]
    path.parent.mkdir(parents=True, exist_ok=True)
    return write(path, {**book, "cells": cells})


def test_the_missing_commands_are_those_of_the_teachers_part() -> None:
    assert tuple(command.name for command in COMMANDS) == TEACHING


def test_check_runs_from_the_students_and_grade_from_both(student: Path, teacher: Path, tmp_path: Path) -> None:
    name = "02_the_tape"
    path = handed_in(tmp_path / "submitted/ada" / f"{name}.ipynb", name, right(name))
    command = ("-c", "from minitorch_lab.cli import main; main()")
    said = run(student, *command, "check", path, cwd=tmp_path)
    assert said.count("done") == len(right(name))
    assert "not yet" not in said
    run(teacher, *command, "release", "02", "--to", "course", "--no-trial", cwd=tmp_path)
    run(teacher, *command, "grade", "submitted", "--course", "course", "--workers", "1", cwd=tmp_path)
    (graded,) = json.loads((tmp_path / "results/results.json").read_text("utf-8"))["submissions"]
    assert graded["result"]["score"] == graded["result"]["points"] > 0
