"""A layer on the imperative tape: it sees every node that is made while it is in force, and may change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..core.interpret import Interpreter, stack
from ..errors import GradientError
from ..ops.op import Op
from ..tensors.tensor import Tensor
from .custom import Call, Flat
from .eager import Eager
from .node import Node, next_order
from .pullback import OnArrays
from .walk import Rules


class Layer(Eager):
    """Hands every op to the tape that was in force before it, then looks at what that left behind.

    While no layer is in force none of this is in the way: the short path asks only whether the plain tape is on top.
    """

    def __init__(self, under: Eager) -> None:
        self.under = under

    def made(self, node: Node) -> None:
        """Told of every new node, its output included. Every layer says here what it does."""

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op` below, and look at its nodes."""
        mark = next_order()
        out = self.under.run(op, args, params)
        for node in made_since(mark, out.node):
            self.made(node)
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run the call below, and look at its node."""
        mark = next_order()
        outs = self.under.custom(call, args)
        for node in {node for x in outs if isinstance(x, Tensor) for node in made_since(mark, x.node)}:
            self.made(node)
        return outs

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write below, and look at the nodes of the write."""
        mark = next_order()
        self.under.inplace(op, x, args, params)
        for node in made_since(mark, x.node):
            self.made(node)
        return x

    def require(self, x: Tensor, on: bool) -> Tensor:
        """A leaf is the business of the tape below."""
        return self.under.require(x, on)

    def rules(self, retain: bool, create: bool) -> OnArrays:
        """So are the rules of a walk."""
        return self.under.rules(retain, create)

    def drive(self, seeds: dict[Node, Any], rules: Rules, ground: Interpreter, create: bool) -> None:
        """So is running them."""
        self.under.drive(seeds, rules, ground, create)

    def backward(self, root: Tensor, gradient: Any, retain: bool, create: bool) -> None:
        """So is the walk."""
        self.under.backward(root, gradient, retain, create)


def made_since(mark: int, node: Node | None) -> Iterator[Node]:
    """The nodes under `node` younger than `mark` (orders fall): a cast or a write through a view makes several."""
    seen: set[Node | None] = set()
    pending = [node]
    while pending:
        node = pending.pop()
        if node is None or node.op is None or node.order >= mark or node in seen:
            continue
        seen.add(node)
        pending += node.edges
        yield node


def tape_in_force(what: str) -> Eager:
    """The imperative tape that runs ops now.

    Raises:
        GradientError: A transform does: it has a tape of its own.
    """
    top = stack.get()
    if not isinstance(top, Eager):
        raise GradientError(
            f"{what} inside a function that grad, vjp, jvp or vmap runs.",
            "It works on the tape of backward(), and a transform has its own.",
            f"Open {what} around the transform.",
        )
    return top
