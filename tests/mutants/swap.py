"""Putting a changed function in the place of the one that is loaded, so that no module has to be imported again."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType

from tests.mutants.changes import all_of


def codes(code: CodeType, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], CodeType]]:
    """A code object and those in it, each with the way to it: which of the code objects in it, and so on."""
    yield path, code
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    for i, part in enumerate(inner):
        yield from codes(part, (*path, i))


def compiled(text: str, file: str, index: int | None) -> CodeType:
    """The code of a file with one of its changes, at the places that the file has."""
    tree = ast.parse(text)
    if index is not None:
        for i, (_, _, _, edit) in enumerate(all_of(tree)):
            if i == index:
                edit()
                break
    return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)


def swap(text: str, file: str, index: int) -> int:
    """Change the loaded functions of a file. Returns how many were changed."""
    old, new = dict(codes(compiled(text, file, None))), dict(codes(compiled(text, file, index)))
    changed = {one: new[path] for path, one in old.items() if path and path in new and new[path] != one}
    count = 0
    for f in gc.get_objects():
        if type(f) is FunctionType and f.__code__.co_filename == file and f.__code__ in changed:
            f.__code__ = changed[f.__code__]
            count += 1
    sys.setrecursionlimit(3000)
    return count
