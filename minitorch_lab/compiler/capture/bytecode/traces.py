"""Tracebacks: an error that the machine or a program raises shows the user's frames, as if CPython had run them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from textwrap import indent
from types import CodeType, TracebackType
from typing import Any, TypeVar

Trail = tuple[tuple[CodeType, int], ...]  # code and line of each frame, the innermost first
E = TypeVar("E", bound=BaseException)


def retraced(error: E, trail: Trail, inner: TracebackType | None = None, held: Sequence[Any] = ()) -> E:
    """`error` with the traceback that it would have had: one entry per frame of `trail`, then `inner`.

    Its frames hold what `held` lists, as the user's would have held their variables: for as long as somebody has the
    error. So no frame may hold the error itself, for then both would stay until the garbage collector comes.
    """
    made, error.__traceback__ = inner, None
    try:
        for code, line in trail:
            frame = stub(error, code, line, held)
            made = TracebackType(made, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
        return error.with_traceback(made)
    finally:
        frame = None
        del error, made, inner, held


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
    resume = [failing(error)]
    NAMES = None
    if resume[0] is None: raise
return resume.pop()()"""


def with_errors_located(text: str) -> ast.Module:
    """A program, its body inside a `try` that hands each error to `failing`. Its lines keep their numbers.

    An error has the frame of the program in its traceback. So the frame lets go of all that has a name in it, errors
    among them: else error and frame would hold each other until the garbage collector comes.
    """
    tree = ast.parse(text)
    (program,) = tree.body
    assert isinstance(program, ast.FunctionDef)
    given = {arg.arg for arg in ast.walk(program.args) if isinstance(arg, ast.arg)}
    named = {n.id for n in ast.walk(program) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    wrapped = WRAPPED.replace("NAMES", " = ".join(sorted(named - given - {"error"}) or ["_"]))
    guarded, otherwise = ast.parse(f"def f():\n{indent(wrapped, ' ')}").body[0].body  # pyright: ignore
    assert isinstance(guarded, ast.Try)
    guarded.body, program.body = program.body, [guarded, otherwise]
    return tree


def stub(error: BaseException, code: CodeType, line: int, held: Sequence[Any]) -> TracebackType:
    """The traceback of `raise error` on a line of the user's, in a function of that name."""
    text = "\n" * (line - 1) + "raise error"
    raising = compile(text, code.co_filename, "exec").replace(co_name=code.co_name, co_qualname=code.co_qualname)
    context, cause = error.__context__, error.__cause__
    trace: TracebackType | None = None
    space: dict[str, Any] = {"error": error}
    try:
        exec(raising, space)
    except BaseException as raised:
        trace = raised.__traceback__
    error.__context__ = context
    if cause is not None:
        error.__cause__ = cause
    space.clear()
    space["held"] = held
    assert trace is not None
    assert trace.tb_next is not None
    try:
        return trace.tb_next
    finally:
        del error, context, cause, trace, held
