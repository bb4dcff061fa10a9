"""The engine under an account: a layer on its tape for what ops make, and rules around its rules for what a walk makes.

No engine file knows of this one, and outside the block none of it is in the way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from ..autograd.calls import elsewhere, fitted, met
from ..autograd.context import FunctionContext
from ..autograd.custom import Call, Flat
from ..autograd.eager import Eager
from ..autograd.layer import Layer, made_since
from ..autograd.node import Leaf, Node, Saved, next_order
from ..autograd.pullback import OnArrays
from ..autograd.walk import Rules
from ..core.array import Shape, ground, memory_of
from ..core.interpret import Ground, Interpreter, Runnable, autocast_mode, grad_mode
from ..nn.parameter import Parameter
from ..ops.op import Op, as_given
from ..ops.precision import run_in_block
from ..tensors.tensor import Tensor, storage_of
from .ledger import Block, Ledger
from .places import Place, standing


class Accounting(Layer):
    """Writes down the memory of every result, of what the tape keeps, and of what a walk makes."""

    alone = True  # whether no other account may stand on this one

    def __init__(self, under: Eager, ledger: Ledger) -> None:
        super().__init__(under)
        self.ledger, self.open, self.start = ledger, True, next_order()
        self.ops: Counter[str] = Counter()
        self.places: WeakKeyDictionary[Node, Place | None] = WeakKeyDictionary()
        self.walks: list[bool] = []  # for each walk under way, whether it is itself recorded
        self.pulling: tuple[str, Place | None] = "", None  # the node whose rules run, and its line
        self.fresh: list[Block] = []  # made in an optimizer's step, and not yet known to outlive it

    # ---- ops ------------------------------------------------------------------------------------------------------
    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op` below, and write down what it made."""
        if not self.open:
            return self.under.run(op, args, params)
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given:
            args = met(op, args, self)  # casts are ops of their own
        line = self.begin(args)
        mark = next_order()
        with self.ledger.step():
            out = self.under.run(op, args, params)
            self.tensor(out, "temporary" if out.node is None else "activation", op.name, line)
            self.kept(made_since(mark, out.node), line)
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run a call with rules of the user's below, and write down what it made."""
        if not self.open:
            return self.under.custom(call, args)
        line = self.begin(tuple(args))
        mark = next_order()
        with self.ledger.step():
            outs = self.under.custom(call, args)
            for x in outs:
                if isinstance(x, Tensor):
                    self.tensor(x, "temporary" if x.node is None else "activation", call.name, line)
                    self.kept(made_since(mark, x.node), line)
        return outs

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write below. That makes nothing, unless the tape has to keep what is overwritten."""
        if not self.open:
            return self.under.inplace(op, x, args, params)
        if (dtype := elsewhere(op, x, args)) is not None:
            return self.rounded(op, x, args, params, dtype)
        args = fitted(op, x, args, self)
        line = self.begin((x, *args))
        mark = next_order()
        with self.ledger.step():
            self.under.inplace(op, x, args, params)
            self.kept(made_since(mark, x.node), line)
        return x

    def begin(self, args: tuple[Any, ...]) -> Place | None:
        """An op is about to run on `args`: say where, count it, and look at memory that was there before."""
        line, updating = standing()
        if updating:
            self.ledger.phase = "update"
        else:
            self.settle()
            again = bool(self.walks) and grad_mode.get() and not self.walks[-1]
            self.ledger.phase = "recomputation" if again else "backward" if self.walks else "forward"
        self.ops[self.ledger.phase] += 1
        for a in args:
            if isinstance(a, Tensor):
                self.met(a)
        return line

    def settle(self) -> None:
        """What an optimizer made and has kept after its step is its state."""
        for block in self.fresh:
            if block.died is None:
                self.ledger.claim(block, "optimizer state")
        self.fresh.clear()

    def end(self) -> None:
        """The block is over: what lives now is written down as living."""
        self.settle()
        self.open = False
        self.ledger.close()

    # ---- memory ---------------------------------------------------------------------------------------------------
    def met(self, x: Tensor) -> None:
        """An input of an op: a parameter, or anything else that need not have been made under the account."""
        leaf = x.node if isinstance(x.node, Leaf) else None
        if (known := self.block(x)) is not None:
            if leaf is not None:
                self.ledger.claim(known, "parameter")
        elif leaf is not None or isinstance(x, Parameter):
            self.found(x, "parameter", leaf is None or leaf.order > self.start)
        elif x.node is not None:
            self.found(x, "activation", True)
        else:
            updating = self.ledger.phase == "update"
            self.found(x, "optimizer state" if updating else "input", updating)
        if leaf is not None and leaf.grad is not None and self.block(leaf.grad) is None:
            self.found(leaf.grad, "gradient", True)

    def found(self, x: Tensor, category: str, before: bool) -> None:
        """Memory that no op under the account made. If it was there before, it counts from the beginning."""
        size, shape = memory(x).nbytes, tuple(x.shape)
        made = self.ledger.found(size, category, shape) if before else self.born(size, category, None, shape, None)
        self.ledger.watch(made, owner(x))

    def tensor(self, x: Tensor, category: str, op: str, line: Place | None) -> None:
        """The result of an op: new memory, or a claim on memory that is known."""
        known = self.block(x)
        if known is None:
            known = self.born(memory(x).nbytes, category, op, tuple(x.shape), line)
            self.ledger.watch(known, owner(x))
        self.ledger.claim(known, category)

    def array(self, array: Any, category: str, op: str, line: Place | None) -> None:
        """An array of a walk, which no tensor need hold. A bare number of NumPy's has no memory, and is left out."""
        held = memory_of(ground(array))
        if not hasattr(held, "__setitem__"):
            return
        known = self.ledger.find(held)
        if known is None:
            known = self.born(held.nbytes, category, op, tuple(held.shape), line)
            self.ledger.watch(known, held)
        self.ledger.claim(known, category)

    def born(self, nbytes: int, category: str, op: str | None, shape: Shape, line: Place | None) -> Block:
        """A new block. One that is made in an optimizer's step may turn out to be state."""
        block = self.ledger.birth(nbytes, category, op, shape, line)
        if self.ledger.phase == "update":
            self.fresh.append(block)
        return block

    def block(self, x: Tensor) -> Block | None:
        """The block under `x`, if it is known."""
        return self.ledger.find(x.storage) or self.ledger.find(memory(x))

    def kept(self, nodes: Iterable[Node], line: Place | None) -> None:
        """What new nodes keep for the walk. Most of it is known: results and inputs."""
        for node in nodes:
            self.places[node] = line
            for value in values((node.saved or {}).values()):
                self.array(value, "activation", node.name(), line)

    # ---- walks ----------------------------------------------------------------------------------------------------
    def rules(self, retain: bool, create: bool) -> OnArrays:
        """The rules of the tape below, whose hooks run under the account as well."""
        rules = self.under.rules(retain, create)
        rules.tape = self
        return rules

    def drive(self, seeds: dict[Node, Any], rules: Rules, ground: Interpreter, create: bool) -> None:
        """Walk, and write down what the rules make."""
        if not self.open:
            return self.under.drive(seeds, rules, ground, create)
        self.settle()
        self.walks.append(create)
        self.ledger.phase = "backward"
        watched = WatchedRules(rules, self)
        for node, seed in seeds.items():
            watched.note(node, seed)
        try:
            inside = ground if isinstance(ground, Accounting) else self  # an account that stands on this one
            self.under.drive(seeds, watched, inside if create else WatchedGround(self, ground), create)
        finally:
            self.walks.pop()
        return None


class WatchedRules:
    """Rules that say what memory they make. One node is one step: what it reads dies after what it makes is born."""

    def __init__(self, rules: Rules, account: Accounting) -> None:
        self.rules, self.account, self.ledger = rules, account, account.ledger
        self.waiting: dict[Node, Block | None] = {}  # nodes that have a cotangent; its block, if the walk added it up

    def note(self, node: Node, g: Any) -> None:
        """The cotangent that `node` gets."""
        made = self.waiting.pop(node, None)
        if made is not None and self.ledger.find(held := memory_of(ground(g))) is None:
            self.ledger.watch(made, held)
        self.account.array(g, "temporary", node.name(), self.account.places.get(node))

    def pull(self, node: Node, g: Any) -> list[Any]:
        """Run the rules of `node`."""
        self.ledger.phase = "backward"
        self.note(node, g)
        before = self.account.pulling
        self.account.pulling = name, line = node.name(), self.account.places.get(node)
        with self.ledger.step():
            sent = self.rules.pull(node, g)
            self.ledger.phase = "backward"  # a checkpoint has computed meanwhile
            for edge, part in zip(node.edges, sent, strict=True):
                if edge is not None and part is not None:
                    self.sent(edge, part, name, line)
        self.account.pulling = before
        return sent

    def sent(self, edge: Node, part: Any, name: str, line: Place | None) -> None:
        """A part goes to `edge`. If one is there, the walk adds the two, on arrays of its own."""
        self.account.array(part, "temporary", name, line)
        self.account.ops["backward"] += 1
        if edge not in self.waiting:
            self.waiting[edge] = None
            return
        old = self.waiting[edge]
        if hasattr(part, "__setitem__") and not isinstance(part, Tensor):  # not a bare number, which has no memory
            self.waiting[edge] = self.ledger.birth(part.nbytes, "temporary", "sum of cotangents", part.shape, line)
        if old is not None:
            self.ledger.death(old)

    def arrive(self, leaf: Node, g: Any) -> None:
        """A leaf takes its gradient."""
        self.note(leaf, g)
        self.rules.arrive(leaf, g)
        self.account.array(g if leaf.grad is None else leaf.grad, "gradient", leaf.name(), None)

    def own(self, g: Any) -> Any:
        """A copy of a cotangent."""
        copy = self.rules.own(g)
        self.account.array(copy, "temporary", "copy of a cotangent", None)
        return copy


class WatchedGround(Ground):
    """What ops inside a rule make, such as cos x in the rule of the sine. Plain arithmetic on arrays is not seen."""

    def __init__(self, account: Accounting, under: Interpreter) -> None:
        self.account, self.under = account, under

    def run(self, op: Runnable, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Call the op's implementation, and write down what it made."""
        with self.account.ledger.step():
            value = self.under.run(op, args, params)
            self.account.array(value, "temporary", *self.account.pulling)
        return value


def memory(x: Tensor) -> Any:
    """The object that owns the memory of `x`, or NumPy's bare number."""
    return memory_of(ground(x.value))


def owner(x: Tensor) -> Any:
    """What lives as long as the memory of `x`: its array, or the storage of a bare number, which has no memory yet."""
    held = memory(x)
    return held if hasattr(held, "__setitem__") else storage_of(x)


def values(saved: Iterable[Any]) -> Iterator[Any]:
    """The arrays among what a node keeps."""
    for kept in saved:
        if isinstance(kept, Saved):
            yield kept.value
        elif isinstance(kept, tuple):
            yield from values(kept)
        elif isinstance(kept, FunctionContext):
            yield from values(kept._kept or ())  # pyright: ignore[reportPrivateUsage]
