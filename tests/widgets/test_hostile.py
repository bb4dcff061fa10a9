"""Names that look like markup, run right to left or never end; the browser shows them as text, or not at all."""

from __future__ import annotations

import json

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import RecordingError
from minitorch_lab.widgets import model
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
