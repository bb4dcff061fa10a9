"""The view "Tiling": how often the numbers of two matrices are fetched for their product, by tile and by order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..compiler.schedule.tiling import Block, Part, fetched, grouped, row_by_row, visits
from ..errors import ArgumentError
from .frame import Json, framed
from .linking import Links
from .numbers import number, times

QUESTION = "How often is a number fetched from memory?"
ROWS, GROUPED = "row by row", "grouped"
CACHED = (ROWS, GROUPED)
MOST = 128  # entries along an axis, and blocks along one, that are drawn


@dataclass(slots=True)
class Way:
    """One way to go through the product: tiles of `rows` × `columns`, in an order, with or without a cache."""

    id: str
    label: str
    rows: int
    columns: int
    tiles: list[Block]
    code: list[str]
    told: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])  # after so many tiles, a sentence
    frames: dict[int, Json] = field(default_factory=dict[int, Json])  # what the panel shows then


def tiling_scene(
    shape: tuple[int, int, int] = (32, 32, 32),
    tile: tuple[int, int] = (4, 4),
    group: int = 4,
    cache: int = 48,
    question: str = QUESTION,
) -> Json:
    """The scene of the view "Tiling".

    Raises:
        ArgumentError: A size is not positive, or there is too much to draw.
    """
    check(shape, tile, group, cache)
    ways = [*uncached(shape, tile), *cached(shape, tile, group, cache)]
    m, n, k = shape
    say = f"{question} A product of ({m}, {k}) and ({k}, {n}) has {m * n:,} entries, each a sum of {k} products."
    steps: list[Json] = [{"phase": "start", "say": say, "at": 0}]
    stages: list[Json] = [{"at": 0, "of": None}]
    for way in ways:
        for done, sentence in way.told:
            at = len(steps)
            step: Json = {"phase": way.label, "say": sentence, "focus": [way.id, f"w:{way.id[2:]}"], "at": at}
            if done == len(way.tiles) > 1:
                step["predict"] = asked(way, sentence, f"{way.frames[done]['total']:,}")
            steps.append(step)
            stages.append({"at": at, "of": way.id, "done": done, **way.frames[done]})
    last = closing(shape, tile, ways)
    steps.append({"phase": "in all", "say": last, "focus": [way.id for way in ways], "at": len(steps)})
    return framed(
        "tiling",
        question,
        steps,
        [panel_of(shape, ways, stages), listing_of(ways, stages)],
        links=link_ways(ways),
        details={way.id: describe_way(way, shape) for way in ways}
        | {f"w:{way.id[2:]}": f"the loops of {way.label}" for way in ways}
        | {f"u:{name}": f"{name} · ({a}, {b}), {a * b:,} numbers" for name, a, b in matrices(shape)},
        legend=["fetched", "found", "held", "done"],
    )


def check(shape: tuple[int, int, int], tile: tuple[int, int], group: int, cache: int) -> None:
    """Refuse what cannot be drawn."""
    sizes = (*shape, *tile, group, cache)
    if min(sizes) < 1 or max(shape) > MOST:
        raise ArgumentError(
            f"Tiling got the sizes {shape}, tiles of {tile}, groups of {group} and a cache of {cache} blocks.",
            f"Sizes begin with 1, and it draws matrices of up to {MOST} by {MOST}.",
            "Did you mean Tiling((32, 32, 32), tile=(4, 4), group=4, cache=48)?",
        )


# ---- without a cache -------------------------------------------------------------------------------------


def uncached(shape: tuple[int, int, int], tile: tuple[int, int]) -> list[Way]:
    """Entry by entry, as many entries side by side as a tile has, and tile by tile. Nothing is kept between them."""
    rows, columns = tile
    wide = min(rows * columns, shape[1])
    kinds = [("entry by entry", 1, 1), (f"1 × {wide}", 1, wide), (f"{rows} × {columns}", rows, columns)]
    ways: list[Way] = []
    for label, r, c in dict.fromkeys(kinds):
        tiles = row_by_row(-(-shape[0] // r), -(-shape[1] // c))
        way = Way(f"z:{len(ways)}", label, r, c, tiles, nest(shape, r, c))
        for done in (1, 2, len(tiles)):
            if done <= len(tiles) and done not in way.frames:
                total = count_fetched(shape, way, tiles[:done])
                way.told.append((done, sentence(shape, way, done, total)))
                needed = strips(shape, way, tiles[done - 1])
                way.frames[done] = {"total": total, "fetched": needed, "found": [], "held": []}
        ways.append(way)
    return ways


def count_fetched(shape: tuple[int, int, int], way: Way, tiles: Sequence[Block]) -> int:
    """The numbers that are fetched for some tiles, each anew."""
    m, n, k = shape
    if len(tiles) == len(way.tiles):
        return fetched(m, n, k, way.rows, way.columns)
    return sum(k * (min(way.rows, m - i * way.rows) + min(way.columns, n - j * way.columns)) for i, j in tiles)


def sentence(shape: tuple[int, int, int], way: Way, done: int, total: int) -> str:
    """What a number of tiles has needed."""
    m, n, k = shape
    r, c = min(way.rows, m), min(way.columns, n)
    if done == len(way.tiles):
        return f"All {done:,} of them: {total:,} numbers fetched, each of them used {uses(2 * m * n * k / total)}."
    if done == 2:
        same = "row" if way.rows == 1 else f"{r} rows"
        return f"The next one needs the same {same} of A again, and it is fetched again: {total:,} so far."
    what = "An entry" if r * c == 1 else f"{r} × {c} entries"
    left = "a row" if r == 1 else f"{r} rows"
    right = "a column" if c == 1 else f"{c} columns"
    need = "needs" if r * c == 1 else "need"
    return f"{what} of C {need} {left} of A and {right} of B: {r} · {k} + {c} · {k} = {total:,} numbers."


def strips(shape: tuple[int, int, int], way: Way, block: Block) -> list[Json]:
    """The rows of A and the columns of B that a tile needs, as rectangles of entries."""
    (i, j), (m, n, k) = block, shape
    top, left = i * way.rows, j * way.columns
    return [
        {"in": "a", "row": top, "column": 0, "rows": min(way.rows, m - top), "columns": k},
        {"in": "b", "row": 0, "column": left, "rows": k, "columns": min(way.columns, n - left)},
    ]


# ---- with a cache ----------------------------------------------------------------------------------------


def cached(shape: tuple[int, int, int], tile: tuple[int, int], group: int, cache: int) -> list[Way]:
    """Tile by tile with a cache, row by row and in groups."""
    (m, n, k), (rows, columns) = shape, tile
    down, across, deep = -(-m // rows), -(-n // columns), -(-k // max(tile))
    ways: list[Way] = []
    for name, order in zip(CACHED, (row_by_row(down, across), grouped(down, across, group)), strict=True):
        band = 1 if name == ROWS else group
        way = Way(f"z:{len(ways) + 3}", name, rows, columns, order, walk(shape, tile, band))
        total, hits, each = 0, 0, {"a": 0, "b": 0}
        told = {1, 2, band + 1, *range(across, len(order), across * max(1, band // 2)), len(order)}
        for done, visit in enumerate(visits(order, deep, cache), 1):
            total += sum(entries(shape, tile, part) for part in visit.fetched)
            hits += sum(entries(shape, tile, part) for part in visit.found)
            for part in visit.fetched:
                each[part[0]] += entries(shape, tile, part)
            if done in told:
                often = number(round(each["a"] / (m * k), 2)), number(round(each["b"] / (k * n), 2))
                way.told.append((done, progress(way, done, (total, hits), (group, cache), often)))
                way.frames[done] = {
                    "total": total,
                    "fetched": [rect(shape, tile, part) for part in visit.fetched],
                    "found": [rect(shape, tile, part) for part in visit.found],
                    "held": [rect(shape, tile, part) for part in visit.held],
                }
        ways.append(way)
    return ways


def progress(way: Way, done: int, so_far: tuple[int, int], sizes: tuple[int, int], often: tuple[str, str]) -> str:
    """What has been fetched, and what was still there; in the end, how often a number of each matrix was."""
    (total, hits), (group, cache) = so_far, sizes
    if done == 1:
        order = "one row of tiles after the other" if way.label == ROWS else f"{group} rows of tiles at a time"
        return f"Now with a cache of {cache} blocks, {order}. The first tile finds nothing: {total:,} fetched."
    share = number(round(100 * hits / (hits + total)))
    if done < len(way.tiles):
        return f"After {done} tiles: {total:,} fetched, {hits:,} found in the cache, {share} %."
    mean = f"A number of A was fetched {often[0]} ×, one of B {often[1]} ×."
    return f"All {done} tiles: {total:,} fetched, {hits:,} found in the cache, {share} %. {mean}"


def rect(shape: tuple[int, int, int], tile: tuple[int, int], part: Part) -> Json:
    """A block of a matrix as a rectangle of entries."""
    (m, n, k), (rows, columns), deep = shape, tile, max(tile)
    which, row, column = part
    h, w, high, wide = (rows, deep, m, k) if which == "a" else (deep, columns, k, n)
    top, left = row * h, column * w
    return {"in": which, "row": top, "column": left, "rows": min(h, high - top), "columns": min(w, wide - left)}


def entries(shape: tuple[int, int, int], tile: tuple[int, int], part: Part) -> int:
    """The numbers of a block."""
    found = rect(shape, tile, part)
    return found["rows"] * found["columns"]


def asked(way: Way, sentence: str, total: str) -> Json:
    """The total of a way, asked for."""
    why = f"Each of the {len(way.tiles):,} tiles needs its rows of A and its columns of B"
    kept = ", less what is still in the cache." if way.label in CACHED else ", and nothing is kept."
    return {"kind": "value", "answer": total, "at": sentence.index(total), "length": len(total), "why": why + kept}


# ---- code, pictures and words ----------------------------------------------------------------------------


def nest(shape: tuple[int, int, int], rows: int, columns: int) -> list[str]:
    """The loops of a way without a cache."""
    m, n, k = shape
    outer = [f"for i in range(0, {m}, {rows}):", f"  for j in range(0, {n}, {columns}):"]
    if rows == columns == 1:
        return [*outer, f"    for p in range({k}):", "      C[i, j] += A[i, p] * B[p, j]"]
    inner = [f"for r in range({rows}):"] * (rows > 1) + [f"for c in range({columns}):"] * (columns > 1)
    at = "i + r, j + c" if rows > 1 and columns > 1 else "i + r, j" if rows > 1 else "i, j + c"
    row, column = at.split(", ")
    lines = [f"for p in range({k}):", *inner, f"C[{at}] += A[{row}, p] * B[p, {column}]"]
    return [*outer, *(f"{'  ' * (2 + d)}{line}" for d, line in enumerate(lines))]


def walk(shape: tuple[int, int, int], tile: tuple[int, int], band: int) -> list[str]:
    """The order of the tiles."""
    down, across = -(-shape[0] // tile[0]), -(-shape[1] // tile[1])
    if band == 1:
        return [f"for i in range({down}):", f"  for j in range({across}):", "    tile(i, j)"]
    return [
        f"for g in range(0, {down}, {band}):",
        f"  for j in range({across}):",
        f"    for i in range(g, g + {band}):",
        "      tile(i, j)",
    ]


def panel_of(shape: tuple[int, int, int], ways: Sequence[Way], stages: Sequence[Json]) -> Json:
    """The panel: the three matrices, and how much each way has fetched."""
    m, n, k = shape
    needed = {way.id: max((done for done in way.frames if done < len(way.tiles)), default=0) for way in ways}
    return {
        "kind": "tiling",
        "id": "tiling",
        "label": "Fetched from memory",
        "m": m,
        "n": n,
        "k": k,
        "floor": m * k + k * n,
        "ways": [
            {
                "id": way.id,
                "label": way.label,
                "rows": way.rows,
                "columns": way.columns,
                "count": len(way.tiles),
                "tiles": [list(tile) for tile in way.tiles[: needed[way.id]]],
                "total": way.frames[len(way.tiles)]["total"],
            }
            for way in ways
        ],
        "stages": list(stages),
    }


def listing_of(ways: Sequence[Way], stages: Sequence[Json]) -> Json:
    """The loops of each way."""
    shown: list[Json] = []
    code = {way.id: way for way in ways}
    for stage in stages:
        way = code.get(stage["of"]) or ways[0]
        rows = [{"id": f"w:{way.id[2:]}", "tag": "", "text": text} for text in way.code]
        if not shown or shown[-1]["rows"] != rows:
            shown.append({"at": stage["at"], "rows": rows})
    return {"kind": "listing", "id": "code", "label": "The loops", "stages": shown}


def matrices(shape: tuple[int, int, int]) -> Iterable[tuple[str, int, int]]:
    """The names and sizes of the three."""
    m, n, k = shape
    return ("A", m, k), ("B", k, n), ("C", m, n)


def link_ways(ways: Sequence[Way]) -> dict[str, list[str]]:
    """A way with its loops."""
    links = Links()
    for way in ways:
        links.pair(way.id, f"w:{way.id[2:]}")
    return links.json()


def uses(each: float) -> str:
    """How often a number is used before it has to be fetched again.

    Example:
        >>> uses(1.0), uses(1.882)
        ('once', '1.88 times')
    """
    return times(int(each)) if each == int(each) else f"{number(round(each, 2))} times"


def describe_way(way: Way, shape: tuple[int, int, int]) -> str:
    """The facts about a way."""
    total = way.frames[len(way.tiles)]["total"]
    each = 2 * shape[0] * shape[1] * shape[2] / total
    return f"{way.label} · {len(way.tiles):,} tiles · {total:,} numbers fetched · each used {uses(each)}"


def closing(shape: tuple[int, int, int], tile: tuple[int, int], ways: Sequence[Way]) -> str:
    """All ways beside each other, and the term of the iron law that they move."""
    totals = [way.frames[len(way.tiles)]["total"] for way in ways]
    floor = shape[2] * (shape[0] + shape[1])
    return (
        f"{totals[0]:,}, then {', '.join(f'{total:,}' for total in totals[1:-1])}, and {totals[-1]:,} fetched; "
        f"it cannot be less than {floor:,}. The work is the same: only data / bandwidth moves."
    )
