"""What stands in a reader's function: the names that it mentions, and the line in which it ended with an exception."""

from __future__ import annotations

from collections.abc import Callable
from inspect import unwrap
from pathlib import Path
from traceback import extract_tb
from types import CodeType
from typing import Any

PACKAGE = str(Path(__file__).parents[1])


def mentioned(fn: Callable[..., Any]) -> set[str]:
    """The globals, attributes and methods that a function names, in what is defined inside it too.

    Example:
        >>> sorted(mentioned(lambda x: [abs(part.item()) for part in x.T]))
        ['T', 'abs', 'item']
        >>> mentioned(abs)
        set()
    """
    pending, names = [getattr(unwrap(fn), "__code__", None)], set[str]()
    while pending:
        code = pending.pop()
        if isinstance(code, CodeType):
            names |= {*code.co_names}
            pending += [part for part in code.co_consts if isinstance(part, CodeType)]
    return names


def line_of(error: Exception) -> str:
    """The reader's line in which an exception came up; "" where it cannot be read.

    Example:
        >>> try:
        ...     1 / 0
        ... except ZeroDivisionError as error:
        ...     print(line_of(error))
        1 / 0
    """
    lines = [frame.line or "" for frame in extract_tb(error.__traceback__) if not frame.filename.startswith(PACKAGE)]
    return lines[-1] if lines else ""
