"""Capturing a graph again: run it on fakes under another interpreter, and write down what runs.

Most rewritings are that and nothing more: an interpreter that gives some ops another meaning. What it writes is
functional, for a write in place becomes a new value; and explicit, for casts are ops of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.custom import Call, Flat
from ...core.array import is_float
from ...core.interpret import grad_enabled, interpreting
from ...errors import CaptureError
from ...func.trees import flatten
from ...ops.movement import detach
from ...tensors.tensor import Tensor
from .evaluate import evaluate
from .graph import Graph, Node
from .symbolic import Captured, Capturing


def replayed(graph: Graph, interpreter: Callable[[Graph], Capturing] = Capturing) -> Graph:
    """`graph` as `interpreter` writes it down.

    Example:
        >>> import minitorch_lab as ml
        >>> def f(x):
        ...     y = x + 1
        ...     y *= 2
        ...     return y
        >>> graph = ml.jit.trace(f, ml.ones(2)).graph
        >>> graph
        f(x: f32[2]):
            add: f32[2] = add(x, 1)
            mul_: f32[2] = mul_(add, 2)
            return mul_
        >>> replayed(graph)
        f(x: f32[2]):
            add: f32[2] = add(x, 1)
            mul: f32[2] = mul(add, 2)
            return mul
    """
    new = Graph(graph.name)
    capturing = interpreter(new)
    arguments = [capturing.imagined(n.name, n.facts) for n in graph.placeholders]
    with interpreting(capturing), grad_enabled(True):  # every node knows its own mode, whichever is in force here
        leaves, build = flatten(evaluate(graph, arguments))
        for x in leaves:
            if isinstance(x, Captured):
                show_base(capturing, x)
        nodes = [capturing.own(x).value if isinstance(x, Captured) else x for x in leaves]
    capturing.settle()
    new.output(build(nodes))
    return new


def show_base(capturing: Capturing, x: Captured) -> bool:
    """Make a view that was written anew from its base, which has the new value too. Gives whether it was.

    Raises:
        CaptureError: A detached tensor has a history of its own by now, which its base does not know.
    """
    capturing.own(x)
    if x.link is None:
        return False
    base: Any = x.link.base
    moved = show_base(capturing, base)
    if not moved and x.value.op is x.link.op and x.value.feeds[0] is base.value:
        return False
    if x.link.op is detach and not isinstance(capturing, Values) and has_history(x.value):
        raise CaptureError(
            "A result of the captured program was detached, and then written with something that has a history.",
            "It shares memory with what it was detached from and not its history, which no value can say.",
            "Did you mean x.detach().clone()?",
        )
    capturing.become(x, capturing.run(x.link.op, (base,), x.link.params))
    return True


def has_history(node: Node) -> bool:
    """Whether gradients can flow from a value to something from outside."""
    pending, met = [node], set[Node]()
    while pending:
        node = pending.pop()
        if node in met or node.op is detach:
            continue
        met.add(node)
        if node.kind in ("placeholder", "get_attr") and is_float(node.dtype):
            return True
        pending += node.feeds if node.grad else node.feeds[:1] if node.kind == "write" else []
    return False


class Values(Capturing):
    """Capture without histories: a write under no_grad() is a new value like any other, and so is a custom call's."""

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """What the call computes, op by op: nobody will ask for its derivatives."""
        return call.run([self.own(a) if isinstance(a, Tensor) else a for a in args])

    def become(self, x: Captured, new: Captured) -> None:
        """Take over the node."""
        with grad_enabled(True):
            super().become(x, new)


def values_only(graph: Graph) -> Graph:
    """A pure graph for which no gradient is wanted: what only histories are for falls away."""
    return replayed(graph, Values)
