"""What a piece of code does with the names of a notebook: which it reads, makes, and changes."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple


class Names(NamedTuple):
    """What a piece of code does with the names of the notebook: which it reads, makes anew, and only changes.

    `late` are those among the reads that a function inside it reads.
    """

    reads: frozenset[str]
    late: frozenset[str]
    makes: frozenset[str]
    changes: frozenset[str]


def statements(source: str) -> list[str]:
    """The texts of the statements of a cell; a definition has its decorators."""
    lines = source.splitlines(keepends=True)
    found: list[str] = []
    for statement in ast.parse(source).body:
        first = min([statement, *getattr(statement, "decorator_list", [])], key=lambda part: part.lineno)
        if first is statement:
            found.append(ast.get_source_segment(source, statement) or "")
        else:
            found.append("".join(lines[first.lineno - 1 : statement.end_lineno]))
    return found


def is_definition(statement: str) -> bool:
    """Whether a statement defines a function or a class: kept even where nobody is known to ask for it."""
    return isinstance(ast.parse(statement).body[0], ast.FunctionDef | ast.ClassDef)


def is_import(statement: str) -> bool:
    """Whether a statement imports."""
    return isinstance(ast.parse(statement).body[0], ast.Import | ast.ImportFrom)


@cache
def names(source: str) -> Names:
    r"""What a piece of code does with names, as far as its text says; names inside functions are theirs.

    Example:
        >>> sorted(names("def f(x):\n    y = x + z\n    return y").reads)
        ['z']
    """
    top = symtable.symtable(source, "<cell>", "exec")
    makes = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    reads = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    late = {s.get_name() for inner in scopes(top) for s in inner.get_symbols() if s.is_global() and s.is_referenced()}
    changes = {name for node in ast.walk(ast.parse(source)) for name in changed(node)}
    return Names(frozenset(reads | late), frozenset(late), frozenset(makes - changes), frozenset(changes))


def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    """The functions and classes in a scope, at every depth."""
    for inner in table.get_children():
        yield inner
        yield from scopes(inner)


def changed(node: ast.AST) -> Iterator[str]:
    """The names whose values a statement changes without making them anew."""
    match node:
        case ast.Assign(targets):
            parts: list[ast.AST] = [target for target in targets if not isinstance(target, ast.Name)]
        case ast.AugAssign(target):
            parts = [target]
        case ast.Expr(ast.Call(ast.Attribute(value))):
            parts = [value]
        case _:
            return
    for part in parts:
        while isinstance(part, ast.Attribute | ast.Subscript):
            part = part.value
        if isinstance(part, ast.Name):
            yield part.id
