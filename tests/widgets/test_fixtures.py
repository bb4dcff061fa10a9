"""What Python makes now is what the renderer is tested with."""

from __future__ import annotations

import json

import pytest

from tests.widgets.fixtures import FOLDER, SCENES, scene


@pytest.mark.parametrize("name", SCENES)
def test_fixture(name: str) -> None:
    written = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert scene(name) == written, "run python -m tests.widgets.fixtures, and look at the difference"
