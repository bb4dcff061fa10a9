"""The way into a region that costs least: where nothing but values is wanted, one test and the kernel.

Whoever calls a region often calls its entry. It asks that the plain tape runs and that the arguments are plain tensors
without history; anything else goes the slow way, on which everything works.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd import EAGER
from ..interpret import stack
from ..tensor import Tensor
from .codegen.numpy import built
from .region import Region
from .results import Source


def entry(region: Region, slow: Callable[..., Any]) -> Callable[..., Any]:
    """A function that runs the kernel of `region` where it can, and `slow` where it cannot.

    It is `slow` itself if the region has effects or hands back views.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compile.backends import backend_of
        >>> region = Region(ml.jit.trace(lambda a: a.tanh(), ml.ones(3)).graph, backend_of("numpy"))
        >>> entry(region, region)(ml.zeros(3))
        tensor([0., 0., 0.])
    """
    plan = region.plan
    if plan.writes or not all(isinstance(s, Source) and not s.argument and not s.views for s in plan.sources):
        return slow
    names = [f"x{i}" for i in range(len(region.graph.placeholders))]
    constants = {f"c{i}": x for i, x in enumerate(region.pure.outside)}
    given = [*names, *constants]
    plain = " or ".join(f"{x}.node is not None or type({x}) is not Tensor" for x in given) or "False"
    outs = [f"y{i}" for i in range(len(plan.core.returned))]
    results = [outs[s.index] for s in plan.sources]
    listed = "".join(f"{y}, " for y in results)
    shape = plan.build(results)  # how the results are put together, said with their names
    result = shape if isinstance(shape, str) else f"({listed})" if shape == tuple(results) else f"build([{listed}])"
    body = [
        f"def f({', '.join(names)}):",
        f"    if top() is not EAGER or {plain}:",
        f"        return slow({', '.join(names)})",
        f"    {''.join(f'v{i}, ' for i in range(len(outs))) or '_ '}= kernel({', '.join(f'{x}.value' for x in given)})",
        *(f"    {y} = new(Tensor); {y}.value, {y}.node, {y}.storage = v{i}, None, None" for i, y in enumerate(outs)),
        f"    return {result}",
    ]
    scope = {"top": stack.get, "EAGER": EAGER, "Tensor": Tensor, "new": Tensor.__new__, "slow": slow}

    def first(*arrays: Any) -> Any:
        """Compile at the first call: a region whose calls all want gradients never needs this kernel."""
        kernel = region.compiled()
        scope["kernel"] = getattr(kernel, "fn", kernel)
        return kernel(*arrays)

    scope |= {"kernel": first, "build": plan.build, **constants}
    return built("\n".join(body), f"entry of {region.graph.name}", scope)
