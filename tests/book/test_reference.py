"""The reference is complete: every public name has one entry, and the names that texts say lead there."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from book.making import reference
from book.making.entries import entry_of
from book.making.reference import FRONT, OPS, ROOMS, Room
from minitorch_lab.ops import FUNCTIONS
from minitorch_lab.ops.op import Op
from tests.house.source import ROOT

SHOWN = {room: reference.shown(room) for room in ROOMS}
ENTRIES = {id(thing) for things in SHOWN.values() for thing in things.values()}


@pytest.mark.parametrize("room", [room for room in ROOMS if room is not OPS], ids=lambda room: room.module)
def test_every_public_name_of_a_room_has_an_entry(room: Room) -> None:
    module = import_module(room.module)
    listed = "\n".join(reference.data_entries(room))
    for name in reference.public(module):
        thing = getattr(module, name)
        said = id(thing) in ENTRIES or re.search(rf"\b{re.escape(room.module)}\.{name}\b", listed)
        assert said or inspect.ismodule(thing) or isinstance(thing, Op), f"{room.module}.{name} is nowhere"


def test_every_op_has_an_entry_and_no_entry_stands_twice() -> None:
    assert [name for name, function in FUNCTIONS.items() if id(function) not in ENTRIES] == []
    rooms = Counter(id(thing) for things in SHOWN.values() for thing in {id(t): t for t in things.values()}.values())
    assert [thing for things in SHOWN.values() for thing in things.values() if rooms[id(thing)] > 1] == []


def test_every_room_that_a_lesson_imports_has_a_page() -> None:
    rooms = {room.module for room in ROOMS}
    texts = ["".join(c["source"]) for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")) for c in cells(path)]
    imported = set(re.findall(r"^from (minitorch_lab[\w.]*) import", "\n".join(texts), re.MULTILINE))
    assert len(imported) > 20
    assert {name for name in imported if not name.startswith("minitorch_lab.lessons")} <= rooms


def cells(path: Path) -> list[dict[str, Any]]:
    return [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]


def test_a_class_brings_the_methods_of_bases_that_have_no_entry() -> None:
    assert ":inherited-members: object" in reference.class_entry("minitorch_lab.Tensor", ml.Tensor)  # item, tolist
    assert ":inherited-members: Module" in reference.class_entry("minitorch_lab.nn.Conv2d", ml.nn.Conv2d)
    assert "inherited" not in reference.class_entry("minitorch_lab.nn.Linear", ml.nn.Linear)


def test_dtypes_stand_with_their_other_names() -> None:
    page = reference.room_page(FRONT)
    assert ".. py:data:: minitorch_lab.float16\n             minitorch_lab.half\n" in page
    assert "Numbers of 4 bytes: ``float32``. Also ``minitorch_lab.float``." in page  # no target for every `float`
    assert ".. py:data:: minitorch_lab.bool\n   :no-index:\n" in page
    assert "Numbers of 2 bytes: ``bfloat16``." in page


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("ml.compile", "minitorch_lab.compiler.capture.api.compile"),
        ("ml.compile.explain(fn, *args)", "minitorch_lab.compiler.explain.explain"),
        ("ml.Tensor.backward()", "minitorch_lab.Tensor.backward"),
        ("ml.static.placeholder", "minitorch_lab.compiler.capture.static.placeholder"),
        ("ml.stack(list, dim=...)", "minitorch_lab.stack"),
        ("ml.nothing", None),
        ("make lab", None),
    ],
)
def test_a_name_in_a_text_leads_to_its_entry(text: str, entry: str | None) -> None:
    assert entry_of(text) == entry
