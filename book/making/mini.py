"""The pages of mini: each of its files with notes in the margin, the file at work, and its place in the big engine.

`book/mini/NAME.md` has an introduction and three sections. Notes: a definition list whose terms are names that the file
defines. At work: text and blocks of Python, which run here, one after the other, after those of `book/mini/index.md`; a
word behind `python` is the language of what a block prints. In the big engine: a definition list whose terms are files
and folders of the package.
"""

from __future__ import annotations

import ast
import io
import linecache
import re
import tokenize
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from minitorch_lab.widgets.host import View
from minitorch_lab.widgets.page import element

from .systems import code_page

BLOCK = re.compile(r"^```python ?(\w*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
TERM = re.compile(r"^`[^`\n]+`(?:, `[^`\n]+`)*$", re.MULTILINE)
PLACE = re.compile(r"`([\w/]+(?:\.py|/))`")
STEP = re.compile(r"^- (`.+?`) \[(\d+)\]: (.+?)(?=^- |\n\n)", re.MULTILINE | re.DOTALL)
FENCE = "`" * 8  # no scene holds so many
LOOK_UP = ("errors", "names")  # not in the reading order: for looking things up
FREE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Step(NamedTuple):
    """Files that are read together, how long that takes, and what they are about."""

    names: tuple[str, ...]
    minutes: int
    idea: str


class Page(NamedTuple):
    """What is written by hand of one page."""

    intro: str
    notes: dict[str, str]
    work: str
    engine: str


# ---- what is there --------------------------------------------------------------------------------------------------
def reading_order(root: Path) -> list[Step]:
    """The order that the first file of mini gives, with its minutes."""
    text = ast.get_docstring(ast.parse(read_source(root, "__init__"))) or ""
    found = STEP.findall(text)
    return [Step(tuple(re.findall(r"\w+", names)), int(time), " ".join(idea.split())) for names, time, idea in found]


def read_names(root: Path) -> list[str]:
    """The files of mini, as they are read; at the end those that are for looking things up."""
    return [name for step in reading_order(root) for name in step.names] + list(LOOK_UP)


def read_source(root: Path, name: str) -> str:
    """The text of a file of mini."""
    return (root / "minitorch_lab" / "mini" / f"{name}.py").read_text("utf-8")


def read_page(root: Path, name: str) -> Page:
    """What is written by hand of the page of a file."""
    text = (root / "book" / "mini" / f"{name}.md").read_text("utf-8")
    intro, *sections = re.split(r"^## (Notes|At work|In the big engine)\n", text, flags=re.MULTILINE)
    found = dict(zip(sections[::2], sections[1::2], strict=True))
    entries = re.findall(r"^`([\w.]+)`\n: (.*?)(?=^`|\Z)", found["Notes"], re.MULTILINE | re.DOTALL)
    return Page(intro, dict(entries), found["At work"], found["In the big engine"])


def definitions(text: str) -> dict[str, int]:
    """The line at which each name of a file is defined: `Walk`, `Walk.send`, `RULES`."""
    found: dict[str, int] = {}

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found[prefix + node.name] = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                if isinstance(node, ast.ClassDef):
                    visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.Assign):
                names = [one for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)]
                found.update({prefix + one.id: node.lineno for one in names if prefix + one.id not in found})

    visit(ast.parse(text).body, "")
    return found


def count_lines(path: Path) -> int:
    """The lines of a file that hold code: no docstrings, no comments."""
    text, lines = path.read_text("utf-8"), set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in FREE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            lines.difference_update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines)


def imports(root: Path, name: str) -> list[str]:
    """The files of mini that a file uses, in the order of reading."""
    nodes = [node for node in ast.walk(ast.parse(read_source(root, name))) if isinstance(node, ast.ImportFrom)]
    found = {one for node in nodes if node.level for one in [node.module, *(alias.name for alias in node.names)]}
    return [one for one in read_names(root) if one in found]


# ---- pages ----------------------------------------------------------------------------------------------------------
def mini_pages(root: Path) -> dict[str, str]:
    """All pages, by the file that each is written to: those of mini, and the files of the big engine that they name."""
    pages: dict[str, str] = {}
    for name in read_names(root):
        page = read_page(root, name)
        pages[f"mini/{name}.md"] = mini_page(root, name, page)
        for place in PLACE.findall(page.engine):
            if not place.endswith("/"):
                pages[f"code/{place.removesuffix('.py')}.md"] = code_page(root / "minitorch_lab" / place, place)
    pages["mini/index.md"] = index_page(root)
    return pages


def mini_page(root: Path, name: str, page: Page) -> str:
    """The page of one file."""
    text = read_source(root, name)
    title = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0].rstrip(".")
    head = f"# {name}.py: {title[0].lower() + title[1:]}\n\n{facts(root, name)}"
    engine = PLACE.sub(partial(place_link, root), TERM.sub(partial(term_lines, root), page.engine))
    return "\n".join(
        [
            *(head, page.intro, f"## The file\n\n{split_file(text, page.notes)}"),
            *(f"## At work\n{run_page(root, name, page.work)}", f"## In the big engine\n\n{size_of(root, name, page)}"),
            engine,
        ]
    )


def facts(root: Path, name: str) -> str:
    """How long it takes, what it uses, and who uses it."""
    step = next((step for step in reading_order(root) if name in step.names), None)
    others = [other for other in step.names if other != name] if step else []
    together = f", with {' and '.join(map(page_link, others))}" if others else ""
    parts = [f"{step.minutes} minutes{together}" if step else "To look things up"]
    users = [other for other in read_names(root) if name in imports(root, other)]
    for verb, files in (("uses", imports(root, name)), ("used by", users)):
        if files:
            parts.append(f"{verb} {', '.join(map(page_link, files))}")
    return f":::{{container}} facts\n{'. '.join(part[0].upper() + part[1:] for part in parts)}.\n:::\n"


def page_link(name: str) -> str:
    """A file of mini, as a link to its page."""
    return f"[`{name}`]({name}.md)"


def split_file(text: str, notes: dict[str, str]) -> str:
    """The file in pieces with true line numbers, and each note in the margin beside its definition."""
    lines, where = text.splitlines(), definitions(text)
    starts: dict[int, str] = {}
    for name in notes:
        start = where[name]
        while lines[start - 2].startswith("#"):  # a comment belongs to what comes after it
            start -= 1
        starts[start] = name
    cuts = sorted({1, *starts, len(lines) + 1})
    parts: list[str] = []
    for start, stop in pairwise(cuts):
        if start in starts:
            parts.append(f"::::{{margin}}\n`{starts[start]}`\n\n{notes[starts[start]].strip()}\n::::\n")
        body = "\n".join(lines[start - 1 : stop - 1])
        options = f":linenos:\n:lineno-start: {start}\n:class: mini-file\n"
        parts.append(f"{FENCE}{{code-block}} python\n{options}\n{body}\n{FENCE}\n")
    return "\n".join(parts)


def size_of(root: Path, name: str, page: Page) -> str:
    """How many lines of code there are here and there."""
    there = count_places(root, "".join(TERM.findall(page.engine)))
    here = count_lines(root / "minitorch_lab" / "mini" / f"{name}.py")
    return f"{here:,} lines of code here, {there:,} there.\n"


def count_places(root: Path, text: str) -> int:
    """The lines of all files that a text names, by themselves or with their folder, each counted once."""
    paths = [root / "minitorch_lab" / place for place in PLACE.findall(text)]
    return sum(map(count_lines, {one for path in paths for one in (path.rglob("*.py") if path.is_dir() else [path])}))


def term_lines(root: Path, found: re.Match[str]) -> str:
    """A term of the big engine, with its lines of code."""
    return f"{found[0]} · {count_places(root, found[0]):,} lines"


def place_link(root: Path, found: re.Match[str]) -> str:
    """A file of the package as a link to the page that shows it. A folder has no page."""
    place = found[1]
    return found[0] if place.endswith("/") else f"[{found[0]}](/code/{place.removesuffix('.py')}.md)"


def index_page(root: Path) -> str:
    """The first page: what is written by hand, with the reading order in its place."""
    text = (root / "book" / "mini" / "index.md").read_text("utf-8")
    rows = ["| minutes | files | idea |", "| ---: | --- | --- |"]
    for step in reading_order(root):
        rows.append(f"| {step.minutes} | {', '.join(map(page_link, step.names))} | {step.idea} |")
    rows.append(f"| {sum(step.minutes for step in reading_order(root))} | | together |")
    entries = "\n".join(f"{name}.py <{name}>" for name in read_names(root))
    tree = f"```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    return text.replace("{order}", "\n".join(rows)) + "\n" + tree


# ---- code that runs -------------------------------------------------------------------------------------------------
def run_page(root: Path, name: str, section: str) -> str:
    """A section with what each block of its code prints, and the value of its last line."""
    start = BLOCK.findall((root / "book" / "mini" / "index.md").read_text("utf-8"))
    codes = [code for _, code in (*start, *BLOCK.findall(section))]
    answers = list(run_blocks(name, codes))[len(start) :]
    ids = iter(range(1, len(answers) + 1))

    def answered(found: re.Match[str]) -> str:
        number = next(ids)
        shown = show(answers[number - 1], found[1] or "text", f"{name}-{number}")
        return f"```{{code-block}} python\n{found[2]}```\n\n{shown}"

    return BLOCK.sub(answered, section)


def run_blocks(name: str, codes: list[str]) -> Iterator[tuple[str, Any]]:
    """Run blocks one after the other, as one file. Yields what each prints, and the value of its last line."""
    space: dict[str, Any] = {"__name__": "__main__"}
    file, text, above = f"{name}, at work", "".join(codes), 0
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file  # where recordings find their lines
    for code in codes:
        tree = ast.increment_lineno(ast.parse(code), above)
        above += code.count("\n")
        *body, last = tree.body
        printed, value = io.StringIO(), None
        with redirect_stdout(printed):
            if isinstance(last, ast.Expr):
                exec(compile(ast.Module(body, []), file, "exec"), space)
                value = eval(compile(ast.Expression(last.value), file, "eval"), space)
            else:
                exec(compile(tree, file, "exec"), space)
        yield printed.getvalue(), value


def show(answer: tuple[str, Any], language: str, name: str) -> str:
    """What a block has given: text, or a view."""
    printed, value = answer
    if isinstance(value, View):
        return f"{FENCE}{{raw}} html\n{element(value.scene, 0, id=f'{name}-view', heading='p')}\n{FENCE}\n"
    text = printed + ("" if value is None else f"{value!r}\n")
    return f"{FENCE}{{code-block}} {language}\n:class: answer\n\n{text}{FENCE}\n" if text else ""
