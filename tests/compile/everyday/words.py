"""Enumerations, text and `match`."""

from __future__ import annotations

import enum
from typing import Any

import minitorch_lab as ml
from tests.compile.everyday.containers import Point
from tests.compile.everyday.functions import Frozen
from tests.compile.everyday.table import Made, everyday, three, vec


# ---- enum -----------------------------------------------------------------------------------------------------------
class Act(enum.Enum):
    RELU = "relu"
    TANH = "tanh"

    @property
    def gain(self) -> float:
        return 2.0 if self is Act.RELU else 1.0


class Mode(str, enum.Enum):
    TRAIN = "train"
    EVAL = "eval"


class Flag(enum.Flag):
    A = enum.auto()
    B = enum.auto()


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@everyday
def enum_members() -> Made:
    def f(x: Any, act: Any) -> Any:
        y = x.relu() if act is Act.RELU else x.tanh() if act == Act.TANH else x
        return y * act.gain, act.name, act.value, Act("relu").name, Act["TANH"].value

    return f, [(vec(1.0, -1.0), Act.RELU), (vec(1.0, -1.0), Act.TANH), (vec(2.0, -1.0), Act.RELU)]


@everyday
def enum_in_a_dict() -> Made:
    fns = {Act.RELU: lambda x: x.relu(), Act.TANH: lambda x: x.tanh()}
    return (lambda x: fns[Act.TANH](x) + fns[Act("relu")](x)), three()


@everyday
def enum_iteration() -> Made:
    return (lambda x: [(a.name, x * i) for i, a in enumerate(Act)] + [len(Act), Act.RELU in Act]), three()


@everyday
def string_enum() -> Made:
    return (lambda x: x * 2 if Mode.TRAIN == "train" and Mode("eval") is Mode.EVAL else x), three()


@everyday
def int_enum_and_flags() -> Made:
    return (lambda x: x * int(Level.HIGH) + (Level.LOW < Level.HIGH) + bool(Flag.A & (Flag.A | Flag.B))), three()


# ---- text -----------------------------------------------------------------------------------------------------------
@everyday
def text_methods() -> Made:
    def f(x: Any) -> Any:
        name = f"layer_{len(x)}.weight"
        parts = name.split(".")
        ok = name.startswith("layer") and name.endswith(("weight", "bias")) and "_" in name
        words = ", ".join(sorted(parts)).upper().replace("A", "o").strip()
        return x * len(words) * ok, f"{words!r:>20} {len(x):03d} {1.5:.2f}", "%s-%d" % ("a", 3), f"{1} {2}", name[::-1]

    return f, three()


@everyday
def text_of_a_number() -> Made:
    return (lambda x, n: (x * n, f"step {n}", str(n), "n=" + repr(n))), [(vec(1.0), 1), (vec(1.0), 2), (vec(1.0), 3)]


@everyday
def shape_in_a_message() -> Made:
    def f(x: Any) -> Any:
        assert x.ndim == 1, f"expected a vector, got {tuple(x.shape)}"
        if x.shape[0] != 3:
            raise ValueError(f"bad shape {x.shape} {x.dtype}")
        return x * 2, f"{x.shape}"

    return f, [*three(), (vec(1.0),), (ml.ones(2, 2),)]


@everyday
def dispatch_table() -> Made:
    table = {
        "relu": ml.relu,
        "tanh": ml.tanh,
        "id": lambda x: x,
        "sq": ml.Tensor.square if hasattr(ml.Tensor, "square") else ml.abs,
    }
    return (lambda x, name: table[name](x)), [
        (vec(1.0), "relu"),
        (vec(2.0), "tanh"),
        (vec(3.0), "id"),
        (vec(-3.0), "sq"),
    ]


# ---- match ----------------------------------------------------------------------------------------------------------
@everyday
def matches() -> Made:
    def f(x: Any, spec: Any) -> Any:
        match spec:
            case "double":
                return x * 2
            case int() | float() as k:
                return x * k
            case [a, b, *_]:
                return x * a + b
            case {"scale": s, **rest}:
                return x * s + len(rest)
            case Frozen(scale=s) if s > 1:
                return x * s
            case Point(x=p, y=q):
                return x * p + q
            case None:
                return x
            case _:
                return "other"

    specs = ["double", 3, 2.5, [1, 2, 3], {"scale": 2.0, "z": 1}, Frozen(2.0), Frozen(0.5), None]
    return f, [(vec(1.0), s) for s in specs]
