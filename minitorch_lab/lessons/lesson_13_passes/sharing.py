"""The check of the exercise in which the reader writes a pass: what is computed twice is computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...compiler.capture.api import compile
from ...compiler.ir.evaluate import evaluate
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.rewrite import draws
from ...compiler.ir.verify import verify
from ...compiler.passes.cse import cse
from ...compiler.passes.dce import dce
from ...compiler.passes.pipeline import optimize
from ...core.array import xp
from ...core.interpret import grad_enabled
from ...errors import CaptureError
from ...func.trees import flatten, mapped
from ...nn.functional import dropout
from ...tensors.factories import ones, tensor
from ...tensors.random import manual_seed, randn
from ...tensors.tensor import Tensor
from ..unaided import unaided
from ..values import described
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten
from .changes import graph_of

__all__ = ["Copy", "check_share", "draws", "results"]

Share = Callable[[Graph], Any]


class Copy:
    """A new graph, made from an old one node by node.

    Attributes:
        graph: The new graph.
        twin: For every old node so far, the new one that stands for it.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = graph_of(lambda x: x * 2, ml.ones(2))
        >>> made = Copy(graph)
        >>> for node in graph.nodes:
        ...     _ = made.copy(node)
        >>> made.graph
        graph(x: f32[2]):
            mul: f32[2] = mul(x, 2)
            return mul
    """

    def __init__(self, old: Graph) -> None:
        self.graph = Graph(old.name)
        self.graph.names = {n.name: 0 for n in old.nodes}
        self.twin: dict[Node, Node] = {}

    def inputs(self, node: Node) -> tuple[Any, ...]:
        """What `node` reads, in the new graph: new nodes, and numbers."""
        return mapped(lambda x: self.twin[x] if isinstance(x, Node) else x, node.inputs)

    def copy(self, node: Node) -> Node:
        """A new node like `node`, of the new inputs."""
        self.twin[node] = self.graph.add(
            Node(node.kind, node.name, node.facts, node.op, self.inputs(node), node.params, node.grad,
                 node.payload, node.blocks, node.line, node.made_by)
        )  # fmt: skip
        return self.twin[node]

    def let(self, node: Node, other: Node) -> None:
        """Let `other`, a node of the new graph, stand for `node`."""
        self.twin[node] = other


def results(graph: Graph) -> set[Node]:
    """The nodes that a graph returns.

    Example:
        >>> import minitorch_lab as ml
        >>> results(graph_of(lambda x: x * 2, ml.ones(2)))
        {mul}
    """
    return {x for x in flatten(graph.returned)[0] if isinstance(x, Node)}


# ---- the programs, each with what those believe whose pass fails there ----------------------------------------------


class Case(NamedTuple):
    """A function of tensors, and the belief of those whose pass changes what it gives."""

    fn: Callable[..., Any]
    arguments: int
    belief: str


def half_unwatched(x: Tensor) -> Tensor:
    """The same product twice, once without gradient."""
    with grad_enabled(False):
        fixed = x * 2
    return fixed + x * 2


OUTSIDE = tensor([[2.0, 3.0, 5.0]]), tensor([[7.0, 8.0, 9.0]])
CASES = [
    Case(lambda x, y: x - y, 2, "two arguments became one. Only calls compute the same: ask for node.kind first."),
    Case(lambda x: (x + 1) * (x + 2), 1, "x + 1 and x + 2 became one. The same op is not enough: of the same inputs."),
    Case(lambda x, y: (x - y) * (y - x), 2, "x − y and y − x became one. The inputs have an order."),
    Case(lambda x, y: (x - y) * (x + y), 2,
         "x − y and x + y became one. The same inputs are not enough: by the same op."),
    Case(lambda x: x.cumsum(dim=0) * x.cumsum(dim=1), 1,
         "two running sums along different axes became one. The axis stands in node.params."),
    Case(lambda x: (x / 0.0) + (x / -0.0), 1,
         "x / 0.0 and x / −0.0 became one: for Python the two zeros are equal, and 1, 1.0 and True as well. Compare "
         "numbers by how they are written: repr."),
    Case(lambda x: x * OUTSIDE[0] + x * OUTSIDE[1], 1,
         "two tensors from outside became one. Only calls compute the same: ask for node.kind first."),
]  # fmt: skip


@answering
@unaided(cse, optimize, instead="Copy the graph node by node, and let the first of two equal ones stand for both.")
def check_share(share: Share) -> Verdict:
    """Check the reader's pass: on graphs that must not change their values, then on what it finds, then compiled."""
    if problem := small(share):
        return problem
    for case in CASES:
        new, error = given(share, case.fn, case.arguments)
        if error is not None or new is None:
            return went_wrong(error or TypeError(), case)
        if not same_values(case, new):
            return not_yet(case.belief)
    return subtle(share) or found(share)


def given(share: Share, fn: Callable[..., Any], count: int) -> tuple[Graph | None, Exception | None]:
    """The graph of `fn` after the reader's pass, and the exception that it ended with, if any."""
    with xp.errstate(all="ignore"):
        graph = graph_of(fn, *(ones(2, 3) for _ in range(count)))

    def run() -> Graph:
        new = share(graph)
        if isinstance(new, Graph):
            verify(new)
        return new

    return attempt(run)


def went_wrong(error: Exception, case: Case) -> Verdict:
    """The reader's pass ended with an exception, or its graph is not well formed."""
    if isinstance(error, CaptureError):
        return not_yet(describe_error(error))
    if isinstance(error, ValueError) and case.arguments > 1:
        return not_yet(case.belief)
    if isinstance(error, TypeError) and "unhashable" in str(error):
        return not_yet("a dict, like node.params, cannot be part of a key. Take its text: str(node.params).")
    if isinstance(error, AttributeError) and "NoneType" in str(error):
        return not_yet("not every node has an op: arguments have none, and the output has none. Ask node.kind first.")
    return stopped("your pass", error)


def small(share: Share) -> Verdict | None:
    """The first things that go wrong."""
    new, error = given(share, lambda x: x.exp() + x.exp(), 1)
    if error is not None:
        return went_wrong(error, CASES[0])
    if not isinstance(new, Graph):
        return not_yet(f"your pass gives {described(new)}. It gives the new graph: made.graph.")
    if len(new.placeholders) != 1:
        return not_yet("the argument is lost. Everything that is no repeated call is copied: made.copy(node).")
    if ops(new) == ["exp", "exp", "add"]:
        return unwritten("every node is copied: exp(x) is still computed twice.")
    return None


def same_values(case: Case, new: Graph) -> bool:
    """Whether the new graph gives what the function gives."""
    args = [tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]), tensor([[7.0, 2.0, 0.5], [1.0, 1.5, 9.0]])][: case.arguments]
    with xp.errstate(all="ignore"):
        out, error = attempt(evaluate, new, args)
        return error is None and repr(out.tolist()) == repr(case.fn(*args).tolist())


def subtle(share: Share) -> Verdict | None:
    """What a comparison of values on these inputs does not show."""
    new, _ = given(share, lambda x: dropout(x, 0.5) + dropout(x, 0.5), 1)
    if new is not None and ops(new).count("uniform") < 2:
        return not_yet("two draws of random numbers became one. The same op of the same inputs gives other numbers "
                       "each time: lesson.draws(node) says for which nodes.")  # fmt: skip
    new, _ = given(share, half_unwatched, 1)
    if new is not None and slope(new) != [2.0] * 6:
        return not_yet("a product under no_grad became one with a product that is differentiated, and the gradient is "
                       "another. node.grad says which it is: make it part of the key.")  # fmt: skip
    new, _ = given(share, lambda x: (x * 2, x * 2), 1)
    if new is not None and len(results(new)) < 2:
        return not_yet("two results became one tensor. Who writes to the first changes the second. Let nothing stand "
                       "for a node that is returned: lesson.results(graph).")  # fmt: skip
    return None


def slope(graph: Graph) -> list[float]:
    """The gradient of the sum of what a graph gives, at ones."""
    x = ones(2, 3, requires_grad=True)
    attempt(lambda: evaluate(graph, [x]).sum().backward())
    return [] if x.grad is None else x.grad.flatten().tolist()


def chain(x: Tensor, y: Tensor) -> Tensor:
    """A repeated piece of three ops, one after the other."""
    return ((x * 2).exp() + y).sum(dim=1) * ((x * 2).exp() + y).sum(dim=1)


def found(share: Share) -> Verdict:
    """What the pass finds, against the engine's own, and the pass inside the compiler."""
    new, _ = given(share, chain, 2)
    assert new is not None
    best = dce(cse(graph_of(chain, ones(2, 3), ones(2, 3))))
    if len(ops(new)) > len(ops(best)):
        return not_yet(f"of ((x * 2).exp() + y).sum(dim=1), computed twice, your pass leaves {len(ops(new))} ops, and "
                       f"{len(ops(best))} are enough. When x * 2 is shared, exp reads the same *new* node both times: "
                       "made.inputs(node), not node.inputs.")  # fmt: skip
    if not in_the_compiler(share):
        return not_yet("alone it is right, and inside ml.compile the gradients are not those of the tape.")
    return done(f"9 ops became {len(ops(new))}, as with the engine's cse; draws, no_grad and results are left alone. "
                "It has run inside ml.compile, forward and backward.")  # fmt: skip


def in_the_compiler(share: Share) -> bool:
    """Whether values and gradients stay the same when the pass runs in the compiler."""
    manual_seed(0)
    leaves = [randn(2, 3, requires_grad=True) for _ in range(2)]
    compiled, plain = compile(chain, options={"passes": [share]}), compile(chain)
    rows: list[list[Any]] = []
    for run in (plain, compiled):
        run(*leaves)  # captured
        for x in leaves:
            x.grad = None
        out = run(*leaves)
        out.sum().backward()
        rows.append([x.tolist() for x in (out, *(x.grad for x in leaves)) if x is not None])
    return close(rows[0], rows[1])


def close(a: Any, b: Any) -> bool:
    """Equal to the rounding of float32: sums of gradients may come in another order."""
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    return abs(a - b) <= 1e-5 * (1 + abs(a))


def ops(graph: Graph) -> list[str]:
    """The names of the ops, in order."""
    return [node.op.name for node in graph.calls if node.op is not None]
