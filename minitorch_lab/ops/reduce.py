"""Ops that summarise axes: means, extremes and softmax. `sum` stands beside its transpose: broadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..array import Array, Shape, bool_, int64, solid, xp
from ..errors import ShapeError
from .axes import Dim, dims_of, entries, one_dim, reduced
from .batching import axis_moved, places_found
from .broadcast import also_empty, each_way, restored, spread, sum_op
from .compare import where
from .elementwise import exp, maximum, minimum
from .families import distinct, floating, only_floats, same_shape
from .front import check_tensors, method
from .indexing import gather
from .movement import cast, clone, reshape_op
from .op import Op, Sample, rule

# ---- means --------------------------------------------------------------------------------------------------------


def mean_impl(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    """Arithmetic mean; of no entries NaN."""
    count = entries(x.shape, axis)
    total = xp.add.reduce(x, axis, keepdims=keepdims)
    return total * x.dtype.type(1.0 / count if count else xp.nan)


def degrees(shape: Shape, axis: tuple[int, ...], correction: float) -> float:
    """1 / (n - correction), the weight of each squared distance; NaN where nothing is left."""
    left = entries(shape, axis) - correction
    return 1.0 / left if left > 0 else xp.nan


def var_impl(x: Array, axis: tuple[int, ...], keepdims: bool, correction: float) -> Array:
    """Sum of squared distances from the mean, over n - correction."""
    centred = x - mean_impl(x, axis, keepdims=True)
    total = xp.add.reduce(centred * centred, axis, keepdims=keepdims)
    return total * x.dtype.type(degrees(x.shape, axis, correction))


def var_pull(g: Any, x: Any, *, axis: tuple[int, ...], keepdims: bool, correction: float) -> Any:
    """g · 2 (x - mean) / (n - correction)."""
    centred = x - mean_op(x, axis=axis, keepdims=True)
    return restored(g, x.shape, axis) * centred * (2.0 * degrees(x.shape, axis, correction))


def std_pull(g: Any, x: Any, out: Any, *, axis: tuple[int, ...], keepdims: bool, correction: float) -> Any:
    """g · (x - mean) / ((n - correction) · std), and 0 where std is 0."""
    centred = x - mean_op(x, axis=axis, keepdims=True)
    g, out = restored(g, x.shape, axis), restored(out, x.shape, axis)
    return g / where(out == 0, 1.0, out) * centred * degrees(x.shape, axis, correction)


def with_correction(rng: Any) -> list[Sample]:
    """Samples for var: corrected and not, and nothing to summarise."""
    cases = [(args, {**params, "correction": c}) for (args, params), c in zip(each_way(rng), (1, 0, 1), strict=True)]
    return [*cases, ((xp.zeros((3, 0)),), {"axis": (0,), "keepdims": False, "correction": 1})]


mean_op = Op(
    name="mean",
    impl=mean_impl,
    shape=reduced,
    vjp=(
        rule(lambda g, x_shape, *, axis, keepdims: spread(g * (1.0 / max(entries(x_shape, axis), 1)), x_shape, axis)),
    ),
    samples=also_empty((3, 0)),
    casts=only_floats("mean"),
    batch=axis_moved,
)
var_op = Op(
    name="var",
    impl=var_impl,
    shape=reduced,
    vjp=(rule(var_pull),),
    samples=with_correction,
    casts=only_floats("var"),
    batch=axis_moved,
)


std_op = Op(
    name="std",
    impl=lambda x, axis, keepdims, correction: xp.sqrt(var_impl(x, axis, keepdims, correction)),
    shape=reduced,
    vjp=(rule(std_pull),),
    samples=with_correction,
    casts=only_floats("std"),
    batch=axis_moved,
)


@method
def mean(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The arithmetic mean over `dim` (all axes if None). Of floats.

    Raises:
        ShapeError: No such dim.
        DTypeError: The tensor holds integers, whose mean is not an integer.
    """
    return mean_op(x, axis=dims_of("mean", dim, len(x.shape)), keepdims=keepdim)


def scattering(op: Op, x: Any, dim: Dim, correction: float | None, keepdim: bool) -> Any:
    """`op` over `dim`; a truth value in place of `dim` says whether to correct by 1."""
    if isinstance(dim, bool):
        dim, correction = None, int(dim)
    axis = dims_of(op.name, dim, len(x.shape))
    return op(x, axis=axis, keepdims=keepdim, correction=1 if correction is None else correction)


@method
def var(x: Any, dim: Dim = None, correction: float | None = 1, keepdim: bool = False) -> Any:
    """The variance over `dim` (all axes if None): squared distances from the mean over n - correction.

    A truth value in place of `dim` says whether to correct by 1, as in PyTorch.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, 3.0]).var(), ml.tensor([1.0, 3.0]).var(correction=0)
        (tensor(2.), tensor(1.))
    """
    return scattering(var_op, x, dim, correction, keepdim)


@method
def std(x: Any, dim: Dim = None, correction: float | None = 1, keepdim: bool = False) -> Any:
    """The standard deviation: the square root of `var`. Where all entries are equal its gradient is 0."""
    return scattering(std_op, x, dim, correction, keepdim)


# ---- extremes -----------------------------------------------------------------------------------------------------


def never_empty(name: str) -> Callable[..., Shape]:
    """The shape rule of reductions that have no value for no entries."""

    def shape(shape: Shape, *, axis: tuple[int, ...], keepdims: bool) -> Shape:
        if any(shape[a] == 0 for a in axis):
            raise ShapeError(
                f"{name} got a tensor of shape {shape} and an axis of length 0 to reduce.",
                f"Of no entries there is no {name}.",
                "Check what emptied the tensor, or reduce another dim.",
            )
        return reduced(shape, axis=axis, keepdims=keepdims)

    return shape


def among_ties(g: Any, x: Any, out: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """The cotangent goes to the extreme entry; ties share it evenly, as PyTorch's amax does."""
    hit = cast(x == restored(out, x.shape, axis), dtype=g.dtype)
    return restored(g, x.shape, axis) * (hit / sum_op(hit, axis=axis, keepdims=True))


def extreme(name: str, keep: Callable[..., Array]) -> Op:
    """The op that keeps the extreme entry."""
    return Op(
        name=name,
        impl=lambda x, axis, keepdims: keep(solid(x), axis, keepdims=keepdims),
        shape=never_empty(name),
        vjp=(rule(among_ties),),
        samples=also_empty((3, 0)),
        batch=axis_moved,
    )


def position(name: str, find: Callable[..., Array]) -> Op:
    """The op that finds the extreme entry: the first one of equals, counted in the flattened tensor without an axis."""
    return Op(
        name=name,
        impl=lambda x, axis, keepdims: solid(
            find(x, axis[0], keepdims=keepdims) if len(axis) == 1 else find(x, keepdims=keepdims)
        ),
        shape=never_empty(name),
        vjp=(None,),
        samples=also_empty((3, 0)),
        batch=places_found,
        gives=int64,
    )


amax_op, amin_op = extreme("amax", xp.max), extreme("amin", xp.min)
argmax_op, argmin_op = position("argmax", xp.argmax), position("argmin", xp.argmin)
any_op = Op(
    name="any",
    impl=lambda x, axis, keepdims: xp.any(x, axis, keepdims=keepdims),
    shape=reduced,
    vjp=(None,),
    samples=also_empty((0, 4)),
    batch=axis_moved,
    gives=bool_,
)
all_op = Op(
    name="all",
    impl=lambda x, axis, keepdims: xp.all(x, axis, keepdims=keepdims),
    shape=reduced,
    vjp=(None,),
    samples=also_empty((0, 4)),
    batch=axis_moved,
    gives=bool_,
)


class Extremes(NamedTuple):
    """What `max` and `min` over one dim return."""

    values: Any
    indices: Any


def publish(name: str, op: Op, doc: str) -> None:
    """Publish a reduction over any dims, in the words of `doc`."""

    def front(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
        no_axis = dim == () and op.gives is bool_  # of truth values () means none, not all: PyTorch's rule
        return op(x, axis=() if no_axis else dims_of(name, dim, len(x.shape)), keepdims=keepdim)

    front.__name__, front.__qualname__, front.__doc__ = name, name, doc
    method(front)


publish("amax", amax_op, "The largest entry over `dim` (all axes if None). Ties share the gradient evenly.")
publish("amin", amin_op, "The smallest entry over `dim` (all axes if None). Ties share the gradient evenly.")
publish("any", any_op, "Whether some entry over `dim` (all axes if None) is not 0.")
publish("all", all_op, "Whether no entry over `dim` (all axes if None) is 0.")


def publish_position(name: str, op: Op, doc: str) -> None:
    """Publish an argmax: one dim, or the whole tensor flattened."""

    def front(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
        axis = (
            tuple(range(len(x.shape))) if dim is None else dims_of(name, one_dim(name, dim, len(x.shape)), len(x.shape))
        )
        return op(x, axis=axis, keepdims=keepdim)

    front.__name__, front.__qualname__, front.__doc__ = name, name, doc
    method(front)


publish_position(
    "argmax", argmax_op, "Where the largest entry along `dim` stands (in the flattened tensor if None), int64."
)
publish_position(
    "argmin", argmin_op, "Where the smallest entry along `dim` stands (in the flattened tensor if None), int64."
)


def publish_extreme(name: str, whole: Op, where_: Op, pairwise: Op, doc: str) -> None:
    """Publish max or min: one number for the whole tensor, values and indices along a dim."""

    def front(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is not None:
            check_tensors(name, x)
        if hasattr(dim, "dtype"):
            return pairwise(x, dim)
        if dim is None:
            return whole(x, axis=tuple(range(len(x.shape))), keepdims=False)
        at = one_dim(name, dim, len(x.shape))
        if not x.shape:
            return Extremes(clone(x), where_(x, axis=(), keepdims=False))
        indices = where_(x, axis=(at,), keepdims=True)
        values = gather(x, at, indices)
        if keepdim:
            return Extremes(values, indices)
        shape = reduced(x.shape, axis=(at,), keepdims=False)
        return Extremes(reshape_op(values, shape=shape), reshape_op(indices, shape=shape))

    front.__name__, front.__qualname__, front.__doc__ = name, name, doc
    method(front)


LARGEST = "The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."
SMALLEST = "The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."
publish_extreme("max", amax_op, argmax_op, maximum, LARGEST)
publish_extreme("min", amin_op, argmin_op, minimum, SMALLEST)

# ---- softmax and its kin ------------------------------------------------------------------------------------------


def shifted(x: Array, axis: tuple[int, ...]) -> Array:
    """`x` moved so that its largest entry is 0: exp of it cannot overflow."""
    return x - x.max(axis, keepdims=True)


def logsumexp_impl(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    """log Σ eˣ, without overflow."""
    if not entries(x.shape, axis):
        return xp.full_like(x, -xp.inf, shape=reduced(x.shape, axis=axis, keepdims=keepdims))
    top = x.max(axis, keepdims=True)
    top = xp.where(xp.isfinite(top), top, xp.zeros_like(top))
    with xp.errstate(divide="ignore"):
        total = xp.log(xp.add.reduce(xp.exp(x - top), axis, keepdims=True)) + top
    return total.reshape(reduced(x.shape, axis=axis, keepdims=keepdims))


def softmax_impl(x: Array, axis: tuple[int, ...]) -> Array:
    """eˣ / Σ eˣ."""
    if not x.size:
        return x.copy()
    e = xp.exp(shifted(x, axis))
    return e / xp.add.reduce(e, axis, keepdims=True)


def log_softmax_impl(x: Array, axis: tuple[int, ...]) -> Array:
    """x - log Σ eˣ."""
    if not x.size:
        return x.copy()
    moved = shifted(x, axis)
    return moved - xp.log(xp.add.reduce(xp.exp(moved), axis, keepdims=True))


def along_one(rng: Any) -> list[Sample]:
    """Samples: either axis, and empty tensors."""
    (x,), _ = distinct(rng)[0]
    return [((x,), {"axis": (0,)}), ((x,), {"axis": (1,)}), ((x[:0],), {"axis": (1,)}), ((x[:, :0],), {"axis": (1,)})]


logsumexp_op = Op(
    name="logsumexp",
    impl=logsumexp_impl,
    shape=reduced,
    vjp=(
        rule(lambda g, x, out, *, axis, keepdims: restored(g, x.shape, axis) * exp(x - restored(out, x.shape, axis))),
    ),
    samples=also_empty((3, 0)),
    casts=floating,
    batch=axis_moved,
)
softmax_op = Op(
    name="softmax",
    impl=softmax_impl,
    shape=same_shape,
    vjp=(rule(lambda g, out, *, axis: out * (g - sum_op(g * out, axis=axis, keepdims=True))),),
    samples=along_one,
    casts=floating,
    batch=axis_moved,
)
log_softmax_op = Op(
    name="log_softmax",
    impl=log_softmax_impl,
    shape=same_shape,
    vjp=(rule(lambda g, out, *, axis: g - exp(out) * sum_op(g, axis=axis, keepdims=True)),),
    samples=along_one,
    casts=floating,
    batch=axis_moved,
)


@method
def logsumexp(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """log Σ exp(x) over `dim` (all axes if None), without overflow.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1000.0, 1000.0]).logsumexp(dim=0)
        tensor(1000.6932)
    """
    return logsumexp_op(x, axis=dims_of("logsumexp", dim, len(x.shape)), keepdims=keepdim)


@method
def softmax(x: Any, dim: int) -> Any:
    """exp(x) over its sum along `dim`: positive numbers that sum to 1."""
    return softmax_op(x, axis=dims_of("softmax", one_dim("softmax", dim, len(x.shape)), len(x.shape)))


@method
def log_softmax(x: Any, dim: int) -> Any:
    """The logarithm of `softmax`, more exact than taking it afterwards."""
    return log_softmax_op(x, axis=dims_of("log_softmax", one_dim("log_softmax", dim, len(x.shape)), len(x.shape)))
