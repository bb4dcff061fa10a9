"""Classes are small and flat: at most three levels of inheritance, at most 40 methods each, over the whole package.

A class that one other class alone derives from is a part of that one in a file of its own, so its methods count there
too: an object does not become smaller by being cut into a chain of mixins. Parts are objects, handed to each other.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from functools import cache, partial
from typing import Any

import pytest

from tests.house.source import tracked

PACKAGE = "minitorch_lab"
DEPTH, METHODS = 3, 40

# Where inheritance begins, as it does with `object`: what others are meant to derive from. Each with its reason.
ROOTS = {
    "Tensor": "the tensor of the public face; the compilers and transforms derive their own from it",
    "Module": "the module of the public face; every network derives from it",
    "Distribution": "the distribution of the public face; every distribution derives from it",
    "Layer": "an interpreter that passes everything on to the one below; each derives from it and changes one thing",
    "Box": "a tensor that stands for another one; transforms and captures derive their own from it",
    "Boxing": "an interpreter that wraps tensors; the transforms derive from it",
}
# The deliberate exceptions: what is too deep or too large, and why.
EXCEPTIONS = {
    "Recorder": "the machine of captured bytecode sees one state; its files are kinds of reads and writes in a chain",
    "Capture": "the bytecode of CPython has some 200 instructions, each a method; files are kinds of instructions",
    "Tensor": "its methods are PyTorch's, most of one line; ops stand in rooms of their own",
    "Module": "its methods are PyTorch's, which everybody's networks call",
    "WatchedTensors": "a walk over tensors that is watched, of two walks and two ways to watch",
    "Lowering": "the AST of Python has as many kinds of statements and expressions, each a method",
}


@cache
def classes() -> tuple[type, ...]:
    """Return the classes of the package."""
    found: dict[type, None] = {}
    for path in tracked(f"{PACKAGE}/*.py"):
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if not name.endswith("__main__"):
            mine = vars(importlib.import_module(name)).values()
            found |= {c: None for c in mine if inspect.isclass(c) and c.__module__ == name}
    return tuple(found)


def ours(c: type, among: Iterable[type]) -> list[type]:
    """Return the bases of a class that are in the package."""
    return [b for b in c.__bases__ if b in among]


def depth(c: type, among: Iterable[type], roots: Iterable[str] = ROOTS) -> int:
    """Return how many classes there are from a class up to a root, both ends counted but not the root."""
    return 0 if c.__name__ in roots else 1 + max((depth(b, among, roots) for b in ours(c, among)), default=0)


def own(c: type) -> set[str]:
    """Return the methods that the body of a class defines, without those of Python's protocols."""
    kinds = (property, classmethod, staticmethod)
    named = {n for n, v in vars(c).items() if inspect.isfunction(v) or isinstance(v, kinds)}
    return {n for n in named if not (n.startswith("__") and n.endswith("__"))}


def methods(c: type, among: Iterable[type]) -> set[str]:
    """Return the methods of a class, with those of bases that are there for it alone."""
    alone = [b for b in ours(c, among) if sum(b in other.__bases__ for other in among) == 1]
    return own(c).union(*(methods(b, among) for b in alone))


def too_deep(among: Iterable[type]) -> list[str]:
    """Return the classes with too many levels below a root."""
    return [c.__name__ for c in among if depth(c, among) > DEPTH]


def too_large(among: Iterable[type]) -> list[str]:
    """Return the classes with too many methods."""
    return [c.__name__ for c in among if len(methods(c, among)) > METHODS]


def excepted(among: Iterable[type]) -> set[str]:
    """Return the names of the exceptions, and of the classes that they are made of."""
    return {k.__name__ for c in among if c.__name__ in EXCEPTIONS for k in c.__mro__}


def test_classes_are_flat_and_small() -> None:
    among = classes()
    found = {*too_deep(among), *too_large(among)}
    assert sorted(found - excepted(among)) == []
    assert found >= EXCEPTIONS.keys(), "An exception that is no longer needed: take it off the list."


@pytest.mark.parametrize("reasons", [ROOTS, EXCEPTIONS])
def test_every_exception_has_a_reason(reasons: dict[str, str]) -> None:
    assert all(len(reason.split()) >= 5 for reason in reasons.values())


def chain(levels: int, each: int) -> list[Any]:
    """Return classes that derive from each other, with so many methods each."""
    found: list[Any] = []
    for level in range(levels):
        body = {f"m{level}_{i}": lambda self: None for i in range(each)}
        found.append(type(f"C{level}", tuple(found[-1:]), body))
    return found


@pytest.mark.parametrize(("levels", "deep"), [(3, []), (4, ["C3"])])
def test_a_deep_class_is_seen(levels: int, deep: list[str]) -> None:
    assert too_deep(chain(levels, 1)) == deep


@pytest.mark.parametrize(("each", "large"), [(20, []), (21, ["C1"])])
def test_a_large_class_is_seen_though_it_is_cut_into_mixins(each: int, large: list[str]) -> None:
    assert too_large(chain(2, each)) == large


def test_a_base_of_several_counts_for_itself() -> None:
    base, first = chain(2, 30)
    other = type("Other", (base,), {"n": partial(print)})
    assert too_large([base, first, other]) == []


def test_a_class_below_a_root_is_counted_from_there() -> None:
    module, *others = chain(4, 1)
    module.__name__ = "Module"
    assert too_deep([module, *others]) == []
