"""Convolution and batch norm: in evaluation the norm is a factor and an offset per channel, and goes into the weights.

    ((conv(x, w) + b) - mean) / √(var + eps) · γ + β  =  conv(x, w · s) + (b - mean) · s + β,    s = γ / √(var + eps)

Five passes over the activations become one. The batch norm of training takes its mean from the activations themselves
and has no such form. With frozen weights, `fold` then computes the new ones once and for all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...core.array import is_number
from ...ops.elementwise import add, div, mul, sub
from ...ops.linalg import matmul
from ...ops.movement import reshape_op
from ...ops.op import Op
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, named
from ..ir.sizes import alike


def conv_bn(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with every factor per channel that follows a convolution in the convolution's weights.

    Values change in their last digits. The ops in between are left to dce.

    Example:
        >>> import minitorch_lab as ml
        >>> from .dce import dce
        >>> F = ml.nn.functional
        >>> graph = ml.jit.trace(lambda x, w, m, v: F.batch_norm(F.conv1d(x, w), m, v),
        ...                      ml.ones(1, 2, 3), ml.ones(2, 2, 1), ml.zeros(2), ml.ones(2)).graph
        >>> print(dce(conv_bn(graph)))  # doctest: +ELLIPSIS
        graph(x: f32[1, 2, 3], w: f32[2, 2, 1], m: f32[2], v: f32[2]):
        ...
    """
    return Scaling(graph, tally).rewritten()


@dataclass(eq=False, slots=True)
class Chain:
    """A convolution, and what is done to each of its channels."""

    product: Node  # filters (groups, out, rows) @ windows
    form: list[Node]  # what brings the product into the form of an image: reshape, permute, contiguous
    steps: list[tuple[Op, Any]] = field(default_factory=list[tuple[Op, Any]])  # arithmetic, and its other operand

    @property
    def scales(self) -> bool:
        """Whether there is a factor for each channel."""
        return any(op in (mul, div) and isinstance(v, Node) for op, v in self.steps)


class Scaling(Rewriter):
    """Makes the scaled convolution where the chain of steps ends."""

    made_by = "conv_bn"

    def __init__(self, graph: Graph, tally: Tally | None = None) -> None:
        super().__init__(graph, tally)
        self.users = graph.users()
        self.chains: dict[Node, Chain] = {}
        for node in graph.calls:
            if named(node) == "matmul" and len(node.shape) == 3:
                self.follow(node)

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The scaled convolution, for the last step of a chain."""
        chain = self.chains.get(node)
        if chain is None:
            return None
        filters, windows = map(self.at, chain.product.inputs)
        values = [self.at(v) for _, v in chain.steps]
        return "scales in weights", self.emit(scaled, filters, windows, values, chain=chain)

    def follow(self, product: Node) -> None:
        """Find the chain that begins with this product, if it is that of a convolution with a factor per channel."""
        form = [product]
        for name in ("reshape", "permute", "contiguous"):
            if (after := self.reader(form[-1])) is not None and named(after) == name:
                form.append(after)
        chain = Chain(product, form[1:])
        end = form[-1]
        if len(form) < 3 or not alike(end.shape[1:2], (product.shape[0] * product.shape[1],)):
            return
        while (after := self.reader(end)) is not None and (step := self.step(after, end)) is not None:
            chain.steps.append(step)
            end = after
        if chain.scales and all(map(self.steady, product.inputs)):
            self.chains[end] = chain

    def reader(self, node: Node) -> Node | None:
        """The one call that reads a value, if there is one."""
        readers = self.users[node]
        return readers[0] if len(readers) == 1 and readers[0].grad == node.grad else None

    def step(self, node: Node, image: Node) -> tuple[Op, Any] | None:
        """What `node` does to each channel of `image`: an op and its other operand."""
        for op in (add, sub, mul, div):
            if node.kind == "call" and node.op is op and node.inputs.count(image) == 1:
                other = node.inputs[1 - node.inputs.index(image)]
                turned = op in (sub, div) and node.inputs[1] is image
                return (op, other) if not turned and per_channel(other, image) and self.steady(other) else None
        return None


def per_channel(x: Any, image: Node) -> bool:
    """Whether `x` is a number, or one for each channel."""
    if not isinstance(x, Node):
        return True
    shape = (1,) * (len(image.shape) - len(x.shape)) + x.shape
    return x.dtype == image.dtype and alike(shape, (1, image.shape[1], *(1,) * (len(shape) - 2)))


def scaled(filters: Any, windows: Any, values: list[Any], *, chain: Chain) -> Any:
    """The convolution with scaled filters, plus what is left over for each channel."""
    groups, out, _ = filters.shape
    scale: Any = 1.0
    offset: Any = None
    for (op, _), v in zip(chain.steps, values, strict=True):
        v = v if is_number(v) else reshape_op(v, shape=(groups * out,))
        if op in (mul, div):
            scale, offset = op(scale, v), offset if offset is None else op(offset, v)
        else:
            offset = (v if op is add else -v) if offset is None else op(offset, v)
    image = matmul(mul(filters, reshape_op(scale, shape=(groups, out, 1))), windows)
    for node in chain.form:
        assert node.op is not None
        image = node.op(image, **node.params)
    if offset is None or is_number(offset):
        return image if offset is None else add(image, offset)
    return add(image, reshape_op(offset, shape=(groups * out, *(1,) * (len(image.shape) - 2))))
