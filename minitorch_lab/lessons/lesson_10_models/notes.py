"""Lesson 10's exercise in which the reader writes an interpreter that captures: what it stands on, and its check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler.capture.names import argument_names
from ...compiler.capture.trace import traced
from ...compiler.ir.fake import facts_of
from ...compiler.ir.graph import Graph, Node
from ...core.interpret import interpreting
from ...errors import CaptureError
from ...ops.op import OPS
from ...tensors.factories import arange, tensor
from ...tensors.tensor import Tensor
from ..floors import Floor, without_floor
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["Recorder", "check_notes", "facts_of", "written_down"]


class Recorder(Floor):
    """An interpreter with a graph in its hand. Subclass it, and write `node_of` and `run`."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        self.known: dict[int, tuple[Any, Any]] = {}  # by identity; the tensor is kept, so that no other gets its id

    def remember(self, x: Any, node: Any) -> None:
        """From now on `node` stands for the tensor `x`."""
        self.known[id(x)] = (x, node)

    def node_of(self, a: Any) -> Any:
        """What stands for `a` in the graph."""
        return a

    def inplace(self, op: Any, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Refused.

        Raises:
            CaptureError: Always.
        """
        raise CaptureError(
            f"A write in place ({op.name}_), which this recorder does not take down.",
            "Its graph has values only, and each of them stays what it is.",
            "Did you mean x = x + y? The engine's own trace has nodes that write.",
        )


def written_down(kind: Callable[[Graph], Any], fn: Callable[..., Any], *examples: Any) -> Graph:
    """The graph that an interpreter of this kind takes down while `fn(*examples)` runs."""
    graph = Graph(getattr(fn, "__name__", "graph").replace("<lambda>", "graph"))
    notes = kind(graph)
    inputs = [x.detach() for x in examples]
    for x, name in zip(inputs, argument_names(fn, examples, {}), strict=True):
        notes.remember(x, graph.placeholder(name, facts_of(x)))
    with interpreting(notes):
        out = fn(*inputs)
    graph.output(notes.node_of(out))
    return graph


OUTSIDE = tensor([1.0, 10.0, 100.0])
X = arange(6.0).reshape(2, 3)


def scaled(x: Any) -> Any:
    """Ops, numbers, parameters, and one tensor from outside, read twice."""
    return ((x * 2 + OUTSIDE).sum(dim=1, keepdim=True) - OUTSIDE).tanh()


@answering
def check_notes(kind: Callable[[Graph], Any]) -> Verdict:
    """Check the reader's recorder against the engine's own trace."""
    made, error = attempt(kind, Graph("graph"))
    if error is not None:
        return stopped("Notes(graph)", error)
    if not isinstance(made, Recorder):
        return not_yet(f"you gave something that makes {described(made)}. Give the class Notes, a lesson.Recorder.")
    if without_floor(made) or not {"graph", "known"} <= made.__dict__.keys():
        return not_yet("your __init__ does not call super().__init__(graph), which notes the graph and the floor "
                       "below: there is nobody to pass an op on to, and nothing to write into.")  # fmt: skip
    made.remember(X, made.graph.placeholder("x", facts_of(X)))
    first, error = attempt(made.run, OPS["tanh"], (X,), {})
    if error is None and first is not None and not isinstance(first, Tensor | Node):
        return not_yet(f"run returns {described(first)}, so the next op gets that. Return the tensor that the floor "
                       "below gave.")  # fmt: skip
    graph, error = attempt(written_down, kind, scaled, X)
    if error is not None or graph is None:
        return notes_stopped(error or TypeError())
    if not graph.calls:
        return unwritten("every op runs, and nothing is written down: the graph has no call.")
    strange = [i for node in graph.calls for i in node.inputs if not isinstance(i, Node | Tensor | int | float)]
    if strange:
        return not_yet(f"among the inputs of a node is {described(strange[0])}. node_of gives a node for a tensor, and "
                       "a number as it is.")  # fmt: skip
    right = traced(scaled, (X,))
    if str(graph) == str(right):
        return done("node for node what ml.jit.trace writes down. The heart of it is the four lines of your run.")
    return not_yet(notes_flaw(graph, right))


def notes_stopped(error: Exception) -> Verdict:
    """The reader's recorder ended with an exception."""
    text = str(error)
    if isinstance(error, RecursionError):
        return not_yet("calling op(...) asks whoever is on top of the stack, and that is you, without end. Ask the "
                       "floor below: self.below.run(op, args, params).")  # fmt: skip
    if isinstance(error, KeyError):
        return not_yet("node_of got something that nobody has remembered: a number, or a tensor from outside. "
                       "known.get(id(a)) is None for those.")  # fmt: skip
    if "Node" in text or "there are no numbers" in text or "being captured" in text:
        return not_yet("an op got nodes to compute with. Two lists are needed: the tensors for the floor below, and "
                       "the nodes for the graph. run returns the tensor.")  # fmt: skip
    if "NoneType" in text:
        return not_yet("run returns nothing, so the next op got None. Return the tensor that the floor below gave.")
    if isinstance(error, AttributeError) and ("'int'" in text or "'float'" in text):
        return not_yet("a number has no facts: it is no node. Only what is a tensor becomes one; the rest stays as it "
                       "is.")  # fmt: skip
    return stopped("your recorder", error)


def notes_flaw(graph: Graph, right: Graph) -> str:
    """The thought behind a graph that is not the right one."""
    inputs = [i for node in graph.calls for i in node.inputs]
    result = graph.returned
    constants = [n for n in graph.nodes if n.kind == "get_attr"]
    if len(graph.calls) != len(right.calls):
        return f"{len(right.calls)} ops run, and {len(graph.calls)} are written down. One call for every run."
    if isinstance(result, Tensor) or (isinstance(result, Node) and result.kind == "get_attr"):
        return ("the graph returns a constant: nobody remembered which node the result of an op is. After graph.call, "
                "remember(out, node).")  # fmt: skip
    if any(isinstance(i, Tensor) for i in inputs):
        return ("a tensor with its numbers stands among the inputs. One from outside is a node as well: "
                "self.graph.get_attr(a, facts_of(a)).")  # fmt: skip
    if not any(isinstance(i, int | float) for i in inputs):
        return "the 2 of x * 2 became a node. Numbers stay among the inputs as they are."
    if not any(node.params for node in graph.calls):
        return "sum has lost its axis: hand params on to graph.call, or nobody knows along which one to add."
    if any(str(a.facts) != str(b.facts) for a, b in zip(graph.calls, right.calls, strict=True)):
        return "the facts are those of an input. A sum has another shape: facts_of(out)."
    if len(constants) > 1:
        return "the tensor from outside is read twice, and became two constants. Remember it when it first comes by."
    return f"your graph differs from the engine's trace.\n{graph}\nshould be\n{right}"
