"""Puts a solution into the cell of its exercise: definitions of the same name take the place of the starter's."""

from __future__ import annotations

import ast
import re


def parts_of(text: str) -> dict[str, str]:
    """The parts of a solutions file, by cell id. What stands above the first `# %% id` is for tools only."""
    pieces = re.split(r"^# %% (\S+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def name_of(statement: ast.stmt) -> str | None:
    """What a statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return statement.name
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return None


def injected(cell: str, solution: str) -> str:
    """The source of the cell with the definitions of the solution in place of its own."""
    lines = cell.splitlines()
    mine = {name_of(s): ast.get_source_segment(solution, s) for s in ast.parse(solution).body}
    theirs = {name_of(s): s for s in ast.parse(cell).body}
    assert mine.keys() <= theirs.keys(), f"the cell defines no {mine.keys() - theirs.keys()}"
    for name, statement in reversed(theirs.items()):
        if name in mine:
            lines[statement.lineno - 1 : statement.end_lineno] = [mine[name] or ""]
    return "\n".join(lines)
