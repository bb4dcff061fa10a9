"""Our docstrings are plain text with `code`: what reStructuredText would take for more is escaped for it."""

from __future__ import annotations

import re
from typing import Any

CODE = re.compile(r"(`+[^`]+`+)")


def plain(lines: list[str]) -> list[str]:
    r"""The lines with stars, bars and final underscores as characters; examples and `code` stay as they are.

    Example:
        >>> plain(["|x * y| of `a * b`", "", ">>> 2 * 3", "6"])
        ['\\|x \\* y\\| of `a * b`', '', '>>> 2 * 3', '6']
    """
    written, example = list[str](), False
    for line in lines:
        example = line.strip() != "" and (example or line.lstrip().startswith(">>>"))
        written.append(line if example else "".join(escaped(part) for part in CODE.split(line)))
    return written


def escaped(part: str) -> str:
    """A piece of a line, outside of code."""
    return part if part.startswith("`") else re.sub(r"[*|]|(?<=\w)_(?=\W|$)", r"\\\g<0>", part)


def on_docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Called by autodoc."""
    lines[:] = plain(lines)


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx; before napoleon, which writes reStructuredText of its own."""
    app.connect("autodoc-process-docstring", on_docstring, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
