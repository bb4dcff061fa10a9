"""Every error that the package raises is one of `errors.py`, and says at least what was given and the rule it broke."""

from __future__ import annotations

import ast

import pytest

from minitorch_lab import errors
from tests.house.source import ROOT, tracked

OURS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}

# Errors of Python's that have a meaning for Python itself.
PROTOCOL = {
    "AttributeError": "hasattr and __getattr__ ask for it",
    "NoAttributeError": "hasattr asks for it; the words are made when somebody reads them",
    "NotImplementedError": "a method that a subclass must write",
    "StopIteration": "iterators end with it",
}


def untaught(text: str) -> list[str]:
    """Return the `raise` statements that name another error, or one of ours with fewer than two sentences."""
    calls = [node.exc for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Raise)]
    return [ast.unparse(call) for call in calls if call is not None and not taught(call)]


def taught(raised: ast.expr) -> bool:
    """Say whether what is raised teaches. An error made elsewhere, as in `raise shape_error(x, y)`, is judged there."""
    name = raised.func if isinstance(raised, ast.Call) else raised
    if not isinstance(name, ast.Name) or not name.id.endswith(("Error", "Iteration", "Exception")):
        return True
    given = len(raised.args) if isinstance(raised, ast.Call) else 0
    return name.id in PROTOCOL or (name.id in OURS and given >= 2)


@pytest.mark.parametrize("path", tracked("minitorch_lab/*.py"), ids=str)
def test_every_raise_teaches(path: str) -> None:
    assert untaught((ROOT / path).read_text("utf-8")) == []


@pytest.mark.parametrize("line", ["raise ValueError('no')", "raise ShapeError('no')", "raise ShapeError"])
def test_a_raise_that_does_not_teach_is_seen(line: str) -> None:
    assert untaught(line) == [line.removeprefix("raise ")]
