"""Walks through a region that begin at some of its results: what must be computed for them.

Op by op, a walk meets only what its root depends on. A backward kernel is made for the tangents of all results, so for
a walk from some of them it is made again without the others. What is computed from missing tangents alone vanishes
with them; a number or a saved value never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...func.trees import flatten
from ...ops.op import OPS
from ..ir.graph import Graph, Node
from .partition import behind, copied, onward

ADD, SUB, NEG = OPS["add"], OPS["sub"], OPS["neg"]


@dataclass(eq=False, slots=True)
class Walk:
    """A backward graph for some tangents: which of the saved values it reads, and which gradients it gives."""

    graph: Graph
    saved: list[int]
    gradients: list[int]


def walk_from(backward: Graph, count: int, asked: Sequence[int]) -> Walk:
    """The walk that begins with the tangents `asked`.

    Args:
        backward: A backward graph: its arguments are saved values and then tangents, its results gradients.
        count: How many values are saved.
        asked: The numbers of the tangents that are there.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.autodiff.aot import joint
        >>> from minitorch_lab.compiler.autodiff.partition import default_partition
        >>> graph = ml.jit.trace(lambda a, b: (a * 2, a * b), ml.ones(2), ml.ones(2)).graph
        >>> parts = default_partition(joint(graph))
        >>> parts.backward
        backward(primals_1: f32[2], primals_2: f32[2], tangents_1: f32[2], tangents_2: f32[2]):
            mul_2: f32[2] = mul(tangents_2, primals_2)
            mul_3: f32[2] = mul(tangents_2, primals_1)
            mul_4: f32[2] = mul(tangents_1, 2)
            add: f32[2] = add(mul_2, mul_4)
            return [add, mul_3]
        >>> walk_from(parts.backward, 2, [0]).graph
        backward(tangents_1: f32[2]):
            mul_4: f32[2] = mul(tangents_1, 2)
            return [mul_4]
    """
    arguments = backward.placeholders
    tangents = arguments[count:]
    missing = {t for i, t in enumerate(tangents) if i not in asked}
    graph, twin = without(backward, tangents, missing)
    found = flatten(backward.returned)[0]
    gradients = [i for i, g in enumerate(found) if g in twin]
    results = [twin[found[i]] for i in gradients]
    needed = behind(results)
    saved = [i for i, n in enumerate(arguments[:count]) if twin[n] in needed]
    given = [twin[arguments[i]] for i in saved] + [twin[t] for t in tangents if t not in missing]
    return Walk(copied(backward.name, graph, needed, given, results), saved, gradients)


def without(backward: Graph, tangents: list[Node], missing: set[Node]) -> tuple[Graph, dict[Node, Node]]:
    """The graph without the tangents in `missing`, and what stands there for each node that has not vanished."""
    driven, zero = onward(backward, tangents), set(missing)
    graph, twin = Graph(backward.name), dict[Node, Node]()
    for node in backward.nodes[:-1]:
        moving = [n for n in node.feeds if n in driven]
        if node in missing or (moving and all(n in zero for n in moving)):
            zero.add(node)
        elif (term := sole_term(node, zero)) is not None:
            negative = node.op is SUB and term is node.inputs[1]
            twin[node] = graph.call(NEG, (twin[term],), {}, node.facts) if negative else twin[term]
        else:
            inputs = tuple(nothing(graph, i) if i in zero else twin.get(i, i) for i in node.inputs)
            twin[node] = graph.add(replace(node, name=graph.unique(node.name), inputs=inputs))
    return graph, twin


def sole_term(node: Node, zero: set[Node]) -> Node | None:
    """The other term of a sum or difference in which one vanishes, if it is the whole. A number never vanishes."""
    if node.op not in (ADD, SUB):
        return None
    terms = [i for i in node.inputs if i not in zero]
    if len(terms) != 1 or not isinstance(terms[0], Node):
        return None
    return terms[0] if (terms[0].shape, terms[0].dtype) == (node.shape, node.dtype) else None


def nothing(graph: Graph, node: Node) -> Node:
    """Zeros in place of a node."""
    params = {"shape": node.shape, "value": 0, "dtype": node.dtype}
    return graph.call(OPS["full"], (), params, node.facts)
