"""What a student's cells import: of what is installed, so that it is ready for them, and of what is not, to say so.

All of it is read from the text of the cells: what their process says of a failed import could be anything.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.machinery import PathFinder

PACKAGE = __name__.partition(".")[0]
MOST = 20  # modules that are made ready for a submission
WRITTEN = re.compile(r"^%%(?:write)?file\b.*?(\w+)\.py\b", re.MULTILINE)
MAKING = re.compile(r"\b(?:def|lambda|class)\b")


def wanted(answers: Sequence[str], others: Iterable[str]) -> tuple[str, ...]:
    r"""The statements that import what the answers of a submission stand on, of what is installed.

    Args:
        answers: The sources of the exercises' cells.
        others: The student's other cells: what these import counts where answers or helpers name it.

    Example:
        >>> wanted(["import json.tool\ndef f(): return np.ones(3)"], ["import numpy as np, no_such", "import ast"])
        ('import json.tool', 'import numpy')
    """
    others = [*others]
    text = "\n".join([*answers, *filter(MAKING.search, others)])
    words = {*re.findall(r"\w+", "\n".join(line for line in text.splitlines() if "import" not in line))}
    own = {*WRITTEN.findall("\n".join([*answers, *others]))}
    found = [module for source in answers for module, _ in imports(source)]
    found += [module for source in others for module, names in imports(source) if words & names]
    tops = {module: module.partition(".")[0] for module in found}
    return tuple(f"import {each}" for each, top in tops.items() if top not in own and is_there(top))[:MOST]


def absent(sources: Iterable[str], line: int | None = None) -> tuple[str, ...]:
    r"""The packages that cells import and that are not installed where this runs, in their order.

    Args:
        sources: The sources of the cells.
        line: The only line that counts, where one is known.

    Example:
        >>> absent(["import os, no_such.part", "from helpers_of_mine import *"]), absent(["import no_such\n1"], 2)
        (('no_such', 'helpers_of_mine'), ())
    """
    sources = [*sources]
    own = {*WRITTEN.findall("\n".join(sources))}
    found = {module.partition(".")[0]: None for source in sources for module, _ in imports(source, line)}
    return tuple(each for each in found if each not in own and not is_there(each))


def imports(source: str, line: int | None = None) -> Iterator[tuple[str, set[str]]]:
    """The modules that a cell imports, anywhere in it, each with the names that it has there."""
    text = "\n".join("" if each[:1] in ("%", "!") else each for each in source.splitlines())
    try:
        nodes = [*ast.walk(ast.parse(text))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in nodes:
        match node:
            case ast.Import(names=brought) if line in (None, node.lineno):
                yield from ((each.name, {each.asname or each.name.partition(".")[0]}) for each in brought)
            case ast.ImportFrom(module=str(module), names=brought, level=0) if line in (None, node.lineno):
                yield module, {each.asname or each.name for each in brought}
            case _:
                pass


def is_there(package: str) -> bool:
    """Whether a package is installed, or Python's own; the folder that the grader was started in does not count."""
    if package in sys.stdlib_module_names or package == PACKAGE:
        return True
    folders = [each for each in sys.path if each and os.path.realpath(each) != os.getcwd()]
    try:
        return PathFinder.find_spec(package, folders) is not None
    except (ImportError, ValueError):
        return False
