"""`backward()` as a part of the graph: its ops enter the graph, and what arrives at the leaves is written after it.

That can be where all that the walk meets was computed in the pending graph, from leaves that nobody watches. Elsewhere
the graph ends, and the walk runs for real.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getattr_static
from types import FunctionType
from typing import Any

from ....autograd.gradients import grad
from ....autograd.node import NOTHING, Leaf, Node, Saved, next_order
from ....core.array import int64
from ....core.interpret import grad_enabled
from ....ops.elementwise import mul
from ....ops.loss import labels_fit
from ....ops.movement import clone
from ....ops.op import Op
from ....tensors.tensor import Tensor, marks_of, tracked
from ...autodiff.aot import reached
from ...ir.graph import Graph
from ...ir.graph import Node as Value
from ...ir.sizes import sizes_in
from .engine import FACTS
from .names import Kept
from .ops import Ops
from .reads import ours
from .shadow import taken_over, walked_in_shadow
from .tree import Made, Segment


class Walks(Ops):
    """The part of the recorder that walks backward."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.freeing = False  # whether a walk in the pending graph has freed what it met

    def walk(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """`backward()`."""
        self.during = name = self.fresh()
        self.recall(name)
        if name not in self.made:
            leaves = self.leaves_of(args, kwargs)
            self.making.append(Made(name, fact=(leaves, self.numbers_in(args[0]) if leaves else ())))
        self.ahead.discard(name)
        names, numbers = (self.made.get(name) or self.making[-1]).fact
        self.during = ""
        if names is None or set(numbers) & self.late or not all(self.steady(x) for x in self.numbers_of(numbers)):
            self.walk_between(args, kwargs)
            return
        tensors = self.tensors_of(names)
        for n in names:
            self.distinct(tensors[n], n)
        self.guard(f"plain_leaves({', '.join(names)})", True, set(names))
        leaves = [tensors[n] for n in names]
        retain = bool(kwargs.get("retain_graph"))
        found = self.engine_call(gradients, (args[0], retain, *leaves), {})
        self.freeing = self.freeing or not retain
        for leaf, g in zip(leaves, self.inside(found), strict=True):
            self.arrive(leaf, g)

    def of_tensor(self, x: Tensor, name: str) -> Any:
        """An attribute of a tensor."""
        if name in FACTS:
            return self.fact(self.lengthy(name, x, getattr(x, name)))
        if callable(method := getattr(type(x), name, None)):
            if isinstance(method, FunctionType) and not ours(method.__module__):
                self.class_attribute(type(x), name, anyhow=True)
            return getattr(x, name)
        if name in ("T", "mT"):
            return self.engine_call(getattr(Tensor, name).fget, (x,), {})
        if name in ("grad", "is_leaf"):
            key = (id(x), name)
            if key not in self.attributes:
                self.attributes[key] = self.perform(getattr, (x, name), tag=name, safe=True)
            return self.attributes[key]
        marked = name in marks_of(x)
        if marked or getattr_static(type(x), name, None) is None:
            uses = set[str]()
            owner = self.ref(x, uses) if hasattr(x, "__dict__") else self.c.pool(type(x))
            self.guard(f"hasattr({owner}, {name!r})", marked, uses)
            return self.read_attribute(x, name) if marked else getattr(x, name)  # which it has not
        return NotImplemented

    def write_gradient(self, x: Tensor, name: str, value: Any) -> None:
        """`x.grad = value`.

        What is known of the gradients of others is forgotten, unless they are known to be others. And an earlier
        assignment that nobody can have seen is left out.
        """
        self.only_looks("the function of a transform writes a gradient")
        uses = set[str]()
        target = self.ref(x, uses)
        if target not in self.late:
            self.distinct(x, target)
        for line in self.after:
            line.replaced = line.replaced or line.text.startswith((f"{target}.grad = ", f"{target}.node.grad = "))
        self.perform(setattr, (x, name, value), guarded=False, early=False)
        for key in [k for k in self.attributes if k[1] == name and f"seen {self.names.get(k[0])}" not in self.done]:
            del self.attributes[key]
        self.written.add(name)
        self.attributes[id(x), name] = value
        if value is None and tracked(x) is not None and x.link is None and type(x).grad is Tensor.grad:
            self.straight(target)

    def straight(self, target: str) -> None:
        """A gradient that fits is written where it belongs, and nothing is asked."""
        for line in self.after[-1:]:
            line.text = line.text.replace(f"{target}.grad = ", f"{target}.node.grad = ")

    def arrive(self, leaf: Tensor, g: Tensor) -> None:
        """Add what reaches a leaf to its gradient."""
        held = self.of_tensor(leaf, "grad")
        if held is None:
            if self.fact(g.value.base is not None):  # it shows memory of another, and will be written to
                with grad_enabled(False):
                    g = self.engine_call(clone, (g,), {})
            self.write_gradient(leaf, "grad", g)
            self.straight(self.ref(leaf, set()))
            return
        with grad_enabled(False):
            self.engine_call(Tensor.add_, (held, g), {})

    def shadow(self, f: Any, given: Any) -> tuple[list[Value], Any] | None:
        """Of a walk too: it depends on all that the pending graph holds."""
        if f is not gradients:
            return super().shadow(f, given)
        if not any(sizes_in(n.shape, n.inputs, n.params) for n in self.layer.graph.nodes):
            return [], None
        root, _, *leaves = given[0]
        return walked_in_shadow(self.layer, root, leaves)

    def follow(self, f: Any, given: Any, shadows: list[Value] | None, nodes: list[Value]) -> None:
        """The rules of a walk look at the shapes of real tensors: without a shadow all sizes are relied on."""
        if f is gradients and not taken_over(shadows, [n for n in nodes if n.kind != "placeholder"]):
            self.fix(*((n.shape, n.inputs, n.params) for n in self.layer.graph.nodes))
        elif f is not gradients:
            super().follow(f, given, shadows, nodes)

    def leaves_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, ...] | None:
        """The names of the leaves that a walk would reach; None if it is no part of the graph."""
        root = args[0]
        self.fix(*self.lengths(root))
        if len(args) > 1 or kwargs.keys() - {"retain_graph"} or root.value.size != 1 or tracked(root) is None:
            return None
        owners = self.layer.outer
        leaves: dict[str, None] = {}
        pending, seen = [root.node], set[Node]()
        while pending:
            node = pending.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            if node.op is None and node in owners and plain(node):
                leaves[owners[node]] = None
            elif node.op is None or node in owners or node.hooks is not None or not self.open(node):
                return None
            else:
                pending += node.edges
        return tuple(leaves) if len(self.tensors_of(leaves)) == len(leaves) else None

    def numbers_in(self, root: Tensor) -> tuple[str, ...]:
        """The names of the numbers that the rules of a walk compute with; that of a product only hands them on."""
        met = set(history(root.node))
        held = [numbers for node, numbers in self.layer.numbers.items() if node in met and node.op is not mul]
        return tuple(dict.fromkeys(self.names[id(x)] for numbers in held for x in numbers.values()))

    def numbers_of(self, names: tuple[str, ...]) -> list[Any]:
        """The numbers that have these names."""
        found = {name: self.keep[k] for k, name in self.names.items() if name in names}
        return [found[name] for name in names]

    def open(self, node: Node) -> bool:
        """Whether the rule of a node computes from what the graph knows: it was not freed, and is no Function's."""
        if node.saved is None or "ctx" in node.saved:
            return False
        kept = [part for x in node.saved.values() for part in (x if type(x) in (list, tuple) else (x,))]
        return all(self.layer.node_of(x.value) is not None for x in kept if type(x) is Saved)

    def tensors_of(self, names: Any) -> dict[str, Tensor]:
        """The living tensors that have these names."""
        kept = {name: self.keep[k] for k, name in self.names.items() if name in names}
        held = {name: x() for name, x in kept.items() if isinstance(x, Kept)}
        return {name: x for name, x in held.items() if x is not None}

    # ---- labels -----------------------------------------------------------------------------------------------------
    def guard_labels(self, input: Any = None, target: Any = None, *_: Any, **__: Any) -> None:
        """Classes are entries of a tensor, and a kernel does not look at them: that they fit is guarded."""
        tensors = isinstance(input, Tensor) and isinstance(target, Tensor)
        if not tensors or not input.ndim or target.dtype != int64:
            return
        axis, facts = min(1, input.ndim - 1), self.facts_here(input)
        if facts is not None:
            self.fix(facts.shape[axis])
        self.fitting(target, int(input.shape[axis]))

    def fitting(self, labels: Tensor, classes: int) -> bool:
        """Whether labels name classes, guarded.

        Labels that the pending graph only moves about are looked at where they came from, so that it need not end.
        """
        name = self.names.get(id(labels))
        if name is None:
            return False
        asked = {name: labels}
        if name in self.late:
            found = self.tensors_of(self.origins_of(labels))
            if found and all(labels_fit(x, classes) for x in found.values()):
                asked = found
            else:
                self.flush()
        return all(self.guard(f"labels_fit({n}, {classes})", labels_fit(x, classes), {n})[1] for n, x in asked.items())

    def origins_of(self, x: Tensor) -> set[str]:
        """The arguments of the pending graph of which the entries of a tensor are some; none if it has others."""
        names = {node: name for name, node in self.layer.inputs.items()}
        pending, found = [self.layer.node_of(x)], set[str]()
        while pending:
            node = pending.pop()
            if node is None or node.dtype != int64 or (node not in names and not (node.op and node.op.moves)):
                return set()
            if node in names:
                found.add(names[node])
            else:
                pending += node.feeds[: node.op.rest if node.op else None]
        return found

    # ---- histories that were walked ---------------------------------------------------------------------------------
    def pending(self) -> Segment | None:
        """The graph as it stands. A value whose history no result hands on needs none."""
        graph, freeing, self.freeing = self.layer.graph, self.freeing, False
        segment = super().pending()
        if segment is None:
            return None
        living = self.tensors_of(segment.alive)
        grown = {name: node for name, x in living.items() if (node := tracked(x)) is not None}
        if freeing:
            segment.spent = {name: node.op for name, node in grown.items() if node.op is not None and meets_freed(node)}
        handed = [segment.results[name] for name in grown if name not in segment.spent]
        handed += self.grown_by_writes(graph)
        graph.recorded = bool(handed)
        if freeing and handed:
            needed = leading(handed)
            for node in graph.calls:
                node.grad = node.grad and node in needed
        return segment

    def grown_by_writes(self, graph: Graph) -> list[Value]:
        """The writes that may hand on a history: what is written depends on an argument that has one."""
        writes = [n for n in graph.nodes if n.kind == "write" and n.grad]
        if any(n.blocks or (n.kind == "get_attr" and tracked(n.payload) is not None) for n in graph.nodes):
            return writes
        living = self.tensors_of(set(self.layer.inputs)) if writes else {}
        plain = {node for name, node in self.layer.inputs.items() if name in living and tracked(living[name]) is None}
        owned = [i for i, n in enumerate(graph.placeholders) if n not in plain and not n.facts.number]
        moving = reached(graph, owned) if writes else set[Value]()
        return [n for n in writes if n in moving]

    def walk_between(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """`backward()`, between two graphs: see `recorder.py`."""
        raise NotImplementedError


def gradients(root: Tensor, retain: bool, *leaves: Tensor) -> list[Tensor]:
    """What a walk from `root` brings to the leaves."""
    return [g for g in grad(root, leaves, retain_graph=retain) if g is not None]


def plain(node: Any) -> bool:
    """Whether a gradient just arrives at a node: a leaf without hooks, of which no gradient with a history is known."""
    return type(node) is Leaf and node.hooks is None and (node.grad is None or node.grad.node is None)


def plain_leaves(*tensors: Tensor) -> bool:
    """Whether gradients just arrive at all of them."""
    for x in tensors:  # noqa: SIM110 (each step asks this, and `all` of a generator costs more)
        if not plain(x.node):
            return False
    return True


def history(node: Node | None) -> Iterator[Node]:
    """The nodes that a walk from a node meets."""
    pending, seen = [node], set[Node | None]()
    while pending:
        node = pending.pop()
        if node is not None and node not in seen:
            seen.add(node)
            pending += node.edges
            yield node


def meets_freed(node: Node) -> bool:
    """Whether a walk from a node meets one that an earlier walk has freed."""
    return any(n.saved is None for n in history(node))


def leading(ends: list[Value]) -> set[Value]:
    """The nodes of a graph from which others were computed, and those."""
    found, pending = set[Value](), list(ends)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += node.feeds
    return found


def spend(x: Tensor, op: Op) -> None:
    """Give a value the history that it has after a walk: a node of `op` that has nothing left."""
    x.node = node = Node()
    node.op, node.edges, node.saved, node.params, node.shape = op, (), None, NOTHING, x.shape
    node.order, node.hooks = next_order(), None
