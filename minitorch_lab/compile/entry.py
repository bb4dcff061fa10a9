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
from .apart import apart
from .backends import questions_of
from .codegen.numpy import Kernel, built, written
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
    names = Names(region)
    own = len(region.graph.placeholders)
    handed = [*lengths, *names.given[:own]]
    outs = [f"y_{i}" for i in range(region.owners)]
    questions = questions_of(region.backend) if all(n.device == "cpu" for n in plan.core.nodes) else None
    run, scope = kernel_lines(region, [*lengths, *names.arguments], outs)
    scope |= {"top": stack.get, "EAGER": EAGER, "Tensor": Tensor, "new": Tensor.__new__, "slow": slow}
    scope |= {"build": plan.build, **dict(zip(names.given[own:], region.pure.outside, strict=True))}
    scope |= {"owned": questions.owned} if questions is not None else {}
    asked = names.tensors if region.graph.recorded else {}
    unfit = [] if region.graph.first else ["top() is not EAGER"]
    unfit += [f"{t}.node is not None or type({t}) is not Tensor" for t in asked]
    unfit += [f"not ({relies})"] if relies else []
    written_to = [names.given[i] for i, _ in region.written]
    into = [names.arguments[i] for i, _ in region.written]
    read = [a for a in names.tensors.values() if a not in into]
    fits = memory_apart(into, read, questions is not None) if into and len(into) + len(read) > 1 else ""
    body = [
        f"def f({', '.join(handed)}):",
        *([f"    if {' or '.join(unfit)}: return slow({', '.join(handed)})"] if unfit else []),
        *(f"    {array} = {t}.value" for t, array in names.tensors.items()),
        *([f"    if not ({fits}): return slow({', '.join(handed)})"] if fits else []),
        *(f"    {line}" for line in run),
        *(f"    if {t}.storage is not None: {t}.storage.version += 1" for t in written_to),
        *(f"    v = new(Tensor); v.value, v.node, v.storage = {y}, None, None; {y} = v" for y in outs),
        f"    return {returned(region, outs)}",
    ]
    function: Any = built("\n".join(body), f"entry of {region.graph.name}", scope)
    function.region, function.slow = region, slow
    return function


class Names:
    """What the arguments of a region are called: `given` as they come, `arguments` as the kernel takes them.

    `tensors` has the array's name for every one that comes as a tensor.
    """

    def __init__(self, region: Region) -> None:
        placeholders = region.plan.core.placeholders
        self.arguments = [written(n) for n in placeholders]
        self.given = [a if n.facts.number else f"t_{a}" for a, n in zip(self.arguments, placeholders, strict=True)]
        self.tensors = {t: a for t, a in zip(self.given, self.arguments, strict=True) if t != a}


def kernel_lines(region: Region, arguments: list[str], outs: list[str]) -> tuple[list[str], dict[str, Any]]:
    """The lines of the kernel, or the call of one that has none to show; and the names that they use."""
    found: Any = region.compiled()
    kernel = getattr(found, "kernel", found)
    if isinstance(kernel, Kernel):
        return [*kernel.lines, *map("{} = {}".format, outs, kernel.results)], dict(kernel.scope)
    return [f"{''.join(f'{y}, ' for y in outs) or '_ '}= kernel({', '.join(arguments)})"], {"kernel": found}


def memory_apart(written: list[str], read: list[str], quick: bool) -> str:
    """The test that the arrays into which a kernel writes share memory with no other argument."""
    if quick:
        return f"owned({len(written)}, {', '.join((*written, *read))})"
    return " and ".join([apart(written, read), *(f"{a}.base is None" for a in (*written, *read))])


def returned(region: Region, outs: list[str]) -> str:
    """How the results are put together, said with their names."""
    results = [outs[s.index] if isinstance(s, Source) else repr(s) for s in region.plan.sources]
    shape = region.plan.build(results)
    if isinstance(shape, str):
        return shape
    listed = "".join(f"{y}, " for y in results)
    return f"({listed})" if shape == tuple(results) else f"build([{listed}])"
