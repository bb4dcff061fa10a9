"""Matrix products, for all ranks: vectors are lifted to matrices, leading axes broadcast."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from ..core.array import Array, DType, Shape, bool_, is_float, xp
from ..errors import DTypeError, ShapeError
from .axes import together
from .batching import layers, products
from .broadcast import sum_op
from .families import fits
from .front import function
from .movement import permute_op, reshape_op
from .op import Op, Sample, rule
from .prose import Prose
from .refit import flattened


def matmul_shape(a: Shape, b: Shape, *, name: str = "matmul") -> Shape:
    """The shape of x @ y, which the user has called `name`.

    Raises:
        ShapeError: The contracted axes differ, the leading axes do not broadcast, or an operand is a number.
    """
    if not a or not b:
        raise ShapeError(
            f"{name} got the shapes {a} and {b}.", "Both operands need at least one axis.", "Did you mean x * y?"
        )
    rows, columns = a[-1], b[-2:][0]
    if rows != columns:
        raise ShapeError(
            f"{name} cannot contract {a} with {b}.",
            f"The left operand's last axis ({rows}) must equal the right operand's "
            f"{'second-to-last' if len(b) > 1 else 'only one'} ({columns}).",
            suggestion(a, b) if name == "matmul" else other_factor(a, b),
        )
    if not fits(a[:-2], b[:-2]):
        raise ShapeError(
            f"{name} cannot pair the batches of {a} and {b}.",
            f"The leading axes {a[:-2]} and {b[:-2]} must be equal, or 1, or missing.",
            "unsqueeze() adds an axis of length 1.",
        )
    return (*together(a[:-2], b[:-2]), *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def suggestion(a: Shape, b: Shape) -> str:
    """The nearest product that exists, if one does."""
    batches = fits(a[:-2], b[:-2])
    if batches and len(b) > 1 and a[-1] == b[-1]:
        turned = "w.T" if len(b) == 2 else "w.mT"
        return f"Did you mean x @ {turned}? That gives {(*together(a[:-2], b[:-2]), *a[-2:-1], b[-2])}."
    if batches and len(a) > 1 and b and a[-2] == b[-2:][0]:
        turned = "x.T" if len(a) == 2 else "x.mT"
        return f"Did you mean {turned} @ w? That gives {(*together(a[:-2], b[:-2]), a[-1], *b[-2:][1:])}."
    return "Compare the two lengths; .mT swaps the last two axes."


def other_factor(a: Shape, b: Shape) -> str:
    """How two operands of a product that takes no other ranks could be made to fit."""
    if len(b) < 2:
        return "Compare the two lengths." if len(a) < 2 else f"The vector needs {a[-1]} entries."
    if fits(a[:-2], b[:-2]):
        if a[-1] == b[-1]:
            return "Did you mean y.mT as the second one?"
        if a[-2] == b[-2]:
            return "Did you mean x.mT as the first one?"
    return "Compare the two lengths; .mT swaps the axes."


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
        if x.dtype != getattr(y, "dtype", x.dtype):  # of a number the shape rule speaks
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


def here(x: Any, dtype: DType) -> str:
    """How an input, a tensor or an array, comes by a dtype."""
    return f"x.to(ml.{dtype})" if hasattr(x, "requires_grad") else f"ml.tensor(x, dtype=ml.{dtype})"


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
                    f"Did you mean {here(x, y.dtype)} as the input?",
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
    autocast="low",
    stretches=True,
    doc=(
        "The matrix product x @ y, of all ranks from 1 up; leading axes are batches.",
        "ml.matmul(ml.tensor([[1.0, 2.0]]), ml.tensor([3.0, 4.0]))",
        "tensor([11.])",
    ),
    batch=products,
    work=lambda a, b, out: 2 * a[-1] * prod(out),
    prose=Prose(
        "{0} @ {1}",
        {
            "x y": "each, transposed, is the other's derivative",
            "x": "its transpose makes the gradient of the other input",
            "y": "its transpose makes the gradient of the other input",
        },
        wholes=("what came from above @ {y}ᵀ", "{x}ᵀ @ what came from above"),
    ),
)

# ---- linear: x @ wᵀ + b as one op, so that the cotangent of w is born in w's own memory order -----------------------


def linear_impl(x: Array, w: Array, b: Array | None = None) -> Array:
    """x @ wᵀ + b."""
    out = xp.matmul(x, w.T)
    return out if b is None else xp.add(out, b, out=out) if out.ndim else out + b


def linear_hint(x: Shape, w: Shape) -> str:
    """How an input and a weight that do not fit could be made to."""
    if len(w) != 2:
        return "Write the weight as a matrix, (out_features, in_features)."
    if joined := flattened(x, w[1]):
        return f"Did you mean {joined[0]}? It is {joined[1]}."
    if not x:
        return f"Give it an axis with {w[1]} entries."
    if len(x) == 4:  # images: a layer of the user's other size would work on their columns
        flat = prod(x[1:])
        return f"Did you mean x.flatten(1), which is {(x[0], flat)}, and then Linear({flat}, {w[0]})?"
    if len(x) == 2 and x[0] == w[1]:
        return f"Did you mean x.T? It is {x[::-1]}. Or Linear({x[-1]}, {w[0]})."
    turned = f" Or weight.T, which is {w[::-1]}." if x[-1] == w[0] else ""
    return f"Did you mean Linear({x[-1]}, {w[0]})?{turned}"


def linear_shape(x: Shape, w: Shape, b: Shape | None = None) -> Shape:
    """The shape of x @ wᵀ + b.

    Raises:
        ShapeError: The features that come in are not those that the weight expects, or the bias has another length.
    """
    if len(w) != 2 or not x or x[-1] != w[1]:
        raise ShapeError(
            f"linear got an input of shape {x} and a weight of shape {w}.",
            "The input's last axis must be in_features, and the weight must be (out_features, in_features).",
            linear_hint(x, w),
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


def linear_program(x: Any, w: Any, b: Any = None) -> Any:
    """The same in ops."""
    out = matmul(x, permute_op(w, axes=(1, 0)))
    return out if b is None else out + b


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
    autocast="low",
    batch=layers,
    program=linear_program,
    work=lambda x, w, *bias_and_out: 2 * w[-1] * prod(bias_and_out[-1]),
    prose=Prose(
        "{0} @ {1}ᵀ + {2}",
        {
            "x y": "each makes the gradient of the other",
            "x": "the gradient of the weight is made with it",
            "y": "the gradient of the input is made with it",
        },
        wholes=(
            "what came from above @ {y}",
            "what came from above, transposed, @ {x}",
            "what came from above, summed over the rows",
        ),
        nouns={"y": "its weight"},
    ),
)


@function
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weightᵀ + bias, for an input (…, in), a weight (out, in) and a bias (out,).

    Raises:
        ShapeError: The shapes do not fit.
        DTypeError: The dtypes differ.
    """
    return linear_op(input, weight) if bias is None else linear_op(input, weight, bias)
