"""An addition is whole: what a pass, a back end, an optimizer or a lesson lacks is said in one sentence."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.house.source import ROOT, tracked

PASSES, DECLARED = "minitorch_lab/compiler/passes", "minitorch_lab/compiler/targets/declared"
# What stands beside the passes and is none.
BESIDE = {"__init__", "functionalise", "matching", "patterns", "pipeline"}


def top(path: Path) -> list[ast.stmt]:
    """Return the statements of a file."""
    return ast.parse((ROOT / path).read_text("utf-8")).body


def lacking_passes() -> list[str]:
    """Return a sentence for every file of the passes that holds none."""
    found: list[str] = []
    for path in (p for p in tracked(f"{PASSES}/*.py") if p.stem not in BESIDE):
        defined = {f.name: [a.arg for a in f.args.args] for f in top(path) if isinstance(f, ast.FunctionDef)}
        if defined.get(path.stem) != ["graph", "tally"]:
            found.append(f"{path}: {path.stem}(graph, tally) is missing: a pass takes a graph and a tally.")
    return found


def lacking_backends() -> list[str]:
    """Return a sentence for every file of the back ends that declares none."""
    found: list[str] = []
    for path in (p for p in tracked(f"{DECLARED}/*.py") if p.stem != "__init__"):
        names = {t.id for s in top(path) if isinstance(s, ast.Assign) for t in s.targets if isinstance(t, ast.Name)}
        found += [] if "BACKEND" in names else [f"{path}: BACKEND is missing: say what the back end can."]
    return found


def lacking_optimizers() -> list[str]:
    """Return a sentence for every class of the optimizers that does not say what it does."""
    classes = ((p, c) for p in tracked("minitorch_lab/optim/*.py") for c in top(p) if isinstance(c, ast.ClassDef))
    say = "has no docstring: say in a sentence what it does."
    return [f"{path}: {c.name} {say}" for path, c in classes if not ast.get_docstring(c)]


def lacking_lessons() -> list[str]:
    """Return a sentence for every part that a lesson lacks."""
    found: list[str] = []
    for name in sorted(p.stem for p in tracked("notebooks/*.ipynb") if p.stem != "00_tour"):
        number = name.partition("_")[0]
        if not tracked(f"minitorch_lab/lessons/lesson_{number}_*/__init__.py"):
            found.append(f"Lesson {name} has no checks: write minitorch_lab/lessons/lesson_{name}/__init__.py.")
        if not tracked(f"judges/{name}.py"):
            found.append(f"Lesson {name} has no judge: write judges/{name}.py.")
    return found


def test_every_pass_is_whole() -> None:
    assert lacking_passes() == []


def test_every_back_end_is_whole() -> None:
    assert lacking_backends() == []


def test_every_optimizer_is_whole() -> None:
    assert lacking_optimizers() == []


def test_every_lesson_is_whole() -> None:
    assert lacking_lessons() == []
