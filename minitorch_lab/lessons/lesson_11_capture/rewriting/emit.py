"""Pieces written as bytecode again: call the graph, take its results apart, do what broke it, hand on the rest.

The rest is handed on in two ways. As TorchDynamo does it, a continuation function is called with what it needs. In the
last listing its body stands there instead, and what it would have been given is known by the caller's names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....compiler.ir.symbolic import Captured
from .instructions import Step, following
from .machine import Jump, Piece, Return, Run, Way
from .values import TOOLS, Null, Unknown, constant, method_of, parts

Names = dict[int, str]  # where a value is: the variable, by the identity of the value


def continuation(steps: list[Step], start: int, stack: list[Any]) -> list[Step]:
    """What can be reached of the user's steps from `start`, after what lay on the stack there is back on it."""
    back = [Step("PUSH_NULL") if isinstance(x, Null) else Step("LOAD_FAST", x, line=steps[start].line) for x in stack]
    reached = {start}
    for i in range(start, len(steps)):  # jumps only go forward
        if i in reached:
            reached.update(following(steps, i))
    return [*back, *(steps[i] for i in sorted(reached))]


def rewritten(piece: Piece, name_of: Callable[[Piece], str]) -> list[Step]:
    """A piece that calls the continuation functions."""
    return tidy(Writer(piece, found(piece), called(name_of)).written())


def inlined(piece: Piece, name_of: Callable[[Piece], str]) -> list[Step]:
    """A piece and all that come after it, in one; those that wait are called."""
    return tidy(Writer(piece, found(piece), in_place(name_of)).written())


def found(piece: Piece) -> Names:
    """Where the parameters are that only the run will bring."""
    return {key(x): name for name, x in piece.params.items() if isinstance(x, (Captured, Unknown))}


class Writer:
    """Writes the steps of one piece.

    Attributes:
        where: The variable in which each value is found.
        steps: What is written so far.
    """

    def __init__(self, piece: Piece, where: Names, go_on: Callable[[Writer, Way], None]) -> None:
        self.piece, self.where, self.go_on = piece, where, go_on
        self.steps: list[Step] = []

    def written(self) -> list[Step]:
        """All of it."""
        self.call_graph()
        end = self.piece.end
        if isinstance(end, Return):
            self.load(end.value)
            self.write("RETURN_VALUE")
        elif isinstance(end, Jump):
            self.jump(end)
        else:
            self.run(end)
        return self.steps

    def write(self, op: str, arg: Any = None, target: Step | None = None) -> None:
        """One more step; it belongs to the user's line at which the piece ends."""
        self.steps.append(Step(op, arg, target, self.piece.end.step.line))

    # ---- values -----------------------------------------------------------------------------------------------------
    def load(self, value: Any) -> None:
        """Push a value: from its variable, as a constant, or built anew."""
        owner = method_of(value)
        if isinstance(value, Null):
            self.write("PUSH_NULL")
        elif key(value) in self.where:
            self.write("LOAD_FAST", self.where[key(value)])
        elif owner is not None:
            self.load(owner)
            self.write("LOAD_ATTR", value.__name__)
        elif type(value) in BUILT and not constant(value):
            for part in parts(value):
                self.load(part)
            self.write(BUILT[type(value)], len(parts(value)))
        elif id(value) in self.piece.names and isinstance(value, TOOLS):
            self.write("LOAD_GLOBAL", (self.piece.names[id(value)], False))
        else:
            self.write("LOAD_CONST", value)

    def store(self, value: Any, name: str) -> None:
        """Take the top of the stack for `value`, under a name of its own."""
        self.where[key(value)] = name
        self.write("STORE_FAST", name)

    def build_lists(self, values: list[Any]) -> None:
        """Build every list that is wanted, once: it may be wanted twice, and is one list."""
        for value in values:
            self.build_lists(parts(value))
            if type(value) is list and key(value) not in self.where:
                self.load(value)
                self.store(value, f"__list_{self.piece.number}_{len(self.where)}")

    # ---- the parts of a piece ---------------------------------------------------------------------------------------
    def call_graph(self) -> None:
        """Call the compiled graph with the tensors that it reads, and name its results."""
        piece = self.piece
        if piece.empty:
            return
        boxes = {value.value.name: value for value in piece.params.values() if isinstance(value, Captured)}
        self.write("LOAD_GLOBAL", (f"__compiled_fn_{piece.number}", True))
        for node in piece.graph.placeholders:
            self.load(boxes[node.name])
        self.write("CALL", len(piece.graph.placeholders))
        self.write("UNPACK_SEQUENCE", len(piece.outs))
        for i, node in enumerate(piece.outs):
            self.where[id(node)] = f"__out_{piece.number}_{i}"
            self.write("STORE_FAST", self.where[id(node)])

    def jump(self, end: Jump) -> None:
        """The user's jump, with what comes after it on both sides."""
        self.build_lists([end.value, *(value for way in end.ways for value in way.passed.values())])
        sides: list[list[Step]] = []
        for way in end.ways:
            side = Writer(self.piece, dict(self.where), self.go_on)
            self.go_on(side, way)
            sides.append(side.steps)
        self.load(end.value)
        self.write(end.step.op, target=sides[1][0])
        self.steps += [*sides[0], *sides[1]]

    def run(self, end: Run) -> None:
        """The user's instruction on its operands; its results get names."""
        (way,) = end.ways
        self.build_lists([*end.operands, *way.passed.values()])
        for value in end.operands:
            self.load(value)
        self.write(end.step.op, end.step.arg)
        if end.popped:
            self.write("POP_TOP")
        else:
            for i, result in reversed(list(enumerate(end.results))):
                self.store(result, f"__result_{self.piece.number}_{i}")
        self.go_on(self, way)


def called(name_of: Callable[[Piece], str]) -> Callable[[Writer, Way], None]:
    """Go on by calling the continuation function."""

    def go_on(writer: Writer, way: Way) -> None:
        writer.write("LOAD_GLOBAL", (name_of(way.piece), True))
        for value in way.passed.values():
            writer.load(value)
        writer.write("CALL", len(way.passed))
        writer.write("RETURN_VALUE")

    return go_on


def in_place(name_of: Callable[[Piece], str]) -> Callable[[Writer, Way], None]:
    """Go on with the steps of the next piece. What it would be given is known by the name it has here."""
    call = called(name_of)

    def go_on(writer: Writer, way: Way) -> None:
        if way.piece.waits:
            return call(writer, way)
        boxes = {name: x for name, x in way.piece.params.items() if isinstance(x, Captured)}
        where = {key(x): writer.where[key(way.passed[name])] for name, x in boxes.items()}
        writer.steps += Writer(way.piece, where, go_on).written()
        return None

    return go_on


BUILT = {tuple: "BUILD_TUPLE", list: "BUILD_LIST", slice: "BUILD_SLICE"}


def key(value: Any) -> int:
    """What tells a value from others: its node, if it is a tensor to be."""
    return id(value.value) if isinstance(value, Captured) else id(value)


def tidy(steps: list[Step]) -> list[Step]:
    """The steps without a name that is given and read in the next step, and nowhere else."""
    reads = [step.arg for step in steps if step.op == "LOAD_FAST"]
    kept: list[Step] = []
    for step in steps:
        last = kept[-1] if kept else step
        once = step.op == "LOAD_FAST" and last.op == "STORE_FAST" and last.arg == step.arg
        if once and reads.count(step.arg) == 1:
            kept.pop()
        else:
            kept.append(step)
    return kept
