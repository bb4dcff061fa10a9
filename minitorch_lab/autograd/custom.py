"""Calls whose derivatives the user writes: what a tape asks of one, and the node that it leaves behind.

Every interpreter has one door for them, `custom`. The imperative tape and the tapes of transforms leave one node;
forward mode pushes tangents by the user's rule; `vmap` maps the call and hands it on. So Functions, `custom_vjp` and
`custom_jvp` functions meet the transforms in any order, and no op knows of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import ref

from ..core.array import is_float, memory_of, to_device, xp
from ..core.interpret import grad_mode
from ..errors import ArgumentError, GradientError, ShapeError
from ..ops.meant import describe_value
from ..ops.movement import cast
from ..ops.op import Rule
from ..tensors.tensor import Tensor, storage_of, tracked
from .context import FunctionContext
from .node import NOTHING, Node, freed, next_order

Flat = Sequence[Any]
Again = Callable[[Flat], list[Any]]


class Call:
    """One call with rules of the user's. Arguments and results are flat lists; what is no tensor passes through."""

    name = "call"
    single = True  # whether the user's code returned one result rather than a tuple
    retain = True  # whether the walk that runs `backward` keeps what was saved for another
    to: frozenset[int] | None = None  # the arguments to which that walk goes on; None for all

    def enter(self, transform: str) -> None:
        """Told that a transform runs the call. Raises if its rules cannot be transformed."""

    def batching(self, transform: str) -> Any:
        """A rule of the user's for a batch, (info, in_dims, *args) -> (results, out_dims); None: the call is mapped."""
        return None

    def run(self, args: Flat) -> list[Any]:
        """The results, where no derivative is wanted."""
        raise NotImplementedError

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """The results; what `backward` needs is left in `ctx`. `again` runs the call on the level below this tape."""
        raise NotImplementedError

    def plain(self, ctx: FunctionContext, args: Flat) -> list[Any]:
        """The results on the imperative tape, where nothing is recorded."""
        return self.run(args)

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """One cotangent per argument, from one per result."""
        raise NotImplementedError

    def expose(self, node: Node, end: Part, views: tuple[Node, ...]) -> None:
        """Told that the cotangent of a result is to be watched, or that of a view of it: the last of `views`."""

    def spent(self) -> bool:
        """Asked after a walk that retains nothing: whether no other can be meant to follow."""
        return True

    def used_up(self, node: Node, g: Any) -> GradientError:
        """The error of a walk with the cotangents `g` after one that has freed what was saved."""
        return freed(node)

    def push(self, args: Flat, tangents: Flat) -> tuple[list[Any], list[Any]]:
        """The results and their tangents, from one tangent per argument (None for what does not move)."""
        raise NotImplementedError


class CustomOp:
    """A call in the shape of an op, for its node: `arity` arguments, `count` results."""

    # All cotangents at once, as arrays, where no code of a user's runs; where it gives None, `together` is asked.
    direct: Callable[[Node, Any], list[Any] | None] | None = None

    def __init__(self, call: Call, args: Flat) -> None:
        self.name, self.call, self.arity = call.name, call, len(args)
        self.dtypes = [a.dtype if isinstance(a, Tensor) else None for a in args]
        self.parts: dict[int, ref[Part]] = {}  # by result, where there are several
        self.outs: list[Any] = []  # shape, dtype and device of each result, None for what is no tensor

    def together(self, node: Node, g: Any) -> list[Tensor | None]:
        """All cotangents at once, from the user's backward, checked.

        Raises:
            ArgumentError: It returned something else than tensors and None.
            GradientError: Their number is not that of the arguments.
            ShapeError: One has not the shape of its argument.
        """
        assert node.saved is not None
        ctx: FunctionContext = node.saved["ctx"]
        grads = g if isinstance(g, Slots) else (g,)
        if ctx.materialize:
            grads = [zeros(*out) if part is None and out else part for part, out in zip(grads, self.outs, strict=True)]
        with ctx.opened_for(node):
            result = self.call.backward(ctx, grads)
        given: tuple[Any, ...] = result if isinstance(result, tuple) else (result,)
        while len(given) > self.arity and given[-1] is None:
            given = given[:-1]
        if len(given) != self.arity:
            raise GradientError(
                f"{self.name}.backward returned {len(given)} gradients.",
                f"forward takes {self.arity} arguments, so backward returns {self.arity}, None where there is none.",
                "Return one value per argument, in the same order.",
            )
        return [self.fitted(i, grad, edge) for i, (grad, edge) in enumerate(zip(given, node.edges, strict=True))]

    def end(self, node: Node, i: int) -> Node:
        """Where the cotangent of result `i` goes."""
        if len(self.outs) == 1:
            return node
        part = Part(node, i, len(self.outs), self.outs[i][0])
        self.parts[i] = ref(part)
        return part

    def fitted(self, i: int, grad: Any, edge: Node | None) -> Any:
        """The cotangent of argument `i`, in its dtype. Where no edge leads on, only hooks will see it."""
        if grad is None or edge is None:
            return grad if isinstance(grad, Tensor) else None
        if not isinstance(grad, Tensor):
            raise ArgumentError(
                f"{self.name}.backward returned {describe_value(grad)} for argument {i}.",
                "A gradient is a tensor, or None where there is none.",
                "Return a tensor of the shape of the argument.",
            )
        if tuple(grad.shape) != edge.shape:
            raise ShapeError(
                f"{self.name}.backward returned a gradient of shape {tuple(grad.shape)} for argument {i}.",
                f"That argument has shape {edge.shape}, and so has its gradient.",
                shape_hint(tuple(grad.shape), edge.shape),
            )
        dtype = self.dtypes[i]
        return grad if dtype is None or grad.dtype == dtype else cast(grad, dtype=dtype)


def shape_hint(given: tuple[int, ...], wanted: tuple[int, ...]) -> str:
    """What is probably wrong with a gradient of another shape than its argument's."""

    def stretches(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        return len(a) <= len(b) and all(m in (1, n) for m, n in zip(a[::-1], b[::-1], strict=False))

    if stretches(wanted, given):
        return "Did you forget to sum over an axis that was broadcast?"
    if given == wanted[::-1]:
        return "Did you mean its transpose, .T?"
    if stretches(given, wanted):
        return (
            "Did you sum, or take a mean, where there is one number for each entry? Then expand it, or leave that out."
        )
    return "Compare the shapes of the arguments of forward with what backward returns, in order."


class Slots(tuple[Any, ...]):
    """The cotangents of all results of one node, None where none has come. The walk adds them up as it does others."""

    __slots__ = ()

    def __add__(self, other: Any) -> Slots:
        """Result by result."""
        pairs = zip(self, other, strict=True)
        return Slots(q if p is None else p if q is None else p + q for p, q in pairs)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the whole: none."""
        return ()


class Part(Node):
    """One result of a node that has several: the way of its cotangent to the place in the node's `Slots`."""

    __slots__ = ("output_nr", "whole")

    def __init__(self, node: Node, i: int, count: int, shape: tuple[int, ...]) -> None:
        self.op, self.edges, self.saved, self.params, self.shape = PartOp(i, count), (node,), NOTHING, NOTHING, shape  # pyright: ignore[reportAttributeAccessIssue]
        self.order, self.hooks, self.output_nr, self.whole = next_order(), None, i, node

    @property
    def function(self) -> Node:
        """The node whose result it is."""
        (node,) = self.edges
        assert node is not None
        return node

    def name(self) -> str:
        """That of its node."""
        return self.function.name()

    def expose(self, views: tuple[Node, ...] = ()) -> Node:
        """Ask the call that it be one."""
        made: Any = self.whole.op
        made.call.expose(self.whole, self, views)
        return self

    def lead_to(self, node: Node) -> None:
        """Hand the cotangent on to `node`, which made the result, instead of the call."""
        self.op, self.edges, self.order, self.output_nr = PASSING, (node,), next_order(), 0  # pyright: ignore[reportAttributeAccessIssue]


class PartOp:
    """Taking result `i` of `count`, in the shape of an op."""

    arity, stretches = 1, False

    def __init__(self, i: int, count: int) -> None:
        self.name = f"output {i}"
        self.vjp = (Rule(lambda g: Slots(g if k == i else None for k in range(count)), (), None),)

    def rules(self, count: int) -> tuple[Rule, ...]:
        """Its one rule."""
        return self.vjp


class Passing:
    """Handing a cotangent on, in the shape of an op."""

    name, arity, stretches = "output", 1, False
    vjp = (Rule(lambda g: g, (), None),)

    def rules(self, count: int) -> tuple[Rule, ...]:
        """Its one rule."""
        return self.vjp


PASSING = Passing()


def node_of(call: Call, ctx: FunctionContext, args: Flat, level: int) -> Node | None:
    """The node of a call on the tape of `level`; None if no gradient flows through it."""
    edges = tuple(history(a, level) for a in args)
    if not grad_mode.get() or not any(edges):
        return None
    node: Any = Node.__new__(Node)
    node.op, node.edges, node.params, node.hooks, node.order = CustomOp(call, args), edges, NOTHING, None, next_order()
    node.saved, node.shape = {"ctx": ctx}, ()
    return node


def history(a: Any, level: int) -> Node | None:
    """The node of an argument on the tape of `level`, if it has one."""
    return tracked(a) if isinstance(a, Tensor) and a.level == level else None


def ends(node: Node, outs: Flat, ctx: FunctionContext) -> list[Node | None]:
    """Where the cotangent of each result goes: to the node itself if it is the only one, else to a Part."""
    op: Any = node.op
    op.outs = [(tuple(x.shape), x.dtype, x.device) if isinstance(x, Tensor) else None for x in outs]
    node.shape = tuple(outs[0].shape) if len(outs) == 1 else ()
    flowing = [isinstance(x, Tensor) and is_float(x.dtype) and not ctx.is_constant(x) for x in outs]
    return [op.end(node, i) if flows else None for i, flows in enumerate(flowing)]


def zeros(shape: tuple[int, ...], dtype: Any, device: str) -> Tensor:
    """The cotangent of a result that nothing used."""
    return Tensor(to_device(xp.zeros(shape, dtype), device))


def delivered(x: Any, end: Node | None, args: Flat) -> Any:
    """A result as the caller gets it: with its history, and in memory that is no argument's."""
    if not isinstance(x, Tensor):
        return x
    if any(isinstance(a, Tensor) and memory_of(a.value) is memory_of(x.value) for a in args):
        return Tensor(x.value.copy(), end)
    return Tensor(x.value, end, storage_of(x) if x.storage is not None else None)
