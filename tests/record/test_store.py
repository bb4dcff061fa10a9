"""Recordings as files: what is written is read again, and what cannot be read is refused in words."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.recording import Recording, record, store
from minitorch_lab.recording import events as ev
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
    path.write_bytes(gzip.decompress(path.read_bytes()))  # so that tests can change it
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
    assert list(document) == ["schema", "count", "events", "values"]
    assert document["schema"] == "minitorch-lab.recording/2"
    assert text.count("\n") == document["count"] + len(document["values"]) + 3


def test_another_version(saved: Path) -> None:
    saved.write_text(saved.read_text(encoding="utf-8").replace("recording/2", "recording/7"), encoding="utf-8")
    assert refusal(saved) == (
        "rec.json has the schema 'minitorch-lab.recording/7'.\n"
        "  This minitorch_lab reads 'minitorch-lab.recording/2' and no other.\n"
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
        '  A recording is JSON, compressed by gzip, that begins with {"schema": "minitorch-lab.recording/2".\n'
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
    op = ', "run": null, "inside": null, "segment": null, "again": null, "module": null'
    for later in (', "run": null, "batch": [], "tangent": null', op):
        text = text.replace(later, "")
    text = re.sub(r', "dropped": false, "counter": "\w*"', "", text)
    saved.write_text(text, encoding="utf-8")
    without = tuple(e._replace(counter="") if isinstance(e, ev.Save) else e for e in before.events)
    assert Recording.load(saved).events == without


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Recording.load(tmp_path / "nothing.json")


def test_a_compressed_file_that_is_cut(tmp_path: Path) -> None:
    rec = run(ALL["training"])
    path = tmp_path / "rec.json"
    rec.save(path)
    whole = path.read_bytes()
    for share in (0.2, 0.5, 0.9, 0.999):
        path.write_bytes(whole[: int(share * len(whole))])
        assert refusal(path).startswith("rec.json is cut short: it holds "), share
    path.write_bytes(whole[:100] + b"\0\0\0\0" + whole[104:])
    assert refusal(path).startswith("rec.json is ")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"inputs": ["t1", "t1"]', '"inputs": ["t1", "t9"]', "event 5 speaks of 't9', which is not in the recording."),
        ('"inputs": ["t1", "t1"]', '"inputs": ["t1", "t2"]', "event 5, the op 'mul', reads what it makes itself,"),
        ('"inputs": ["t1", "t1"]', '"inputs": 4', "rec.json is damaged: "),
        ('{"value": 0}', '{"value": 99}', "event 2 refers to value 99, which is not there."),
        ('{"value": 0}', '{"value": "<b>"}', "event 2 refers to value '<b>', which is not there."),
        ('"dtype": "float32"', '"dtype": 7', None),
    ],
)
def test_events_that_do_not_hang_together(saved: Path, before: str, after: str, told: str | None) -> None:
    text = saved.read_text(encoding="utf-8")
    assert before in text
    saved.write_text(text.replace(before, after, 1), encoding="utf-8")
    if told is None:
        Recording.load(saved)
    else:
        assert told in refusal(saved)


def test_values_are_written_once_and_to_the_last_bit(tmp_path: Path) -> None:
    x, y = ml.rand(50, requires_grad=True), ml.rand(30, dtype=ml.float64)
    with record() as rec:
        (x * float("inf")).sum().backward()
        _ = y + ml.arange(30), ml.zeros(2, dtype=ml.float64)
    rec.save(tmp_path / "rec.json")
    document = json.loads(gzip.decompress((tmp_path / "rec.json").read_bytes()))
    assert len({json.dumps(value) for value in document["values"]}) == len(document["values"])
    assert repr(Recording.load(tmp_path / "rec.json").events) == repr(rec.events)


def test_a_long_recording_keeps_the_largest_as_summaries() -> None:
    with record() as rec:
        small, large = ml.rand(100), [ml.rand(4000) for _ in range(40)]
    kept = {tensor.value.shape: tensor.value.data is not None for tensor in rec.each(ev.Tensor)}
    assert kept == {(100,): True, (4000,): False}
    assert (len(small), len(large)) == (100, 40)
