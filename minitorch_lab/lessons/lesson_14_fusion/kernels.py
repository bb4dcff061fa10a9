"""Fusion by a rule of the reader's: the compiler asks it about every pair, and runs with what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...compiler.capture.api import compile
from ...compiler.ir.graph import Graph
from ...compiler.loops.affine import Index
from ...compiler.passes.cse import cse
from ...compiler.passes.dce import dce
from ...compiler.passes.decompose import decompose
from ...compiler.schedule.fuse import Fusion, aligned
from ...compiler.schedule.group import Group
from ...compiler.schedule.program import Builder, Program, arrays_of
from ...compiler.schedule.story import story
from ...compiler.schedule.traffic import after
from ...compiler.schedule.translate import Translation
from ...compiler.schedule.values import Value
from ...compiler.targets.llvm.backend import available
from ...compiler.targets.numpy.backend import compile_numpy
from ...tensors.factories import ones
from ...tensors.random import manual_seed, randn
from ...tensors.tensor import Tensor
from ..training_step import pure
from ..values import described, truth
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten


@dataclass(frozen=True, slots=True)
class Pair:
    """Two kernels, of which the second reads what the first makes. May they be one?

    Attributes:
        of: The value that is read.
        by: The op that reads it.
        first: What the first works on: `"entries"`, whole `"rows"`, or a `"tile"` of a product.
        second: The same of the second.
        same: Whether their loops run over the same points.
        straight: Whether each point of the second reads only that point of the first.
        detour: Whether a third one reads the first, and the second reads that.
    """

    of: str
    by: str
    first: str
    second: str
    same: bool
    straight: bool
    detour: bool


Rule = Callable[[Pair], bool]


@dataclass(slots=True)
class Asked:
    """What the rule said of a pair, what is true, and what being one saves."""

    pair: Pair
    says: Any
    true: bool
    saved: int


class Ruled(Fusion):
    """Fusion that asks a rule. What would be wrong is not done, and written down."""

    def __init__(self, rule: Rule, outputs: list[Value], inputs: dict[str, list[Value]]) -> None:
        self.rule, self.asked = rule, list[Asked]()
        super().__init__(outputs, inputs)

    def merged(self, a: Group, b: Group, u: Value, v: Value, index: Index) -> Group | str:
        """The group of both, if the rule wants it and it may be."""
        found = super().merged(a, b, u, v, index)
        if u.node is v.node or "columns" in (kind(a), kind(b)):
            return found
        pair = self.pair(a, b, u, v, index)
        says = self.rule(pair)
        says = says if truth(says) is None else truth(says)
        true = isinstance(found, Group)
        self.asked.append(Asked(pair, says, true, found.saved if isinstance(found, Group) else 0))
        return found if says is True else "your rule keeps them apart"

    def pair(self, a: Group, b: Group, u: Value, v: Value, index: Index) -> Pair:
        """The facts about two groups."""
        names = aligned(a, b, a.home[u], index)
        of, by = (x.node.name if x.node is not None else x.op for x in (u, v))
        if names is None:
            return Pair(of, by, kind(a), kind(b), same=False, straight=False, detour=False)
        first = kind(a)
        a = a.renamed(names)
        return Pair(of, by, first, kind(b), self.together(a, b), self.at_home(a, b), self.leaves(a, b))

    def together(self, a: Group, b: Group) -> bool:
        """Whether the loops run over the same points; of tiles, over those that are left when the sum is done."""
        if "tile" in (a.kind, b.kind):
            return set(a.axes) - a.contracted == set(b.axes) - b.contracted
        return self.shared(a, b) is not None


def kind(group: Group) -> str:
    """What a group works on."""
    if group.kind == "tile":
        return "columns" if all(v.op == "reduce" for v in group.reduced) else "tile"
    return "rows" if group.row else "entries"


def fused_with(rule: Rule, graph: Graph) -> tuple[Program, list[Asked]]:
    """The kernels of a graph by a rule, and what it was asked."""
    core = dce(cse(decompose(graph)))
    translation = Translation(core)
    builder = Builder(core, translation, arrays_of(core, translation), partial(Ruled, rule))
    return builder.program, builder.fusion.asked


def with_rule(rule: Rule) -> Callable[[Graph], Any]:
    """A backend for `ml.compile` that fuses by a rule: machine code, where llvmlite is there."""

    def backend(graph: Graph) -> Any:
        program, _ = fused_with(rule, graph)
        if not available():
            return compile_numpy(graph)
        from ...compiler.targets.llvm.driver import Kernels
        from ...compiler.targets.llvm.target import target_of

        return Kernels(program, target_of("host"), None, None)

    return backend


def loops(fn: Callable[..., Any], *args: Any) -> str:
    """The kernels of a function, with a line for every op.

    Example:
        >>> print(loops(lambda a, b: (a + b).relu(), ones(1000), ones(1000)))
        kernel 1: 12,000 bytes
          for j in 1000:
            add = a[j] + b[j]
            relu[j] = relu(add)
    """
    last = story(pure(fn, *args)).stages[-1].launches
    said: list[str] = []
    for k, launch in enumerate(last, 1):
        said += [f"kernel {k}: {launch.nbytes:,} bytes", *(f"  {line.text}" for line in launch.lines)]
    return "\n".join(said)


def counted(fn: Callable[..., Any], *args: Any) -> dict[str, tuple[int, int]]:
    """Launches and bytes, op by op and fused.

    Example:
        >>> counted(lambda a: (a + 1).relu(), ones(1000))
        {'op by op': (2, 16000), 'fused': (1, 8000)}
    """
    found = story(pure(fn, *args))
    ends = {"op by op": found.stages[0], "fused": found.stages[-1]}
    return {name: (len(stage.launches), stage.nbytes) for name, stage in ends.items()}


def asked_of(rule: Rule, fn: Callable[..., Any], *args: Any) -> str:
    """What a rule answers for each pair of a function, as a table."""
    _, asked = fused_with(rule, pure(fn, *args))
    rows = [("value", "read by", "first", "second", "same", "straight", "detour", "your rule")]
    for one in asked:
        p = one.pair
        same, straight, detour = ("yes" if fact else "no" for fact in (p.same, p.straight, p.detour))
        rows.append((p.of, p.by, p.first, p.second, same, straight, detour, "together" if one.says else "apart"))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


# ---- the programs ---------------------------------------------------------------------------------------------------
def chain(a: Tensor, b: Tensor, c: Tensor, d: Tensor) -> Tensor:
    """Three ops, entry by entry."""
    return d + (a + b) * c


def softmax(x: Tensor) -> Tensor:
    """Entry by entry, and along rows."""
    return x.softmax(1)


def layers(x: Tensor, w: Tensor, b: Tensor, v: Tensor) -> Tensor:
    """Two products."""
    return (x @ w + b).relu() @ v


def mirrored(x: Tensor) -> Tensor:
    """A value and its transpose."""
    return x.exp() + x.exp().T


def detoured(x: Tensor, w: Tensor) -> Tensor:
    """A value that is read at once, and behind a product."""
    e = x.exp()
    return e + e @ w


def scores(x: Tensor, w: Tensor) -> Tensor:
    """Rows of a product."""
    return (x @ w).softmax(1)


def gated(x: Tensor, w: Tensor, v: Tensor) -> Tensor:
    """Two products, entry by entry."""
    return (x @ w) * (x @ v)


PROGRAMS: dict[str, tuple[Callable[..., Tensor], tuple[tuple[int, ...], ...]]] = {
    "chain": (chain, ((6, 8), (6, 8), (6, 8), (6, 8))),
    "softmax": (softmax, ((6, 8),)),
    "layers": (layers, ((6, 8), (8, 5), (5,), (5, 3))),
    "mirrored": (mirrored, ((6, 6),)),
    "detoured": (detoured, ((6, 6), (6, 6))),
    "scores": (scores, ((6, 8), (8, 5))),
    "gated": (gated, ((6, 8), (8, 5), (8, 5))),
}


def asked_about(rule: Rule, name: str) -> list[Asked]:
    """What a rule was asked about one of the programs."""
    fn, shapes = PROGRAMS[name]
    return fused_with(rule, pure(fn, *(ones(*shape) for shape in shapes)))[1]


# ---- the check ------------------------------------------------------------------------------------------------------
@answering
def check_joins(joins: Rule) -> Verdict:
    """Check the reader's rule: on pairs that must stay apart, on those that may be one, then in the compiler."""
    asked: dict[str, list[Asked]] = {}
    for name in PROGRAMS:
        found, error = attempt(asked_about, joins, name)
        if error is not None:
            return stopped(f"in {name}, joins", error)
        asked[name] = found
    everything = [one for each in asked.values() for one in each]
    odd = next((one for one in everything if truth(one.says) is None), None)
    if odd is not None:
        return not_yet(f"joins gave {described(odd.says)}. It answers with True or False: may the two be one kernel?")
    if not any(one.says for one in everything):
        return unwritten("no two ops are together, so each is a launch of its own.")
    return wrong(asked) or missed(asked) or compiled(joins)


def wrong(asked: dict[str, list[Asked]]) -> Verdict | None:
    """A pair that must stay apart."""
    for name, each in asked.items():
        for one in each:
            pair = one.pair
            if one.true or not one.says:
                continue
            if not pair.straight:
                return not_yet(
                    f"in {name}, {pair.by} joined {pair.of}, and reads it at another point than the one that the loop "
                    "is at. What it needs may not be computed yet: ask for straight."
                )
            if pair.detour:
                return not_yet(
                    f"in {name}, {pair.by} joined {pair.of}. Something else reads {pair.of}, and {pair.by} reads that: "
                    "it would have to run in the middle of your kernel. Ask for detour."
                )
            if pair.first == pair.second == "tile":
                return not_yet(
                    f"in {name}, {pair.by} joined {pair.of}: two products in one kernel. Each has sums of its own that "
                    "have to be finished, so there is one tile to a kernel."
                )
            if "tile" in (pair.first, pair.second) and "rows" in (pair.first, pair.second):
                return not_yet(
                    f"in {name}, {pair.by} joined {pair.of}. It needs whole rows, and a tile holds only a part of each."
                )
            return not_yet(
                f"in {name}, {pair.by} joined {pair.of}, and their loops do not run over the same points: ask for same."
            )
    return None


def missed(asked: dict[str, list[Asked]]) -> Verdict | None:
    """A pair that may be one."""
    for name, each in asked.items():
        for one in each:
            pair = one.pair
            if not one.true or one.says:
                continue
            if "rows" in (pair.first, pair.second):
                return not_yet(
                    f"nothing is wrong, but in {name} {pair.by} stays apart from {pair.of}: {one.saved:,} bytes more "
                    "than needed. A sum along a row and what is done to that row can share a loop."
                )
            if "tile" in (pair.first, pair.second):
                return not_yet(
                    f"nothing is wrong, but in {name} {pair.by} stays apart from {pair.of}: {one.saved:,} bytes more "
                    "than needed. What is done to each entry of a product can be done while its tile is in registers."
                )
            return not_yet(
                f"nothing is wrong, but in {name} {pair.by} stays apart from {pair.of}: {one.saved:,} bytes more "
                "than needed. Both go entry by entry, over the same points."
            )
    return None


def compiled(joins: Rule) -> Verdict:
    """The rule in the compiler."""
    manual_seed(0)
    launches: list[str] = []
    for name, (fn, shapes) in PROGRAMS.items():
        args = [randn(*shape) for shape in shapes]
        run = compile(fn, backend=with_rule(joins))  # pyright: ignore[reportArgumentType]
        run(*args)
        off = float((run(*args) - fn(*args)).abs().max())
        if not off <= 1e-4:
            return not_yet(f"compiled with your rule, {name} is off by {off:.2g}.")
        program, _ = fused_with(joins, pure(fn, *args))
        launches.append(f"{name} {counted(fn, *args)['op by op'][0]} → {after(program).launches}")
    return done(f"the compiler ran all seven with your rule. Launches: {', '.join(launches)}.")
