"""Lengths that differ from call to call: measured once, followed as sizes, guarded where something depends on them."""

from __future__ import annotations

import operator
from typing import Any

from ....core.array import device_of
from ....ops.axes import numel, unlike
from ....tensors.tensor import Tensor
from ...ir.expressions import Expression, number, symbol
from ...ir.graph import Facts
from ...ir.relations import Relation, equal
from ...ir.sizes import Size, Sizes, hinted, mapped_sizes, sizes_in
from . import door
from .guards import Answer, answer
from .lines import Lines
from .shapes import ANY, is_open, measured, patterned
from .tree import Guard, Int, Line, leading

SIGNS = "add sub mul floordiv mod neg pos iadd isub imul ifloordiv imod lt le gt ge eq ne index"
CLOSED: set[Any] = {*(getattr(operator, name) for name in SIGNS.split(" ")), max, min, abs, bool, int, operator.abs}
FIXED = {"dtype", "device", "ndim", "itemsize", "requires_grad", "dim"}  # questions that no length decides


class Followed(Sizes):
    """Sizes whose relations become guards of the program."""

    def __init__(self, recorder: Lengths) -> None:
        super().__init__()
        self.recorder = recorder

    def note(self, relation: Relation, holds: bool) -> None:
        """A guard."""
        names = relation.difference.symbols
        self.recorder.guard(str(relation), holds, names, key=("holds", holds), relation=relation)

    def exact(self, expression: Expression) -> int:
        """The number: a guard as well, of which every number is an answer of its own."""
        found = expression.replaced(self.replaced)
        if found.constant is not None:
            return found.constant
        subject, value = str(found), found.at(self.hints)
        key = self.recorder.guard(subject, value, found.symbols, key=("size", value), relation=found)
        self.learn(equal(found, number(key[1])), True)
        return value


class Lengths(Lines):
    """The part of the recorder that knows lengths."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.sizes = Followed(self)
        self.shapes: dict[
            str, tuple[Any, Any]
        ] = {}  # by the name of a tensor: its shape and strides, if there are sizes
        self.symbols = 0
        self.heard: dict[str, list[tuple[Any, Answer]]] = {}  # on the way, by the call of the engine that asked
        for node, key in leading(*self.tip):
            if isinstance(node, Guard) and node.during:
                self.heard.setdefault(node.during, []).insert(0, (node.relation, key))

    def recall(self, name: str) -> None:
        """Know what a call of the engine has asked of sizes, which is replayed: at the same point as then.

        What is known decides which values are constants, and so which names there are.
        """
        for relation, key in self.heard.get(name, ()):
            if key[0] == "size":
                self.sizes.learn(equal(relation, number(key[1])), True)
            else:
                self.sizes.learn(relation, key[1])

    # ---- tensors ----------------------------------------------------------------------------------------------------
    def measure(self, name: str, x: Tensor, key: Answer, tag: Any) -> None:
        """Give names to the lengths that a guard has left open."""
        if not is_open(key):
            return
        shape: list[Any] = []
        for axis, n in enumerate(key[3]):
            if n is ANY:
                length = f"{self.c.length_prefix}{self.symbols}"
                self.symbols += 1
                if length not in self.done:
                    text = f"{length} = {name}.shape[{axis}]"
                    self.early(Line(name=length, text=text, uses=frozenset({name}), owner=length), tag)
                n = self.sizes.symbol(length, x.value.shape[axis], 2)
            shape.append(n)
        self.shapes[name] = tuple(shape), measured(key[4], tuple(shape))

    def ask_again(self, name: str, x: Tensor) -> None:
        """After an unknown call a tensor must be what it was; one of another shape is measured anew."""
        shape = self.shapes.get(name, (x.value.shape, None))[0]
        same = patterned(x, tuple(str(n) if type(n) is Size else n for n in shape)) if name in self.shapes else None
        key = same if same and hinted(shape) == x.value.shape else answer(x)
        if self.guard(name, x, {name, *(n for size in sizes_in(shape) for n in size.symbols)}, key=key) != same:
            self.shapes.pop(name, None)
            self.measure(name, x, self.answers[name, self.epoch], None)

    def facts(self, x: Tensor) -> Facts | None:
        """What is known of a tensor, if there are sizes in it: here, as none but the program has made it."""
        found = self.shapes.get(self.names.get(id(x), ""))
        return found and Facts(found[0], x.dtype, device_of(x.value), found[1])

    def here(self, x: Any) -> Any:
        """A value of an earlier capture, with the sizes of this call."""
        return mapped_sizes(lambda size: size.of(self.sizes), x)

    def lengthy(self, name: str, x: Tensor, value: Any, dim: Any = None) -> Any:
        """The answer to a question about a tensor as it follows from sizes; `value` in this call."""
        facts = self.facts_here(x)
        if facts is None or name in FIXED:
            return value
        if name in ("shape", "__len__") or (name == "size" and dim is None):
            return facts.shape if name != "__len__" else facts.shape[0]
        if name == "size" and type(dim) is int:
            return facts.shape[dim]
        if name in ("numel", "nbytes"):
            return numel(facts.shape) * (1 if name == "numel" else x.itemsize)
        self.fix(facts.shape)
        return value

    def facts_here(self, x: Tensor) -> Facts | None:
        """The same, in the pending graph: see `ops.py`."""
        raise NotImplementedError

    # ---- numbers ----------------------------------------------------------------------------------------------------
    def sized(self, x: Any) -> Any:
        """An int that differs from call to call as a size, with a symbol of its own."""
        if type(x) is not Int or self.c.dynamic is False:
            return x if type(x) is Size else self.concrete(x)
        name = self.names[id(x)]
        length = f"{self.c.length_prefix}_{name}"
        if length not in self.sizes.hints:
            if length not in self.done:
                self.done[length] = ""
                self.early(Line(name=length, text=f"{length} = {name}", uses=frozenset({name}), owner=length))
            self.sizes.symbol(length, int(x))
        return Size(symbol(length), self.sizes)

    def inside(self, xs: Any) -> Any:
        """What a container holds: see `reads.py`."""
        raise NotImplementedError

    def on_sizes(self, f: Any, args: tuple[Any, ...]) -> Any:
        """What follows from sizes alone: whole numbers that are sizes again, and comparisons, which are guards."""
        if f is door.make_slice:
            return f(*map(self.sized, args))
        if f in (operator.eq, operator.ne) and all(type(a) is tuple for a in args):
            a, b = map(self.inside, args)
            if not sizes_in(a, b) or not all(type(n) in (int, Size) for n in (*a, *b)):
                return NotImplemented
            return unlike(a, b) is (f is operator.ne)
        if f is getattr:
            return getattr(int(args[0]), args[1])
        if f in (isinstance, callable):
            return f(*args)
        if f not in CLOSED or not all(type(a) in (int, bool, Size, Int) for a in args) or Size not in map(type, args):
            return NotImplemented
        return f(*map(self.sized, args))

    def fix(self, *xs: Any) -> None:
        """Rely on all sizes in some values."""
        self.sizes.fix({name for size in sizes_in(*xs) for name in size.symbols})
