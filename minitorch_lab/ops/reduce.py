"""Ops that summarise axes: means, extremes and softmax. `sum` stands beside its transpose: broadcast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import Array, Shape, bool_, int64, solid, xp
from ..errors import ShapeError
from .axes import Dim, Extremes, dims_of, entries, numel, one_dim, reduced
from .batching import axis_moved, places_found
from .broadcast import also_empty, each_way, restored, spread, sum_op
from .closeness import isfinite
from .compare import equals, where
from .elementwise import exp, log, sqrt
from .exponentials import log_softmax_impl, logsumexp_impl, outermost, softmax_impl
from .families import distinct, floating, only_floats, same_shape
from .front import check_tensors, method
from .indexing import gather_op
from .keywords import in_dtype
from .kinks import maximum, minimum
from .movement import cast, clone, reshape_op
from .op import Op, Sample, rule
from .prose import Prose

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
    centred = solid(x - mean_impl(x, axis, keepdims=True))
    total = xp.add.reduce(xp.multiply(centred, centred, out=centred), axis, keepdims=keepdims)
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


def mean_program(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """Σ x / n."""
    count = entries(x.shape, axis)
    return sum_op(x, axis=axis, keepdims=keepdims) * (1.0 / count if count else xp.nan)


def var_program(x: Any, *, axis: tuple[int, ...], keepdims: bool, correction: float) -> Any:
    """Σ (x - mean)² / (n - correction)."""
    centred = x - mean_program(x, axis=axis, keepdims=True)
    return sum_op(centred * centred, axis=axis, keepdims=keepdims) * degrees(x.shape, axis, correction)


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
    program=mean_program,
    prose=Prose(
        why={"x_shape": "every number gets the same share of the gradient"}, wholes=("the same share for every entry",)
    ),
)
var_op = Op(
    name="var",
    impl=var_impl,
    shape=reduced,
    vjp=(rule(var_pull),),
    samples=with_correction,
    casts=only_floats("var"),
    batch=axis_moved,
    program=var_program,
    prose=Prose(why={"x": "its gradient is 2 × (input − mean), shared out"}),
)


std_op = Op(
    name="std",
    impl=lambda x, axis, keepdims, correction: xp.sqrt(var_impl(x, axis, keepdims, correction)),
    shape=reduced,
    vjp=(rule(std_pull),),
    samples=with_correction,
    casts=only_floats("std"),
    batch=axis_moved,
    program=lambda x, **params: sqrt(var_program(x, **params)),
)


@method
@in_dtype
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
    """The cotangent goes to the extreme entry; ties share it evenly, as PyTorch's amax does; of NaN to all NaN."""
    hit = equals(x, restored(out, x.shape, axis))
    return where(hit, restored(g, x.shape, axis) / sum_op(cast(hit, dtype=g.dtype), axis=axis, keepdims=True), 0.0)


def extreme(name: str, reduces: str, called: str) -> Op:
    """The op that keeps the extreme entry."""
    return Op(
        name=name,
        impl=lambda x, axis, keepdims: outermost(x, reduces, axis, keepdims),
        shape=never_empty(name),
        vjp=(rule(among_ties),),
        samples=also_empty((3, 0)),
        batch=axis_moved,
        reduces=reduces,
        prose=Prose(
            why={"out x": f"the gradient goes to where the {called} was"},
            wholes=(f"to where the {called} was, shared by ties; 0 elsewhere",),
        ),
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
        below=lambda shape, *, axis, keepdims: entries(shape, axis),
    )


amax_op, amin_op = extreme("amax", "max", "maximum"), extreme("amin", "min", "minimum")
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


WHERE = "Where the {} entry along `dim` stands (in the flattened tensor if None), int64."
publish_position("argmax", argmax_op, WHERE.format("largest"))
publish_position("argmin", argmin_op, WHERE.format("smallest"))


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
        values = gather_op(x, indices, axis=at)
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


def lowered(x: Any, axis: tuple[int, ...]) -> Any:
    """`shifted`, in ops."""
    return x - amax_op(x, axis=axis, keepdims=True)


def softmax_program(x: Any, *, axis: tuple[int, ...]) -> Any:
    """eˣ / Σ eˣ."""
    if not numel(x.shape):
        return clone(x)
    e = exp(lowered(x, axis))
    return e / sum_op(e, axis=axis, keepdims=True)


def log_softmax_program(x: Any, *, axis: tuple[int, ...]) -> Any:
    """x - log Σ eˣ."""
    if not numel(x.shape):
        return clone(x)
    moved = lowered(x, axis)
    return moved - log(sum_op(exp(moved), axis=axis, keepdims=True))


def logsumexp_program(x: Any, *, axis: tuple[int, ...], keepdims: bool) -> Any:
    """log Σ eˣ. Where the largest entry is infinite nothing is taken away."""
    if not entries(x.shape, axis):
        return log(sum_op(exp(x), axis=axis, keepdims=keepdims))
    top = amax_op(x, axis=axis, keepdims=True)
    top = where(isfinite(top), top, 0.0)
    total = log(sum_op(exp(x - top), axis=axis, keepdims=True)) + top
    return reshape_op(total, shape=reduced(x.shape, axis=axis, keepdims=keepdims))


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
    autocast="full",
    batch=axis_moved,
    program=logsumexp_program,
    prose=Prose(
        why={"out x": "the derivative is exp(input − result): softmax"},
        wholes=("what came from above × softmax of {x}",),
    ),
)
softmax_op = Op(
    name="softmax",
    impl=softmax_impl,
    shape=same_shape,
    vjp=(rule(lambda g, out, *, axis: out * (g - sum_op(g * out, axis=axis, keepdims=True))),),
    samples=along_one,
    casts=floating,
    autocast="full",
    batch=axis_moved,
    program=softmax_program,
    prose=Prose(
        why={"out": "its derivative is written with the result"},
        wholes=("(what came from above − its sum weighted with {out}) × {out}",),
    ),
)
log_softmax_op = Op(
    name="log_softmax",
    impl=log_softmax_impl,
    shape=same_shape,
    vjp=(rule(lambda g, out, *, axis: g - exp(out) * sum_op(g, axis=axis, keepdims=True)),),
    samples=along_one,
    casts=floating,
    autocast="full",
    batch=axis_moved,
    program=log_softmax_program,
    prose=Prose(
        why={"out": "its derivative is written with exp(result)"},
        wholes=("what came from above − its sum over the row × softmax",),
    ),
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
@in_dtype
def softmax(x: Any, dim: int) -> Any:
    """exp(x) over its sum along `dim`: positive numbers that sum to 1."""
    return softmax_op(x, axis=dims_of("softmax", one_dim("softmax", dim, len(x.shape)), len(x.shape)))


@method
@in_dtype
def log_softmax(x: Any, dim: int) -> Any:
    """The logarithm of `softmax`, more exact than taking it afterwards."""
    return log_softmax_op(x, axis=dims_of("log_softmax", one_dim("log_softmax", dim, len(x.shape)), len(x.shape)))
