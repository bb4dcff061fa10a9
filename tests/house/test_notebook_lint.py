"""Every code cell of every committed notebook has been run, in order, in a fresh kernel."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.house.notebooks import never_run, unexpected_errors
from tests.house.source import ROOT, tracked


def code(source: str, count: int | None, *, tags: tuple[str, ...] = (), error: str | None = None) -> dict[str, Any]:
    outputs = [{"output_type": "error", "ename": error}] if error else []
    metadata = {"tags": list(tags)}
    return {"cell_type": "code", "source": [source], "execution_count": count, "metadata": metadata, "outputs": outputs}


def test_there_are_notebooks_to_check() -> None:
    assert Path("notebooks/00_tour.ipynb") in tracked("*.ipynb")


@pytest.mark.parametrize("path", tracked("*.ipynb"), ids=str)
def test_every_code_cell_has_been_run(path: Path) -> None:
    notebook = json.loads((ROOT / path).read_text("utf-8"))
    assert never_run(notebook) == []
    assert unexpected_errors(notebook) == []


def test_a_cell_that_was_never_run_is_seen() -> None:
    text = {"cell_type": "markdown", "source": ["# words"], "metadata": {}}
    assert never_run({"cells": [text, code("a = 1", 1), code("", None), code("b = 2\nb", None)]}) == ["b = 2"]


def test_a_cell_that_was_run_out_of_order_is_seen() -> None:
    assert never_run({"cells": [code("a", 2), code("b", 1)]}) == ["a", "b"]


def test_an_error_that_was_not_announced_is_seen() -> None:
    wanted = code("1 / 0", 1, tags=("raises-exception",), error="ZeroDivisionError")
    also = code("# NBVAL_RAISES_EXCEPTION\n1 / 0", 2, error="ZeroDivisionError")
    assert unexpected_errors({"cells": [wanted, also, code("x", 3, error="NameError")]}) == ["NameError"]
