"""Which ops share a loop?

An op by itself reads its inputs from memory and writes its output back. Ops in one loop hand numbers over in
registers. Elementwise ops may share a loop, and so may sums and maxima along rows, if the loop is the same for all, and
if nothing outside has to run in the middle. Where the answer is no, it comes with its reason.
"""

from dataclasses import dataclass, field

from . import ops
from .graph import typed

VIEWS = {ops.reshape, ops.permute, ops.expand, ops.crop}


def is_row_reduction(node):
    """Whether it makes one number of every row."""
    return node.op in (ops.reduce_sum, ops.reduce_max) and node.params["axes"] == (len(node.shape) - 1,)


def is_loop(node):
    """Whether a loop over entries or rows computes it, in floats of one size."""
    is_float = str(node.dtype) in ("float32", "float64")
    one_type = is_float and all(n.is_constant or n.dtype == node.dtype for n in node.inputs)
    return one_type and (node.op.c is not None or is_row_reduction(node)) and 0 not in domain_of(node)


def domain_of(node):
    """What the loop of a node runs over."""
    return node.inputs[0].shape if is_row_reduction(node) else node.shape


@dataclass(eq=False)
class Group:
    """Nodes that run together: one loop, or one call of a library."""

    nodes: list
    domain: tuple = ()
    outputs: list = field(default_factory=list)

    @property
    def is_loop(self):
        """Whether it becomes a kernel of our own."""
        return is_loop(self.nodes[0])

    @property
    def inputs(self):
        """What the group reads of others, each once."""
        inside = set(self.nodes)
        return list(dict.fromkeys(n for node in self.nodes for n in node.inputs if n not in inside))


class Fuser:
    """Puts each node into the group of what it reads, wherever that is legal."""

    def __init__(self, graph):
        self.graph, self.group, self.reasons = graph, {}, {}
        for node in graph.nodes:
            self.place(node)

    def place(self, node):
        """Join the groups of the inputs, one after the other."""
        mine = self.group[node] = Group([node], domain_of(node))
        for producer in [n for n in node.inputs if n in self.group]:
            other = self.group[producer]
            if other is mine:
                continue
            reason = self.why_apart(other, mine, node)
            self.reasons[producer, node] = reason or "fused"
            if not reason:
                self.merge(other, mine)
                mine = other

    def merge(self, one, two):
        """Make the nodes of `two` part of `one`."""
        one.nodes += two.nodes
        one.domain = larger(one.domain, two.domain)
        for n in two.nodes:
            self.group[n] = one

    def why_apart(self, one, two, node):
        """Why two groups cannot share a loop, in words; "" if they can."""
        for n in (one.nodes[0], two.nodes[0]):
            if n.op in VIEWS:
                return f"{n} is a view: there is nothing to compute."
            if not is_loop(n):
                return f"{n} is no loop over rows of floats of one size: a library computes it."
        if one.nodes[0].dtype != two.nodes[0].dtype:
            return f"{typed(one.nodes[0])} and {typed(two.nodes[0])} differ in dtype."
        if larger(one.domain, two.domain) is None:
            return f"{one.nodes[0]} loops over {list(one.domain)}, {node} over {list(two.domain)}."
        for other in self.groups_read_by(one, two):
            if {one, two} & self.groups_behind(other):
                return f"{other.nodes[-1]}, which is not in the loop, has to run between its parts."
        return ""

    def groups_read_by(self, *groups):
        """The other groups that these read directly."""
        return {self.group[n] for one in groups for n in one.inputs if n in self.group} - set(groups)

    def groups_behind(self, group):
        """All groups that have to run before `group`, and itself."""
        seen, todo = {group}, [group]
        while todo:
            fresh = self.groups_read_by(todo.pop()) - seen
            seen |= fresh
            todo += fresh
        return seen

    def groups(self):
        """All groups, each after those that it reads, with what others read of it."""
        ordered, todo = [], list(dict.fromkeys(self.group[n] for n in reversed(self.graph.nodes)))
        while todo:
            group = todo[-1]
            waiting = [one for one in self.groups_read_by(group) if one not in ordered]
            if waiting:
                todo += waiting
            elif todo.pop() not in ordered:
                ordered.append(group)
        for group in ordered:
            inside = set(group.nodes)
            group.nodes = [n for n in self.graph.nodes if n in inside]
            read = {n for node in self.graph.nodes if node not in inside for n in node.inputs}
            group.outputs = [n for n in group.nodes if n in read or n in self.graph.outputs]
        return ordered

    def explain(self):
        """Every edge of the graph, with the answer."""
        return "\n".join(f"{a} -> {b}: {reason}" for (a, b), reason in self.reasons.items())


def larger(one, two):
    """The domain that covers both: the same rows; whole rows rather than one number for each. Or None."""
    if len(one) != len(two) or one[:-1] != two[:-1]:
        return None
    if one == two or two[-1] == 1:
        return one
    return two if one[-1] == 1 else None
