"""What a cell needs of the cells before it: the statements that make the names it reads, and theirs in turn."""

from __future__ import annotations

from collections.abc import Sequence

from .inside.names import is_definition, is_import, names, statements


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
