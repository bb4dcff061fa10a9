"""The reference: one page for every public room, written from its names; the words are the docstrings.

Public are the rooms that a program imports, and those parts of the compiler that the lessons take in hand.
"""

from __future__ import annotations

import builtins
import inspect
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from minitorch_lab.core.array import xp
from minitorch_lab.ops import FUNCTIONS
from minitorch_lab.ops.op import Op


class Room(NamedTuple):
    """A public module, and what its page is called."""

    module: str
    title: str


FRONT = Room("minitorch_lab", "Tensors")
OPS = Room("minitorch_lab.ops", "Functions of tensors")
ROOMS = (
    FRONT,
    OPS,
    Room("minitorch_lab.tensors.linalg", "linalg: matrices"),
    Room("minitorch_lab.autograd", "autograd: gradients of what ran"),
    Room("minitorch_lab.func", "func: transforms of functions"),
    Room("minitorch_lab.nn", "nn: modules"),
    Room("minitorch_lab.nn.functional", "nn.functional: modules as functions"),
    Room("minitorch_lab.optim", "optim: optimizers"),
    Room("minitorch_lab.optim.lr_scheduler", "optim.lr_scheduler: learning rates over time"),
    Room("minitorch_lab.data", "data: datasets and loaders"),
    Room("minitorch_lab.distributions", "distributions: random variables"),
    Room("minitorch_lab.train", "train: training loops"),
    Room("minitorch_lab.train.amp", "amp: mixed precision"),
    Room("minitorch_lab.compiler.capture.api", "compile: capture and code"),
    Room("minitorch_lab.compiler.explain", "compile.explain: what the compiler did"),
    Room("minitorch_lab.compiler.explain.minify", "compile.minify: when compiled is not eager"),
    Room("minitorch_lab.compiler.capture.jit", "jit: tracing and scripting"),
    Room("minitorch_lab.compiler.capture.static", "static: define, then run"),
    Room("minitorch_lab.compiler.ir.graph", "compiler.ir.graph: the graph IR"),
    Room("minitorch_lab.compiler.ir.printer", "compiler.ir.printer: graphs as text"),
    Room("minitorch_lab.compiler.ir.evaluate", "compiler.ir.evaluate: graphs, run node by node"),
    Room("minitorch_lab.compiler.ir.fake", "compiler.ir.fake: what an op would give"),
    Room("minitorch_lab.lessons.lesson_11_capture.rewriting", "lessons.lesson_11_capture.rewriting: new bytecode"),
    Room("minitorch_lab.compiler.autodiff.aot", "compiler.autodiff.aot: forward and backward in one graph"),
    Room("minitorch_lab.compiler.autodiff.partition", "compiler.autodiff.partition: the cut between them"),
    Room("minitorch_lab.compiler.passes.pipeline", "compiler.passes.pipeline: the passes"),
    Room("minitorch_lab.compiler.passes.functionalise", "compiler.passes.functionalise: programs without writes"),
    Room("minitorch_lab.compiler.passes.patterns", "compiler.passes.patterns: rules of your own"),
    Room("minitorch_lab.compiler.ir.cost", "compiler.ir.cost: operations and bytes of a graph"),
    Room("minitorch_lab.compiler.memory.plan", "compiler.memory.plan: lives and places"),
    Room("minitorch_lab.compiler.memory.arena", "compiler.memory.arena: one block for all of them"),
    Room("minitorch_lab.compiler.targets.backends", "compiler.targets.backends: who makes the code"),
    Room("minitorch_lab.compiler.targets.numpy.backend", "compiler.targets.numpy.backend: a page of Python"),
    Room("minitorch_lab.compiler.runtime.region", "compiler.runtime.region: a graph as one node of the tape"),
    Room("minitorch_lab.memory", "memory: accounts of bytes"),
    Room("minitorch_lab.recording", "recording: what ran, as data"),
    Room("minitorch_lab.widgets", "widgets: views"),
    Room("minitorch_lab.costmodel", "costmodel: operations counted, and the laws of time and memory"),
    Room("minitorch_lab.costmodel.measure", "costmodel.measure: times, and how to take them"),
    Room("minitorch_lab.ops.op", "ops.op: what an op is declared as"),
    Room("minitorch_lab.core.interpret", "core.interpret: who runs an op"),
    Room("minitorch_lab.grade.judge", "grade.judge: what judges are written with"),
    Room("minitorch_lab.errors", "errors"),
)


def reference_pages() -> dict[str, str]:
    """The text of every page of the reference, by file name."""
    pages = {f"{file_name(room)}.rst": room_page(room) for room in ROOMS}
    entries = "\n".join(f"   {file_name(room)}" for room in ROOMS)
    head = "What is public, with its shapes, dtypes and errors. Every example here is run by the tests.\n"
    head += "All names by letter are in the :ref:`index <genindex>`."
    pages["index.rst"] = f"{headed('Reference')}\n{head}\n\n.. toctree::\n   :maxdepth: 1\n\n{entries}\n   ops\n"
    return pages


def file_name(room: Room) -> str:
    """The page of a room: nn.functional is nn-functional; `ops` is taken, by the table of what checks each op."""
    name = room.module.removeprefix("minitorch_lab.")
    return "functions" if room is OPS else name.replace(".", "-").replace("_", "-")


def room_page(room: Room) -> str:
    """The page of a room: what it says of itself, then its classes, its functions, and what else it names."""
    about = f".. automodule:: {room.module}\n   :no-index:"
    parts = [headed(room.title), "Every op under its name: ml.sin and so on.\n" if room is OPS else f"{about}\n"]
    found, owner = shown(room), owner_of(room)
    classes = {name: thing for name, thing in found.items() if inspect.isclass(thing)}
    parts += [class_entry(f"{owner}.{name}", classes[name]) for name in sorted(classes)]
    parts += [f".. autofunction:: {owner}.{name}\n" for name in sorted(found.keys() - classes.keys())]
    return "\n".join([*parts, *data_entries(room)])


def owner_of(room: Room) -> str:
    """The module by whose name the things of a room are called: an op is `ml.sin`."""
    return FRONT.module if room is OPS else room.module


def class_entry(name: str, thing: type) -> str:
    """A class with its members, and with those of nearer bases that have no entry of their own."""
    bases = thing.__mro__[1:]
    known = next((k for k, base in enumerate(bases) if not is_ours(base) or id(base) in documented_classes()))
    inherited = f"   :inherited-members: {bases[known].__name__}\n" if known else ""
    return f".. autoclass:: {name}\n   :members:\n   :member-order: bysource\n{inherited}"


def is_ours(thing: type) -> bool:
    """Say whether a class is of this package."""
    return thing.__module__.startswith("minitorch_lab")


@cache
def documented_classes() -> frozenset[int]:
    """Every class with an entry, by id."""
    return frozenset(id(thing) for room in ROOMS for thing in shown(room).values() if inspect.isclass(thing))


def data_entries(room: Room) -> list[str]:
    """What a room names that is neither class, function nor module; names of one thing stand together."""
    if room is OPS:
        return []
    names: dict[int, list[str]] = {}
    for name, thing in data(room).items():
        names.setdefault(id(thing), []).append(name)
    things = {id(thing): thing for thing in data(room).values()}
    return [data_entry(room.module, same, things[key]) for key, same in names.items()]


def data_entry(module: str, names: list[str], thing: Any) -> str:
    """One value. A name that Python has too (`ml.int`) is told, but is no target: else every `int` would lead there."""
    own = [name for name in names if not hasattr(builtins, name)]
    others = "".join(f" Also ``{module}.{name}``." for name in names if own and name not in own)
    signature = (chr(10) + " " * 13).join(f"{module}.{name}" for name in own or names)
    return f".. py:data:: {signature}\n{'' if own else '   :no-index:' + chr(10)}\n   {said(thing)}{others}\n"


def data(room: Room) -> dict[str, Any]:
    """The values among the public names of a room: dtypes, constants, objects that there is one of."""
    module = import_module(room.module)
    given = {name: getattr(module, name) for name in public(module)}
    other = {name: thing for name, thing in given.items() if not documented(thing) and not inspect.ismodule(thing)}
    return {name: thing for name, thing in other.items() if not callable(thing) and not isinstance(thing, Op)}


def said(thing: Any) -> str:
    """What a value is, in a line."""
    if isinstance(thing, xp.dtype):
        return f"Numbers of {thing.itemsize} byte{'s' if thing.itemsize > 1 else ''}: ``{thing.name}``."
    if isinstance(thing, str | tuple):
        return f"``{thing!r}``"
    return str(type(thing).__doc__).partition("\n")[0]


def shown(room: Room) -> dict[str, Any]:
    """The classes and functions of a room by name. Front and ops leave out what has a room of its own."""
    module, homes = import_module(room.module), {other.module for other in ROOMS} - {room.module}
    given = {name: getattr(module, name) for name in public(module)}
    found = {name: thing for name, thing in given.items() if documented(thing) and thing.__module__ not in homes}
    if room not in (FRONT, OPS):
        return found
    elsewhere = {id(thing) for other in ROOMS if other not in (FRONT, OPS) for thing in shown(other).values()}
    if room is FRONT:
        elsewhere |= {id(thing) for thing in FUNCTIONS.values()}
    here = FUNCTIONS if room is OPS else found
    return {name: thing for name, thing in here.items() if id(thing) not in elsewhere}


def public(module: ModuleType) -> list[str]:
    """The names that a room gives out: `__all__`, else what it defines itself."""
    own = [n for n, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    return list(getattr(module, "__all__", [name for name in own if not name.startswith("_")]))


def documented(thing: Any) -> bool:
    """Say whether a page can show it: a class or a function with words of its own."""
    return (inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing))) and bool(thing.__doc__)


def headed(title: str) -> str:
    """A heading in reStructuredText."""
    return f"{title}\n{'=' * len(title)}\n"
