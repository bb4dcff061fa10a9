"""The words of the loop IR in CUDA C: types, numbers, and ops entry by entry.

CUDA's own expf, logf, tanhf, erff and their kin are within 2 units in the last place (CUDA C++ Programming Guide,
mathematical functions), so no polynomials are needed here.
"""

from __future__ import annotations

from typing import Any

from ....core.array import xp
from ....ops.word import WORDS

TYPES = {"f32": "float", "f64": "double", "i32": "int", "i64": "long long", "b8": "bool"}
BITS = {"i32": 32, "i64": 64}
COMBINED = {"sum": "{0} + {1}", "max": "maximum({0}, {1})", "min": "minimum({0}, {1})"}  # what reductions do


def number(x: Any, dtype: str) -> str:
    """A number as C writes it.

    Example:
        >>> number(0.1, "f32"), number(2, "f32"), number(7.0, "i64"), number(True, "b8"), number(-1e999, "f64")
        ('0.1f', '2.0f', '7', 'true', '(-infinity)')
    """
    if dtype == "b8":
        return "true" if x else "false"
    if dtype in BITS:
        return whole(int(x))
    with xp.errstate(over="ignore"):
        rounded = (xp.float32 if dtype == "f32" else xp.float64)(x)
    if rounded != rounded:
        return "not_a_number"
    if abs(rounded) == float("inf"):
        return "infinity" if rounded > 0 else "(-infinity)"
    text = f"{rounded!s}{'f' if dtype == 'f32' else ''}"
    return f"({text})" if text[0] == "-" else text


def whole(x: int) -> str:
    """A whole number; the least of 64 bits has no literal of its own."""
    if x == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    text = f"{x}{'' if abs(x) < 1 << 31 else 'LL'}"
    return f"({text})" if x < 0 else text


def start(op: str, dtype: str) -> str:
    """What a reduction starts from."""
    if op == "sum":
        return number(0, dtype)
    if dtype in BITS:
        least = -(1 << (BITS[dtype] - 1))
        return whole(least if op == "max" else -1 - least)
    return number(float("-inf") if op == "max" else float("inf"), dtype)


def format_op(op: str, dtype: str, args: list[str], of: str) -> str:
    """An op of some arguments, which are text already and of the dtype `of`; the result is of `dtype`."""
    word = WORDS[op]
    form = word.c or (word.sign and f"({{0}} {word.sign} {{1}})")
    if "{" in form:
        return form.format(*args, type=TYPES[dtype])
    own = not form or of in BITS  # C's library knows floats alone
    return f"{word.own_function if own else form if of == 'f64' else f'{form}f'}({', '.join(args)})"
