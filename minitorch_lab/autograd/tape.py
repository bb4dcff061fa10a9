"""Recording: the node that an op leaves on the tape, with what its rules will need."""

from __future__ import annotations

from typing import Any

from ..ops.op import INPUTS, Op
from ..tensors.tensor import Storage, Tensor, home, tracked
from .node import NOTHING, Node, Saved, next_order

new_node = Node.__new__


def save(x: Tensor, node: Node | None) -> Saved:
    """What the tape keeps of `x`, whose node is `node` (None for an op's own output: it would be a cycle)."""
    storage = x.storage
    if storage is None:
        storage = x.storage = Storage()
    kept = Saved()
    kept.value, kept.node, kept.storage, kept.version = x.value, node, storage, storage.version
    return kept


def record(op: Op, args: tuple[Any, ...], params: dict[str, Any], level: int = 0) -> Node | None:
    """The node of `op(*args)` on the tape of `level`, with its inputs saved; None if no gradient flows through it."""
    edges: list[Node | None] = [None] * len(args)
    reached: list[int] = []
    for i, (a, rule) in enumerate(zip(args, op.rules(len(args)), strict=True)):
        if rule is not None and isinstance(a, Tensor) and a.level == level and (edge := tracked(a)) is not None:
            edges[i] = edge
            reached.append(i)
    if not reached or op.stops(params):
        return None
    node = new_node(Node)
    node.op, node.edges, node.params, node.hooks, node.order = op, tuple(edges), params, None, next_order()
    kept = op.kept(reached)
    node.saved = {name: keep(name, args, op, level) for name in kept} if kept else NOTHING
    return node


def keep(name: str, args: tuple[Any, ...], op: Op, level: int) -> Any:
    """What a rule's parameter `name` stands for, at the time of recording."""
    if (i := INPUTS.get(name)) is not None:
        return kept_input(args[i], level)
    if name == "out":
        return None  # not yet computed: finish() fills it in
    if name == "*":
        return tuple(kept_input(a, level) for a in args[op.rest :])
    if name == "shapes":
        return tuple(shape_of(a) for a in args)
    a = args[INPUTS[name[0]]]
    if name.endswith("_shape"):
        return shape_of(a)
    return a.dtype if name.endswith("_dtype") else a.device


def kept_input(a: Any, level: int) -> Any:
    """A tensor with its version; one of a level below whole, for here it is a value. Others as they are."""
    if not isinstance(a, Tensor):
        return a
    kept = save(a, tracked(a))
    if a.level != level:
        kept.value, kept.node = a, None
    return kept


def finish(node: Node, out: Tensor) -> None:
    """Complete the node now that its output is there."""
    node.shape = out.shape
    saved: Any = node.saved
    if "out" in saved:
        saved["out"] = save(out, None)


def shape_of(a: Any) -> tuple[int, ...]:
    """The shape of a tensor, an array or a number."""
    return tuple(getattr(a, "shape", ()))


def held(a: Any) -> Any:
    """The array in `a`, or `a` itself if it is a number or an array."""
    if isinstance(a, Tensor):
        return a.value if a.level == 0 else home(a)
    return a
