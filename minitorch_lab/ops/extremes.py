"""The largest entry of each window, and its gradient: axis by axis, without laying the windows out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from ..core.array import Array, DType, Shape, int8, int32, is_float, xp
from .batching import axis_moved, size_of, spread_out
from .indexing import gather_op
from .indexing import scatter_add as scatter_add_op
from .movement import reshape_op
from .narrow import accumulating
from .op import Op, Sample, rule
from .prose import Prose
from .reduce import argmax_op
from .window import Ints, count, fold_op, ways, window_op, window_shape


def bounds_of(dtype: DType) -> tuple[Any, Any]:
    """The numbers of `dtype` that none is below and that none is above; among floats they are infinite."""
    if is_float(dtype):
        return -xp.inf, xp.inf
    return (False, True) if dtype.kind == "b" else (int(xp.iinfo(dtype).min), int(xp.iinfo(dtype).max))


def largest(rows: Any) -> tuple[Any, Any]:
    """The largest entry of each row, and where. The first of equals: amax would split the gradient, pooling picks."""
    last = len(rows.shape) - 1
    where = argmax_op(rows, axis=(last,), keepdims=True)
    shape = tuple(rows.shape[:last])
    return reshape_op(gather_op(rows, where, axis=last), shape=shape), reshape_op(where, shape=shape)


def laid_as_rows(x: Any, **params: Ints) -> tuple[Any, Shape]:
    """The windows of `x`, each as one row on a last axis; and their shape before that."""
    seen = window_op(x, **params)
    return reshape_op(seen, shape=(*seen.shape[: len(x.shape)], prod(params["size"]))), tuple(seen.shape)


def along(x: Array, axis: int, size: int, step: int, dilation: int, places: int) -> Iterator[Array]:
    """For each position in a window the entries of `x` that stand there along `axis`, one for each place."""
    for k in range(size):
        start = k * dilation
        yield x[(*(slice(None),) * axis, slice(start, start + step * (places - 1) + 1, step))]


def max_pool_impl(x: Array, axis: Ints, size: Ints, step: Ints, dilation: Ints) -> Array:
    """The largest entry of each window: the largest along the last axis, of these the largest along the one before."""
    places, found = pooled_shape(x.shape, axis=axis, size=size, step=step, dilation=dilation), x
    for a, k, s, d in zip(axis[::-1], size[::-1], step[::-1], dilation[::-1], strict=True):
        first, *others = along(found, a, k, s, d, places[a])
        found = xp.maximum(first, others[0]) if others else first.copy()
        for other in others[1:]:
            xp.maximum(found, other, out=found)
    return found


def positions(x: Array, axis: Ints, size: Ints, step: Ints, dilation: Ints) -> Array:
    """Which position in its window the first of the largest entries has; NaN counts as larger than all."""
    code = int8 if prod(size) <= 127 else int32
    odd = is_float(x.dtype) and bool(xp.isnan(x).any())
    found, where, inner = x, xp.zeros_like(x, dtype=code), 1
    for a, k, s, d in zip(axis[::-1], size[::-1], step[::-1], dilation[::-1], strict=True):
        places = count(x.shape[a], k, s, d)
        entries, codes = along(found, a, k, s, d, places), along(where, a, k, s, d, places)
        found, where = next(entries).copy(), next(codes).copy()
        for number, (entry, code) in enumerate(zip(entries, codes, strict=True), 1):
            better = entry > found
            if odd:
                better |= (entry != entry) & (found == found)
            # The position has a higher number than those before, so that the larger number is the one to keep.
            xp.maximum(where, (code + where.dtype.type(number * inner)) * better, out=where)
            xp.maximum(found, entry, out=found)
        inner *= k
    return where


@accumulating
def max_pool_back_impl(x: Array, y: Array, axis: Ints, size: Ints, step: Ints, dilation: Ints) -> Array:
    """Zeros like `y`, with the entries of `x` added where the windows of `y` have their largest entries."""
    out, where = xp.zeros_like(x, shape=y.shape, order="C"), positions(y, axis, size, step, dilation)
    for number, offset in enumerate(product(*map(range, size))):
        place = [slice(None)] * y.ndim
        for a, o, s, d in zip(axis, offset, step, dilation, strict=True):
            place[a] = slice(o * d, o * d + s * (x.shape[a] - 1) + 1, s)
        out[tuple(place)] += xp.where(where == number, x, x.dtype.type(0))
    return out


def max_pool_program(x: Any, **params: Ints) -> Any:
    """The same in ops: the windows as rows."""
    return largest(laid_as_rows(x, **params)[0])[0]


def where_largest(y: Any, **params: Ints) -> tuple[Any, Shape, Shape]:
    """Where in the rows of its windows `y` is largest, with the shapes of the rows and of the windows."""
    rows, seen = laid_as_rows(y, **params)
    return argmax_op(rows, axis=(len(y.shape),), keepdims=True), tuple(rows.shape), seen


def max_pool_back_program(x: Any, y: Any, **params: Ints) -> Any:
    """The same in ops."""
    where, shape, seen = where_largest(y, **params)
    put = scatter_add_op(reshape_op(x, shape=(*x.shape, 1)), where, axis=len(y.shape), shape=shape)
    return fold_op(reshape_op(put, shape=seen), shape=tuple(y.shape), **params)


def picked(x: Any, y: Any, **params: Ints) -> Any:
    """The entries of `x` where the windows of `y` have their largest entries: the transpose of `max_pool_back`."""
    where, _, seen = where_largest(y, **params)
    found = gather_op(laid_as_rows(x, **params)[0], where, axis=len(y.shape))
    return reshape_op(found, shape=seen[: len(y.shape)])


def pooled_shape(shape: Shape, **params: Ints) -> Shape:
    """The places of the windows."""
    return window_shape(shape, **params)[: len(shape)]


def spread_and_moved(op: Op, args: list[Any], batched: list[bool], params: dict[str, Any]) -> Any:
    """max_pool_back: both get the batch."""
    n = size_of(args, batched)
    return axis_moved(op, [spread_out(a, b, n) for a, b in zip(args, batched, strict=True)], batched, params)


def pooled_samples(rng: Any) -> list[Sample]:
    """Samples for `max_pool`: entries that are distinct."""
    return [((rng.permutation(prod(shape)).reshape(shape) * 0.3,), dict(params)) for shape, params in ways()]


def cotangents(rng: Any) -> list[Sample]:
    """Samples for `max_pool_back`."""
    return [((rng.normal(size=pooled_shape(x.shape, **params)), x), params) for (x,), params in pooled_samples(rng)]


max_pool_op = Op(
    name="max_pool",
    impl=max_pool_impl,
    shape=pooled_shape,
    vjp=(rule(lambda g, x, **params: max_pool_back(g, x, **params)),),
    samples=pooled_samples,
    batch=axis_moved,
    program=max_pool_program,
    prose=Prose(
        why={"x": "the gradient goes to the first of the largest entries of each window"},
        wholes=("what came from above, each added where its window is largest in {x}",),
    ),
)
max_pool_back = Op(
    name="max_pool_back",
    impl=max_pool_back_impl,
    shape=lambda shape, like, **params: like,
    vjp=(rule(lambda g, y, **params: picked(g, y, **params)), None),
    samples=cotangents,
    batch=spread_and_moved,
    program=max_pool_back_program,
)
