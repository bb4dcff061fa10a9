"""Submissions of the course's lessons: right, wrong, empty and passed through, as notebooks."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

from minitorch_lab.grade.release import room
from minitorch_lab.grade.writing import injected, split
from tests.house.source import ROOT

Answers = dict[str, str]  # from the id of an exercise's cell to its source


def lesson(name: str) -> dict[str, Any]:
    """A lesson's notebook."""
    return json.loads((room("notebooks") / f"{name}.ipynb").read_text("utf-8"))


def starters(name: str) -> Answers:
    """The cells of a lesson's exercises, as students find them."""
    cells = {cell["id"]: "".join(cell["source"]) for cell in lesson(name)["cells"]}
    return {cell: source for cell, source in cells.items() if cell.endswith("-exercise")}


def right(name: str) -> Answers:
    """The lesson solved."""
    solutions = split((room("solutions") / f"s{name}.py").read_text("utf-8"))
    return {cell: injected(source, solutions[cell]) for cell, source in starters(name).items()}


def empty(name: str) -> Answers:
    """Nothing in any of the cells."""
    return dict.fromkeys(starters(name), "")


def passed_through(name: str) -> Answers:
    """Functions and methods that return what they were given first."""
    return {cell: ast.unparse(Through().visit(ast.parse(source))) for cell, source in starters(name).items()}


class Through(ast.NodeTransformer):
    """Makes every function return its first parameter that is not `self` or `ctx`."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        names = [each.arg for each in node.args.args if each.arg not in ("self", "ctx", "__init__")]
        if names and node.name != "__init__":
            node.body = [ast.parse(f"return {names[0]}").body[0]]
        return node


def variants(folder: str, name: str, kind: str = "") -> list[tuple[str, str]]:
    """The answers of a file, one after the other: the exercise, and its definitions."""
    text = (ROOT / "tests/grade" / folder / f"{kind or folder[0]}{name}.py").read_text("utf-8")
    pieces = re.split(r"^# %% (\S+)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def placed(cell: str, source: str) -> str:
    r"""The cell with all of a source in the place of what the source defines, imports and helpers included.

    Example:
        >>> placed("def f(x):\n    return x\n\nprint(f(1))", "import math\nf = math.sin")
        'import math\nf = math.sin\n\nprint(f(1))'
    """
    mine = set().union(*map(defined_by, ast.parse(source).body))
    gone = [statement for statement in ast.parse(cell).body if defined_by(statement) & mine]
    lines = cell.splitlines()
    for statement in reversed(gone):
        first = min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", []))])
        lines[first - 1 : statement.end_lineno] = [source.strip("\n")] * (statement is gone[0])
    return "\n".join(lines)


def defined_by(statement: ast.stmt) -> set[str]:
    """The names that a statement defines."""
    match statement:
        case ast.FunctionDef(name) | ast.ClassDef(name) | ast.AnnAssign(ast.Name(name)):
            return {name}
        case ast.Assign(targets):
            return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        case _:
            return set()


def rounds(folder: str, name: str) -> list[Answers]:
    """Whole submissions: the first has the first answer to every exercise, the second the second, and so on."""
    given: dict[str, list[str]] = {}
    for exercise, source in variants(folder, name):
        given.setdefault(f"{exercise}-exercise", []).append(source)
    cells = starters(name)
    return [
        {cell: injected(cells[cell], sources[k]) for cell, sources in given.items() if k < len(sources)}
        for k in range(max(map(len, given.values())))
    ]


def hand_in(name: str, answers: Answers, path: Path, by: str = "") -> Path:
    """Write the notebook of a student who has put these answers into the cells."""
    notebook = lesson(name)
    for cell in notebook["cells"]:
        if cell["id"] in answers:
            cell["source"] = answers[cell["id"]] + (f"\n# {by}" if by else "")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), "utf-8")
    return path
