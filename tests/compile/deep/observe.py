"""Running a program, statement by statement, and comparing what it lets see with what it lets see when it runs eagerly.

A program is a script. `compile` is one of its names: what it does is up to who runs the script.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import io
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode.plain import Plain, interpreted
from tests.alarm import Late, within
from tests.compile.deep.state import Fact, alike, census, same_node

Compile = Callable[..., Any]


class Users(Plain):
    """The world as it is, in which the engine's own functions are not looked into: that would take most of the time."""

    def opaque(self, f: Any) -> bool:
        """Whether `f` is never entered."""
        room = getattr(f, "__module__", None) or ""
        return room.startswith("minitorch_lab.") and not room.startswith("minitorch_lab.compiler.capture")


def machine(f: Any) -> Any:
    """The stack machine alone, which compiles nothing."""
    run = interpreted(f, Users)

    class Interpreted:  # with a __call__ written in C, so that the machine does not interpret itself
        __call__ = staticmethod(functools.partial(run))
        __getattr__ = staticmethod(functools.partial(getattr, f))

    return Interpreted()


EXECUTORS: dict[str, Compile] = {
    "machine": machine,
    "numpy": lambda f: ml.compile(f),
    "llvm": lambda f: ml.compile(f, backend="llvm"),
    "sizes": lambda f: ml.compile(f, dynamic=True),
}


@dataclass
class Step:
    """One statement, and what was so after it."""

    source: str
    facts: list[Fact] = field(default_factory=list)
    trace: str = ""


@dataclass
class Difference:
    """Where a program differs first, and in what."""

    executor: str
    kind: str
    statement: str
    where: str
    expected: Any
    got: Any
    trace: str = ""

    def __str__(self) -> str:
        said = f"{self.executor}: {self.kind} after `{self.statement}`, at {self.where}\n"
        return f"{said}  eager: {self.expected}\n  {self.executor}: {self.got}\n{self.trace}".rstrip()


@functools.lru_cache(8)
def statements(text: str) -> list[tuple[bool, str, Any]]:
    """The statements of a script: whether to look around after it, its text and its code."""
    body = ast.parse(text).body
    sources = [ast.unparse(node) for node in body]
    looked = [source.startswith("r = f(") for source in sources[:-1]] + [True]
    codes = [compile(ast.Module([node], []), "<program>", "exec") for node in body]
    return list(zip(looked, sources, codes, strict=True))


def observe(text: str, compile: Compile) -> list[Step]:
    """The steps of a program with some `compile`. An error ends the statement that it escapes from, and no more."""
    originals: dict[int, Any] = {}
    kept: list[Any] = []

    def compiling(f: Any) -> Any:
        result = compile(f)
        if result is not f:
            originals[id(result)] = f
            kept.append(result)
        return result

    sys.modules["program"] = module = ModuleType("program")  # dataclasses look themselves up
    space = module.__dict__
    space["compile"] = compiling
    steps: list[Step] = []
    ml.manual_seed(0)
    with warnings.catch_warnings(), ml.enable_grad(), only_new_garbage():
        warnings.simplefilter("ignore")
        for looked, source, code in statements(text):
            step = Step(source)
            run(step, code, space)
            if looked and "yield" in text:
                gc.collect()  # errors hold frames of the machine, and those generators: they end when these go
            if looked:
                step.facts += census({k: v for k, v in space.items() if v is not compiling}, originals)
            steps.append(step)
    return steps


@contextlib.contextmanager
def only_new_garbage() -> Iterator[None]:
    """Let collections look at what is made in here, and at nothing else: they are quick."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def run(step: Step, code: Any, space: dict[str, Any]) -> None:
    """Run one statement, and note what it printed and raised."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(code, space)
        except Exception as error:
            step.facts.append(Fact("the error", type(error).__name__))
            step.facts.append(Fact("the text of the error", plain(error)))
            step.trace = "".join(traceback.format_exception(error))[-3000:]
        else:
            step.facts.append(Fact("the error", "none"))
    step.facts.append(Fact("what was printed", same_node(out.getvalue())))


def plain(error: Exception) -> str:
    """The text of an error, without what a graph calls otherwise: of the tape it is one node."""
    return "of the tape" if type(error).__name__ == "GradientError" else same_node(str(error))


def kind_of(where: str) -> str:
    return where if where.startswith(("the ", "what ", "is_")) else "the state"


def compare(text: str, executor: str, eager: list[Step], got: list[Step]) -> Difference | None:
    """The first difference."""
    exact = executor == "machine" or (executor != "llvm" and not re.search(r"backward|grad\(|\.step\(|\*\*", text))
    for one, other in zip(eager, got, strict=True):
        for a, b in zip(one.facts, other.facts, strict=False):
            if a.where != b.where or not alike(a.what, b.what, exact):
                where = a.where if a.where == b.where else f"{a.where} / {b.where}"
                trace = other.trace if a.where.startswith("the error") else ""
                return Difference(executor, kind_of(a.where), one.source, where, a.what, b.what, trace)
        if len(one.facts) != len(other.facts):
            return Difference(executor, "the state", one.source, "its end", len(one.facts), len(other.facts))
    return None


def differences(text: str, executors: tuple[str, ...] = ("machine", "numpy", "llvm")) -> list[Difference]:
    """How a program differs from itself run eagerly, with each executor: nothing, if all is well."""
    eager = eagerly(text)
    if eager is None:
        return []
    found = (compare(text, name, eager, observe(text, EXECUTORS[name])) for name in executors)
    return [difference for difference in found if difference is not None]


def eagerly(text: str) -> list[Step] | None:
    """The steps of a program that runs eagerly; None if it does not come to an end."""
    try:
        with within(5):
            return observe(text, lambda f: f)
    except Late:
        return None


def errors(text: str) -> int:
    """How many statements of a program raise when it runs eagerly."""
    return sum(step.trace != "" for step in eagerly(text) or [])
