"""`jit.trace`: the program that one call ran, to be run again on other tensors. As PyTorch's, pitfalls included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.anomaly import Place
from ...autograd.layer import tape_in_force
from ...core.interpret import interpreting
from ...errors import ArgumentError, CaptureError
from ...func.boxing import as_tensor
from ...func.trees import flatten
from ...tensors.tensor import Tensor
from ..ir.evaluate import evaluate
from ..ir.fake import facts_of
from ..ir.graph import Graph, Node
from .names import argument_names
from .tracing import Tracing


class Traced:
    """A traced function. Calling it runs its `graph`: no line of the function's Python runs any more."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def __call__(self, *args: Any) -> Any:
        """Run the graph on other tensors of the same shapes and dtypes.

        Raises:
            CaptureError: The arguments are not of the kind that the trace was made with.
        """
        given = list({id(x): as_tensor(x) for x in flatten(list(args))[0]}.values())
        wanted = self.graph.placeholders
        if len(given) != len(wanted):
            raise CaptureError(
                f"A trace of {len(wanted)} tensors got {len(given)}.",
                "A trace takes what it was made with.",
                f"Pass {', '.join(f'{n.name}: {n.facts}' for n in wanted)}.",
            )
        for node, x in zip(wanted, given, strict=True):
            if str(facts_of(x)) != str(node.facts):
                raise CaptureError(
                    f"The trace got {node.name}: {facts_of(x)}.",
                    f"It was made with {node.facts}, and shapes are part of what it remembers.",
                    "Did you mean to trace again with an example of this shape? Or ml.jit, which does that by itself.",
                )
        return evaluate(self.graph, given)

    def __repr__(self) -> str:
        """The graph."""
        return repr(self.graph)


def traced(func: Callable[..., Any], examples: tuple[Any, ...]) -> Graph:
    """The program that `func(*examples)` runs, as a graph."""
    tape = tape_in_force("trace()")
    graph = Graph(getattr(func, "__name__", "graph").replace("<lambda>", "graph"))
    tracing = Tracing(graph, tape)
    flat, build = flatten(list(examples))
    names = argument_names(func, examples, {})
    tensors = [as_tensor(x).detach() for x in flat]
    shared = {id(x): t for x, t in zip(flat, tensors, strict=True)}  # a tensor given twice is one argument
    for x, name in zip(flat, names, strict=True):
        tracing.argument(shared[id(x)], name)
    with interpreting(tracing):
        leaves, rebuild = flatten(func(*build([shared[id(x)] for x in flat])))
    graph.output(rebuild([tracing.known(x) if isinstance(x, Tensor) else x for x in leaves]))
    return graph


def trace(func: Callable[..., Any], *examples: Any, check: Any = None) -> Traced:
    """Run `func(*examples)` once, and return the program that it ran.

    The trace knows nothing of what Python decided: on an argument for which `func` would take the other branch it
    silently gives what the recorded branch gives. `check` finds that: `func` is traced once more on these arguments,
    and the two programs must be the same.

    Args:
        func: A function of tensors, and of nested tuples, lists and dicts of them.
        examples: The arguments of the call that is traced. Their entries decide which path that is.
        check: Other arguments: a tuple, or a list of tuples.

    Raises:
        CaptureError: `func` runs another program on the arguments in `check`; or it calls `backward()`.
        ArgumentError: There are no examples.

    Example:
        >>> import minitorch_lab as ml
        >>> def f(x):
        ...     return x * 2 if x.sum() > 0 else x * 3
        >>> doubled = ml.jit.trace(f, ml.tensor([1.0]))
        >>> doubled(ml.tensor([-1.0])), f(ml.tensor([-1.0]))
        (tensor([-2.]), tensor([-3.]))
    """
    if not examples:
        raise ArgumentError(
            "trace() got no examples.", "It runs the function once, on them.", "Did you mean trace(f, x)?"
        )
    graph = traced(func, examples)
    for others in [] if check is None else check if isinstance(check, list) else [check]:
        compare(graph, traced(func, others if isinstance(others, tuple) else (others,)))
    return Traced(graph)


def compare(graph: Graph, other: Graph) -> None:
    """Make sure that two traces of one function are the same program.

    Raises:
        CaptureError: They part: it says where.
    """
    ours, theirs = program(graph), program(other)
    if ours == theirs:
        return
    i = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    raise CaptureError(
        f"The trace of {graph.name} is silently wrong on the arguments in check.",
        f"It remembers {describe_node(graph, i)}; on those arguments the function ran {describe_node(other, i)}.",
        "Did you mean ml.where for the choice? ml.jit.script and ml.compile keep both branches.",
    )


def program(graph: Graph) -> list[str]:
    """What a graph computes, line by line, without the facts that differ between examples."""
    return [" ".join(line.split("  #")[0].split()) for line in repr(graph).splitlines()[1:]]


def describe_node(graph: Graph, i: int) -> str:
    """The node on line `i` of a graph, and the user's line."""
    node: Node = [n for n in graph.nodes if n.kind != "placeholder"][min(i, len(graph.nodes) - 1)]
    place: Place | None = node.line
    text = repr(graph).splitlines()[1 + i].strip()
    return f"`{text}`" + (f" ({place})" if place else "")
