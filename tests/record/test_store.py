"""Recordings as files: what is written is read again, and what cannot be read is refused in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.record import Recording, record, store
from minitorch_lab.record import events as ev
from tests.widgets.runs import ALL, run


def refusal(path: Path) -> str:
    with pytest.raises(RecordingError) as error:
        Recording.load(path)
    return str(error.value)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    x = ml.tensor(3.0, requires_grad=True)
    with record() as rec:
        (x * x).backward()
    path = tmp_path / "rec.json"
    rec.save(path)
    return path


@pytest.mark.parametrize("name", ALL)
def test_what_is_written_is_read_again(name: str, tmp_path: Path) -> None:
    rec = run(ALL[name])
    rec.save(tmp_path / "rec.json")
    loaded = Recording.load(tmp_path / "rec.json")
    assert loaded.events == rec.events
    assert loaded.id == rec.id


def test_values_that_json_cannot_say() -> None:
    thing = (float("inf"), slice(0, None, 2), ..., None, {"a": (1, 2)}, ml.float32)
    assert store.revive(json.loads(json.dumps(store.encode(thing), allow_nan=False))) == thing


def test_a_file_is_one_json_object_with_one_event_a_line(saved: Path) -> None:
    text = saved.read_text(encoding="utf-8")
    document = json.loads(text)
    assert list(document) == ["schema", "count", "events"]
    assert document["schema"] == "minitorch-lab.recording/1"
    assert text.count("\n") == document["count"] + 2


def test_another_version(saved: Path) -> None:
    saved.write_text(saved.read_text(encoding="utf-8").replace("recording/1", "recording/7"), encoding="utf-8")
    assert refusal(saved) == (
        "rec.json has the schema 'minitorch-lab.recording/7'.\n"
        "  This minitorch_lab reads 'minitorch-lab.recording/1' and no other.\n"
        "  Run the code again with this version, and save that recording."
    )


def test_a_truncated_file(saved: Path) -> None:
    count = json.loads(saved.read_text(encoding="utf-8"))["count"]
    saved.write_text("\n".join(saved.read_text(encoding="utf-8").split("\n")[:6]), encoding="utf-8")
    assert refusal(saved) == (
        f"rec.json is cut short: it holds 4 of its {count} events.\n"
        "  A recording is read whole or not at all, so that no view shows half a story.\n"
        "  Copy the file again, or record again and rec.save(path)."
    )


def test_events_that_are_missing(saved: Path) -> None:
    document = json.loads(saved.read_text(encoding="utf-8"))
    del document["events"][3:]
    saved.write_text(json.dumps(document), encoding="utf-8")
    assert refusal(saved).startswith(f"rec.json is cut short: it holds 3 of its {document['count']} events.")


def test_not_a_recording(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary", encoding="utf-8")
    assert refusal(path) == (
        "notes.txt is not a recording.\n"
        '  A recording is a JSON file that begins with {"schema": "minitorch-lab.recording/1".\n'
        "  Make one with rec.save(path), where `with ml.record() as rec:` recorded your code."
    )


def test_a_saved_view(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    path.write_text('{"schema": "minitorch-lab.scene/1"}', encoding="utf-8")
    assert refusal(path) == (
        "view.json is a view that was saved (minitorch-lab.scene/1), not a recording.\n"
        "  view.save(path) writes what the browser draws; rec.save(path) writes what happened.\n"
        '  Show it on a page with <minitorch-view src="view.json">, or record again.'
    )


def test_an_unknown_kind(saved: Path) -> None:
    saved.write_text(saved.read_text(encoding="utf-8").replace('"kind": "op"', '"kind": "opp"'), encoding="utf-8")
    message = refusal(saved)
    assert "is of the unknown kind 'opp'.\n" in message
    assert message.endswith("The file was made or changed by something else; record again.")


def test_a_changed_event(saved: Path) -> None:
    saved.write_text(saved.read_text(encoding="utf-8").replace('"retain":', '"keep":'), encoding="utf-8")
    message = refusal(saved)
    assert (
        "of kind 'begin', has the fields n, walk, tensor, node, seed, given, keep, create, line, call, run, more.\n"
        in message
    )
    fields = "n, walk, tensor, node, seed, given, retain, create, line, call, run, more"
    assert f"It must have {fields}, in this order, and n = " in message


def test_a_file_from_before_a_field_came_is_read(saved: Path) -> None:
    before = Recording.load(saved)
    text = saved.read_text(encoding="utf-8")
    op = ', "run": null, "inside": null, "segment": null, "again": null'
    for later in (', "run": null, "batch": [], "tangent": null', op):
        text = text.replace(later, "")
    text = re.sub(r', "dropped": false, "counter": "\w*"', "", text)
    saved.write_text(text, encoding="utf-8")
    without = tuple(e._replace(counter="") if isinstance(e, ev.Save) else e for e in before.events)
    assert Recording.load(saved).events == without


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Recording.load(tmp_path / "nothing.json")
