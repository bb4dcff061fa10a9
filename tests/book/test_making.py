"""How the book is made: views become elements, rows are known, broken links are seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

from book.making import lessons, links, run
from book.making.docstrings import plain
from minitorch_lab.widgets import View
from minitorch_lab.widgets.sample import sample_scene
from tests.house.source import ROOT


def notebook(*outputs: dict[str, Any], **metadata: Any) -> Any:
    """A lesson: a title, and a cell with these outputs."""
    cell = nbformat.v4.new_code_cell("1 + 1", outputs=[nbformat.from_dict(o) for o in outputs], metadata=metadata)
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# 1. One"), cell])


def shown(**data: Any) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": data}


def widget(model: str) -> dict[str, Any]:
    return shown(**{lessons.WIDGET: {"model_id": model}, "text/plain": "a widget"})


def test_a_view_becomes_an_element_with_its_scene_and_another_widget_is_left_out() -> None:
    made = notebook(widget("a"), widget("b"))
    states = {"a": {"state": {"scene": sample_scene(), "step": 1}}, "b": {"state": {"value": 0.5}}}
    made.metadata["widgets"] = {lessons.STATE: {"state": states}}
    page = lessons.lesson_page(made, "01_one")
    (output,) = page.cells[-1].outputs
    assert output.data["text/html"].startswith(f'<minitorch-view id="{page.cells[-1].id}-1" step="1">')
    assert "widgets" not in page.metadata


def test_a_real_view_is_known_by_its_state() -> None:
    view = View(scene=sample_scene(), step=1)
    made = notebook(widget(view.model_id))
    made.metadata["widgets"] = {lessons.STATE: {"state": {view.model_id: {"state": view.get_state()}}}}
    (output,) = lessons.lesson_page(made, "01_one").cells[-1].outputs
    assert "<li>`add` makes 2.</li>" in output.data["text/html"]


def test_a_chart_becomes_data_and_its_sentence() -> None:
    figure = {"data": [{"y": [1, 2]}], "layout": {"height": 300, "title": "</script>"}}
    page = lessons.lesson_page(notebook(shown(**{lessons.PLOTLY: figure, "text/plain": "It <rises>."})), "01_one")
    text = page.cells[-1].outputs[0].data["text/html"]
    assert 'aria-label="It &lt;rises&gt;." data-height="300"' in text
    assert text.count("</script>") == 1


def test_a_chart_without_a_sentence_has_its_title() -> None:
    axes = {"yaxis": {"title": {"text": "seconds"}}, "xaxis": {"title": {"text": "inputs"}}}
    assert lessons.titled({"title": {"text": "Costs"}, **axes}) == "Costs"
    assert lessons.titled(axes) == "A chart: seconds over inputs."


def test_a_lesson_begins_with_what_hands_it_out_and_folds_what_it_folds() -> None:
    page = lessons.lesson_page(notebook(jupyter={"source_hidden": True}, tags=["check"]), "01_one")
    assert 'href="../notebooks/01_one.ipynb" download' in page.cells[1].source
    assert page.cells[2].metadata["tags"] == ["check", "hide-input"]


def test_a_run_is_kept_until_the_lesson_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(run, "run", lambda path, root: (ran.append(path.name), nbformat.read(path, 4))[1])
    lesson = tmp_path / "01_one.ipynb"
    for text in ("1 + 1", "1 + 1", "1 + 2"):
        lesson.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text, id="a")])))
        found = run.executed([lesson], ROOT, tmp_path / "kept", 1)
        assert found["01_one"].cells[0].source == text
    assert ran == ["01_one.ipynb"] * 2
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_broken_links_and_requests_to_elsewhere_are_seen(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "two.html").write_text('<h1 id="here">Two</h1><a href="../one.html">back</a>')
    (tmp_path / "one.html").write_text(
        '<a href="a/two.html#here">good</a><a href="a/two.html#gone">place</a><a href="three.html">file</a>'
        '<a href="https://example.org/x">a link out is no request</a><script src="https://example.org/x.js"></script>'
    )
    assert links.faults(tmp_path) == [
        "one.html: a/two.html#gone leads to no place on its page",
        "one.html: three.html leads to no file",
        "one.html: loads https://example.org/x.js from elsewhere",
    ]


def test_docstrings_keep_their_stars_and_bars() -> None:
    assert plain(["|x| is `|x|`", "add_ in place", "", "    >>> a * b", "    |6|"]) == [
        r"\|x\| is `|x|`",
        r"add\_ in place",
        "",
        "    >>> a * b",
        "    |6|",
    ]
