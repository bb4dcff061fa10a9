"""Memory in words and columns: what is alive, in bytes, and what it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .ledger import CATEGORIES, Block, Moment
from .places import Place

ROWS = 12  # more rows are summed up in one
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """What was alive at one moment. Prints as a table: blocks that are alike share a row.

    Attributes:
        moment: The moment: its event, its phase, the bytes of each category.
        blocks: The blocks that were alive, largest first.
    """

    moment: Moment
    blocks: Sequence[Block]

    @property
    def total(self) -> int:
        """Bytes in all."""
        return self.moment.total

    def __repr__(self) -> str:
        alike = Counter((b.category, b.op or "", str(b.shape), text(b.line), b.nbytes) for b in self.blocks)
        ranked = sorted(alike.items(), key=lambda item: -item[0][-1] * item[1])
        rows = [
            (f"{count * size:,}", category, op, f"{count} × {shape}" if count > 1 else shape, line)
            for (category, op, shape, line, size), count in ranked[:ROWS]
        ]
        rest = sum(count * key[-1] for key, count in ranked[ROWS:])
        if rest:
            rows.append((f"{rest:,}", f"and {len(ranked) - ROWS} more", "", "", ""))
        head = f"{self.total:,} bytes alive, {self.moment.phase} ({self.moment.op or 'nothing has run'})"
        return "\n".join([head, *columns([("bytes", "category", "made by", "shape", "line"), *rows])])


def overview(timeline: Sequence[Moment]) -> str:
    """Bytes alive at the end and at the peak, by category."""
    top = max(timeline, key=lambda moment: moment.total)
    end = timeline[-1]
    rows = [
        (f"{end.live[name]:,}", f"{top.live[name]:,}", name) for name in CATEGORIES if end.live[name] or top.live[name]
    ]
    rows.append((f"{end.total:,}", f"{top.total:,}", "in all"))
    head = f"Bytes; the peak came in the {top.phase} ({top.op})" if top.op else "Bytes"
    return "\n".join([head, *columns([("alive", "at the peak", ""), *rows])])


def columns(rows: Sequence[Row]) -> list[str]:
    """Rows of text, aligned: numbers to the right, words to the left."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    number = [all(row[k].replace(",", "").isdigit() for row in rows[1:]) for k in range(len(widths))]
    lines = [
        [cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, number, strict=True)]
        for row in rows
    ]
    return ["  ".join(line).rstrip() for line in lines]


def text(line: Place | None) -> str:
    """A line of the user's as its number and its words; where a notebook keeps its cells is no one's business."""
    return "" if line is None else str(line).rpartition(", line ")[2]
