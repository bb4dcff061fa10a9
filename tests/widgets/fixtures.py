"""The scenes of the worked examples as files for the tests of the renderer: `python -m tests.widgets.fixtures`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from minitorch_lab.widgets.example import memory_example
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.memory import memory_scene

FOLDER = Path(__file__).parents[2] / "widgets" / "test" / "scenes"

SCENES: dict[str, Callable[[], Json]] = {
    "memory": lambda: memory_scene(memory_example()),
    "lab": lambda: lab_scene(memory_example()),
}


def scene(name: str) -> Json:
    """The scene `name` as its file holds it: the id of a recording follows from every digit, so it is left out."""
    return json.loads(json.dumps({**SCENES[name](), "recording": name}))


def main() -> None:
    """Write all files."""
    for name in SCENES:
        (FOLDER / f"{name}.json").write_text(
            json.dumps(scene(name), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
