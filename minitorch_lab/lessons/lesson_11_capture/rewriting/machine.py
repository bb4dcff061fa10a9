"""The symbolic machine: it walks through the steps with values of which only the facts are known, up to a break.

A piece of a function begins where the last one broke off, ends at a return or a break, and is three things: the graph
of the ops in between, what ends it, and the variables that the pieces after it still need.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import CellType
from typing import Any

from ....autograd.anomaly import Place
from ....compiler.ir.graph import Facts, Graph, Node
from ....compiler.ir.rewrite import acts, trimmed
from ....compiler.ir.symbolic import Captured
from ....tensors.tensor import Tensor
from .attempt import Recorder, Undone
from .instructions import NULL_FIRST, Step, live, read
from .values import NULL, TOOLS, Null, Unknown, captured_in, constant


@dataclass(eq=False, slots=True)
class Program:
    """A function as steps, with what its names mean."""

    fn: Any  # a FunctionType
    steps: list[Step] = field(init=False)
    live: list[set[str]] = field(init=False)
    index: dict[Step, int] = field(init=False)
    read: dict[str, Any] = field(init=False, default_factory=dict[str, Any])  # names that are taken to stay

    def __post_init__(self) -> None:
        """Read the bytecode."""
        self.steps = read(self.fn.__code__)
        self.live = live(self.steps)
        self.index = {step: i for i, step in enumerate(self.steps)}

    def place(self, step: Step) -> Place:
        """The user's line."""
        code = self.fn.__code__
        return Place(code.co_filename, step.line or code.co_firstlineno)

    def meaning(self, name: str) -> Any:
        """What a name outside the function stands for now.

        Raises:
            Undone: Nothing.
        """
        cells = dict(zip(self.fn.__code__.co_freevars, self.fn.__closure__ or (), strict=True))
        try:
            if name in cells:
                cell: CellType = cells[name]
                return cell.cell_contents
            return self.fn.__globals__[name] if name in self.fn.__globals__ else self.fn.__builtins__[name]
        except (KeyError, ValueError):
            raise Undone(f"the name {name}, which means nothing yet") from None


@dataclass(eq=False, slots=True)
class Piece:
    """A stretch of the function between two breaks.

    `given` holds what is known of its parameters: facts of a tensor, a plain value, or an `Unknown`. `stack` says which
    of them lie on the stack at the start.
    """

    number: int
    start: int
    given: dict[str, Any]
    stack: list[Any]  # names of parameters, and NULL
    foreign: bool = False  # whether code that nobody looked into may have run before it
    names: dict[int, str] = field(default_factory=dict[int, str])  # the globals that were read, by identity
    waits: bool = False  # whether it is captured when it is called, since something is not known before
    params: dict[str, Any] = field(init=False, default_factory=dict[str, Any])  # the values in the machine
    graph: Graph = field(init=False)
    outs: list[Node] = field(init=False, default_factory=list[Node])  # what the graph hands back
    end: Return | Jump | Run = field(init=False)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to compile."""
        return len(self.graph.nodes) == 1 + len(self.graph.placeholders)

    @property
    def ways(self) -> list[Way]:
        """Where it may go on."""
        return [] if isinstance(self.end, Return) else list(self.end.ways)


@dataclass(eq=False, slots=True)
class Way:
    """One way on from a break: the step, the values handed on under the names they will have, and the next piece."""

    start: int
    passed: dict[str, Any]
    stack: list[Any]
    piece: Piece = field(init=False)


@dataclass(eq=False, slots=True)
class Return:
    """The function ends with a value."""

    step: Step
    value: Any


@dataclass(eq=False, slots=True)
class Jump:
    """A break at a jump on a value that only the run will tell. The first way is not to jump."""

    step: Step
    value: Any
    ways: tuple[Way, Way]
    why: str


@dataclass(eq=False, slots=True)
class Run:
    """A break at an instruction that is run for real, on these operands. It leaves `results`."""

    step: Step
    operands: list[Any]
    results: list[Unknown]
    popped: bool  # whether the user throws the result away
    ways: tuple[Way]
    why: str


class Machine:
    """Walks through one piece."""

    def __init__(self, program: Program, piece: Piece) -> None:
        self.program, self.piece = program, piece
        self.graph = Graph(f"__compiled_fn_{piece.number}")
        self.recorder = Recorder(self.graph)
        for name, value in piece.given.items():
            known = self.recorder.imagined(name, value) if isinstance(value, Facts) else value
            piece.params[name] = known
        self.stack: list[Any] = [piece.params[x] if isinstance(x, str) else x for x in piece.stack]
        self.locals = {name: value for name, value in piece.params.items() if name not in piece.stack}

    def walk(self) -> None:
        """Go as far as it is known what happens; then write the end and the graph into the piece."""
        i: int | None = self.piece.start
        while i is not None:
            i = self.step(i)
        self.close()

    def step(self, i: int) -> int | None:
        """Take one step. Returns the index of the next one; None at the end of the piece."""
        step = self.program.steps[i]
        if step.op == "RETURN_VALUE":
            self.piece.end = Return(step, self.stack.pop())
            return None
        if step.target is not None:
            return self.jump(i, step)
        move = MOVES.get(step.op)
        if move is not None and not (step.op in ("LOAD_FAST", "LOAD_FAST_CHECK") and step.arg not in self.locals):
            move(self, step.arg)
            return i + 1
        return self.compute(i, step)

    # ---- jumps ------------------------------------------------------------------------------------------------------
    def jump(self, i: int, step: Step) -> int | None:
        """Follow a jump on a known value; break at any other."""
        assert step.target is not None
        there = self.program.index[step.target]
        if step.op == "JUMP_FORWARD":
            return there
        value = self.stack.pop()
        if (taken := decided(step.op, value)) is not None:
            return there if taken else i + 1
        foreign = isinstance(value, Unknown)
        why = "a jump on a value that only the run will tell"
        ways = (self.way(i + 1, self.stack, foreign), self.way(there, self.stack, foreign))
        self.piece.end = Jump(step, value, ways, why)
        return None

    # ---- everything that computes -----------------------------------------------------------------------------------
    def compute(self, i: int, step: Step) -> int | None:
        """Have an instruction told; if that cannot be, break, and leave it for the run."""
        step, null = without_null(step)
        count = TAKES[step.op](step.arg)
        operands = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        try:
            if step.op in ("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_CHECK"):
                results = [self.named(step)]
            elif step.op == "UNPACK_SEQUENCE":
                results = self.recorder.told(step, operands, self.program.place(step))[::-1]
            else:
                results = [self.recorder.told(step, operands, self.program.place(step))]
        except Undone as why:
            self.leave(i, step, null, operands, str(why))
            return None
        self.stack += with_null(results, null)
        return i + 1

    def named(self, step: Step) -> Any:
        """What a name outside the function means. Data is taken to stay only while nobody else's code has run.

        Raises:
            Undone: It is for the run to tell.
        """
        if step.op.startswith("LOAD_FAST"):
            raise Undone(f"the variable {step.arg}, which has no value on this path")
        name = step.arg[0] if step.op == "LOAD_GLOBAL" else step.arg
        value = self.program.meaning(name)
        if not isinstance(value, TOOLS) and (self.piece.foreign or not (isinstance(value, Tensor) or constant(value))):
            raise Undone(f"the name {name}, which may change")
        self.program.read[name] = value
        if step.op == "LOAD_GLOBAL":
            self.piece.names[id(value)] = name
        return self.recorder.own(value) if isinstance(value, Tensor) else value

    def leave(self, i: int, step: Step, null: bool, operands: list[Any], why: str) -> None:
        """Break: the instruction runs for real, and the next piece begins behind it."""
        following = self.program.steps[i + 1]
        gives = {"STORE_SUBSCR": 0, "UNPACK_SEQUENCE": step.arg}.get(step.op, 1)
        popped = following.op == "POP_TOP" and gives == 1
        results = [Unknown() for _ in range(gives)]
        left = with_null([] if popped else results, null)
        self.piece.end = Run(step, operands, results, popped, (self.way(i + 1 + popped, self.stack + left, True),), why)

    # ---- the end ----------------------------------------------------------------------------------------------------
    def way(self, start: int, stack: list[Any], foreign: bool) -> Way:
        """A way on: what lies on the stack and the variables that are still read are handed on."""
        names = [NULL if isinstance(value, Null) else f"__stack_{k}" for k, value in enumerate(stack)]
        passed = {name: value for name, value in zip(names, stack, strict=True) if isinstance(name, str)}
        order = self.program.fn.__code__.co_varnames
        alive = self.program.live[start] & self.locals.keys()
        passed |= {name: self.locals[name] for name in order if name in alive}
        given = {name: handed(value) for name, value in passed.items()}
        way = Way(start, passed, names)
        waits = any(isinstance(value, Unknown) for value in given.values())
        way.piece = Piece(-1, start, given, names, self.piece.foreign or foreign, self.piece.names, waits)
        return way

    def close(self) -> None:
        """Let the graph hand back what is used after it, and forget what is not."""
        piece, end = self.piece, self.piece.end
        used = [end.value] if isinstance(end, (Return, Jump)) else list(end.operands)
        for way in piece.ways:
            used += way.passed.values()
        nodes = [box.value for box in captured_in(used)]
        piece.outs = list(dict.fromkeys(node for node in nodes if node.kind != "placeholder"))
        output = self.graph.output(tuple(piece.outs))
        alive: set[Node] = {output}
        for node in reversed(self.graph.nodes):
            if node in alive or acts(node):
                alive |= {node, *node.feeds}
        piece.graph = trimmed(self.graph, alive)


def handed(value: Any) -> Any:
    """What the next piece knows of a value: a container that holds tensors, or that may change, has to be looked at."""
    if isinstance(value, Captured):
        return value.value.facts
    return value if constant(value) or isinstance(value, TOOLS) else Unknown()


def decided(op: str, value: Any) -> bool | None:
    """Whether a jump is taken; None if only the run will tell."""
    if isinstance(value, Unknown):
        return None
    if op.endswith("NONE"):
        return (value is None) != op.endswith("NOT_NONE")
    if not (constant(value) or type(value) in (tuple, list)):
        return None
    return bool(value) == op.endswith("TRUE")


def without_null(step: Step) -> tuple[Step, bool]:
    """The step without the empty slot that it may push, and whether it does. A method is a bound one from here on."""
    if step.op == "LOAD_METHOD":
        return Step("LOAD_ATTR", step.arg, line=step.line), True
    if step.op == "LOAD_GLOBAL" and step.arg[1]:
        return Step("LOAD_GLOBAL", (step.arg[0], False), line=step.line), True
    return step, False


def with_null(results: list[Any], null: bool) -> list[Any]:
    """The results, with the empty slot where this Python has it."""
    if not null:
        return results
    return [NULL, *results] if NULL_FIRST else [*results, NULL]


def swap(machine: Machine, n: int) -> None:
    """Exchange the top of the stack and the value at depth `n`."""
    machine.stack[-1], machine.stack[-n] = machine.stack[-n], machine.stack[-1]


MOVES: dict[str, Any] = {
    "POP_TOP": lambda m, arg: m.stack.pop(),
    "PUSH_NULL": lambda m, arg: m.stack.append(NULL),
    "COPY": lambda m, arg: m.stack.append(m.stack[-arg]),
    "SWAP": swap,
    "LOAD_CONST": lambda m, arg: m.stack.append(arg),
    "LOAD_FAST": lambda m, arg: m.stack.append(m.locals[arg]),
    "LOAD_FAST_CHECK": lambda m, arg: m.stack.append(m.locals[arg]),
    "STORE_FAST": lambda m, arg: m.locals.__setitem__(arg, m.stack.pop()),
}
TAKES: dict[str, Any] = {  # how many values an instruction takes off the stack
    **dict.fromkeys(("LOAD_GLOBAL", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_CHECK"), lambda arg: 0),
    **dict.fromkeys(
        ("UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "UNARY_NOT", "LOAD_ATTR", "UNPACK_SEQUENCE"),
        lambda arg: 1,
    ),
    **dict.fromkeys(("FORMAT_SIMPLE", "CONVERT_VALUE"), lambda arg: 1),
    **dict.fromkeys(("BINARY_OP", "COMPARE_OP", "IS_OP", "CONTAINS_OP", "BINARY_SUBSCR"), lambda arg: 2),
    **dict.fromkeys(("LIST_EXTEND", "FORMAT_WITH_SPEC"), lambda arg: 2),
    **dict.fromkeys(("BINARY_SLICE", "STORE_SUBSCR"), lambda arg: 3),
    **dict.fromkeys(("BUILD_TUPLE", "BUILD_LIST", "BUILD_SLICE", "BUILD_STRING"), lambda arg: arg),
    "FORMAT_VALUE": lambda arg: 1 + bool(arg & 4),
    "CALL": lambda arg: arg + 2,
    "CALL_KW": lambda arg: arg[0] + 2,
}
