"""What a cell needs of the cells before it: the statements that make the names it reads, and theirs in turn."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Names(NamedTuple):
    """What a piece of code does with the names of the notebook: which it reads, makes anew, and only changes.

    `late` are those among the reads that a function inside it reads.
    """

    reads: frozenset[str]
    late: frozenset[str]
    makes: frozenset[str]
    changes: frozenset[str]


def context(earlier: Sequence[str], cell: str) -> str:
    r"""The part of the earlier cells that `cell` stands on, in their order; drawings and demonstrations are left out.

    A name that a statement makes anew hides what made it before; one that is only changed (`x.grad = None`, `x += 1`)
    needs both. Imports and definitions are all kept: an answer may use any of them.

    Args:
        earlier: The sources of the cells above, from the top.
        cell: The source of the cell.

    Raises:
        SyntaxError: One of them is no Python.

    Example:
        >>> print(context(["import math\nx = 2\nprint(x)", "x = 3\ny = x + 1\nz = 5"], "math.sqrt(y)"))
        import math
        x = 3
        y = x + 1
    """
    above = [statement for source in earlier for statement in statements(source)]
    wanted: set[str] = set()
    for statement in reversed(statements(cell)):
        does = names(statement)
        wanted = wanted - does.makes | does.reads | does.changes
    while True:
        kept = slice_of(above, wanted)
        late = {name for statement in kept for name in names(statement).late}
        if late <= wanted:
            return "\n".join(kept)
        wanted |= late  # a function reads a name when it is called, and that may have been made after the function


def slice_of(above: Sequence[str], wanted: set[str]) -> list[str]:
    """The statements that make `wanted`, and what they stand on. Modules are used by many, and changed by none."""
    modules = {name for statement in above if is_import(statement) for name in names(statement).makes}
    needed = set(wanted)
    kept: list[str] = []
    for statement in reversed(above):
        does = names(statement)
        if needed & (does.makes | (does.changes - modules)):
            needed -= does.makes
            needed |= does.reads | does.changes
        elif not is_import(statement) and not is_definition(statement):
            continue
        kept.append(statement)
    return kept[::-1]


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
