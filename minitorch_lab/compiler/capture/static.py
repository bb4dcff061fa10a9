"""`ml.static`: define, then run. A graph is written down first; a session runs it later, on what it is fed.

So did TensorFlow 1. Nothing computes before `run`, so printing a value shows what is known of it, not a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from ...core.array import as_dtype, float32
from ...core.interpret import interpreting, stack
from ...errors import CaptureError
from ...func.trees import flatten
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..ir.evaluate import evaluate
from ..ir.fake import facts_of, row_order
from ..ir.graph import Facts, Node
from ..ir.graph import Graph as Program
from ..ir.symbolic import Captured, Capturing, Outside
from . import control

__all__ = ["Graph", "Session", "cond", "placeholder", "while_loop"]


class Symbol(Captured):
    """A value of a static graph: it prints as what is known of it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """`Tensor("add", shape=(1,), dtype=float32)`."""
        return f'Tensor("{self.value.name}", shape={self.shape}, dtype={self.dtype.name})'


class Defining(Capturing):
    """The interpreter inside `with Graph()`."""

    name = "a static graph"

    def box(self, value: Any) -> Symbol:
        """A symbol around a node."""
        out = Symbol(value)
        out.level, out.link = self.level, None
        return out

    def alone(self, entry: Outside) -> None:
        """Refuse a write to a tensor from outside: nothing runs now, and a session only computes values.

        Raises:
            CaptureError: Always.
        """
        raise CaptureError(
            "A write, inside a static graph, to a tensor from outside or to a placeholder.",
            "The graph is a description of values; nothing runs until a session runs it.",
            "Did you mean x = x + y? Or write to x.clone().",
        )


class Graph:
    """A program that is being written down: inside `with graph:` every op adds a node.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.static.Graph() as graph:
        ...     x = ml.static.placeholder((1,), name="x")
        ...     y = x * 2 + 1
        >>> y
        Tensor("add", shape=(1,), dtype=float32)
        >>> ml.static.Session(graph).run(y, feed={x: [1.0]})
        tensor([3.])
    """

    def __init__(self, name: str = "graph") -> None:
        self.program = Program(name)
        self.interpreter: Defining | None = None
        self.open: list[AbstractContextManager[Any]] = []

    def __enter__(self) -> Graph:
        """Begin, or go on."""
        if self.interpreter is None:
            self.interpreter = Defining(self.program)
        block = interpreting(self.interpreter)
        block.__enter__()
        self.open.append(block)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Back to what ran before."""
        self.open.pop().__exit__(kind, error, trace)

    def __repr__(self) -> str:
        """The program."""
        return repr(self.program)


def defining(what: str) -> Defining:
    """The static graph that is being written down.

    Raises:
        CaptureError: None is.
    """
    top = stack.get()
    if isinstance(top, Defining):
        return top
    raise CaptureError(
        f"{what} outside a static graph.",
        "It adds a node, and there is no graph to add it to.",
        "Did you mean with ml.static.Graph() as graph: ...?",
    )


def placeholder(shape: tuple[int, ...], dtype: Any = float32, name: str = "placeholder") -> Symbol:
    """An input of the graph that is being written down: a session is fed a tensor for it.

    Args:
        shape: Its shape, all lengths known.
        dtype: Its dtype.
        name: What it is called in the printed program.

    Raises:
        CaptureError: No graph is open.
    """
    top, kind = defining("placeholder()"), as_dtype(dtype)
    return top.box(top.graph.placeholder(name, Facts(tuple(shape), kind, "cpu", row_order(shape, kind.itemsize))))


def cond(predicate: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any]) -> Any:
    """Both branches, as part of the graph; the session runs one of them.

    Args:
        predicate: A single number of the graph.
        true_fn: Defines what is computed where it holds.
        false_fn: Defines the other branch, whose results have the same shapes and dtypes.

    Raises:
        CaptureError: No graph is open, or the branches give different things.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.static.Graph() as graph:
        ...     x = ml.static.placeholder((1,), name="x")
        ...     y = ml.static.cond(x.sum() > 0, lambda: x * 2, lambda: x * 3)
        >>> session = ml.static.Session(graph)
        >>> session.run(y, feed={x: [1.0]}), session.run(y, feed={x: [-1.0]})
        (tensor([2.]), tensor([-3.]))
    """
    top = defining("cond()")
    return control.cond(top, top.own(predicate), true_fn, false_fn)


def while_loop(condition: Callable[..., Any], body: Callable[..., Any], loop_vars: tuple[Any, ...]) -> tuple[Any, ...]:
    """A loop as part of the graph. `body` gives the values of the next round from those of the last.

    Raises:
        CaptureError: No graph is open, or a round changes a shape or a dtype.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.static.Graph() as graph:
        ...     x = ml.static.placeholder((), name="x")
        ...     (y,) = ml.static.while_loop(lambda v: v < 100, lambda v: (v * 2,), (x,))
        >>> ml.static.Session(graph).run(y, feed={x: 3.0})
        tensor(192.)
    """
    top = defining("while_loop()")
    return control.while_loop(top, condition, body, [top.own(v) for v in loop_vars])


class Session:
    """Runs a static graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def run(self, fetches: Any, feed: Mapping[Any, Any] | None = None) -> Any:
        """The values of `fetches`, with the placeholders fed. Only what they depend on is computed.

        Args:
            fetches: A value of the graph, or several nested in tuples, lists and dicts.
            feed: A tensor, or what `ml.tensor` takes, for every placeholder that the fetches depend on.

        Raises:
            CaptureError: A fetch is no value of this graph; a placeholder that is needed is not fed, or is fed another
                shape or dtype.
        """
        leaves, build = flatten(fetches)
        program = leading_to([self.node(x, "fetch") for x in leaves], self.graph.program)
        fed = {self.node(x, "feed"): value for x, value in (feed or {}).items()}
        values = [self.value(node, fed) for node in program.placeholders]
        return build(list(evaluate(program, values)))

    def node(self, x: Any, what: str) -> Node:
        """The node of a value of this graph."""
        interpreter = self.graph.interpreter
        if interpreter is None or not interpreter.mine(x):
            raise CaptureError(
                f"A {what} that is no value of this graph: {x!r}.",
                "A session runs what one graph has written down.",
                "Did you mean the tensor that was made inside with graph:?",
            )
        return x.value

    def value(self, node: Node, fed: dict[Node, Any]) -> Tensor:
        """What a placeholder is fed, checked."""
        if node not in fed:
            raise CaptureError(
                f"The placeholder {node.name!r} is not fed.",
                "The fetches depend on it, and it has no value of its own.",
                f"Did you mean feed={{{node.name}: ...}}? It takes {node.facts}.",
            )
        given = fed[node]
        x = given if isinstance(given, Tensor) else tensor(given, dtype=node.dtype)
        if str(facts_of(x)) != str(node.facts):
            raise CaptureError(
                f"The placeholder {node.name!r} is fed {facts_of(x)}.",
                f"It was declared as {node.facts}.",
                "Feed that, or declare the other.",
            )
        return x


def leading_to(nodes: list[Node], program: Program) -> Program:
    """The part of a program that `nodes` depend on, with them as its output."""
    needed, pending = set(nodes), list(nodes)
    while pending:
        for feed in pending.pop().feeds:
            if feed not in needed:
                needed.add(feed)
                pending.append(feed)
    part = Program(program.name)
    part.nodes = [n for n in program.nodes if n in needed]
    part.output(tuple(nodes))
    return part
