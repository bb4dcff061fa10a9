"""Shrinking a program that differs: whatever can be left out, unwrapped or made simpler is, if it differs still."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.compile.deep.observe import Difference, differences, errors

Edit = Callable[[], None]


def bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block


def without_parts(tree: ast.AST) -> Iterator[Edit]:
    """Leaving out runs of statements, long ones first."""
    for size in (16, 8, 4, 2, 1):
        for block in bodies(tree):
            for start in range(len(block) - size, -1, -1):
                yield lambda b=block, s=start, n=size: b.__setitem__(slice(s, s + n), [])


def unwrapped(tree: ast.AST) -> Iterator[Edit]:
    """A block in place of the statement that holds it."""
    for block in bodies(tree):
        for i, node in enumerate(block):
            if isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef)):
                for name in ("body", "orelse", "finalbody"):
                    if inner := getattr(node, name, None):
                        yield lambda b=block, i=i, inner=inner: b.__setitem__(slice(i, i + 1), inner)


def simpler(tree: ast.AST) -> Iterator[Edit]:
    """A part of an expression, or a name, in place of the expression; lists and calls with fewer parts."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(getattr(value, "ctx", None), (ast.Store, ast.Del)):
                for smaller in smaller_than(value):
                    yield lambda n=node, name=name, s=smaller: setattr(n, name, s)
            elif isinstance(value, list) and not isinstance(node, ast.Module):
                yield from fewer(value)


def fewer(parts: list[Any]) -> Iterator[Edit]:
    for i, part in enumerate(parts):
        if isinstance(part, (ast.expr, ast.keyword, ast.withitem, ast.arg, ast.comprehension)):
            if len(parts) > 1 or isinstance(part, (ast.expr, ast.keyword)):
                yield lambda i=i: parts.__delitem__(i)
            if isinstance(part, ast.expr):
                for smaller in smaller_than(part):
                    yield lambda i=i, s=smaller: parts.__setitem__(i, s)


def smaller_than(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions that may stand for one: its parts, and the simplest there are."""
    if isinstance(node, (ast.Constant, ast.Name)):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
    for text in ("x", "w", "1", "2.0", "[]"):
        yield ast.parse(text, mode="eval").body


def without_arguments(tree: ast.AST) -> Iterator[Edit]:
    """A parameter of a function left out, with what its calls pass for it."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        for i, _ in reversed(list(enumerate(function.args.args))):
            yield lambda f=function, i=i: drop_argument(tree, f, i)


def drop_argument(tree: ast.AST, function: ast.FunctionDef, i: int) -> None:
    bound = i - (function.args.args[0].arg == "self")
    name = function.args.args.pop(i).arg
    called = {"f" if function.name in ("inner", "forward") else function.name, function.name}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in called:
            node.args[bound : bound + 1] = []
            node.keywords = [k for k in node.keywords if k.arg != name]


def edits(tree: ast.AST) -> Iterator[Edit]:
    yield from without_parts(tree)
    yield from unwrapped(tree)
    yield from without_arguments(tree)
    yield from simpler(tree)


def written(tree: ast.AST) -> str | None:
    """The text of a tree after an edit, if it is a program still."""
    for block in bodies(tree):
        if any(isinstance(node, ast.expr) for node in block):
            return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.If, ast.For, ast.While, ast.With)) and not node.body:
            node.body.append(ast.Pass())
        if isinstance(node, ast.Try) and not node.body:
            node.body.append(ast.Pass())
        if isinstance(node, ast.ExceptHandler) and not node.body:
            node.body.append(ast.Pass())
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        compile(text, "<program>", "exec")
    except Exception:
        return None
    return text


def kind(difference: Difference) -> tuple[str, ...]:
    """What must stay: who differs, and in what sort of thing; for errors, in which."""
    sort = "the error" if difference.kind.startswith("the text") else difference.kind
    error = str(difference.got) if sort == "the error" else ""
    said = difference.trace.strip().rpartition("\n")[2] if error not in ("", "none") else ""
    return difference.executor, sort, error, re.sub(r"\W|\d|\b\w{1,2}\b", "", said)[:30]


def shrink(text: str, difference: Difference, seconds: float = 60.0) -> str:
    """A smaller program that differs in the same way."""
    wanted, allowed, end = kind(difference), errors(text), time.monotonic() + seconds
    tried: set[str] = {text}

    def still(candidate: str) -> bool:
        if candidate in tried:
            return False
        tried.add(candidate)
        try:
            found = differences(candidate, (difference.executor,))
        except Exception:  # an edit that breaks what observes
            return False
        return bool(found) and kind(found[0]) == wanted and errors(candidate) <= allowed

    changed = True
    while changed and time.monotonic() < end:
        changed, n = False, 0
        while time.monotonic() < end:
            tree = ast.parse(text)
            edit = next(iter_from(edits(tree), n), None)
            if edit is None:
                break
            edit()
            smaller = written(tree)
            if smaller is not None and len(smaller) <= len(text) and still(smaller):
                text, changed = smaller, True
            else:
                n += 1
    return text


def iter_from(items: Iterator[Any], n: int) -> Iterator[Any]:
    for _ in range(n):
        next(items, None)
    return items
