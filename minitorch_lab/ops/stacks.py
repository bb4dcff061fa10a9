"""Joining and cutting by NumPy's habits, and grids: everything is written with cat, stack, narrow and expand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations as chosen
from itertools import combinations_with_replacement as chosen_again
from typing import Any

from ..core.array import Shape, beside, int64, xp
from ..errors import ArgumentError, ShapeError
from .axes import one_dim, together
from .broadcast import expand_op
from .front import FUNCTIONS, alias, function, method
from .indexing import getitem
from .join import cat, pad_op, sequence, stack
from .movement import reshape, unsqueeze
from .views import narrow, ravel


def several(tensors: tuple[Any, ...]) -> list[Any]:
    """Tensors given one by one, or as one sequence."""
    return list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)


def each(raised: Callable[[Any], Any], tensors: tuple[Any, ...]) -> Any:
    """`raised` of one tensor, or a tuple with that of each."""
    parts = several(tensors)
    alone = len(tensors) == 1 and hasattr(tensors[0], "shape")
    return raised(parts[0]) if alone else tuple(map(raised, parts))


def publish_rank(rank: int, raised: Callable[[Any], Any], doc: str) -> None:
    """Publish `ml.atleast_<rank>d`."""

    def front(*tensors: Any) -> Any:
        return each(lambda x: x if len(x.shape) >= rank else raised(x), tensors)

    front.__name__ = front.__qualname__ = f"atleast_{rank}d"
    front.__doc__ = doc
    function(front)


def plane(x: Any) -> Any:
    """A number as a 1 by 1 matrix, a vector as its only row."""
    return reshape(x, 1, -1)


def block(x: Any) -> Any:
    """A number or a vector as (1, n, 1), a matrix as (m, n, 1)."""
    return unsqueeze(x, 2) if len(x.shape) == 2 else reshape(x, 1, -1, 1)


publish_rank(1, lambda x: reshape(x, 1), "The tensors, a number as a vector with one entry.")
publish_rank(2, plane, "The tensors, each with two axes at least: what has fewer becomes a row.")
publish_rank(
    3, block, "The tensors, each with three axes at least: (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1)."
)


def raised_to(rank: int, name: str, tensors: Any) -> list[Any]:
    """The tensors to be joined, each with `rank` axes at least."""
    return [FUNCTIONS[f"atleast_{rank}d"](x) for x in sequence(name, tensors)]


@function
def vstack(tensors: Any) -> Any:
    """The tensors below each other: along axis 0, vectors as rows.

    Raises:
        ShapeError: Their other lengths differ, or there are none.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.vstack([ml.tensor([1, 2]), ml.tensor([3, 4])]).tolist()
        [[1, 2], [3, 4]]
    """
    return cat(raised_to(2, "vstack", tensors), 0)


@function
def hstack(tensors: Any) -> Any:
    """The tensors beside each other: along axis 1, vectors along axis 0.

    Raises:
        ShapeError: Their other lengths differ, or there are none.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.hstack([ml.tensor([1, 2]), ml.tensor([3])]).tolist()
        [1, 2, 3]
    """
    parts = raised_to(1, "hstack", tensors)
    return cat(parts, 0 if len(parts[0].shape) == 1 else 1)


@function
def dstack(tensors: Any) -> Any:
    """The tensors behind each other, along axis 2.

    Raises:
        ShapeError: Their other lengths differ, or there are none.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.dstack([ml.tensor([1, 2]), ml.tensor([3, 4])]).tolist()
        [[[1, 3], [2, 4]]]
    """
    return cat(raised_to(3, "dstack", tensors), 2)


@function
def column_stack(tensors: Any) -> Any:
    """The tensors beside each other, along axis 1: vectors as columns.

    Raises:
        ShapeError: Their lengths differ, or there are none.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.column_stack([ml.tensor([1, 2]), ml.tensor([3, 4])]).tolist()
        [[1, 3], [2, 4]]
    """
    return cat([reshape(x, -1, 1) if len(x.shape) < 2 else x for x in sequence("column_stack", tensors)], 1)


alias(vstack, "row_stack")


@function
def block_diag(*tensors: Any) -> Any:
    """One matrix with the given ones along its diagonal, and 0 elsewhere. Vectors are rows.

    Raises:
        ShapeError: One has more than two axes.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.block_diag(ml.ones(1, 2), ml.tensor([[5.0]])).tolist()
        [[1.0, 1.0, 0.0], [0.0, 0.0, 5.0]]
    """
    parts = [FUNCTIONS["atleast_2d"](x) for x in several(tensors)]
    if any(len(x.shape) > 2 for x in parts):
        raise ShapeError(
            f"block_diag got the shapes {', '.join(str(tuple(x.shape)) for x in tensors)}.",
            "Its blocks are matrices.",
            "Call it for each matrix of a batch.",
        )
    width = sum(x.shape[1] for x in parts)
    rows, done = [], 0
    for x in parts:
        rows.append(pad_op(x, widths=((0, 0), (done, width - done - x.shape[1])), value=0.0))
        done += x.shape[1]
    return cat(rows, 0)


# ---- grids ----------------------------------------------------------------------------------------------------------


@function
def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Any, ...]:
    """Of vectors (or numbers) the grid that they span: a tuple of views, each with an axis for each vector.

    Args:
        tensors: The vectors, one by one or as a sequence.
        indexing: "ij" (the first vector runs along axis 0) or "xy" (the first runs along axis 1, the second along 0).

    Raises:
        ArgumentError: There is no such indexing.
        ShapeError: An input has axes beyond one.

    Example:
        >>> import minitorch_lab as ml
        >>> rows, columns = ml.meshgrid(ml.arange(2), ml.arange(3))
        >>> rows.tolist(), columns.tolist()
        ([[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]])
    """
    if indexing not in ("ij", "xy"):
        raise ArgumentError(f"meshgrid got indexing={indexing!r}.", 'It is "ij" or "xy".', 'Did you mean "ij"?')
    parts = [vector("meshgrid", x) for x in several(tensors)]
    turned = indexing == "xy" and len(parts) > 1
    parts[:2] = parts[1::-1] if turned else parts[:2]
    shape = tuple(x.shape[0] for x in parts)
    grids = [
        expand_op(reshape(x, *(x.shape[0] if i == k else 1 for i in range(len(parts)))), shape=shape)
        for k, x in enumerate(parts)
    ]
    if turned:
        grids[:2] = grids[1::-1]
    return tuple(grids)


def vector(name: str, x: Any) -> Any:
    """A vector; a number as one.

    Raises:
        ShapeError: It has more axes.
    """
    if len(x.shape) > 1:
        raise ShapeError(
            f"{name} got a tensor of shape {tuple(x.shape)}.", "It takes vectors.", "Did you mean x.ravel()?"
        )
    return ravel(x)


@function
def cartesian_prod(*tensors: Any) -> Any:
    """Every choice of one entry from each vector, as rows, in order.

    Raises:
        ShapeError: An input has axes beyond one.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cartesian_prod(ml.tensor([1, 2]), ml.tensor([3, 4])).tolist()
        [[1, 3], [1, 4], [2, 3], [2, 4]]
    """
    parts = several(tensors)
    if len(parts) == 1:
        return parts[0]
    return stack([ravel(x) for x in meshgrid(*parts)], 1)


@function
def combinations(input: Any, r: int = 2, with_replacement: bool = False) -> Any:
    """Every choice of `r` entries of a vector, as rows, in order.

    Raises:
        ShapeError: It is no vector.
        ArgumentError: `r` is negative.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.combinations(ml.tensor([1, 2, 3])).tolist()
        [[1, 2], [1, 3], [2, 3]]
    """
    if r < 0:
        raise ArgumentError(f"combinations got r={r}.", "A choice has 0 entries or more.", "Did you mean r=2?")
    x = vector("combinations", input)
    if not r:
        return narrow(x, 0, 0, 0)
    found = list((chosen_again if with_replacement else chosen)(range(x.shape[0]), r))
    return getitem(x, beside(xp.asarray(found, int64).reshape(-1, r), x))


@function
def broadcast_tensors(*tensors: Any) -> tuple[Any, ...]:
    """The tensors, each stretched to the shape that they have together: a tuple of views.

    Raises:
        ShapeError: The shapes do not stretch to one.

    Example:
        >>> import minitorch_lab as ml
        >>> [tuple(x.shape) for x in ml.broadcast_tensors(ml.zeros(2, 1), ml.zeros(3))]
        [(2, 3), (2, 3)]
    """
    parts = several(tensors)
    shape = together(*(tuple(x.shape) for x in parts))
    return tuple(expand_op(x, shape=shape) for x in parts)


@function
def broadcast_shapes(*shapes: Any) -> Shape:
    """The shape to which shapes stretch together.

    Raises:
        ShapeError: They do not.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.broadcast_shapes((2, 1), (3,), 1)
        (2, 3)
    """
    return together(*((s,) if isinstance(s, int) else tuple(s) for s in shapes))


# ---- cutting --------------------------------------------------------------------------------------------------------


@method
def tensor_split(x: Any, indices_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Views of `x` along `dim`: so many, as equal as can be (the first ones longer), or cut before each of the indices.

    Raises:
        ShapeError: No such dim.
        ArgumentError: The number of parts is not above 0.

    Example:
        >>> import minitorch_lab as ml
        >>> [part.tolist() for part in ml.arange(5).tensor_split(2)]
        [[0, 1, 2], [3, 4]]
        >>> [part.tolist() for part in ml.arange(5).tensor_split([1, 4])]
        [[0], [1, 2, 3], [4]]
    """
    at = one_dim("tensor_split", dim, len(x.shape))
    n = x.shape[at]
    given = indices_or_sections
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, int):
        if given < 1:
            raise ArgumentError(f"tensor_split got {given} parts.", "There is at least one.", "Did you mean 2?")
        short, longer = divmod(n, given)
        cuts = [k * short + min(k, longer) for k in range(1, given)]
    else:
        cuts = [min(c + n if c < 0 else c, n) for c in given]
    starts, ends = [0, *cuts], [*cuts, n]
    return tuple(narrow(x, at, a, max(b - a, 0)) for a, b in zip(starts, ends, strict=True))


def publish_split(name: str, dim: int, doc: str) -> None:
    """Publish a split along one particular axis."""

    def front(x: Any, indices_or_sections: Any) -> tuple[Any, ...]:
        at = 0 if name == "hsplit" and len(x.shape) == 1 else dim
        if len(x.shape) <= at:
            raise ShapeError(
                f"{name} got a tensor of shape {tuple(x.shape)}.",
                f"It cuts along axis {at}.",
                "Did you mean tensor_split?",
            )
        if isinstance(indices_or_sections, int) and x.shape[at] % max(indices_or_sections, 1):
            raise ArgumentError(
                f"{name} got {indices_or_sections} parts for an axis of length {x.shape[at]}.",
                "The parts are of equal length.",
                "Did you mean tensor_split? Its parts may differ by one.",
            )
        return tensor_split(x, indices_or_sections, at)

    front.__name__ = front.__qualname__ = name
    front.__doc__ = doc
    method(front)


publish_split("vsplit", 0, "Equal parts of `x` along axis 0, or parts that begin at the given indices: views.")
publish_split(
    "hsplit", 1, "Equal parts of `x` along axis 1 (of a vector, 0), or parts that begin at the indices: views."
)
publish_split("dsplit", 2, "Equal parts of `x` along axis 2, or parts that begin at the given indices: views.")

# ---- turning --------------------------------------------------------------------------------------------------------


def publish_mirror(name: str, dim: int, doc: str) -> None:
    """Publish a flip of one particular axis."""

    def front(x: Any) -> Any:
        if len(x.shape) <= dim:
            raise ShapeError(
                f"{name} got a tensor of shape {tuple(x.shape)}.",
                f"It turns axis {dim} round.",
                "Did you mean flip(0)?",
            )
        return FUNCTIONS["flip"](x, dim)

    front.__name__ = front.__qualname__ = name
    front.__doc__ = doc
    method(front)


publish_mirror("fliplr", 1, "The columns in reverse order: `flip(1)`.")
publish_mirror("flipud", 0, "The rows in reverse order: `flip(0)`.")


@method
def rot90(x: Any, k: int = 1, dims: Any = (0, 1)) -> Any:
    """`x` turned by `k` right angles, from the first of two dims towards the second.

    Raises:
        ShapeError: The dims are not two different ones.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.rot90(ml.tensor([[1, 2], [3, 4]])).tolist()
        [[2, 4], [1, 3]]
    """
    n = len(x.shape)
    known = len(dims) == 2 and all(type(dim) is int and -n <= dim < n for dim in dims)
    a, b = [one_dim("rot90", dim, n) for dim in dims] if known else (0, 0)
    if a == b:
        hint = "Did you mean dims=(0, 1)?" if n > 1 else "A vector has one axis: x.flip(0) turns it around."
        raise ShapeError(f"rot90 got dims={dims!r} for {n} axes.", "It turns from one axis towards another.", hint)
    flip, swap = FUNCTIONS["flip"], FUNCTIONS["transpose"]
    turns: tuple[Callable[[], Any], ...] = (
        x.clone,
        lambda: swap(flip(x, b), a, b),
        lambda: flip(x, (a, b)),
        lambda: flip(swap(x, a, b), b),
    )
    return turns[k % 4]()


@function
def diagflat(input: Any, offset: int = 0) -> Any:
    """A matrix with all entries of `input`, in order, on its diagonal `offset`, and 0 elsewhere.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.diagflat(ml.tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]
    """
    return FUNCTIONS["diag"](ravel(input), offset)
