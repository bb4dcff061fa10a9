"""Reading, writing and adding whole rows by number, and writing by an index along one axis."""

from __future__ import annotations

from typing import Any

from ..core.array import Array, DType, Shape, beside, check_held, is_number, on_cpu, xp
from ..errors import BoundsError, DTypeError, ShapeError
from .axes import one_dim
from .batching import both_spread
from .compare import ne, where
from .elementwise import add, mul
from .factory import full
from .front import FUNCTIONS, method, taught, writable
from .indexing import additem, gather_op, gathered, getitem_op, numbers_within
from .indexing import scatter_add as scatter_add_op
from .movement import cast, detach, reshape_op
from .numbers import along_an_axis
from .op import Op, rule
from .places import check_index, grid, in_line
from .prose import Prose
from .template import HOLE

# ---- by an index along one axis -----------------------------------------------------------------------------------


def scatter_impl(x: Array, y: Array, index: Array, axis: int) -> Array:
    """`x` with the entries of `y` written where `gather` with the same index reads."""
    check_index("scatter", index, x.shape[axis])
    out = xp.copy(x)
    if type(out) is not on_cpu or not out.flags.c_contiguous:
        out[grid(index, axis)] = y
        return out
    for part, places in in_line(index, axis, out.shape):
        out.reshape(-1)[places] = y[part]
    return out


def scattered_shape(shape: Shape, value: Shape, index: Shape, *, axis: int) -> Shape:
    """The shape of `x`, if the index fits it and the values."""
    gathered(shape, index, axis=axis)
    if value != index:
        raise ShapeError(
            f"scatter got values of shape {value} and an index of shape {index}.",
            "There is one value for each entry of the index.",
            "Did you mean src.expand(index.shape)?",
        )
    return shape


def nothing_like(index: Any, dtype: DType) -> Any:
    """Zeros in the shape of an index: no number differs from itself."""
    return cast(ne(index, index), dtype=dtype)


scatter_op = Op(
    name="scatter",
    impl=scatter_impl,
    shape=scattered_shape,
    vjp=(
        rule(lambda g, *rest, axis: scatter_op(g, nothing_like(rest[0], g.dtype), *rest, axis=axis)),
        rule(lambda g, *rest, axis: gather_op(g, *rest, axis=axis)),
        None,
    ),
    samples=lambda rng: [
        ((rng.normal(size=(3, 4)), rng.normal(size=(2, 4)), xp.array([[0, 1, 2, 0], [1, 2, 0, 2]])), {"axis": 0}),
        ((rng.normal(size=(3, 4)), rng.normal(size=(3, 2)), xp.array([[3, 0], [1, 2], [0, 1]])), {"axis": 1}),
        ((rng.normal(size=(3, 4)), rng.normal(size=(0, 2)), xp.zeros((0, 2), int)), {"axis": 1}),
    ],
    rest=2,
    batch=both_spread,
    prose=Prose(why={"*": "the gradient is read where the values were put"}),
    refuses=True,
)


@writable
@along_an_axis("x")
def scatter(x: Any, dim: int, index: Any, src: Any, reduce: str | None = None) -> Any:
    """`x` with src[i, j] written to out[index[i, j], j] along dim 0, and so on. `index` is int64 without repeats.

    `src` may be one number, which is then written everywhere. With `reduce`, "add" or "multiply", what stands there
    counts too, and an index may stand there twice.

    Raises:
        ShapeError: The index does not fit `x` or `src`.
        DTypeError: The index is not of whole numbers, or `src` has another dtype than `x`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(3).scatter(0, ml.tensor([2, 0]), ml.tensor([5.0, 7.0]))
        tensor([7., 0., 5.])
    """
    axis = one_dim("scatter", dim, len(x.shape))
    if is_number(src):
        check_held("scatter", src, x.dtype)
        src = beside(full.impl(shape=tuple(index.shape), value=src, dtype=x.dtype), x)
    if reduce is not None:
        return FUNCTIONS["scatter_reduce"](x, axis, index, src, {"add": "sum", "multiply": "prod"}.get(reduce, reduce))
    check_dtype("scatter", x, src)
    src = covering(src, index)
    check_index("scatter", index, x.shape[axis])
    scattered_shape(tuple(x.shape), tuple(src.shape), tuple(index.shape), axis=axis)
    return scatter_op(x, src, index, axis=axis)


@writable
@along_an_axis("x")
def scatter_add(x: Any, dim: int, index: Any, src: Any) -> Any:
    """`x` with src[i, j] added to out[index[i, j], j] along dim 0, and so on; repeats add up.

    Raises:
        ShapeError: The index does not fit `x` or `src`.
        DTypeError: The index is not of whole numbers, or `src` has another dtype than `x`.
    """
    axis, shape = one_dim("scatter_add", dim, len(x.shape)), tuple(x.shape)
    check_dtype("scatter_add", x, src)
    src = covering(src, index)
    check_index("scatter_add", index, shape[axis])
    scattered_shape(shape, tuple(src.shape), tuple(index.shape), axis=axis)
    return add(x, scatter_add_op(src, index, axis=axis, shape=shape))


def check_dtype(name: str, x: Any, src: Any) -> None:
    """Refuse entries of another dtype.

    Raises:
        DTypeError: They have one.
    """
    if src.dtype != x.dtype:
        raise DTypeError(
            f"{name} got entries of {src.dtype} for a tensor of {x.dtype}.",
            "What is written has the dtype of what it is written into.",
            f"Did you mean src.to(ml.{x.dtype})?",
        )


def covering(src: Any, index: Any) -> Any:
    """The part of `src` that an index of the same rank covers: what lies beyond it is not read."""
    shape, wanted = tuple(src.shape), tuple(index.shape)
    if shape == wanted or len(shape) != len(wanted) or any(m < n for m, n in zip(shape, wanted, strict=True)):
        return src
    return getitem_op(src, index=tuple(slice(0, n) for n in wanted))


def slice_numbers(name: str, index: Any, length: int) -> Any:
    """The index, if it is a vector of whole numbers below `length`: the numbers of slices.

    Raises:
        BoundsError: It is no vector, or a number reaches outside.
        DTypeError: The numbers are not whole.
    """
    index = numbers_within(name, index, length)
    if len(index.shape) != 1:
        raise BoundsError(
            f"{name} got an index of shape {tuple(index.shape)}.",
            "The numbers of the slices stand in a vector.",
            "Did you mean x[:, index]? An index in brackets has any shape.",
        )
    return index


# ---- whole rows ---------------------------------------------------------------------------------------------------


@method
@along_an_axis("x")
def index_select(x: Any, dim: int, index: Any) -> Any:
    """The slices of `x` along `dim` whose numbers stand in the vector `index`.

    Raises:
        ShapeError: No such dim or slice.
        DTypeError: The index is not of whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.tensor([[1, 2], [3, 4]]).index_select(1, ml.tensor([1, 1])).tolist()
        [[2, 2], [4, 4]]
    """
    at = one_dim("index_select", dim, len(x.shape))
    index = slice_numbers("index_select", index, x.shape[at])
    return getitem_op(x, index, index=(*(slice(None),) * at, HOLE))


@writable
@along_an_axis("x")
def index_add(x: Any, dim: int, index: Any, source: Any, alpha: float = 1) -> Any:
    """`x` with the slices of `source` along `dim` added to those whose numbers stand in `index`; repeats add up.

    They are multiplied by `alpha` first.

    Raises:
        ShapeError: No such dim or slice, or `source` does not fit.
        DTypeError: The index is not of whole numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(3).index_add(0, ml.tensor([1, 1]), ml.tensor([2.0, 3.0]))
        tensor([0., 5., 0.])
    """
    at, shape = one_dim("index_add", dim, len(x.shape)), tuple(x.shape)
    index = slice_numbers("index_add", index, shape[at])
    place = (*shape[:at], *index.shape, *shape[at + 1 :])
    if tuple(source.shape) != place:
        raise ShapeError(
            f"index_add got a source of shape {tuple(source.shape)} for a tensor of shape {shape}.",
            f"The source has one slice for each number: shape {place}.",
            "Compare source.shape with x.index_select(dim, index).shape.",
        )
    scaled = source if alpha == 1 else mul(source, alpha)
    return add(x, additem(scaled, index, index=(*(slice(None),) * at, HOLE), shape=shape))


@taught
def embedding(input: Any, weight: Any, padding_idx: int | None = None) -> Any:
    """The rows of `weight` whose numbers stand in `input`. The gradient adds up the cotangents of each row.

    Shape:
        input int64 of any shape, weight (num_embeddings, embedding_dim); the result is (*input.shape, embedding_dim).
        The row `padding_idx` gets no gradient.

    Raises:
        DTypeError: The numbers are not whole.
        ShapeError: The weight is no matrix, or has no such row.

    Example:
        >>> import minitorch_lab as ml
        >>> embedding(ml.tensor([1, 0, 1]), ml.tensor([[1.0, 2.0], [3.0, 4.0]])).tolist()
        [[3.0, 4.0], [1.0, 2.0], [3.0, 4.0]]
    """
    if len(weight.shape) != 2:
        raise ShapeError(
            f"embedding got a weight of shape {tuple(weight.shape)}.",
            "The weight is a matrix with one row for each number.",
            "Did you mean embedding(numbers, weight)? The numbers come first.",
        )
    input = numbers_within("embedding", input, weight.shape[0])
    found = getitem_op(weight, input, index=(HOLE,))
    if padding_idx is None:
        return found
    learns = reshape_op(ne(input, padding_idx % weight.shape[0]), shape=(*input.shape, 1))
    return where(learns, found, detach(found))
