"""Running a program and writing down all that it lets see."""

from __future__ import annotations

import contextlib
import io
import traceback
from typing import Any

from tests.compile.captured import hard, harder, plain, ways
from tests.compile.captured.engine import Tensor

PROGRAMS = plain.PROGRAMS | ways.PROGRAMS | hard.PROGRAMS | harder.PROGRAMS


def show(v: Any) -> str:
    if isinstance(v, Tensor):
        return f"T{v.tolist()}{v.dtype}{' grad' if v.requires_grad else ''}"
    if isinstance(v, (list, tuple)):
        return type(v).__name__ + str([show(x) for x in v])
    if isinstance(v, dict):
        return str({k: show(x) for k, x in v.items()})
    return repr(v)


def observe(name: str, compile: Any) -> tuple[list[str], str]:
    """What a program yields, and what it prints."""
    out, seen = io.StringIO(), []
    with contextlib.redirect_stdout(out):
        try:
            for v in PROGRAMS[name](compile):
                seen.append(show(v))
        except Exception as e:
            seen.append("ESCAPED " + "".join(traceback.format_exception(e))[-2500:])
    return seen, out.getvalue()
