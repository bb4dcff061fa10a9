"""The sentences in which a lesson's check names a misconception, read from its source: the one place they stand in."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .. import lessons

HOLE = "…"  # stands in a sentence for what the check fills in; no student reads it (hints.py)
SHORTEST = 12  # characters that a sentence has besides its holes
ENDED, OPEN = 18, 24  # the same for one without holes: with a full stop, and without (where a label would do as well)
PRAISE = {"done"}  # calls whose text is no hint


def says(text: object, sentence: str) -> bool:
    """Whether `text` is this sentence with its holes filled, or has it in it.

    Example:
        >>> says("not yet: for 3 rows you say 12, and it is 48.", "for … rows you say …, and it is …")
        True
    """
    rest = text if isinstance(text, str) else ""
    for part in filter(None, sentence.split(HOLE)):
        _, found, rest = rest.partition(part)
        if not found:
            return False
    return True


def sentences(module: str, check: str) -> list[str]:
    """Every sentence with which a check of a lesson may answer; what it fills in is a hole.

    Those that say the most come first: without holes, then those that go on after another sentence, then the longest.

    Args:
        module: A module of `minitorch_lab.lessons`.
        check: A function in it.

    Example:
        >>> [sentence for sentence in sentences("lesson_03_backward", "check_walk") if "overwrote" in sentence]
        ['you overwrote instead of adding']
    """
    found = {text for node in reached(module, check) for text in texts(node) if text.strip()}
    told = [text for text in found if constant(text) >= shortest(text) and text[0] not in ":,;. "]
    goes_on = {text for text in told if text.startswith(f"{HOLE} ") and constant(text) >= OPEN}
    return sorted(told, key=lambda text: (HOLE in text, text not in goes_on, -constant(text), text))


def shortest(text: str) -> int:
    """How long a text must be to be a sentence and no label."""
    return SHORTEST if HOLE in text else ENDED if text.endswith((".", "?", "!")) else OPEN


def constant(text: str) -> int:
    """How many characters of a sentence are fixed."""
    return len(text.replace(HOLE, "").strip())


def reached(module: str, name: str) -> Iterator[ast.AST]:
    """The definitions that a definition uses, through all modules of the lessons, itself first."""
    seen: set[tuple[str, str]] = set()
    pending = [(module, name)]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        inside, name = at
        made, brought = definitions(inside)
        if name in brought:
            pending.append(brought[name])
        elif name in made and (inside != "verdict" or name == "stopped"):
            yield made[name]
            pending += [(inside, n.id) for n in ast.walk(made[name]) if isinstance(n, ast.Name)]


@cache
def definitions(module: str) -> tuple[dict[str, ast.AST], dict[str, tuple[str, str]]]:
    """What a module of the lessons defines, and what it takes from another one: (module, name)."""
    made: dict[str, ast.AST] = {}
    brought: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(source_of(module).read_text("utf-8")).body:
        match statement:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                made[name] = statement
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                made[name] = statement
            case ast.ImportFrom(str(source), names, level) if (near := neighbour(module, source, level)) is not None:
                brought |= {alias.asname or alias.name: (near, alias.name) for alias in names}
            case _:
                pass
    return made, brought


def source_of(module: str) -> Path:
    """The file of a module of the lessons: `verdict`, `lesson_03_backward` or `lesson_03_backward.walk`."""
    path = Path(lessons.__file__).parent.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def neighbour(module: str, source: str, level: int) -> str | None:
    """The module of the lessons that `from ..source import` means in another one; None for one that is elsewhere.

    Example:
        >>> neighbour("lesson_03_backward.walk", "rules", 1), neighbour("lesson_03_backward.walk", "walks", 2)
        ('lesson_03_backward.rules', 'walks')
    """
    here = module.split(".") if source_of(module).name == "__init__.py" else module.split(".")[:-1]
    if not 0 < level <= len(here) + 1:
        return None
    return ".".join([*here[: len(here) + 1 - level], source])


def texts(node: ast.AST) -> Iterator[str]:
    """The strings in a definition that may be told: no docstring, no praise, and an f-string as one with holes."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PRAISE:
        return
    body = getattr(node, "body", None)
    spoken = body[0] if isinstance(body, list) and body and is_docstring(body[0]) else None
    for child in ast.iter_child_nodes(node):
        if child is not spoken:
            yield from texts(child)


def is_docstring(statement: ast.AST) -> bool:
    """Whether a statement is a string and nothing else."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
