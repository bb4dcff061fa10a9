"""The text of generated code, for tracebacks and debuggers: it is there as long as the code is."""

from __future__ import annotations

import linecache
from typing import Any
from weakref import finalize


def shown_as(file: str, text: str, owner: Any) -> None:
    """Let the lines of `file` be those of `text`, until `owner` is gone.

    Example:
        >>> class Owner: ...
        >>> owner = Owner()
        >>> shown_as("<an example>", "a = 1", owner)
        >>> linecache.getline("<an example>", 1)
        'a = 1'
        >>> del owner
        >>> linecache.getline("<an example>", 1)
        ''
    """
    known = file in linecache.cache
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    if not known:
        finalize(owner, linecache.cache.pop, file, None).atexit = False
