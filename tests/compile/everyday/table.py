"""The table of programs, and what can be seen of one: results, errors, and what it did to the world."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import numpy as np

import minitorch_lab as ml

Made = tuple[Any, ...]  # a function or module; its calls, each a tuple of arguments or a dict; perhaps what to look at


@dataclass(frozen=True)
class Program:
    """`make` gives everything afresh. `breaks`: Python must see an entry, so that it is no one graph."""

    name: str
    make: Callable[[], Made]
    breaks: bool


PROGRAMS: dict[str, Program] = {}


def everyday(make: Callable[[], Made]) -> Callable[[], Made]:
    """Enter a program that is one graph."""
    assert make.__name__ not in PROGRAMS
    PROGRAMS[make.__name__] = Program(make.__name__, make, breaks=False)
    return make


def breaking(make: Callable[[], Made]) -> Callable[[], Made]:
    """Enter a program that cannot be one graph."""
    everyday(make)
    PROGRAMS[make.__name__] = Program(make.__name__, make, breaks=True)
    return make


def vec(*xs: float) -> Any:
    """A tensor of float64 numbers."""
    return ml.tensor(list(xs), dtype=ml.float64)


def leaf(*xs: float) -> Any:
    """The same, requiring grad."""
    return vec(*xs).requires_grad_()


def ints(*xs: int) -> Any:
    """A tensor of integers."""
    return ml.tensor(list(xs))


A, B, C = (1.0, -2.0, 3.0), (0.5, 4.0, -1.0), (-3.0, 2.5, 7.0)


def three() -> list[tuple[Any]]:
    """Three calls, each with a vector of three numbers."""
    return [(vec(*xs),) for xs in (A, B, C)]


def observe(program: Program, compile: Callable[[Any], Any]) -> tuple[list[Any], Any]:
    """What the calls of a program show, and what runs it."""
    ml.manual_seed(7)
    f, calls, *look = program.make()
    run = compile(f)
    seen: list[Any] = []
    for call in calls:
        said = io.StringIO()
        with redirect_stdout(said):
            try:
                out = run(**call) if isinstance(call, dict) else run(*call)
            except Exception as error:
                out = (type(error), str(error))
        seen.append((facts(out), facts(call), facts(look[0]()) if look else None, said.getvalue()))
    return seen, run


def facts(x: Any) -> Any:
    """A value as something that can be compared: types, numbers, and gradients."""
    if isinstance(x, ml.Tensor):
        array = x.detach().numpy()
        return type(x).__name__, str(array.dtype), x.requires_grad, array.tolist(), facts(x.grad) if x.is_leaf else None
    if isinstance(x, dict):
        return type(x).__name__, [(facts(k), facts(v)) for k, v in x.items()]
    if isinstance(x, Sequence) and not isinstance(x, str | bytes):
        return type(x).__name__, [facts(part) for part in x]
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        return type(x).__name__, [(f.name, facts(getattr(x, f.name))) for f in dataclasses.fields(x)]
    if isinstance(x, np.ndarray | np.generic):
        return type(x).__name__, str(x.dtype), x.tolist()
    return type(x).__name__, x if isinstance(x, int | float | str | bool | type | None) else str(type(x))
