"""The layout, as geometry: no two boxes overlap, and no edge runs through a box that it does not belong to."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any, NamedTuple

import pytest

from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.layout import Unit, place
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import ALL, AS_A_RESULT, CHAIN, STALE, run

Json = dict[str, Any]


class Box(NamedTuple):
    owner: str
    what: str
    x0: float
    y0: float
    x1: float
    y1: float


def around(owner: str, what: str, x: float, y: float, w: float, h: float) -> Box:
    return Box(owner, what, x - w / 2, y - h / 2, x + w / 2, y + h / 2)


def boxes(graph: Json) -> list[Box]:
    """Everything with text in it, where the browser draws it."""
    found: list[Box] = []
    for node in graph["nodes"]:
        x, y, w, owner = node["x"], node["y"], node["w"], node["id"]
        found.append(around(owner, "body", x, y, w, 34))
        if node["kind"] not in ("op", "const"):
            found.append(around(owner, "name", x, y - 27, len(node["label"]) * 6.6, 12))
        if "note" in node:
            found.append(around(owner, "note", x, y - 27, len(node["note"]) * 5.5, 12))
        if "tray" in node:
            found.append(around(owner, "tray", x, y + 37, node["tray"].get("w", w), 26))
            found.append(around(owner, "tray name", x, y + 60, len(node["tray"]["label"]) * 6.6, 12))
        elif "sum" in node:
            found.append(around(owner, "sum", x, y + 37, node["sum"]["w"], 26))
    for pin in graph["pins"]:
        found.append(around(pin["op"], "pin", pin["x"], pin["y"], len(pin["label"]) * 6.6 + 14, 20))
    return found


def overlaps(found: list[Box]) -> list[str]:
    def meet(a: Box, b: Box) -> bool:
        return a.x0 < b.x1 - 0.5 and b.x0 < a.x1 - 0.5 and a.y0 < b.y1 - 0.5 and b.y0 < a.y1 - 0.5

    return [f"{a.owner} {a.what} / {b.owner} {b.what}" for a, b in combinations(found, 2) if meet(a, b)]


def curve(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The edge as the browser draws it: cubics that are level at every point."""
    out: list[tuple[float, float]] = []
    for (ax, ay), (bx, by) in pairwise(points):
        dx = bx - ax
        handle = max(min(14, dx / 2) if dx > 0 else 14, dx * 0.45)
        for k in range(25):
            t = k / 24
            u = 1 - t
            x = u**3 * ax + 3 * u * u * t * (ax + handle) + 3 * u * t * t * (bx - handle) + t**3 * bx
            out.append((x, u**3 * ay + 3 * u * u * t * ay + 3 * u * t * t * by + t**3 * by))
    return out


def crossed(graph: Json) -> list[str]:
    nodes = {node["id"]: node for node in graph["nodes"]}
    found = boxes(graph)
    hits: list[str] = []
    for edge in graph["edges"]:
        a, b = nodes[edge["from"]], nodes[edge["to"]]
        ends = [(a["x"] + a["w"] / 2, a["y"]), *map(tuple, edge.get("via", [])), (b["x"] - b["w"] / 2, b["y"])]
        for x, y in curve(ends):
            for box in found:
                inside = box.x0 + 1 < x < box.x1 - 1 and box.y0 + 1 < y < box.y1 - 1
                if inside and not (box.what == "body" and box.owner in (edge["from"], edge["to"])):
                    hits.append(f"{edge['id']} crosses the {box.what} of {box.owner}")
    return sorted(set(hits))


@pytest.mark.parametrize("name", ALL)
def test_nothing_overlaps_in_the_tape(name: str) -> None:
    graph = tape_scene(run(ALL[name]))["graph"]
    assert overlaps(boxes(graph)) == []
    assert crossed(graph) == []


@pytest.mark.parametrize("name", ALL)
def test_nothing_overlaps_in_the_walk(name: str) -> None:
    graph = backward_scene(run(ALL[name]))["graph"]
    assert overlaps(boxes(graph)) == []
    assert crossed(graph) == []


def test_everything_lies_inside_the_picture() -> None:
    for text in [*ALL.values(), STALE]:
        graph = backward_scene(run(text, RuntimeError))["graph"]
        for box in boxes(graph):
            assert box.x0 >= 0
            assert box.y0 >= 0
            assert box.x1 <= graph["width"]
            assert box.y1 <= graph["height"]


def test_the_same_recording_gives_the_same_layout() -> None:
    graphs = [backward_scene(run(ALL["residual"]))["graph"] for _ in range(2)]
    assert graphs[0] == graphs[1]


def test_an_overlap_is_noticed() -> None:
    graph = tape_scene(run(ALL["listing_1"]))["graph"]
    graph["nodes"][0]["x"] = graph["nodes"][-1]["x"]
    graph["nodes"][0]["y"] = graph["nodes"][-1]["y"]
    assert overlaps(boxes(graph)) != []
    assert crossed(graph) != []


def test_the_lanes_of_a_thousand_nodes_say_only_where_they_bend() -> None:
    units = [Unit("x", 64, 38, 50)]
    for k in range(1000):
        units.append(Unit(f"y{k}", 136, 38, 50, (units[-1].id, "x")))
    spots = place(units)
    assert sum(map(len, spots.via.values())) < 10_000


def test_a_chain_is_straight() -> None:
    graph = backward_scene(run(CHAIN), fold=None)["graph"]
    assert len({node["y"] for node in graph["nodes"] if node["kind"] == "op"}) == 1


def test_what_a_walk_has_made_stands_in_a_band_of_its_own() -> None:
    scene = backward_scene(run(AS_A_RESULT))
    (band,) = scene["graph"]["bands"]
    assert band["label"] == "made by the backward walk"
    below = {op["id"] for op in scene["graph"]["nodes"] if op["kind"] == "op" and op["y"] > band["y"]}
    made = {focus for step in scene["steps"] if step["say"].startswith("Inside") for focus in step["focus"]}
    assert below == made, "the ops inside the band are those that the walk has run"
    for node in scene["graph"]["nodes"]:
        inside = band["y"] <= node["y"] - 17 and node["y"] + 17 <= band["y"] + band["h"]
        assert inside or node["y"] + 17 < band["y"], f"{node['id']} stands on the border"


def test_an_edge_into_another_band_runs_there_at_once() -> None:
    units = [
        Unit("x", 60, 30, 20),
        Unit("a", 90, 30, 20, ("x",)),
        Unit("b", 90, 30, 20, ("a",)),
        Unit("far", 90, 30, 20, ("b",)),
        Unit("deep", 90, 30, 20, ("far", "x"), band=1),
    ]
    spot = place(units)
    (_, _), (top, bottom) = spot.bands
    assert top < spot.line["deep"] < bottom
    assert all(spot.line[u] < top for u in ("x", "a", "b", "far"))
    way = spot.via["x", "deep"]
    assert all(y > top for x, y in way if x > spot.left["a"] - 1), "it passes nothing of the first band"
    assert [x for x, _ in way] == sorted(x for x, _ in way), "and never turns back"


def test_without_bands_nothing_changes() -> None:
    graph = backward_scene(run(ALL["exp"]))["graph"]
    assert "bands" not in graph
