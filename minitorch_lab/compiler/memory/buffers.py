"""Which values of a graph need memory of their own, for how long, and which take over the memory of another."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from ..ir.graph import Graph, Node
from ..ir.sizes import alike
from ..ir.views import is_view, root
from .plan import Life


@dataclass(eq=False, slots=True)
class Homes:
    """The lives of the temporaries of a graph, which value has which, and results that an argument's memory takes."""

    lives: list[Life] = field(default_factory=list[Life])
    home: dict[Node, int] = field(default_factory=dict[Node, int])  # the life of every temporary
    donated: dict[Node, Node] = field(default_factory=dict[Node, Node])  # from a value to the argument it lies in


def homes(graph: Graph, writes_out: Callable[[Node], bool] = lambda node: True, donate: Collection[str] = ()) -> Homes:
    """What the temporaries of a pure graph need.

    Args:
        graph: The graph. Its steps are the positions of its nodes.
        writes_out: Whether the op of a node can write its result into memory that it is given. All, if left out.
        donate: Names of arguments that the caller gives up: a result may be written over one that is read no more.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a: (a * 2 + 1).tanh().sum(), ml.ones(8)).graph
        >>> homes(graph).lives
        [Life(nbytes=32, first=1, last=4, names=('mul', 'add', 'tanh'))]
    """
    found = Homes()
    ends, leaving = last_reads(graph), {root(n) for n in graph.nodes[-1].feeds}
    given = [n for n in graph.placeholders if n.name in donate and n not in leaving]
    written = {n.inputs[1]: n.inputs[0] for n in graph.nodes if n.kind == "write"}
    for step, node in enumerate(graph.nodes):
        if node.kind != "call" or is_view(node) or not node.nbytes or not writes_out(node):
            continue
        ending = {n for n in node.feeds if ends[n] == step and read_directly(n, node)} if entrywise(node) else set()
        over = written.get(node)
        if over is not None and node not in leaving and fits(over, node) and (ends[over] < step or over in ending):
            found.donated[node] = over
            continue
        if node in leaving:
            over = [n for n in given if fits(n, node) and (ends[n] < step or n in ending)]
            if over:
                found.donated[node] = max(over, key=lambda n: n in ending)
                given.remove(found.donated[node])
            continue
        reused = next((n for n in node.feeds if n in ending and n in found.home and fits(n, node)), None)
        if reused is None:
            found.home[node] = len(found.lives)
            found.lives.append(Life(node.nbytes, step, ends[node], (node.name,)))
        else:
            i = found.home[node] = found.home[reused]
            found.lives[i] = replace(found.lives[i], last=ends[node], names=(*found.lives[i].names, node.name))
    return found


def entrywise(node: Node) -> bool:
    """Whether the op reads an entry before it writes it: then it may write into its own input."""
    return node.op is not None and node.op.entrywise


def read_directly(value: Node, reader: Node) -> bool:
    """Whether `reader` sees `value` as it lies, and not through a view, which would read other entries first."""
    return all(feed is value for feed in reader.feeds if root(feed) is value)


def fits(old: Node, new: Node) -> bool:
    """Whether the memory of `old` can hold `new` entry by entry."""
    return alike(old.shape, new.shape) and old.dtype == new.dtype


def last_reads(graph: Graph) -> dict[Node, int]:
    """The step at which the memory of a value is read last: by itself, or by a view of it."""
    ends: dict[Node, int] = {}
    for step, node in enumerate(graph.nodes):
        ends.setdefault(node, step)
        for feed in node.feeds[1:] if node.kind == "write" else node.feeds:  # a write does not read what it overwrites
            ends[root(feed)] = step
    return ends
