"""The index of systems: what each is taught by, shown by, written in, and held by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .rows import GROUPS, SYSTEMS, System

HEAD = """\
# Index of systems

Where every system is taught, shown, written and held. A test is listed under the row that it is named after
(`test_row_a6_…`): it holds that row's figures. Where no test has the row's name, the file that tests the system is
listed. Where a place is empty, the row says why.
"""


class Test(NamedTuple):
    """A test named after a row: `test_row_a6_…`."""

    row: str
    name: str
    path: str


def page(root: Path) -> str:
    """The text of the page, from what is in the repository now."""
    tests = list(named_tests(root))
    return "\n".join([HEAD, *(group(letter, title, root, tests) for letter, title in GROUPS.items())])


def group(letter: str, title: str, root: Path, tests: list[Test]) -> str:
    """One table."""
    rows = [line(system, root, tests) for system in SYSTEMS if system.row.startswith(letter)]
    head = "| row | system | lesson | view | module | tests |\n| --- | --- | --- | --- | --- | --- |"
    return "\n".join([f"## {letter}. {title}\n", "::::{container} systems\n", head, *rows, "::::", ""])


def line(system: System, root: Path, tests: list[Test]) -> str:
    """One row."""
    lessons = [path for number in system.lessons for path in sorted((root / "notebooks").glob(f"{number}_*.ipynb"))]
    cells = [
        system.row,
        system.name + (f'<br><span class="why">{coded(system.why)}</span>' if system.why else ""),
        ", ".join(f"[{path.stem[:2]}](lessons/{path.name})" for path in lessons),
        ", ".join(f"[{name}](views.md#{name.lower()})" for name in system.views),
        "<br>".join(module(name) for name in system.files),
        folded([test for test in tests if test.row == system.row], system.tests),
    ]
    return "| " + " | ".join(cells) + " |"


def module(name: str) -> str:
    """A file of the package, as a link to the page that shows it."""
    return f"[`{name}`](code/{name.removesuffix('.py')}.md)"


def code_pages(root: Path) -> dict[str, str]:
    """A page with the text of every file that the index names, by file name."""
    files = {name for system in SYSTEMS for name in system.files}
    return {f"{name.removesuffix('.py')}.md": code_page(root / "minitorch_lab" / name, name) for name in sorted(files)}


def code_page(path: Path, name: str) -> str:
    """A file of the package, with the number of every line."""
    fence = "`" * 5
    return (
        f"---\norphan: true\nnosearch: true\n---\n# {name}\n\n{fence}{{code-block}} python\n:linenos:\n\n"
        f"{path.read_text('utf-8')}{fence}\n\n[Index of systems](/systems.md)\n"
    )


def coded(sentence: str) -> str:
    """A sentence inside HTML, with its `code` as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", sentence)


def folded(tests: list[Test], files: tuple[str, ...]) -> str:
    """The tests of a row, behind their number, and the files of tests that bear other names."""
    whole = "<br>".join(f"<code>{file.replace('/', '/<wbr>')}</code>" for file in files)
    if not tests:
        return whole
    names = "<br>".join(f"<code>{test.path}</code> {test.name.replace('_', ' ')}" for test in tests)
    return f"<details><summary>{len(tests)}</summary>{names}</details>{whole}"


def named_tests(root: Path) -> Iterator[Test]:
    """Every test that is named after a row."""
    for path in sorted((root / "tests").rglob("test_*.py")):
        for row, name in re.findall(r"^def test_row_([A-Da-d]\d+)_(\w+)\(", path.read_text("utf-8"), re.MULTILINE):
            yield Test(row.upper(), name, path.relative_to(root / "tests").as_posix())
