"""Views as folders: what is written, for every view there is, and what is said when it cannot be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import minitorch_lab as ml
from minitorch_lab import cli
from minitorch_lab.errors import ArgumentError, MinitorchError
from minitorch_lab.widgets.export import MARK, export, make_view, one_view, takes, view_names

VIEWS = view_names()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A recorded training step of two numbers, as a file."""
    w = ml.tensor([1.0, 2.0], requires_grad=True)
    with ml.record() as rec:
        loss = (w * 3.0).sum()
        loss.backward()
    rec.save(tmp_path / "rec.json")
    return tmp_path / "rec.json"


def captured(folder: Path) -> Path:
    """A recording of a compiled function's first call, as a file."""
    f = ml.compile(lambda x: x * 2 + 1)
    with ml.record() as rec:
        f(ml.ones(2))
    rec.save(folder / "captured.json")
    return folder / "captured.json"


def run(*arguments: object) -> str:
    """What `minitorch-lab widgets export` says; its own errors are raised."""
    done = CliRunner().invoke(cli.commands, ["widgets", "export", *map(str, arguments)])
    if isinstance(done.exception, MinitorchError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_there_is_can_be_exported(name: str, saved: Path, tmp_path: Path) -> None:
    given = [saved] * takes(VIEWS[name])[1]
    if name in ("forward", "arena", "fusion"):
        given = []  # nothing in this recording ran in forward mode, and no compiled function
    if name == "capture":
        given = [captured(tmp_path)]
    out = tmp_path / "page"
    assert run(*given, "--view", name, "-o", out) == f"Open {out / 'index.html'}, or put {out} on any web server.\n"
    page = (out / "index.html").read_text("utf-8")
    scene = json.loads((out / f"{name}.json").read_text("utf-8"))
    assert MARK in page
    assert scene["schema"] == "minitorch-lab.scene/1"
    assert "http" not in page.replace(json.dumps(scene, ensure_ascii=False).replace("<", "\\u003c"), "")
    assert "export default" in (out / f"{name}.mjs").read_text("utf-8")


def test_without_a_view_it_is_the_laboratory(saved: Path, tmp_path: Path) -> None:
    run(saved, "-o", tmp_path / "page")
    assert (tmp_path / "page" / "lab.json").is_file()


def test_several_views_stand_below_each_other_and_two_on_one_scrubber(saved: Path, tmp_path: Path) -> None:
    run(saved, "--view", "tape|memory", "--view", "backward", "--view", "backward", "-o", tmp_path)
    assert {path.name for path in tmp_path.glob("*.mjs")} == {
        "tape-memory.mjs",
        "backward.mjs",
        "backward-2.mjs",
        "minitorch-view.mjs",
    }
    assert (tmp_path / "index.html").read_text("utf-8").count('clock="page"') == 3


def test_no_text_of_the_reader_ends_a_script(tmp_path: Path) -> None:
    view = make_view("tape", [])
    view.scene["source"][0]["text"] = hostile = "</script><img src=x onerror=alert(1)>"
    page = export([view], tmp_path)
    assert hostile not in page.read_text("utf-8")
    assert hostile not in (tmp_path / "tape.mjs").read_text("utf-8")
    assert hostile in json.loads((tmp_path / "tape.json").read_text("utf-8"))["source"][0]["text"]


def test_a_second_export_renews_the_first(tmp_path: Path) -> None:
    export([make_view("tape", [])], tmp_path)
    assert 'id="memory"' in export([make_view("memory", [])], tmp_path).read_text("utf-8")


def said(*arguments: object) -> str:
    with pytest.raises(MinitorchError) as caught:
        run(*arguments)
    return str(caught.value)


def test_a_view_that_is_not_there_is_answered(saved: Path, tmp_path: Path) -> None:
    assert said(saved, "--view", "memry", "-o", tmp_path / "page") == (
        f"There is no view 'memry'.\n  The views are {', '.join(sorted(VIEWS))}.\n  Did you mean 'memory'?"
    )
    assert not (tmp_path / "page").exists()


def test_a_file_that_is_not_there_is_answered(tmp_path: Path) -> None:
    assert said(tmp_path / "none.json").startswith(f"There is no recording {tmp_path / 'none.json'}.\n")


def test_a_view_in_place_of_a_recording_is_answered(tmp_path: Path) -> None:
    make_view("tape", []).save(tmp_path / "view.json")
    assert "is a view that was saved" in said(tmp_path / "view.json", "--view", "tape")


@pytest.mark.parametrize(
    ("name", "count", "answer"),
    [
        (
            "compare",
            1,
            "The view 'compare' got 1 recording.\n  It shows 2 recordings at once.\n"
            "  Did you mean `minitorch-lab widgets export a.json b.json --view compare`?",
        ),
        (
            "memory",
            2,
            "The view 'memory' got 2 recordings.\n  It shows 1 recording, or its worked example.\n"
            "  Did you mean `--view compare`? It shows two on one axis.",
        ),
        (
            "strides",
            1,
            "The view 'strides' got 1 recording.\n"
            "  It does not show a recording: here it can only open on its worked example.\n"
            "  Did you mean `--view strides` without a file? For things of yours, call ml.widgets in Python, "
            "and to_html(path).",
        ),
    ],
)
def test_a_wrong_number_of_recordings_is_answered(name: str, count: int, answer: str) -> None:
    with ml.record() as rec:
        ml.ones(2) + 1
    with pytest.raises(ArgumentError) as caught:
        one_view(name, [rec] * count)
    assert str(caught.value) == answer


def test_a_step_that_is_not_there_is_answered(tmp_path: Path) -> None:
    assert "There is no step 99." in said("--view", "tape", "--step", 99, "-o", tmp_path)


def test_what_is_not_ours_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    assert said("--view", "tape", "-o", tmp_path) == (
        f"{tmp_path} holds an index.html that is not ours.\n"
        "  Views are exported into a new folder, an empty one, or one that they were exported into before.\n"
        f"  Did you mean -o {tmp_path / 'views'}?"
    )
    assert said("--view", "tape", "-o", tmp_path / "index.html").startswith(f"{tmp_path / 'index.html'} is a file.\n")
    assert (tmp_path / "index.html").read_text() == "mine"


def test_a_page_shows_at_least_one_view(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"export got no views[\s\S]*Did you mean export"):
        export([], tmp_path)


def test_the_book_says_which_views_make_a_pair() -> None:
    told = (Path(__file__).parents[2] / "book" / "embedding.md").read_text("utf-8")
    said = re.search(r"((?:`\w+`[, and\n]*)+) draw no graph .*?one of ((?:`\w+`[, and\n]*)+),", told, re.DOTALL)
    assert said is not None
    plain, drawn = ({*re.findall(r"`(\w+)`", each)} for each in said.groups())
    scenes = {name: make_view(name, []).scene for name in VIEWS if takes(VIEWS[name]) == (0, 1)}
    assert drawn == {name for name, scene in scenes.items() if "graph" in scene}
    assert plain == scenes.keys() - drawn
    assert drawn.isdisjoint(plain)


@pytest.mark.parametrize("words", ["capture|memory", "memory|timeline", "source|memory"])
def test_views_without_a_graph_go_with_each_other(words: str, tmp_path: Path) -> None:
    assert make_view(words, [ml.Recording.load(captured(tmp_path))]).scene["view"] == words
