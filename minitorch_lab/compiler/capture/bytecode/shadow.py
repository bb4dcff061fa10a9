"""What an op call does to sizes: the engine's function runs a second time, on tensors that have shapes and no numbers.

The first run, on real tensors, says what happens; this one says what of it follows from sizes. Where both write down
the same ops, the graph takes the lengths and parameters of this one. Where they do not, the sizes are fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....autograd.eager import elsewhere, fitted
from ....core.array import is_number, xp
from ....core.interpret import grad_enabled, grad_mode, interpreting
from ....func.reverse import vjp
from ....func.trees import flatten, mapped
from ....ops.indexing import setitem
from ....ops.movement import detach
from ....ops.op import Op
from ....tensors.factories import ones
from ....tensors.tensor import Tensor, View
from ...ir.evaluate import evaluate_call
from ...ir.fake import foretold
from ...ir.graph import Facts, Graph, Node
from ...ir.sizes import UNKNOWN, hinted, sizes_in
from ...ir.symbolic import EVERYWHERE, Captured, Capturing
from .engine import Writing
from .unread import Account, Held, Unread


class OfView(Captured):
    """The box of a view. In a comparison Python asks a subclass first, whichever side it stands on."""

    __slots__ = ()


class Shadow(Capturing):
    """Writes down the ops of one call, on the facts of its arguments; `trying` if the program has no say in it yet."""

    def __init__(self, layer: Writing, trying: bool = False) -> None:
        super().__init__(Graph())
        self.layer, self.trying = layer, trying
        self.boxes: dict[int, Captured] = {}

    def of(self, x: Any) -> Any:
        """What stands for an argument: a box for a tensor, the same for each time that it is given."""
        if not isinstance(x, Tensor):
            return x
        if id(x) not in self.boxes:
            node = self.layer.known(x)
            assert isinstance(node, Node), "a tensor without a name"
            self.boxes[id(x)] = box = self.box(node)
            if isinstance(x, View):
                box.__class__ = OfView
        return self.boxes[id(x)]

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Captured:
        """As the layer runs it."""
        out = None
        if op.operands is not None and any(type(x) in (Unread, Held) for x in params.values()):
            out = op.operands(*args, **params)
        return super().run(op, args, params) if out is None else out

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Captured:
        """The node of `op(*args)`."""
        given = [a if is_number(a) else self.own(a).value for a in args]
        facts = foretold(op, tuple(given), params)
        return self.box(self.graph.call(op, tuple(map(self.number, given)), params, facts, grad=grad_mode.get()))

    def number(self, x: Any) -> Any:
        """A number that the program has a name for is an argument of the graph."""
        if type(x) is Unread:
            return x if self.trying else self.layer.known(x.number)
        return self.layer.known(x) if is_number(x) and type(x) not in UNKNOWN else x

    def inplace(self, op: Op, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """As the layer writes it down."""
        x = self.own(x)
        if elsewhere(op, x, args) is not None:
            return self.inplace(setitem, x, (self.run(op, (x, *args), params),), EVERYWHERE)
        args = fitted(op, x, args, self)
        given = tuple(a if is_number(a) else self.own(a).value for a in args)
        assert tuple(foretold(op, (x.value, *given), params).shape) == tuple(x.shape), "a write keeps the shape"
        x.value = self.graph.write(op, (x.value, *map(self.number, given)), params, grad=grad_mode.get())
        return x


def shadowed(
    layer: Writing, f: Callable[..., Any], args: Any, kwargs: Any, trying: bool = False
) -> tuple[list[Node], Any] | None:
    """The nodes that a call would write, by the facts of its arguments, and what it gives; None if not known."""
    try:
        shadow = Shadow(layer, trying)
        args, kwargs = mapped(shadow.of, list(args)), mapped(shadow.of, kwargs)
        with interpreting(shadow):
            out = f(*args, **kwargs)
    except Exception:  # whatever it is: the real run has its own say
        return None
    return shadow.graph.nodes, out


def handed_on(layer: Writing, f: Callable[..., Any], args: Any, kwargs: Any, names: set[int]) -> Any:
    """What a call would do with some numbers, if it hands them to ops, computes others with them and compares them.

    Nothing else can be asked of what stands for them here, so neither a shape nor which ops run can depend on them.
    The call is tried with floats too: it might have done something else with those.

    Args:
        layer: Who writes the graph.
        f: What is called.
        args: Its arguments.
        kwargs: Those with names.
        names: The identities of the numbers.
    """
    account = Account()
    given = list(args), kwargs
    hidden = mapped(lambda x: Unread(x, account) if id(x) in names else x, given)
    with layer.attempt():
        found = shadowed(layer, f, *hidden, trying=True)
        again = found and shadowed(layer, f, *mapped(lambda x: Held(x) if id(x) in names else x, given), trying=True)
        numbers = found and numbers_of(layer, found[0])
        layer.faithful = False  # nothing of it stays
    if found is None or again is None or twins(found[0], again[0]) is None:
        return None
    read = any(type(x) is Unread for x in flatten([found[1], [n.params for n in found[0]]])[0])
    return None if read else (numbers, hidden, account)


def numbers_of(layer: Writing, nodes: list[Node]) -> list[Any]:
    """Which op takes which number that has a name, or is computed of such, and where."""
    names = {node: name for name, node in layer.inputs.items() if node.facts.number}
    name = lambda x: names.get(x) if isinstance(x, Node) else x if type(x) is Unread else None  # noqa: E731
    taken = [(n.op, [(i, name(x)) for i, x in enumerate(n.inputs)]) for n in nodes]
    found = [(op, [(i, x) for i, x in given if x is not None]) for op, given in taken]
    return [(op, given) for op, given in found if given]


def walked_in_shadow(layer: Writing, root: Tensor, leaves: list[Tensor]) -> tuple[list[Node], Any] | None:
    """The nodes that a walk from `root` would write: what led there is run and pulled back without numbers.

    A write that led there is run as the op that it writes. What the real walk wrote is compared with all this.
    """
    ends, start = [layer.known(x) for x in leaves], layer.known(root)
    needed = leading(start, set(ends))
    calls = [n for n in layer.graph.calls if n in needed]
    shadow = Shadow(layer)

    def again(*given: Any) -> Any:
        values = dict(zip(ends, given, strict=True))
        values |= {i: shadow.box(i) for n in calls for i in n.feeds if i not in values and i not in needed}
        for node in calls:
            values[node] = evaluate_call(node, [values[i] if isinstance(i, Node) else i for i in node.inputs])
        return values[start]

    try:
        with interpreting(shadow):
            value, pull = vjp(again, *map(shadow.box, ends))
            with grad_enabled(False):
                pull(ones(*value.shape, dtype=value.dtype, device=value.device))
    except Exception:  # the real walk has its own say
        return None
    first = dict(zip(shadow.graph.nodes, calls, strict=False))  # the graph, run again
    walk = shadow.graph.nodes[len(calls) :]
    for node in walk:
        node.inputs = tuple(first.get(i, i) if isinstance(i, Node) else i for i in node.inputs)
    same = all(a.op is b.op for a, b in first.items())
    return (walk, None) if same and len(first) == len(calls) else None


def leading(root: Node, ends: set[Node]) -> set[Node]:
    """What `root` was computed by, from `ends` on and from arguments."""
    found, pending = set[Node](), [root]
    while pending:
        node = pending.pop()
        if node.op is not None and node not in ends and node not in found:
            found.add(node)
            pending += node.feeds
    return found


def taken_over(shadows: list[Node] | None, nodes: list[Node]) -> bool:
    """Let the nodes that a call wrote have the lengths and parameters of their shadows. Whether each has one."""
    pairs = None if shadows is None else twins(shadows, nodes)
    for a, b, inputs in pairs or ():
        b.inputs, b.params, b.facts = inputs, a.params, known(a.facts, b.facts)
    return pairs is not None


def twins(shadows: list[Node], nodes: list[Node]) -> list[tuple[Node, Node, tuple[Any, ...]]] | None:
    """Each shadow with its node, and its inputs among those; None if they do not agree."""
    if len(shadows) != len(nodes):
        return None
    twin = dict(zip(shadows, nodes, strict=True))
    pairs = [(a, b, tuple(twin.get(i, i) if isinstance(i, Node) else i for i in a.inputs)) for a, b in twin.items()]
    return pairs if all(agree(a, b, inputs) for a, b, inputs in pairs) else None


def agree(a: Node, b: Node, inputs: tuple[Any, ...]) -> bool:
    """Whether a node is what its shadow is in this call; a constant that a rule has made, by its entries."""
    same = a.kind == b.kind and a.op is b.op and a.dtype == b.dtype and a.grad == b.grad
    if same and a.kind == "get_attr" and not xp.array_equal(a.payload.value, b.payload.value):
        return False
    return same and alike(a.shape, b.shape) and alike(inputs, b.inputs) and alike(a.params, b.params)


def alike(a: Any, b: Any) -> bool:
    """Whether two values are the same in this call; nobody is asked to rely on it."""
    a, b = (x.number if type(x) is Unread else float(x) if type(x) is Held else x for x in (a, b))
    if type(a) in UNKNOWN or type(b) in UNKNOWN:
        a, b = hinted(a), hinted(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(alike(v, b[k]) for k, v in a.items())
    if isinstance(a, slice):
        return all(map(alike, (a.start, a.stop, a.step), (b.start, b.stop, b.step)))
    if isinstance(a, float):
        return repr(a) == repr(b)  # NaN is NaN, and -0 is not 0
    if isinstance(a, Node):
        return attached(a) is attached(b)
    return a is b or (isinstance(a, (int, str)) and a == b)


def attached(node: Node) -> Node:
    """The node that a detached one shows: a walk computes with either."""
    while node.op is detach:
        node = node.inputs[0]
    return node


def known(facts: Facts, real: Facts) -> Facts:
    """The facts of a result: with sizes where its shadow has some, and the strides if they are right in this call."""
    if not sizes_in(facts.shape):
        return real
    right = facts.strides is not None and hinted(facts.strides) == hinted(real.strides)
    return replace(real, shape=facts.shape, strides=facts.strides if right else None)


def ghost(shape: Any, dtype: Any, grad: bool) -> Tensor:
    """A tensor with facts and no memory, in place of one that was let go."""
    out = Tensor(xp.broadcast_to(xp.empty((), dtype), shape))
    return out.requires_grad_() if grad else out
