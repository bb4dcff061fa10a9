"""A region whose lengths are not known ahead: it is called with them, and the kernels it has serve many.

What the compiler asks of a size while it makes a kernel, the kernel relies on. So each variant knows the relations that
must hold for it, and sizes for which no variant was made get one of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from threading import RLock
from typing import Any

from ...errors import CaptureError
from ..autodiff.walked import Walk
from ..ir.evaluate import evaluated
from ..ir.graph import Graph
from ..ir.relations import Relation
from ..ir.sized import concrete, held, rebound, symbols
from ..ir.sizes import Sizes, mapped_sizes, sizes_in
from ..targets.backends import backend_of
from ..targets.record import Make, Runs
from .entry import entry
from .region import Region, Ways, settled
from .results import Plan, Source
from .stages import Differentiated, Passes

DEEP = 8  # entries that a call may pass on its way
MOST = 64  # variants that are kept; the oldest goes first
Numbers = tuple[int, ...]


class Unable(Exception):  # noqa: N818 (nobody sees it: the graph is compiled for the numbers instead)
    """A kernel could not be made for symbols."""


class Fitted:
    """A kernel that is called with all sizes of a region, then the arrays, and hands on the sizes that it knows."""

    def __init__(self, names: list[str], graph: Graph, backend: Make) -> None:
        self.kernel, self.count = backend(graph), len(names)
        self.wanted = [names.index(name) for name in symbols(graph)]

    def __call__(self, *given: Any) -> list[Any]:
        """Run."""
        return self.kernel(*[given[i] for i in self.wanted], *given[self.count :])

    def __getattr__(self, name: str) -> Any:
        """What the kernel has besides its call: its source, its plan."""
        return getattr(self.kernel, name)


class Variant:
    """The kernels of a region for all sizes of which `relations` hold.

    Attributes:
        of: The region with all its variants.
        sizes: The symbols, and what was asked of them.
        region: The region, compiled for them.
    """

    def __init__(self, of: SizedRegion, values: Numbers) -> None:
        graph, names, self.of = of.graph, of.names, of
        self.names, self.sizes = names, Sizes()
        bounds = next(n.sizes.given for node in graph.nodes for n in sizes_in(*held(node)))
        for name, value in zip(names, values, strict=True):
            self.sizes.symbol(name, value, bounds.get(name))
        self.busy = RLock()
        made = lambda pure: Fitted(names, pure, of.backend)  # noqa: E731
        self.region = Region(rebound(graph, self.sizes), made, of.passes, of.budget)
        self.asked, self.test = -1, always

    @property
    def relations(self) -> list[tuple[Relation, bool]]:
        """What the kernels rely on, and whether it holds or does not."""
        return self.sizes.relations

    def fits(self, values: Numbers) -> bool:
        """Whether the kernels serve these sizes."""
        count = len(self.relations)
        if self.asked != count:
            self.test = predicate(self.names, self.relations[:count])
            self.asked = count
        return self.test(*values)

    def entered(self, values: Numbers, slow: Callable[..., Any]) -> Callable[..., Any]:
        """The way into the kernel for values alone that costs least."""
        self.ready(values, self.region.compiled)
        return entry(self.region, slow, self.names, " and ".join(map(tested, self.relations)))

    def ready(self, values: Numbers, make: Callable[[], Any]) -> Any:
        """What `make` gives, which may compile: then for sizes that are at hand, so that all that is asked holds."""
        with self.busy:
            self.sizes.hints = dict(zip(self.names, values, strict=True))
            return make()


class At:
    """A variant at given sizes: a region like any other."""

    __call__, run, wanted, told = Region.__call__, Region.run, Region.wanted, Region.told
    op_by_op, plain, owned = Region.op_by_op, Region.plain, Region.owned

    def __init__(self, variant: Variant, values: Numbers) -> None:
        self.variant, self.at_sizes, self.region = variant, values, variant.region
        self.relied = len(variant.relations)
        self.kernel: Runs | None = None
        self.kernels: dict[tuple[int, ...], KernelsAt] = {}
        self.ways: Ways = {}

    @property
    def stands(self) -> bool:
        """Whether the kernels rely on no more than when it was seen that they serve these sizes."""
        return len(self.variant.relations) == self.relied

    def __getattr__(self, name: str) -> Any:
        """What does not depend on the sizes."""
        return getattr(self.region, name)

    @cached_property
    def graph(self) -> Graph:
        """The graph at these sizes."""
        return concrete(self.region.graph, self.lengths)

    def core(self) -> Graph:
        """What it computes at these sizes."""
        return concrete(self.region.plan.core, self.lengths)

    @property
    def lengths(self) -> dict[str, int]:
        """The sizes by name."""
        return dict(zip(self.variant.names, self.at_sizes, strict=True))

    @cached_property
    def plan(self) -> Plan:
        """How to hand back what is computed."""
        plan: Plan = self.region.plan
        views = [n for s in plan.sources if isinstance(s, Source) for n in s.views]
        if not sizes_in(*(n.params for n in views)):
            return plan
        return replace(plan, sources=[viewed(s, self.lengths) for s in plan.sources])

    def compiled(self) -> Runs:
        """The kernel for values alone."""
        if self.kernel is None:
            self.kernel = partial(self.made(self.region.compiled), *self.at_sizes)
        return self.kernel

    def differentiated(self, wanted: tuple[int, ...]) -> KernelsAt:
        """The kernels for these arguments."""
        if wanted not in self.kernels:
            self.kernels[wanted] = KernelsAt(self, self.made(lambda: self.region.differentiated(wanted)))
        return self.kernels[wanted]

    def made(self, make: Callable[[], Any]) -> Any:
        """What may have to be compiled first. Nothing has run yet: where symbols are in the way, numbers can do it."""
        try:
            made = self.variant.ready(self.at_sizes, make)
        except Exception as error:
            raise Unable from error
        if not self.variant.fits(self.at_sizes):  # another thread has compiled for other sizes meanwhile
            raise Unable
        return made


class KernelsAt:
    """The kernels of a region that is differentiated, at given sizes."""

    def __init__(self, at: At, found: Differentiated) -> None:
        self.at, self.found = at, found
        self.forward, self.backward = partial(found.forward, *at.at_sizes), partial(found.backward, *at.at_sizes)

    def walk(self, asked: tuple[int, ...]) -> tuple[Walk, Runs]:
        """The walk from some of the results, and its kernel."""
        walk, run = self.at.made(lambda: self.found.walk(asked))
        return walk, partial(run, *self.at.at_sizes)

    def __getattr__(self, name: str) -> Any:
        """What does not depend on the sizes."""
        return getattr(self.found, name)


class SizedRegion:
    """A captured program with symbolic lengths, compiled by `backend`. It is called with the sizes, then the tensors.

    Attributes:
        names: The symbols, in the order in which a call gives them.
        variants: The kernels that have been made, with the relations on which they rely.
    """

    def __init__(self, graph: Graph, backend: Make, passes: Passes = None, budget: float = 1.0) -> None:
        self.graph, self.backend, self.passes, self.budget = graph, backend, passes, budget
        self.names = symbols(graph)
        self.variants: list[Variant] = []
        self.way: Callable[..., Any] = self.run  # the one that costs least
        self.fixed: dict[Numbers, Callable[..., Any]] = {}  # for a backend that knows no sizes
        self.seen: dict[Numbers, At] = {}  # the variants at sizes of earlier calls

    def __call__(self, *args: Any) -> Any:
        """Run."""
        return self.way(*args)

    def run(self, *args: Any) -> Any:
        """Run the kernels for these sizes; make them first if there are none."""
        values, given = args[: len(self.names)], args[len(self.names) :]
        try:
            return self.at(values)(*given)
        except Unable:
            return self.at_once(values)(*given)

    slow = run  # the way for another tape than the plain one

    @property
    def region(self) -> Region | None:
        """The region as it was compiled last."""
        return self.variants[-1].region if self.variants else None

    @property
    def captured(self) -> Numbers:
        """The sizes in the call that was captured."""
        hints = next(n.sizes.hints for node in self.graph.nodes for n in sizes_in(*held(node)))
        return tuple(hints[name] for name in self.names)

    def at(self, values: Numbers) -> Any:
        """The region for these sizes."""
        if (seen := self.seen.get(values)) is not None and seen.stands:
            return seen
        if values in self.fixed:
            return self.fixed[values]
        variant = next((v for v in self.variants if v.fits(values)), None)
        if variant is not None:
            self.seen = dict([*self.seen.items()][-MOST + 1 :]) | {values: At(variant, values)}
            return self.seen[values]
        if not backend_of(self.backend).takes_sizes or not settled(self.graph):
            return self.at_once(values)
        try:
            variant = Variant(self, values)
            if not self.graph.recorded:
                self.way = variant.entered(values, self.way if len(self.variants) < DEEP else self.run)
        except Exception:  # what the passes must know cannot be told of symbols
            return self.at_once(values)
        self.variants = [*self.variants[-MOST + 1 :], variant]
        return At(variant, values)

    def at_once(self, values: Numbers) -> Callable[..., Any]:
        """The region for these sizes and no others; op by op where there can be none."""
        graph = concrete(self.graph, dict(zip(self.names, values, strict=True)))
        made = evaluated(graph)
        if settled(graph):
            with suppress(CaptureError):  # a write whose reach only running it can tell
                made = Region(graph, self.backend, self.passes, self.budget)
        self.fixed = dict([*self.fixed.items()][-MOST + 1 :]) | {values: made}
        return made


def viewed(source: Any, values: dict[str, int]) -> Any:
    """How a result is made from its owner, at given sizes."""
    if not isinstance(source, Source):
        return source
    views = [replace(n, params=mapped_sizes(lambda size: size.at(values), n.params)) for n in source.views]
    return Source(source.argument, source.index, views)


def predicate(names: list[str], relations: list[tuple[Relation, bool]]) -> Callable[..., bool]:
    """A function of the sizes that says whether all relations are as they were."""
    space: dict[str, Any] = {}
    exec(f"def test({', '.join(names)}):\n    return {' and '.join(map(tested, relations)) or 'True'}", space)
    return space["test"]


def tested(asked: tuple[Relation, bool]) -> str:
    """A relation as it was, in Python."""
    relation, holds = asked
    return str(relation) if holds else f"not {relation}"


def always(*_: int) -> bool:
    """No relation yet."""
    return True
