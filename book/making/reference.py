"""The reference: one page for every public room, written from its names; the words are the docstrings."""

from __future__ import annotations

import inspect
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

from minitorch_lab.ops import FUNCTIONS


class Room(NamedTuple):
    """A public module, and what its page is called."""

    module: str
    title: str


FRONT = Room("minitorch_lab", "Tensors")
OPS = Room("minitorch_lab.ops", "Functions of tensors")
ROOMS = (
    FRONT,
    OPS,
    Room("minitorch_lab.linalg", "linalg: matrices"),
    Room("minitorch_lab.autograd", "autograd: gradients of what ran"),
    Room("minitorch_lab.func", "func: transforms of functions"),
    Room("minitorch_lab.nn", "nn: modules"),
    Room("minitorch_lab.nn.functional", "nn.functional: modules as functions"),
    Room("minitorch_lab.optim", "optim: optimizers"),
    Room("minitorch_lab.optim.lr_scheduler", "optim.lr_scheduler: learning rates over time"),
    Room("minitorch_lab.data", "data: datasets and loaders"),
    Room("minitorch_lab.train", "train: training loops"),
    Room("minitorch_lab.compile.api", "compile: capture and code"),
    Room("minitorch_lab.compile.explanation", "compile.explain: what the compiler did"),
    Room("minitorch_lab.compile.jit", "jit: tracing and scripting"),
    Room("minitorch_lab.compile.static", "static: define, then run"),
    Room("minitorch_lab.compile.pipeline", "compile.pipeline: the passes"),
    Room("minitorch_lab.memory", "memory: accounts of bytes"),
    Room("minitorch_lab.record", "record: recordings"),
    Room("minitorch_lab.widgets", "widgets: views"),
    Room("minitorch_lab.costmodel", "costmodel: operations counted"),
    Room("minitorch_lab.measure", "measure: times, and how to take them"),
    Room("minitorch_lab.errors", "errors"),
)


def reference_pages() -> dict[str, str]:
    """The text of every page of the reference, by file name."""
    pages = {f"{file_name(room)}.rst": room_page(room) for room in ROOMS}
    entries = "\n".join(f"   {file_name(room)}" for room in ROOMS)
    head = "What is public, with its shapes, dtypes and errors. Every example here is run by the tests."
    pages["index.rst"] = f"{headed('Reference')}\n{head}\n\n.. toctree::\n   :maxdepth: 1\n\n{entries}\n   ops\n"
    return pages


def file_name(room: Room) -> str:
    """The page of a room: nn.functional is nn-functional; `ops` is taken, by the table of what checks each op."""
    name = room.module.removeprefix("minitorch_lab.")
    return "functions" if room is OPS else name.replace(".", "-").replace("_", "-")


def room_page(room: Room) -> str:
    """The page of a room: what it says of itself, then its classes, then its functions."""
    ops = room is OPS
    found = shown(room)
    owner = FRONT.module if ops else room.module
    about = f"Every op under its name: {owner}.sin and so on." if ops else f".. automodule:: {owner}\n   :no-index:"
    parts = [headed(room.title), f"{about}\n"]
    for kind, wanted in (("class", True), ("function", False)):
        for name in sorted(name for name, thing in found.items() if inspect.isclass(thing) is wanted):
            members = "   :members:\n   :member-order: bysource\n" if wanted else ""
            parts.append(f".. auto{kind}:: {owner}.{name}\n{members}")
    return "\n".join(parts)


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
    return (inspect.isclass(thing) or inspect.isfunction(thing)) and bool(thing.__doc__)


def headed(title: str) -> str:
    """A heading in reStructuredText."""
    return f"{title}\n{'=' * len(title)}\n"
