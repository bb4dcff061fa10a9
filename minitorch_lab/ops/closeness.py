"""Numbers that are no numbers, and tensors that are equal or nearly so."""

from __future__ import annotations

from math import inf
from typing import Any

from ..core.array import Array, bool_, float32, float_limits, int64, is_float, xp
from ..errors import ArgumentError
from .compare import eq, isnan, le, logical_and, logical_or
from .compare import where as choose
from .elementwise import div, mul, sub
from .families import elementwise, floating
from .front import check_tensors, method, writable
from .kinks import abs as size_of
from .movement import to
from .op import Sample
from .word import FLOATS, Word


def some_odd(rng: Any) -> list[Sample]:
    """Samples: one input with NaN and infinities in it, and an empty one."""
    x = rng.normal(size=(3, 4))
    x[0, :3] = xp.nan, xp.inf, -xp.inf
    return [((x,), {}), ((x[:0],), {})]


isfinite = elementwise(
    "isfinite",
    xp.isfinite,
    vjp=(None,),
    casts=floating,
    samples=some_odd,
    doc=(
        "Whether x is neither infinite nor NaN.",
        "ml.isfinite(ml.tensor([1.0, float('inf')]))",
        "tensor([ True, False])",
    ),
    word=Word(FLOATS, helper="template <typename T> __device__ bool is_finite(T x) { return x - x == 0; }"),
)
isinf = elementwise(
    "isinf",
    xp.isinf,
    vjp=(None,),
    casts=floating,
    samples=some_odd,
    doc=(
        "Whether x is infinite, on either side.",
        "ml.isinf(ml.tensor([1.0, float('inf')]))",
        "tensor([False,  True])",
    ),
    program=lambda x: size_of(x) == inf,
)


signbit = elementwise(
    "signbit",
    xp.signbit,
    vjp=(None,),
    casts=floating,
    samples=some_odd,
    doc=(
        "Whether x has a minus sign, which -0.0 has too.",
        "ml.signbit(ml.tensor([1.0, -0.0]))",
        "tensor([False,  True])",
    ),
    program=lambda x: logical_or(x < 0, logical_and(eq(x, 0), div(1.0, x) < 0)),
)


def tamed(x: Array, nan: float, posinf: float, neginf: float) -> Array:
    """`x` with finite numbers in place of NaN and the infinities."""
    if not is_float(x.dtype):
        return x.copy()  # whole numbers are neither
    kind = x.dtype.type
    tame = xp.where(xp.isnan(x), kind(nan), x)
    return xp.where(tame == xp.inf, kind(posinf), xp.where(tame == -xp.inf, kind(neginf), tame))


nan_to_num_op = elementwise(
    "nan_to_num",
    tamed,
    vjp=(lambda g, x, **_: choose(isfinite(x), g, 0.0),),
    samples=lambda rng: [
        ((rng.normal(size=shape),), {"nan": 0.0, "posinf": 9.0, "neginf": -9.0}) for shape in ((3, 4), (0, 4))
    ],
)


@writable
def nan_to_num(x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    """`x` with `nan` for NaN, and `posinf` and `neginf` for the infinities: if None, the dtype's largest and smallest.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([float("nan"), float("inf"), 1.0]).nan_to_num(posinf=9.0)
        tensor([0., 9., 1.])
    """
    limits = float_limits(x.dtype if is_float(x.dtype) else float32)
    high, low = (float(limits.max) if posinf is None else posinf), (float(limits.min) if neginf is None else neginf)
    return nan_to_num_op(x, nan=nan, posinf=high, neginf=low)


@method
def isclose(x: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """Whether |x - other| ≤ atol + rtol · |other|, entry by entry. Equal infinities are close, NaN only if asked.

    Raises:
        ArgumentError: A tolerance is negative, or one of the two is a number and no tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, 2.0]).isclose(ml.tensor([1.000001, 2.1]))
        tensor([ True, False])
    """
    if rtol < 0 or atol < 0:
        raise ArgumentError(
            f"isclose got rtol={rtol} and atol={atol}.", "A distance is 0 or more.", f"Did you mean rtol={abs(rtol)}?"
        )
    check_tensors("isclose", x, other)
    x, other = (to(v, int64) if v.dtype == bool_ else v for v in (x, other))
    finite = logical_and(isfinite(x), isfinite(other))
    near = le(size_of(sub(choose(finite, x, 0), choose(finite, other, 0))), mul(size_of(other), rtol) + atol)
    same = logical_or(eq(x, other), logical_and(finite, near))
    return logical_or(same, logical_and(isnan(x), isnan(other))) if equal_nan else same


@method
def allclose(x: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether all entries are close, as `isclose` has it, as a Python truth value."""
    return bool(isclose(x, other, rtol, atol, equal_nan).all())


@method
def equal(x: Any, other: Any) -> bool:
    """Whether both have the same shape and the same entries, as a Python truth value.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).equal(ml.ones(2)), ml.ones(2).equal(ml.ones(3))
        (True, False)
    """
    return tuple(x.shape) == tuple(other.shape) and bool(eq(x, other).all())
