"""The check of lesson 10's exercise in which the reader runs a captured graph, node by node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...compiler.capture.trace import traced
from ...compiler.ir.evaluate import evaluate as engines
from ...compiler.ir.graph import Graph, Node
from ...func import grad
from ...tensors.factories import arange, tensor
from ...tensors.tensor import Tensor
from ..unaided import unaided
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Evaluate = Callable[[Graph, list[Any]], Any]
OUTSIDE = tensor([1.0, 10.0, 100.0])


class Case(NamedTuple):
    """A function, examples for its trace, other arguments, and what those believe whose evaluator fails here."""

    fn: Callable[..., Any]
    examples: tuple[Any, ...]
    args: list[Any]
    belief: str


SMALL, LARGE = arange(6.0).reshape(2, 3), arange(6.0).reshape(2, 3) * 2 - 5
CASES = [
    Case(lambda x: x * 2 + 1, (SMALL,), [LARGE], "x * 2 + 1 comes out wrong. Run every call node, in order."),
    Case(lambda a, b: a - b, (SMALL, LARGE), [LARGE, SMALL],
         "a − b comes out wrong: each placeholder takes the next of args, and the inputs keep their order."),
    Case(lambda x: (x + 1) * (x + 2), (SMALL,), [LARGE],
         "a graph with two adds comes out wrong. Keep each value under its own node (or its name): op.name is the same "
         "for both."),
    Case(lambda x: x.sum(dim=1), (SMALL,), [LARGE],
         "x.sum(dim=1) comes out wrong. Which axis it was stands in node.params: node.op(*inputs, **node.params)."),
    Case(lambda x: x * OUTSIDE, (SMALL,), [LARGE],
         "a tensor from outside is a node too, get_attr, and its value is node.payload."),
    Case(lambda x: (x.exp(), x + 1)[1], (SMALL,), [LARGE],
         "you return the last value that was computed. The output node says which one it is: node.inputs[0]."),
    Case(lambda x: early(x), (SMALL,), [LARGE],
         "you return the last value that was computed. The output node says which one it is: node.inputs[0]."),
]  # fmt: skip


def early(x: Any) -> Any:
    """Returns what it has made first."""
    first = x * 2
    first.exp()
    return first


@answering
@unaided(engines, instead="Go through graph.nodes, and call node.op.")
def check_evaluate(evaluate: Evaluate) -> Verdict:
    """Check the reader's `evaluate(graph, args)` on seven graphs, then on a tuple, a gradient and the caller's list."""
    for case in CASES:
        graph = traced(case.fn, case.examples)
        out, error = attempt(evaluate, graph, list(case.args))
        if error is not None:
            return evaluator_stopped(error, graph)
        if said := no_value(out):
            return said
        if not same(out, case.fn(*case.args)):
            return not_yet(case.belief)
    return beyond(evaluate)


def no_value(out: Any) -> Verdict | None:
    """The verdict on a result that is no tensor; None where it is one."""
    if out is None:
        return unwritten("evaluate returns None: no node is run so far.")
    if isinstance(out, Node):
        return not_yet(f"you return the node {out.name!r}. What is wanted is its value, which you have kept.")
    if isinstance(out, tuple | list):
        if len(out) == 1:
            return not_yet("you return a tuple with one value in it. node.inputs is a tuple; the result is its first "
                           "part.")  # fmt: skip
        return not_yet(f"you return {described(out)} with {len(out)} parts. This graph has one result: node.inputs[0].")
    if not isinstance(out, Tensor):
        return not_yet(f"you return {described(out)}. Call node.op, which takes tensors and gives one: op.impl "
                       "works on bare arrays, and no tape sees it.")  # fmt: skip
    return None


def evaluator_stopped(error: Exception, graph: Graph) -> Verdict:
    """The reader's evaluator ended with an exception."""
    missing = error.args[0] if isinstance(error, KeyError) and error.args else None
    if isinstance(error, KeyError) and (isinstance(missing, Node) or missing in {n.name for n in graph.nodes}):
        kind = next(n.kind for n in graph.nodes if missing in (n, n.name))
        if kind == "get_attr":
            return not_yet("a value is missing: the constant. A node of the kind get_attr brings it, in node.payload.")
        return not_yet(f"the value of {missing} is missing when it is needed. Keep the result of every node.")
    if isinstance(error, KeyError) or (isinstance(error, AttributeError) and "'name'" in str(error)):
        return not_yet("not every input is a node: in x * 2, the 2 stands there as a number. Pass numbers on as they "
                       "are.")  # fmt: skip
    if isinstance(error, TypeError) and "'NoneType' object is not callable" in str(error):
        return not_yet("you call the op of a node that has none: only call nodes have one. Ask for node.kind first.")
    if isinstance(error, TypeError) and ("missing" in str(error) or "argument" in str(error)):
        return not_yet("an op got too few arguments. What is no tensor stands in node.params, by name: "
                       "node.op(*inputs, **node.params).")  # fmt: skip
    return stopped("evaluate", error)


def beyond(evaluate: Evaluate) -> Verdict:
    """Values are right: tuples, gradients, and the list of the caller."""
    args = [LARGE]
    graph = traced(lambda x: x.sin() * x, (SMALL,))
    evaluate(graph, args)
    if len(args) != 1:
        return not_yet("you took the arguments out of the caller's list (pop): it is empty now. iter(args) does not.")
    slope, error = attempt(grad(lambda x: evaluate(graph, [x]).sum()), LARGE)
    if error is not None or not same(slope, LARGE.cos() * LARGE + LARGE.sin()):
        return not_yet("the values are right, and there is no gradient through them. Call node.op with tensors.")
    pair, error = attempt(evaluate, traced(lambda x: (x + 1, x * 2), (SMALL,)), [LARGE])
    if error is not None or not isinstance(pair, tuple | list) or not all(map(same, pair, (LARGE + 1, LARGE * 2))):
        return not_yet("right for one result. A function may return a tuple, and then node.inputs[0] is a tuple of "
                       "nodes: give a tuple of their values.")  # fmt: skip
    return done("seven graphs, a tuple, and a gradient through your loop: the ops did not notice who called them.")


def same(a: Any, b: Any) -> bool:
    """Whether two tensors have the same shape and entries."""
    return isinstance(a, Tensor) and a.shape == b.shape and bool(((a - b).abs() < 1e-5).all())
