"""Errors that teach: what was given, the rule it broke, and the nearest right call.

All sentences stand in one table, errors.toml, so that they can be read, tested and improved together. `teach("key",
**facts)` makes the error of a row; the code that finds a mistake says only which mistake it is.
"""

import tomllib
from pathlib import Path


class MiniError(Exception):
    """The root of all errors that mini raises on purpose."""


class ShapeError(MiniError, ValueError):
    """Shapes, axes or sizes that do not fit together."""


class BoundsError(ShapeError, IndexError):
    """An index that reaches past the end."""


class ArgumentError(MiniError, TypeError):
    """Something that a call does not take."""


class GradientError(MiniError, RuntimeError):
    """A gradient that was asked for in a way that cannot give the right one."""


class TraceError(MiniError, RuntimeError):
    """A function that cannot be written down as a graph, or a graph that is not well formed."""


class FileError(MiniError, ImportError):
    """A file of a student's that cannot take the place of ours."""


TABLE = tomllib.loads(Path(__file__).with_name("errors.toml").read_text("utf-8"))


def teach(key, /, **facts):
    """The error of a row of the table, with `facts` filled in."""
    row = TABLE[key]
    sentences = (row[part].format(**facts) for part in ("given", "rule", "hint"))
    return globals()[row["error"]]("\n  ".join(sentences))
