"""Constant folding: what depends on numbers alone is computed now, once, instead of at every run."""

from __future__ import annotations

from contextvars import Context
from typing import Any

from ...core.array import xp
from ...tensors.tensor import Tensor
from ..ir.evaluate import evaluate_call
from ..ir.fake import facts_of
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, acts
from ..ir.sizes import sizes_in

LARGEST = 1 << 24  # bytes; a constant is kept for as long as the graph


def fold(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with constants in place of what can be computed before it runs.

    A tensor from outside is no constant: the graph reads it anew whenever it runs (see `freeze`). A result is none
    either: whoever gets it may write to it.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = fold(ml.jit.trace(lambda x: x * (ml.ones(2) * 3).exp(), ml.ones(2)).graph)
        >>> print(graph)  # the dead ends are left to dce
        graph(x: f32[2]):
            full: f32[2] = full(shape=(2,), value=1, dtype=float32)
            constant: f32[2]
            constant_1: f32[2]
            mul_1: f32[2] = mul(x, constant_1)
            return mul_1
    """
    return Folding(graph, tally).rewritten()


class Folding(Rewriter):
    """Knows which values of the new graph are constants."""

    made_by = "fold"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The value, if all inputs are constants, and it is not returned or written to."""
        free = node.params.get("device", "cpu") == "cpu" and node not in self.leaving | self.written
        if (
            not inputs
            or not free
            or sizes_in(inputs, node.params)
            or not all(map(constant, inputs))
            or node.nbytes > LARGEST
        ):
            return None
        values = [payload(i) for i in inputs]
        result = Context().run(evaluate_call, node, values)  # an empty context: eagerly, whoever is in force here
        folded = self.new.get_attr(result.detach(), facts_of(result))
        folded.line, folded.made_by = node.line, self.made_by
        return "folded", folded


def constant(x: Any) -> bool:
    """Whether `x` is known before the graph runs: a number, a tensor that a pass made, or one filled with a number."""
    if not isinstance(x, Node):
        return True
    return (x.kind == "get_attr" and bool(x.made_by)) or (filled(x) and not sizes_in(x.shape, x.params))


def filled(x: Node) -> bool:
    """Whether `x` is made of numbers alone: full, arange."""
    return x.kind == "call" and not x.inputs and x.nbytes <= LARGEST and not acts(x)


def payload(x: Any) -> Any:
    """The constant itself."""
    if not isinstance(x, Node):
        return x
    assert x.op is not None or x.payload is not None
    return x.payload if x.op is None else Tensor(xp.asarray(x.op.impl(**x.params)))
