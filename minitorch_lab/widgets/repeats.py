"""Repeats: stretches of ops that do the same again and again, as the layers of a deep net do. A view draws one of them.

Ops are alike if they have the same name, line, shape and module, but for numbers in the path of the module. A stretch
is a repeat if each of its items reads the items before it in the same places. Boundaries follow the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..core.array import xp
from ..recording import events as ev
from .model import Model

MANY = 60  # fewer ops than this are drawn one by one
LEAST = 3  # items
KINDS = {"parameter": 1, "constant": 2}
WORTH = 12  # ops that a repeat must save
SHORT = 6  # items of fewer ops are not told one by one


@dataclass(frozen=True)
class Repeat:
    """`count` items of `ops[0]`'s length, one after the other.

    Attributes:
        id: z1, z2, and so on, in the order in which they run.
        label: What the items have in common: the path of the modules, or the line.
        items: The ops of each.
        names: What each is called: its path, or its number.
        result: What the last one hands on.
    """

    id: str
    label: str
    items: tuple[tuple[ev.Op, ...], ...]
    names: tuple[str, ...]
    result: str

    def part(self, k: int) -> str:
        """The id of item `k`."""
        return f"{self.id}/{k}"

    def unit(self, k: int) -> str:
        """The id of what is told together: an item, or, where items are short, all of them."""
        return self.part(k) if len(self.items[0]) >= SHORT else self.id

    @property
    def title(self) -> str:
        """What the box says."""
        return f"{self.label} ×{len(self.items)}"


def units_of(repeats: Iterable[Repeat]) -> dict[str, str]:
    """For every op of a repeat what it is told with."""
    return {op.id: one.unit(k) for one in repeats for k, item in enumerate(one.items) for op in item}


def repeats_of(model: Model, least: int | None = MANY) -> list[Repeat]:
    """The repeats in the reader's ops, the first one first; none where ops are fewer than `least`, or that is None.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.ones(2, requires_grad=True)
        >>> with ml.record() as rec:
        ...     for _ in range(40):
        ...         x = (x * 2).sin()
        >>> [(one.id, len(one.items), len(one.items[0])) for one in repeats_of(Model(rec))]
        [('z1', 40, 2)]
    """
    after = max((op.n for op in model.ops if op.grad), default=0)
    ops = [op for op in model.ops if op.during is None and op.n <= after]
    if least is None or len(ops) < least:
        return []
    found = sorted(spans(codes_of(model, ops), ops, 0, len(ops)))
    good = [one for one in (repeat(model, ops, *span) for span in found) if one is not None]
    return [Repeat(f"z{k}", one.label, one.items, one.names, one.result) for k, one in enumerate(good, start=1)]


# ---- alike -----------------------------------------------------------------------------------------------


def codes_of(model: Model, ops: Sequence[ev.Op]) -> list[int]:
    """A number for every op: the same for ops that are alike."""
    numbers: dict[tuple[object, ...], int] = {}
    return [numbers.setdefault(alike(model, op), len(numbers)) for op in ops]


def alike(model: Model, op: ev.Op) -> tuple[object, ...]:
    """What two ops have in common that are alike."""
    module = None if op.module is None else re.sub(r"\d+", "#", op.module)
    kinds = tuple(KINDS.get(model.tensors[t].how) for t in op.inputs)  # what goes in first may be of any other kind
    return op.op, op.line, module, kinds, model.value(op.output).shape, op.node is None, op.segment is None


def spans(codes: Sequence[int], ops: Sequence[ev.Op], low: int, high: int) -> list[tuple[int, int, int]]:
    """(start, length, count) of the best repeat between `low` and `high`, and of those on both sides of it."""
    row = xp.array(codes[low:high])
    best = (0, 0, 0, 0)
    for length in range(1, (high - low) // LEAST + 1):
        for start, run in runs(row[length:] == row[:-length]):
            count = run // length + 1
            saved = (count - 1) * length
            if count >= LEAST and saved >= WORTH and saved > best[0]:
                shift = boundary(ops, low + start, length, run - (count - 1) * length)
                best = saved, low + start + shift, length, count
    saved, start, length, count = best
    if not saved:
        return []
    end = start + length * count
    return [*spans(codes, ops, low, start), (start, length, count), *spans(codes, ops, end, high)]


def runs(same: xp.ndarray) -> list[tuple[int, int]]:
    """(start, length) of the stretches of True.

    Example:
        >>> from minitorch_lab.core.array import xp
        >>> runs(xp.array([False, True, True, False, True]))
        [(1, 2), (4, 1)]
    """
    edges = xp.flatnonzero(xp.diff(xp.concatenate(([0], same.astype(int), [0]))))
    return [(int(a), int(b - a)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def boundary(ops: Sequence[ev.Op], start: int, length: int, slack: int) -> int:
    """By how much to move the start, at most `slack`, so that an item ends where a module of its own does."""
    for shift in range(slack + 1):
        first, last = ops[start + shift], ops[start + shift + length - 1]
        following = ops[start + shift + length]
        if indexed(first.module) == indexed(last.module) != indexed(following.module):
            return shift
    return 0


def indexed(module: str | None) -> str | None:
    """The path up to its first number.

    Example:
        >>> indexed("blocks.0.qkv"), indexed("head")
        ('blocks.0', None)
    """
    found = re.match(r"(.*?\b\d+)\b", module or "")
    return found[1] if found is not None else None


# ---- what goes in and out --------------------------------------------------------------------------------


def repeat(model: Model, ops: Sequence[ev.Op], start: int, length: int, count: int) -> Repeat | None:
    """The repeat that stands there, if its items hang together alike and only the last one hands on one result."""
    items = tuple(tuple(ops[start + k * length : start + (k + 1) * length]) for k in range(count))
    made = {op.output: (k, i) for k, item in enumerate(items) for i, op in enumerate(item)}
    for k, item in enumerate(items[1:], start=1):
        for op, second in zip(item, items[1], strict=True):
            if [place(made, t, k) for t in op.inputs] != [place(made, t, 1) for t in second.inputs]:
                return None
    outside = {t for op in [*ops[:start], *ops[start + length * count :]] for t in op.inputs}
    outside |= {walk.tensor for walk in model.walks}
    results = [t for t in made if t in outside]
    if len(results) > 1 or any(made[t][0] != count - 1 for t in results):
        return None
    paths = [indexed(item[0].module) or f"turn {k + 1}" for k, item in enumerate(items)]
    paths = paths if len(set(paths)) == count else [f"turn {k + 1}" for k in range(count)]
    common = re.sub(r"\.?\d+$", "", paths[0]) if not paths[0].startswith("turn") else items[0][-1].op
    return Repeat("", common or "layers", items, tuple(paths), results[0] if results else items[-1][-1].output)


def place(made: dict[str, tuple[int, int]], tensor: str, k: int) -> tuple[int, int] | None:
    """Where an input of item `k` comes from: (items back, op); None from outside."""
    where = made.get(tensor)
    return None if where is None else (k - where[0], where[1])
