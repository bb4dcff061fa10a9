"""Puts a scene together: steps, graph, source, what is kept how long, what belongs together, facts about each part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ..recording import events as ev
from .clock import Clock
from .folded import marked, overview
from .folding import Fold, about_folds, boxed
from .frame import SCHEMA
from .linking import Links
from .model import Model, edge_id, nbytes, pin_id
from .numbers import describe_numbers, facts, listed, shape
from .story import Story

ROLES = {"x": "the first input", "y": "the second input", "z": "the third input", "out": "its result"}  # in words
LONG = 60  # an expression of more characters is not quoted
ROWS = 8  # more bars than this are drawn as one

Json = dict[str, Any]


def scene_of(
    view: str, question: str, story: Story, wrong: list[Json] | None = None, folds: Sequence[Fold] = ()
) -> Json:
    """The scene of one view, of the ops of its story."""
    model, ops, steps = story.model, story.ops, story.steps
    timed(steps, Clock(model.recording))
    timed(wrong or [], Clock(model.recording))
    every = [*steps, *(wrong or [])]
    graph = overview(model, ops, folds, every, notes=view == "tape")
    parts = [fold.json(every) for fold in folds]
    marked(steps, folds, model)
    marked(wrong or [], folds, model)
    kept = kept_bars(model, ops, steps)
    scene: Json = {
        "schema": SCHEMA,
        "view": view,
        "title": view.capitalize(),
        "question": question,
        "recording": model.recording.id,
        "source": source(model),
        "graph": graph,
        "kept": kept,
        "links": links(model, ops, kept, folds),
        "details": written(model, details(model, ops, kept), every) | returning(model, ops, steps),
        "legend": legend([graph, *(part["graph"] for part in parts)], every),
        "steps": steps,
    }
    if folds:
        scene["folds"] = parts
        scene["details"] |= about_folds(folds)
    if wrong is not None:
        scene["wrong"] = {"steps": wrong, "kept": kept_bars(model, ops, wrong)}
    return scene


def timed(steps: Sequence[Json], clock: Clock) -> None:
    """Every step ends where the moment ends that it tells of. The clock never runs back."""
    at = 0
    for step in steps:
        step["at"] = at = max(at, clock.until(step["at"]))


def source(model: Model) -> list[Json]:
    """The reader's lines."""
    rows = [row for listing in model.recording.each(ev.Source) for row in listing.rows]
    return [{"id": id, "no": no, "text": text} for id, no, text in rows if id]


# ---- what is kept for backward ---------------------------------------------------------------------------


def kept_bars(model: Model, ops: Sequence[ev.Op], steps: Sequence[Json]) -> list[Json]:
    """One bar per tensor that some op keeps, over the steps in which a pin holds it."""
    pinned = {pin_id(op, str(s.tensor)): (str(s.tensor), op.op) for op in ops for s in model.tensors_kept(op)}
    spans: dict[str, list[list[int]]] = defaultdict(list)
    open_since: dict[str, int] = {}
    for k, step in enumerate(steps):
        for event in step["events"]:
            if event["type"] == "pin":
                open_since.setdefault(event["id"], k)
            elif event["type"] == "unpin" and event["id"] in open_since:
                spans[event["id"]].append([open_since.pop(event["id"]), max(k - 1, 0)])
    for pin, since in open_since.items():
        spans[pin].append([since, len(steps) - 1])
    bars: dict[str, Json] = {}
    for pin, (tensor, op) in pinned.items():
        if spans[pin] and model.tensors[tensor].how != "constant":
            value = model.value(tensor)
            new = {"id": f"k:{tensor}", "label": model.name(tensor), "bytes": nbytes(value), "by": [], "spans": []}
            bar = bars.setdefault(tensor, new)
            bar["by"] += [op] if op not in bar["by"] else []
            bar["spans"] = merged([*bar["spans"], *spans[pin]])
    rows = sorted(bars.values(), key=lambda bar: bar["spans"][0][0])
    return rows if len(rows) <= ROWS else folded(rows)


def merged(spans: list[list[int]]) -> list[list[int]]:
    """Spans that touch become one.

    Example:
        >>> merged([[4, 6], [2, 5], [9, 9]])
        [[2, 6], [9, 9]]
    """
    out: list[list[int]] = []
    for first, last in sorted(spans):
        if out and first <= out[-1][1] + 1:
            out[-1][1] = max(out[-1][1], last)
        else:
            out.append([first, last])
    return out


def folded(rows: list[Json]) -> list[Json]:
    """The largest bars, and one for all the others."""
    large = sorted(rows, key=lambda bar: -bar["bytes"])[: ROWS - 1]
    rest = [bar for bar in rows if bar not in large]
    more: Json = {
        "id": "k:more",
        "label": f"{len(rest)} more",
        "bytes": sum(bar["bytes"] for bar in rest),
        "by": list(dict.fromkeys(name for bar in rest for name in bar["by"]))[:3],
        "spans": merged([span for bar in rest for span in bar["spans"]]),
    }
    return [bar for bar in rows if bar in large] + [more]


# ---- links and details -----------------------------------------------------------------------------------


def links(model: Model, ops: Sequence[ev.Op], kept: Sequence[Json], folds: Sequence[Fold]) -> dict[str, list[str]]:
    """What lights up together, in pairs: an op with its line, its value, its pins, its edges; a line with its ops."""
    pairs, bars = Links(), {bar["id"] for bar in kept}
    pair = pairs.pair
    for op in ops:
        pair(op.id, op.output)
        pair(op.id, op.line)
        pair(op.output, op.line)
        for k, tensor in enumerate(op.inputs):
            pair(edge_id(op, k), op.id)
            pair(edge_id(op, k), tensor)
        for save in model.tensors_kept(op):
            pin, bar = pin_id(op, str(save.tensor)), f"k:{save.tensor}"
            pair(pin, op.id)
            pair(pin, save.tensor)
            if bar in bars:
                pair(pin, bar)
                pair(bar, save.tensor)
    for tensor in model.sources(ops):
        if model.kind(tensor, made=False) != "value":
            pair(tensor, model.line(tensor))
    boxed(pairs, folds)
    return pairs.json()


def details(model: Model, ops: Sequence[ev.Op], kept: Sequence[Json]) -> dict[str, str]:
    """One line of facts per part."""
    made, readers = {op.output: op for op in ops}, defaultdict[str, list[str]](list)
    for op in ops:
        for tensor in dict.fromkeys(op.inputs):
            readers[tensor].append(op.op)
    out: dict[str, str] = {}
    for tensor in [*model.sources(ops), *made]:
        out[tensor] = about_value(model, tensor, made.get(tensor), readers[tensor])
    for op in ops:
        out[op.id] = about_op(model, op)
        for k in range(len(op.inputs)):
            out[edge_id(op, k)] = about_edge(model, op, k)
        for save in model.tensors_kept(op):
            kept_value = f"{model.name(str(save.tensor))} = {model.describe_value(str(save.tensor))}"
            out[pin_id(op, str(save.tensor))] = f"pin · {op.op} keeps {kept_value} · version {save.version}"
    for row in source(model):
        out[row["id"]] = f"line {row['no']} · {row['text'].strip()}"
    for bar in kept:
        out[bar["id"]] = f"{bar['label']} · {bar['bytes']:,} B · kept by {listed(bar['by'])}"
    return out


def returning(model: Model, ops: Sequence[ev.Op], steps: Sequence[Json]) -> dict[str, str]:
    """The facts about the edges along which a gradient comes back."""
    sent = {e["edge"]: e["value"] for step in steps for e in step["events"] if e["type"] == "send"}
    return {
        id: f"{about_edge(model, op, k)}; back along it comes the gradient {sent[id]}"
        for op in ops
        for k in range(len(op.inputs))
        if (id := edge_id(op, k)) in sent
    }


def about_edge(model: Model, op: ev.Op, k: int) -> str:
    """Which value goes where."""
    return f"edge · {model.name(op.inputs[k])} goes into {op.op} as input {k + 1}"


def about_value(model: Model, tensor: str, maker: ev.Op | None, readers: list[str]) -> str:
    """The facts about a tensor."""
    kind = {"value": "value", "leaf": "leaf", "param": "parameter", "input": "input", "const": "constant"}
    parts = [f"{kind[model.kind(tensor, maker is not None)]} {model.name(tensor)}", facts(model.value(tensor))]
    if model.batch(tensor):
        parts.append(f"batch axis {model.batch(tensor)}, one example {shape(model.example(tensor))}")
    tangent = model.tensors[tensor].tangent
    parts += [f"tangent {describe_numbers(tangent)}"] if tangent is not None else []
    if maker is not None:
        text = model.expression(tensor)
        own = text != model.name(tensor) and maker.during is None and 0 < len(text) <= LONG
        parts.append(f"made by {maker.op}" + (f" in {text}" if own else ""))
    parts += [f"read by {listed(list(dict.fromkeys(readers)))}"] if readers else []
    base = model.tensors[tensor].base
    parts += [f"view of {model.name(base)}"] if base is not None else []
    return " · ".join([*parts, f"memory {model.tensors[tensor].memory}, version {model.tensors[tensor].version}"])


def written(model: Model, details: dict[str, str], steps: Sequence[Json]) -> dict[str, str]:
    """The facts, and of a pill that is written to later the version that it will show."""
    writes = {e["id"]: e["version"] for step in steps for e in step["events"] if e["type"] == "write"}
    later = {id: n for id, n in writes.items() if id in details and n != model.tensors[id].version}
    return details | {id: f"{details[id]}, written in place up to version {n}" for id, n in later.items()}


def about_op(model: Model, op: ev.Op) -> str:
    """The facts about an op and its node."""
    parts = [op.op]
    if op.params:
        parts.append(", ".join(f"{key}={value}" for key, value in op.params.items()))
    if op.node is None:
        forward = model.tensors[op.output].tangent is not None
        mapped = "all examples at once" if model.batch(op.output) else "once for all examples"
        why = "value and tangent in one step" if forward else mapped if model.mapped else "no node on the tape"
        return " · ".join([*parts, why])
    node = model.nodes[op.node]
    following = [
        model.nodes[e].title if e in model.nodes else "a node made before" if e else "None" for e in node.edges
    ]
    facts = [(s.name, model.name(s.tensor) if s.tensor else s.fact) for s in model.kept(op)]
    kept = [f"{ROLES.get(name, name)} = {fact}" for name, fact in facts if fact != ()]
    return " · ".join([*parts, node.title, f"next_functions: {', '.join(following)}", f"keeps {listed(kept)}"])


def legend(graphs: Sequence[Json], steps: Sequence[Json]) -> list[str]:
    """The symbols that occur."""
    nodes = [node for graph in graphs for node in graph["nodes"]]
    kinds = {node["kind"] for node in nodes}
    events = {event["type"] for step in steps for event in step["events"]}
    present = {
        **{kind: kind in kinds for kind in ("value", "leaf", "param", "input", "const", "op", "fold")},
        "batch": any("batch" in node for node in nodes),
        "cotangent": "send" in events,
        "tangent": "push" in events,
        "saved": any(graph["pins"] for graph in graphs),
        "tray": any("tray" in node for node in nodes),
        "write": "write" in events,
        "hook": "hook" in events or "hooked" in events,
        "faded": "fade" in events,
        "wrong": any(step["phase"] == "wrong order" for step in steps),
    }
    return [symbol for symbol, there in present.items() if there]
