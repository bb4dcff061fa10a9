"""Names: which values a program knows by name, and the text that stands for them.

A value is *tracked* when it has a name. The identity of the object carries it: a float or text that differs from call
to call is therefore copied into an object of its own. An operation without tracked operands is a constant.
"""

from __future__ import annotations

import enum
import warnings
import weakref
from collections import deque
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    CodeType,
    FunctionType,
    GenericAlias,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    UnionType,
    WrapperDescriptorType,
)
from typing import Any

from ....autograd.anomaly import PACKAGE, Place
from ....core.array import xp
from ....ops.op import Op
from ....tensors.tensor import Tensor
from ...ir.expressions import grouped
from ...ir.sizes import Size, hinted, sizes_in
from .generators import Generator
from .halts import Astray, Untraced
from .inpython import Attributes
from .lookup import found_by_name
from .plain import World
from .traces import Trail
from .tree import Guard, Identity, Int, Line, Made, Node, Notes, Segment, leading

ATOMS = (
    int, str, bytes, bool, type(None), type(...), complex, range, CodeType, xp.dtype, type(NotImplemented), enum.Enum,
)  # fmt: skip
# What is equal to itself in every call: of exactly these types, as another may be derived from them and hold more.
EXACT = {
    int, str, bytes, bool, float, complex, range, type(None), type(...), type(NotImplemented), CodeType, FunctionType,
    MethodDescriptorType, WrapperDescriptorType, GenericAlias, UnionType,
}  # fmt: skip
KINDS = (type, ModuleType, Op, xp.dtype, enum.Enum)  # and of these also what is derived


PLAIN = (tuple, list, dict, set)


class Kept(weakref.ref[Tensor]):
    """How the recorder holds a tensor: it must not keep it alive."""


class GiveUp(Exception):  # noqa: N818 (it is no error: the call goes on, unrecorded)
    """The program cannot be written down. The call goes on, and the function stays eager."""


def constant(v: Any) -> bool:
    """Whether a value without a name is the same in every call."""
    kind = type(v)
    if kind in EXACT or issubclass(kind, KINDS):
        return True
    if kind is slice:
        return all(map(constant, (v.start, v.stop, v.step)))
    if kind is BuiltinFunctionType:
        return v.__self__ is None or constant(v.__self__)
    return kind in (tuple, frozenset) and all(map(constant, v))


def renewed(v: Any) -> Any:
    """A number or text as an object of its own. A NaN is found in a container by its identity, and keeps that."""
    if type(v) is float:
        return v * 1.0 if v == v else v
    if type(v) is complex:
        return complex(v.real, v.imag)
    return "".join((v[:1], v[1:])) if type(v) is str and len(v) > 1 else v


def apart(v: Any) -> Any:
    """A constant of the code that has an identity, as an object of its own."""
    if type(v) in (tuple, frozenset):
        return type(v)([*map(apart, v)])
    return renewed(v) if type(v) is complex else v


class Names(World):
    """The part of the recorder that knows names, and where in the tree it stands.

    `tip` is where the program grows. On a replay everything on the way to it has been done already: `log` holds the
    interrupted call's values, `done` the lines that ran, `made` what graphs gave, `answers` what guards heard.
    """

    records = True
    inner: dict[int, Any] | None = None  # what the function of a transform has made, while one is gone through
    refusal = ""  # why a transform is none of the graph's, while its call is left to Python
    reading = False  # whether another call writes the program meanwhile

    def __init__(self, compiled: Any, node: Node | None, key: Any, log: dict[str, Any]) -> None:
        self.c, self.log = compiled, log
        self.machine: Any = None
        self.ending: list[Any] = []  # whether the call returns or raises, and what
        self.names: dict[int, str] = {}
        self.keep: dict[int, Any] = {}  # by the same id: the object, so that the id stays its own; tensors weakly
        self.local: set[int] = set()  # objects that the program made itself
        self.literals: dict[int, tuple[Any, Any]] = {}  # copies of constants of the code, each beside what it copies
        self.unwritten: dict[int, Any] = {}  # objects made in this call that the program does without
        self.notes = Notes()
        self.count = self.epoch = 0
        self.off = False
        self.done: dict[str, str] = {}  # the lines that ran, by name
        self.made: dict[str, Made] = {}
        self.answers: dict[Any, Any] = {}
        self.ahead: set[str] = set()  # of what the interrupted call has done, what a replay has not come to yet
        self.broke: set[str] = set()  # the lines among those that ended a graph
        self.astray: Astray | None = None
        self.tip: tuple[Any, Any] = (node, key)
        for step, answer in leading(node, key):
            if isinstance(step, Line):
                self.done[step.name] = step.text
                self.ahead |= {step.name} if step.acts else set()
                self.broke |= {step.name} if step.breaks else set()
            elif isinstance(step, Guard):
                self.answers[step.subject, step.epoch] = answer
            elif isinstance(step, Segment):
                self.made |= {m.name: m for m in step.made}
                self.ahead |= {m.name for m in step.made}

    def fresh(self) -> str:
        """A name that no value has yet; the same in every replay."""
        self.count += 1
        return f"{self.c.prefix}{self.count}"

    def track(self, v: Any, name: str) -> Any:
        """Give a value its name."""
        key = id(v)
        self.names[key] = name
        if isinstance(v, Tensor):
            self.keep[key] = Kept(v, lambda _: (self.names.pop(key, 0), self.keep.pop(key, 0)))
        else:
            self.keep[key] = v
        return v

    def literal(self, v: Any) -> Any:
        """A constant of the code, as an object of its own: another that is held outside may be one and the same."""
        made = apart(v)
        self.literals[id(made)] = made, v
        return made

    def tracked(self, v: Any) -> bool:
        """Whether a value may be another in the next call."""
        return id(v) in self.names or not constant(v)

    def real(self, x: Any) -> Any:
        """A value as code outside the machine may see it."""
        if type(x) is Attributes:
            return vars(x.of)
        if type(x) is Size or type(x) is slice:
            return hinted(x)
        if id(x) in self.unwritten:
            return self.released(x)
        return int(x) if type(x) in (Int, Identity) else x.whole() if isinstance(x, Generator) else x

    def released(self, x: Any) -> Any:
        """What the program did without, as code outside the machine may see it: with Python's own iterators in it."""
        if isinstance(x, tuple):
            return tuple.__new__(type(x), map(self.real, x))
        if isinstance(x, list | deque):
            parts = [*map(self.real, x)]
            x.clear()
            x.extend(parts)
        if isinstance(x, dict):
            x.update({k: self.real(v) for k, v in x.items()})
        return x

    def ref(self, v: Any, uses: set[str]) -> str:
        """The text that stands for a value in the program; its name enters `uses`."""
        if type(v) is Attributes:
            return f"vars({self.ref(v.of, uses)})"
        name = self.names.get(id(v))
        if name and id(v) not in self.unwritten:
            uses.add(name)
            return name
        if type(v) is Size:
            uses |= v.symbols
            return grouped(v.expression)
        if type(v) is Identity:
            return f"id({self.ref(v.of, uses)})"
        if type(v) is slice and sizes_in(v):
            return f"slice({', '.join(self.ref(part, uses) for part in (v.start, v.stop, v.step))})"
        if isinstance(v, (MethodType, BuiltinMethodType)) and not isinstance(v.__self__, (ModuleType, type(None))):
            if isinstance(v, MethodType) and not found_by_name(v):
                return f"{self.c.pool(MethodType)}({self.ref(v.__func__, uses)}, {self.ref(v.__self__, uses)})"
            return f"{self.ref(v.__self__, uses)}.{v.__name__}"
        if type(v) is tuple and not any(map(self.unwritable, v)) and not constant(v):
            name = self.put_together(v)
            uses.add(name)
            return name
        if isinstance(v, (tuple, list, dict, set)) and type(v) in PLAIN and any(map(self.tracked, v)):
            raise GiveUp("a container without a name")
        if isinstance(v, BaseException):
            name = self.adopt(v)
            uses.add(name)
            return name
        if self.unwritable(v):
            raise GiveUp(f"a {type(v).__name__} leaves the function")
        return self.c.pool(self.literals[id(v)][1] if id(v) in self.literals else v)

    def unwritable(self, v: Any) -> bool:
        """Whether the program cannot make a value: an iterator of ours, a block of a gradient mode, what holds one.

        It needs only what they do, as long as they do not leave the call.
        """
        if isinstance(v, (MethodType, BuiltinMethodType)):
            return self.unwritable(v.__self__)
        if isinstance(v, Generator) or id(v) in self.unwritten:
            return True
        return id(v) not in self.names and not constant(v) and hasattr(type(v), "__next__")

    def put_together(self, v: tuple[Any, ...]) -> str:
        """The name of a tuple of values that have names: see `writes.py`."""
        raise NotImplementedError

    def adopt(self, error: BaseException) -> str:
        """The name of an error that the machine itself raised: see `reads.py`."""
        raise NotImplementedError

    def trail(self) -> Trail:
        """The user's frames, the innermost first."""
        return tuple((f.code, f.line()) for f in reversed(self.machine.frames))

    def place(self) -> Place | None:
        """The innermost of them that is not ours."""
        for code, line in self.trail():
            if not code.co_filename.startswith(PACKAGE):
                return Place(code.co_filename, line)
        return None

    def release(self) -> None:
        """Hold no more of the user's objects: they end when the user lets go of them."""
        self.off, self.log = True, {}
        for held in (self.names, self.keep, self.unwritten):
            held.clear()

    # ---- the tree ---------------------------------------------------------------------------------------------------
    def append(self, node: Node, key: Any = None) -> None:
        """Let the program grow by a step."""
        parent, at = self.tip
        if self.off or self.reading or at in parent.children:  # a nested call has been here meanwhile
            self.stop("another call has been here", for_good=False)
            return
        node.parent, parent.children[at] = self.tip, node
        self.tip = (node, key)
        self.c.grew(node)

    def stop(self, reason: str, for_good: bool = True) -> None:
        """Write down nothing more of this call; and of no other either, if nothing else can be expected of them."""
        self.only_looks(reason)
        if self.ahead:
            self.lose_way(reason)
        if not self.off:
            self.off = True
            if for_good:
                self.c.stay_eager(reason, self.place())

    def only_looks(self, reason: str) -> None:
        """Refuse what would be seen, or end the graph, where a transform is gone through.

        Raises:
            Untraced: One is.
        """
        if self.inner is not None:
            raise Untraced(reason)

    def lose_way(self, reason: str) -> None:
        """End a replay that does not come to where the call was interrupted: to go on would do things twice.

        Raises:
            Astray: Always.
        """
        self.off = True
        self.astray = self.astray or Astray(reason, self.place())
        raise self.astray

    def begin_new(self) -> None:
        """Something is about to be done for the first time: a replay must have come to all that has been done."""
        if self.astray or self.ahead:
            self.lose_way("it would do something new before that")

    def room(self) -> None:
        """Give up before something new is done, never after: the call goes on and must not do it twice."""
        self.begin_new()
        if self.c.too_long(self.count):
            warnings.warn(
                f"{self.c.__name__} runs eagerly from now on: one call makes {self.count} values and more, and its "
                "program would write them out one by one. Compile one round of the loop, and leave the loop outside.",
                stacklevel=4,
            )
        if self.c.closed or self.c.too_long(self.count):
            raise GiveUp("the program has grown too long")
