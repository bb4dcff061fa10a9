"""All that a program lets see: what is reachable from its names, written down as facts that can be compared."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

import minitorch_lab as ml

ATOMS = (type(None), bool, int, str, bytes, complex, type, slice, range, BuiltinFunctionType, ModuleType, np.dtype)
ADDRESS = re.compile(r"0x[0-9a-f]+")
NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")


@dataclass
class Fact:
    """One thing that is so, and where: a text, a float or an array."""

    where: str
    what: Any


class Census:
    """The facts about everything that can be reached, each object once: where it is met again, it is the same."""

    def __init__(self, originals: dict[int, Any]) -> None:
        self.originals = originals  # the functions that stand behind compiled ones
        self.facts: list[Fact] = []
        self.first: dict[int, str] = {}
        self.kept: list[Any] = []  # alive, so that no id is given twice
        self.arrays: list[tuple[str, np.ndarray[Any, Any]]] = []

    def note(self, where: str, what: Any) -> None:
        self.facts.append(Fact(where, what))

    def visit(self, x: Any, where: str) -> None:
        x = self.originals.get(id(x), x)
        if isinstance(x, ATOMS):
            self.note(where, f"{type(x).__name__} {ADDRESS.sub('', repr(x))}")
        elif isinstance(x, (float, np.generic)):
            self.note(where, float(x) if isinstance(x, (float, np.floating)) else repr(x))
        elif id(x) in self.first and type(x) is not tuple:
            self.note(where, f"the same as {self.first[id(x)]}")
        else:
            self.first[id(x)] = where
            self.kept.append(x)
            builtin = isinstance(x, Iterator) and type(x).__module__ != "program"
            self.note(where, "an iterator" if builtin else type(x).__name__)
            for name, part in self.parts(x, where):
                self.visit(part, where + name)

    def parts(self, x: Any, where: str) -> Iterator[tuple[str, Any]]:
        """What an object consists of."""
        if isinstance(x, ml.Tensor):
            yield from self.of_tensor(x, where)
        elif isinstance(x, np.ndarray):
            self.of_array(x, where)
        elif isinstance(x, dict):
            counted = "ooks" in where  # the handles of hooks are numbered throughout a process
            yield ".keys()", [key if isinstance(key, ATOMS) and not counted else type(key).__name__ for key in x]
            yield from ((f"[{n}]" if not isinstance(k, str) else f"[{k!r}]", v) for n, (k, v) in enumerate(x.items()))
        elif isinstance(x, (list, tuple, deque)):
            yield from ((f"[{n}]", part) for n, part in enumerate(x))
        elif isinstance(x, (set, frozenset)):
            self.note(where, same_node(str(sorted(map(repr, x)))))
        elif isinstance(x, FunctionType):
            yield from self.of_function(x)
        elif isinstance(x, MethodType):
            yield ".__func__", x.__func__
            yield ".__self__", x.__self__
        elif isinstance(x, ml.Generator):
            self.note(where, str(x.get_state()))
        elif isinstance(x, BaseException):
            yield ".args", x.args
        yield from self.attributes(x)

    def attributes(self, x: Any) -> Iterator[tuple[str, Any]]:
        if not isinstance(x, (FunctionType, ml.Tensor)):
            own = getattr(x, "__dict__", {})
            yield from ((f".{name}", part) for name, part in own.items() if (name, "hooks" in own) != ("key", True))
            if type(x).__module__ == "program":
                names = [name for cls in type(x).__mro__ for name in cls.__dict__.get("__slots__", ())]
                yield from ((f".{name}", getattr(x, name)) for name in names if hasattr(x, name))

    def of_tensor(self, x: ml.Tensor, where: str) -> Iterator[tuple[str, Any]]:
        self.of_array(x.numpy() if not x.requires_grad else x.detach().numpy(), where)
        tape = "requires grad" * x.requires_grad + ", a leaf" * x.is_leaf
        self.note(where, f"{x.dtype} {tuple(x.shape)} {tape}")
        if x.is_leaf:
            yield ".grad", x.grad

    def of_array(self, a: np.ndarray[Any, Any], where: str) -> None:
        self.note(where, np.array(a))
        shared = [name for name, other in self.arrays if a.size and other.size and np.may_share_memory(a, other)]
        self.note(where, f"shares memory with {shared}")
        self.arrays.append((where, a))

    def of_function(self, f: FunctionType) -> Iterator[tuple[str, Any]]:
        yield ".__name__", f.__name__
        if f.__module__ == "program":
            for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
                try:
                    yield f"<{name}>", cell.cell_contents
                except ValueError:
                    yield f"<{name}>", "an empty cell"
            yield from ((f".{name}", getattr(f, name)) for name in ("__defaults__", "__kwdefaults__", "__dict__"))


def same_node(text: str) -> str:
    """A text without addresses and the names of nodes: on the tape a graph is one node."""
    return re.sub(r"0x[0-9a-f]+", "", re.sub(r"\w+Backward\w*", "a node", text))


def census(space: dict[str, Any], originals: dict[int, Any]) -> list[Fact]:
    """The facts about the names of a program, the stream of random numbers and the mode."""
    seen = Census(originals)
    for name, x in space.items():
        if not name.startswith("__") and not isinstance(x, (ModuleType, type)):
            seen.visit(x, name)
        elif isinstance(x, type) and x.__module__ == "program":
            of_class(x, name, seen)
    seen.note("the random numbers", str(ml.get_rng_state()))
    seen.note("is_grad_enabled()", str(ml.is_grad_enabled()))
    return seen.facts


def of_class(cls: type, where: str, seen: Census) -> None:
    """The attributes of a class that are no methods."""
    for name, part in cls.__dict__.items():
        if not name.startswith("__") and isinstance(part, (int, float, str, list, dict, ml.Tensor)):
            seen.visit(part, f"{where}.{name}")


def numbers_in(text: str) -> tuple[list[str], list[float]]:
    """A text around its decimal numbers, and those."""
    return NUMBER.split(text), [float(n) for n in NUMBER.findall(text)]


def alike(a: Any, b: Any, exact: bool) -> bool:
    """Whether two facts are one; if not `exact`, numbers may differ in their last digits."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and near(a, b, exact)
    if isinstance(a, float):
        return near(np.array(a), np.array(b), exact)
    if exact or a == b:
        return a == b
    (around, one), (around_other, other) = numbers_in(a), numbers_in(b)
    return around == around_other and near(np.array(one), np.array(other), exact)


def near(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], exact: bool) -> bool:
    if exact or a.dtype.kind not in "fc":
        return a.tobytes() == b.tobytes() or bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
    finite = np.isfinite(a)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True) or not np.array_equal(finite, np.isfinite(b)):
        return False
    tolerance = 1e-2 if a.dtype.itemsize == 2 else 2e-5
    size = np.abs(a[finite]).max(initial=1.0)
    return bool((np.abs(a[finite].astype(np.float64) - b[finite]) <= tolerance * size).all())
