"""The tape that a region would leave op by op, without the numbers: what its nodes save, and at which versions.

A kernel takes what it needs from wherever it likes, so it cannot notice that eager execution would refuse a walk, since
a saved tensor was written in place. So the region is run once on tensors without memory, with all that eager execution
does to histories and versions. What was written inside is known from then on; what shares memory with an argument or
a result may still be written, and is asked in every walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, NamedTuple, TypeAlias

from ...autograd.calls import alike, elsewhere, fitted, met, operands
from ...autograd.eager import Eager, as_view, from_base, rebind
from ...autograd.gradients import leading_to
from ...autograd.node import Leaf, Node, Saved, stale
from ...autograd.node import freed as one_freed
from ...autograd.tape import finish, held, record, save
from ...core.array import Array, memory_of, must_copy, without_memory, xp
from ...core.interpret import grad_enabled, grad_mode, interpreting
from ...func.trees import flatten
from ...ops.movement import detach
from ...ops.op import Op, as_given
from ...tensors.tensor import Storage, Tensor, storage_of, tracked
from ..ir.evaluate import evaluate
from ..ir.fake import facts_of, foretold, row_order
from ..ir.graph import Facts, Graph
from ..ir.sized import resized

Since: TypeAlias = tuple[Storage, int]  # memory that may be written later, and a version that it had


class Imagined(Eager):
    """The imperative tape on tensors without memory. `outside` holds those that stand for tensors from outside."""

    def __init__(self, outside: dict[int, Tensor]) -> None:
        self.outside = outside

    def own(self, a: Any) -> Any:
        """The stand-in of a tensor from outside; a view of one is made again from its base."""
        link = getattr(a, "link", None)
        if id(a) not in self.outside and link is not None and id(link.base) in self.outside and link.op is not detach:
            self.outside[id(a)] = self.run(link.op, (link.base,), link.params)
        return self.outside.get(id(a), a)

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """What `op` leaves on the tape."""
        args = tuple(map(self.own, args))
        if op.casts is not as_given and not alike(args):
            args = met(op, args, self)
        node = record(op, args, params) if grad_mode.get() else None
        out = as_view(self.lying(op, args, params), node, op, args, params)
        if node is not None:
            finish(node, out)
        return out

    def lying(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Array:
        """An array that lies as the result would, in the memory of the input where eager execution shares it."""
        base = args[0].value if op.put is not None and len(args) == 1 else None
        facts = foretold(op, tuple(map(held, args)), params)
        if base is None or (op.name == "reshape" and must_copy(base, facts.shape)):
            return array(facts)
        return xp.lib.stride_tricks.as_strided(memory_of(base), facts.shape, facts.strides)

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """What writing `op(x, *args)` into `x` leaves on the tape. That it is allowed was seen in the call itself."""
        given, x, args = x, self.own(x), tuple(map(self.own, args))
        if not alike((x, *args)):
            args = operands(op, args)
            if (dtype := elsewhere(op, x, args)) is not None:
                self.rounded(op, x, args, params, dtype)
                return given
            args = fitted(op, x, args, self)
        on = grad_mode.get()
        if on:
            from_base(x)
        node = record(op, (x, *args), params) if on else None
        if node is not None and node.saved and "x" in node.saved:
            node.saved["x"] = save(Tensor(x.value), x.node)
        storage_of(x).version += 1
        if node is not None:
            finish(node, x)
        if on and (node is not None or x.node is not None):
            rebind(x, node)
        return given


class Place(NamedTuple):
    """Whose memory it is: of which argument or which result, by position."""

    argument: bool
    position: int


@dataclass(frozen=True, slots=True)
class Kept:
    """What a node asks for: under which name, in which memory, and how often that had been written."""

    name: str
    storage: Storage
    version: int


@dataclass(frozen=True, slots=True)
class Step:
    """A node that a walk meets, what its rules ask for, and whether it is used up by that."""

    node: Node
    kept: list[Kept]
    spends: bool


class Walked:
    """What a walk from some values meets, in its order.

    Attributes:
        freed: The nodes that have saved entries, which it frees.
        arrives: The positions of the arguments that it reaches.
        relies: The versions on which it relies, of memory that can be reached from outside.
        refused: Whether something is written inside that it asks for.
    """

    def __init__(self, steps: list[Step], arrives: set[int], places: dict[Storage, Place]) -> None:
        self.steps, self.arrives = steps, arrives
        self.freed = {step.node for step in steps if step.spends}
        kept = [k for step in steps for k in step.kept]
        self.relies = {(places[k.storage], k.version) for k in kept if k.storage in places}
        self.refused = any(k.version != k.storage.version for k in kept)


class Tape:
    """The tape of one region, for one set of arguments that want a gradient.

    Attributes:
        ends: For every computed value, the nodes at which a walk from it begins.
        leaves: Where it ends, by the positions of the arguments.
        places: The storages that can be reached from outside.
        holds: Which of them a walk may ask for. Any other may be written before a walk.
    """

    def __init__(self, ends: list[list[Node]], leaves: dict[Node, int], places: dict[Storage, Place]) -> None:
        self.ends, self.leaves, self.places = ends, leaves, places
        self.walks: dict[Any, Walked] = {}
        self.holds = {place for place, _ in self.walk(range(len(ends))).relies}

    def walk(self, asked: Iterable[int], to: frozenset[int] | None = None) -> Walked:
        """What a walk from some values meets, if it goes only where a way leads to the arguments `to`."""
        key = tuple(asked), to
        if key not in self.walks:
            roots = [node for i in key[0] for node in self.ends[i]]
            targets = frozenset(node for node, i in self.leaves.items() if to is None or i in to)
            steps = walked(roots, leading_to(targets, roots))
            arrives = {self.leaves[step.node] for step in steps if step.node in self.leaves}
            self.walks[key] = Walked(steps, arrives, self.places)
        return self.walks[key]

    def check(self, walk: Walked, since: dict[Place, Since], freed: set[Node], retain: bool) -> None:
        """Refuse a walk that needs what was written, or what another has freed.

        Args:
            walk: The walk.
            since: The storages of arguments and results, with the versions that they had before the region wrote.
            freed: The nodes that are used up. Where it stops half way, what it has passed is used up too.
            retain: Whether it uses up nothing.

        Raises:
            GradientError: Something that the walk meets was freed, or written after it was saved.
        """
        asked = ((since[place], version) for place, version in walk.relies)
        if not (walk.refused or freed & walk.freed) and all(x.version == at + v for (x, at), v in asked):
            return
        for step in walk.steps:
            if step.node in freed:
                raise one_freed(step.node)
            for kept in step.kept:
                storage, at = since[self.places[kept.storage]] if kept.storage in self.places else (kept.storage, 0)
                if storage.version != at + kept.version:
                    raise stale(step.node, kept.name, at + kept.version, storage.version)
            if step.spends and not retain:
                freed.add(step.node)


def imagined(
    graph: Graph, outside: Sequence[Tensor], wanted: Sequence[int], sources: Sequence[Any], writes: Sequence[Any]
) -> Tape:
    """The tape of a graph.

    Args:
        graph: What was captured, with its writes.
        outside: The tensors from outside that it reads: further arguments.
        wanted: The arguments that want a gradient.
        sources: For every leaf of the result, where it comes from; see `results.Plan`.
        writes: Which arguments are written, in the order of the computed values that go there.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.runtime.region import Region
        >>> from minitorch_lab.compiler.targets.backends import backend_of
        >>> def f(x):
        ...     y = x.exp()
        ...     z = y * 2
        ...     y += 1
        ...     return z
        >>> region = Region(ml.jit.trace(f, ml.ones(2)).graph, backend_of("numpy"))
        >>> steps = region.differentiated((0,)).tape.walk([0]).steps
        >>> [(step.node, [(x.name, x.version, x.storage.version) for x in step.kept]) for step in steps]
        [(<MulBackward>, []), (<ExpBackward>, [('out', 0, 1)]), (<AccumulateGrad>, [])]
    """
    graph = resized(graph, lambda size: size.at(size.sizes.hints))
    facts = [n.facts for n in graph.placeholders] + [facts_of(x) for x in outside]
    given = [stand_in(f, i in wanted) for i, f in enumerate(facts)]
    starts = {given[i].node: i for i in wanted}
    own = len(given) - len(outside)
    tape = Imagined({id(x): stand for x, stand in zip(outside, given[own:], strict=True)})
    with interpreting(tape), grad_enabled(True):
        leaves = [tape.own(x) for x in flatten(evaluate(graph, given[:own]))[0]]
    places = {storage_of(x): Place(True, i) for i, x in enumerate(given) if isinstance(x, Tensor)}
    computed: dict[int, list[Node]] = {}
    for leaf, source in zip(leaves, sources, strict=True):
        if isinstance(leaf, Tensor) and not source.argument:
            places.setdefault(storage_of(leaf), Place(False, source.index))
            computed.setdefault(source.index, []).extend(histories(leaf))
    ends = [computed[i] for i in range(len(computed))] + [list(histories(given[i])) for i, *_ in writes]
    return Tape(ends, starts, places)


def histories(x: Any) -> Iterator[Node]:
    """The nodes of a tensor and of all that it is a view of."""
    while x is not None:
        if (node := tracked(x)) is not None:
            yield node
        x = x.link and x.link.base


def walked(roots: list[Node], needed: set[Node]) -> list[Step]:
    """What a walk from some nodes meets, in its order, if it goes only where it must."""
    found: list[Step] = []
    pending = sorted({(node.order, node) for node in roots if node in needed})
    seen = {node for _, node in pending}
    while pending:
        node = heappop(pending)[1]
        kept = [Kept(name, x.storage, x.version) for name, x in asked_for(node) if isinstance(x, Saved)]
        found.append(Step(node, kept, spends(node)))
        for edge in node.edges:
            if edge in needed and edge not in seen:
                seen.add(edge)
                heappush(pending, (edge.order, edge))
    return found


def asked_for(node: Node) -> Iterator[tuple[str, Any]]:
    """What the rules of a node ask for, with its names, in their order."""
    saved: Any = node.saved
    if "ctx" in saved:
        yield from (("ctx", x) for x in vars(saved["ctx"])["_kept"] or ())
    elif node.op is not None:
        for edge, rule in zip(node.edges, node.op.rules(len(node.edges)), strict=True):
            for want in rule.wants if edge is not None and rule is not None else ():
                if want != "i":
                    yield from ((want, x) for x in (saved[want] if want == "*" else (saved[want],)))


def spends(node: Node) -> bool:
    """Whether a walk that retains nothing uses up what a node has saved."""
    saved, op = node.saved, node.op
    return bool(saved and op is not None and ("ctx" in saved or op.spends(saved, len(node.edges))))


def stand_in(facts: Facts, wanted: bool) -> Any:
    """What stands for an argument: a tensor without memory, or a number."""
    if facts.number:
        return facts.dtype.type(1).item()
    return Tensor(array(facts), Leaf(facts.shape) if wanted else None)


def array(facts: Facts) -> Array:
    """An array without memory; where nobody knows how it lies, in row order."""
    return without_memory(facts.shape, facts.strides or row_order(facts.shape, facts.dtype.itemsize), facts.dtype)
