"""The reader's own code: which of their lines runs now, what expression, and which lines are worth showing."""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import sysconfig
import textwrap
from types import FrameType
from typing import Any, NamedTuple

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
RECORD = os.path.dirname(os.path.abspath(__file__)) + os.sep
PLACES = sysconfig.get_paths()
LIBRARY = tuple({PLACES[name] + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")})
OURS = (PACKAGE, "<frozen", "<minitorch_lab ", "<compiled ")  # the last two are generated code
MACHINE = os.path.join(PACKAGE, "compiler", "capture", "bytecode", "machine.py")
LONG = 24  # a stretch of more lines than this is shown without what did not run

Row = tuple[str, int, str]


class Place(NamedTuple):
    """Where the reader's code stands: line, expression as typed, the name it is given. Code without source has none."""

    line: str | None
    text: str
    target: str | None


class Interpreted:
    """A frame that the compiler's own interpreter runs, in the shape of one of CPython's. `of` is that frame."""

    def __init__(self, running: FrameType) -> None:
        self.of, self.f_back = running.f_locals["frame"], running.f_back
        self.f_code, self.f_lineno = self.of.code, self.of.line()
        self.f_locals, self.f_globals = self.of.locals, self.of.globals
        self.f_lasti = self.of.listing.instructions[self.of.ip].offset


def interpreted(frame: FrameType) -> bool:
    """Whether a frame of CPython's runs a frame of the compiler's, of code of the reader's."""
    code = frame.f_code
    return code.co_name == "run" and code.co_filename == MACHINE and is_reader(frame.f_locals["frame"].code.co_filename)


def reader_frame() -> Any:
    """The innermost frame of the reader's own code: not ours nor a library's; without one, the innermost not ours."""
    frame: FrameType | None = inspect.currentframe()
    outside = None
    while frame is not None:
        file = frame.f_code.co_filename
        if interpreted(frame):
            return Interpreted(frame)
        if not file.startswith(OURS):
            outside = outside or frame
            if not file.startswith(LIBRARY):
                return frame
        frame = frame.f_back
    return outside


def layer_running() -> object:
    """The module whose forward, in this package, runs now; None when no such frame is inside the reader's."""
    frame: FrameType | None = inspect.currentframe()
    while frame is not None and not is_reader(frame.f_code.co_filename):
        if frame.f_code.co_name == "forward":
            return frame.f_locals.get("self")
        frame = frame.f_back
    return None


def home_frame() -> int | None:
    """The id of the frame that opened the recording, if that is code of the reader's."""
    frame: FrameType | None = inspect.currentframe()
    while frame is not None and frame.f_code.co_filename.startswith((RECORD, *LIBRARY)):
        frame = frame.f_back
    return id(frame) if frame is not None and is_reader(frame.f_code.co_filename) else None


def is_reader(file: str) -> bool:
    """Whether `file` holds code of the reader's."""
    return not file.startswith((*OURS, *LIBRARY))


class Text:
    """One file or cell, parsed: its lines, the statements on each line, its functions."""

    def __init__(self, file: str) -> None:
        # "<string>" is what exec() calls all it runs, so what linecache knows under that name may be another program's
        self.lines = [] if file == "<string>" else [line.rstrip("\n") for line in linecache.getlines(file)]
        self.statements: dict[int, list[ast.stmt]] = {}  # from left to right; an inner one after the one around it
        self.functions: list[tuple[int, int]] = []
        try:
            tree = ast.parse("\n".join(self.lines))
        except (SyntaxError, ValueError):  # a cell with magics: lines still show, names come from the variables
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self._place(node)

    def _place(self, node: ast.stmt) -> None:
        first, last = node.lineno, node.end_lineno or node.lineno
        body: list[ast.stmt] = getattr(node, "body", [])
        for line in range(first, max(body[0].lineno, first + 1) if body else last + 1):
            self.statements.setdefault(line, []).append(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.functions.append((min([first, *(d.lineno for d in node.decorator_list)]), last))

    def scope(self, line: int) -> tuple[int, int]:
        """First and last line of the innermost function around `line`, or of the file."""
        around = [f for f in self.functions if f[0] <= line <= f[1]]
        return max(around, default=(1, len(self.lines)))

    def segment(self, span: tuple[int, int, int, int]) -> str:
        """The text between (line, column) and (line, column); columns count bytes, as in Python's own tables."""
        line, end_line, column, end = span
        part = self.lines[line - 1 : end_line]
        if not part:
            return ""
        part[-1] = part[-1].encode()[:end].decode(errors="ignore")
        part[0] = part[0].encode()[column:].decode(errors="ignore")
        return " ".join(" ".join(part).split())

    def at(self, span: tuple[int, int, int, int]) -> ast.stmt | None:
        """The statement that the expression at `span` is in: one line may hold several."""
        line, _, column, _ = span
        here = self.statements.get(line, [])
        begun = [s for s in here if (s.lineno, s.col_offset) <= (line, column)]
        return max(begun, key=lambda s: (s.lineno, s.col_offset), default=None)

    def target(self, span: tuple[int, int, int, int]) -> str | None:
        """The name that the expression at `span` is assigned to, directly."""
        statement = self.at(span)
        if isinstance(statement, ast.AugAssign):
            return _name(statement.target)
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            pairs: list[tuple[ast.expr, ast.expr]] = [(statement.target, statement.value)]
        elif isinstance(statement, ast.Assign):
            pairs = [pair for target in statement.targets for pair in _pairs(target, statement.value)]
        else:
            return None
        return next((_name(t) for t, v in pairs if _span(v) == span), None)

    def assigned(self, name: str, before: int) -> int | None:
        """The last line above `before`, in the same function, that assigns to the plain name `name`."""
        first, _ = self.scope(before)
        for line in range(before - 1, first - 1, -1):
            if self.scope(line)[0] == first and name in self.names_assigned(line):
                return line
        return None

    def names_assigned(self, line: int) -> set[str | None]:
        """The plain names that statements which begin on `line` assign to."""
        here = [s for s in self.statements.get(line, []) if isinstance(s, ast.Assign) and s.lineno == line]
        return {_name(t) for s in here for target in s.targets for t, _ in _pairs(target, s.value)}

    def worth_showing(self, involved: set[int]) -> list[int]:
        """The lines to show: each function or the stretch of file that ran, without its idle parts when it is long."""
        shown: set[int] = set()
        for first, last in {self.scope(line) for line in involved}:
            here = {line for line in involved if self.scope(line) == (first, last)}
            whole = (first, last) in self.functions
            low, high = (first, last) if whole else (min(here), self._end(max(here)))
            near = {line + d for line in here for d in (-1, 0, 1)} | ({first} if whole else set())
            shown |= set(range(low, high + 1)) if high - low < LONG else {n for n in near if low <= n <= high}
        idle = {
            n
            for first, last in self.functions
            if not any(first <= line <= last for line in involved)
            for n in range(first, last + 1)
        }
        return sorted(n for n in shown - idle if n <= len(self.lines))

    def _end(self, line: int) -> int:
        ends = [s.end_lineno or line for s in self.statements.get(line, []) if not hasattr(s, "body")]
        return max(ends, default=line)


def _span(node: ast.expr) -> tuple[int, int, int, int]:
    return node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or node.col_offset


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _name(target: ast.expr) -> str | None:
    return ast.unparse(target) if isinstance(target, ast.Name | ast.Attribute) else None


class Sources:
    """All the reader's code that ran while recording."""

    def __init__(self) -> None:
        self.texts: dict[str, Text] = {}
        self.involved: dict[str, set[int]] = {}

    def place(self, frame: FrameType) -> Place:
        """Where `frame` stands now; its line counts as involved from here on."""
        file = frame.f_code.co_filename
        text = self.text(file)
        if not text.lines:
            return Place(None, "", None)
        self.involved[file].add(frame.f_lineno)
        span = _instruction(frame)
        if span is None:
            return Place(self.id(file, frame.f_lineno), "", None)
        return Place(self.id(file, frame.f_lineno), text.segment(span), text.target(span))

    def known(self, file: str, line: int) -> str | None:
        """The id of a line, if it is the reader's; it counts as involved."""
        if not is_reader(file) or not self.text(file).lines:
            return None
        self.involved[file].add(line)
        return self.id(file, line)

    def calls(self, frame: FrameType, home: int) -> None:
        """The lines that called `frame`, up to the frame with the id `home`, count as involved too."""
        caller: FrameType | None = frame
        while caller is not None and id(caller) != home:
            caller = caller.f_back
            if caller is not None and is_reader(caller.f_code.co_filename):
                self.text(caller.f_code.co_filename)
                self.involved[caller.f_code.co_filename].add(caller.f_lineno)

    def text(self, file: str) -> Text:
        """The parsed text of `file`, read once."""
        if file not in self.texts:
            self.texts[file], self.involved[file] = Text(file), set()
        return self.texts[file]

    def id(self, file: str, line: int) -> str:
        """The id of a line: l4, or l4.2 in the second file."""
        k = list(self.texts).index(file)
        return f"l{line}.{k + 1}" if k else f"l{line}"

    def assigned(self, name: str, line: str) -> str | None:
        """The line that assigned `name` before line `line` used it."""
        no, _, k = line[1:].partition(".")
        file = list(self.texts)[int(k or 1) - 1]
        found = self.texts[file].assigned(name, int(no))
        if found is None:
            return None
        self.involved[file].add(found)
        return self.id(file, found)

    def raised(self, error: BaseException) -> str | None:
        """The reader's line that an exception came from."""
        found = None
        trace = error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if is_reader(file):
                found = file, trace.tb_lineno
            trace = trace.tb_next
        if found is None:
            return None
        self.text(found[0])
        self.involved[found[0]].add(found[1])
        return self.id(*found)

    def listings(self) -> list[tuple[str, tuple[Row, ...]]]:
        """(title, rows) of each file, dedented, with one row of "…" for each gap."""
        return [(_title(file), self._rows(file)) for file in self.texts if self.has_source(file)]

    def has_source(self, file: str) -> bool:
        """Whether there is something of this file to show: code typed into exec() has no lines to be found."""
        return bool(self.involved[file] and self.texts[file].lines)

    def _rows(self, file: str) -> tuple[Row, ...]:
        text = self.texts[file]
        shown = text.worth_showing(self.involved[file])
        rows: list[Row] = []
        for run in _runs(shown):
            if rows:
                rows.append(("", 0, "…"))
            dedented = textwrap.dedent("\n".join(text.lines[n - 1] for n in run)).split("\n")
            rows += [(self.id(file, n), n, line.rstrip()) for n, line in zip(run, dedented, strict=True)]
        return tuple(rows)


def _runs(numbers: list[int]) -> list[list[int]]:
    """Numbers in stretches without a gap."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return runs


def _instruction(frame: FrameType) -> tuple[int, int, int, int] | None:
    positions = list(frame.f_code.co_positions())[frame.f_lasti // 2]
    line, end_line, column, end = positions
    if line is None or end_line is None or column is None or end is None:
        return None
    return line, end_line, column, end


def _title(file: str) -> str:
    """A title that tells no one where the reader keeps their files."""
    return "cell" if "ipykernel" in file or file.startswith("<ipython") else os.path.basename(file)
