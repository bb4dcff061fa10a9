"""What every scene has, and how two scenes become one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ArgumentError
from . import parts
from .linking import merged

SCHEMA = "minitorch-lab.scene/1"

Json = dict[str, Any]


def framed(
    view: str,
    question: str,
    steps: Sequence[Json],
    panels: Sequence[Json] = (),
    *,
    recording: str | None = None,
    source: Sequence[Json] = (),
    links: Mapping[str, Sequence[str]] | None = None,
    details: Mapping[str, str] | None = None,
    legend: Sequence[str] = (),
    folds: Sequence[Json] = (),
    title: str | None = None,
) -> Json:
    """A scene: its steps, its panels, and what all views have in common.

    Example:
        >>> framed("sum", "What is 1 + 1?", [{"phase": "start", "say": "What is 1 + 1?"}])["steps"]
        [{'line': None, 'focus': [], 'events': [], 'at': 0, 'phase': 'start', 'say': 'What is 1 + 1?'}]
    """
    return {
        "schema": SCHEMA,
        "view": view,
        "title": title or view.capitalize(),
        "question": question,
        **({"recording": recording} if recording is not None else {}),
        "source": list(source),
        "panels": list(panels),
        "links": {a: list(b) for a, b in (links or {}).items()},
        "details": dict(details or {}),
        "legend": list(legend),
        **({"folds": list(folds)} if folds else {}),
        "steps": [{"line": None, "focus": [], "events": [], "at": k, **step} for k, step in enumerate(steps)],
    }


def combine(first: Json, second: Json) -> Json:
    """Both views on one scrubber. The first one tells; the second one tells only what the first passes over.

    Args:
        first: A scene.
        second: A scene of the same recording, without a graph if the first has one.

    Raises:
        ArgumentError: They show different recordings, or both have a graph.
    """
    if first.get("recording") != second.get("recording") or "recording" not in first:
        raise ArgumentError(
            f"{first['title']} | {second['title']} got views of two recordings.",
            "Views are combined on the clock of one recording.",
            "Did you mean ml.widgets.Compare(rec_a, rec_b)? It shows both on one axis.",
        )
    if "graph" in first and "graph" in second:
        raise ArgumentError(
            f"{first['title']} | {second['title']} got two views with a graph.",
            "A picture has room for one graph, and every number of the two would stand there twice.",
            f"Did you mean {first['title']}(rec) | Memory(rec), and {second['title']}(rec) below it?",
        )
    steps = together(first["steps"], second["steps"])
    graph = first.get("graph") or second.get("graph")
    folds = parts.together(first.get("folds", []), second.get("folds", []))
    return {
        **{key: first[key] for key in ("schema", "question", "recording", "source")},
        "view": f"{first['view']}|{second['view']}",
        "title": f"{first['title']} | {second['title']}",
        **({"graph": graph} if graph is not None else {}),
        **({"folds": folds} if folds else {}),
        **({"kept": align_kept(first["kept"], first["steps"], steps)} if "kept" in first else {}),
        "panels": unlike([*first.get("panels", []), *second.get("panels", [])]),
        "links": merged(first["links"], second["links"]),
        "details": {**second["details"], **first["details"]},
        "legend": list(dict.fromkeys([*first["legend"], *second["legend"]])),
        "steps": steps,
        **({"wrong": first["wrong"]} if "wrong" in first else {}),
    }


def together(first: Sequence[Json], second: Sequence[Json]) -> list[Json]:
    """The steps of the first, with what the second marks at the same time; and those of the second between them.

    Example:
        >>> one = [{"at": 4, "say": "a", "focus": ["o1"], "phase": "forward", "events": []}]
        >>> two = [{"at": at, "say": "b", "focus": ["b1"], "phase": "forward", "events": []} for at in (4, 9)]
        >>> [step["say"] for step in together(one, two)], together(one, two)[0]["focus"]
        (['a', 'b'], ['o1', 'b1'])
    """
    ours, theirs = [{**step} for step in first], list[Json]()
    when: dict[int, list[Json]] = defaultdict(list)
    for step in ours:
        when[step["at"]].append(step)
    for step in second:
        same = when.get(step["at"], ours[:1] if step["phase"] == "start" else [])
        for one in same:
            one["focus"] = list(dict.fromkeys([*one["focus"], *step["focus"]]))
        if same:  # what it draws is drawn once
            same[0]["events"] = [*same[0]["events"], *step["events"]]
        else:
            theirs.append(step)
    return sorted([*ours, *theirs], key=lambda step: step["at"])


def align_kept(kept: Sequence[Json], before: Sequence[Json], after: Sequence[Json]) -> list[Json]:
    """The kept bars of the first view, over the steps of both: a step of the other one comes when its time comes."""
    times = {step["at"] for step in before}
    place = [k for k, step in enumerate(after) if step["at"] in times]
    return [{**bar, "spans": [[place[a], place[b]] for a, b in bar["spans"]]} for bar in kept]


def unlike(panels: Sequence[Json]) -> list[Json]:
    """Each panel once."""
    return list({panel["id"]: panel for panel in panels}.values())
