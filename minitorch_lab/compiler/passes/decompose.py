"""Decompose: an op whose record has a program becomes that, so that a backend has few ops to know: the core.

The core is functional, and says what others leave unsaid: an input that would be stretched is expanded, one that would
be converted is cast. Run it on a joint graph: the gradients are then those of the composite ops, kinks included.
After PyTorch's Core ATen operator set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.array import DType, Shape, float32
from ...ops.broadcast import expand_op
from ...ops.movement import cast
from ...ops.narrow import narrow_dtype
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally


def decompose(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph in core ops.

    Example:
        >>> import minitorch_lab as ml
        >>> decompose(ml.jit.trace(lambda x, w, b: ml.nn.functional.linear(x, w, b).softmax(1),
        ...                        ml.ones(4, 3), ml.ones(2, 3), ml.ones(2)).graph)
        graph(x: f32[4, 3], w: f32[2, 3], b: f32[2]):
            permute: f32[3, 2] = permute(w, axes=(1, 0))
            matmul: f32[4, 2] = matmul(x, permute)
            expand: f32[4, 2] = expand(b, shape=(4, 2))
            add: f32[4, 2] = add(matmul, expand)
            amax: f32[4, 1] = amax(add, axis=(1,), keepdims=True)
            expand_1: f32[4, 2] = expand(amax, shape=(4, 2))
            sub: f32[4, 2] = sub(add, expand_1)
            exp: f32[4, 2] = exp(sub)
            sum: f32[4, 1] = sum(exp, axis=(1,), keepdims=True)
            expand_2: f32[4, 2] = expand(sum, shape=(4, 2))
            div: f32[4, 2] = div(exp, expand_2)
            return div
    """
    return Explicit(Lowering(graph, tally).rewritten(), tally).rewritten()


class Lowering(Rewriter):
    """Runs the rules of composite ops."""

    made_by = "decompose"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The program of the op, which may find the op simple as it is here."""
        assert node.op is not None
        program = node.op.program
        if program is None:
            return None
        program = in_float32(program, node.dtype) if narrow_dtype(inputs) else program
        start = len(self.new.nodes)
        found = self.emit(program, *inputs, **node.params)
        if found is None:
            del self.new.nodes[start:]
        return found and (node.op.name, found)


def in_float32(program: Callable[..., Any], dtype: DType) -> Callable[..., Any]:
    """`program` on inputs of two bytes: as the op itself, it computes in float32, and rounds once, at the end."""

    def wide(*inputs: Any, **params: Any) -> Any:
        out = program(*(cast(i, dtype=float32) if narrow_dtype((i,)) else i for i in inputs), **params)
        return out if out is None or out.dtype != float32 else cast(out, dtype=dtype)

    return wide


class Explicit(Rewriter):
    """Expands what an entry-by-entry op would stretch."""

    made_by = "decompose"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The op of inputs of one shape."""
        assert node.op is not None
        op, shape = node.op, node.shape
        if not op.entrywise or not any(stretched(i, shape) for i in inputs):
            return None
        even = [self.emit(expand_op, i, shape=shape) if stretched(i, shape) else i for i in inputs]
        return "expand", self.emit(op, *even, **node.params)


def stretched(x: Any, shape: Shape) -> bool:
    """Whether `x` is a tensor that has to be stretched. A number is not: it takes the dtype that it meets."""
    return isinstance(x, Node) and not x.facts.number and x.shape != shape
