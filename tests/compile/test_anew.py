"""Functions made anew before every call, or in it: their code is one, and what they hold is another."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minitorch_lab as ml
from tests.compile.worlds.observe import observe

X = ml.tensor([1.0, -2.0])
Unary = Callable[..., Any]


def twice(f: Unary) -> Unary:
    @functools.wraps(f)
    def inner(*args: Any) -> Any:
        return 2 * f(*args)

    return inner


def registered(v: Any) -> Any:
    return v + 10


def counter() -> Unary:
    n = 0

    def count(v: Any) -> Any:
        nonlocal n
        n += 1
        return v * n

    return count


def adder(g: Unary) -> Unary:
    return lambda v: g(v) + 1


def in_mode(k: int) -> Unary:
    return (ml.no_grad() if k % 2 else ml.enable_grad())(lambda v: v * k)


MAKERS: dict[str, Callable[[int], Unary]] = {
    "plain": lambda k: lambda v: v * 2,
    "cell": lambda k: lambda v: v * k,
    "default": lambda k: lambda v, k=k: v * k,
    "keyword": lambda k: lambda v, *, k=k: v * k,
    "tensor": lambda k: (lambda t: lambda v: v * t)(ml.full((2,), float(k))),
    "nested": lambda k: adder(lambda u: u * k),
    "wrapped": lambda k: twice(lambda v: v * k),
    "counter": lambda k: counter(),
    "two codes": lambda k: (lambda v: v * k) if k % 3 else (lambda v: v + k),
    "sometimes known": lambda k: registered if k % 4 == 3 else (lambda v: v * k),
    "another's mode": in_mode,
    "the library's": lambda k: ml.func.grad(lambda v: (v**k).sum()),
}
REGISTRY: dict[Any, float] = {registered: 5.0}


def with_attribute(v: Any, g: Any) -> Any:
    g.seen = getattr(g, "seen", 0) + 1
    return v * g.seen, g.__name__


USERS: dict[str, Callable[[Any, Unary], Any]] = {
    "calls": lambda v, g: g(v) + 1,
    "calls again": lambda v, g: g(g(v)),
    "maps": lambda v, g: sum(map(g, [v, v + 1])),
    "wraps": lambda v, g: twice(g)(v),
    "tells apart": lambda v, g: v * 2 if g is registered else v * 3,
    "compares": lambda v, g: v * 2 if g == registered else v * 3,
    "looks up": lambda v, g: v * REGISTRY[g] if g in REGISTRY else g(v),
    "writes on": with_attribute,
    "gives back": lambda v, g: (v * 2, g),
}


def calls_of(user: Callable[[Any, Unary], Any], maker: Callable[[int], Unary]) -> Callable[[Any], Iterator[Any]]:
    """A program: six calls, each with a function of its own."""

    def program(compile: Any) -> Iterator[Any]:
        f = compile(user)
        vars(registered).clear()
        x = ml.tensor([1.0, -2.0], requires_grad=True)
        for k in range(1, 7):
            g = maker(k)
            out = f(x, g)
            yield out, (isinstance(out, tuple) and out[1] is g)

    return program


def one_or_two(compile: Any) -> Iterator[Any]:
    f = compile(lambda v, g, h: (g is h, g(v), h(v)))
    for k in range(6):
        g = MAKERS["cell"](k)
        yield f(X, g, g if k % 2 else MAKERS["cell"](k + 1))


def the_same_as_a_cell(compile: Any) -> Iterator[Any]:
    held = MAKERS["cell"](2)
    f = compile(lambda v, g: v * 2 if g is held else g(v))
    for k in range(6):
        yield f(X, held if k % 3 == 2 else MAKERS["cell"](k))


def a_key_of_the_same_code(compile: Any) -> Iterator[Any]:
    known: dict[Any, float] = {}
    f = compile(lambda v, g: v * known[g] if g in known else v)
    for k in range(6):
        g = MAKERS["cell"](k)
        if k % 3 == 2:
            known[g] = float(k)
        yield f(X, g), [f(X, old) for old in known]


def transforms_inside(compile: Any) -> Iterator[Any]:
    f = compile(lambda v, k: (ml.func.grad(lambda u: (u**3).sum() * k)(v), ml.func.vmap(lambda u: u * k)(v)))
    for k in range(1, 7):
        yield f(X, k)


PROGRAMS = {
    f"{user} {maker}": calls_of(USERS[user], MAKERS[maker]) for user in USERS for maker in MAKERS
} | {p.__name__: p for p in (one_or_two, the_same_as_a_cell, a_key_of_the_same_code, transforms_inside)}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    assert observe(PROGRAMS[name], ml.compile) == observe(PROGRAMS[name], lambda f: f)


@pytest.mark.parametrize("maker", [m for m in MAKERS if m not in ("two codes", "sometimes known")])
def test_other_functions_of_the_same_code_are_not_captured(maker: str) -> None:
    compiled = ml.compile(USERS["calls"])
    for k in range(5):  # that the function is another each time is noted, then that its cell is
        compiled(X, MAKERS[maker](k))
    before = len(compiled.recompiles)
    for k in range(5, 20):
        compiled(X, MAKERS[maker](k))
    assert len(compiled.recompiles) == before
