"""The house of mini: sizes, imports in reading order, and the names that a student's file must define."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minitorch_lab.mini.names import NAMES
from tests.house.source import ROOT
from tests.house.test_budgets import code_lines

FOLDER = ROOT / "minitorch_lab" / "mini"
FILES = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.py"))}
ORDER = ["errors", *NAMES, "names", "__init__"]


def sizes(text: str) -> tuple[int, int]:
    """The code lines of a file, and of its longest function."""
    tree = ast.parse(text)
    lines = code_lines(text, tree)
    spans = [range(n.lineno, (n.end_lineno or 0) + 1) for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    return len(lines), max((len(lines.intersection(span)) for span in spans), default=0)


def test_sizes() -> None:
    found = {name: sizes(text) for name, text in FILES.items()}
    assert {name: lines for name, (lines, _) in found.items() if lines > 200} == {}
    assert {name: longest for name, (_, longest) in found.items() if longest > 25} == {}
    assert sum(lines for lines, _ in found.values()) <= 2000


def test_a_long_function_is_seen() -> None:
    assert sizes("def f():\n" + "    x = 1\n" * 25) == (26, 26)


def relative_imports(text: str) -> set[str]:
    """The files of mini that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level:
            found |= {node.module} if node.module else {alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_file_imports_earlier_ones_only(name: str) -> None:
    assert relative_imports(FILES[name]) <= set(ORDER[: ORDER.index(name)])


@pytest.mark.parametrize("name", FILES)
def test_numpy_alone(name: str) -> None:
    nodes = list(ast.walk(ast.parse(FILES[name])))
    names = {alias.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(n.module).partition(".")[0] for n in nodes if isinstance(n, ast.ImportFrom) and not n.level}
    assert names - sys.stdlib_module_names <= {"numpy"} | ({"minitorch_lab"} if name == "record" else set())


def uses() -> dict[str, set[str]]:
    """What the files use of each other: imported names, and attributes of imported files."""
    found: dict[str, set[str]] = {name: set() for name in NAMES}
    for text in FILES.values():
        nodes, files = list(ast.walk(ast.parse(text))), {}
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.level:
                for alias in node.names:
                    if node.module is None:
                        files[alias.asname or alias.name] = alias.name
                    elif node.module in found:
                        found[node.module].add(alias.name)
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in files:
                found[files[node.value.id]].add(node.attr)
    return found


def test_the_names_are_those_in_use() -> None:
    assert {name: set(names) for name, names in NAMES.items()} == uses()


SLOPE = """
from minitorch_lab import mini
x = mini.tensor(3.0, requires_grad=True)
(x * x).backward()
print(float(x.grad), mini.tape.__file__)
"""


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MINITORCH_MINI": str(folder)}
    return subprocess.run([sys.executable, "-c", SLOPE], env=environment, capture_output=True, text=True, check=False)


def test_a_students_copy_takes_the_place_of_ours(tmp_path: Path) -> None:
    (tmp_path / "tape.py").write_text(FILES["tape"])
    assert run(tmp_path).stdout.split() == ["6.0", str(tmp_path / "tape.py")]


def test_a_wrong_file_gives_its_own_wrong_answer(tmp_path: Path) -> None:
    right = "self.arrived[to] + part if to in self.arrived else part"
    assert right in FILES["tape"]
    (tmp_path / "tape.py").write_text(FILES["tape"].replace(right, "part"))
    assert run(tmp_path).stdout.split()[0] == "3.0"


def test_a_missing_name_is_taught(tmp_path: Path) -> None:
    (tmp_path / "tape.py").write_text(FILES["tape"].replace("class TapeNode", "class Knot"))
    said = run(tmp_path).stderr
    assert "tape.py does not define TapeNode.\n  Other files of mini use these names of tape.py." in said


def test_a_folder_without_a_file_of_ours_is_taught(tmp_path: Path) -> None:
    (tmp_path / "taep.py").write_text("")
    assert "names no folder with a file of mini's" in run(tmp_path).stderr
