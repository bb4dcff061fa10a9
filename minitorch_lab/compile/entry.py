"""The way into a region that costs least: where nothing but values is wanted, one test and the kernel.

The kernel's lines stand in the entry itself, so that no call lies between. It asks that the plain tape runs, that no
argument has a history (unless no result can have one), and that arguments share no memory where one is written.
Anything else goes the slow way, on which everything works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..autograd import EAGER
from ..interpret import stack
from ..tensor import Tensor
from .codegen.numpy import Kernel, built, written
from .graph import Graph
from .region import Region
from .results import Source


def entry(
    region: Region, slow: Callable[..., Any], lengths: Sequence[str] = (), relies: str = ""
) -> Callable[..., Any]:
    """A function that runs the kernel of `region` where it can, and `slow` where it cannot.

    It is `slow` itself if the region hands back views.

    Args:
        region: The region.
        slow: Takes the same arguments.
        lengths: The symbols in its shapes: their numbers come before the tensors.
        relies: What must be true of them, in Python.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compile.backends import backend_of
        >>> region = Region(ml.jit.trace(lambda a: a.tanh(), ml.ones(3)).graph, backend_of("numpy"))
        >>> entry(region, region)(ml.zeros(3))
        tensor([0., 0., 0.])
    """
    plan = region.plan
    views = [s for s in plan.sources if isinstance(s, Source) and (s.argument or s.views)]
    if views or len(region.written) < len(plan.writes):
        return slow
    kernel: Any = getattr(found := region.compiled(), "kernel", found)
    arguments = [written(n) for n in region.plan.core.placeholders]
    numbers = [n.facts.number for n in region.plan.core.placeholders]
    given = [a if number else f"t_{a}" for a, number in zip(arguments, numbers, strict=True)]
    taken = arguments[: len(region.graph.placeholders)]
    count = len(taken)
    outs = [f"y_{i}" for i in range(region.owners)]
    scope = {"top": stack.get, "EAGER": EAGER, "Tensor": Tensor, "new": Tensor.__new__, "slow": slow}
    scope |= {"build": plan.build, **dict(zip(given[count:], region.pure.outside, strict=True))}
    unpacked = [f"{a} = {t}.value" for a, t, number in zip(arguments, given, numbers, strict=True) if not number]
    if isinstance(kernel, Kernel):
        scope |= kernel.scope
        run = [*kernel.lines, *(f"{y} = {value}" for y, value in zip(outs, kernel.results, strict=True))]
    else:
        scope["kernel"] = found
        run = [f"{''.join(f'{y}, ' for y in outs) or '_ '}= kernel({', '.join([*lengths, *arguments])})"]
    tensors = [t for t, number in zip(given, numbers, strict=True) if not number]
    asked = tensors if region.graph.recorded else ()
    histories = "".join(f" or {t}.node is not None or type({t}) is not Tensor" for t in asked)
    handed = [*lengths, *given[:count]]
    body = [
        f"def f({', '.join(handed)}):",
        f"    if top() is not EAGER{histories}{relies and f' or not ({relies})'}: return slow({', '.join(handed)})",
        *(f"    {line}" for line in unpacked),
        *apart(region.graph, [a for a, number in zip(arguments, numbers, strict=True) if not number], handed),
        *(f"    {line}" for line in run),
        *(f"    if {given[i]}.storage is not None: {given[i]}.storage.version += 1" for i, _ in region.written),
        *(f"    v = new(Tensor); v.value, v.node, v.storage = {y}, None, None; {y} = v" for y in outs),
        f"    return {returned(region, outs)}",
    ]
    run: Any = built("\n".join(body), f"entry of {region.graph.name}", scope)
    run.region = region
    return run


def apart(graph: Graph, arrays: list[str], given: list[str]) -> list[str]:
    """The test that no two arguments of a graph that writes share their memory."""
    if len(arrays) < 2 or not any(n.kind == "write" for n in graph.nodes):
        return []
    same = f"len({{{', '.join(f'id({a})' for a in arrays)}}}) < {len(arrays)}"
    based = " or ".join(f"{a}.base is not None" for a in arrays)
    return [f"    if {same} or {based}: return slow({', '.join(given)})"]


def returned(region: Region, outs: list[str]) -> str:
    """How the results are put together, said with their names."""
    results = [outs[s.index] if isinstance(s, Source) else repr(s) for s in region.plan.sources]
    shape = region.plan.build(results)
    if isinstance(shape, str):
        return shape
    listed = "".join(f"{y}, " for y in results)
    return f"({listed})" if shape == tuple(results) else f"build([{listed}])"
