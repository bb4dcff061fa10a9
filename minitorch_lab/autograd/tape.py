"""Recording: the node that an op leaves on the tape, with what its rules will need."""

from __future__ import annotations

from typing import Any

from ..array import xp
from ..ops.op import INPUTS, Op
from ..tensor import Tensor, storage_of, tracked
from .node import NOTHING, Node, Saved, next_order

new_node = Node.__new__


def save(x: Tensor, node: Node | None) -> Saved:
    """What the tape keeps of `x`, whose node is `node` (None for an op's own output: it would be a cycle)."""
    storage = x.storage
    if storage is None:
        storage = storage_of(x)
    kept = Saved()
    kept.value, kept.node, kept.storage, kept.version = x.value, node, storage, storage.version
    return kept


def record(op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Node | None:
    """The node of `op(*args)`, with its inputs saved; None if no gradient flows through it."""
    edges: list[Node | None] = [None] * len(args)
    reached: list[int] = []
    for i, (a, rule) in enumerate(zip(args, op.rules(len(args)), strict=True)):
        if rule is not None and isinstance(a, Tensor) and (edge := tracked(a)) is not None:
            edges[i] = edge
            reached.append(i)
    if not reached:
        return None
    node = new_node(Node)
    node.op, node.edges, node.params, node.hooks, node.order = op, tuple(edges), params, None, next_order()
    kept = op.kept(reached)
    node.saved = {name: keep(name, args, edges, op) for name in kept} if kept else NOTHING
    return node


def keep(name: str, args: tuple[Any, ...], edges: list[Node | None], op: Op) -> Any:
    """What a rule's parameter `name` stands for, at the time of recording."""
    if (i := INPUTS.get(name)) is not None:
        a = args[i]
        return save(a, edges[i] or tracked(a)) if isinstance(a, Tensor) else a
    if name == "out":
        return None  # not yet computed: finish() fills it in
    if name == "ctx":
        return op.ctx  # pyright: ignore[reportAttributeAccessIssue]  (a Function's)
    if name == "*":
        return tuple(save(a, tracked(a)) if isinstance(a, Tensor) else a for a in args[op.rest :])
    if name == "shapes":
        return tuple(tuple(xp.shape(held(a))) for a in args)
    a = args[INPUTS[name[0]]]
    if name.endswith("_shape"):
        return tuple(xp.shape(held(a)))
    return a.dtype if name.endswith("_dtype") else a.device


def finish(node: Node, out: Tensor) -> None:
    """Complete the node now that its output is there."""
    node.shape = out.value.shape
    if "out" in node.saved:  # pyright: ignore[reportOperatorIssue]
        node.saved["out"] = save(out, None)  # pyright: ignore[reportOptionalSubscript]


def held(a: Any) -> Any:
    """The array in `a`, or `a` itself if it is a number or an array."""
    return a.value if isinstance(a, Tensor) else a
