"""Partition: a joint graph cut into a forward and a backward graph, with as few bytes as may be kept between them.

A value that the backward graph needs is saved by the forward graph, or computed again from what is saved. Which is
cheapest is a minimum cut (Chen et al. recompute by hand; the cut is PyTorch's `min_cut_rematerialization_partition`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from ...func.trees import flatten
from ..ir.graph import Graph, Node
from ..ir.rewrite import onward, stays
from ..ir.views import is_view
from .aot import Joint

Again = Callable[[Node], bool]


@dataclass(eq=False, slots=True)
class Partition:
    """A joint graph in two: `forward` gives the outputs and what is saved, `backward` takes that and the tangents."""

    forward: Graph
    backward: Graph
    saved: list[Node]  # nodes of the joint graph
    recomputed: list[Node]

    @property
    def nbytes(self) -> int:
        """Bytes kept between the two."""
        return sum(n.nbytes for n in self.saved)


def cheap(node: Node) -> bool:
    """Whether a value may be computed again: it takes one pass over memory, and comes out the same."""
    op = node.op
    return node.kind == "call" and op is not None and not (op.work or op.expensive or op.effect)


def default_partition(joint: Joint) -> Partition:
    """Save every value of the forward pass that the backward pass reads; compute nothing again.

    Windows laid out as columns hold each entry many times, so what they show is saved, and they are laid out again.
    """
    forward, read_by = forward_nodes(joint), readers(joint)
    saved = [n for n in joint.graph.nodes if n in forward and any(r not in forward for r in read_by[n])]
    return cut(joint, list(dict.fromkeys(map(without_windows, saved))))


def without_windows(node: Node) -> Node:
    """What the windows are taken from that a value is made of, if it is nothing but windows laid out; else itself."""
    source, slides = node, False
    while is_view(source):
        slides |= source.op is not None and source.op.name == "window"
        source = source.feeds[0]
    return source if slides and source.nbytes < node.nbytes else node


def min_cut_partition(joint: Joint, budget: float = 0.0, again: Again = cheap) -> Partition:
    """Save as little as possible, computing cheap values again.

    Args:
        joint: The joint graph.
        budget: The fraction of the bytes of `default_partition` that may be kept. 0 keeps the fewest; 1 computes
            nothing again; between them as little is computed again as the budget allows.
        again: Which values may be computed again.
    """
    default = default_partition(joint)
    if budget >= 1:
        return default
    least = at_price(joint, 0.0, again)
    allowed = max(budget * default.nbytes, least.nbytes)
    low, high = 0.0, 1.0  # the price of computing an entry again, in bytes: the dearer, the more is saved
    best = least
    while at_price(joint, high, again).nbytes <= allowed and high < 1e9:
        best, low, high = at_price(joint, high, again), high, high * 4
    for _ in range(20):
        middle = (low + high) / 2
        trial = at_price(joint, middle, again)
        if trial.nbytes <= allowed:
            best, low = trial, middle
        else:
            high = middle
    return best


def at_price(joint: Joint, price: float, again: Again = cheap) -> Partition:
    """The partition with the least sum of bytes saved and `price` times the entries computed again."""
    return cut(joint, cheapest(joint, price, again))


def cheapest(joint: Joint, price: float, again: Again = cheap) -> list[Node]:
    """The values to save: a minimum cut of the network.

    It is walked from its end, because networkx then gives, of several minimum cuts, the one nearest to the inputs.
    """
    from networkx import minimum_cut  # a second to import, needed only here

    found = network(joint, price, again)
    if "sink" not in found or "source" not in found:
        return []
    _, (_, before) = minimum_cut(found.reverse(), "sink", "source")
    return [n for n in joint.graph.nodes if (n, "in") in before and (n, "out") in found and (n, "out") not in before]


def network(joint: Joint, price: float = 0.0, again: Again = cheap) -> Any:
    """The network, a networkx DiGraph, whose edges are the costs of saving and of computing again.

    Every value is two vertices, before and after. Cutting between them is saving it. A value before the cut is computed
    by the forward graph alone; one after it is computed again, for which all that it reads must be after it as well.
    An edge without a capacity cannot be cut.
    """
    from networkx import DiGraph

    made: Any = DiGraph()
    forward, tangent = forward_nodes(joint), from_tangents(joint)
    for node in joint.graph.nodes:
        if node in tangent or node.kind == "output":
            continue
        made.add_edge((node, "in"), (node, "out"), capacity=float(node.nbytes))
        if node.kind in ("placeholder", "get_attr") or not again(node):
            made.add_edge("source", (node, "in"))
        elif node in forward and price:
            made.add_edge("source", (node, "in"), capacity=price * work(node))
        for feed in set(node.feeds):
            made.add_edge((feed, "out"), (node, "in"))
    for node in needed(joint):
        made.add_edge((node, "out"), "sink")
    return made


def work(node: Node) -> float:
    """Entries that computing a value again passes over."""
    sizes = [n.nbytes / n.dtype.itemsize for n in (node, *node.feeds)]
    return max(sizes, default=0.0)


# ---- what belongs where ---------------------------------------------------------------------------------------------


def forward_nodes(joint: Joint) -> set[Node]:
    """What the outputs depend on, the primals, and what stays: nobody need read a draw for it to move its generator."""
    return lasting(joint.graph, joint.outputs, from_tangents(joint)) | set(joint.primals)


def from_tangents(joint: Joint) -> set[Node]:
    """The tangents, and what depends on them."""
    return onward(joint.graph, joint.tangents)


def needed(joint: Joint) -> set[Node]:
    """The values without a tangent in them that the rest of the backward pass reads, and gradients that are such."""
    tangent = from_tangents(joint)
    read = {feed for n in tangent for feed in n.feeds if feed not in tangent}
    return read | {g for g in joint.gradients if g not in tangent}


def behind(nodes: Iterable[Node], stop: Callable[[Node], bool] = lambda n: False) -> set[Node]:
    """`nodes` and all that they depend on, as far as `stop` does not hold."""
    pending = [n for n in nodes if not stop(n)]
    found = set(pending)
    while pending:
        for feed in pending.pop().feeds:
            if feed not in found and not stop(feed):
                found.add(feed)
                pending.append(feed)
    return found


def lasting(graph: Graph, results: Iterable[Any], later: Collection[Node] = ()) -> set[Node]:
    """What `results` depend on, and what does more than give a value; of the latter not what is done `later`."""
    acting = [n for n in graph.nodes if stays(n) and n not in later]
    return behind([*(n for n in results if isinstance(n, Node)), *acting])


def readers(joint: Joint) -> dict[Node, list[Node]]:
    """For every node, those that read it; a gradient that is a value of the forward pass is read by the backward."""
    users = {n: [u for u in us if u.kind != "output"] for n, us in joint.graph.users().items()}
    for g in joint.gradients:
        users[g].append(joint.graph.nodes[-1])
    return users


def cut(joint: Joint, saved: list[Node]) -> Partition:
    """The two graphs, given what is saved."""
    kept = set(saved)
    forward_set = forward_nodes(joint) | behind(saved)
    forward = copied("forward", joint.graph, forward_set, joint.primals, [*joint.outputs, *saved])
    backward_set = behind(joint.gradients, lambda n: n in kept)
    arguments = [*saved, *joint.tangents]
    backward = copied("backward", joint.graph, backward_set - set(arguments), arguments, list(joint.gradients))
    postpone(backward, backward.placeholders[len(saved) :])
    twice = (backward_set & forward_nodes(joint)) - from_tangents(joint)
    again = [n for n in joint.graph.nodes if n in twice and n.kind == "call"]
    return Partition(forward, backward, list(saved), again)


def joined(parts: Partition) -> Graph:
    """Forward and backward in one graph again: of the primals and tangents, giving the outputs and the gradients.

    What is computed again stands there twice. Compiled as one, what is saved lies in the arena with everything else.
    """
    new, count = Graph("step"), len(parts.saved)
    twin = {n: new.placeholder(n.name, n.facts) for n in parts.forward.placeholders}
    arguments = parts.backward.placeholders
    twin |= {n: new.placeholder(n.name, n.facts) for n in arguments[count:]}
    copy_into(new, parts.forward.nodes[:-1], twin)
    leaves = parts.forward.returned
    twin |= {n: twin[leaf] for n, leaf in zip(arguments[:count], leaves[len(leaves) - count :], strict=True)}
    copy_into(new, parts.backward.nodes[:-1], twin)
    results = [*leaves[: len(leaves) - count], *parts.backward.returned]
    new.output([twin[leaf] if isinstance(leaf, Node) else leaf for leaf in results])
    return new


def copy_into(new: Graph, nodes: Iterable[Node], twin: dict[Node, Node]) -> None:
    """Copy nodes to the end of `new`; `twin` says what stands for which, and is told of the copies."""
    for node in nodes:
        if node not in twin:
            inputs = tuple(twin[i] if isinstance(i, Node) else i for i in node.inputs)
            twin[node] = new.add(
                Node(node.kind, new.unique(node.name), node.facts, node.op, inputs, node.params, node.grad,
                     node.payload, node.blocks, node.line, node.made_by)
            )  # fmt: skip


def postpone(graph: Graph, tangents: list[Node]) -> None:
    """Move what depends on no tangent to where it is first read.

    Else all that is computed again would be alive at once, at the beginning, and nothing were gained.
    """
    driven = onward(graph, tangents)
    order: dict[Node, None] = dict.fromkeys(graph.placeholders)
    for node in graph.nodes:
        pending = [node] if node in driven or node.kind == "output" else []
        while pending:
            missing = next((feed for feed in pending[-1].feeds if feed not in order), None)
            if missing is None:
                order[pending.pop()] = None
            else:
                pending.append(missing)
    graph.nodes = list(order)


def copied(name: str, graph: Graph, keep: set[Node], arguments: list[Node], output: Any) -> Graph:
    """The nodes in `keep`, in order, as a graph of its own with these arguments and this output."""
    new = Graph(name)
    twin = {n: new.placeholder(n.name, n.facts) for n in arguments}
    copy_into(new, (n for n in graph.nodes if n in keep), twin)
    leaves, build = flatten(output)
    new.output(build([twin[leaf] if isinstance(leaf, Node) else leaf for leaf in leaves]))
    return new
