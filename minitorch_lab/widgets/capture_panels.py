"""The pictures of the view "Capture": the machine, and the graphs that it leaves behind."""

from __future__ import annotations

from ..compiler.capture.bytecode.watching import Thing
from .capture_steps import Telling
from .captured import Captured, Piece
from .frame import Json
from .instructions import label, mnemonic
from .numbers import ordinal, plural


def machine(telling: Telling) -> Json:
    """The first picture: listings, stack and variables, by stages."""
    cut = {telling.cuts[line]: telling.born[line] for line in reversed(telling.breaks) if line in telling.cuts}
    return {
        "kind": "bytecode",
        "id": "bytecode",
        "label": "Bytecode, stack and variables",
        "codes": [
            {
                "name": one.code.co_qualname,
                "rows": [
                    {
                        "id": one.id(k),
                        "offset": i.offset,
                        "name": i.opname,
                        "arg": i.argrepr,
                        **({"at": cut[one.id(k)]} if one.id(k) in cut else {}),
                    }
                    for k, i in enumerate(one.instructions)
                ],
            }
            for one in telling.story.listings.values()
        ],
        "things": [drawn(t) for t in telling.things],
        "stages": telling.stages,
    }


def graphs(telling: Telling) -> Json:
    """The second picture: graphs and breaks, by the time they appear."""
    last = telling.now
    return {
        "kind": "pieces",
        "id": "pieces",
        "label": "Graphs and breaks",
        "captures": [
            {
                "at": telling.born[one],
                "label": f"{ordinal(k)} capture" + (f": {': '.join(one.failed)}" if one.walk.why else ""),
                "pieces": [piece(one, p, telling, last) for p in one.pieces],
            }
            for k, one in enumerate(telling.story.captures, start=1)
        ],
    }


def guards(telling: Telling) -> Json:
    """The third picture: what the graphs rely on."""
    return {"kind": "guards", "id": "guards", "label": "Guards", "rows": telling.guards}


def drawn(thing: Thing) -> Json:
    """A value on the stack, or in a variable."""
    return {"text": label(thing), "kind": thing.kind, "facts": thing.text if thing.kind == "tensor" else ""}


def piece(capture: Captured, one: Piece, telling: Telling, last: int) -> Json:
    """A graph, its ops, and the break that ends it."""
    opens = telling.born.get(one, last)
    rows = [
        {
            "id": telling.ids[n],
            "text": telling.texts[n],
            "at": telling.born.get(n, opens),
            **({} if one.needed(n) else {"unneeded": True}),
        }
        for n in one.calls
    ]
    cut = None
    if one.ends is not None:
        at = telling.born.get(one.ends, last)
        cut = {
            "id": telling.break_id(one.ends),
            "at": at,
            "until": telling.ran.get(one.ends, at),
            "reason": one.ends.breaks,
            "runs": capture.runs(one.ends),
        }
    return {"id": one.id, "at": opens, "head": capture.signature(one), "rows": rows, "cut": cut}


def link_instructions(telling: Telling) -> tuple[dict[str, list[str]], dict[str, str]]:
    """An instruction lights up with its line, and with what it put into a graph."""
    links, details = telling.links, dict[str, str]()
    for one in telling.story.listings.values():
        for k, i in enumerate(one.instructions):
            line = one.line(k)
            links.pair(line, one.id(k))
            details[one.id(k)] = f"`{mnemonic(i)}` · at {i.offset} of `{one.code.co_qualname}`" + (
                f" · line {line[1:]}" if line else ""
            )
        for no, text in one.lines:
            details[one.line_id(no)] = f"line {no} · {text.strip()}"
    for capture in telling.story.captures:
        for p in capture.pieces:
            details[p.id] = f"{p.name} · {plural(len(p.calls), 'op')}"
            for n in p.calls:
                kept = "" if p.needed(n) else " · nothing needs it: left out when the graph was closed"
                details[telling.ids[n]] = f"`{telling.texts[n]}` · {p.name}{kept}"
            if p.ends is not None:
                text = f"graph break · {p.ends.breaks} · `{capture.runs(p.ends)}` runs for real"
                details[telling.break_id(p.ends)] = text
    for guard in telling.guards:
        now = f" · failed: {guard['now']}" if "now" in guard else ""
        details[guard["id"]] = f"guard · {telling.whole[guard['id']]}{now}"
    return links.json(), details
