"""How ops take a batch: rules of `vmap`. Batched inputs carry the batch on axis 0, and so must the result.

A rule is `batch(op, args, batched, params)`; `batched` tells which inputs are batched. Rules are written with ops, so
they can be differentiated, and batched again.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..core.array import beside, xp
from .op import OPS, Op
from .template import HOLE, ahead, indexed

Flags = list[bool]


def rank(a: Any) -> int:
    """The number of axes; a Python number has none."""
    return len(getattr(a, "shape", ()))


def size_of(args: list[Any], batched: Flags) -> int:
    """How many examples there are."""
    return next(a.shape[0] for a, b in zip(args, batched, strict=True) if b)


def raised(a: Any, is_batched: bool, to: int) -> Any:
    """`a` with axes of length 1 behind the batch, so that an example has `to` axes and still broadcasts."""
    missing = to - (rank(a) - is_batched)
    if not is_batched or not missing:
        return a
    return OPS["reshape"](a, shape=(a.shape[0], *(1,) * missing, *a.shape[1:]))


def spread_out(a: Any, is_batched: bool, n: int) -> Any:
    """`a` with a batch axis, whether it had one or not."""
    return a if is_batched else OPS["expand"](a, shape=(n, *a.shape))


def aligned(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """Entry by entry: examples of lower rank get axes of length 1 behind the batch."""
    top = max(rank(a) - b for a, b in zip(args, batched, strict=True))
    return op(*(raised(a, b, top) for a, b in zip(args, batched, strict=True)), **params)


def as_it_is(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """The op does the same to every entry, wherever it stands."""
    return op(*args, **params)


def axis_moved(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """Along an axis: it stands one place further back."""
    axis = params["axis"]
    return op(*args, **{**params, "axis": tuple(a + 1 for a in axis) if isinstance(axis, tuple) else axis + 1})


def keeping(name: str) -> Callable[..., Any]:
    """A shape, or an order of axes, that must keep the batch in front."""

    def batch(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
        (x,) = args
        given = params[name]
        kept = (0, *(a + 1 for a in given)) if name == "axes" else (x.shape[0], *given)
        return op(x, **{**params, name: kept})

    return batch


def stretched(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """expand: new axes come behind the batch."""
    (x,) = args
    shape = params["shape"]
    return op(raised(x, True, len(shape)), shape=(x.shape[0], *shape))


def framed(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """pad: no frame around the batch."""
    return op(*args, **{**params, "widths": ((0, 0), *params["widths"])})


def each_spread(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """cat: every piece gets the batch."""
    n = size_of(args, batched)
    pieces = [spread_out(a, b, n) for a, b in zip(args, batched, strict=True)]
    return op(*pieces, **{**params, "axis": params["axis"] + 1})


def products(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """matmul: vectors become matrices, the batch becomes a leading axis, and the lent axes are taken out again."""
    x, y = args
    p, q = rank(x) - batched[0], rank(y) - batched[1]
    x = OPS["reshape"](x, shape=(*x.shape[:-1], 1, x.shape[-1])) if p == 1 else x
    y = OPS["reshape"](y, shape=(*y.shape, 1)) if q == 1 else y
    top = max(p, q, 2)
    out = op(raised(x, batched[0], top), raised(y, batched[1], top))
    shape = tuple(out.shape)
    shape = (*shape[:-2], shape[-1]) if p == 1 else shape
    return OPS["reshape"](out, shape=shape[:-1] if q == 1 else shape)


def layers(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """linear: as it is if only the input is batched, else a product and a sum."""
    x, w, *bias = args
    if not any(batched[1:]):
        return op(*args)
    n = size_of(args, batched)
    swapped = OPS["permute"](spread_out(w, batched[1], n), axes=(0, 2, 1))
    out = products(OPS["matmul"], [x, swapped], [batched[0], True], {})
    return aligned(OPS["add"], [out, bias[0]], [True, batched[2]], {}) if bias else out


# ---- parts ----------------------------------------------------------------------------------------------------------


def numbered(arrays: list[Any], batched: Flags, n: int) -> list[Any]:
    """Index arrays that also say which example: a running number in front, the others made of equal rank."""
    top = max((rank(a) - b for a, b in zip(arrays, batched, strict=True)), default=0)
    number = xp.arange(n).reshape((n, *(1,) * top))
    return [beside(number, arrays[0]), *(raised(a, b, top) for a, b in zip(arrays, batched, strict=True))]


def aimed(index: tuple[Any, ...], arrays: list[Any], batched: Flags, n: int) -> tuple[Any, list[Any]]:
    """The index of a batched tensor: a full slice in front, or a running number where there are index arrays."""
    if not arrays:
        return (slice(None), *index), []
    return (HOLE, *index), numbered(arrays, batched, n)


def swapped(a: Any, lead: int, first: int, second: int) -> Any:
    """`a` with two blocks of axes, which follow `lead` others, in the other order."""
    middle, end = lead + first, lead + first + second
    axes = (*range(lead), *range(middle, end), *range(lead, middle), *range(end, rank(a)))
    return OPS["permute"](a, axes=axes) if first and second else a


def blocks(index: tuple[Any, ...], ndim: int, arrays: list[Any], batched: Flags) -> tuple[int, int]:
    """How many axes of an example's part stand before those of the index arrays, and how many those are.

    The running number of the example stands apart from the arrays, so in a batch theirs come first.
    """
    return ahead(index, ndim), max((rank(a) - b for a, b in zip(arrays, batched, strict=True)), default=0)


def parts_read(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """getitem."""
    n = size_of(args, batched)
    before, wide = blocks(params["index"], rank(args[0]) - batched[0], args[1:], batched[1:])
    index, arrays = aimed(params["index"], args[1:], batched[1:], n)
    return swapped(op(spread_out(args[0], batched[0], n), *arrays, index=index), 1, wide, before)


def parts_added(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """additem."""
    n = size_of(args, batched)
    before, wide = blocks(params["index"], len(params["shape"]), args[1:], batched[1:])
    index, arrays = aimed(params["index"], args[1:], batched[1:], n)
    parts = swapped(spread_out(args[0], batched[0], n), 1, before, wide)
    return op(parts, *arrays, index=index, shape=(n, *params["shape"]))


def parts_written(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """setitem."""
    x, y, *arrays = args
    n = size_of(args, batched)
    shapes = [tuple(a.shape[b:]) for a, b in zip(arrays, batched[2:], strict=True)]
    place = indexed(tuple(x.shape[batched[0] :]), *shapes, index=params["index"])
    before, wide = blocks(params["index"], rank(x) - batched[0], arrays, batched[2:])
    index, arrays = aimed(params["index"], arrays, batched[2:], n)
    y = raised(y if batched[1] or not before else spread_out(y, False, 1), batched[1] or before > 0, len(place))
    return op(spread_out(x, batched[0], n), swapped(y, 1, before, wide), *arrays, index=index)


def both_spread(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """gather and scatter_add: tensor and index both get the batch; the axis stands one place further back."""
    n = size_of(args, batched)
    whole = [spread_out(a, b, n) for a, b in zip(args, batched, strict=True)]
    shape = {"shape": (n, *params["shape"])} if "shape" in params else {}
    return op(*whole, **{**params, "axis": params["axis"] + 1, **shape})


def places_found(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """argmax and argmin: over all axes they count in the flattened example."""
    (x,), axis = args, params["axis"]
    if len(axis) == 1:
        return axis_moved(op, args, batched, params)
    flat = OPS["reshape"](x, shape=(x.shape[0], prod(x.shape[1:])))
    out = op(flat, axis=(1,), keepdims=False)
    return OPS["reshape"](out, shape=(x.shape[0], *(1,) * (rank(x) - 1))) if params["keepdims"] else out


def losses(op: Op, args: list[Any], batched: Flags, params: dict[str, Any]) -> Any:
    """A loss: one by one first, then reduced over the axes of each example."""
    n = size_of(args, batched)
    whole = [spread_out(a, b, n) for a, b in zip(args, batched, strict=True)]
    if op.name == "cross_entropy":
        x, target = whole
        rows = op(
            OPS["reshape"](x, shape=(n * x.shape[1], x.shape[2])),
            OPS["reshape"](target, shape=(n * x.shape[1],)),
            reduction="none",
        )
        each = OPS["reshape"](rows, shape=tuple(target.shape))
    else:
        each = aligned(op, args, batched, {"reduction": "none"})
    axis = tuple(range(1, rank(each)))
    return each if params["reduction"] == "none" else OPS[params["reduction"]](each, axis=axis, keepdims=False)
