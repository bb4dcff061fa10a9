"""Running sums, products and extremes along an axis, and the recurrence behind their gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..core.array import Array, Shape, bool_, float_limits, int64, is_float, xp
from ..errors import ArgumentError, ShapeError
from .axes import numel, one_dim, reduced
from .batching import axis_moved, both_spread
from .broadcast import restored
from .elementwise import exp, sub
from .families import added_up, distinct, floating, linear, promoted, same_shape
from .front import FUNCTIONS, method, writable
from .hosted import on_cpu
from .indexing import gather_op, getitem_op
from .join import pad_op
from .keywords import in_dtype
from .kinks import maximum
from .movement import clone, flip_op, reshape_op
from .narrow import accumulating
from .op import Op, Sample, rule
from .prose import Prose

# ---- neighbours -----------------------------------------------------------------------------------------------------


def part(x: Any, axis: int, places: slice) -> Any:
    """The entries of `x` at some places of one axis."""
    return getitem_op(x, index=(*(slice(None),) * axis, places))


def shift(x: Any, axis: int, by: int, fill: float) -> Any:
    """`x` moved one place along `axis`, forwards (by=1) or backwards (by=-1), with `fill` at the free end."""
    width = (1, 0) if by > 0 else (0, 1)
    kept = part(x, axis, slice(0, max(x.shape[axis] - 1, 0)) if by > 0 else slice(1, None))
    if not x.shape[axis]:
        return x
    return pad_op(kept, widths=tuple(width if a == axis else (0, 0) for a in range(len(x.shape))), value=fill)


def along(rng: Any) -> list[Sample]:
    """Samples: both axes, a zero among the entries, nothing."""
    x = rng.normal(size=(3, 4))
    x[1, 2] = 0.0
    return [((x,), {"axis": 1}), ((x,), {"axis": 0}), ((x[:, :0],), {"axis": 1})]


# ---- the recurrence -------------------------------------------------------------------------------------------------


def recurred(x: Array, y: Array, axis: int, reverse: bool) -> Array:
    """h[k] = x[k] · h[k-1] + y[k], from h = 0; in `reverse` from the end, with h[k+1]."""
    rate, out = xp.moveaxis(x, axis, 0), xp.copy(xp.moveaxis(y, axis, 0))
    steps = range(len(out) - 2, -1, -1) if reverse else range(1, len(out))
    for k in steps:
        out[k] += rate[k] * out[k + 1 if reverse else k - 1]
    return xp.moveaxis(out, 0, axis)


def recurrence_back(g: Any, x: Any, *, axis: int, reverse: bool) -> Any:
    """The cotangents of h: what an entry passes on comes back along the same recurrence, the other way."""
    return recurrence_op(shift(x, axis, 1 if reverse else -1, 0.0), g, axis=axis, reverse=not reverse)


def before(out: Any, axis: int, reverse: bool) -> Any:
    """h[k-1] at place k."""
    return shift(out, axis, -1 if reverse else 1, 0.0)


recurrence_op = Op(
    name="recurrence",
    impl=recurred,
    shape=lambda x, y, **_: y,
    vjp=(
        rule(
            lambda g, x, out, *, axis, reverse: (
                recurrence_back(g, x, axis=axis, reverse=reverse) * before(out, axis, reverse)
            )
        ),
        rule(recurrence_back),
    ),
    samples=lambda rng: [
        ((x, rng.normal(size=x.shape)), {**params, "reverse": k == 1}) for k, ((x,), params) in enumerate(along(rng))
    ],
    casts=promoted,
    batch=both_spread,
)

# ---- sums, products, extremes ---------------------------------------------------------------------------------------


def summed_back(g: Any, *, axis: int) -> Any:
    """Entry i took part in every later sum: run the cotangents from the end."""
    return flip_op(cumsum_op(flip_op(g, axis=(axis,)), axis=axis), axis=(axis,))


def multiplied_back(g: Any, x: Any, out: Any, *, axis: int) -> Any:
    """(the product before i) · (Σ over k ≥ i of g[k] times the product from i+1 to k): no division, so 0 is fine."""
    after = recurrence_op(shift(x, axis, -1, 0.0), g, axis=axis, reverse=True)
    return after * shift(out, axis, 1, 1.0)


def running(name: str, ufunc: Any) -> Op:
    """The op that finds where the extreme so far stands: the last of equals, and NaN above all, as in PyTorch."""

    @on_cpu
    def impl(x: Array, axis: int) -> Array:
        n = x.shape[axis]
        places = xp.arange(n, dtype=int64).reshape((n, *(1,) * (x.ndim - 1 - axis)))
        hit = (x == ufunc.accumulate(x, axis)) | (x != x)
        return xp.maximum.accumulate(xp.where(hit, places, 0), axis)

    return Op(
        name=name, impl=impl, shape=same_shape, vjp=(None,), samples=along_distinct, batch=axis_moved, gives=int64
    )


def along_distinct(rng: Any) -> list[Sample]:
    """Samples: no ties, both axes."""
    (x,), _ = distinct(rng)[0]
    return [((x,), {"axis": 1}), ((x,), {"axis": 0}), ((x[:0],), {"axis": 1})]


def logsum_back(g: Any, x: Any, out: Any, *, axis: int) -> Any:
    """Σ over k ≥ i of g[k] · exp(x[i] - out[k]), as a recurrence whose rates are at most 1: nothing overflows."""
    n = x.shape[axis]
    if not n:
        return g
    level = maximum(out, float(float_limits(out.dtype).min))  # -inf minus -inf is NaN; of nothing it is 0
    steps = exp(part(level, axis, slice(0, n - 1)) - part(level, axis, slice(1, n)))
    rate = pad_op(steps, widths=at_end(axis, len(x.shape)), value=0.0)
    return recurrence_op(rate, g, axis=axis, reverse=True) * exp(x - level)


def at_end(axis: int, ndim: int) -> tuple[tuple[int, int], ...]:
    """The frame that adds one entry behind the last along `axis`."""
    return tuple((0, 1) if a == axis else (0, 0) for a in range(ndim))


cumsum_op = linear(
    "cumsum",
    accumulating(lambda x, axis: x.cumsum(axis, None if is_float(x.dtype) else int64)),
    shape=same_shape,
    vjp=summed_back,
    samples=along,
    autocast="full",
    batch=axis_moved,
    gives=added_up,
    prose=Prose(
        why={"": "each entry gets the gradients of all sums that it is in"},
        wholes=("for every entry the sum of what came from above from there on",),
    ),
)
cumprod_op = Op(
    name="cumprod",
    impl=lambda x, axis: x.cumprod(axis),
    shape=same_shape,
    vjp=(rule(multiplied_back),),
    samples=along,
    casts=added_up,
    autocast="full",
    batch=axis_moved,
)
logcumsumexp_op = Op(
    name="logcumsumexp",
    impl=on_cpu(lambda x, axis: xp.logaddexp.accumulate(x, axis)),
    shape=same_shape,
    vjp=(rule(logsum_back),),
    samples=along,
    casts=floating,
    autocast="full",
    batch=axis_moved,
)
cummax_places, cummin_places = running("cummax", xp.maximum), running("cummin", xp.minimum)


class Running(NamedTuple):
    """What `cummax` and `cummin` return."""

    values: Any
    indices: Any


def publish(name: str, run: Callable[[Any, int], Any], doc: str) -> None:
    """Publish a running summary along one dim; of a 0-d tensor it is the tensor."""

    def front(x: Any, dim: int) -> Any:
        axis = one_dim(name, dim, len(x.shape))
        return run(x, axis) if x.shape else reshape_op(run(reshape_op(x, shape=(1,)), 0), shape=())

    front.__name__, front.__qualname__, front.__doc__ = name, name, doc
    writable(in_dtype(front))


publish(
    "cumsum",
    lambda x, axis: cumsum_op(x, axis=axis),
    """Running sums along `dim`; of integers in int64.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1, 2, 3]).cumsum(0).tolist()
        [1, 3, 6]
    """,
)
publish(
    "cumprod",
    lambda x, axis: cumprod_op(x, axis=axis),
    """Running products along `dim`; of integers in int64. The gradient is right where entries are 0.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([2.0, 0.0, 3.0], requires_grad=True)
        >>> x.cumprod(0).sum().backward()
        >>> x.grad
        tensor([1., 8., 0.])
    """,
)
publish(
    "logcumsumexp",
    lambda x, axis: logcumsumexp_op(x, axis=axis),
    """The logarithms of the running sums of exp(x) along `dim`, without overflow.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1000.0, 1000.0]).logcumsumexp(0)
        tensor([1000.0000, 1000.6932])
    """,
)


def publish_running(name: str, places: Op, which: str) -> None:
    """Publish cummax or cummin."""

    def front(x: Any, dim: int) -> Running:
        axis = one_dim(name, dim, len(x.shape))
        if not x.shape:
            return Running(clone(x), reshape_op(places(reshape_op(x, shape=(1,)), axis=0), shape=()))
        indices = places(x, axis=axis)
        return Running(gather_op(x, indices, axis=axis), indices)

    front.__name__ = front.__qualname__ = name
    front.__doc__ = f"""The {which} entry so far along `dim`, and where it stands: (values, indices).

    Of equal entries the last one counts, and a NaN stays. The gradient goes to the entry that is kept.
    """
    method(front)


publish_running("cummax", cummax_places, "largest")
publish_running("cummin", cummin_places, "smallest")


@method
def diff(x: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along `dim`, taken `n` times: each time the axis loses an entry.

    `prepend` and `append` are put before and behind `x` along the axis first.

    Raises:
        ArgumentError: `n` is negative.
        ShapeError: No such dim, or a 0-d tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1, 4, 9, 16]).diff().tolist(), ml.tensor([1, 4, 9, 16]).diff(2).tolist()
        ([3, 5, 7], [2, 2])
    """
    if not x.shape:
        raise ShapeError("diff got a 0-d tensor.", "A single number has no neighbour.", "Did you mean x.reshape(1)?")
    if n < 0:
        raise ArgumentError(f"diff got n={n}.", "Differences are taken 0 times or more.", "Did you mean n=1?")
    axis = one_dim("diff", dim, len(x.shape))
    if n and (prepend is not None or append is not None):
        x = FUNCTIONS["cat"]([part for part in (prepend, x, append) if part is not None], axis)
    for _ in range(n):
        less = FUNCTIONS["logical_xor"] if x.dtype == bool_ else sub
        x = less(part(x, axis, slice(1, None)), part(x, axis, slice(0, max(x.shape[axis] - 1, 0))))
    return x if n else clone(x)


# ---- one product ----------------------------------------------------------------------------------------------------


def product_back(g: Any, x: Any, *, axis: int, keepdims: bool) -> Any:
    """g · (the product of all entries before) · (that of all entries behind): no division, so 0 is fine."""
    flipped = flip_op(cumprod_op(flip_op(x, axis=(axis,)), axis=axis), axis=(axis,))
    others = shift(cumprod_op(x, axis=axis), axis, 1, 1.0) * shift(flipped, axis, -1, 1.0)
    return restored(g, x.shape, (axis,)) * others


def one_less_axis(shape: Shape, *, axis: int, keepdims: bool) -> Shape:
    """The shape after one axis is summarised."""
    return reduced(shape, axis=(axis,), keepdims=keepdims)


prod_op = Op(
    name="prod",
    impl=lambda x, axis, keepdims: xp.multiply.reduce(x, axis, keepdims=keepdims),
    shape=one_less_axis,
    vjp=(rule(product_back),),
    samples=lambda rng: [(args, {**params, "keepdims": k == 1}) for k, (args, params) in enumerate(along(rng))],
    casts=added_up,
    autocast="full",
    batch=axis_moved,
)


@method
@in_dtype
def prod(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The product over `dim`, or of all entries; of integers in int64. The gradient is right where entries are 0.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1.0, 2.0], [3.0, 4.0]]).prod(dim=0)
        tensor([3., 8.])
    """
    if dim is None or not x.shape:
        return prod_op(reshape_op(x, shape=(numel(x.shape),)), axis=0, keepdims=False)
    return prod_op(x, axis=one_dim("prod", dim, len(x.shape)), keepdims=keepdim)
