"""What a leaf's gradient is made of: one product of derivatives for every path from the root down to it."""

from __future__ import annotations

from ..recording import events as ev
from .model import Model
from .numbers import listed, number
from .pullbacks import bracketed
from .turns import Walk

MOST = 3  # more paths than this are not spelled out

Path = tuple[tuple[str, ...], float]  # the nodes passed, and the product so far


def paths_to(walk: Walk, leaf: str) -> list[Path] | None:
    """All paths from the root to `leaf` with what each contributes; None where they are too many or not of numbers."""
    factors: dict[str, list[tuple[str, float]]] = {}
    for turn in walk.turns:
        g = turn.given.scalar
        for send in turn.sends:
            if not g or send.value.scalar is None:
                return None
            factors.setdefault(turn.node, []).append((send.to, send.value.scalar / g))
    seed = walk.begin.seed.scalar
    if seed is None or any(turn.hooks for turn in walk.turns):
        return None
    done: list[Path] = []
    pending: list[Path] = [((walk.begin.node,), float(seed))]
    while pending:
        nodes, product = pending.pop(0)
        if nodes[-1] == leaf:
            done.append((nodes, product))
        for to, factor in factors.get(nodes[-1], []):
            pending.append(((*nodes, to), product * factor))
        if len(done) > MOST or len(pending) > 40:
            return None
    return done


def made_of(model: Model, walk: Walk, leaf: str, event: ev.Accumulate) -> str | None:
    """The sentence that takes a gradient apart, when it came along two or three paths.

    The example is in `backward_scene`.
    """
    paths = paths_to(walk, leaf)
    if paths is None or len(paths) < 2 or event.tensor is None or event.old is not None or event.new.scalar is None:
        return None
    parts = [number(product) for _, product in paths]
    total = " + ".join(bracketed(p) if k else p for k, p in enumerate(parts))
    ways = [f"{part} {_route(model, nodes)}" for (nodes, _), part in zip(paths, parts, strict=True)]
    name = model.name(event.tensor)
    return f"`{name}` is done: {number(event.new.scalar)} = {total}, one part for each path: {', '.join(ways)}."


def _route(model: Model, nodes: tuple[str, ...]) -> str:
    return "through " + listed([f"`{model.op_of[n].op}`" for n in nodes if n in model.op_of])
