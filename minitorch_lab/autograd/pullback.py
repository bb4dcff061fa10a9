"""Running the rules of a node: from the cotangent of its output to the cotangents of its inputs.

One set of rules serves two walks. `OnArrays` runs them on what tensors hold: that is `backward()`. `OnTensors` runs the
same rules on the tensors themselves, so that the walk is on the tape too: that is `create_graph=True`.
"""

from __future__ import annotations

from typing import Any

from ..core.array import xp
from ..core.interpret import GROUND, Interpreter, grad_enabled, interpreting
from ..errors import GradientError
from ..ops.axes import unlike
from ..ops.broadcast import unbroadcast
from ..ops.movement import clone
from ..tensors.tensor import Tensor, grounded, storage_of
from .custom import CustomOp, Slots
from .hooks import checked
from .node import NOTHING, Node, Saved, freed, stale

new_tensor = Tensor.__new__


class OnArrays:
    """The walk of `backward()`. Hooks are the user's code, so they see tensors and run under `tape` again."""

    lifted = False  # whether cotangents are tensors

    def __init__(self, tape: Interpreter, retain: bool) -> None:
        self.tape, self.retain = tape, retain
        self.ground: Interpreter = GROUND  # who runs the ops inside a rule
        self.needed: set[Node] | None = None  # the nodes to which the walk goes, if not to all

    def pull(self, node: Node, g: Any) -> list[Any]:
        """The cotangents that `node` sends along its edges, given its own; None where an edge ends.

        Raises:
            GradientError: What the node had saved was freed, or written in place since.
        """
        op: Any = node.op
        saved, edges, params = node.saved, node.edges, node.params
        if saved is None:
            raise self.used_up(node, g)
        hooks = node.hooks
        if hooks is not None:
            g = self.before(node, g)
        if "ctx" in saved:
            sent, saved = self.custom(node, g), NOTHING
        else:
            sent = []
            lifted = self.lifted
            in_line = not params and not lifted  # then a rule is called without packing its arguments
            rules = op.vjp if op.arity == len(edges) else op.rules(len(edges))
            for edge, rule in zip(edges, rules):  # noqa: B905 (the check costs time, and rules() has made them equal)
                if edge is None:
                    sent.append(None)
                    continue
                if in_line and (want := rule.plain) is not None:
                    kept = saved[want]
                    if type(kept) is not Saved:
                        part = rule.pull(g, kept)
                    elif kept.storage.version == kept.version:
                        part = rule.pull(g, kept.value)
                    else:
                        raise stale(node, want, kept.version, kept.storage.version)
                elif rule.wants or params:
                    part = rule.pull(g, *self.unpack(node, rule.wants, len(sent)), **params)
                else:
                    part = rule.pull(g)
                if op.stretches and (unlike(part.shape, edge.shape) if lifted else part.shape != edge.shape):
                    part = unbroadcast(part, edge.shape)
                sent.append(part)
        if hooks is not None and hooks.after:
            sent = self.after(node, sent, g)
        if saved and not self.retain and op.spends(saved, len(edges)):
            node.saved = None
        return sent

    def custom(self, node: Node, g: Any) -> list[Any]:
        """The same for a Function: its backward is the user's code, and gives all gradients at once."""
        op: Any = node.op
        saved: Any = node.saved
        op.call.retain, op.call.to = self.retain, self.going(node)
        sent = None if op.direct is None or self.lifted else op.direct(node, g)
        if sent is None:
            grads = self.called(op.together, node, self.boxed(g))
            sent = [None if grad is None else self.opened(grad) for grad in grads]
        if not self.retain and op.call.spent():
            saved["ctx"].free()
            node.saved = None
        return sent

    def going(self, node: Node) -> frozenset[int] | None:
        """The edges along which the walk goes on; None for all of them."""
        if self.needed is None:
            return None
        return frozenset(i for i, edge in enumerate(node.edges) if edge in self.needed)

    def used_up(self, node: Node, g: Any) -> GradientError:
        """The error of a node that an earlier walk has freed."""
        op: Any = node.op
        if not isinstance(op, CustomOp):
            return freed(node)
        op.call.to = self.going(node)
        return op.call.used_up(node, g)

    def arrive(self, leaf: Node, g: Any) -> None:
        """Add what reaches a leaf to its gradient, in place, as PyTorch does."""
        hooks = leaf.hooks
        if hooks is not None and (g := self.heeded(leaf, g)) is None:
            return
        grad = leaf.grad
        if grad is None:
            leaf.grad = grad = new_tensor(Tensor)
            grad.value, grad.node, grad.storage = g if g.base is None else g.copy(), None, None
        elif grad.node is not None:
            leaf.grad = Tensor(grad.value + g)
        else:
            storage_of(grad).version += 1
            xp.add(grounded(grad).value, g, out=grad.value)
        if hooks is not None:
            self.collected(leaf, g)

    # ---- what the rules asked the tape to keep ----------------------------------------------------------------------
    def unpack(self, node: Node, wants: tuple[str, ...], i: int) -> list[Any]:
        """The values that a rule asks for. `i` is the position of its input."""
        saved = node.saved
        assert saved is not None
        values: list[Any] = []
        for name in wants:
            if name == "*":
                values += [self.checked(node, name, kept) for kept in saved[name]]
            else:
                values.append(i if name == "i" else self.value(node, name, saved))
        return values

    def value(self, node: Node, name: str, saved: dict[str, Any]) -> Any:
        """The value saved under `name`."""
        kept = saved[name]
        if type(kept) is not Saved:
            return kept
        if kept.storage.version != kept.version:
            raise stale(node, name, kept.version, kept.storage.version)
        return kept.value

    def checked(self, node: Node, name: str, kept: Any) -> Any:
        """One of several values saved together."""
        return self.value(node, name, {name: kept})

    # ---- hooks ------------------------------------------------------------------------------------------------------
    def before(self, node: Node, g: Any) -> Any:
        """What a node runs on, after the hooks of its tensor and then its own; oldest first, as in PyTorch."""
        g = self.of_tensor(node, g)
        for hook in list(node.hook_list().before.values()):
            parts = g if isinstance(g, Slots) else (g,)
            new = self.called(hook, self.shown(parts))
            if new is not None:
                parts = self.replaced(hook, "grad_outputs", parts, new)
                g = Slots(parts) if isinstance(g, Slots) else parts[0]
        return g

    def of_tensor(self, node: Node, g: Any) -> Any:
        """Run the hooks on the cotangent of a tensor; then keep it, if `retain_grad()` asked for it."""
        hooks = node.hook_list()
        for hook in list(hooks.tensor.values()):
            new = self.called(hook, self.boxed(g))
            if new is not None:
                (g,) = self.replaced(hook, "cotangent", (g,), (new,))
        if hooks.retain and node.op is not None:
            kept = getattr(node, "grad", None)
            node.grad = self.boxed(self.own(g) if kept is None else self.opened(kept) + g)
        return g

    def after(self, node: Node, sent: list[Any], g: Any) -> list[Any]:
        """Run the hooks on what a node sends on."""
        received = self.shown(g if isinstance(g, Slots) else (g,))
        for hook in list(node.hook_list().after.values()):
            new = self.called(hook, self.shown(sent), received)
            sent = sent if new is None else self.replaced(hook, "grad_inputs", sent, new)
        return sent

    def heeded(self, leaf: Node, g: Any) -> Any:
        """What a leaf takes, after its hooks: a copy of what they returned, for they may keep that."""
        new = self.before(leaf, g)
        return new if new is None or new is g else self.own(new)

    def collected(self, leaf: Node, g: Any) -> None:
        """Run the hooks of a leaf whose gradient is there."""
        hooks = leaf.hook_list()
        for hook in list(hooks.filled.values()):
            self.called(hook)
        self.after(leaf, [], g)

    def shown(self, parts: Any) -> tuple[Tensor | None, ...]:
        """Cotangents as the user sees them."""
        return tuple(None if part is None else self.boxed(part) for part in parts)

    def replaced(self, hook: Any, what: str, parts: Any, new: Any) -> list[Any]:
        """What a hook has put in the place of cotangents, checked."""
        checked(hook, what, self.shown(parts), new)
        return [None if x is None else self.opened(x) for x in new]

    def called(self, hook: Any, *args: Any) -> Any:
        """Call the user's code, recorded only if the walk is."""
        with interpreting(self.tape), grad_enabled(self.lifted):
            return hook(*args)

    # ---- how a cotangent is carried ---------------------------------------------------------------------------------
    def boxed(self, g: Any) -> Any:
        """A cotangent as the user sees it."""
        return Slots(map(self.boxed, g)) if isinstance(g, Slots) else None if g is None else Tensor(g)

    def opened(self, x: Tensor) -> Any:
        """A cotangent as the walk carries it."""
        return x.value

    def own(self, g: Any) -> Any:
        """A cotangent in memory of its own."""
        return g.copy()


class OnTensors(OnArrays):
    """The walk of `backward(create_graph=True)`: cotangents are tensors, and what happens to them is recorded."""

    lifted = True

    def __init__(self, tape: Interpreter, retain: bool) -> None:
        super().__init__(tape, retain)
        self.ground = tape

    def arrive(self, leaf: Node, g: Any) -> None:
        """Add what reaches a leaf to its gradient, as a new tensor with a history."""
        if leaf.hooks is not None and (g := self.heeded(leaf, g)) is None:
            return
        leaf.grad = g if leaf.grad is None else leaf.grad + g
        if leaf.hooks is not None:
            self.collected(leaf, g)

    def value(self, node: Node, name: str, saved: dict[str, Any]) -> Any:
        """The value saved under `name`, as a tensor with its history; an output's history is the node itself."""
        kept = saved[name]  # read once: a hook may have to unpack it
        value = super().value(node, name, {name: kept})
        if type(kept) is not Saved:
            return value
        return Tensor(value, node if name == "out" else kept.node, kept.storage)

    def boxed(self, g: Any) -> Any:
        """It is one."""
        return g

    def opened(self, x: Tensor) -> Any:
        """It stays one."""
        return x

    def own(self, g: Any) -> Any:
        """A copy that remembers what it was copied from."""
        return clone(g)
