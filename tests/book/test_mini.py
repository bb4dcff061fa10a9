"""The pages of mini: one for each file, whose notes, code and places in the big engine are true."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from book.making import mini
from tests.house.source import ROOT
from tests.house.test_budgets import code_lines

FILES = {path.stem for path in (ROOT / "minitorch_lab" / "mini").glob("*.py")} - {"__init__"}
NAMES = mini.read_names(ROOT)
PACKAGE = ROOT / "minitorch_lab"

run_page = cache(mini.run_page)  # a page is run once, whoever looks at it


def test_every_file_has_a_page_and_every_page_a_file() -> None:
    assert sorted(NAMES) == sorted(FILES)
    assert {path.stem for path in (ROOT / "book" / "mini").glob("*.md")} == FILES | {"index"}


def test_the_reading_order_is_an_order_of_imports() -> None:
    order = [name for step in mini.reading_order(ROOT) for name in step.names]
    assert order == NAMES[: len(order)]
    for at, name in enumerate(order):
        assert set(mini.imports(ROOT, name)) <= {*order[:at], *mini.LOOK_UP}, name


def test_the_minutes_are_those_of_the_first_file() -> None:
    text = ast.get_docstring(ast.parse((PACKAGE / "mini" / "__init__.py").read_text("utf-8"))) or ""
    minutes = [int(found) for found in re.findall(r"\[(\d+)\]", text)]
    assert [step.minutes for step in mini.reading_order(ROOT)] == minutes
    page = mini.index_page(ROOT)
    assert f"| {sum(minutes)} | | together |" in page
    assert "| 20 | [`nn`](nn.md), [`optim`](optim.md) | functions that own parameters, and what moves them." in page
    assert re.findall(r"^\w+\.py <(\w+)>$", page, re.MULTILINE) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_note_stands_beside_a_definition_that_is_there(name: str) -> None:
    notes = mini.read_page(ROOT, name).notes
    assert notes
    assert set(notes) - set(mini.definitions(mini.read_source(ROOT, name))) == set()
    written = (ROOT / "book" / "mini" / f"{name}.md").read_text("utf-8")
    section = written.partition("## Notes\n")[2].partition("## At work\n")[0]
    assert list(notes) == re.findall(r"^`(.+)`$", section, re.MULTILINE), "an entry that is no note"


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_shown_whole_with_its_own_line_numbers(name: str) -> None:
    source, notes = mini.read_source(ROOT, name), mini.read_page(ROOT, name).notes
    shown = mini.split_file(source, notes)
    pieces = re.findall(rf":lineno-start: (\d+)\n:class: mini-file\n\n(.*?)\n{mini.FENCE}\n", shown, re.DOTALL)
    lines: list[str] = []
    for start, text in pieces:
        assert int(start) == len(lines) + 1
        lines += text.split("\n")
    assert lines == source.splitlines()
    for noted in notes:
        after = shown.partition(f"{{margin}}\n`{noted}`\n")[2].partition(":class: mini-file\n\n")[2]
        assert noted.rpartition(".")[2] in "\n".join(after.splitlines()[:3]), noted


@pytest.mark.parametrize("name", NAMES)
def test_what_is_named_of_the_big_engine_is_there(name: str) -> None:
    engine = mini.read_page(ROOT, name).engine
    places = mini.PLACE.findall(engine)
    assert [place for place in places if not (PACKAGE / place).exists()] == []
    assert all(place.endswith("/") == (PACKAGE / place).is_dir() for place in places)
    assert mini.TERM.findall(engine), "no term names a file"
    assert set(re.findall(r"`([^`]+\.py)`", engine)) <= set(places)


def test_lines_are_counted_as_the_house_counts_them() -> None:
    for path in (*(PACKAGE / "mini").glob("*.py"), PACKAGE / "errors.py", PACKAGE / "autograd" / "node.py"):
        text = path.read_text("utf-8")
        assert mini.count_lines(path) == len(code_lines(text, ast.parse(text))), path


def test_a_file_that_is_named_with_its_folder_counts_once() -> None:
    whole = sum(map(mini.count_lines, (PACKAGE / "optim").rglob("*.py")))
    assert mini.count_places(ROOT, "`optim/`, `optim/sgd.py`") == whole > mini.count_places(ROOT, "`optim/sgd.py`") > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_code_of_a_page_runs_and_shows_something(name: str) -> None:
    section = mini.read_page(ROOT, name).work
    page = run_page(ROOT, name, section)
    shown = page.count(":class: answer\n\n") + page.count("<minitorch-view id=")
    assert shown == len(mini.BLOCK.findall(section)) > 0
    assert re.search(r"\bat 0x[0-9a-f]{6,}", page) is None, "an address, which is another in every run"


def test_the_derivatives_on_the_pages_are_those_of_differences() -> None:
    """The page of the tape prints a slope beside a difference."""
    page = run_page(ROOT, "tape", mini.read_page(ROOT, "tape").work)
    (printed,) = re.findall(r"^(-?[\d.]+) (-?[\d.]+)$", page, re.MULTILINE)
    assert float(printed[0]) == pytest.approx(float(printed[1]), rel=1e-3)


def test_a_block_may_print_or_have_a_value_and_a_line_knows_its_place() -> None:
    ran = list(mini.run_blocks("tried", ["a = 1\nprint(a)\n", "a + 1\n", "b = a\n"]))
    assert ran == [("1\n", None), ("", 2), ("", None)]
    with pytest.raises(ZeroDivisionError) as raised:
        list(mini.run_blocks("tried", ["a = 1\n", "a\n1 / 0\n"]))
    assert raised.traceback[-1].lineno == 2


def test_a_definition_begins_with_its_decorator() -> None:
    found = mini.definitions(
        "X = 1\n\n\n@cache\ndef f():\n    y = 1\n\n\nclass A:\n    b = 2\n\n    def c(self):\n        pass\n"
    )
    assert found == {"X": 1, "f": 4, "A": 9, "A.b": 10, "A.c": 12}


def test_all_pages_are_made_and_every_file_they_link_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mini, "run_page", run_page)
    pages = mini.mini_pages(ROOT)
    linked = {place for name in NAMES for place in mini.PLACE.findall(mini.read_page(ROOT, name).engine)}
    assert {f"mini/{name}.md" for name in (*NAMES, "index")} <= set(pages)
    assert {f"code/{p.removesuffix('.py')}.md" for p in linked if p.endswith(".py")} == {
        p for p in pages if "code/" in p
    }
