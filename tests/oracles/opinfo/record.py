"""The record: what was found of every op, in `opinfo.json`. It is exact, so a finding more or less fails the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .measure import Row

PATH = Path(__file__).with_suffix(".json")


def as_record(row: Row) -> dict[str, Any]:
    """The numbers of a row."""
    found: dict[str, Any] = {"calls": row.calls}
    for name in ("differing", "raising"):
        if counts := getattr(row, name):
            found[name] = dict(sorted(counts.items()))
    if row.to_refuse:
        found["refused"] = [row.refused, row.to_refuse]
    return found


def load() -> dict[str, dict[str, Any]]:
    """The record of every op, by name."""
    return json.loads(PATH.read_text())


def rewrite(record: dict[str, dict[str, Any]]) -> None:
    """Write the record again, one op on a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(record[name])}" for name in sorted(record)]
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def sums(record: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Calls, differences and refusals by cause, over all ops."""
    total: dict[str, Any] = {"calls": 0, "differing": {}, "raising": {}, "refused": [0, 0]}
    for row in record.values():
        total["calls"] += row["calls"]
        total["refused"] = [a + b for a, b in zip(total["refused"], row.get("refused", [0, 0]), strict=True)]
        for name in ("differing", "raising"):
            for cause, count in row.get(name, {}).items():
                total[name][cause] = total[name].get(cause, 0) + count
    return total
