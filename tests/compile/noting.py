"""The places where a capture notes what a program reads of the world and does to it; and captures without one of them.

The places are the calls that note, as they stand in the source of the recorder: one that is added is found.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from minitorch_lab.compiler.capture import bytecode
from minitorch_lab.compiler.capture.bytecode.guards import answer
from minitorch_lab.compiler.capture.bytecode.lines import Lines

ROOM = Path(str(bytecode.__file__)).parent
# What notes and gives something. Without the note that is given all the same.
GIVES = {
    "self.guard", "self.recorder.guard", "self.perform", "self.distinct", "self.relies_on_defaults",
    "self.class_attribute", "self.fix", "self.rely", "self.exact", "self.concrete", "self.steady", "self.world.relies",
    "self.relies", "self.world.relies_on", "self.guard_labels", "self.graph.write",
}  # fmt: skip
# What only notes.
ONLY = {
    "self.early", "self.after.append", "self.written.add", "self.written.update", "self.rewritten.add", "self.forget",
    "self.look_again", "self.look_at_mode", "self.set_mode", "self.show_mode", "self.ask_again", "self.forget_keys",
}  # fmt: skip


Replace = Callable[["Place", ast.Call], ast.expr]


@dataclass(frozen=True)
class Place:
    """The call of `note` in a function, the `index`-th of its kind there."""

    module: str
    function: str
    note: str
    index: int

    def __str__(self) -> str:
        return f"{self.module}.{self.function}: {self.note}" + (f" ({self.index})" if self.index > 1 else "")


class Marking(ast.NodeTransformer):
    """Replaces the calls that note, in the functions of a module, where `replace` says so."""

    def __init__(self, module: str, replace: Replace) -> None:
        self.module, self.replace = module, replace
        self.names: list[str] = []
        self.seen: dict[tuple[str, str], int] = {}

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self.inside(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self.inside(node)

    def inside(self, node: Any) -> ast.AST:
        """Go on in a class or function."""
        self.names.append(node.name)
        self.generic_visit(node)
        self.names.pop()
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        note = ast.unparse(node.func)
        if note not in GIVES | ONLY or not self.names:
            return node
        function = ".".join(self.names)
        self.seen[function, note] = self.seen.get((function, note), 0) + 1
        return ast.copy_location(
            self.replace(Place(self.module, function, note, self.seen[function, note]), node), node
        )


def tree_of(module: str) -> ast.Module:
    """A module of the recorder."""
    return ast.parse((ROOM / f"{module}.py").read_text("utf-8"))


def places() -> dict[str, Place]:
    """All of them, by name."""
    found: list[Place] = []

    def note(place: Place, call: ast.Call) -> ast.expr:
        found.append(place)
        return call

    for path in sorted(ROOM.glob("*.py")):
        Marking(path.stem, note).visit(tree_of(path.stem))
    return {str(place): place for place in found}


def code_of(code: CodeType, name: str) -> CodeType:
    """The code of the function of this name in that of a module."""
    pending = [code]
    while pending:
        found = pending.pop()
        if found.co_qualname == name:
            return found
        pending += [c for c in found.co_consts if isinstance(c, CodeType)]
    raise LookupError(name)


@contextmanager
def rewritten(module: str, functions: set[str], replace: Replace, **names: Any) -> Any:
    """Let functions of a module be as `replace` says, with these names for it to use."""
    tree = ast.fix_missing_locations(Marking(module, replace).visit(tree_of(module)))
    room: Any = import_module(f"{bytecode.__name__}.{module}")
    code, before = compile(tree, room.__file__, "exec", dont_inherit=True), dict[FunctionType, CodeType]()
    vars(room).update(names)
    try:
        for name in functions:
            owner: Any = room
            for part in name.split("."):
                owner = inspect.unwrap(vars(owner)[part])
            before[owner] = owner.__code__
            owner.__code__ = code_of(code, name)
        yield
    finally:
        for function, old in before.items():
            function.__code__ = old
        for name in names:
            del vars(room)[name]


silent = 0  # how many calls are going on that note nothing


def unnoted(note: Any, *args: Any, **kwargs: Any) -> Any:
    """What a call gives that notes nothing."""
    global silent
    if note.__name__ == "write":
        return args[1][0]  # of a graph: the tensor as it was
    silent += 1
    try:
        return note(*args, **kwargs)
    finally:
        silent -= 1


def guard(self: Any, subject: str, v: Any, uses: Any, tag: Any = None, key: Any = None, relation: Any = None) -> Any:
    """The answer of a guard that is not written."""
    return answer(v) if key is None else key


def perform(self: Any, f: Any, args: Any, kwargs: Any = None, *, outcome: Any = None, **_: Any) -> Any:
    """What is done and not written."""
    given = {k: self.real(v) for k, v in (kwargs or {}).items()}
    return outcome() if outcome is not None else self.real(f)(*map(self.real, args), **given)


def nothing(self: Any, *_: Any, **__: Any) -> None:
    """A line that is not written."""


@contextmanager
def without(place: Place) -> Generator[None]:
    """Captures that note nothing in one place."""

    def replace(found: Place, call: ast.Call) -> ast.expr:
        if found != place:
            return call
        if found.note in ONLY:
            return ast.Constant(None)
        return ast.Call(ast.Name("unnoted", ast.Load()), [call.func, *call.args], call.keywords)

    kept = {name: vars(Lines)[name] for name in ("guard", "perform", "early")}

    def quiet(name: str, instead: Any) -> Any:
        return lambda self, *args, **kwargs: (instead if silent else kept[name])(self, *args, **kwargs)

    try:
        with rewritten(place.module, {place.function}, replace, unnoted=unnoted):
            for name, instead in (("guard", guard), ("perform", perform), ("early", nothing)):
                setattr(Lines, name, quiet(name, instead))
            yield
    finally:
        for name, method in kept.items():
            setattr(Lines, name, method)


@contextmanager
def reaching() -> Generator[set[str]]:
    """The places that captures come to meanwhile."""
    reached = set[str]()

    def noted(place: str, note: Any, *args: Any, **kwargs: Any) -> Any:
        reached.add(place)
        return note(*args, **kwargs)

    def replace(found: Place, call: ast.Call) -> ast.expr:
        name = ast.Name("noted", ast.Load())
        return ast.Call(name, [ast.Constant(str(found)), call.func, *call.args], call.keywords)

    functions: dict[str, set[str]] = {}
    for place in places().values():
        functions.setdefault(place.module, set()).add(place.function)
    with_all = [rewritten(module, names, replace, noted=noted) for module, names in functions.items()]
    for block in with_all:
        block.__enter__()
    try:
        yield reached
    finally:
        for block in reversed(with_all):
            block.__exit__(None, None, None)
