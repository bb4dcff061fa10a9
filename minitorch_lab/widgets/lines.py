"""The view "Source": the reader's own lines, and what each of them costs: ops, bytes, time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..errors import RecordingError
from ..recording.recording import Recording
from .frame import Json, framed
from .linking import Links
from .model import taped
from .moments import Moment, grouped, moments_of
from .numbers import plural, size, span
from .scene import source
from .timeline import nested, times

QUESTION = "What does each line cost?"


def lines_scene(recording: Recording, question: str = QUESTION) -> Json:
    """The scene of the view "Source".

    Raises:
        RecordingError: The recording is still running, or it has no lines of the reader's.
    """
    model = taped(recording)
    rows = source(model)
    moments = [moment for moment in moments_of(model) if moment.line is not None]
    if not rows or not moments:
        raise RecordingError(
            "Source got a recording without lines.",
            "It shows the lines of your own that ran ops; code typed into exec() has none.",
            "Put the lines into a file or a cell, inside `with ml.record() as rec:`.",
        )
    start: Json = {"phase": "start", "say": f"{question} {dearest(moments, rows)}", "at": moments[0].n - 1}
    marks: dict[str, list[Json]] = defaultdict(list)
    for moment in moments:
        marks[str(moment.line)].append({"at": moment.until, **cost([moment])})
    panel: Json = {
        "kind": "lines",
        "id": "lines",
        "label": "Your lines",
        "rows": [{**row, "marks": marks[row["id"]]} for row in rows],
    }
    links = Links()
    for op in model.ops:
        links.pair(op.id, op.line)
    return framed(
        "source",
        question,
        [start, *(make_step(group, rows) for group in grouped(moments, lines=True))],
        [panel],
        recording=recording.id,
        links=links.json(),
        details={row["id"]: describe_line(row, marks[row["id"]]) for row in rows},
    )


def cost(moments: Sequence[Moment]) -> dict[str, int]:
    """Ops that ran, bytes that they made, ns that they took."""
    return {
        "ops": sum(moment.op is not None and moment.id == moment.op.id for moment in moments),
        "bytes": sum(birth.nbytes for moment in moments for birth in moment.births if birth.category != "input"),
        "ns": sum(times([moment for moment in moments if not nested(moment)])),
    }


def make_step(group: Sequence[Moment], rows: Sequence[Json]) -> Json:
    """One line runs, or its rules do."""
    line = next(row for row in rows if row["id"] == group[0].line)
    paid = cost(group)
    what = f"{plural(paid['ops'], 'op')}" if paid["ops"] else f"the rules of its {plural(len(group), 'op')}"
    say = f"Line {line['no']} runs {what}: {size(paid['bytes'])} made, {span(paid['ns'])}."
    ops = [moment.op.id for moment in group if moment.op is not None]
    return {
        "phase": group[0].phase,
        "say": say,
        "line": line["id"],
        "focus": [line["id"], *ops[:6]],
        "at": group[-1].until,
    }


def dearest(moments: Sequence[Moment], rows: Sequence[Json]) -> str:
    """The line that takes most of the time."""
    spent: dict[str, int] = defaultdict(int)
    for moment in moments:
        spent[str(moment.line)] += cost([moment])["ns"]
    most = max(spent, key=lambda line: spent[line])
    total = sum(spent.values())
    row = next(row for row in rows if row["id"] == most)
    return (
        f"Line {row['no']} takes {round(100 * spent[most] / total)} % of the time." if total else "No time was taken."
    )


def describe_line(row: Json, marks: Sequence[Json]) -> str:
    """The facts about a line."""
    sums = {name: sum(mark[name] for mark in marks) for name in ("ops", "bytes", "ns")}
    paid = f" · {plural(sums['ops'], 'op')} · {size(sums['bytes'])} made · {span(sums['ns'])}" if marks else ""
    return f"line {row['no']} · {row['text'].strip()}{paid}"
