"""When compiled is not eager: `ml.compile(f, check=True)` says so, `ml.compile.minify(f, *args)` makes it short.

Under `check` every call runs eagerly first. What it changed is put back: tensors, modules, optimizers, containers,
globals, generators of random numbers. Then the program runs, and results, gradients, errors, prints and changes are
compared. Where they part, a `MismatchError` names the graph, the first op that differs and its line. It costs several
times an eager call, so `check=3` checks the first three calls alone.

`minify` is for reports. It shrinks what fails to a function of a few lines, by delta debugging, as TorchDynamo's does.
The graph that fails is written as a Python function of its arguments, and each step is tried on that: is it compiled
and still different from eager, in the same way? Ops are cut off from the end, values become arguments, ops are left
out, arguments become ones, sizes become small, until nothing more can go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...core.array import xp
from ...errors import ArgumentError, MismatchError
from ...func.trees import flatten
from ...tensors.tensor import Tensor
from ..ir.graph import Graph, Node
from ..passes.functionalise import functionalise
from ..runtime.checking.regions import Ran, copied, graph_unique, of_nodes, renamed, values_of
from ..runtime.optimized import compiled_part
from .source import defined, write_source

__all__ = ["Minified", "minify"]

CALLS = 3  # the first is captured, the others run kernels
SMALL = (1, 2, 3)  # lengths to try in place of others


@dataclass(frozen=True, eq=False)
class Minified:
    """A short program that fails.

    Attributes:
        source: A Python function `f`, with what it needs before it.
        args: Its arguments.
        error: What came of it.
    """

    source: str
    args: tuple[Any, ...]
    error: Exception
    settings: dict[str, Any]

    def call(self) -> Any:
        """Run it once more, compiled beside eager.

        Raises:
            MismatchError: They differ, as they did. Or the error of the compiler, if that was what failed.
        """
        return attempt(defined(self.source), [copied(x) for x in self.args], self.settings)

    def __repr__(self) -> str:
        names = ", ".join(f"{x!r}" for x in self.args)
        return f"{self.source}\nargs = [{names}]\n# {type(self.error).__name__}: {self.error}"


@dataclass(frozen=True, eq=False)
class Program:
    """A graph and arguments for it."""

    graph: Graph
    args: list[Any]


def minify(fn: Callable[..., Any], /, *args: Any, **settings: Any) -> Minified:
    """Shrink a call that comes out differently compiled, or crashes the compiler, to a function of a few lines.

    The function is called three times under `ml.compile(fn, check=True, **settings)`, so its effects happen. What is
    returned prints as a program to put into a report.

    Args:
        fn: The function.
        args: Its arguments.
        settings: `backend` and the others, as for `ml.compile`.

    Raises:
        ArgumentError: Compiled and eager are the same in these calls.
        MismatchError: They differ, and no graph by itself does: what was captured of the Python is wrong.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
        >>> def careless(graph):  # a backend that doubles what has a sine in it
        ...     kernel, factor = compile_numpy(graph), 1 + any(n.op and n.op.name == "sin" for n in graph.nodes)
        ...     return lambda *arrays: [factor * y for y in kernel(*arrays)]
        >>> found = minify(lambda x: (x.exp() + x.sin() * 3).mean(), ml.randn(4, 5), backend=careless)
        >>> print(found.source)
        import minitorch_lab as ml
        <BLANKLINE>
        def f(a):
            v1 = ml.sin(a)
            return v1
        >>> found.args, found.error.kind
        ((tensor([[1.]]),), 'result')
    """
    try:
        attempt(fn, args, settings)
    except MismatchError as error:
        if error.graph is None:
            raise
        return Shrinking(settings, error).shrunk()
    raise ArgumentError(
        f"minify got {getattr(fn, '__name__', fn)!r}, which does compiled what it does eagerly.",
        f"It shrinks a program that fails within {CALLS} calls with these arguments.",
        "Did you mean to give the backend, mode or options with which it fails?",
    )


def attempt(fn: Any, args: Any, settings: dict[str, Any], calls: int = CALLS, blame: bool = True) -> None:
    """A few calls, compiled beside eager; without `blame`, an error does not look for the op."""
    from ..capture.api import compile

    chosen: dict[str, Any] = {**settings, "check": True}
    checked = compile(fn, **chosen)
    compiled_part(checked).beside.blaming = blame
    for _ in range(calls):
        checked(*args)


class Shrinking:
    """The search. `settings` are those of the compiler, `error` what is to be seen again."""

    def __init__(self, settings: dict[str, Any], error: MismatchError) -> None:
        self.settings, self.error = settings, error

    def shrunk(self) -> Minified:
        """The smallest program that was found.

        Raises:
            MismatchError: The graph does not fail as a function of its own.
        """
        graph, args = self.error.graph, [*self.error.inputs]
        if any(n.kind == "write" for n in graph.nodes):
            pure = functionalise(graph)
            graph, args = pure.graph, [*args, *pure.outside]
        program = closed(Program(graph, args))
        if self.fails(program) is None:
            raise self.error
        alone = [p for n in program.graph.nodes if n.name == self.error.node.name for p in isolated(program, n)]
        program = next((p for p in alone if self.fails(p) is not None), program)
        smaller: Program | None = program
        while smaller is not None:
            program = smaller
            smaller = next((p for p in steps(program) if self.fails(p) is not None), None)
        pretty = self.fails(program, True) is not None
        error, source = self.fails(program, pretty, True) or self.error, write_source(program.graph, pretty)
        return Minified(source, tuple(program.args), error, self.settings)

    def fails(self, program: Program, pretty: bool = False, blame: bool = False) -> MismatchError | None:
        """The error of a program, if it fails as the first one did."""
        try:
            f = defined(write_source(program.graph, pretty))
            attempt(f, [copied(x) for x in program.args], self.settings, self.error.call, blame)
        except MismatchError as error:
            return error if error.kind == self.error.kind else None
        except Exception:
            return None  # it is no program any more: a cut too far
        return None


# ---- steps ----------------------------------------------------------------------------------------------------------
def steps(program: Program) -> Iterator[Program]:
    """Programs that are a little smaller, those first that are much smaller."""
    graph, results = program.graph, leaves_of(program.graph.returned)
    for kept in [[x] for x in results] + [results[:i] + results[i + 1 :] for i in range(len(results))]:
        if len(kept) < len(results):
            yield pruned(graph, graph.nodes[:-1], kept, program.args)
    for i, result in enumerate(results):
        for feed in result.feeds:
            yield pruned(graph, graph.nodes[:-1], [*results[:i], feed, *results[i + 1 :]], program.args)
    computed = [n for n in graph.nodes if n.kind not in ("placeholder", "output")]
    for node in computed:
        if results != [node]:
            yield pruned(graph, graph.nodes[:-1], [node], program.args)
    values = values_of(Ran(graph, nothing, program.args, True))
    for node in reversed(computed):
        yield given_instead(program, node, values[node])
    for node in reversed(computed):
        for feed in node.feeds:
            if (feed.shape, feed.dtype) == (node.shape, node.dtype):
                yield without(program, node, feed)
    yield from simpler(program)


def isolated(program: Program, node: Node) -> Iterator[Program]:
    """One op with its inputs as arguments: by itself, and with the other results that are computed from it."""
    values, small = values_of(Ran(program.graph, nothing, program.args, True)), program
    for feed in dict.fromkeys(node.feeds):
        found = next((n for n in small.graph.nodes if n.name == feed.name), None)
        if found is not None and found.kind != "placeholder":
            small = given_instead(small, found, values[feed])
    at = [n for n in small.graph.nodes if n.name == node.name]
    if at:
        yield pruned(small.graph, small.graph.nodes[:-1], at, small.args)
        yield small


def simpler(program: Program) -> Iterator[Program]:
    """The same graph with simpler arguments: without gradients, small, ones."""
    for i, x in enumerate(program.args):
        if isinstance(x, Tensor) and x.requires_grad:
            yield replace(program, args=[*program.args[:i], x.detach(), *program.args[i + 1 :]])
    lengths = {n for x in program.args if isinstance(x, Tensor) for n in x.shape}
    for length in sorted(lengths - {*SMALL}, reverse=True):
        for small in SMALL:
            yield resized(program, length, small)
    for i, x in enumerate(program.args):
        if isinstance(x, Tensor) and not bool((x.detach().value == 1).all()):
            ones = Tensor(xp.ones_like(x.detach().value)).requires_grad_(x.requires_grad)
            yield replace(program, args=[*program.args[:i], ones, *program.args[i + 1 :]])


def nothing(*_: Any) -> None:
    """Where a graph is only run op by op."""


def leaves_of(tree: Any) -> list[Node]:
    """The nodes in a result, each once."""
    return [*dict.fromkeys(x for x in flatten(tree)[0] if isinstance(x, Node))]


def pruned(graph: Graph, nodes: list[Node], results: list[Node], args: list[Any]) -> Program:
    """The part of some nodes that leads to the results, with the arguments that it reads."""
    needed, pending = set[Node](), [*results]
    while pending:
        node = pending.pop()
        if node not in needed:
            needed.add(node)
            pending += node.feeds
    places = [n for n in nodes if n.kind == "placeholder"]
    args = [x for n, x in zip(places, args, strict=True) if n in needed]
    return Program(of_nodes(graph, [n for n in nodes if n in needed], tuple(results)), args)


def replaced(program: Program, old: Node, new: Node, first: list[Node], args: list[Any]) -> Program:
    """The graph with `new` for `old`, and `first` as further arguments."""
    swap, nodes = {old: new}, [*program.graph.placeholders, *first]
    for node in program.graph.nodes:
        if node.kind not in ("placeholder", "output") and node is not old:
            swap[node] = replace(node, inputs=renamed(node.inputs, swap))
            nodes.append(swap[node])
    results = leaves_of(renamed(tuple(leaves_of(program.graph.returned)), swap))
    return pruned(program.graph, nodes, results, [*program.args, *args])


def given_instead(program: Program, node: Node, value: Any) -> Program:
    """A value as an argument, so that what computes it can go."""
    new = Node("placeholder", graph_unique(program.graph, f"{node.name}_given"), replace(node.facts))
    return replaced(program, node, new, [new], [copied(value)])


def without(program: Program, node: Node, feed: Node) -> Program:
    """The graph with an input of an op in place of the op."""
    return replaced(program, node, feed, [], [])


def closed(program: Program) -> Program:
    """The graph with arguments for what no line of Python can say: constants, and functions with rules of their own."""
    while (node := next((n for n in program.graph.nodes if n.kind in ("get_attr", "part")), None)) is not None:
        program = given_instead(program, node, values_of(Ran(program.graph, nothing, program.args, True))[node])
    return pruned(program.graph, program.graph.nodes[:-1], leaves_of(program.graph.returned), program.args)


def resized(program: Program, old: int, new: int) -> Program:
    """The graph with another length for one, wherever it stands."""
    twin: dict[Node, Node] = {}
    for node in program.graph.nodes[:-1]:
        facts = replace(node.facts, shape=swapped(node.shape, old, new), strides=None)
        params = {name: swapped(x, old, new) for name, x in node.params.items()}
        twin[node] = replace(node, inputs=renamed(node.inputs, twin), params=params, facts=facts)
    results = tuple(twin[r] for r in leaves_of(program.graph.returned))
    return Program(of_nodes(program.graph, [*twin.values()], results), [cut(x, old, new) for x in program.args])


def swapped(x: Any, old: int, new: int) -> Any:
    """A parameter with one length for another."""
    if type(x) in (tuple, list):
        return type(x)([swapped(part, old, new) for part in x])
    return new if type(x) is int and x == old else x


def cut(x: Any, old: int, new: int) -> Any:
    """A tensor of which every axis of one length is cut to another."""
    if not isinstance(x, Tensor):
        return x
    part = x.detach()[tuple(slice(0, new if n == old else None) for n in x.shape)] if x.ndim else x.detach()
    return part.clone().requires_grad_(x.requires_grad)
