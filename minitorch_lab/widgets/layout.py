"""Layered layout, left to right, after K. Sugiyama, S. Tagawa and M. Toda (1981): layers, order in a layer, positions.

A unit is what moves as one piece: an op with the pill of its value, or a pill alone. Edges that span several layers run
in lanes of their own: in every layer between they take a place (a bend) like a unit would, shared by all edges that
leave the same unit. Edges therefore slope only in the gaps between columns, where there is nothing to cross.
Units may stand in bands, one below the other: a layer of its own for what a backward walk has made. Where an edge goes
from band to band, an entry of no width takes it over at once, and from there it runs in the lanes of its new band.
Everything is deterministic: the same units give the same picture.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

GAP_X, GAP_Y, PAD, GRID = 56.0, 18.0, 16.0, 4
BAND, HEAD, LIP = 20.0, 24.0, 12.0  # between two bands; in a band for its label, and under its last unit
SWEEPS = 4
BEND = 10.0  # how much height a lane takes above and below itself


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of the picture, in pixels. `up` and `down` is the height it needs above and below the line it sits on."""

    id: str
    width: float
    up: float
    down: float
    inputs: tuple[str, ...] = ()
    chip: float = 0.0  # the widest label on an edge that enters it
    band: int = 0
    entry_of: str | None = None  # of an entry: the unit of another band whose edges it takes over

    @property
    def source(self) -> bool:
        """Whether it has no inputs: then it stands close to its first reader."""
        return not self.inputs


@dataclass(frozen=True, slots=True)
class Placement:
    """Where units stand: `left` and `line` are x of the left side and y of the middle line."""

    left: dict[str, float]
    line: dict[str, float]
    via: dict[tuple[str, str], list[list[float]]]  # (from, to) -> the points its edge passes horizontally
    width: float
    height: float
    bands: list[tuple[float, float]]  # top and bottom of each


Slot = tuple[str, int]  # a unit or a bend of it, and its layer


@dataclass(slots=True)
class Grid:
    """Slots in layers, with the edges between neighbouring layers."""

    layers: list[list[Slot]]
    before: dict[Slot, list[Slot]]
    after: dict[Slot, list[Slot]]


def place(units: list[Unit]) -> Placement:
    """Place `units`, whose inputs come before them in the list.

    Example:
        >>> spot = place([Unit("x", 60, 30, 20), Unit("exp", 120, 30, 20, ("x",))])
        >>> spot.left["x"] < spot.left["exp"], spot.line["x"] == spot.line["exp"]
        (True, True)
    """
    read = with_entries(units)
    by_id = {unit.id: unit for unit in read}
    level = levels(read)
    grid = grid_of(read, level)
    order(grid, by_id)
    line, bands = stacked(grid, by_id, level)
    left, right = columns(grid, by_id, level)
    turning = turns(grid, line)
    via: dict[tuple[str, str], list[list[float]]] = {}
    for unit in read:
        for source in set(unit.inputs):
            way = bends(source, (level[source], level[unit.id]), turning[source], line, (left, right))
            origin = by_id[source].entry_of
            if origin is not None:  # the edge comes from the other band
                at = level[source]
                way = [*via[origin, source], [left[at], line[source, at]], *way]
            via[origin or source, unit.id] = way
    spots: dict[str, float] = {}
    for unit in units:
        column = level[unit.id]
        spots[unit.id] = right[column] - unit.width if unit.source else left[column]
    bottom = max((line[u.id, level[u.id]] + u.down for u in units), default=0.0) + (LIP if len(bands) > 1 else 0.0)
    heights = {u.id: line[u.id, level[u.id]] for u in units}
    return Placement(spots, heights, via, max(right, default=0.0) + PAD, bottom + PAD, bands)


def with_entries(units: list[Unit]) -> list[Unit]:
    """The units, with an entry wherever one reads from another band."""
    band = {unit.id: unit.band for unit in units}
    out: list[Unit] = []
    made: set[str] = set()
    for unit in units:
        inputs: list[str] = []
        for i in unit.inputs:
            entry = i if band[i] == unit.band else f"{i}@{unit.band}"
            if entry != i and entry not in made:
                made.add(entry)
                out.append(Unit(entry, 0.0, BEND, BEND, (i,), band=unit.band, entry_of=i))
            inputs.append(entry)
        out.append(replace(unit, inputs=tuple(inputs)))
    return out


# ---- layers ----------------------------------------------------------------------------------------------


def levels(units: list[Unit]) -> dict[str, int]:
    """The layer of each unit: one after its last input; a source stands one before its first reader."""
    level: dict[str, int] = {}
    readers: dict[str, int] = {}
    for unit in units:
        level[unit.id] = 1 + max((level[i] for i in unit.inputs), default=-1)
        for i in unit.inputs:
            readers[i] = min(readers.get(i, level[unit.id]), level[unit.id])
    return {unit.id: readers.get(unit.id, 1) - 1 if unit.source else level[unit.id] for unit in units}


def grid_of(units: list[Unit], level: dict[str, int]) -> Grid:
    """Slots for the units and for the bends of long edges. Lanes begin on top, sources (constants, leaves) below."""
    sources = {unit.id for unit in units if unit.source}
    grid = Grid([[] for _ in range(max(level.values(), default=-1) + 1)], defaultdict(list), defaultdict(list))
    reach: dict[str, int] = {}
    for unit in units:
        for i in unit.inputs:
            reach[i] = max(reach.get(i, 0), level[unit.id])
    for unit in units:
        start = level[unit.id]
        grid.layers[start].append((unit.id, start))
        for layer in range(start + 1, reach.get(unit.id, 0)):
            grid.layers[layer].append((unit.id, layer))
            _join(grid, (unit.id, layer - 1), (unit.id, layer))
    for layer in grid.layers:
        layer.sort(key=lambda slot: slot[0] in sources and level[slot[0]] == slot[1])
    for unit in units:
        for i in dict.fromkeys(unit.inputs):
            _join(grid, (i, level[unit.id] - 1), (unit.id, level[unit.id]))
    return grid


def _join(grid: Grid, a: Slot, b: Slot) -> None:
    grid.after[a].append(b)
    grid.before[b].append(a)


# ---- order: each slot to the middle of its neighbours, sweep by sweep, keeping the order with the fewest crossings ---


def order(grid: Grid, units: dict[str, Unit]) -> None:
    """Order every layer by barycentres, to and fro. Bands stay apart."""
    for layer in grid.layers:
        layer.sort(key=lambda slot: units[slot[0]].band)
    best, fewest = [list(layer) for layer in grid.layers], crossings(grid)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        rows = grid.layers if sweep % 2 == 0 else grid.layers[::-1]
        near = grid.before if sweep % 2 == 0 else grid.after
        for previous, layer in pairwise(rows):
            at, now = ranks(previous, units), ranks(layer, units)
            middle = {slot: _barycentre([at[n] for n in near[slot] if n in at], float(now[slot])) for slot in layer}
            layer.sort(key=lambda slot: (units[slot[0]].band, middle[slot]))
        count = crossings(grid)
        if count < fewest:
            best, fewest = [list(layer) for layer in grid.layers], count
    grid.layers[:] = best


def ranks(layer: list[Slot], units: dict[str, Unit]) -> dict[Slot, int]:
    """The place of every slot in its layer, counted in its own band."""
    count: dict[int, int] = defaultdict(int)
    found: dict[Slot, int] = {}
    for slot in layer:
        band = units[slot[0]].band
        found[slot] = count[band]
        count[band] += 1
    return found


def _barycentre(places: list[int], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise


def crossings(grid: Grid) -> int:
    """How many pairs of edges cross, over all gaps."""
    total = 0
    for layer, following in pairwise(grid.layers):
        at = {slot: k for k, slot in enumerate(following)}
        seen: list[int] = []
        for slot in layer:
            ends = sorted(at[n] for n in grid.after[slot] if n in at)
            for end in ends:
                total += len(seen) - bisect_left(seen, end + 1)
            for end in ends:
                insort(seen, end)
    return total


# ---- y: every slot as near as it can to the line of its main input, in order and without overlap ---------


def stacked(
    grid: Grid, units: dict[str, Unit], level: dict[str, int]
) -> tuple[dict[Slot, float], list[tuple[float, float]]]:
    """The y of every slot, band below band; and top and bottom of each band."""
    line: dict[Slot, float] = {}
    bands: list[tuple[float, float]] = []
    for band in range(1 + max((unit.band for unit in units.values()), default=0)):
        here = within(grid, {name for name, unit in units.items() if unit.band == band})
        shift = bands[-1][1] + BAND + HEAD - PAD if bands else 0.0
        own = {slot: y + shift for slot, y in lines(here, units, level).items()}
        line |= own
        bottom = max((y + _extent(slot, units, level)[1] for slot, y in own.items()), default=shift)
        bands.append((bands[-1][1] + BAND if bands else 0.0, round((bottom + LIP) / GRID) * float(GRID)))
    return line, bands


def within(grid: Grid, names: set[str]) -> Grid:
    """The part of a grid that holds the units with these names."""
    layers = [[slot for slot in layer if slot[0] in names] for layer in grid.layers]
    near = [
        defaultdict(list, {slot: [n for n in others if n[0] in names] for slot, others in side.items()})
        for side in (grid.before, grid.after)
    ]
    return Grid(layers, near[0], near[1])


def lines(grid: Grid, units: dict[str, Unit], level: dict[str, int]) -> dict[Slot, float]:
    """The y of every slot."""
    line: dict[Slot, float] = {}
    for layer in grid.layers:
        y = 0.0
        for slot in layer:
            y += _extent(slot, units, level)[0] + GAP_Y
            line[slot] = y
            y += _extent(slot, units, level)[1]
    for forwards in (True, False, True, False, True):
        for layer in grid.layers if forwards else grid.layers[::-1]:
            wanted = [_wanted(slot, grid, units, level, line, forwards) for slot in layer]
            weights = [_weight(slot, units, level) for slot in layer]
            line.update(zip(layer, spread(layer, wanted, weights, units, level), strict=True))
    top = min((line[s] - _extent(s, units, level)[0] for s in line), default=0.0)
    return {slot: round((y - top + PAD) / GRID) * float(GRID) for slot, y in line.items()}


def _extent(slot: Slot, units: dict[str, Unit], level: dict[str, int]) -> tuple[float, float]:
    unit = units[slot[0]]
    return (unit.up, unit.down) if level[unit.id] == slot[1] else (BEND, BEND)


def _weight(slot: Slot, units: dict[str, Unit], level: dict[str, int]) -> float:
    if level[slot[0]] != slot[1]:
        return 1e6
    return 1.0 if units[slot[0]].source else 1e2


def _wanted(
    slot: Slot, grid: Grid, units: dict[str, Unit], level: dict[str, int], line: dict[Slot, float], forwards: bool
) -> float:
    unit = units[slot[0]]
    bend = level[unit.id] != slot[1]
    main = [n for n in grid.before[slot] if bend or not units[n[0]].source]
    if forwards:
        return line[main[0]] if main else line[slot]
    readers = [line[n] for n in grid.after[slot]]
    return sum(readers) / len(readers) if readers and (bend or not main) else line[slot]


def spread(
    layer: list[Slot], wanted: list[float], weights: list[float], units: dict[str, Unit], level: dict[str, int]
) -> list[float]:
    """The y values nearest to `wanted`, in weighted least squares, that keep the order and the distances.

    Neighbours that are too close are pooled into one block at their mean, again and again: the pool-adjacent-violators
    method for isotonic regression.
    """
    offset, total = [], 0.0
    for k, slot in enumerate(layer):
        if k:
            total += _extent(layer[k - 1], units, level)[1] + GAP_Y + _extent(slot, units, level)[0]
        offset.append(total)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, count
    for y, shift, weight in zip(wanted, offset, weights, strict=True):
        block = (y - shift, weight, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, heavy, count = blocks.pop()
            both = heavy + block[1]
            block = ((mean * heavy + block[0] * block[1]) / both, both, count + block[2])
        blocks.append(block)
    means = [mean for mean, _, count in blocks for _ in range(count)]
    return [mean + shift for mean, shift in zip(means, offset, strict=True)]


# ---- x ---------------------------------------------------------------------------------------------------


def columns(grid: Grid, units: dict[str, Unit], level: dict[str, int]) -> tuple[list[float], list[float]]:
    """The left and right side of every column. Gaps are wide enough for the labels of their edges."""
    left, right, x = [], [], PAD
    for k, layer in enumerate(grid.layers):
        here = [units[i] for i, _ in layer if level[i] == k]
        if k:
            x += max([GAP_X, *(u.chip + 16.0 for u in here)])
        left.append(x)
        x += max((u.width for u in here), default=0.0)
        right.append(x)
    return left, right


def turns(grid: Grid, line: dict[Slot, float]) -> dict[str, list[int]]:
    """The layers in which the lane of each unit changes its height."""
    found: dict[str, list[int]] = defaultdict(list)
    for k, layer in enumerate(grid.layers):
        for name, _ in layer:
            if line.get((name, k - 1), line[name, k]) != line[name, k]:
                found[name].append(k)
    return found


def bends(
    source: str,
    layers: tuple[int, int],
    turning: list[int],
    line: dict[Slot, float],
    columns: tuple[list[float], list[float]],
) -> list[list[float]]:
    """The points of an edge between two layers: the end of its own column, where its lane turns, where it leaves it."""
    (first, target), (left, right) = layers, columns
    points = [[right[first], line[source, first]]]
    for k in turning[: bisect_left(turning, target)]:
        points += [[right[k - 1], line[source, k - 1]], [left[k], line[source, k]]]
    points.append([right[target - 1], line[source, target - 1]])
    return [point for k, point in enumerate(points) if not k or point != points[k - 1]]
