"""Files that are handed in: broken ones, and whole ones that only look odd."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.grade.course import STARTERS, answered
from tests.grade.notebooks import code, notebook

WHOLE = json.dumps(answered())
EVIL = "import os\nos.kill(os.getppid(), 9)\nraise SystemExit"


def changed(**fields: Any) -> str:
    """The solved notebook with other fields."""
    return json.dumps({**answered(), **fields})


def cells_changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> str:
    """The solved notebook with other cells."""
    book: dict[str, Any] = answered()
    return json.dumps({**book, "cells": [change(cell) for cell in book["cells"]]})


def nested(depth: int) -> dict[str, Any]:
    """An object in objects."""
    found: dict[str, Any] = {"tags": ["nbval-skip"]}
    for _ in range(depth):
        found = {"a": found}
    return found


# What the file holds, and the problem that it has.
UNREADABLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not a notebook"),
    "truncated": (WHOLE[: len(WHOLE) // 2].encode(), "not a notebook"),
    "not JSON": (b"# a script\nprint('hello')\n", "not a notebook"),
    "a zip": (b"PK\x03\x04" + bytes(100), "not a notebook"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(100), "not a notebook"),
    "zeros": (bytes(1000), "not a notebook"),
    "Latin-1": (WHOLE.replace("softmax", "söftmax").encode("latin-1"), "not a notebook"),
    "a list": (b"[]", "not a notebook"),
    "null": (b"null", "not a notebook"),
    "brackets without end": (b"[" * 1_000_000, "not a notebook"),
    "objects without end": (b'{"a":' * 300_000, "not a notebook"),
    "a number of a million digits": (b'{"nbformat": ' + b"9" * 1_000_000 + b"}", "not a notebook"),
    "two documents": ((WHOLE + WHOLE).encode(), "not a notebook"),
    "format 3": (json.dumps({"nbformat": 3, "worksheets": []}).encode(), "old format"),
    "format 5": (changed(nbformat=5).encode(), "future format"),
    "a format that is text": (changed(nbformat="4").encode(), "not a notebook"),
    "a format that is true": (changed(nbformat=True).encode(), "not a notebook"),
    "no cells": (json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode(), "not a notebook"),
    "cells that are an object": (changed(cells={}).encode(), "not a notebook"),
    "cells that are numbers": (changed(cells=[1, 2]).encode(), "not a notebook"),
    "no cell of an exercise": (json.dumps(notebook(code("mine", "x = 1"))).encode(), "no exercise"),
    "an exercise as text": (cells_changed(lambda cell: {**cell, "cell_type": "markdown"}).encode(), "no exercise"),
    "sources that are numbers": (cells_changed(lambda cell: {**cell, "source": 7}).encode(), "no exercise"),
    "too many bytes": (WHOLE.encode() + b" " * (9 << 20), "too large"),
    "a million cells": (b'{"nbformat": 4, "cells": [' + b"{}," * 999_999 + b"{}]}", "no exercise"),
    "a million lines": (changed(cells=[code("x", "") | {"source": ["a"] * 999_999}]).encode(), "no exercise"),
    "metadata without end": (
        changed(metadata="@").replace('"@"', '{"a":' * 100_000 + "1" + "}" * 100_000).encode(),
        "not a notebook",
    ),
    "too long a cell": (json.dumps(answered(cube="#" * 100_000)).encode(), "too large"),
}

# Whole submissions in odd clothes. Each earns everything.
WHOLE_BUT_ODD: dict[str, bytes] = {
    "no ids, as before format 4.5": cells_changed(lambda c: {k: v for k, v in c.items() if k != "id"}).encode(),
    "ids as Colab keeps them": cells_changed(
        lambda c: {k: v for k, v in c.items() if k != "id"} | {"metadata": {"id": c["id"]}}
    ).encode(),
    "new ids, as of a duplicate": cells_changed(lambda cell: {**cell, "id": f"new-{cell['id'][::-1]}"}).encode(),
    "ids that are lists": cells_changed(lambda cell: {**cell, "id": [cell["id"]]}).encode(),
    "one id that is lost": cells_changed(
        lambda cell: cell | ({"id": "4f1c"} if cell["id"].startswith("cube") else {})
    ).encode(),
    "no ids, and an earlier try above": changed(
        cells=[code("", STARTERS["cube"]), *({**cell, "id": ""} for cell in answered()["cells"])]
    ).encode(),
    "an exercise that stands twice, the answer below": changed(
        cells=[code("cube-exercise", STARTERS["cube"]), *answered()["cells"]]
    ).encode(),
    "an exercise fifty thousand times more": changed(
        cells=[*answered()["cells"], *[{"cell_type": "code", "id": "cube-exercise", "source": ""}] * 50_000]
    ).encode(),
    "a byte order mark": b"\xef\xbb\xbf" + WHOLE.encode(),
    "UTF-16": WHOLE.encode("utf-16"),
    "carriage returns": json.dumps(answered(), indent=1).replace("\n", "\r\n").encode(),
    "carriage returns in the cells": cells_changed(
        lambda cell: {**cell, "source": cell["source"].replace("\n", "\r\n")}
    ).encode(),
    "sources as lines": cells_changed(lambda cell: {**cell, "source": cell["source"].splitlines(True)}).encode(),
    "cells turned around": changed(cells=list(answered()["cells"])[::-1]).encode(),
    "other cells that would do harm": changed(
        cells=[code("harm", EVIL), *answered()["cells"], code("imports-2", EVIL)]
    ).encode(),
    "a setup of its own": json.dumps(
        notebook(code("imports", EVIL), *(cell for cell in answered()["cells"] if cell["id"] != "imports"))
    ).encode(),
    "tags, points, outputs and a kernel of its own": cells_changed(
        lambda cell: {
            **cell,
            "metadata": {"tags": ["nbval-skip", "raises-exception"], "points": 100},
            "outputs": [{"output_type": "stream", "name": "stdout", "text": "passed"}],
            "execution_count": -1,
        }
    ).encode(),
    "a kernel that does not exist": changed(metadata={"kernelspec": {"name": "evil", "argv": ["rm"]}}).encode(),
    "an id of another cell that stands twice": changed(
        cells=[code("note", "1"), code("note", "2"), *answered()["cells"]]
    ).encode(),
    "metadata that nests": cells_changed(lambda cell: {**cell, "metadata": nested(300)}).encode(),
    "attachments and ids of other alphabets": changed(
        cells=[
            code("Übung-π-练习", "1") | {"attachments": {"a.png": {"image/png": "x" * 10_000}}},
            *answered()["cells"],
        ]
    ).encode(),
    "an older minor format": changed(nbformat_minor=4).encode(),
    "a newer minor format": changed(nbformat_minor=99, extra={"a": 1}).encode(),
}

# What no tag or output earns: the answer to `cube` is wrong in each.
TAGGED: dict[str, bytes] = {
    tag: json.dumps(
        notebook(
            *(
                cell
                for cell in answered(cube="def cube_rule(g, x): return g")["cells"]
                if cell["id"] != "cube-exercise"
            ),
            code("cube-exercise", f"{comment}\ndef cube_rule(g, x): return g", tags=[tag], points=100, grade=True),
        )
    ).encode()
    for tag, comment in {"nbval-skip": "# NBVAL_SKIP", "nbval-ignore-output": "# NBVAL_IGNORE_OUTPUT"}.items()
}


def no_files(folder: Path) -> dict[str, Path]:
    """Things that are no regular file."""
    target = folder / "target.ipynb"
    target.write_text(WHOLE)
    link, pipe, place = folder / "link.ipynb", folder / "pipe.ipynb", folder / "folder.ipynb"
    link.symlink_to(target)
    os.mkfifo(pipe)
    place.mkdir()
    missing, chain = folder / "missing.ipynb", folder / "chain.ipynb"
    chain.symlink_to(chain)
    return {"link": link, "pipe": pipe, "folder": place, "missing": missing, "chain": chain, "zero": Path("/dev/zero")}
