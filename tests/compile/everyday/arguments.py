"""Arguments of changing types, and weak references."""

from __future__ import annotations

import enum
import weakref
from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.everyday.table import A, B, C, Made, breaking, everyday, leaf, three, vec

# ---- arguments of changing types ------------------------------------------------------------------------------------
Pair = namedtuple("Pair", "a b")


@dataclass
class Batch:
    a: Any
    b: Any = None
    tags: list[str] = field(default_factory=list)


class Kind(enum.Enum):
    RELU = "relu"
    TANH = "tanh"


def describe(x: Any) -> Any:
    if x is None:
        return "none"
    if isinstance(x, Batch):
        return x.a * 2
    if isinstance(x, str):
        return x + "!"
    if isinstance(x, (tuple, list)):
        return sum(len(str(type(y))) for y in x)
    if isinstance(x, dict):
        return {k: v for k, v in x.items()}
    if isinstance(x, nn.Module):
        return x(vec(*A))
    if isinstance(x, Kind):
        return x.value
    if isinstance(x, (int, float, ml.Tensor)):
        return x * 2
    return type(x).__name__


def kinds() -> list[Any]:
    return [
        (1.0, 2.0), vec(*A), None, "text", [1, vec(*B)], Pair(1, 2), Batch(vec(*A)), {"k": vec(*A)}, 3, 2.5, True,
        np.float64(2.0), np.int64(3), np.array([1.0, 2.0]), nn.Identity(), Kind.RELU, (), [], {}, 1 + 2j, b"raw",
        range(3), slice(1, 2), {1, 2}, object, len, describe, ml.float32, frozenset({1}), leaf(*C),
    ]  # fmt: skip


def of_every_kind(order: int) -> Made:
    values = kinds()
    picked = [values[i * order % len(values)] for i in range(8)]
    return describe, [(x,) for x in [*picked, *picked]]


for number in (1, 7, 11, 13, 17, 19, 23, 29):
    made = lambda number=number: of_every_kind(number)  # noqa: E731
    made.__name__ = f"argument_of_every_kind_{number}"
    breaking(made)


@breaking
def tuple_once_and_array_later() -> Made:
    return (lambda x, y: x * y[0]), [(vec(*A), (2.0, 3.0)), (vec(*B), np.array([2.0, 3.0])), (vec(*C), vec(1.0, 2.0))]


@breaking
def array_as_argument() -> Made:
    return (lambda x, y: x * ml.tensor(y)), [(vec(*A), np.array(v)) for v in (A, B, C)]


@breaking
def numpy_scalar_as_argument() -> Made:
    return (lambda x, s: x * s), [(vec(*A), np.float64(2)), (vec(*B), np.float32(3)), (vec(*C), np.int64(4))]


# ---- weak references ------------------------------------------------------------------------------------------------
@everyday
def weak_reference() -> Made:
    class Owner:
        scale = 2.0

    owner = Owner()
    r = weakref.ref(owner)

    def f(x: Any) -> Any:
        o = r()
        return x if o is None else x * o.scale

    return f, three(), lambda: owner.scale


@everyday
def weak_dictionary() -> Made:
    class Owner:
        scale = 2.0

    owner = Owner()
    known = weakref.WeakValueDictionary({"a": owner})
    return (lambda x: x * known["a"].scale), three(), lambda: owner.scale


@breaking
def weak_proxy() -> Made:
    class Owner:
        scale = 2.0

    owner = Owner()
    p = weakref.proxy(owner)
    return (lambda x: x * p.scale), three(), lambda: owner.scale


@everyday
def weak_key_dictionary() -> Made:
    class Owner:
        pass

    owner = Owner()
    known = weakref.WeakKeyDictionary({owner: 3.0})
    return (lambda x: x * known[owner]), three(), lambda: len(known)
