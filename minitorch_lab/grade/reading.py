"""Reads the code cells of a file that may be anything. Students' `check` and the teacher's `grade` read alike.

Of a notebook only this is believed: which code cell has which id, and what its source is. Outputs, points and the
kernel that it names are never looked at; a tag may help to find a cell whose id was lost, and does nothing else.
"""

from __future__ import annotations

import json
from typing import Any

from ..errors import MinitorchError
from .seek import Cell

# Why a file could not be read as a notebook.
PROBLEMS = {
    "not a file": "This is not a regular file.",
    "too large": "The file is larger than a submission may be.",
    "not a notebook": "The file is not a notebook: it is no JSON, or its JSON is not that of a notebook.",
    "old format": "The notebook has a format older than 4. Open it in JupyterLab and save it again.",
    "future format": "The notebook has a format newer than 4. Save it with the JupyterLab of the course.",
    "no exercise": "The notebook has none of the cells of the exercises.",
    "no notebook": "No notebook was found in what was handed in.",
}


class Unreadable(MinitorchError):  # noqa: N818 - it says what happened
    """A file that is no submission. Its first sentence is a key of `PROBLEMS`."""


def cells_in(raw: bytes) -> list[Cell]:
    """Return the code cells: what each is known by, its own id and the one that Colab keeps of it, and its source."""
    notebook = json_of(raw)
    if type(notebook) is not dict or type(notebook.get("nbformat")) is not int:
        raise Unreadable("not a notebook")
    if notebook["nbformat"] != 4:
        raise Unreadable("old format" if notebook["nbformat"] < 4 else "future format")
    if type(notebook.get("cells")) is not list:
        raise Unreadable("not a notebook")
    found: list[Cell] = []
    for cell in notebook["cells"]:
        if type(cell) is not dict:
            raise Unreadable("not a notebook")
        metadata, source = cell.get("metadata"), text_of(cell.get("source"))
        about: dict[str, Any] = metadata if type(metadata) is dict else {}
        ids, tags = (cell.get("id"), about.get("id")), about.get("tags")
        if cell.get("cell_type") == "code" and source is not None:
            known = tuple(name if type(name) is str else "" for name in ids)
            found.append(Cell(known, source, type(tags) is list and "exercise" in tags))
    return found


def json_of(raw: bytes) -> Any:
    """Return what the bytes say as JSON: in UTF-8 or UTF-16, with or without a byte order mark."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError, MemoryError) as cause:
        raise Unreadable("not a notebook") from cause


def text_of(source: Any) -> str | None:
    """Return the source of a cell with plain line ends, None when it is no text."""
    if type(source) is list and all(type(line) is str for line in source):
        source = "".join(source)
    return source.replace("\r\n", "\n").replace("\r", "\n") if type(source) is str else None
