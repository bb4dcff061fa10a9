"""Names: which values a program knows by name, and the text that stands for them.

A value is *tracked* when it has a name. The identity of the object carries it: a float or text that differs from call
to call is therefore copied into an object of its own. An operation without tracked operands is a constant.
"""

from __future__ import annotations

import weakref
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    CodeType,
    FunctionType,
    GenericAlias,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from ....array import xp
from ....autograd.anomaly import PACKAGE, Place
from ....ops.op import Op
from ....tensor import Tensor
from ...expressions import grouped
from ...sizes import Size, hinted, sizes_in
from .generators import Generator
from .inpython import Attributes
from .plain import World
from .traces import Trail
from .tree import Guard, Int, Line, Made, Node, Segment, leading

ATOMS = (int, str, bytes, bool, type(None), type(...), complex, range, CodeType, xp.dtype, type(NotImplemented))
CONSTANT = (
    *ATOMS, float, type, FunctionType, BuiltinFunctionType, ModuleType, MethodDescriptorType, WrapperDescriptorType,
    GenericAlias, Op,
)  # fmt: skip


PLAIN = (tuple, list, dict, set)


class GiveUp(Exception):  # noqa: N818 (it is no error: the call goes on, unrecorded)
    """The program cannot be written down. The call goes on, and the function stays eager."""


def constant(v: Any) -> bool:
    """Whether a value without a name is the same in every call."""
    if isinstance(v, CONSTANT):
        return type(v) is not Size
    if type(v) is slice:
        return all(map(constant, (v.start, v.stop, v.step)))
    return type(v) in (tuple, frozenset) and all(map(constant, v))


def renewed(v: Any) -> Any:
    """A float or text as an object of its own."""
    if type(v) is float:
        return v * 1.0
    return "".join((v[:1], v[1:])) if type(v) is str and len(v) > 1 else v


class Names(World):
    """The part of the recorder that knows names, and where in the tree it stands.

    `tip` is where the program grows. On a replay everything on the way to it has been done already: `log` holds the
    interrupted call's values, `done` the lines that ran, `made` what graphs gave, `answers` what guards heard.
    """

    records = True
    reading = False  # whether another call writes the program meanwhile

    def __init__(self, compiled: Any, node: Node | None, key: Any, log: dict[str, Any]) -> None:
        self.c, self.log = compiled, log
        self.machine: Any = None
        self.names: dict[int, str] = {}
        self.keep: dict[int, Any] = {}  # by the same id: the object, so that the id stays its own; tensors weakly
        self.local: set[int] = set()  # objects that the program made itself
        self.count = self.epoch = 0
        self.off = False
        self.done: set[str] = set()
        self.made: dict[str, Made] = {}
        self.answers: dict[Any, Any] = {}
        self.tip: tuple[Any, Any] = (node, key)
        for step, answer in leading(node, key):
            if isinstance(step, Line):
                self.done.add(step.name)
            elif isinstance(step, Guard):
                self.answers[step.subject, step.epoch] = answer
            elif isinstance(step, Segment):
                self.made |= {m.name: m for m in step.made}

    def fresh(self) -> str:
        """A name that no value has yet; the same in every replay."""
        self.count += 1
        return f"{self.c.prefix}{self.count}"

    def track(self, v: Any, name: str) -> Any:
        """Give a value its name."""
        key = id(v)
        self.names[key] = name
        if isinstance(v, Tensor):
            self.keep[key] = weakref.ref(v, lambda _: (self.names.pop(key, 0), self.keep.pop(key, 0)))
        else:
            self.keep[key] = v
        return v

    def tracked(self, v: Any) -> bool:
        """Whether a value may be another in the next call."""
        return id(v) in self.names or not constant(v)

    def real(self, x: Any) -> Any:
        """A value as code outside the machine may see it."""
        if type(x) is Attributes:
            return vars(x.of)
        if type(x) is Size or type(x) is slice:
            return hinted(x)
        return int(x) if type(x) is Int else x.whole() if isinstance(x, Generator) else x

    def ref(self, v: Any, uses: set[str]) -> str:
        """The text that stands for a value in the program; its name enters `uses`."""
        if type(v) is Attributes:
            return f"vars({self.ref(v.of, uses)})"
        name = self.names.get(id(v))
        if name:
            uses.add(name)
            return name
        if type(v) is Size:
            uses |= v.symbols
            return grouped(v.expression)
        if type(v) is slice and sizes_in(v):
            return f"slice({', '.join(self.ref(part, uses) for part in (v.start, v.stop, v.step))})"
        if isinstance(v, (MethodType, BuiltinMethodType)) and not isinstance(v.__self__, (ModuleType, type(None))):
            return f"{self.ref(v.__self__, uses)}.{v.__name__}"
        if isinstance(v, (tuple, list, dict, set)) and type(v) in PLAIN and any(map(self.tracked, v)):
            raise GiveUp("a container without a name")
        if isinstance(v, BaseException):
            name = self.adopt(v)
            uses.add(name)
            return name
        if isinstance(v, Generator) or (not constant(v) and hasattr(type(v), "__next__")):
            raise GiveUp(f"a {type(v).__name__} leaves the function")
        if id(v) in self.unnamed():
            raise GiveUp(f"a {type(v).__name__} is kept")
        return self.c.pool(v)

    def unnamed(self) -> Any:
        """Objects that the program does not make, because it needs only what they do: see `ops.py`."""
        return ()

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
        if not self.off:
            self.off = True
            if for_good:
                self.c.stay_eager(reason, self.place())
