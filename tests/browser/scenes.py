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
    graph_nodes: list[dict[str, Any]] = []
    edges: list[dict[str, Any]] = []
    pins: list[dict[str, Any]] = []
    forward: list[dict[str, Any]] = []
    backward: list[dict[str, Any]] = []
    for c in range(columns):
        for r in range(rows):
            y, x, op, value = 90 + 130 * r, 40 + 240 * c, f"op{c}.{r}", f"v{c}.{r}"
            graph_nodes += [
                {"id": op, "kind": "op", "label": "mul", "x": x, "y": y, "w": 48, "h": 34},
                {"id": value, "kind": "value", "label": value, "x": x + 90, "y": y, "w": 64, "h": 34, "sum": {"w": 64}},
            ]
            edges.append({"id": f"{op}>{value}", "from": op, "to": value})
            ins = [f"v{c - 1}.{r}", f"v{c - 1}.{(r + 1) % rows}"] if c else []
            for source in ins:
                edges.append({"id": f"{source}>{op}", "from": source, "to": op})
            pin = f"p:{op}"
            if ins:
                pins.append({"id": pin, "op": op, "of": ins[0], "label": "saved", "x": x, "y": y - 50})
            forward.append(
                _step(
                    "forward",
                    f"`mul` makes {value} = {c + r}.",
                    op,
                    [
                        {"type": "value", "id": value, "value": str(c + r)},
                        *([{"type": "pin", "id": pin}] if ins else []),
                    ],
                )
            )
            for source in ins:
                backward.append(
                    _step(
                        "backward",
                        f"`mul` sends {r} to `{source}`.",
                        op,
                        [
                            {"type": "send", "edge": f"{source}>{op}", "value": str(r)},
                            {"type": "sum", "id": source, "text": f"{r} + {c}", "state": "ok"},
                        ],
                    )
                )
    return {
        "schema": "minitorch-lab.scene/1",
        "view": "backward",
        "title": "Backward",
        "question": "Does it stay quick?",
        "source": [{"id": f"l{k}", "no": k, "text": f"v = layer{k}(v)"} for k in range(1, 41)],
        "graph": {
            "width": 240 * columns + 60,
            "height": 130 * rows + 60,
            "nodes": graph_nodes,
            "edges": edges,
            "pins": pins,
        },
        "kept": [],
        "links": {},
        "details": {},
        "legend": ["value", "op", "cotangent", "saved"],
        "steps": [_step("start", "A thousand nodes.", "op0.0", []), *forward, *reversed(backward)],
    }


def _step(phase: str, say: str, focus: str, events: list[dict[str, Any]]) -> dict[str, Any]:
    return {"phase": phase, "say": say, "line": None, "focus": [focus], "events": events}
