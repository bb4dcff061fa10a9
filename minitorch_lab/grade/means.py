"""By which means an answer was come by: what it calls that would be the exercise itself. It costs nothing, and is told.

A judge sees values. Whether somebody has written `jacrev` or called it, or asked the lesson's own check for what it
knows, shows in the text alone, and a text can be written in many ways: this finds who did not hide it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Set
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import ArgumentError
from ..lessons.verdict import Verdict
from ..tensors.tensor import Tensor
from .bundle import Lesson, notebook_at
from .extract import Submitted
from .judge_source import code_of, source_of
from .seek import Wanted, touched, wanted_of
from .sentences import definitions
from .writing import check_of

NAME = r"[^\W\d]\w*"
SILENT = re.compile(r"\"{3}.*?\"{3}|'{3}.*?'{3}|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*", re.DOTALL)  # texts and comments
ASKED = re.compile(rf"\.\s*({NAME})")
PACKAGE = __name__.partition(".")[0]
REFLECTIVE = frozenset({"getattr", "attrgetter", "methodcaller", "vars", "globals", "eval", "exec", "import_module",
                        "__import__", "__dict__", "__getattribute__", "modules"})  # fmt: skip
IMPORT = re.compile(r"^\s*(?:from\s+\S+\s+)?import\b([^(\n]*(?:\([^)]*\))?)", re.MULTILINE)
DEFINED = re.compile(rf"^(?:def|class) +({NAME})", re.MULTILINE)
MADE = re.compile(rf"\b(?:def|class)\s+({NAME})|^\s*({NAME})\s*=(?!=)", re.MULTILINE)


def means(taken: Submitted, exercise: str) -> tuple[str, ...]:
    """The names by which an answer may have spared itself the exercise.

    These are what the lesson's own check works with, but for what the lesson shows up to this exercise; and what the
    library has ready made, but for what its solution uses. Lines that were handed out count for nobody, wherever in a
    lesson of the course they stand, nor does asking the checks. A cell that answers another exercise too may use what
    that one may.
    """
    mine = [source for _, source in taken.cells[exercise] or ()]
    with_it = [each for each, cells in taken.cells.items() if {*mine} & {source for _, source in cells or ()}]
    wanted = {cell for each in with_it for cell in taken.lesson.wanted[each].cells}
    above = [*above_and_in(taken.lesson.notebook, wanted)]
    solution = [source_of(cell) for cell in taken.lesson.solved["cells"] if cell.get("id") in wanted]
    answers = {source for each in taken.cells.values() for _, source in each or ()}
    others = (source for source, own, _ in taken.others_of(exercise) if own and source not in answers and mine)
    mine += [source for source in others if not answers_another(taken.lesson, source)]
    given = lines_of(taken.lesson.folder)
    written = ["\n".join(x for x in s.splitlines() if x.strip() not in given) for s in mine]
    shown = names_in([*above, *solution], uses)
    ready = names_in(written, lambda s: uses(s) | brought(s) | spelt(s))
    ready -= names_in([*solution, *starters_in(taken.lesson, above)], uses)
    shown |= {each.asks.rstrip("(") for each in taken.lesson.wanted.values()}
    asked = names_in(written, lambda s: asked_for(s) | spelt(s)) - shown
    deep = names_in(written, lambda s: reached(s, names_in(above, brought))) - shown
    return tuple(sorted(ready & library() | asked & helpers(taken.lesson, exercise) | deep & rest()))


@cache
def handed_out(folder: Path) -> dict[str, dict[str, Any]]:
    """The lessons of a course, as students get them."""
    return {path.stem: notebook_at(path) for path in sorted((folder / "lessons").glob("*.ipynb"))}


@cache
def lines_of(folder: Path) -> frozenset[str]:
    """The lines of all code cells of a course's lessons, without the blanks around them."""
    books = handed_out(folder).values()
    return frozenset(line.strip() for book in books for source in code_of(book) for line in source.splitlines())


def answers_another(lesson: Lesson, source: str) -> bool:
    """Whether a cell answers an exercise of another lesson of the course and none of this one."""
    made = touched(source)
    others = (wanted_of(book) for name, book in handed_out(lesson.folder).items() if name != lesson.name)
    theirs = {name for wanted in others for name in asked_of(wanted)}
    return bool(made & theirs) and not made & asked_of(lesson.wanted)


def asked_of(wanted: Mapping[str, Wanted]) -> set[str]:
    """The names that the exercises of a lesson ask for."""
    return {name for each in wanted.values() for cell in each.cells for name in each.names(cell)}


def starters_in(lesson: Lesson, sources: Iterable[str]) -> list[str]:
    """Those of these sources that are the cells of exercises, as handed out: what they use is a tool of the lesson."""
    starters = {source for each in lesson.wanted.values() for source in each.cells.values()}
    return [source for source in sources if source in starters]


def names_in(sources: Iterable[str], how: Callable[[str], set[str]]) -> set[str]:
    """The names in several sources."""
    return {name for source in sources for name in how(source)}


def uses(source: str) -> set[str]:
    r"""The names that stand in a source and are not made there, whether or not it is Python; imports use nothing.

    Example:
        >>> sorted(uses("from a import b\ndef f(x):  # c\n    return x.d(f, 'e')"))
        ['d', 'return', 'x']
    """
    source = IMPORT.sub("", SILENT.sub("", source))
    return {*re.findall(NAME, source)} - {first or second for first, second in MADE.findall(source)} - {"def"}


def brought(source: str) -> set[str]:
    r"""The names that a source imports, but for those out of somebody else's module.

    Example:
        >>> sorted(brought("from minitorch_lab.b import (c,\n  d)\nimport e as f\nfrom itertools import chain"))
        ['c', 'd', 'e', 'f']
    """
    lines = [line for line in IMPORT.finditer(SILENT.sub("", source)) if PACKAGE in line[0] or "from" not in line[0]]
    return {name for line in lines for name in re.findall(NAME, line[1])} - {"as"}


def spelt(source: str) -> set[str]:
    """The names in the texts of a source that looks things up by their names: `getattr(ml.func, "jacrev")`.

    Example:
        >>> sorted(spelt("f = getattr(ml.func, 'jacrev')")), spelt("print('jacrev')")
        (['jacrev'], set())
    """
    texts = {word for text in SILENT.findall(source) if text[0] in "'\"" for word in re.findall(NAME, text)}
    return texts if uses(source) & REFLECTIVE else set()


def reached(source: str, roots: Set[str]) -> set[str]:
    r"""The names that a source takes out of this package, by an import or by way of what the lesson has imported.

    Example:
        >>> sorted(reached("from minitorch_lab.a import b as c\nml.d.e(x.f)\ngetattr(ml.d, name)", {"ml"}))
        ['b', 'd', 'e', 'getattr']
    """
    try:
        nodes = [*ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found = {n.name for node in nodes if isinstance(node, ast.ImportFrom) and PACKAGE in f"{node.module}."
             for n in node.names}  # fmt: skip
    chains = [ast.unparse(node).split(".") for node in nodes if isinstance(node, ast.Attribute)]
    asked = [(ast.unparse(node.func), ast.unparse(node.args[0]).partition(".")[0]) for node in nodes
             if isinstance(node, ast.Call) and node.args]  # fmt: skip
    own = roots | {n.asname or n.name for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)
                   and PACKAGE in f"{ast.unparse(node)}." for n in node.names}  # fmt: skip
    found |= {name for name, root in asked if root in own and name in REFLECTIVE}
    return found | {names[-1] for root, *names in chains if root in own}


def asked_for(source: str) -> set[str]:
    """The names that a source imports, or asks other things for: `lesson.order_of`."""
    return brought(source) | {*ASKED.findall(IMPORT.sub("", SILENT.sub("", source)))}


def above_and_in(notebook: dict[str, Any], cells: Set[str]) -> Iterable[str]:
    """The sources of a lesson's cells down to those of an exercise."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    last = max((k for k, cell in enumerate(code) if cell.get("id") in cells), default=-1)
    return map(source_of, code[: last + 1])


def helpers(lesson: Lesson, exercise: str) -> frozenset[str]:
    """The names of the functions in the module of an exercise's check, and in those that this one takes from."""
    cells = {cell["id"]: source_of(cell) for cell in lesson.notebook["cells"] if cell["cell_type"] == "code"}
    try:
        pending = [check_of(cells, f"{exercise}-check")[0]]
    except (ArgumentError, KeyError, SyntaxError):  # a lesson that has no such checks
        return frozenset()
    found: dict[str, set[str]] = {}
    while pending:
        module = pending.pop()
        made, brought = definitions(module)
        found[module] = {name for name, node in made.items() if isinstance(node, ast.FunctionDef)}
        pending += {source for source, _ in brought.values()} - found.keys()
    everybodys = {name for kind in (dict, list, set, str, Tensor, Verdict) for name in dir(kind)}
    return frozenset(name for names in found.values() for name in names) - everybodys


@cache
def library() -> frozenset[str]:
    """What the library has ready made: transforms, functions that are more than an op of entries, steps."""
    from .. import func, nn, optim
    from ..nn import functional
    from ..ops.op import OPS
    from ..tensors import factories

    simple = {name for name in dir(Tensor) if name not in OPS or OPS[name].entrywise or OPS[name].moves}
    ready = {name for name, each in vars(functional).items() if callable(each) and not name.startswith("_")}
    ready -= {*simple, *dir(factories)}
    short = {name.replace("_", "") for name in ready}
    layers = {name for name in dir(nn) if {name.lower(), name.lower().removesuffix("loss")} & short}
    steps = {name for name, each in vars(optim).items() if isinstance(each, type) and issubclass(each, optim.Optimizer)}
    return frozenset({*func.__all__, *ready, *layers, *steps} - {*simple, *dir(factories)})


@cache
def rest() -> frozenset[str]:
    """What else the library defines that is neither a tensor's method nor an op: passes, plans, rules."""
    from .. import ops
    from ..tensors import factories

    room = Path(__file__).parents[1]
    there = {path: path.relative_to(room).parts[0] for path in room.rglob("*.py")}
    files = [path for path, top in there.items() if top not in ("ops", "tensors", "errors.py")]
    made = {name for path in files for name in DEFINED.findall(path.read_text("utf-8"))}
    return frozenset({*made, *REFLECTIVE} - {*dir(Tensor), *dir(factories), *dir(ops), *dir(import_module(PACKAGE))})
