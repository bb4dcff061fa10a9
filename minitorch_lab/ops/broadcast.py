"""Stretching and summing: each is the other's transpose, so each is the other's rule."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, Shape, float32, int64, is_float, xp
from ..errors import ShapeError
from .axes import Dim, are_lengths, dims_of, numel, reduced, unlike
from .batching import axis_moved, stretched
from .families import added_up, distinct, linear
from .front import method
from .keywords import in_dtype
from .movement import flat, reshape_op
from .narrow import in_float32
from .op import Sample
from .prose import Prose


def restored(g: Any, x_shape: Shape, axis: tuple[int, ...]) -> Any:
    """`g` with the summarised axes back, at length 1."""
    kept = reduced(x_shape, axis=axis, keepdims=True)
    return reshape_op(g, shape=kept) if unlike(g.shape, kept) else g


def spread(g: Any, x_shape: Shape, axis: tuple[int, ...]) -> Any:
    """Give every summarised entry the cotangent of its summary."""
    return expand_op(restored(g, x_shape, axis), shape=x_shape)


def each_way(rng: Any) -> list[Sample]:
    """Samples: one axis, all axes, kept and dropped."""
    (x,), _ = distinct(rng)[0]
    ways = [((0,), False), ((1,), True), ((0, 1), False)]
    return [((x,), {"axis": axis, "keepdims": keep}) for axis, keep in ways]


def also_empty(*shapes: Shape) -> Any:
    """Samples: the same, and empty tensors of `shapes`, summed along axis 0."""

    def samples(rng: Any) -> list[Sample]:
        empty: list[Sample] = [((xp.zeros(s),), {"axis": (0,), "keepdims": False}) for s in shapes]
        return [*each_way(rng), *empty]

    return samples


def sum_impl(x: Array, axis: tuple[int, ...], keepdims: bool) -> Array:
    """Sum over `axis`, of integers and truth values in int64, of floats of two bytes in float32."""
    if x.dtype is float32:
        return xp.add.reduce(x, axis, keepdims=keepdims)
    if not is_float(x.dtype):
        return xp.add.reduce(x, axis, int64, keepdims=keepdims)
    return wide_sum(x, axis=axis, keepdims=keepdims)


wide_sum = in_float32(lambda x, axis, keepdims: xp.add.reduce(x, axis, keepdims=keepdims))


def stretch_hint(shape: Shape, wanted: Shape) -> str:
    """The call that makes `wanted`, or comes near it."""
    if len(shape) < len(wanted):
        if all(m in (1, n) for m, n in zip(shape, wanted, strict=False)):
            ones = ", ".join(map(str, (*shape, *(1,) * (len(wanted) - len(shape)))))
            return f"Did you mean x.reshape({ones}).expand{wanted}? Then the new axes come last."
    elif len(shape) == len(wanted) and all(m and n % m == 0 for m, n in zip(shape, wanted, strict=True)):
        return f"Did you mean x.repeat{tuple(n // m for m, n in zip(shape, wanted, strict=True))}? It copies."
    return "A size of -1 keeps the axis as it is."


def expanded(shape: Shape, *, shape_: Shape) -> Shape:
    """The stretched shape: only axes of length 1 grow."""
    lead = len(shape_) - len(shape)
    if lead < 0 or any(m not in (1, n) for m, n in zip(shape, shape_[lead:], strict=True)):
        raise ShapeError(
            f"expand cannot stretch {shape} to {shape_}.",
            "Only axes of length 1 stretch, and new axes come in front.",
            stretch_hint(shape, shape_),
        )
    return shape_


def stretch(x: Array, shape: Shape) -> Array:
    """`x` shown in `shape`; it can be written as long as each entry is shown once."""
    return xp.reshape(x, shape) if numel(shape) == x.size else xp.broadcast_to(x, shape)


def put_back(base: Any, new: Any, *, shape: Shape) -> Any:
    """The base after a write.

    Raises:
        ShapeError: Many entries of an expanded tensor are one number in memory.
    """
    if numel(shape) == numel(base.shape):
        return reshape_op(new, shape=base.shape)
    raise ShapeError(
        f"A write into a tensor that was expanded from {tuple(base.shape)} to {shape} cannot be undone entry by entry.",
        "Its entries share memory, so one write would change many.",
        "Did you mean x.clone()? Then write to the copy.",
    )


sum_op = linear(
    "sum",
    sum_impl,
    shape=reduced,
    vjp=lambda g, x_shape, *, axis, keepdims: spread(g, x_shape, axis),
    samples=also_empty((0, 4), (3, 0)),
    autocast="full",
    batch=axis_moved,
    gives=added_up,
    reduces="sum",
    prose=Prose(
        why={"x_shape": "every number that was summed gets the same gradient"},
        wholes=("the same number for every entry that was summed",),
    ),
)
expand_op = linear(
    "expand",
    stretch,
    shape=lambda s, *, shape: expanded(s, shape_=shape),
    vjp=lambda g, x_shape, *, shape: unbroadcast(g, x_shape),
    samples=lambda rng: [((rng.normal(size=(3, 1)),), {"shape": s}) for s in ((2, 3, 4), (3, 0), (3, 1))],
    put=put_back,
    batch=stretched,
    prose=Prose(why={"x_shape": "what was repeated is summed on the way back"}),
)


def unbroadcast(g: Any, shape: Shape) -> Any:
    """Sum `g` over the axes along which `shape` was stretched to reach it."""
    lead = len(g.shape) - len(shape)
    if not lead and not unlike(g.shape, shape):
        return g
    if lead < 0:  # a value that was written, whose axes of length 1 in front the place has not
        return reshape_op(unbroadcast(g, shape[-lead:]), shape=shape)
    stretched = tuple(i + lead for i, n in enumerate(shape) if n == 1 != g.shape[i + lead])
    if not stretched:
        return sum_op(g, axis=tuple(range(lead)), keepdims=False)
    g = sum_op(g, axis=(*range(lead), *stretched), keepdims=True)
    return reshape_op(g, shape=shape) if lead else g


@method
@in_dtype
def sum(x: Any, dim: Dim = None, keepdim: bool = False) -> Any:
    """The sum over `dim` (all axes if None). Integers and truth values are summed in int64.

    Raises:
        ShapeError: No such dim.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1.0, 2.0], [3.0, 4.0]]).sum(dim=0)
        tensor([4., 6.])
    """
    return sum_op(x, axis=dims_of("sum", dim, len(x.shape)), keepdims=keepdim)


@method
def expand(x: Any, *size: Any) -> Any:
    """A view in which axes of length 1 are stretched to `size`, without copying: their stride is 0. -1 keeps a length.

    Raises:
        ShapeError: An axis of another length would have to grow.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(3, 1).expand(3, 4).stride()
        (1, 0)
    """
    size = flat(size)
    if are_lengths(size):
        return expand_op(x, shape=size)
    lead = len(size) - len(x.shape)
    if any(n < (0 if i < lead else -1) for i, n in enumerate(size)):
        raise ShapeError(
            f"expand got {size} for a tensor of shape {tuple(x.shape)}.",
            "A length is 0 or more, or -1 for that of an axis which is there.",
            f"Did you mean x.expand{(1,) * max(lead, 0) + tuple(x.shape)}?",
        )
    return expand_op(x, shape=tuple(x.shape[i - lead] if n == -1 and i >= lead else n for i, n in enumerate(size)))


@method
def broadcast_to(x: Any, size: Any) -> Any:
    """As `expand`, with the size as one sequence."""
    return expand(x, *size)
