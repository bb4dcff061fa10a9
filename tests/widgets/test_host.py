"""The Python end of a view: its step, its transcript, and what it writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from minitorch_lab.errors import ArgumentError, RecordingError
from minitorch_lab.widgets import View, page
from minitorch_lab.widgets.sample import sample_scene


def test_the_step_is_read_and_set() -> None:
    view = View(scene=sample_scene(), step=1)
    assert (view.step, view.steps, repr(view)) == (1, 2, "View('What is 1 + 1?', 2 steps, at 1)")
    view.step = 0
    assert view.get_state()["step"] == 0


def test_a_step_that_is_not_there_is_answered() -> None:
    view = View(scene=sample_scene())
    with pytest.raises(ArgumentError) as caught:
        view.step = 7
    assert str(caught.value) == (
        "There is no step 7.\n  This view has the steps 0 to 1.\n  Did you mean view.step = 1?"
    )
    assert view.step == 0


@pytest.mark.parametrize("given", ["view.json", {"schema": "minitorch-lab.recording/1"}, 3])
def test_what_is_no_scene_is_answered(given: object) -> None:
    with pytest.raises(ArgumentError, match=r"instead of a scene[\s\S]*ml\.widgets\.Backward\(rec\)"):
        View(scene=given)  # type: ignore[arg-type]


def test_without_the_built_files_it_says_what_to_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(page, "STATIC", tmp_path)
    page.asset.cache_clear()
    with pytest.raises(RecordingError, match=r"The views are not built: view\.js is missing\.[\s\S]*make widgets"):
        View(scene=sample_scene())


def test_saves_the_scene(tmp_path: Path) -> None:
    path = View(scene=sample_scene()).save(tmp_path / "view.json")
    assert json.loads(path.read_text("utf-8")) == sample_scene()


def test_writes_a_page_that_needs_nothing_else(tmp_path: Path) -> None:
    scene = sample_scene()
    scene["source"][0]["text"] = "v = '</script><img src=x>'"
    scene["steps"][1]["say"] = "`add` makes <2>."
    text = View(scene=scene, step=1).to_html(tmp_path / "view.html").read_text("utf-8")
    assert re.findall(r"https?://[^\s\"'`]+", text) == ["http://www.w3.org/2000/svg"]
    assert text.count("</script>") == 2
    assert "<img" not in text
    assert 'step="1"' in text
    assert "<li>`add` makes &lt;2&gt;.</li>" in text


def test_where_widgets_cannot_be_a_few_words_stand() -> None:
    bundle = View(scene=sample_scene(), step=1)._repr_mimebundle_()
    assert bundle is not None
    data = bundle[0]
    assert "2 / 2: `add` makes 2." in data["text/html"]
    assert len(data["text/html"]) < 500
    assert data["text/plain"] == "View('What is 1 + 1?', 2 steps, at 1)"
    assert "application/vnd.jupyter.widget-view+json" in data
