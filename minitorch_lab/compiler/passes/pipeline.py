"""The passes in their order: what the compiler does between capture and code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from time import perf_counter
from typing import Any

from ...errors import CaptureError
from ...func.trees import flatten
from ..autodiff.aot import Joint
from ..ir.graph import Graph, Node
from ..ir.rewrite import Tally, kind_of
from ..ir.verify import verify

Pass = Callable[..., Graph]  # (graph, tally) -> graph


def is_pass(found: Any) -> bool:
    """Whether something is a function from a graph to a graph, which counts what it does."""
    return callable(found) and [*signature(found).parameters] == ["graph", "tally"]


def declared() -> dict[str, Pass]:
    """The passes: a file of this folder with a function of its name is one."""
    package = __name__.rpartition(".")[0]
    names = [found.name for found in iter_modules(import_module(package).__path__) if found.name != "pipeline"]
    found: dict[str, Any] = {name: getattr(import_module(f"{package}.{name}"), name, None) for name in names}
    return {name: function for name, function in found.items() if is_pass(function)}


PASSES: dict[str, Pass] = declared()
# What moves comes before what cleans up after it. Not here: `freeze` is for a model that is not trained any more,
# `decompose` and `cropped` for a backend that knows the core ops alone, `soon` for one arena for all memory.
DEFAULT = ("simplify", "conv_bn", "layout", "simplify", "fold", "cse", "linear_act", "qkv", "fold", "dce")


@dataclass(frozen=True, slots=True)
class Step:
    """What a pass did: the graph before and after, what was done how often, the seconds."""

    name: str
    before: Graph
    after: Graph
    done: dict[str, int]
    seconds: float

    @property
    def nodes(self) -> tuple[int, int]:
        """How many nodes there were, and how many there are."""
        return len(self.before.nodes), len(self.after.nodes)

    def __str__(self) -> str:
        """`simplify: 12 → 9 nodes (x * 1: 2, permute of permute: 1)`."""
        done = ", ".join(f"{what}: {count}" for what, count in self.done.items())
        return f"{self.name}: {self.nodes[0]} → {self.nodes[1]} nodes" + (f" ({done})" if done else "")


def optimize(graph: Graph, passes: Iterable[str | Pass] | None = None, log: list[Step] | None = None) -> Graph:
    r"""The graph after the passes, which leave the one that is given as it is.

    Args:
        graph: A pure graph (see `functionalise`), or one as recorded.
        passes: Their names, in order, or functions from graph to graph; `DEFAULT` if left out.
        log: A list to which a `Step` is added for each pass.

    Raises:
        CaptureError: There is no pass of that name; or a function gives no graph, or none that can stand for this one.

    Example:
        >>> import minitorch_lab as ml
        >>> log = []
        >>> optimize(ml.jit.trace(lambda x: (x * 1).exp() + (x / 1).exp(), ml.ones(2)).graph, log=log)
        graph(x: f32[2]):
            exp: f32[2] = exp(x)
            add: f32[2] = add(exp, exp)
            return add
        >>> print(*[step for step in log if step.done], sep="\n")
        simplify: 7 → 5 nodes (x * 1: 1, x / 1: 1)
        cse: 5 → 4 nodes (repeated: 1)
    """
    for name in DEFAULT if passes is None else passes:
        run = pass_of(name)
        tally: Tally = Counter()
        before, start = graph, perf_counter()
        title = name if isinstance(name, str) else getattr(name, "__name__", "pass")
        graph = run(graph, tally) if run in PASSES.values() else checked(title, graph, run(graph))
        seconds = perf_counter() - start
        if log is not None:
            log.append(Step(title, before, graph, dict(tally), seconds))
    return graph


def pass_of(name: str | Pass) -> Pass:
    """The pass of this name, or the function itself.

    Raises:
        CaptureError: There is none.
    """
    if callable(name):
        return name
    if name not in PASSES:
        raise CaptureError(
            f"There is no pass {name!r}.",
            f"The passes are {', '.join(PASSES)}.",
            "A pass of your own is given as a function from graph to graph.",
        )
    return PASSES[name]


def checked(name: str, before: Graph, after: Any) -> Graph:
    """What a pass of the user's gave, if it may stand for the graph: well formed, with its arguments and results.

    Raises:
        CaptureError: It may not.
    """
    if not isinstance(after, Graph):
        raise CaptureError(
            f"The pass {name} gave {after!r}.",
            "A pass is a function from graph to graph.",
            "Did you forget to return the new graph?",
        )
    verify(after)
    ends = [[tuple(map(kind_of, g.placeholders)), shapes(g)] for g in (before, after)]
    for what, old, new in zip(("arguments", "results"), *ends, strict=True):
        if old != new:
            raise CaptureError(
                f"The pass {name} changed the {what} of {before.name!r}.",
                "The new graph takes what the old one took, in the same order, and gives values of the same kind.",
                "Compare print(graph) before and after.",
            )
    return after


def shapes(graph: Graph) -> list[Any]:
    """Of what kind the results of a graph are."""
    return [kind_of(x) if isinstance(x, Node) else type(x) for x in flatten(graph.returned)[0]]


def optimize_joint(joint: Joint, passes: Iterable[str | Pass] | None = None, log: list[Step] | None = None) -> Joint:
    """The joint graph after the passes, before it is cut in two."""
    graph = optimize(joint.graph, passes, log)
    arguments, leaves = graph.placeholders, flatten(graph.returned)[0]
    count, outs = len(joint.primals), len(joint.outputs)
    gradients = [g for g in leaves[outs:] if isinstance(g, Node)]
    return Joint(graph, arguments[:count], arguments[count:], leaves[:outs], gradients, joint.wanted, joint.moving)
