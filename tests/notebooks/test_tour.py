"""The map of the course in its first notebook names every lesson, in order, with the question that it starts from."""

from __future__ import annotations

import json
import re
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_the_map_names_every_lesson() -> None:
    tour = json.loads((NOTEBOOKS / "00_tour.ipynb").read_text("utf-8"))
    written = next("".join(cell["source"]) for cell in tour["cells"] if cell["id"] == "map")
    rows = re.findall(r"^\| \[(\d+)\. .*?\]\((.*?)\) \|", written, flags=re.MULTILINE)
    lessons = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb") if path.name != "00_tour.ipynb")
    assert [name for _, name in rows] == lessons
    assert [int(number) for number, _ in rows] == [int(name[:2]) for name in lessons]
