"""What the compiler made of a function: its regions, with the names that the reader has for their arguments."""

from __future__ import annotations

import linecache
import re
import textwrap
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..autograd.anomaly import PACKAGE, Place
from ..compiler.capture.bytecode.compiled import Compiled
from ..compiler.explain import build, fresh
from ..compiler.explain.program import Reading
from ..compiler.ir.graph import Graph, Node
from ..compiler.runtime.optimized import compiled_part
from ..compiler.runtime.region import Region
from ..compiler.runtime.stages import Differentiated, Values
from ..errors import ArgumentError
from .frame import Json

NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(eq=False, slots=True)
class Made:
    """One region, and what was made of it. `words` says what its arguments stand for."""

    id: str
    graph: Graph
    region: Region
    words: dict[str, str]

    @property
    def trained(self) -> Differentiated | None:
        """Its two kernels where gradients were wanted."""
        return next(iter(self.region.kernels.values()), None)

    @property
    def plain(self) -> Values | None:
        """Its kernel for values alone."""
        return self.region.values


def regions_of(view: str, fn: object, args: tuple[Any, ...]) -> list[Made]:
    """The regions of a compiled function, or of one that is compiled afresh and called once with `args`.

    Raises:
        ArgumentError: `fn` cannot be called, or there are no regions.
    """
    if not callable(fn):
        raise ArgumentError(
            f"{view} got a {type(fn).__name__}.",
            "It shows what the compiler makes of a function.",
            f"Did you mean {view}(fn, *args)? Without parentheses after fn.",
        )
    compiled = compiled_part(fn)
    if args or not isinstance(compiled, Compiled):
        run = fresh(fn)
        with suppress(Exception):
            run(*args)
        compiled = compiled_part(run)
        build(compiled)
    found = list(find_regions(compiled))
    if not found:
        why = compiled.reason or "it has no graph with ops"
        raise ArgumentError(
            f"{view} found no compiled graph: {why}.",
            "It shows what is made of the graphs of one call.",
            f"Did you mean {view}(fn, *args), with arguments that fn takes?",
        )
    return found


def find_regions(compiled: Compiled) -> Iterable[Made]:
    """Its regions for which kernels have been made."""
    reading = Reading(compiled)
    for id, graph, _ in reading.regions:
        run = compiled.space.get(graph.name)
        region = run if isinstance(run, Region) else getattr(run, "region", None)
        if isinstance(region, Region) and (region.kernels or region.values):
            names = [reading.reached(n.name) for n in region.plan.core.placeholders]
            words = {f"primals_{k}": name for k, name in enumerate(names, start=1)}
            own = zip((n.name for n in region.plan.core.placeholders), names, strict=True)
            yield Made(id, graph, region, words | dict(own))


def use_reader_names(text: str, words: Mapping[str, str]) -> str:
    """A text in which arguments are called as the reader calls them.

    Example:
        >>> use_reader_names("mul(primals_1, 2)", {"primals_1": "self.w"})
        'mul(self.w, 2)'
    """
    return NAME.sub(lambda found: words.get(found[0], found[0]), text)


# ---- lines ---------------------------------------------------------------------------------------------------------


class Lines:
    """The reader's lines on which nodes were captured, and their ids."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        places = dict.fromkeys(n.line for n in nodes if n.line is not None and typed(n.line))
        self.files = list(dict.fromkeys(place.file for place in places))
        self.places = sorted(places, key=lambda place: (self.files.index(place.file), place.line))

    def id(self, place: Place | None) -> str | None:
        """The id of a line."""
        if place is None or place not in self.places:
            return None
        file = self.files.index(place.file)
        return f"l{place.line}" if file == 0 else f"l{place.line}.{file + 1}"

    @property
    def source(self) -> list[Json]:
        """As a scene holds them."""
        text = textwrap.dedent("\n".join(linecache.getline(p.file, p.line).rstrip() for p in self.places))
        return [
            {"id": self.id(p), "no": p.line, "text": line}
            for p, line in zip(self.places, text.splitlines(), strict=True)
        ]

    @property
    def details(self) -> dict[str, str]:
        """The facts about them."""
        return {line["id"]: f"line {line['no']} · {line['text'].strip()}" for line in self.source}


def typed(place: Place) -> bool:
    """Whether a line is the reader's own, and its text is known."""
    return not place.file.startswith(PACKAGE) and linecache.getline(place.file, place.line).strip() != ""
