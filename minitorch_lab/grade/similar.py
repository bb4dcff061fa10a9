"""Pairs of submissions that are built alike, by structure and not by text: for a look, and no points change."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from .bundle import Lesson
from .extract import submitted
from .judge_source import code_of
from .reading import Unreadable

Prints = Counter[str]
ALIKE, LEAST = 0.8, 40  # the share that two have in common, and the nodes that each must have of their own
OPEN = ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list")  # statements in statements


class Pair(NamedTuple):
    """Two submissions that are built alike: the share of their own code that they have in common, from 0 to 1."""

    first: str
    second: str
    share: float


class Plain(ast.NodeTransformer):
    """Takes away what hides a copy: own names, annotations and docstrings."""

    def __init__(self, own: set[str]) -> None:
        self.own = own

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """An own name is any name."""
        return ast.Name("_" if node.id in self.own else node.id, ast.Load())

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """A parameter is one, whatever it is called."""
        return ast.arg("_")

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The keywords of an own function may be renamed with it; those of others stay."""
        if isinstance(node.func, ast.Name) and node.func.id in self.own:
            node.keywords = [ast.keyword("_", each.value) for each in node.keywords]
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """An assignment, with or without annotation."""
        return self.visit(ast.Assign([node.target], node.value or ast.Constant(None)))


def prints(source: str) -> Prints:
    r"""The statements of a source, each as what it does, with their weights: in any order, under any names.

    Example:
        >>> one = prints("def f(x):\n    y = x + 1  # so\n    z = 2 * x\n    return y * z")
        >>> two = prints("def g(a: int):\n    'Doc.'\n    c = 2 * a\n    b = a + 1\n    return b * c")
        >>> one == two, one == prints("def f(x):\n    return (x + 1) * 2 * x")
        (True, False)
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Counter()
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    found: Prints = Counter()
    plain = Plain(own)
    for node in [each for each in ast.walk(tree) if isinstance(each, ast.stmt)]:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        for name in OPEN:
            if hasattr(node, name) and isinstance(getattr(node, name), list):
                setattr(node, name, [])
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            node.name = "_"
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        found[ast.dump(plain.visit(node))] += 1
    return found


def own_prints(sources: Iterable[str], common: Iterable[str]) -> Prints:
    """What the sources of a submission do, without what the released skeleton and the reference do."""
    given = {each for source in common for each in prints(source)}
    total: Prints = Counter()
    for source in sources:
        total += prints(source)
    return Counter({each: count for each, count in total.items() if each not in given})


def weight(found: Prints) -> int:
    """How much there is: the nodes of all statements."""
    return sum(count * each.count("(") for each, count in found.items())


def share(one: Prints, two: Prints) -> float:
    """The part of the larger that both have; 0 where one of them is too short to say anything."""
    most = max(weight(one), weight(two))
    return weight(one & two) / most if min(weight(one), weight(two)) >= LEAST else 0.0


def alike(submissions: Mapping[str, Sequence[str]], common: Sequence[str]) -> list[Pair]:
    """The pairs that are built alike, the most alike first.

    Args:
        submissions: The sources of each student's answers.
        common: The sources that nobody has of another: the released cells, and the reference's.
    """
    own = {student: own_prints(sources, common) for student, sources in submissions.items()}
    pairs = [Pair(a, b, share(own[a], own[b])) for a, b in combinations(sorted(own), 2)]
    return sorted((pair for pair in pairs if pair.share >= ALIKE), key=lambda pair: -pair.share)


def answers_in(contents: Mapping[str, bytes], lesson: Lesson) -> tuple[dict[str, list[str]], list[str]]:
    """The sources of each student's answers, and those that everybody has; files without answers are left out."""
    own: dict[str, list[str]] = {}
    for student, content in contents.items():
        try:
            cells = submitted(content, [lesson]).cells
        except Unreadable:
            continue
        own[student] = [source for each in cells.values() for _, source in each or ()]
    return own, [*code_of(lesson.notebook), *code_of(lesson.solved)]
