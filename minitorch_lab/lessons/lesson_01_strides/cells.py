"""A picture of memory: its cells in a row, and under them which index of which tensor reads each cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import product, zip_longest

from ...core.array import memory_of, xp
from ...errors import ArgumentError
from ...tensors.tensor import Tensor

MOST = 32  # more cells do not fit beside each other
CELL = "border:1px solid rgba(128,128,128,.5);text-align:center;padding:2px 7px"
READ = f"{CELL};background:rgba(0,114,178,.2)"
HEAD = "text-align:left;padding:2px 10px 2px 0"
TABLE = "margin:8px"
CAPTION = "text-align:left;caption-side:top"


@dataclass(frozen=True, slots=True)
class Strip:
    """One piece of memory and the tensors that look at it."""

    itemsize: int
    values: Sequence[str]
    readers: dict[str, list[list[str]]]  # tensor -> for each cell, the indices that read it

    @property
    def title(self) -> str:
        """What the cells are."""
        n = len(self.values)
        return f"{n} {'cell' if n == 1 else 'cells'} of {self.itemsize} bytes"

    def rows(self) -> list[tuple[str, list[list[str]]]]:
        """Name and cells of every row: the numbers of the cells, their values, then the readers."""
        numbers = [[str(k)] for k in range(len(self.values))]
        return [("cell", numbers), ("value", [[value] for value in self.values]), *self.readers.items()]

    def text(self) -> str:
        """The rows in columns."""
        lines: list[tuple[str, list[str]]] = []
        for name, cells in self.rows():
            layers = list(zip_longest(*cells, fillvalue="")) or [("",) * len(cells)]
            lines += [(name if k == 0 else "", list(layer)) for k, layer in enumerate(layers)]
        first = max(len(name) for name, _ in lines)
        width = max(len(cell) for _, cells in lines for cell in cells)
        body = [f"{name:<{first}}  {'  '.join(f'{cell:>{width}}' for cell in cells)}".rstrip() for name, cells in lines]
        return "\n".join([self.title, *body])

    def html(self) -> str:
        """The rows as a table; a cell that a tensor reads is tinted."""
        rows: list[str] = []
        for name, cells in self.rows():
            style = [READ if name in self.readers and cell else CELL for cell in cells]
            data = "".join(f'<td style="{s}">{"<br>".join(c)}</td>' for s, c in zip(style, cells, strict=True))
            rows.append(f'<tr><th scope="row" style="{HEAD}">{escape(name)}</th>{data}</tr>')
        return f'<table style="{TABLE}"><caption style="{CAPTION}">{self.title}</caption>{"".join(rows)}</table>'


@dataclass(frozen=True, slots=True)
class Memory:
    """What `memory` shows: a table in a notebook, text elsewhere."""

    strips: Sequence[Strip]

    def __repr__(self) -> str:
        return "\n\n".join(strip.text() for strip in self.strips)

    def _repr_html_(self) -> str:
        return "".join(strip.html() for strip in self.strips)


def memory(**tensors: Tensor) -> Memory:
    """Show where the entries of tensors lie. Tensors that share memory stand under the same cells.

    Args:
        tensors: Each under the name that the picture shall use.

    Raises:
        ArgumentError: Nothing is given, something that is no tensor, or memory of more than 32 cells.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([[10, 20, 30], [40, 50, 60]])
        >>> memory(x=x, column=x[:, 1])
        6 cells of 8 bytes
        cell      0    1    2    3    4    5
        value    10   20   30   40   50   60
        x       0,0  0,1  0,2  1,0  1,1  1,2
        column         0              1
    """
    if not tensors:
        raise ArgumentError("memory got nothing.", "It shows tensors, each under a name.", "Did you mean memory(x=x)?")
    groups: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        groups.setdefault(id(storage(name, tensor)), {})[name] = tensor
    return Memory([strip(group) for group in groups.values()])


def storage(name: str, tensor: Tensor) -> object:
    """The array that owns the memory of `tensor`."""
    if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"memory got {name}={tensor!r}.", "It shows tensors.", f"Did you mean {name}=ml.tensor({tensor!r})?"
        )
    return memory_of(tensor.value)


def strip(tensors: dict[str, Tensor]) -> Strip:
    """The memory that `tensors` share, and who reads which cell."""
    owner = xp.asarray(memory_of(next(iter(tensors.values())).value))
    if owner.size > MOST:
        raise ArgumentError(
            f"memory got {next(iter(tensors))}, whose memory has {owner.size:,} cells.",
            f"A row of more than {MOST} cells cannot be read.",
            "Show a smaller tensor: a clone() of a part of this one has memory of its own.",
        )
    values = [f"{value:g}" if isinstance(value, float) else str(value) for value in owner.ravel(order="K").tolist()]
    return Strip(owner.itemsize, values, {name: readers(tensor, owner.size) for name, tensor in tensors.items()})


def readers(tensor: Tensor, cells: int) -> list[list[str]]:
    """For each cell, the indices of `tensor` that read it: cell = offset + Σ index · stride."""
    found: list[list[str]] = [[] for _ in range(cells)]
    for index in product(*map(range, tensor.shape)):
        cell = tensor.storage_offset() + sum(i * s for i, s in zip(index, tensor.stride(), strict=True))
        found[cell].append(",".join(map(str, index)) or "()")
    return found
