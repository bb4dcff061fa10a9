"""The small changes: all there are in the functions of a file."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
Edit = Callable[[], None]


@dataclass(frozen=True)
class Mutant:
    """One change: the `index`-th of its file."""

    path: str
    index: int
    line: int
    function: str
    what: str

    @property
    def name(self) -> str:
        """What it is called in the list of survivors: without its line, which moves."""
        return f"{self.path}:{self.function}: {self.what}"


def in_functions(tree: ast.AST, name: str = "", inside: bool = False) -> Iterator[tuple[ast.AST, str]]:
    """Every node inside a function or lambda, with the name of that; no annotations, defaults or decorators."""
    for field, value in ast.iter_fields(tree):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(tree, ast.Call):
            continue
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST):
                continue
            named = isinstance(node, (ast.FunctionDef, ast.ClassDef))
            below = f"{name}.{node.name}".strip(".") if named else name
            if inside or isinstance(node, ast.FunctionDef):
                yield node, below
            enters = isinstance(node, (ast.FunctionDef, ast.Lambda))
            yield from in_functions(node, below, (inside or enters) and not isinstance(node, ast.ClassDef))


def edits(node: ast.AST) -> Iterator[tuple[str, Edit]]:
    """The changes of one node, in words and as what does them."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        yield "another comparison", lambda: node.ops.__setitem__(0, SWAPPED[type(node.ops[0])]())
    if isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPPED:
        yield "another operator", lambda: setattr(node, "op", SWAPPED[type(node.op)]())
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "the condition negated", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, ast.comprehension):
        for i, _ in enumerate(node.ifs):
            yield "a condition left out", lambda i=i: node.ifs.__delitem__(i)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield "without its sign", lambda: setattr(node, "op", ast.UAdd() if isinstance(node.op, ast.USub) else Truth())
    if isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        other = not node.value if type(node.value) is bool else node.value + 1
        yield f"{other} for {node.value}", lambda: setattr(node, "value", other)
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "returns None", lambda: setattr(node, "value", ast.Constant(None))
    if isinstance(node, ast.Call):
        yield from of_call(node)


class Truth(ast.Not):
    """`not not`: what is left of `not` without its sign. Written as two."""


def dropped(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, Edit]]:
    """Statements left out: those that something else could do without."""
    for i, statement in enumerate(body):
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, (ast.Expr, ast.AugAssign, ast.Continue, ast.Break, ast.Raise)) and not text:
            yield statement, lambda i=i: body.__setitem__(i, ast.Pass())


def of_call(node: ast.Call) -> Iterator[tuple[str, Edit]]:
    two = node.args[:2]
    if len(two) > 1 and not any(isinstance(a, ast.Starred) for a in two) and ast.dump(two[0]) != ast.dump(two[1]):
        yield "arguments swapped", lambda: node.args.__setitem__(slice(0, 2), node.args[1::-1])
    for i, keyword in enumerate(node.keywords):
        if keyword.arg and keyword.arg != "strict":  # which is there for the case of a mistake
            yield f"without {keyword.arg}=", lambda i=i: node.keywords.__delitem__(i)


def all_of(tree: ast.AST) -> Iterator[tuple[ast.AST, str, str, Edit]]:
    """Every change of a file: its node, its function, what it is, and what does it."""
    for node, function in in_functions(tree):
        for what, edit in edits(node):
            yield node, function, what, edit
        if isinstance(node, (ast.FunctionDef, ast.If, ast.For, ast.With, ast.While)):
            for statement, edit in dropped(node.body):
                yield statement, function, "left out", edit


def mutants(path: str, text: str) -> list[Mutant]:
    """All mutants of a file."""
    found: list[Mutant] = []
    line, names = 0, {}
    for i, (node, function, what, _) in enumerate(all_of(ast.parse(text))):
        line = node.iter.lineno if isinstance(node, ast.comprehension) else getattr(node, "lineno", line)
        said = f"{shown(node)}: {what}"
        names[function, said] = names.get((function, said), 0) + 1
        again = names[function, said]
        found.append(Mutant(path, i, line, function, said if again == 1 else f"{said} ({again})"))
    return found


def shown(node: ast.AST) -> str:
    return f"`{ast.unparse(copy.deepcopy(node)).partition(chr(10))[0][:70]}`"


def changed(text: str, index: int) -> str:
    """The text of a file with one of its changes."""
    tree = ast.parse(text)
    for i, (_, _, _, edit) in enumerate(all_of(tree)):
        if i == index:
            edit()
            break
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, Truth):
            node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)
    return ast.unparse(ast.fix_missing_locations(tree))
