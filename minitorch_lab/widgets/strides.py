"""The view "Strides": which address an index means, for tensors that look at the same memory in different ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ..core.array import ground, memory_of
from ..errors import ArgumentError
from ..tensors.factories import arange
from ..tensors.tensor import Tensor
from .frame import Json, framed
from .linking import Links
from .numbers import listed, number, shape

QUESTION = "Which number does an index mean?"
MOST = 64  # entries of one memory, and indices of one view, that are drawn
LONGEST = 28  # characters of a name that stand under a grid
WALKED = 8  # indices of a view that are told one by one; the others are told together


@dataclass(slots=True)
class Look:
    """One tensor: a way to look at a memory."""

    id: str
    name: str
    memory: int
    x: Tensor

    @property
    def indices(self) -> list[tuple[int, ...]]:
        """All indices, row by row."""
        return list(product(*map(range, self.x.shape)))

    def address(self, index: Sequence[int]) -> int:
        """Where an index leads: offset + Σ index · stride."""
        return self.x.storage_offset() + sum(i * s for i, s in zip(index, self.x.stride(), strict=True))


def strides_example() -> dict[str, Tensor]:
    """Two rows of three, the same turned, its second column, and that column broadcast."""
    x = arange(0, 60, 10).reshape(2, 3)
    column = x[:, 1:2]
    return {"x": x, "x.T": x.T, "column": column, "wide": column.expand(2, 3)}


def strides_scene(tensors: Mapping[str, Tensor], question: str = QUESTION) -> Json:
    """The scene of the view "Strides".

    Raises:
        ArgumentError: There is nothing to show, too much, or something that is no tensor.
    """
    looks, memories = looked(tensors)
    steps: list[Json] = [{"phase": "start", "say": f"{question} {introduced(looks)}"}]
    stages: list[Json] = [{"at": 0, "op": None, "focus": None}]
    for look in looks:
        for say, index in [(described(look, looks), None), *walked(look)]:
            cell = None if index is None else cell_id(look, index)
            focus = [look.id] if index is None else [cell, f"{look.id}", address_id(look, index)]
            steps.append({"phase": look.name, "say": say, "focus": focus, "at": len(steps)})
            stages.append({"at": len(steps) - 1, "op": look.id, "focus": cell})
    links, details = link_indices(looks, memories)
    panel: Json = {
        "kind": "strides",
        "id": "strides",
        "label": "Memory and indices",
        "memories": [drawn_memory(k, memory) for k, memory in enumerate(memories)],
        "views": [drawn_view(look) for look in looks],
        "stages": stages,
    }
    return framed("strides", question, steps, [panel], links=links, details=details)


def looked(tensors: Mapping[str, Tensor]) -> tuple[list[Look], list[Any]]:
    """The tensors, and the memories that they look at, each in memory order."""
    looks, owners, memories = list[Look](), list[Any](), list[Any]()
    for name, x in tensors.items():
        check(name, x)
        owner = memory_of(ground(x.value))
        k = next((k for k, known in enumerate(owners) if known is owner), len(owners))
        if k == len(owners):
            owners.append(owner)
            memories.append(owner.ravel(order="K"))
        looks.append(Look(f"v:{len(looks)}", name, k, x))
    if not looks:
        raise ArgumentError(
            "Strides got no tensors.",
            "It shows how tensors look at their memory.",
            'Did you mean Strides({"x": x, "x.T": x.T}), or Strides() for the worked example?',
        )
    return looks, memories


def check(name: str, x: object) -> None:
    """Refuse what cannot be drawn."""
    if not isinstance(x, Tensor):
        raise ArgumentError(
            f"Strides got a {type(x).__name__} under the name {name!r}.",
            "It shows how tensors look at their memory.",
            'Did you mean Strides({"x": x, "x.T": x.T})?',
        )
    entries = memory_of(ground(x.value)).size
    if entries > MOST or x.numel() > MOST or x.ndim > 3:
        raise ArgumentError(
            f"Strides got {name!r} of shape {shape(x.shape)}, on {entries:,} entries of memory.",
            f"It draws every entry, so at most {MOST}, in at most three dimensions.",
            "Did you mean a small example, such as ml.arange(6).reshape(2, 3)?",
        )


# ---- sentences -------------------------------------------------------------------------------------------


def introduced(looks: Sequence[Look]) -> str:
    """What is shared."""
    if len(looks) == 1:
        return f"`{looks[0].name}` is a row of numbers in memory, and a rule that finds one from its index."
    if len({look.memory for look in looks}) == 1:
        who = "Both" if len(looks) == 2 else f"All {len(looks)}"
        return f"{who} look at one row of numbers. Only the rule differs: offset and strides."
    return f"{len(looks)} tensors on {len({look.memory for look in looks})} memories."


def described(look: Look, looks: Sequence[Look]) -> str:
    """Shape, strides and what they mean."""
    x, strides = look.x, look.x.stride()
    first = next(other for other in looks if other.memory == look.memory)
    head = f"`{look.name}` has shape {shape(x.shape)}, strides {shape(strides)} and offset {x.storage_offset()}"
    if first is not look:
        head += f": a view of the memory of `{first.name}`, no number moves"
    return f"{head}. {meaning(look)}"


def meaning(look: Look) -> str:
    """What the strides say of the order in memory."""
    x, strides = look.x, look.x.stride()
    still = [axis for axis, (n, s) in enumerate(zip(x.shape, strides, strict=True)) if n > 1 and s == 0]
    if still:
        return f"Stride 0 along axis {listed([str(a) for a in still])}: that index changes nothing, it is broadcast."
    if x.ndim < 2 or x.numel() < 2:
        return "One step along it is one stride in memory."
    addresses = [look.address(index) for index in look.indices]
    if addresses == list(range(addresses[0], addresses[0] + len(addresses))):
        return "Row order: read row by row, the addresses follow each other."
    turned = sorted(look.indices, key=lambda index: index[::-1])
    if [look.address(index) for index in turned] == list(range(addresses[0], addresses[0] + len(addresses))):
        return "Column order: read column by column, the addresses follow each other."
    return "Read row by row, the addresses jump: it is not contiguous."


def walked(look: Look) -> list[tuple[str, tuple[int, ...]]]:
    """The first indices, one by one."""
    told: list[tuple[str, tuple[int, ...]]] = []
    for index in look.indices[:WALKED]:
        terms = " + ".join(f"{i}·{s}" for i, s in zip(index, look.x.stride(), strict=True))
        place = f"{look.x.storage_offset()} + {terms} = " if terms else ""
        value = number(look.x[index].item() if index else look.x.item())
        at = look.address(index)
        where = ", ".join(map(str, index))
        told.append((f"`{look.name}[{where}]` is at {place}{at}, where {value} stands.", index))
    return told


# ---- the picture -----------------------------------------------------------------------------------------


def cell_id(look: Look, index: Sequence[int]) -> str:
    """The id of an index of a view."""
    return f"{look.id}:{'.'.join(map(str, index))}"


def address_id(look: Look, index: Sequence[int]) -> str:
    """The id of the address that it leads to."""
    return f"a:{look.memory}:{look.address(index)}"


def drawn_memory(k: int, memory: Any) -> Json:
    """A row of cells."""
    return {"id": f"a:{k}", "cells": [{"id": f"a:{k}:{i}", "text": number(v)} for i, v in enumerate(memory.tolist())]}


def drawn_view(look: Look) -> Json:
    """A grid of indices; of three dimensions, one grid under the other."""
    x = look.x
    return {
        "id": look.id,
        "label": look.name if len(look.name) <= LONGEST else f"{look.name[: LONGEST - 1]}…",
        "memory": look.memory,
        "shape": list(x.shape),
        "strides": list(x.stride()),
        "offset": x.storage_offset(),
        "cells": [
            {
                "id": cell_id(look, index),
                "index": list(index),
                "to": address_id(look, index),
                "text": number(x[index].item() if index else x.item()),
            }
            for index in look.indices
        ],
    }


def link_indices(looks: Sequence[Look], memories: Sequence[Any]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """An index lights up with its address, and an address with all indices that lead to it."""
    links, details = Links(), dict[str, str]()
    readers: dict[str, list[str]] = {f"a:{k}:{i}": [] for k, memory in enumerate(memories) for i in range(len(memory))}
    for look in looks:
        details[look.id] = (
            f"`{look.name}` · shape {shape(look.x.shape)} · strides {shape(look.x.stride())} · {meaning(look)}"
        )
        for index in look.indices:
            cell, address = cell_id(look, index), address_id(look, index)
            links.pair(cell, address)
            where = f"{look.name}[{', '.join(map(str, index))}]"
            readers[address].append(where)
            details[cell] = f"`{where}` · address {look.address(index)}"
    for address, names in readers.items():
        seen = listed([f"`{name}`" for name in names]) if names else "no index"
        details[address] = f"address {address.rpartition(':')[2]} · {seen}"
    return links.json(), details
