"""Files of results are written whole: a reader never meets half of one, and none is left of a class before."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from ..errors import ArgumentError

NUMBERED = "[0-9][0-9][0-9]*"  # how the files of single students begin


def put(path: Path, text: str | bytes) -> None:
    """Write a text to a file, in the place of what it held.

    Should the disk be full, the old file stays as it was.

    Raises:
        ArgumentError: The file could not be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     put(Path(place, "new", "results.json"), "{}")
        ...     [path.name for path in Path(place, "new").iterdir()]
        ['results.json']
    """
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(text.encode() if isinstance(text, str) else text)
        os.replace(part, path)
    except OSError as cause:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise ArgumentError(
            f"The results {path} could not be written ({cause.strerror}).",
            "What was graded is in the journal all the same.",
            "Make room, or choose another folder with --out, and run the same command again: it only writes.",
        ) from cause


def clear(folder: Path, ending: str) -> None:
    """Take the files of single students out of a folder: another class has other names and numbers.

    Args:
        folder: The folder; it may be missing.
        ending: How the files end: what else lies there stays.
    """
    for path in folder.glob(NUMBERED + ending):
        path.unlink()
