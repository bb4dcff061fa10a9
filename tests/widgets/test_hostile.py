"""Names that look like markup, run right to left or never end; the browser shows them as text, or not at all."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError, RecordingError
from minitorch_lab.widgets import model
from minitorch_lab.widgets.example import run
from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.modules import modules_scene
from minitorch_lab.widgets.page import page
from minitorch_lab.widgets.strides import strides_scene

HOSTILE = "</script><img src=x onerror=alert(1)>\u202eabc" + "long" * 200


def test_names_stay_text_in_a_page() -> None:
    scene = strides_scene({HOSTILE: ml.arange(4)})
    text = page(scene, 0)
    inside = text.partition('<script type="application/json">')[2].partition("</script>")[0]
    assert json.loads(inside) == json.loads(json.dumps(scene))
    assert "<img" not in text


def test_long_names_do_not_make_wide_pictures() -> None:
    label = strides_scene({HOSTILE: ml.arange(4)})["panels"][0]["views"][0]["label"]
    assert len(label) <= 28


def test_module_names_may_be_anything() -> None:
    net = nn.Sequential()
    net.add_module("<b>bold</b>", nn.Linear(2, 2))
    rows = modules_scene(net)["panels"][0]["rows"]
    assert rows[1]["name"] == "<b>bold</b>"
    assert "<b>" not in page(modules_scene(net), 0)


def test_what_is_not_finite_has_a_scene() -> None:
    with ml.record() as rec:
        x = ml.tensor([float("nan"), float("inf"), 1.0], requires_grad=True)
        (x * 2).sum().backward()
    text = json.dumps(lab_scene(rec), allow_nan=False)
    assert "nan" in text


def test_too_many_events_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with ml.record() as rec:
        _ = ml.ones(2) * 2
    monkeypatch.setattr(model, "MOST", len(rec) - 1)
    with pytest.raises(RecordingError) as error:
        lab_scene(rec)
    count = len(rec)
    assert str(error.value) == (
        f"This recording has {count} events.\n"
        f"  A view tells at most {count - 1} of them: more are no story, and would keep a browser busy for minutes.\n"
        "  Record one step instead of the whole training, or a smaller model."
    )


# ---- every view of every bad recording: a scene that is whole, or an error that teaches -----------------------------


def not_finite() -> ml.Recording:
    with ml.record() as rec:
        x = ml.tensor([float("nan"), float("inf"), 1e38], requires_grad=True)
        (x * 2).sum().backward()
    return rec


def nothing() -> ml.Recording:
    with ml.record() as rec:
        pass
    return rec


kept: list[ml.Recording] = []


def broken_off() -> ml.Recording:
    with suppress(ValueError), ml.record() as rec:
        kept.append(rec)
        _ = ml.ones(2, requires_grad=True) * 2
        raise ValueError(HOSTILE)
    return kept.pop()


def badly_named() -> ml.Recording:
    space: dict[str, Any] = {"ml": ml, "HOSTILE": HOSTILE}
    name = "x" + "long" * 200
    text = f"{name} = ml.ones(2, requires_grad=True)\ny = {name} * 2 # {HOSTILE}\ny.sum().backward()\n"
    return run(text, HOSTILE, space)


def badly_compiled() -> ml.Recording:
    def net(x: ml.Tensor, w: ml.Tensor) -> ml.Tensor:
        return ((x @ w).exp().tanh() * w.sum()).sum()

    net.__name__ = HOSTILE
    compiled = ml.compile(net, backend="numpy")
    w = ml.full((8, 8), float("nan")).requires_grad_()
    with ml.record() as rec:
        for _ in range(2):
            compiled(ml.ones(8, 8), w).backward()
    return rec


VIEWS = ("Tape", "Backward", "Forward", "Memory", "Arena", "Timeline", "Source", "Fusion", "Capture", "Lab")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("made", [not_finite, nothing, broken_off, badly_named, badly_compiled])
def test_a_view_is_whole_or_says_what_to_do(made: Callable[[], ml.Recording], view: str) -> None:
    try:
        scene = getattr(ml.widgets, view)(made()).scene
    except RecordingError as error:
        given, rule, hint = str(error).split("\n  ")
        assert given
        assert rule
        assert hint
        return
    json.dumps(scene, allow_nan=False)
    text = page(scene, 0)
    assert "<img" not in text
    assert all(len(node["label"]) < 100 for node in scene.get("graph", {}).get("nodes", []))
    assert all(math.isfinite(step["at"]) for step in scene["steps"])


@pytest.mark.parametrize("view", VIEWS)
def test_a_file_cut_short_or_of_another_version_comes_to_no_view(view: str, tmp_path: Path) -> None:
    path = tmp_path / "rec.json"
    not_finite().save(path)
    data = gzip.decompress(path.read_bytes())
    for spoilt in (data[: len(data) // 2], data.replace(b"recording/2", b"recording/9", 1), b"\x1f\x8b", b"", b"[1]"):
        path.write_bytes(spoilt)
        with pytest.raises(RecordingError):
            getattr(ml.widgets, view)(ml.Recording.load(path))


@pytest.mark.parametrize(
    ("sizes", "view"),
    [
        ({"shape": (0, 1, 1)}, "Tiling"),
        ({"tile": (-1, 4)}, "Tiling"),
        ({"group": 0}, "Tiling"),
        ({"cache": -3}, "Tiling"),
        ({"shape": (10**9, 1, 1)}, "Tiling"),
    ],
)
def test_sizes_that_are_none(sizes: dict[str, Any], view: str) -> None:
    with pytest.raises(ArgumentError, match="Did you mean"):
        getattr(ml.widgets, view)(**sizes)
