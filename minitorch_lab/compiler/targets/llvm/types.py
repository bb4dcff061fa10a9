"""LLVM's types, and numbers of them."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import llvmlite.ir as llvm_ir

ir: Any = llvm_ir
F32, F64 = ir.FloatType(), ir.DoubleType()
I1, I8, I32, I64 = (ir.IntType(n) for n in (1, 8, 32, 64))
POINTER: Any = ir.PointerType()
TYPES: dict[str, Any] = {"f32": F32, "f64": F64, "i32": I32, "i64": I64, "b8": I1}
BITS = {"float": 32, "double": 64, "i1": 1, "i8": 8, "i32": 32, "i64": 64}


def vector(t: Any, lanes: int) -> Any:
    """A vector."""
    return ir.VectorType(t, lanes)


def is_vector(t: Any) -> bool:
    """Whether it is the type of a vector."""
    return isinstance(t, ir.VectorType)


def is_float(t: Any) -> bool:
    """Whether it is a float, or a vector of them."""
    return isinstance(t.element if is_vector(t) else t, (ir.FloatType, ir.DoubleType))


def scalar_of(v: Any) -> Any:
    """The type of one lane."""
    return v.type.element if is_vector(v.type) else v.type


def like(scalar: Any, t: Any) -> Any:
    """The type `scalar`, in as many lanes as `t` has."""
    return vector(scalar, t.count) if is_vector(t) else scalar


@cache
def whole(x: int, t: Any = I64) -> Any:
    """A whole number. Many instructions share one, and its text."""
    return ir.Constant(t, x)


@cache
def row(entries: tuple[int, ...], t: Any = I32) -> Any:
    """A vector of whole numbers, each in its own lane. Many instructions share one, and its text."""
    return ir.Constant(vector(t, len(entries)), [whole(x, t) for x in entries])


def constant(x: Any, t: Any) -> Any:
    """A number, in all lanes if `t` is a vector."""
    inner = t.element if is_vector(t) else t
    number = rounded(float(x)) if inner == F32 else float(x) if is_float(inner) else int(x)
    one = ir.Constant(inner, number)
    return Splat(t, one) if is_vector(t) else one


class Splat(llvm_ir.Constant):
    """A number in all lanes, which LLVM reads as `splat (float 1.0)`: short, where a vector has many lanes."""

    def __init__(self, t: Any, one: Any) -> None:
        super().__init__(t, one)
        self.constant = one

    def _get_reference(self) -> str:
        return f"splat ({self.constant})"


def rounded(x: float) -> float:
    """The nearest number of 32 bits; infinity where there is none."""
    try:
        return struct.unpack("f", struct.pack("f", x))[0]
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")
