"""The way into a region that costs least: where nothing but values is wanted, one test and the kernel.

The kernel's lines stand in the entry itself, so that no call lies between. It asks that the plain tape runs, that no
argument has a history (unless no result can have one), and that arguments share no memory where one is written.
Anything else goes the slow way, on which everything works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...autograd import EAGER
from ...core.interpret import stack
from ...tensors.storage import storage_of
from ...tensors.tensor import Tensor
from ..targets.backends import backend_of
from ..targets.numpy.backend import Kernel, built, format_input
from .apart import apart
from .results import Source


def entry(region: Any, slow: Callable[..., Any], lengths: Sequence[str] = (), relies: str = "") -> Callable[..., Any]:
    """A function that runs the kernel of `region` where it can, and `slow` where it cannot.

    It is `slow` itself if the region hands back views.

    Args:
        region: The region.
        slow: Takes the same arguments.
        lengths: The symbols in its shapes: their numbers come before the tensors.
        relies: What must be true of them, in Python.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.runtime.region import Region
        >>> from minitorch_lab.compiler.targets.backends import backend_of
        >>> region = Region(ml.jit.trace(lambda a: a.tanh(), ml.ones(3)).graph, backend_of("numpy"))
        >>> entry(region, region)(ml.zeros(3))
        tensor([0., 0., 0.])
    """
    plan = region.plan
    views = [s for s in plan.sources if isinstance(s, Source) and (s.argument or s.views)]
    if views or len(region.written) < len(plan.writes):
        return slow
    names = Names(region)
    own = len(region.graph.placeholders)
    handed = [*lengths, *names.given[:own]]
    outs = [f"y_{i}" for i in range(region.owners)]
    questions = backend_of(region.backend).asked() if all(n.device == "cpu" for n in plan.core.nodes) else None
    run, values, scope = kernel_lines(region.compiled(), [*lengths, *names.arguments], region.owners)
    scope |= {"top": stack.get, "EAGER": EAGER, "Tensor": Tensor, "new": Tensor.__new__, "slow": slow}
    scope |= {"storage_of": storage_of}
    scope |= {"build": plan.build, **dict(zip(names.given[own:], region.pure.outside, strict=True))}
    scope |= {"owned": questions.owned} if questions is not None else {}
    asked = names.tensors if region.graph.recorded else {}
    unfit = [] if region.graph.first else ["top() is not EAGER"]
    unfit += [f"{t}.node is not None or type({t}) is not Tensor" for t in asked]
    unfit += [f"not ({relies})"] if relies else []
    written_to = [(names.given[i], plan.versions[k]) for i, k in region.written]
    into = [names.arguments[i] for i, _ in region.written]
    read = [a for a in names.tensors.values() if a not in into]
    fits = memory_apart(into, read, questions is not None) if into and len(into) + len(read) > 1 else ""
    body = [
        f"def f({', '.join(handed)}):",
        *([f"    if {' or '.join(unfit)}: return slow({', '.join(handed)})"] if unfit else []),
        *(f"    {array} = {t}.value" for t, array in names.tensors.items()),
        *([f"    if not ({fits}): return slow({', '.join(handed)})"] if fits else []),
        *(f"    {line}" for line in [*run, *map("{} = {}".format, outs, values)]),
        *(f"    ({t}.storage or storage_of({t})).version += {times}" for t, times in written_to),
        *(f"    v = new(Tensor); v.value, v.node, v.storage = {y}, None, None; {y} = v" for y in outs),
        *(f"    storage_of({y}).version = {times}" for y, times in zip(outs, plan.versions, strict=False) if times),
        f"    return {returned(region, outs)}",
    ]
    function: Any = built("\n".join(body), f"entry of {region.graph.name}", scope)
    function.region, function.slow = region, slow
    return function


class Names:
    """What the arguments of a region are called: `given` as they come, `arguments` as the kernel takes them.

    `tensors` has the array's name for every one that comes as a tensor.
    """

    def __init__(self, region: Any) -> None:
        placeholders = region.plan.core.placeholders
        self.arguments = [format_input(n) for n in placeholders]
        self.given = [a if n.facts.number else f"t_{a}" for a, n in zip(self.arguments, placeholders, strict=True)]
        self.tensors = {t: a for t, a in zip(self.given, self.arguments, strict=True) if t != a}


def kernel_lines(run: Any, arguments: list[str], count: int) -> tuple[list[str], list[str], dict[str, Any]]:
    """The lines of a kernel, or the call of one that has none to show; how its results are called; the names used."""
    found = getattr(run, "func", run)  # at given sizes
    kernel = getattr(found, "kernel", found)
    if isinstance(kernel, Kernel):
        return kernel.lines, kernel.results, dict(kernel.scope)
    outs = [f"y{i}_op" for i in range(count)]
    return [f"{''.join(f'{y}, ' for y in outs) or '_ '}= kernel({', '.join(arguments)})"], outs, {"kernel": run}


def memory_apart(written: list[str], read: list[str], quick: bool) -> str:
    """The test that the arrays into which a kernel writes share memory with no other argument."""
    if quick:
        return f"owned({len(written)}, {', '.join((*written, *read))})"
    return " and ".join([apart(written, read), *(f"{a}.base is None" for a in (*written, *read))])


def returned(region: Any, outs: list[str]) -> str:
    """How the results are put together, said with their names."""
    results = [outs[s.index] if isinstance(s, Source) else repr(s) for s in region.plan.sources]
    shape = region.plan.build(results)
    if isinstance(shape, str):
        return shape
    listed = "".join(f"{y}, " for y in results)
    return f"({listed})" if shape == tuple(results) else f"build([{listed}])"
