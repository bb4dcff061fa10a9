"""The smallest scene with an op, for examples and tests."""

from __future__ import annotations

from typing import Any


def sample_scene() -> dict[str, Any]:
    """A constant, an op and its value, in two steps."""
    nodes = [
        {"id": "one", "kind": "const", "label": "1", "x": 40, "y": 80, "w": 40, "h": 34},
        {"id": "add", "kind": "op", "label": "add", "x": 150, "y": 80, "w": 48, "h": 34},
        {"id": "two", "kind": "value", "label": "v", "x": 260, "y": 80, "w": 64, "h": 34},
    ]
    edges = [{"id": "one>add", "from": "one", "to": "add"}, {"id": "add>two", "from": "add", "to": "two"}]
    made = {"type": "value", "id": "two", "value": "2"}
    return {
        "schema": "minitorch-lab.scene/1",
        "view": "tape",
        "title": "Tape",
        "question": "What is 1 + 1?",
        "source": [{"id": "l1", "no": 1, "text": "v = 1 + 1"}],
        "graph": {"width": 300, "height": 130, "nodes": nodes, "edges": edges, "pins": []},
        "links": {},
        "details": {"add": "add · tape node 1"},
        "legend": ["value", "op", "const"],
        "steps": [
            {"phase": "start", "say": "What is 1 + 1?", "line": None, "focus": [], "events": []},
            {"phase": "forward", "say": "`add` makes 2.", "line": "l1", "focus": ["add"], "events": [made]},
        ],
    }
