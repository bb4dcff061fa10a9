"""Watching captures: what stands on the stack, in the variables and in the graph after every instruction.

Where nobody watches nothing of this is there: a watch gives the machine of a capture other meanings, which tell what
they have done, and calls that a program serves never come near it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from types import BuiltinFunctionType, BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ....tensors.tensor import Tensor
from ...ir.fake import facts_of
from ...ir.graph import Node as Value
from .door import NULL
from .guards import Answer
from .tree import Node, leading

CALLABLE = (FunctionType, BuiltinFunctionType, type)
METHOD = (MethodType, BuiltinMethodType)
LONGEST = 24  # characters of a value that are shown
MOST = 20_000  # instructions of one watch: what comes later is not told


@dataclass(frozen=True, slots=True)
class Thing:
    """A value as the machine holds it: a tensor, a callable, an empty slot of a call, or another.

    `name` is what the program calls it, `node` the op that made it, where it was made in a graph.
    """

    text: str
    kind: str
    name: str = ""
    node: Value | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """The machine after the instruction at `index` of `code`, `depth` calls deep.

    `steps` are what the program has grown by: graphs that ended, lines, guards. `nodes` have entered the graph that
    grows, `asked` are the guards on which it relies since then, `error` is what the instruction raised.
    """

    code: CodeType
    index: int
    depth: int
    stack: tuple[Thing, ...]
    variables: dict[str, Thing]
    nodes: tuple[Value, ...]
    asked: tuple[tuple[str, Answer], ...]
    steps: tuple[Node, ...]
    error: str = ""


@dataclass(eq=False, slots=True)
class Walk:
    """One capture. `why` is the guard that failed, nothing for the first; `start` is where in the tree it goes on.

    `cut`: it went on longer than was watched.
    """

    compiled: Any
    why: str
    start: tuple[Node, Any]
    moments: list[Moment] = field(default_factory=list[Moment])
    cut: bool = False

    @property
    def before(self) -> list[Node]:
        """The steps of the program that lead to where this capture goes on, in order."""
        return [node for node, _ in leading(*self.start) if node.parent is not None][::-1]

    @property
    def path(self) -> list[Node]:
        """The steps of the program that this capture has added, in order."""
        node, key = self.start
        found: list[Node] = []
        while (child := node.children.get(key)) is not None:
            found.append(child)
            node, key = child, next(iter(child.children), None)
        return found


class Watch:
    """What was seen: the captures of all compiled functions, in order."""

    def __init__(self) -> None:
        self.walks: list[Walk] = []
        self.count = 0

    def follow(self, recorder: Any) -> None:
        """Let the machine of a recorder tell what it does."""
        compiled, machine = recorder.c, recorder.machine
        walk = Walk(compiled, "" if recorder.tip[1] is None else compiled.recompiles[-1], recorder.tip)
        self.walks.append(walk)
        teller = Teller(self, walk, recorder)
        machine.meanings = {name: partial(teller.run, meaning) for name, meaning in machine.meanings.items()}


class Teller:
    """Writes down the moments of one capture."""

    def __init__(self, watch: Watch, walk: Walk, recorder: Any) -> None:
        self.watch, self.walk, self.recorder = watch, walk, recorder
        self.tip: Node | None = self.recorder.tip[0]
        self.nodes: dict[Value, None] = {}
        self.made: dict[str, Value] = {}  # names of the program, and the op that gave them their value
        self.answers = len(self.recorder.answers)

    def run(self, meaning: Any, machine: Any, frame: Any, instruction: Any) -> int | None:
        """Do what the instruction means, and tell it."""
        index = frame.ip
        try:
            target: int | None = meaning(machine, frame, instruction)
        except BaseException as error:
            self.tell(machine, frame, index, f"{type(error).__name__}: {error}")
            raise
        self.tell(machine, frame, index)
        return target

    def tell(self, machine: Any, frame: Any, index: int, error: str = "") -> None:
        """Add a moment."""
        if self.watch.count >= MOST:
            self.walk.cut = True
            return
        self.watch.count += 1
        nodes, asked, steps = self.grown(), self.asked(), self.written()
        self.walk.moments.append(
            Moment(
                frame.code, index, len(machine.frames) - 1, tuple(map(self.thing, frame.stack)),
                {name: self.thing(v) for name, v in frame.locals.items()}, nodes, asked, steps, error,
            )
        )  # fmt: skip

    # ---- what is new ------------------------------------------------------------------------------------------------
    def grown(self) -> tuple[Value, ...]:
        """What has entered the graph."""
        new = [n for n in self.recorder.layer.graph.nodes if n not in self.nodes]
        self.nodes.update(dict.fromkeys(new))
        return tuple(new)

    def asked(self) -> tuple[tuple[str, Answer], ...]:
        """The guards that have been asked."""
        new = list(self.recorder.answers.items())[self.answers :]
        self.answers += len(new)
        return tuple((subject, key) for (subject, _), key in new)

    def written(self) -> tuple[Node, ...]:
        """The steps by which the program has grown."""
        tip = self.recorder.tip[0]
        new = [step for step, _ in takewhile(lambda found: found[0] is not self.tip, leading(tip))]
        self.tip = tip
        return tuple(reversed(new))

    # ---- values -----------------------------------------------------------------------------------------------------
    def thing(self, v: Any) -> Thing:
        """A value in few words."""
        name: str = self.recorder.names.get(id(v), "")
        if isinstance(v, Tensor):
            node = self.recorder.layer.node_of(v)
            if node is None or node.kind == "placeholder":  # an op of a graph before
                node = self.made.get(name, node)
            elif name:
                self.made[name] = node
            return Thing(str(facts_of(v)), "tensor", name, node)
        if v is NULL:
            return Thing("NULL", "empty")
        if isinstance(v, METHOD) and not isinstance(v.__self__, ModuleType | None):
            owner = self.thing(v.__self__)
            return Thing(f"{owner.name or type(v.__self__).__name__}.{v.__name__}", "callable")
        if isinstance(v, CALLABLE):
            return Thing(v.__name__, "callable", name)
        return Thing(worded(v), "value", name)


def worded(v: Any) -> str:
    """A value that is no tensor: of containers how much they hold, of other objects what they are."""
    if type(v) in (list, tuple, dict, set) and v:
        return f"{type(v).__name__} of {len(v)}"
    if v is None or isinstance(v, (int, float, str, bytes, complex, slice, list, tuple, dict, set)):
        said = repr(v)
        return said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
    return v.__name__ if isinstance(v, ModuleType) else type(v).__name__


watcher: ContextVar[Watch | None] = ContextVar("watcher", default=None)


def watching(recorder: Any) -> None:
    """A capture begins: its machine tells what it does, if somebody watches."""
    watch = watcher.get()
    if watch is not None:
        watch.follow(recorder)


@contextmanager
def watch() -> Generator[Watch]:
    """Have every capture in this block told, instruction by instruction.

    Example:
        >>> import minitorch_lab as ml
        >>> f = ml.compile(lambda x: x * 2 + 1)
        >>> with ml.compile.watch() as seen:
        ...     _ = f(ml.ones(3)), f(ml.ones(3))
        >>> len(seen.walks), [node.name for moment in seen.walks[0].moments for node in moment.nodes]
        (1, ['x', 'mul', 'add'])
    """
    seen = Watch()
    token = watcher.set(seen)
    try:
        yield seen
    finally:
        watcher.reset(token)
