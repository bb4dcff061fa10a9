"""Recordings as files: one JSON object, one event a line. What is read is checked, and refused in words."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from ..array import as_dtype, xp
from ..errors import RecordingError
from .events import KINDS, SCHEMA, Event
from .values import Value


def encode(thing: Any) -> Any:
    """`thing` (fields of events, op parameters) in what JSON can say."""
    if isinstance(thing, Value):
        return {key: encode(part) for key, part in thing._asdict().items()}
    if isinstance(thing, float) and not math.isfinite(thing):
        return {"float": str(thing)}
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, tuple | list):
        return [encode(part) for part in thing]
    if isinstance(thing, dict):
        return {str(key): encode(part) for key, part in thing.items()}
    if isinstance(thing, slice):
        return {"slice": [encode(part) for part in (thing.start, thing.stop, thing.step)]}
    if isinstance(thing, xp.dtype):
        return {"dtype": thing.name}
    return {"ellipsis": True} if thing is ... else {"repr": repr(thing)}


def revive(thing: Any) -> Any:
    """The inverse of `encode`; lists come back as tuples, and {"repr": ...} stays as it is."""
    if isinstance(thing, list):
        return tuple(map(revive, thing))
    if not isinstance(thing, dict):
        return thing
    keys = tuple(thing)
    if keys == Value._fields:
        return Value(*map(revive, thing.values()))
    if keys == ("float",):
        return float(thing["float"])
    if keys == ("slice",):
        return slice(*revive(thing["slice"]))
    if keys == ("dtype",):
        return as_dtype(thing["dtype"])
    return ... if keys == ("ellipsis",) else {key: revive(part) for key, part in thing.items()}


def write(path: str | Path, events: tuple[Event, ...]) -> None:
    """Write `events` to `path`."""
    rows = [json.dumps({"kind": type(e).__name__.lower(), **encode(e._asdict())}, allow_nan=False) for e in events]
    head = f'{{"schema": {json.dumps(SCHEMA)}, "count": {len(rows)}, "events": [\n'
    Path(path).write_text(head + ",\n".join(rows) + "\n]}\n", encoding="utf-8")


def read(path: str | Path) -> tuple[Event, ...]:
    """The events in the file at `path`.

    Raises:
        FileNotFoundError: There is no such file.
        RecordingError: It is no recording, one of another version, cut short, or damaged.
    """
    name, text = Path(path).name, Path(path).read_text(encoding="utf-8", errors="replace")
    document = _document(name, text)
    schema = document.get("schema")
    if schema != SCHEMA:
        raise _foreign(name, str(schema))
    rows = document.get("events")
    if not isinstance(rows, list) or len(rows) != document.get("count"):
        raise _truncated(name, len(rows) if isinstance(rows, list) else 0, document.get("count"))
    return tuple(_event(name, n, row) for n, row in enumerate(rows))


def _document(name: str, text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        if text.startswith('{"schema": "minitorch-lab.recording/'):
            head, _, rest = text.partition("\n")
            raise _truncated(name, rest.count("\n"), head.partition('"count": ')[2].partition(",")[0] or "?") from None
        document = None
    if not isinstance(document, dict):
        raise RecordingError(
            f"{name} is not a recording.",
            f'A recording is a JSON file that begins with {{"schema": "{SCHEMA}".',
            "Make one with rec.save(path), where `with ml.record() as rec:` recorded your code.",
        )
    return document


def _foreign(name: str, schema: str) -> RecordingError:
    if schema.startswith("minitorch-lab.scene/"):
        return RecordingError(
            f"{name} is a view that was saved ({schema}), not a recording.",
            "view.save(path) writes what the browser draws; rec.save(path) writes what happened.",
            f'Show it on a page with <minitorch-view src="{name}">, or record again.',
        )
    return RecordingError(
        f"{name} has the schema {schema!r}.",
        f"This minitorch_lab reads {SCHEMA!r} and no other.",
        "Run the code again with this version, and save that recording.",
    )


def _truncated(name: str, found: int, count: Any) -> RecordingError:
    return RecordingError(
        f"{name} is cut short: it holds {found} of its {count} events.",
        "A recording is read whole or not at all, so that no view shows half a story.",
        "Copy the file again, or record again and rec.save(path).",
    )


def _event(name: str, n: int, row: Any) -> Event:
    fields = dict(row) if isinstance(row, dict) else {}
    kind = fields.pop("kind", None)
    if kind not in KINDS:
        raise RecordingError(
            f"{name}: event {n} is of the unknown kind {kind!r}.",
            f"{SCHEMA!r} knows {', '.join(KINDS)}.",
            "The file was made or changed by something else; record again.",
        )
    known, later = KINDS[kind]._fields, KINDS[kind]._field_defaults
    if fields.get("n") != n or tuple(fields) not in [known[:k] for k in range(len(known) - len(later), len(known) + 1)]:
        raise RecordingError(
            f"{name}: event {n}, of kind {kind!r}, has the fields {', '.join(fields) or 'none'}.",
            f"It must have {', '.join(known)}, in this order, and n = {n}.",
            "The file was changed by hand or damaged; record again.",
        )
    return KINDS[kind](**revive(fields))
