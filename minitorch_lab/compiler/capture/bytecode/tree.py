"""What a capture leaves behind: a tree of straight-line programs.

A `Guard` asks one question of one value; its children are the answers seen so far. There is no other cache: another
input shape, the other side of an `if`, an error that was not raised before are all a new child somewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ....autograd.anomaly import Place
from ....core.interpret import grad_mode
from ....ops.op import Op
from ...ir.graph import Graph
from ...ir.graph import Node as Value
from .traces import Trail

MODE = "grad_mode.get()"  # the question for the gradient mode


class Raised:
    """The outcome of a call that raised, held as a value so that the program can ask about it."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Int(int):
    """An int that differs from call to call.

    The identity of a value carries its name, and CPython shares small ints. So this takes a class of its own, which
    never leaves the recorder (see `Names.real`).
    """


class Identity(int):
    """`id(x)`. Objects that are told apart by guards have different ones; nothing else is known of it."""

    of: Any

    def __new__(cls, x: Any) -> Identity:
        """The identity of `x`."""
        made = super().__new__(cls, id(x))
        made.of = x
        return made


@dataclass(eq=False, repr=False)
class Node:
    """A step. One that asks nothing has one child, under the answer None."""

    parent: tuple[Node, Any] | None = None
    children: dict[Any, Node] = field(default_factory=dict)
    trail: Trail = ()  # the user's frames, the innermost first

    def __repr__(self) -> str:
        """What it does, in a word; not the tree that it hangs in."""
        return f"<{type(self).__name__} {getattr(self, 'text', '') or getattr(self, 'subject', '')}>"


@dataclass(eq=False, repr=False)
class Line(Node):
    """A line of Python. One that only serves the object `owner`, which the program made itself, dies with it."""

    name: str = ""
    text: str = ""
    uses: frozenset[str] = frozenset()
    owner: str = ""
    breaks: str = ""  # why the graph ends here, if it does
    place: Place | None = None
    safe: bool = False  # a read that cannot fail
    acts: bool = False  # it changes the world, or may: it keeps its place
    replaced: bool = False  # another line undoes it before anybody can look

    def __repr__(self) -> str:
        """A break in the words of the report; another line as it is written."""
        return f"<graph break: {self.breaks}, at {self.place}>" if self.breaks else super().__repr__()


@dataclass(eq=False)
class Made:
    """What one call of the engine gave: a new tensor of these facts, an argument as it was, or a fact."""

    name: str
    like: tuple[Any, ...] | None = None  # shape, dtype, requires_grad
    strides: Any = None  # of a tensor with sizes in its shape
    argument: int | None = None
    fact: Any = None


@dataclass(eq=False, repr=False)
class Segment(Node):
    """A graph. `inputs` and `results` say which names of the program its nodes stand for."""

    graph: Graph = field(default_factory=Graph)
    made: list[Made] = field(default_factory=list)
    inputs: dict[str, Value] = field(default_factory=dict)
    results: dict[str, Value] = field(default_factory=dict)
    alive: frozenset[str] = frozenset()  # results that the interpreter still held when the graph ended
    spent: dict[str, Op] = field(default_factory=dict[str, Op])  # the last op of those whose history a walk has freed


@dataclass(eq=False, repr=False)
class Guard(Node):
    """A question. After an unknown call everything is asked again: `epoch` counts those calls."""

    subject: str = ""
    uses: frozenset[str] = frozenset()
    epoch: int = 0
    place: Place | None = None
    relation: Any = None  # of sizes: a Relation, or the Expression of which the number is asked
    during: str = ""  # the call of the engine that asked: one that is replayed does not ask again


@dataclass(eq=False, repr=False)
class Leaf(Node):
    """The end of one path: `return` or `raise`."""

    text: str = ""
    uses: frozenset[str] = frozenset()


@dataclass(eq=False)
class Notes:
    """What one capture has noted: what it read of the world, what it did to it, in order; and where the call ended."""

    reads: list[tuple[Guard, Any]] = field(default_factory=list[Any])
    effects: list[Line | Value] = field(default_factory=list[Any])
    end: Node | None = None


def leading(node: Node | None = None, key: Any = None) -> Iterator[tuple[Node, Any]]:
    """The steps that lead to the answer `key` of a node, each with the answer that was taken there, the last first."""
    while node is not None:
        yield node, key
        node, key = node.parent or (None, None)


def unread(line: Line, log: dict[str, Any], error: Exception) -> Node:
    """The guard of a read that has failed: from now on that it fails is one of the answers."""
    line.safe, log[line.name] = False, Raised(error)
    line.text = f"try: {line.text}\nexcept Exception as error: {line.name} = Raised(error)"
    return next(iter(line.children.values()))


def entry_mode(node: Any, key: Any) -> bool | None:
    """The gradient mode in which the call began that came to a node; None if it is just beginning."""
    asked = [answer for step, answer in leading(node, key) if isinstance(step, Guard) and step.subject == MODE]
    return asked[-1][1] if asked else None


def restore_mode(node: Any, key: Any) -> bool:
    """Go back to the gradient mode in which the call began that came to a node; the one in force until now."""
    found = grad_mode.get()
    if (entry := entry_mode(node, key)) is not None:
        grad_mode.set(entry)
    return found
