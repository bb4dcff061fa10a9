"""Graphs by themselves: what each of them did in a call, and the first op at which kernels and ops part.

A graph is run twice on copies of its arguments: op by op, and by its kernels. Where values differ, the graph is cut
after each op in turn; where only gradients do, each input of each op in turn is made an argument, from the last op to
the first, so that the op is found whose rule sends back the first wrong gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from typing import Any

from ....core.array import is_float, xp
from ....core.interpret import grad_enabled, grad_mode
from ....func.trees import flatten
from ....tensors.tensor import Tensor, tracked
from ...ir.evaluate import evaluated
from ...ir.graph import Graph, Node
from ...ir.sized import concrete, symbols
from ...ir.sizes import hinted
from .compare import is_close
from .outcome import walked
from .world import Memory

Run = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Ran:
    """A graph as it ran in a call: `run` is what its kernels do."""

    graph: Graph
    run: Run
    inputs: list[Any]
    grad: bool


@contextmanager
def seen(compiled: Any, program: Any) -> Generator[list[Ran]]:
    """The graphs that run in this block, each with copies of its arguments."""
    found: list[Ran] = []
    space: dict[str, Any] = getattr(program, "func", program).__globals__
    runs = {g.name: (g, space[g.name]) for g in compiled.graphs if not compiled.reason and g.name in space}
    for name, (graph, run) in runs.items():
        space[name] = spying(graph, run, found)
    try:
        yield found
    finally:
        space.update({name: run for name, (_, run) in runs.items()})


def spying(graph: Graph, run: Run, found: list[Ran]) -> Run:
    """`run`, told each time. Sizes that were left open are those of the call."""
    names = symbols(graph)

    def spy(*args: Any) -> Any:
        sizes, inputs = args[: len(names)], args[len(names) :]
        here = concrete(graph, dict(zip(names, sizes, strict=True))) if names else graph
        found.append(Ran(here, partial(run, *sizes), [copied(x) for x in inputs], grad_mode.get()))
        return run(*args)

    return spy


def never_ran(graph: Graph, make: Callable[[Graph], Run]) -> Ran:
    """A graph of which perhaps nothing could be made, with ones for its arguments."""
    names = {n: hinted((size,))[0] for node in graph.nodes for size in node.shape for n in getattr(size, "symbols", ())}
    here = concrete(graph, names) if names else graph
    inputs = [
        1.0 if n.facts.number else Tensor(xp.ones(n.shape, n.dtype)).requires_grad_(is_float(n.dtype))
        for n in here.placeholders
    ]
    return Ran(here, lambda *args: make(here)(*args), inputs, True)


def copied(x: Any) -> Any:
    """An argument for another run: a tensor as a leaf with entries of its own."""
    if not isinstance(x, Tensor):
        return x
    twin = Tensor(xp.array(x.value, copy=True, order="K"))
    return twin.requires_grad_() if tracked(x) is not None else twin


# ---- the same or not ------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Behaviour:
    """What a run of a graph comes to: entries of the results and of the arguments after it, gradients; or an error."""

    values: list[Any]
    gradients: list[Any]


def behaviour(run: Run, inputs: list[Any], grad: bool, last: bool = False) -> Behaviour:
    """What a run on copies of these arguments comes to; with `last`, gradients by the last of them alone."""
    args = [copied(x) for x in inputs]
    with redirect_stdout(StringIO()), grad_enabled(grad):
        try:
            results = [x for x in flatten(run(*args))[0] if isinstance(x, Tensor)]
        except Exception as error:
            return Behaviour([type(error)], [])
        values = [xp.array(x.value) for x in (*results, *(a for a in args if isinstance(a, Tensor)))]
        leaves = [x for x in args[-1 if last else 0 :] if isinstance(x, Tensor) and x.requires_grad]
        roots = [x for x in results if is_float(x.dtype) and (n := tracked(x)) is not None and n.op is not None]
        sets = [[x] for x in roots] + ([roots] if len(roots) > 1 else [])
        return Behaviour(values, [g for xs in sets for g in walked(xs, leaves)] if leaves else [])


def with_same_draws(graph: Graph, run: Callable[[], Any]) -> Any:
    """What a run gives. The generators of random numbers stand afterwards where they stood before."""
    memory = Memory(*(v for node in graph.nodes for v in node.params.values()))
    try:
        return run()
    finally:
        memory.put_back()


def agree(xs: list[Any], ys: list[Any]) -> bool:
    """Whether two lists of arrays are the same but for rounding."""
    if len(xs) != len(ys):
        return False
    pairs = zip(xs, ys, strict=True)
    return all(is_close(x, y) if isinstance(x, xp.ndarray) and isinstance(y, xp.ndarray) else x is y for x, y in pairs)


def differs(graph: Graph, run: Run, inputs: list[Any], grad: bool = True, last: bool = False) -> str:
    """What differs between a graph op by op and `run`: `"value"`, `"gradient"`, or nothing."""
    ops, kernels = (with_same_draws(graph, partial(behaviour, f, inputs, grad, last)) for f in (evaluated(graph), run))
    if not agree(ops.values, kernels.values):
        return "value"
    return "" if agree(ops.gradients, kernels.gradients) else "gradient"


# ---- the op at which they part --------------------------------------------------------------------------------------
def culprit(ran: Ran, make: Callable[[Graph], Run]) -> Node | None:
    """The first op in a graph whose value differs, or the last whose rule sends back another gradient."""
    what = differs(ran.graph, ran.run, ran.inputs, ran.grad)
    if not what:
        return None
    parts = cut_after(ran) if what == "value" else cut_before(ran)
    for node, graph, inputs in parts:
        if failing(graph, make, inputs, ran.grad, what == "gradient") == what:
            return node
    return next((n for n in flatten(ran.graph.returned)[0] if isinstance(n, Node)), None)


def failing(graph: Graph, make: Callable[[Graph], Run], inputs: list[Any], grad: bool, last: bool = False) -> str:
    """What differs if a graph is compiled anew; an error of the compiler is a wrong value."""
    try:
        return differs(graph, make(graph), inputs, grad, last)
    except Exception:
        return "value"


def cut_after(ran: Ran) -> Iterator[tuple[Node, Graph, list[Any]]]:
    """The graph up to each of its ops, with that as its result."""
    nodes = ran.graph.nodes
    for i, node in enumerate(nodes):
        if node.kind in ("call", "write", "part"):
            yield node, of_nodes(ran.graph, nodes[: i + 1], (node,)), ran.inputs


def cut_before(ran: Ran) -> Iterator[tuple[Node, Graph, list[Any]]]:
    """The graph with one input of one op as an argument instead, from the last op to the first."""
    values = values_of(ran)
    for node in reversed([n for n in ran.graph.nodes if n.kind == "call"]):
        for k, feed in enumerate(node.inputs):
            if isinstance(feed, Node) and is_float(feed.dtype) and not feed.facts.number:
                given = copied(values[feed]).detach().requires_grad_()
                yield node, opened(ran.graph, node, k), [*ran.inputs, given]


def values_of(ran: Ran) -> dict[Node, Any]:
    """The value of every op, computed op by op."""
    nodes = [n for n in ran.graph.nodes if n.kind != "output"]
    run = partial(evaluated(of_nodes(ran.graph, nodes, tuple(nodes))), *[copied(x) for x in ran.inputs])
    with grad_enabled(ran.grad):
        found = with_same_draws(ran.graph, run)
    return dict(zip(nodes, found, strict=True))


def of_nodes(graph: Graph, nodes: list[Node], results: Any) -> Graph:
    """A graph of these nodes of another one."""
    made = Graph(graph.name)
    made.nodes, made.names, made.recorded, made.first = [*nodes], dict(graph.names), graph.recorded, graph.first
    made.output(results)
    return made


def opened(graph: Graph, at: Node, position: int) -> Graph:
    """The graph in which one input of one op is one more argument."""
    swap: dict[Node, Node] = {}
    nodes = [*graph.placeholders]
    given = Node("placeholder", graph_unique(graph, "given"), replace(at.inputs[position].facts))
    nodes.append(given)
    for node in graph.nodes:
        if node.kind in ("placeholder", "output"):
            continue
        inputs = renamed(node.inputs, swap)
        if node is at:
            inputs = (*inputs[:position], given, *inputs[position + 1 :])
        swap[node] = replace(node, inputs=inputs)
        nodes.append(swap[node])
    return of_nodes(graph, nodes, renamed(graph.returned, swap))


def graph_unique(graph: Graph, name: str) -> str:
    """A name that no node of a graph has."""
    while name in graph.names:
        name += "_"
    return name


def renamed(tree: Any, swap: dict[Node, Node]) -> Any:
    """A tree of nodes in which others stand for some."""
    leaves, build = flatten(tree)
    return build([swap.get(x, x) if isinstance(x, Node) else x for x in leaves])
