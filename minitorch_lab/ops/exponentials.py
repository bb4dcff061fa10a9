"""Sums of exponentials that cannot overflow: the largest entry is taken away first."""

from __future__ import annotations

from ..core.array import Array, on_cpu, solid, xp
from .axes import entries, reduced

SHORT = 32  # entries of a row


def outermost(x: Array, reduces: str, axis: tuple[int, ...], keepdims: bool) -> Array:
    """The "max" or "min". NumPy is slow on many short rows, so they are laid out as columns."""
    if type(x) is on_cpu and x.size > 8 * SHORT and axis == (x.ndim - 1,) and x.shape[-1] <= SHORT:
        columns = xp.ascontiguousarray(x.reshape(-1, x.shape[-1]).T)
        return getattr(columns, reduces)(0).reshape(*x.shape[:-1], *(1,) * keepdims)
    return getattr(solid(x), reduces)(axis, keepdims=keepdims)


def shifted(x: Array, axis: tuple[int, ...]) -> Array:
    """`x` moved so that its largest entry is 0: exp of it cannot overflow."""
    return x - outermost(x, "max", axis, True)


def logsumexp_impl(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    """log Σ eˣ, without overflow."""
    if not entries(x.shape, axis):
        return xp.full_like(x, -xp.inf, shape=reduced(x.shape, axis=axis, keepdims=keepdims))
    top = outermost(x, "max", axis, True)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    with xp.errstate(divide="ignore"):
        moved = solid(x - top)
        total = xp.log(xp.add.reduce(xp.exp(moved, out=moved), axis, keepdims=True)) + top
    return total.reshape(reduced(x.shape, axis=axis, keepdims=keepdims))


def softmax_impl(x: Array, axis: tuple[int, ...]) -> Array:
    """eˣ / Σ eˣ."""
    if not x.size:
        return x.copy()
    e = solid(shifted(x, axis))
    xp.exp(e, out=e)
    return xp.divide(e, xp.add.reduce(e, axis, keepdims=True), out=e)


def log_softmax_impl(x: Array, axis: tuple[int, ...]) -> Array:
    """x - log Σ eˣ."""
    if not x.size:
        return x.copy()
    moved = solid(shifted(x, axis))
    return xp.subtract(moved, xp.log(xp.add.reduce(xp.exp(moved), axis, keepdims=True)), out=moved)
