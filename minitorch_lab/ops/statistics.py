"""Summaries beyond sum and mean: without NaN, by rank, and of pairs of variables. They are written with ops."""

from __future__ import annotations

from math import nan
from typing import Any, NamedTuple

from ..core.array import is_number, xp
from ..errors import ArgumentError, DTypeError, ShapeError
from .axes import Dim, one_dim
from .broadcast import sum as sum_
from .compare import isnan, logical_not, where
from .elementwise import add, div, mul, neg, sqrt, sub
from .front import FUNCTIONS, function, method
from .indexing import gather, getitem
from .keywords import in_dtype
from .linalg import matmul
from .movement import to, unsqueeze
from .numbers import along_an_axis
from .order import Sorted, argsort, sort
from .reduce import mean, std, var
from .search import made
from .template import concrete
from .views import ravel

# ---- without NaN ----------------------------------------------------------------------------------------------------


@method
@in_dtype
def nansum(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The sum over `dim` (all axes if None) of what is no NaN.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, float("nan"), 3.0]).nansum()
        tensor(4.)
    """
    return sum_(where(isnan(x), 0, x) if x.dtype.kind not in "biu" else x, dim, keepdim)


@method
@in_dtype
def nanmean(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The mean over `dim` (all axes if None) of what is no NaN; NaN where nothing is left.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, float("nan"), 3.0]).nanmean()
        tensor(2.)
    """
    return div(nansum(x, dim, keepdim), sum_(logical_not(isnan(x)), dim, keepdim))


@method
@along_an_axis("x")
def nanmedian(x: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The middle of the entries that are no NaN, the lower one of two; with `dim`, (values, indices) along it.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, float("nan"), 3.0, 2.0]).nanmedian()
        tensor(2.)
    """
    if dim is None:
        return nanmedian(ravel(x), 0).values
    axis = one_dim("nanmedian", dim, len(x.shape))
    left = sum_(logical_not(isnan(x)), axis, True)
    rank = FUNCTIONS["clamp"](FUNCTIONS["floor_divide"](left - 1, 2), 0)
    indices = gather(argsort(x, axis), axis, rank)
    values = gather(x, axis, indices)
    if keepdim:
        return Sorted(values, indices)
    return Sorted(FUNCTIONS["squeeze"](values, axis), FUNCTIONS["squeeze"](indices, axis))


# ---- quantiles ------------------------------------------------------------------------------------------------------


def between_ranks(x: Any, q: Any, last: Any, axis: int, interpolation: str) -> Any:
    """The entries of the sorted `x` at the shares `q` of the way from the first one to the one at `last`."""
    shape = (*(1 for _ in range(axis)), q.shape[0], *(1 for _ in range(len(x.shape) - axis - 1)))
    place = mul(FUNCTIONS["reshape"](q, *shape), last)
    below = FUNCTIONS["floor"](place)
    above = FUNCTIONS["ceil"](place)
    low, high = (
        gather(x, axis, to(FUNCTIONS["expand"](at, *x.shape[:axis], q.shape[0], *x.shape[axis + 1 :]), "int64"))
        for at in (below, above)
    )
    weight = {
        "linear": lambda: sub(place, below),
        "lower": lambda: 0.0,
        "higher": lambda: to(above > below, x.dtype),
        "midpoint": lambda: mul(to(above > below, x.dtype), 0.5),
        "nearest": lambda: sub(FUNCTIONS["round"](place), below),
    }[interpolation]()
    return low if is_number(weight) else FUNCTIONS["lerp"](low, high, weight)


def quantiles(name: str, x: Any, q: Any, dim: int | None, keepdim: bool, interpolation: str, skip: bool) -> Any:
    """`quantile`, and with `skip` `nanquantile`."""
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise ArgumentError(
            f"{name} got interpolation={interpolation!r}.",
            'It is "linear", "lower", "higher", "midpoint" or "nearest".',
            'Did you mean "linear"?',
        )
    shares = made(xp.asarray(q, x.dtype), x) if is_number(q) else q
    if any(not 0 <= share <= 1 for share in xp.ravel(concrete(name, shares))):
        raise ArgumentError(f"{name} got q={q!r}.", "A share lies from 0 to 1.", "Did you mean q=0.5?")
    if x.dtype.kind in "biu":
        raise DTypeError(
            f"{name} got a tensor of dtype {x.dtype}.", "Quantiles lie between entries.", "Did you mean x.float()?"
        )
    rank, ndim = len(shares.shape), len(x.shape)
    if dim is None:
        x, axis = ravel(x), 0
    else:
        axis = one_dim(name, dim, ndim)
        x = FUNCTIONS["reshape"](x, 1) if not ndim else x
    if not x.shape[axis]:
        raise ShapeError(f"{name} got a tensor of shape {tuple(x.shape)}.", "Of no entries there is no quantile.", "")
    odd = isnan(x)
    left = to(sum_(logical_not(odd), axis, True), x.dtype)
    last = FUNCTIONS["clamp"](left - 1, 0) if skip else float(x.shape[axis] - 1)
    found = between_ranks(sort(x, axis).values, ravel(shares), last, axis, interpolation)
    nothing = sum_(odd, axis, True)
    found = where(nothing == x.shape[axis] if skip else nothing > 0, nan, found)
    found = unsqueeze(FUNCTIONS["movedim"](found, axis, 0), axis + 1)
    if dim is None:
        shape = (1,) * ndim if keepdim else ()
        found = FUNCTIONS["reshape"](found, found.shape[0], *shape)
    elif not keepdim or not ndim:
        found = FUNCTIONS["squeeze"](found, axis + 1)
    return found if rank else FUNCTIONS["squeeze"](found, 0)


@method
def quantile(x: Any, q: Any, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear") -> Any:
    """The entry below which a share `q` of the entries along `dim` lies (of all entries if None).

    Between two entries `interpolation` decides: "linear", "lower", "higher", "midpoint" or "nearest". A vector `q`
    gives a first axis of its own. NaN if one entry is.

    Raises:
        ArgumentError: A share is not between 0 and 1, or there is no such interpolation; inside vmap.
        DTypeError: The tensor holds whole numbers.
        ShapeError: No such dim, or no entries.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, 5.0, 2.0, 4.0]).quantile(ml.tensor([0.0, 0.5]))
        tensor([1., 3.])
    """
    return quantiles("quantile", x, q, dim, keepdim, interpolation, False)


@method
def nanquantile(x: Any, q: Any, dim: int | None = None, keepdim: bool = False, interpolation: str = "linear") -> Any:
    """`quantile` of the entries that are no NaN.

    Raises:
        ArgumentError: A share is not between 0 and 1, or there is no such interpolation; inside vmap.
        DTypeError: The tensor holds whole numbers.
        ShapeError: No such dim, or no entries.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([1.0, float("nan"), 3.0]).nanquantile(0.5)
        tensor(2.)
    """
    return quantiles("nanquantile", x, q, dim, keepdim, interpolation, True)


@method
@along_an_axis("x")
def mode(x: Any, dim: int = -1, keepdim: bool = False) -> Sorted:
    """The entry that occurs most often along `dim`, the smallest of several, and where it last stands.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([3, 1, 3]).mode()
        Sorted(values=tensor(3), indices=tensor(2))
    """
    axis = one_dim("mode", dim, len(x.shape))
    lines, order = sort(x, axis)
    same = unsqueeze(lines, axis) == unsqueeze(lines, axis + 1)
    best = FUNCTIONS["argmax"](sum_(same, axis + 1), axis, keepdim=True)
    value = gather(lines, axis, best)
    indices = FUNCTIONS["amax"](where(lines == value, order, -1), axis, keepdim=True)
    found = (gather(x, axis, indices), indices)
    return Sorted(*(found if keepdim else (FUNCTIONS["squeeze"](f, axis) for f in found)))


# ---- pairs ----------------------------------------------------------------------------------------------------------


class Range(NamedTuple):
    """What `aminmax` returns."""

    min: Any
    max: Any


@method
def aminmax(x: Any, dim: int | None = None, keepdim: bool = False) -> Range:
    """The smallest and the largest entry along `dim` (of all if None): (min, max).

    Raises:
        ShapeError: No such dim, or no entries.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([3.0, 1.0, 2.0]).aminmax()
        Range(min=tensor(1.), max=tensor(3.))
    """
    return Range(FUNCTIONS["amin"](x, dim, keepdim), FUNCTIONS["amax"](x, dim, keepdim))


@function
def var_mean(x: Any, dim: Dim = None, correction: float | None = 1, keepdim: bool = False) -> tuple[Any, Any]:
    """The variance over `dim` (all axes if None), as `var`, and the mean.

    Raises:
        ShapeError: No such dim.
    """
    return var(x, dim, correction, keepdim), mean(x, None if isinstance(dim, bool) else dim, keepdim)


@function
def std_mean(x: Any, dim: Dim = None, correction: float | None = 1, keepdim: bool = False) -> tuple[Any, Any]:
    """The standard deviation over `dim` (all axes if None), as `std`, and the mean.

    Raises:
        ShapeError: No such dim.
    """
    return std(x, dim, correction, keepdim), mean(x, None if isinstance(dim, bool) else dim, keepdim)


@method
def cov(x: Any, correction: float = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariances of variables, which are the rows of `x`, over its columns: a matrix, a number for one variable.

    Args:
        x: (variables, observations), or one variable (observations,).
        correction: What is taken from the number of observations.
        fweights: How often each observation counts, whole numbers.
        aweights: How much each observation counts.

    Raises:
        ShapeError: It has more than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]).cov().tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    """
    if len(x.shape) > 2:
        raise ShapeError(
            f"cov got a tensor of shape {tuple(x.shape)}.",
            "Rows are variables, columns observations.",
            "Call it twice.",
        )
    rows = FUNCTIONS["reshape"](mul(x, 1.0), 1, -1) if len(x.shape) < 2 else mul(x, 1.0)
    check_weights(rows.shape[1], fweights, aweights)
    weights = None
    for given in (fweights, aweights):
        weights = given if weights is None else weights if given is None else mul(weights, given)
    if weights is None:
        n = rows.shape[1]
        centred, left = sub(rows, mean(rows, 1, True)), n - correction
        scale: Any = 1 / left if left > 0 else nan if left == 0 else 1 / left
        product = matmul(centred, FUNCTIONS["t"](centred))
    else:
        w = to(weights, rows.dtype) if weights.dtype.kind in "biu" else weights
        total = sum_(w)
        centred = sub(rows, div(sum_(mul(rows, w), 1, True), total))
        spent = div(sum_(mul(w, aweights)), total) if aweights is not None else 1.0
        product = matmul(centred, FUNCTIONS["t"](mul(centred, w)))
        return FUNCTIONS["squeeze"](div(product, sub(total, mul(spent, correction))))
    return FUNCTIONS["squeeze"](mul(product, scale))


def check_weights(count: int, fweights: Any, aweights: Any) -> None:
    """Refuse weights that are no vector with one for each observation.

    Raises:
        ArgumentError: A weight is negative, or one of `fweights` is not whole.
        ShapeError: There are more or fewer.
    """
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        if tuple(given.shape) != (count,):
            raise ShapeError(
                f"cov got {name} of shape {tuple(given.shape)}.", f"Each of the {count} observations has one.", ""
            )
        if name == "fweights" and given.dtype.kind not in "iu":
            raise ArgumentError(f"cov got {name} of dtype {given.dtype}.", "An observation counts whole times.", "")
        if (concrete("cov", given) < 0).any():
            raise ArgumentError(f"cov got negative {name}.", "An observation counts 0 times or more.", "")


@method
def corrcoef(x: Any) -> Any:
    """The correlations of variables, which are the rows of `x`: covariances over the product of the deviations.

    Raises:
        ShapeError: It has more than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]).corrcoef().tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    """
    found = cov(x)
    if not found.shape:
        return div(found, found)
    spread = sqrt(FUNCTIONS["diagonal"](found))
    return FUNCTIONS["clamp"](div(div(found, unsqueeze(spread, 1)), unsqueeze(spread, 0)), -1, 1)


class Histogram(NamedTuple):
    """What `histogram` returns."""

    hist: Any
    bin_edges: Any


@method
def histogram(
    x: Any,
    bins: Any,
    range: tuple[float, float] | None = None,
    weight: Any = None,
    density: bool = False,
) -> Histogram:
    """How many entries lie in each step, and the edges of the steps.

    Args:
        x: Any shape, floats.
        bins: How many equal steps; or their edges, a sorted vector.
        range: From where to where; if left out, of the entries.
        weight: How much each entry counts, of the shape of `x`.
        density: Whether the counts are divided by their sum and by the width of the step.

    Raises:
        ArgumentError: Inside vmap.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.histogram(ml.tensor([1.0, 2.0, 1.0]), bins=2, range=(0.0, 4.0)).hist
        tensor([2., 1.])
    """
    entries = concrete("histogram", x)
    steps = bins if isinstance(bins, int) else concrete("histogram", bins)
    weights = None if weight is None else xp.ravel(concrete("histogram", weight))
    counts, edges = xp.histogram(xp.ravel(entries), steps, range, density, weights)
    return Histogram(made(counts.astype(entries.dtype), x), made(edges.astype(entries.dtype), x))


# ---- along an axis --------------------------------------------------------------------------------------------------


def strips(x: Any, y: Any, dx: float, axis: int) -> Any:
    """The areas between neighbours."""
    left, right = (part(x, axis, cut) for cut in (slice(None, -1), slice(1, None)))
    if y is None:
        return mul(add(left, right), dx / 2)
    width = FUNCTIONS["diff"](y, dim=-1 if len(y.shape) == 1 else axis - len(x.shape))
    if len(y.shape) == 1 and axis != len(x.shape) - 1:
        width = FUNCTIONS["reshape"](width, -1, *(1,) * (len(x.shape) - axis - 1))
    return mul(mul(add(left, right), width), 0.5)


def part(x: Any, axis: int, cut: slice) -> Any:
    """`x` between two places of one axis."""
    return getitem(x, (*(slice(None),) * axis, cut))


@function
def trapezoid(y: Any, x: Any = None, *, dx: float = 1, dim: int = -1) -> Any:
    """The area under the line through the entries of `y` along `dim`, at the places `x` or at distances `dx`.

    Raises:
        ShapeError: No such dim, or the places do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.trapezoid(ml.tensor([1.0, 2.0, 4.0]))
        tensor(4.5000)
    """
    axis = one_dim("trapezoid", dim, len(y.shape))
    return sum_(strips(y, x, dx, axis), axis)


@function
def cumulative_trapezoid(y: Any, x: Any = None, *, dx: float = 1, dim: int = -1) -> Any:
    """The areas under the line through the entries of `y` along `dim`, up to each but the first.

    Raises:
        ShapeError: No such dim, or the places do not fit.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cumulative_trapezoid(ml.tensor([1.0, 2.0, 4.0]))
        tensor([1.5000, 4.5000])
    """
    axis = one_dim("cumulative_trapezoid", dim, len(y.shape))
    return FUNCTIONS["cumsum"](strips(y, x, dx, axis), axis)


FUNCTIONS["trapz"] = trapezoid


@function
def gradient(input: Any, *, spacing: Any = None, dim: Any = None, edge_order: int = 1) -> tuple[Any, ...]:
    """The slopes of `input` along each of `dim` (all axes if None), from neighbours at both sides: one tensor for each.

    Args:
        input: Any shape.
        spacing: The distance of neighbours, or one for each dim; 1 if left out.
        dim: One dim, or several.
        edge_order: 1 or 2: whether the ends go by their neighbour, or by two of them.

    Raises:
        ShapeError: No such dim, or an axis has too few entries.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.gradient(ml.tensor([1.0, 2.0, 4.0]))
        (tensor([1.0000, 1.5000, 2.0000]),)
    """
    ndim = len(input.shape)
    dims = tuple(range(ndim)) if dim is None else (dim,) if isinstance(dim, int) else tuple(dim)
    steps = (1,) * len(dims) if spacing is None else (spacing,) * len(dims) if is_number(spacing) else tuple(spacing)
    axes = [one_dim("gradient", d, ndim) for d in dims]
    if len(set(axes)) < len(axes):
        raise ShapeError(f"gradient got dim={dim!r}.", "Each dim may be named once.", "")
    return tuple(slopes(input, axis, step, edge_order) for axis, step in zip(axes, steps, strict=True))


def slopes(x: Any, axis: int, spacing: Any, edge_order: int) -> Any:
    """The slopes along one axis, for neighbours at one distance or at the places `spacing`."""
    n = x.shape[axis]
    if n <= edge_order:
        raise ShapeError(
            f"gradient got an axis of length {n}.", f"It takes {edge_order + 1} entries or more.", "Name another dim."
        )
    step = part(x, axis, slice(1, None)) - part(x, axis, slice(0, -1))
    width = spacing
    if not is_number(spacing):
        width = FUNCTIONS["reshape"](FUNCTIONS["diff"](spacing), -1, *(1,) * (len(x.shape) - axis - 1))
    secant = div(step, width)
    first, last = part(secant, axis, slice(0, 1)), part(secant, axis, slice(n - 2, None))
    if n == 2:
        return FUNCTIONS["cat"]([first, last], axis)
    below, above = part(x, axis, slice(0, -2)), part(x, axis, slice(2, None))
    if is_number(spacing):
        ends: Any = (0.5, 0.5)
        inner = div(sub(above, below), 2 * spacing)
    else:
        before, after = part(width, 0, slice(0, -1)), part(width, 0, slice(1, None))
        share = div(before, add(before, after))
        ends = (part(share, 0, slice(0, 1)), part(1 - share, 0, slice(n - 3, None)))
        weights = neg(div(1 - share, before)), div(sub(after, before), mul(before, after)), div(share, after)
        middle = part(x, axis, slice(1, -1))
        inner = add(add(mul(below, weights[0]), mul(middle, weights[1])), mul(above, weights[2]))
    if edge_order == 2:
        first = sub(first, mul(sub(part(secant, axis, slice(1, 2)), first), ends[0]))
        last = add(last, mul(sub(last, part(secant, axis, slice(n - 3, n - 2))), ends[1]))
    return FUNCTIONS["cat"]([first, inner, last], axis)
