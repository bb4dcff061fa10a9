"""Graph: a captured program. A straight line of nodes, each one value, each after the values it is made from.

The form is that of `torch.fx`: placeholders, constants from outside, calls of ops, and one output.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...autograd.anomaly import Place
from ...core.array import DType, Shape, bool_
from ...errors import CaptureError
from ...func.trees import flatten
from ...ops.op import Op
from .printer import printed
from .sizes import hinted


@dataclass(eq=False, slots=True)
class Facts:
    """What is known of a value before it is computed. Strides are in bytes; None where they are not known."""

    shape: Shape
    dtype: DType
    device: str = "cpu"
    strides: tuple[int, ...] | None = None
    number: bool = False  # a Python number, which takes the dtype of what it meets

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __str__(self) -> str:
        """`f32[2, 3]`: the dtype and the shape."""
        if self.number:
            return f"{self.dtype.name} number"
        return f"{ABBREVIATED.get(self.dtype.name, self.dtype.name)}[{', '.join(map(str, self.shape))}]"


ABBREVIATED = {
    "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "bool": "b8", "uint8": "u8",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
}  # fmt: skip


LATER = "later"  # of an argument that comes when the caller has had results, and could write: a tangent


@dataclass(eq=False, slots=True)
class Node:
    """One value of a graph.

    `kind` is `"placeholder"` (an argument; `payload` says if it comes `LATER`), `"get_attr"` (a tensor from outside,
    in `payload`), `"call"` (an op), `"write"` (an op whose result is written into its first input; the node is that
    tensor from then on) or `"output"`. Control flow is `"if"` and `"while"`, whose `blocks` are graphs; `"custom"` is
    a call whose derivatives the user has written (in `payload`). What has several results is taken apart by `"part"`.
    Inputs are nodes, or Python numbers.
    """

    kind: str
    name: str
    facts: Facts
    op: Op | None = None
    inputs: tuple[Any, ...] = ()
    params: dict[str, Any] = field(default_factory=dict[str, Any])
    grad: bool = True  # whether gradients were on where it was captured
    payload: Any = None
    blocks: tuple[Graph, ...] = ()
    line: Place | None = None  # the user's line
    made_by: str = ""  # the pass that made it; nothing for what the user wrote

    @property
    def shape(self) -> Shape:
        """The length of each axis."""
        return self.facts.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.facts.ndim

    @property
    def strides(self) -> tuple[int, ...] | None:
        """Bytes between neighbours along each axis; None where nobody knows."""
        return self.facts.strides

    @property
    def dtype(self) -> DType:
        """The type of the entries."""
        return self.facts.dtype

    @property
    def device(self) -> str:
        """Where the memory will lie."""
        return self.facts.device

    @property
    def nbytes(self) -> int:
        """Bytes of the entries, of symbolic lengths those at hand: what is decided by it must be right for others."""
        count = self.dtype.itemsize
        for n in hinted(self.shape):
            count *= n
        return count

    @property
    def feeds(self) -> list[Node]:
        """The nodes among the inputs; one that is used twice comes twice."""
        return [i for i in flatten(list(self.inputs))[0] if isinstance(i, Node)]

    def __array__(self, *_: Any, **__: Any) -> Any:
        """Refused: there are no numbers yet."""
        raise unknown("An array")

    def __repr__(self) -> str:
        """The name."""
        return self.name


class Graph:
    """A program: `nodes` in the order in which they run, the last one the output.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a: 0.1 * a, ml.randn(1)).graph
        >>> graph
        graph(a: f32[1]):
            mul: f32[1] = mul(0.1, a)
            return mul
    """

    def __init__(self, name: str = "graph") -> None:
        self.name = name
        self.nodes: list[Node] = []
        self.names: dict[str, int] = {}
        self.recorded = True  # whether a result may have a history
        self.first = False  # whether it is what a call begins with, after the call has asked for the plain tape

    # ---- building ---------------------------------------------------------------------------------------------------
    def placeholder(self, name: str, facts: Facts, when: str | None = None) -> Node:
        """An argument; all come before everything else that is computed, but for those that come `LATER`."""
        return self.add(Node("placeholder", self.unique(name), facts, payload=when))

    def get_attr(self, payload: Any, facts: Facts, name: str = "constant") -> Node:
        """A tensor from outside: the graph holds on to it, and reads it anew whenever it runs."""
        return self.add(Node("get_attr", self.unique(name), facts, payload=payload))

    def call(self, op: Op, inputs: tuple[Any, ...], params: dict[str, Any], facts: Facts, **more: Any) -> Node:
        """The value of an op."""
        return self.add(Node("call", self.unique(op.name), facts, op, inputs, params, **more))

    def write(self, op: Op, inputs: tuple[Any, ...], params: dict[str, Any], **more: Any) -> Node:
        """The first input, after the result of `op` was written into it."""
        return self.add(Node("write", self.unique(f"{op.name}_"), inputs[0].facts, op, inputs, params, **more))

    def custom(self, call: Any, inputs: tuple[Any, ...], results: list[Any], **more: Any) -> list[Any]:
        """The results of a call with derivatives of its own: a node for each of which the facts are given."""
        node = self.add(Node("custom", self.unique(call.name), Facts((), bool_), None, inputs, payload=call, **more))
        return [
            self.add(Node("part", self.unique("part"), r, None, (node,), {"index": i})) if isinstance(r, Facts) else r
            for i, r in enumerate(results)
        ]

    def output(self, tree: Any) -> Node:
        """What the program returns: nodes and numbers, nested as the user's function nested them."""
        return self.add(Node("output", "output", Facts((), bool_), inputs=(tree,)))

    def add(self, node: Node) -> Node:
        """Append a node."""
        self.nodes.append(node)
        return node

    def unique(self, name: str) -> str:
        """A name that no other node has: `mul`, `mul_1`, `mul_2`."""
        found, count = name, self.names.get(name, 0)
        while found in self.names:
            count += 1
            found = f"{name}_{count}"
        self.names[name] = count
        self.names.setdefault(found, 0)
        return found

    # ---- reading ----------------------------------------------------------------------------------------------------
    @property
    def placeholders(self) -> list[Node]:
        """The arguments, in order."""
        return [n for n in self.nodes if n.kind == "placeholder"]

    @property
    def calls(self) -> list[Node]:
        """What is computed: calls and writes."""
        return [n for n in self.nodes if n.op is not None]

    @property
    def returned(self) -> Any:
        """What the program returns, as the user's function nested it."""
        return self.nodes[-1].inputs[0]

    def users(self) -> dict[Node, list[Node]]:
        """For every node, those that read it, in order."""
        readers: dict[Node, list[Node]] = {n: [] for n in self.nodes}
        for node in self.nodes:
            for feed in dict.fromkeys(node.feeds):
                readers[feed].append(node)
        return readers

    def last_uses(self) -> list[list[Node]]:
        """For every step, the values that nobody reads after it."""
        last = {feed: i for i, node in enumerate(self.nodes) for feed in (node, *node.feeds)}
        ends: list[list[Node]] = [[] for _ in self.nodes]
        for node, i in last.items():
            ends[i].append(node)
        return ends

    def __repr__(self) -> str:
        """The program as text."""
        return printed(self)


def unknown(what: str) -> CaptureError:
    """The error of asking a value that is not computed yet for a number."""
    return CaptureError(
        f"{what} of a tensor that is being captured.",
        "Capture runs the function once without numbers, so nothing may depend on an entry.",
        "Did you mean ml.where(condition, a, b)? Or ml.compile, which breaks the graph there.",
    )
