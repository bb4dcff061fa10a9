"""No file has more than 300 lines of code, no Python function more than 40. Docstrings and comments are free."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from tests.house.source import ROOT, tracked

FILE, FUNCTION = 300, 40

# The deliberate exceptions: what is over its budget, and why it reads better that way.
EXCEPTIONS: dict[str, str] = {}

FREE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_lines(text: str, tree: ast.Module) -> set[int]:
    """Return the numbers of the lines of a Python file that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in FREE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            lines.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return lines


def over_budget_python(name: str, text: str) -> list[str]:
    """Return what is too long in a Python file: `file` or `file:function`, each with its number of lines."""
    tree = ast.parse(text)
    lines = code_lines(text, tree)
    found = [f"{name} ({len(lines)} lines)"] if len(lines) > FILE else []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = len(lines.intersection(range(node.lineno, (node.end_lineno or 0) + 1)))
            found += [f"{name}:{node.name} ({size} lines)"] if size > FUNCTION else []
    return found


def over_budget_typescript(name: str, text: str) -> list[str]:
    """Return the TypeScript file, with its number of lines, when it is too long."""
    without_comments = re.sub(r"/\*.*?\*/|^\s*//[^\n]*", "", text, flags=re.DOTALL | re.MULTILINE)
    size = sum(1 for line in without_comments.splitlines() if line.strip())
    return [f"{name} ({size} lines)"] if size > FILE else []


def test_every_file_and_function_keeps_its_budget() -> None:
    found: list[str] = []
    for path in tracked("*.py", "*.ts", "*.mjs"):
        check = over_budget_python if path.suffix == ".py" else over_budget_typescript
        found += check(path.as_posix(), (ROOT / path).read_text("utf-8"))
    excepted = {line.partition(" (")[0] for line in found} & EXCEPTIONS.keys()
    assert [line for line in found if line.partition(" (")[0] not in EXCEPTIONS] == []
    assert excepted == EXCEPTIONS.keys(), "An exception that is no longer needed: take it off the list."


def test_every_exception_has_a_reason() -> None:
    assert all(len(reason.split()) >= 5 for reason in EXCEPTIONS.values())


@pytest.mark.parametrize(("lines", "expected"), [(300, []), (301, ["long.py (301 lines)"])])
def test_a_long_file_is_seen(lines: int, expected: list[str]) -> None:
    free = '"""A docstring\nof two lines."""\n\n# and a comment\n'
    assert over_budget_python("long.py", free + "x = 1\n" * lines) == expected


@pytest.mark.parametrize(("lines", "expected"), [(39, []), (40, ["a.py:f (41 lines)"])])
def test_a_long_function_is_seen(lines: int, expected: list[str]) -> None:
    head = 'def f():\n    """Free."""\n    # free\n\n'
    assert over_budget_python("a.py", head + "    x = 1\n" * lines) == expected


@pytest.mark.parametrize(("lines", "expected"), [(300, []), (301, ["long.ts (301 lines)"])])
def test_a_long_typescript_file_is_seen(lines: int, expected: list[str]) -> None:
    free = "/** Says what\n * it is. */\n\n  // free\n"
    assert over_budget_typescript("long.ts", free + "let x = 1; // counts\n" * lines) == expected
