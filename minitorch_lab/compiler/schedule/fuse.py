"""Fusion: which groups become one. Greedy, in the order of the graph; every merge writes down its reason.

Two groups may merge when (a) each value that one reads of the other is read at its own point, and the loops are the
same, or those of one are the other's without its row; and (b) no path leaves the two and comes back. What passes
through a view is read at another point, unless the view only names axes anew.
"""

from __future__ import annotations

from collections.abc import Callable

from ...ops.word import LITTLE, WORDS
from ..loops.affine import Index
from .group import Axes, Group, Maker, followed
from .values import MOVE, Value, base, computed


def ordered(outputs: list[Value], feeds: Callable[[Value], list[Value]]) -> list[Value]:
    """What the outputs are made of, sources first."""
    order: dict[Value, None] = {}
    stack = [(v, False) for v in reversed(outputs)]
    while stack:
        v, done = stack.pop()
        if done:
            order[v] = None
        elif v not in order:
            stack.append((v, True))
            stack += [(s, False) for s in reversed(feeds(v)) if s not in order]
    return list(order)


class Fusion:
    """The groups of a program, while they grow.

    Attributes:
        group: The group of every value that is computed.
        place: The position of every value in the order of the program.
    """

    def __init__(self, outputs: list[Value], inputs: dict[str, list[Value]]) -> None:
        self.outputs, self.inputs = set(outputs), inputs
        self.order = ordered(outputs, self.feeds)
        self.place = {v: i for i, v in enumerate(self.order)}
        self.maker = Maker()
        self.group: dict[Value, Group] = {}
        self.readers: dict[Value, list[Value]] = {v: [] for v in self.order}
        self.users: dict[Value, list[Value]] = {v: [] for v in self.order}  # who reads it, through views too
        for v in self.order:
            for s in v.src:
                self.readers[s].append(v)
                self.users[base(s)] += [] if v.op in MOVE else [v]
        for v in self.order:
            if computed(v) and (not v.scalar or v in self.outputs):
                self.group[v] = self.maker.own(v)
                self.join(v)

    def join(self, v: Value) -> None:
        """Merge the group of `v` with those of its sources, where that is allowed."""
        for k in range(len(v.src)):
            u, index = next(followed(v.src[k], self.group[v].operand(v, k)), (v, None))
            producer, consumer = self.group.get(u), self.group[v]
            if producer is None or producer is consumer or index is None:
                continue
            found = self.merged(producer, consumer, u, v, index)
            self.decided(u, v, found)
            if isinstance(found, Group):
                for w in found.home:
                    self.group[w] = found

    def decided(self, u: Value, v: Value, outcome: Group | str) -> None:
        """The groups of `u` and `v`, which reads it, are one; or they stay apart, and why. For those who watch."""

    # ---- may they? --------------------------------------------------------------------------------------------------
    def merged(self, a: Group, b: Group, u: Value, v: Value, index: Index) -> Group | str:
        """The group of both, or why there may be none."""
        names = aligned(a, b, a.home[u], index)
        if names is None:
            return "the loops of the two do not run over the same points"
        moved = self.count_bytes(a) + self.count_bytes(b)
        a = a.renamed(names)
        shared = self.shared(a, b)
        if shared is None:
            return apart(a, b)
        if not self.at_home(a, b):
            return "it is read at other points than at which it is computed"
        if self.leaves(a, b):
            return "what lies on a path between the two would have to run in the middle of the kernel"
        kind, axes, row, rule = shared
        both = a.home | b.home
        home = {w: both[w] for w in sorted(both, key=self.place.__getitem__)}
        group = Group(kind, axes, home, a.reduced | b.reduced, row, over=(*a.over, *b.over))
        group.saved = moved - self.count_bytes(group)
        group.reasons = [*a.reasons, *b.reasons, f"{rule}: {u} → {v.op} {self.kept(u, group)}"]
        return group

    def kept(self, u: Value, group: Group) -> str:
        """Where `u` stays for those who read it in its group, and what that saves."""
        where = "is written all the same" if self.leaving(u, group) else "stays in registers"
        less = f"2 × {u.nbytes}" if group.saved == 2 * u.nbytes else group.saved
        return f"{where}, {less} bytes less"

    def count_bytes(self, group: Group) -> int:
        """The bytes that a group reads and writes, if it is a kernel: each value that it reads once."""
        read: set[Value] = set()
        stack = [base(s) for v in group.home for s in v.src]
        while stack:
            s = stack.pop()
            if s.scalar and s not in self.group:
                stack += map(base, s.src)
            if s not in group.home and (s in self.group or s.op == "input"):
                read.add(s)
        written = (v for v in group.home if self.leaving(v, group))
        return sum(v.nbytes for v in (*read, *written))

    def leaving(self, v: Value, group: Group) -> bool:
        """Whether somebody outside the group needs `v`."""
        return v in self.outputs or any(w not in group.home for w in self.users[v])

    def shared(self, a: Group, b: Group) -> tuple[str, Axes, str | None, str] | None:
        """The kind, loops and row of both together, and the rule by which they fit."""
        if a.kind == b.kind == "tile":
            return None
        if "tile" in (a.kind, b.kind):
            return self.shared_tile(a, b)
        big, small = (a, b) if len(a.axes) >= len(b.axes) else (b, a)
        if not set(small.axes) <= set(big.axes):
            return None
        extra = set(big.axes) - set(small.axes)
        row = a.row or b.row or big.last
        if (a.row and b.row and a.row != b.row) or (extra and (extra != {row} or small.row)):
            return None
        chosen = a.row or b.row
        rule = "reduction joins its row" if chosen else "pointwise into its consumer"
        return "row", big.axes, chosen, rule

    def shared_tile(self, a: Group, b: Group) -> tuple[str, Axes, str | None, str] | None:
        """A tile and a row: what is done to the tile afterwards, or to what it adds up."""
        tile, row = (a, b) if a.kind == "tile" else (b, a)
        if row.row is not None:
            return None
        left = set(tile.axes) - tile.contracted
        if set(row.axes) == left:
            return "tile", tile.axes, None, "epilogue of the tile"
        columns = all(v.op == "reduce" for v in tile.reduced)
        inside = all(set(self.readers[w]) <= {*row.home, *tile.home} and w not in self.outputs for w in row.home)
        if row is a and columns and inside and set(row.axes) == set(tile.axes):
            return "tile", tile.axes, None, "prologue of the reduction"
        return None

    def at_home(self, a: Group, b: Group) -> bool:
        """Whether each reads of the other only at its own point."""
        for one, other in ((a, b), (b, a)):
            for w in one.home:
                if any(s in other.home and other.home[s] != index for s, index in one.reads(w)):
                    return False
        return True

    def leaves(self, a: Group, b: Group) -> bool:
        """Whether a path leads from one out of both and back into one of them."""
        inside = {*a.home, *b.home}
        low = min(self.place[v] for v in inside)
        stack = [s for v in inside for s in map(base, v.src) if s not in inside]  # at_home has looked at the others
        seen: set[Value] = set()
        while stack:
            v = stack.pop()
            if v in inside:
                return True
            if v in seen:
                continue
            seen.add(v)
            together = self.group[v].home if v in self.group else (v,)
            seen.update(together)
            if max(self.place[w] for w in together) > low:
                stack += [s for w in together for s in self.feeds(w)]
        return False

    def feeds(self, v: Value) -> list[Value]:
        """What must be there before `v`: its sources, or for what NumPy computes those of the node."""
        return [*v.src, *(self.inputs.get(v.attr, []) if v.op == "input" else [])]

    # ---- the outcome ------------------------------------------------------------------------------------------------
    def groups(self) -> list[Group]:
        """The groups, each once, in the order of their first value."""
        return list(dict.fromkeys(self.group[v] for v in self.order if v in self.group))

    def stored(self, needed: set[Value]) -> set[Value]:
        """The values that leave their kernel: `needed`, and what others read; but what is cheap is computed again."""
        kept = set(needed) & set(self.group)
        moved = set(needed)
        for v in self.order:
            if v not in self.group:
                continue
            group = self.group[v]
            for s, index in group.reads(v):
                if s in self.group and (self.group[s] is not group or index != group.home[s]):
                    kept.add(s)
                    if v.op in ("matmul", "reduce", "contract", "copy"):
                        moved.add(s)
        moved |= {base(v) for v in self.order if v.op == "flat"}
        for v in self.order:
            if v in kept and v not in moved and self.cheap(v, kept):
                kept.discard(v)
                self.group[v].reasons.append(f"recomputed by its readers: {v}, {v.nbytes} bytes less")
        return kept

    def cheap(self, v: Value, kept: set[Value]) -> bool:
        """Whether `v` is one instruction, and all that it is made of lies in memory."""
        little = v.op in WORDS and WORDS[v.op].cost == LITTLE
        return little and all(s not in self.group or s in kept for s, _ in self.group[v].reads(v))


def apart(a: Group, b: Group) -> str:
    """Why the loops of two groups are not one; `b` reads `a`."""
    if a.kind == b.kind == "tile":
        return "an entry of the second needs a whole row of the first, or a whole column"
    if b.kind == "tile":
        return "every tile that needs it would compute it again"
    if a.kind == "tile" and b.row is not None:
        return "it needs whole rows, and a tile holds only parts of them"
    return "it runs over what the other has only made when it is done"


def aligned(a: Group, b: Group, own: Index, read: Index) -> dict[str, str] | None:
    """Which axis of `a` is which of `b`, if `b` reads at `read` what `a` computes at `own`."""
    names: dict[str, str] = {}
    for h, i in zip(own, read, strict=True):
        x, y = h.alone, i.alone
        if x is None and not h.terms:
            if i.terms or i.const:
                return None
            continue
        if x is None or y is None or a.axes[x] != b.axes[y] or names.get(x, y) != y:
            return None
        names[x] = y
    if len(set(names.values())) < len(names):
        return None
    rest, left = ([n for n in g.axes if n not in known] for g, known in ((a, names), (b, set(names.values()))))
    if len(rest) == len(left) == 1 and a.axes[rest[0]] == b.axes[left[0]] and "tile" not in (a.kind, b.kind):
        names[rest[0]] = left[0]  # two passes over rows of one length
    return names
