"""Special numbers as inputs of every op: both zeros, infinities, NaN, the smallest numbers, the ends of whole ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from minitorch_lab.ops.op import OPS, Op

from . import laws

Case = tuple[list[Any], dict[str, Any]]

NUMBERS = [-np.inf, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.5, np.inf]
# Bounds and constants at 0, of either sign, beside those of the samples.
AT_ZERO = {
    "clamp": [
        {"min": a, "max": b} for a, b in [(0, None), (-0.0, None), (None, 0.0), (None, -0.0), (-1.0, 0.0), (0.0, 2)]
    ],
}
ENTRYWISE = [op for op in OPS.values() if op.entrywise and op.name not in laws.RANDOM]


def numbers(dtype: str, ends: bool = True) -> np.ndarray:
    """The special numbers of a dtype; its smallest and largest are left out where libraries round them apart."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.array([False, True])
    if kind.kind in "iu":
        least, most = np.iinfo(kind).min, np.iinfo(kind).max
        return np.array([least, least + 1, *(n for n in (-2, -1, 0, 1, 2, 3) if n >= least), most - 1, most], kind)
    tiny = np.finfo(kind).smallest_subnormal
    return np.array([*NUMBERS, *([-tiny, tiny, np.finfo(kind).max] if ends else []), np.nan], kind)


def parameters(op: Op) -> list[dict[str, Any]]:
    """The parameters that an op is tried with."""
    found: list[dict[str, Any]] = []
    for _, params in op.samples(np.random.default_rng(0)):
        found += [params] if params not in found else []
    return found + AT_ZERO.get(op.name, [])


def first_sample(op: Op) -> list[Any]:
    """The inputs of the first sample."""
    return laws.inputs(op.samples(np.random.default_rng(0))[0][0])


def combined(op: Op, columns: list[np.ndarray]) -> list[np.ndarray]:
    """Every combination of the entries of some columns; truth values and whole numbers stay those of the samples."""
    given = [
        c
        if i >= len(first) or not isinstance(first[i], np.ndarray) or first[i].dtype.kind == "f"
        else np.unique(first[i])
        for first in [first_sample(op)]
        for i, c in enumerate(columns)
    ]
    rows = list(product(*(range(len(c)) for c in given)))
    return [c[[row[i] for row in rows]] for i, c in enumerate(given)]


def entrywise(op: Op, dtype: str, entries: np.ndarray | None = None) -> Iterator[Case]:
    """Every combination of special numbers as the inputs of an op that works entry by entry."""
    columns = [numbers(dtype, op.arity == 1) if entries is None else entries] * op.arity
    for params in parameters(op):
        yield list(combined(op, columns)), params


def with_one(op: Op, entries: list[float], dtype: str = "float64") -> Iterator[Case]:
    """The samples of an op as they are, with one special entry, and full of it."""
    for args, params in op.samples(np.random.default_rng(0)):
        args = laws.inputs(args, dtype)
        floats = [i for i, a in enumerate(args) if isinstance(a, np.ndarray) and a.dtype.kind == "f" and a.size]
        yield args, params
        for i in floats:
            for n, x in enumerate(entries):
                one, full = (args[i].copy() for _ in range(2))
                one.flat[(5 * n) % one.size], full[...] = x, x
                yield [*args[:i], one, *args[i + 1 :]], params
                yield [*args[:i], full, *args[i + 1 :]], params


def odd(got: Any, want: Any, tolerance: float, zeros: bool = True) -> np.ndarray:
    """Where two arrays differ: NaN in one alone, another infinity or number, and the sign of a 0."""
    a, b = np.asarray(got), np.asarray(want)
    assert a.shape == b.shape
    assert a.dtype == b.dtype
    if a.dtype.kind != "f":
        return np.asarray(a != b)
    with np.errstate(all="ignore"):
        alike = (a == b) | (np.abs(a - b) <= tolerance * np.maximum(np.abs(b), 1e-3)) | (np.isnan(a) & np.isnan(b))
    signs = (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b))
    return ~alike | (signs if zeros else False)
