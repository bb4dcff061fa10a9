"""What a piece of code does with the names of a notebook: which it reads, makes, and changes."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable, Iterator
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


def read_first(source: str) -> set[str]:
    r"""The names that a piece of code reads before it makes them, in the order in which it runs; functions not run.

    Example:
        >>> sorted(read_first("for k in a:\n    b = k\n    c = b + d\ne += [f for f in g]"))
        ['a', 'd', 'e', 'g']
    """
    return set(reading(ast.parse(source), set()))


def reading(node: ast.AST, made: set[str]) -> Iterator[str]:
    """Yield the names that a node reads and that are not made yet; those that it makes are added."""
    match node:
        case ast.Name(name, ast.Load()):
            yield from {name} - made
        case ast.Name(name):
            made.add(name)
        case ast.AugAssign(target, _, value):
            yield from reading_all([value], made)
            yield from {target.id} - made if isinstance(target, ast.Name) else reading(target, made)
        case ast.Assign(targets, value):
            yield from reading_all([value, *targets], made)
        case ast.AnnAssign(target, _, value) | ast.NamedExpr(target, value):
            yield from reading_all([value, target], made)
        case ast.For(target, iterable, body, orelse) | ast.AsyncFor(target, iterable, body, orelse):
            yield from reading_all([iterable, target, *body, *orelse], made)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            inner = set(made)
            for each in node.generators:
                yield from reading_all([each.iter, each.target, *each.ifs], inner)
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            yield from reading_all(parts, inner)
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            yield from reading_all([*node.decorator_list, *node.args.defaults, *node.args.kw_defaults], made)
            made.add(name)
        case ast.ClassDef(name):
            yield from reading_all([*node.decorator_list, *node.bases], made)
            made.add(name)
        case ast.Lambda():
            yield from reading_all([*node.args.defaults, *node.args.kw_defaults], made)
        case ast.Import(brought) | ast.ImportFrom(_, brought):
            made |= {(each.asname or each.name).partition(".")[0] for each in brought}
        case _:
            made |= {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set[str]()
            yield from reading_all(ast.iter_child_nodes(node), made)


def reading_all(nodes: Iterable[ast.AST | None], made: set[str]) -> Iterator[str]:
    """The same for several nodes, one after the other."""
    for node in nodes:
        if node is not None:
            yield from reading(node, made)
