"""What the launches of a kernel move and do, as data: fusion groups, with their reasons and the lines of each op."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...autograd.anomaly import Place
from ...ops.work import work
from ..ir.cost import computed
from ..ir.graph import Graph, Node
from ..ir.views import root
from ..loops.show import listing
from ..schedule.program import Program, Step
from ..schedule.traffic import Traffic, before

Json = dict[str, Any]
Count = Callable[[Graph, Any], Traffic]


def compare_traffic(graph: Graph, kernel: Any, count: Count) -> Json | None:
    """Launches, operations and bytes of a kernel, as its backend counts them, and of the same op by op.

    None where sizes are left open.
    """
    if not static(graph):
        return None
    program: Program | None = getattr(kernel, "program", None)
    start = before(program.graph if program is not None else graph)
    return {**traffic_data(count(graph, kernel)), "op_by_op": traffic_data(start)}


def static(graph: Graph) -> bool:
    """Whether all sizes are numbers. Of those that are left open nothing may be asked."""
    return all(type(n) is int for node in graph.nodes for n in node.shape)


def traffic_data(traffic: Traffic) -> Json:
    """As data."""
    return {
        "launches": traffic.launches,
        "flops": traffic.flops,
        "nbytes": traffic.nbytes,
        "intensity": float(traffic.intensity),
    }


def groups(graph: Graph, kernel: Any) -> list[Json]:
    """The launches of a kernel in the order in which they run. Without fusion each op is one."""
    if not static(graph):
        return []
    program: Program | None = getattr(kernel, "program", None)
    if program is None:
        return [of_node(n) for n in computed(graph)]
    return [of_kernel(program, s) if s.kernel else of_node(s.node) for s in program.steps if s.kernel or s.node]


def of_kernel(program: Program, step: Step) -> Json:
    """A kernel that was generated."""
    kernel = step.kernel
    assert kernel is not None
    size = {name: v.nbytes for name, v in program.values.items()}
    stores = dict.fromkeys(s.buffer for s in kernel.stores() if s.buffer not in program.scratch)
    loads = dict.fromkeys(b for b, _ in kernel.loads() if b not in program.scratch)
    lines = listing(kernel)
    nodes = list(dict.fromkeys(line.node for line in lines if line.node is not None))
    return {
        "name": kernel.name,
        "nodes": [n.name for n in nodes],
        "reasons": list(kernel.reasons),
        "tried": dict(kernel.tried),
        **cost(nodes, {b: size[b] for b in loads}, {b: size[b] for b in stores}),
        "lines": [
            {"number": k, "text": line.text, "node": line.node and line.node.name, "place": place(line.node)}
            for k, line in enumerate(lines, 1)
        ],
    }


def of_node(node: Node | None) -> Json:
    """An op that runs alone."""
    assert node is not None
    reads = {root(f).name: root(f).nbytes for f in dict.fromkeys(node.feeds)}
    return {
        "name": node.name,
        "nodes": [node.name],
        "reasons": [],
        "tried": {},
        **cost([node], reads, {node.name: node.nbytes}),
        "lines": [],
    }


def cost(nodes: list[Node], reads: dict[str, int], writes: dict[str, int]) -> Json:
    """What some nodes do, if this is what they read and write."""
    flops = sum(work(n.op, [f.shape for f in n.feeds], n.shape) for n in nodes if n.op is not None)
    nbytes = sum(reads.values()) + sum(writes.values())
    return {
        "reads": reads,
        "writes": writes,
        "nbytes": nbytes,
        "flops": flops,
        "intensity": float(Fraction(flops, max(nbytes, 1))),
    }


def place(node: Node | None) -> Json | None:
    """The line of the user's that a node stands for."""
    return None if node is None else place_of(node.line)


def place_of(place: Place | None) -> Json | None:
    """A line of the user's."""
    if place is None:
        return None
    text = str(place).partition(": ")[2]
    return {"file": place.file, "line": place.line, "text": text}
