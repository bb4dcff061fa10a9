"""Axes: how a user names them, and what is left of a shape when some are summarised."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..core.array import Shape, xp
from ..errors import BoundsError, ShapeError
from .meant import shown

Dim: TypeAlias = "int | tuple[int, ...] | list[int] | None"
WHOLE = {int}  # the type of a length that is no symbol: a symbol is an int, too


def are_lengths(size: tuple[Any, ...]) -> bool:
    """Whether a size is of Python's own numbers, 0 or more, as most are: then there is nothing to be worked out."""
    return WHOLE.issuperset(map(type, size)) and min(size, default=0) >= 0


def one_dim(name: str, dim: Any, ndim: int, of: str = "a tensor", place: str = "dim") -> int:
    """`dim`, counted from the front; `place` is the argument that it was given as.

    Raises:
        ShapeError: It is no whole number.
        BoundsError: A tensor of this rank has no such dim.
    """
    if type(dim) is int and -ndim <= dim < ndim:
        return dim % ndim
    dim = int(dim) if isinstance(dim, xp.integer) else dim
    if not isinstance(dim, int) or isinstance(dim, bool):
        hint = f"Did you mean {place}={dim if isinstance(dim, str) and dim.isdecimal() and int(dim) < ndim else 0}?"
        hint = f"Are the arguments in order? {name} takes {place} before a tensor." if hasattr(dim, "dtype") else hint
        raise ShapeError(f"{name} got {place}={shown(dim)}.", "A dim is an integer.", hint)
    if -max(ndim, 1) <= dim < max(ndim, 1):
        return dim % max(ndim, 1)
    if not ndim:
        raise BoundsError(f"{name} got {place}={dim} for a 0-d tensor.", "A 0-d tensor has no dims.", "Leave dim out.")
    last = ndim - 1
    raise BoundsError(
        f"{name} got {place}={dim} for {of} with {ndim} {'axis' if ndim == 1 else 'axes'}.",
        f"Its dims are 0 to {last}, or -{ndim} to -1 counted from the end.",
        f"Did you mean {place}={last if dim > 0 else 0}?",
    )


def dims_of(name: str, dim: Dim, ndim: int, place: str = "dim") -> tuple[int, ...]:
    """`dim` as a sorted tuple of axes; None means all of them, and so does (), as in PyTorch.

    Raises:
        ShapeError: No such dim, or one is named twice.

    Example:
        >>> dims_of("sum", -1, 3), dims_of("sum", None, 3)
        ((2,), (0, 1, 2))
    """
    if type(dim) is int and -ndim <= dim < ndim:
        return (dim % ndim,)
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    wanted = [one_dim(name, d, ndim, place=place) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))]
    if len(set(wanted)) < len(wanted):
        hint = f"Did you mean {place}={tuple(sorted(set(wanted)))}?"
        raise ShapeError(f"{name} got {place}={dim!r}.", "Each dim may be named once.", hint)
    return tuple(sorted(wanted)) if ndim else ()


def reduced(shape: Shape, *, axis: tuple[int, ...], keepdims: bool, **_: Any) -> Shape:
    """The shape after `axis` is summarised."""
    return tuple(1 if i in axis else n for i, n in enumerate(shape) if keepdims or i not in axis)


def together(*shapes: Shape) -> Shape:
    """The shape to which `shapes` stretch.

    Raises:
        ShapeError: They do not: two lengths along an axis differ, and neither is 1.

    Example:
        >>> together((3, 1), (4,), ())
        (3, 4)
    """
    ndim = max(map(len, shapes), default=0)
    out = [1] * ndim
    for shape in shapes:
        for i, n in enumerate(shape, ndim - len(shape)):
            if out[i] == 1:
                out[i] = n
            elif n not in (1, out[i]):
                raise ShapeError(
                    f"The shapes {', '.join(map(str, shapes))} do not stretch to one.",
                    "Axes are matched from the right; two lengths fit if they are equal or one of them is 1.",
                    "Compare the shapes axis by axis.",
                )
    return tuple(out)


def unlike(a: Shape, b: Shape) -> bool:
    """Whether two shapes differ. Ranks come first, then lengths that are numbers: a size is asked for only if it must.

    Example:
        >>> unlike((2, 3), (3,)), unlike((2, 3), (2, 3))
        (True, False)
    """
    if len(a) != len(b):
        return True
    pairs = sorted(zip(a, b, strict=True), key=lambda pair: type(pair[0]) is not int or type(pair[1]) is not int)
    return any(m != n for m, n in pairs)


def entries(shape: Shape, axis: tuple[int, ...]) -> int:
    """How many entries each summary over `axis` covers."""
    return prod([shape[a] for a in axis])


def numel(shape: Shape) -> int:
    """How many entries a tensor of `shape` has."""
    return prod(shape)


class Extremes(NamedTuple):
    """What `max` and `min` over one dim return."""

    values: Any
    indices: Any

    if not TYPE_CHECKING:  # a type checker knows the names by themselves

        def __getattr__(self, name: str) -> Any:
            """Say where a tensor is to be found."""
            raise AttributeError(
                f"max and min over a dim give two tensors, values and indices, and these two have no {name!r}.\n"
                f"  Did you mean .values.{name}?"
            )
