"""Tracebacks: an error that the machine or a program raises shows the user's frames, as if CPython had run them."""

from __future__ import annotations

import ast
from textwrap import indent
from types import CodeType, TracebackType
from typing import TypeVar

Trail = tuple[tuple[CodeType, int], ...]  # code and line of each frame, the innermost first
E = TypeVar("E", bound=BaseException)


def retraced(error: E, trail: Trail, inner: TracebackType | None = None) -> E:
    """`error` with the traceback that it would have had: one entry per frame of `trail`, then `inner`."""
    made = inner
    for code, line in trail:
        frame = stub(error, code, line)
        made = TracebackType(made, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return error.with_traceback(made)


def located(filename: str, trails: dict[int, Trail], error: Exception) -> int:
    """Let the traceback of an error that the program in `filename` raised show the user's lines, known as `trails`.

    Returns:
        On which line of the program.
    """
    step = error.__traceback__
    while step is not None and step.tb_frame.f_code.co_filename != filename:
        step = step.tb_next
    trail = trails.get(step.tb_lineno) if step is not None else None
    line = step.tb_lineno if step is not None else 0
    if step is not None and trail:
        retraced(error, trail, step.tb_next)
    return line


WRAPPED = """try: ...
except Exception as error:
    resume = failing(error)
    if resume is None: raise
return resume()"""


def with_errors_located(text: str) -> ast.Module:
    """A program, its body inside a `try` that hands each error to `failing`. Its lines keep their numbers."""
    tree = ast.parse(text)
    (program,) = tree.body
    guarded, otherwise = ast.parse(f"def f():\n{indent(WRAPPED, ' ')}").body[0].body  # pyright: ignore
    assert isinstance(program, ast.FunctionDef)
    assert isinstance(guarded, ast.Try)
    guarded.body, program.body = program.body, [guarded, otherwise]
    return tree


def stub(error: BaseException, code: CodeType, line: int) -> TracebackType:
    """The traceback of `raise error` on a line of the user's, in a function of that name."""
    text = "\n" * (line - 1) + "raise error"
    raising = compile(text, code.co_filename, "exec").replace(co_name=code.co_name, co_qualname=code.co_qualname)
    context, cause = error.__context__, error.__cause__
    trace: TracebackType | None = None
    try:
        exec(raising, {"error": error})
    except BaseException as raised:
        trace = raised.__traceback__
    error.__context__ = context
    if cause is not None:
        error.__cause__ = cause
    assert trace is not None
    assert trace.tb_next is not None
    return trace.tb_next
