"""Matrix products, for all ranks: vectors are lifted to matrices, leading axes broadcast."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..array import Array, DType, Shape, bool_, is_float, xp
from ..errors import DTypeError, ShapeError
from .axes import together
from .batching import layers, products
from .broadcast import sum_op
from .families import fits
from .front import function
from .movement import reshape_op
from .op import Op, Sample, rule


def matmul_shape(a: Shape, b: Shape) -> Shape:
    """The shape of x @ y.

    Raises:
        ShapeError: The contracted axes differ, the leading axes do not broadcast, or an operand is a number.
    """
    if not a or not b:
        raise ShapeError(
            f"matmul got the shapes {a} and {b}.", "Both operands need at least one axis.", "Did you mean x * y?"
        )
    rows, columns = a[-1], b[-2:][0]
    if rows != columns:
        raise ShapeError(
            f"matmul cannot contract {a} with {b}.",
            f"The left operand's last axis ({rows}) must equal the right operand's "
            f"{'second-to-last' if len(b) > 1 else 'only one'} ({columns}).",
            suggestion(a, b),
        )
    if not fits(a[:-2], b[:-2]):
        raise ShapeError(
            f"matmul cannot pair the batches of {a} and {b}.",
            f"The leading axes {a[:-2]} and {b[:-2]} must be equal, or 1, or missing.",
            "unsqueeze() adds an axis of length 1.",
        )
    return (*together(a[:-2], b[:-2]), *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def suggestion(a: Shape, b: Shape) -> str:
    """The nearest product that exists, if one does."""
    if len(b) == 2 and len(a) >= 1 and a[-1] == b[1]:
        return f"Did you mean x @ w.T? That gives {(*a[:-1], b[0])}."
    if len(a) == 2 and len(b) >= 2 and a[0] == b[-2]:
        return f"Did you mean x.T @ w? That gives {(*b[:-2], a[1], b[-1])}."
    return "Compare the two lengths; .T swaps the axes of a matrix."


def same_dtype(x: Array, *others: Array) -> None:
    """PyTorch's rule: a product of matrices of different dtypes is a mistake, not a promotion.

    Raises:
        DTypeError: They differ, or hold truth values.
    """
    if x.dtype == bool_:
        raise DTypeError(
            "A matrix product got bool.", "Truth values have no products to add up.", "Did you mean x.float()?"
        )
    for y in others:
        if x.dtype != y.dtype:
            raise DTypeError(
                f"A matrix product got {x.dtype} and {y.dtype}.",
                "All operands need the same dtype: a silent cast of a matrix would cost a copy.",
                f"Did you mean {conversion(x.dtype, y.dtype)}?",
            )


def conversion(x: DType, y: DType) -> str:
    """The conversion that brings x and y together: whole numbers become floats, and the wider floats narrower ones."""
    if is_float(x) != is_float(y):
        return f"y.to(ml.{x})" if is_float(x) else f"x.to(ml.{y})"
    return f"x.to(ml.{y})" if x.itemsize > y.itemsize else f"y.to(ml.{x})"


def as_parameters(name: str) -> Callable[..., None]:
    """The dtype rule of a layer: the input comes in the dtype of the parameters, which are what was trained.

    Raises:
        DTypeError: It does not, or holds truth values.
    """

    def check(x: Array, *parameters: Array) -> None:
        for y in parameters:
            if x.dtype != y.dtype:
                raise DTypeError(
                    f"{name} got an input of dtype {x.dtype} and parameters of dtype {y.dtype}.",
                    "A layer computes in the dtype of its parameters.",
                    f"Did you mean x.to(ml.{y.dtype}) as the input?",
                )
        same_dtype(x)

    return check


def pull_x(g: Any, y: Any, x_shape: Shape) -> Any:
    """g @ yᵀ, with the axes that vectors lacked put in and taken out again."""
    if len(x_shape) > 1 and len(y.shape) > 1:
        return g @ y.mT
    columns = reshape_op(y, shape=(*y.shape, 1)) if len(y.shape) == 1 else y
    g = as_matrix(g, len(x_shape), len(y.shape))
    full = g @ columns.mT
    return full if len(x_shape) > 1 else as_vector(full, x_shape)


def pull_y(g: Any, x: Any, y_shape: Shape) -> Any:
    """xᵀ @ g, likewise."""
    if len(x.shape) > 1 and len(y_shape) > 1:
        return x.mT @ g
    rows_ = reshape_op(x, shape=(1, *x.shape)) if len(x.shape) == 1 else x
    g = as_matrix(g, len(x.shape), len(y_shape))
    full = rows_.mT @ g
    return full if len(y_shape) > 1 else as_vector(full, y_shape)


def as_matrix(g: Any, x_ndim: int, y_ndim: int) -> Any:
    """The cotangent as it would be if both operands had been matrices."""
    shape = tuple(g.shape)
    if y_ndim == 1:
        shape = (*shape, 1)
    if x_ndim == 1:
        shape = (*shape[:-1], 1, shape[-1])
    return reshape_op(g, shape=shape)


def as_vector(full: Any, shape: Shape) -> Any:
    """A vector's cotangent: summed over the batches that it was paired with, the lent axis taken out."""
    batch = tuple(range(len(full.shape) - 2))
    return reshape_op(sum_op(full, axis=batch, keepdims=False) if batch else full, shape=shape)


def operands(rng: Any) -> list[Sample]:
    """Samples: matrices, batches, vectors on either side, and empty ones."""
    shapes = [
        ((3, 4), (4, 5)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (6, 4, 5)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((4,), (4,)),
        ((4,), (2, 4, 5)),
        ((2, 3, 4), (4,)),
        ((0, 4), (4, 5)),
        ((3, 0), (0, 5)),
    ]
    return [((rng.normal(size=a), rng.normal(size=b)), {}) for a, b in shapes]


matmul = Op(
    name="matmul",
    impl=xp.matmul,
    shape=matmul_shape,
    vjp=(rule(pull_x), rule(pull_y)),
    samples=operands,
    casts=same_dtype,
    stretches=True,
    doc=(
        "The matrix product x @ y, of all ranks from 1 up; leading axes are batches.",
        "ml.matmul(ml.tensor([[1.0, 2.0]]), ml.tensor([3.0, 4.0]))",
        "tensor([11.])",
    ),
    batch=products,
)

# ---- linear: x @ wᵀ + b as one op, so that the cotangent of w is born in w's own memory order -----------------------


def linear_impl(x: Array, w: Array, b: Array | None = None) -> Array:
    """x @ wᵀ + b."""
    out = xp.matmul(x, w.T)
    return out if b is None else xp.add(out, b, out=out) if out.ndim else out + b


def linear_shape(x: Shape, w: Shape, b: Shape | None = None) -> Shape:
    """The shape of x @ wᵀ + b.

    Raises:
        ShapeError: The features that come in are not those that the weight expects, or the bias has another length.
    """
    if len(w) != 2 or not x or x[-1] != w[1]:
        raise ShapeError(
            f"linear got an input of shape {x} and a weight of shape {w}.",
            "The input's last axis must be in_features, and the weight must be (out_features, in_features).",
            f"Did you mean weight.T? It is {w[::-1]}."
            if len(w) == 2 and x and x[-1] == w[0]
            else f"Did you mean Linear({x[-1] if x else 1}, {w[0] if w else 1})?",
        )
    if b is not None and b != w[:1]:
        raise ShapeError(
            f"linear got a bias of shape {b} and a weight of shape {w}.", f"The bias must have shape {w[:1]}."
        )
    return (*x[:-1], w[0])


def rows(x: Any) -> Any:
    """`x` with its leading axes joined into one; a vector is one row."""
    shape = x.shape
    return x if len(shape) == 2 else reshape_op(x, shape=(prod(shape[:-1]), shape[-1]))


def affine(rng: Any) -> list[Sample]:
    """Samples: with and without bias, one row, batches, none."""
    w, b = rng.normal(size=(5, 4)), rng.normal(size=5)
    xs = [rng.normal(size=s) for s in ((3, 4), (4,), (2, 3, 4), (0, 4))]
    return [*(((x, w, b), {}) for x in xs), ((xs[0], w), {})]


linear_op = Op(
    name="linear",
    impl=linear_impl,
    shape=linear_shape,
    vjp=(
        rule(lambda g, y: g @ y),
        rule(lambda g, x: rows(g).mT @ rows(x)),
        rule(lambda g: sum_op(rows(g), axis=(0,), keepdims=False)),
    ),
    samples=affine,
    casts=as_parameters("linear"),
    batch=layers,
)


@function
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weightᵀ + bias, for an input (…, in), a weight (out, in) and a bias (out,).

    Raises:
        ShapeError: The shapes do not fit.
        DTypeError: The dtypes differ.
    """
    return linear_op(input, weight) if bias is None else linear_op(input, weight, bias)
