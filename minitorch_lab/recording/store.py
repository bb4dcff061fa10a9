"""Recordings as files: a JSON object, one event a line, compressed. What is read is checked, and refused in words."""

from __future__ import annotations

import base64
import gzip
import json
import math
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.array import as_dtype, xp
from ..errors import RecordingError
from .check import checked
from .events import KINDS, SCHEMA, Event
from .values import Value

GZIP = b"\x1f\x8b"
PACKED = {"float32": "<f4", "float64": "<f8"}  # entries that are written as their bytes
FEW = 8  # so few are written as numbers


@dataclass(frozen=True)
class Described:
    """What a file cannot hold, in the words that stood for it when it was written."""

    text: str

    def __repr__(self) -> str:
        return self.text


def encode(thing: Any) -> Any:
    """`thing` (fields of events, op parameters) in what JSON can say."""
    if isinstance(thing, Value):
        return {**{key: encode(part) for key, part in thing._asdict().items()}, "data": entries(thing)}
    if isinstance(thing, float) and not math.isfinite(thing):
        return {"float": str(thing)}
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, tuple | list):
        return [encode(part) for part in thing]
    if isinstance(thing, dict):
        return {"dict": {str(key): encode(part) for key, part in thing.items()}}
    if isinstance(thing, slice):
        return {"slice": [encode(part) for part in (thing.start, thing.stop, thing.step)]}
    if isinstance(thing, xp.dtype):
        return {"dtype": thing.name}
    return {"ellipsis": True} if thing is ... else {"repr": repr(thing)}


def entries(value: Value) -> Any:
    """The entries of a value: many floats as their bytes, in base 64."""
    if value.data is None or len(value.data) <= FEW or value.dtype not in PACKED:
        return encode(value.data)
    return {"bytes": base64.b64encode(xp.array(value.data, PACKED[value.dtype]).tobytes()).decode()}


def revive(thing: Any) -> Any:
    """The inverse of `encode`; lists come back as tuples, and what JSON cannot say as `Described`."""
    if isinstance(thing, list):
        return tuple(map(revive, thing))
    if not isinstance(thing, dict):
        return thing
    keys = tuple(thing)
    if keys == Value._fields:
        fields: dict[str, Any] = {key: revive(part) for key, part in thing.items()}
        if isinstance(thing["data"], dict):
            fields["data"] = unpacked(thing["data"]["bytes"], thing["dtype"])
        return Value(**fields)
    if keys == ("dict",):
        return {key: revive(part) for key, part in thing["dict"].items()}
    if keys == ("float",):
        return float(thing["float"])
    if keys == ("slice",):
        return slice(*revive(thing["slice"]))
    if keys == ("dtype",):
        return as_dtype(thing["dtype"])
    if keys == ("repr",):
        return Described(thing["repr"])
    return ... if keys == ("ellipsis",) else thing


def unpacked(text: str, dtype: str) -> tuple[float, ...]:
    """The entries that `entries` has written as bytes."""
    return tuple(xp.frombuffer(base64.b64decode(text), PACKED[dtype]).tolist())


class Table:
    """Values by their number in a file: each is written once, however many events speak of it."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}

    def referred(self, thing: Any) -> Any:
        """`encode(thing)`, with {"value": 3} for a value."""
        if isinstance(thing, Value):
            return {"value": self.rows.setdefault(json.dumps(encode(thing), allow_nan=False), len(self.rows))}
        return [self.referred(part) for part in thing] if isinstance(thing, tuple | list) else encode(thing)


def write(path: str | Path, events: tuple[Event, ...]) -> None:
    """Write `events` to `path`."""
    table, rows = Table(), list[str]()
    for event in events:
        fields = {key: table.referred(part) for key, part in event._asdict().items()}
        rows.append(json.dumps({"kind": type(event).__name__.lower(), **fields}, allow_nan=False))
    head = f'{{"schema": {json.dumps(SCHEMA)}, "count": {len(rows)}, "events": [\n'
    text = head + ",\n".join(rows) + '\n], "values": [\n' + ",\n".join(table.rows) + "\n]}\n"
    Path(path).write_bytes(gzip.compress(text.encode(), mtime=0))


def read_events(path: str | Path) -> tuple[Event, ...]:
    """The events in the file at `path`.

    Raises:
        FileNotFoundError: There is no such file.
        RecordingError: It is no recording, one of another version, cut short, or damaged.
    """
    name, text = Path(path).name, _text(Path(path).read_bytes())
    document = _document(name, text)
    schema = document.get("schema")
    if schema != SCHEMA:
        raise _foreign(name, str(schema))
    rows = document.get("events")
    if not isinstance(rows, list) or len(rows) != document.get("count"):
        raise _truncated(name, len(rows) if isinstance(rows, list) else 0, document.get("count"))
    try:
        table = [revive(value) for value in document.get("values", [])]
        return tuple(checked(name, [_event(name, n, row, table) for n, row in enumerate(rows)]))
    except RecordingError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise RecordingError(
            f"{name} is damaged: {error}.",
            "What an event says must be of the kind that minitorch_lab.recording.events lists.",
            "Copy the file again, or record again and rec.save(path).",
        ) from error


def _text(data: bytes) -> str:
    """What the file says, as far as it goes. One that somebody has uncompressed is read too."""
    if data.startswith(GZIP):
        stream = zlib.decompressobj(wbits=31)
        try:
            data = stream.decompress(data)
        except zlib.error:
            data = b""
    return data.decode(errors="replace")


def _document(name: str, text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        if text.startswith('{"schema": "minitorch-lab.recording/'):
            head, _, rest = text.partition("\n")
            whole = min(rest.count("\n"), rest.count('{"kind": "'))
            raise _truncated(name, whole, head.partition('"count": ')[2].partition(",")[0] or "?") from None
        document = None
    if not isinstance(document, dict):
        raise RecordingError(
            f"{name} is not a recording.",
            f'A recording is JSON, compressed by gzip, that begins with {{"schema": "{SCHEMA}".',
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
    part = f"{found} of its {count} events" if str(found) != str(count) else "all its events, but not all their values"
    return RecordingError(
        f"{name} is cut short: it holds {part}.",
        "A recording is read whole or not at all, so that no view shows half a story.",
        "Copy the file again, or record again and rec.save(path).",
    )


def _event(name: str, n: int, row: Any, table: list[Any]) -> Event:
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
    return KINDS[kind](**{key: _looked_up(name, n, revive(part), table) for key, part in fields.items()})


def _looked_up(name: str, n: int, thing: Any, table: list[Any]) -> Any:
    """`thing` with the values that it refers to."""
    if isinstance(thing, tuple):
        return tuple(_looked_up(name, n, part, table) for part in thing)
    if not isinstance(thing, dict) or tuple(thing) != ("value",):
        return thing
    k = thing["value"]
    if not isinstance(k, int) or not 0 <= k < len(table) or not isinstance(table[k], Value):
        raise RecordingError(
            f"{name}: event {n} refers to value {k!r}, which is not there.",
            f"The file holds the values 0 to {len(table) - 1}, and events name them by number.",
            "The file was changed by hand or damaged; record again.",
        )
    return table[k]
