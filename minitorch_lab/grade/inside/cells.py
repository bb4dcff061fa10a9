"""Runs the cells of a notebook as Jupyter would, without Jupyter: in one namespace, which is that of `__main__`."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import io
import linecache
import os
import re
import sys
import types
from contextlib import suppress
from typing import Any

TIMED = ("time", "timeit", "capture", "prun")  # magics that run what stands behind them
WRITING = ("writefile", "file")
OPTIONS = re.compile(r"^(\s*-\w+(\s+\d+)?)+\s+")
AWAIT = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT


class Enter(io.TextIOBase):
    """A standard input at which somebody presses Enter whenever a line is asked for: `input()` gives ""."""

    def readline(self, size: int | None = -1, /) -> str:
        """Return an empty line."""
        return "\n"


class Shell:
    """Stands for IPython's shell where cells ask for it: `%time` runs its line, and other magics do nothing.

    What a magic measures is no part of an answer: when its line fails, the cell goes on. What else a cell may ask of a
    shell is there too, and does nothing.
    """

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space

    def run_line_magic(self, name: str, line: str, *_: Any) -> Any:
        """`%time f(x)` and `%timeit -n 1 f(x)` run what they would time."""
        if name in TIMED:
            with suppress(Exception):
                run(OPTIONS.sub("", line), f"%{name}", self.space)

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """`%%time` and its like run their cell, `%%writefile` makes a module of it, and `%%bash` does nothing."""
        if name in TIMED:
            run(cell, f"%%{name}", self.space)
        if name in WRITING:
            *options, path = line.split()
            with open(path, "a" if "-a" in options else "w", encoding="utf-8") as file:
                file.write(cell)
            sys.path[:0] = {os.getcwd()} - {*sys.path}
            importlib.invalidate_caches()

    def system(self, *_: Any) -> None:
        """`!pip install …` does nothing: there is nowhere to install to."""

    def getoutput(self, *_: Any) -> list[str]:
        """`files = !ls` gives no lines."""
        return []

    @property
    def user_ns(self) -> dict[str, Any]:
        """The names of the cells."""
        return self.space

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_, **__: None


def new_space() -> dict[str, Any]:
    """Return the namespace that cells run in, and make it that of `__main__`."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    sys.stdin = Enter()
    shell = Shell(vars(module))
    vars(module).update(get_ipython=lambda: shell, display=print)
    return vars(module)


def lend_shell(space: dict[str, Any]) -> None:
    """Have `from IPython import get_ipython` give the shell that cells have by that name."""
    import IPython
    from IPython.core import getipython

    for place in (IPython, getipython):
        vars(place)["get_ipython"] = space["get_ipython"]


def run(source: str, name: str, space: dict[str, Any]) -> None:
    """Run one cell. Its lines can be read back, as those of a file can: capture reads the source of a function."""
    if "IPython" in source and "get_ipython" in space:
        with suppress(ImportError):
            lend_shell(space)
    source = plain(source)
    place = f"<{name}>"
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    code = compile(source, place, "exec", flags=AWAIT, dont_inherit=True)
    value = eval(code, space)
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(value)


def plain(source: str) -> str:
    """Return the source as Python: with calls in place of magics, when it has some."""
    try:
        compile(source, "cell", "exec", flags=AWAIT | ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        return TransformerManager().transform_cell(source)
    return source
