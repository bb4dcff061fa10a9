"""Capture as an interpreter: an op makes a node of a graph, and no number is computed.

Its tensors are boxes around nodes, so what a transform does with boxes works here too: `grad` inside a captured
function leaves the nodes of its backward walk in the graph. A write in place makes a new value, as under a transform.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...autograd.custom import Call, Flat
from ...core.array import ground, is_number, memory_of
from ...core.interpret import grad_mode, interpreting
from ...errors import CaptureError
from ...func.boxing import Box, Boxing, as_tensor
from ...ops.indexing import setitem
from ...ops.movement import clone, detach
from ...ops.op import Op
from ...tensors.tensor import Tensor
from .fake import facts_of, foretold, in_row_order
from .graph import Facts, Graph, Node, unknown
from .standing import standing

EVERYWHERE = {"index": (...,)}


class Captured(Box):
    """A value that is not computed yet: its `value` is a node."""

    __slots__ = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""
        return self.value.shape

    def item(self) -> Any:
        """Refused: there is no number yet."""
        raise unknown("item()")

    def tolist(self) -> Any:
        """Refused: there are no numbers yet."""
        raise unknown("tolist()")

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Whether the entries are known to lie in row order when the program runs."""
        return in_row_order(self.value)

    def __bool__(self) -> bool:
        """Refused: a branch would be taken for good."""
        raise unknown("The truth")

    def __repr__(self) -> str:
        """The node, its dtype and shape."""
        return f"Captured({self.value.name}: {self.value.facts})"


@dataclass(eq=False, slots=True)
class Outside:
    """A tensor from outside: the box that stands for it, the node it began as, and how it was written, if it was."""

    tensor: Tensor
    box: Captured
    first: Node
    recorded: bool | None = None  # whether a write to it was recorded; None as long as there is none


class Capturing(Boxing):
    """The interpreter that writes down ops as nodes of `graph`."""

    name = "capture"

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        self.outside: dict[int, Outside] = {}  # by identity; the tensor is kept, so that its id stays

    def box(self, value: Any) -> Captured:
        """A tensor of this level around a node."""
        out = Captured(value)
        out.level, out.link = self.level, None
        return out

    def argument(self, x: Tensor, name: str) -> Captured:
        """The box of an argument of the captured function; the same tensor given twice is one argument."""
        if id(x) not in self.outside:
            self.enter(x, self.graph.placeholder(name, facts_of(x)))
        return self.outside[id(x)].box

    def enter(self, x: Tensor, node: Node) -> None:
        """Let `node` stand for the tensor `x` from outside."""
        self.outside[id(x)] = Outside(x, self.box(node), node)

    def imagined(self, name: str, facts: Facts) -> Captured:
        """The box of an argument of which only the facts are known."""
        box = self.box(self.graph.placeholder(name, facts))
        self.outside[id(box)] = Outside(box, box, box.value)
        return box

    def own(self, a: Any) -> Captured:
        """A tensor from outside becomes a constant of the graph; a view of one is made again from its base inside."""
        if self.mine(a):
            return super().own(a)
        x = as_tensor(a)
        if id(x) not in self.outside:
            link = x.link
            if link is not None and link.op is not detach:
                return self.run(link.op, (self.own(link.base),), link.params)
            name = x.value.name if isinstance(x, Captured) else "constant"
            self.enter(x, self.graph.get_attr(x, facts_of(x), name))
        return self.outside[id(x)].box

    # ---- running ----------------------------------------------------------------------------------------------------
    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Captured:
        """Write `op` down; a view of a tensor from outside is part of the program as well."""
        return super().run(op, tuple(self.own(a) if isinstance(a, Tensor) else a for a in args), params)

    def opened(self, args: tuple[Any, ...]) -> list[Any]:
        """The nodes, and the numbers as they are."""
        return [a if is_number(a) else self.own(a).value for a in args]

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Captured:
        """The node of `op(*args)`."""
        nodes = tuple(self.opened(args))
        facts, where = foretold(op, nodes, params), standing.get()
        return self.box(self.graph.call(op, nodes, params, facts, grad=grad_mode.get(), line=where))

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """One node for the call; what it gives is found by running it on fakes.

        Raises:
            CaptureError: It writes into an argument.
        """
        with interpreting(self):
            inner = type(self)(Graph(call.name))
        own = [self.own(a) if isinstance(a, Tensor) else a for a in args]
        boxes = [inner.imagined("x", a.value.facts) if isinstance(a, Tensor) else a for a in own]
        with interpreting(inner):
            outs = [inner.own(x).value.facts if isinstance(x, Tensor) else x for x in call.run(boxes)]
        if any(entry.recorded is not None for entry in inner.outside.values()):
            raise CaptureError(
                f"{call.name} writes into an argument, inside a function that is captured.",
                "A captured program is made of values, and the call gives no value for what it overwrote.",
                "Return a new tensor from forward.",
            )
        inputs = tuple(a.value if isinstance(a, Tensor) else a for a in own)
        parts = self.graph.custom(call, inputs, outs, grad=grad_mode.get())
        return [self.box(x) if isinstance(x, Node) else x for x in parts]

    # ---- writing ----------------------------------------------------------------------------------------------------
    def inplace(self, op: Op, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Let the box of `x` become the result; what comes from outside is written at the end of the program."""
        super().inplace(op, self.own(x), args, params)
        return x

    def become(self, x: Captured, new: Captured) -> None:
        """Take over the node. Under no_grad() the numbers change and the history stays, which only a write can say."""
        if grad_mode.get():
            x.value = new.value
        else:
            kept = self.graph.call(clone, (x.value,), {}, x.value.facts)
            x.value = self.graph.write(setitem, (kept, new.value), EVERYWHERE, grad=False)
        for entry in self.outside.values():
            if entry.box is x:
                self.alone(entry)
                entry.recorded = bool(entry.recorded) or grad_mode.get()

    def alone(self, entry: Outside) -> None:
        """Refuse a write to memory that two tensors from outside share.

        Raises:
            CaptureError: There is another one.
        """
        memory = memory_of(ground(entry.tensor))
        if any(e is not entry and memory_of(ground(e.tensor)) is memory for e in self.outside.values()):
            raise CaptureError(
                "A write, during capture, to memory that two of the tensors from outside share.",
                "Inside, each of them stands for itself, so the other would not see the write.",
                "Pass one of them, and make the view inside the function.",
            )

    def twin(self, x: Captured) -> Captured:
        """Another box around the same node."""
        return self.box(x.value)

    def settle(self) -> None:
        """End the program with the writes to what came from outside."""
        for entry in self.outside.values():
            if entry.recorded is not None:
                self.graph.write(setitem, (entry.first, entry.box.value), EVERYWHERE, grad=entry.recorded)
