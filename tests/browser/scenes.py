"""Scenes for the browser tests: the example of the TypeScript tests, and a large one made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "widgets" / "test" / "scenes"


def example(name: str) -> dict[str, Any]:
    """One of the hand-written scenes, by file name."""
    scene: dict[str, Any] = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return scene


def large(nodes: int = 1000, rows: int = 10) -> dict[str, Any]:
    """A layered net of `nodes` nodes, half ops and half values, with its forward and its backward walk."""
    columns = nodes // (2 * rows)
    cells = [cell(c, r, rows) for c in range(columns) for r in range(rows)]
    backward = [step for part in cells for step in part["backward"]]
    return {
        "schema": "minitorch-lab.scene/1",
        "view": "backward",
        "title": "Backward",
        "question": "Does it stay quick?",
        "source": [{"id": f"l{k}", "no": k, "text": f"v = layer{k}(v)"} for k in range(1, 41)],
        "graph": {
            "width": 240 * columns + 60,
            "height": 130 * rows + 60,
            **{name: [thing for part in cells for thing in part[name]] for name in ("nodes", "edges", "pins")},
        },
        "kept": [],
        "links": {},
        "details": {},
        "legend": ["value", "op", "cotangent", "saved"],
        "steps": [
            _step("start", "A thousand nodes.", "op0.0", []),
            *(part["forward"] for part in cells),
            *reversed(backward),
        ],
    }


def cell(c: int, r: int, rows: int) -> dict[str, Any]:
    """One op and its value, fed by two values of the column before, and its steps both ways."""
    y, x, op, value, pin = 90 + 130 * r, 40 + 240 * c, f"op{c}.{r}", f"v{c}.{r}", f"p:op{c}.{r}"
    ins = [f"v{c - 1}.{r}", f"v{c - 1}.{(r + 1) % rows}"] if c else []
    made: list[dict[str, Any]] = [{"type": "value", "id": value, "value": str(c + r)}]
    pinned: list[dict[str, Any]] = [{"type": "pin", "id": pin}] if ins else []
    return {
        "nodes": [
            {"id": op, "kind": "op", "label": "mul", "x": x, "y": y, "w": 48, "h": 34},
            {"id": value, "kind": "value", "label": value, "x": x + 90, "y": y, "w": 64, "h": 34, "sum": {"w": 64}},
        ],
        "edges": [
            {"id": f"{op}>{value}", "from": op, "to": value},
            *({"id": f"{source}>{op}", "from": source, "to": op} for source in ins),
        ],
        "pins": [{"id": pin, "op": op, "of": ins[0], "label": "saved", "x": x, "y": y - 50}] if ins else [],
        "forward": _step("forward", f"`mul` makes {value} = {c + r}.", op, [*made, *pinned]),
        "backward": [sent(source, op, r, c) for source in ins],
    }


def sent(source: str, op: str, r: int, c: int) -> dict[str, Any]:
    """The step in which an op sends a part of a gradient."""
    events = [
        {"type": "send", "edge": f"{source}>{op}", "value": str(r)},
        {"type": "sum", "id": source, "text": f"{r} + {c}", "state": "ok"},
    ]
    return _step("backward", f"`mul` sends {r} to `{source}`.", op, events)


def _step(phase: str, say: str, focus: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    return {"phase": phase, "say": say, "line": None, "focus": [focus], "events": events}
