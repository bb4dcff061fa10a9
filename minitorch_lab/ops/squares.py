"""What the functions of square matrices share: shape rules, the dtype rule, and the answer to a singular one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import Array, DType, Shape, is_float, is_narrow, xp
from ..errors import DTypeError, LinAlgError, ShapeError
from .axes import together
from .families import fits
from .hosted import on_cpu
from .linalg import same_dtype
from .op import Sample


def square(name: str) -> Callable[..., Shape]:
    """The shape rule of a function of square matrices that gives one."""

    def shape(shape: Shape, **_: Any) -> Shape:
        if len(shape) < 2 or shape[-1] != shape[-2]:
            raise ShapeError(
                f"{name} got a tensor of shape {shape}.",
                "It takes a square matrix, or a batch of them on the last two axes.",
                "Compare the last two lengths: x.mT @ x is square." if len(shape) > 1 else "Did you mean x.diag()?",
            )
        return shape

    return shape


def one_number(name: str) -> Callable[..., Shape]:
    """The shape rule of a function of square matrices that gives a number for each."""
    check = square(name)
    return lambda shape: check(shape)[:-2]


def system(name: str) -> Callable[..., Shape]:
    """The shape rule of A⁻¹ B."""
    check = square(name)

    def shape(a: Shape, b: Shape, **_: Any) -> Shape:
        check(a)
        if len(b) < 2 or b[-2] != a[-1] or not fits(a[:-2], b[:-2]):
            raise ShapeError(
                f"{name} got the shapes {a} and {b}.",
                f"Each row of A has one of B: B is (..., {a[-1]}, columns), and the leading axes broadcast.",
                "Did you mean B.mT?" if len(b) > 1 and b[-1] == a[-1] else "Compare the lengths.",
            )
        return (*together(a[:-2], b[:-2]), *b[-2:])

    return shape


def one_width(name: str) -> Callable[..., DType | None]:
    """The dtype rule: floats of four or eight bytes, all of one dtype."""

    def casts(x: Array, *others: Array) -> None:
        if not is_float(x.dtype):
            raise DTypeError(
                f"{name} got a matrix of dtype {x.dtype}.",
                "Linear systems are solved in float32 and float64: whole numbers rarely stay whole.",
                "Did you mean x.float()?",
            )
        if is_narrow(x.dtype):
            raise DTypeError(
                f"{name} got a matrix of dtype {x.dtype}.",
                "Elimination subtracts numbers that nearly cancel, and two bytes have too few digits for that.",
                f"Did you mean {name}(x.float())? The result can go back with .to(ml.{x.dtype}).",
            )
        same_dtype(x, *others)

    return casts


SINGULAR = ("is singular", "Its rows depend on each other, so it has no inverse.")
INDEFINITE = ("is not positive definite", "A Cholesky factor needs xᵀ A x > 0 for every x but 0.")


def factoring(
    name: str, fn: Callable[..., Array], rule: Callable[..., Shape], fault: tuple[str, str], hint: str
) -> Callable[..., Array]:
    """`fn`, which factors matrices, with an answer for those that cannot be; `rule` is its shape rule.

    Raises:
        ShapeError: One of them is not square.
        LinAlgError: One of them cannot be, by the `fault` that it has.
    """
    problem, why = fault

    @on_cpu
    def impl(*matrices: Array, **params: Any) -> Array:
        try:
            return fn(*matrices, **params)
        except xp.linalg.LinAlgError:
            rule(*(m.shape for m in matrices))
            shape = tuple(matrices[0].shape)
            raise LinAlgError(f"{name} got a tensor of shape {shape} that {problem}.", why, hint) from None

    return impl


def check_finite(name: str, x: Array) -> None:
    """Refuse matrices that have no singular values or eigenvalues: LAPACK may look for them for ever.

    Raises:
        LinAlgError: An entry is infinite or NaN.
    """
    if not xp.isfinite(x).all():
        raise LinAlgError(
            f"{name} got a tensor of shape {tuple(x.shape)} with entries that are infinite or NaN.",
            "The search for singular values and eigenvalues ends for finite entries only.",
            "Find where it went wrong: x.isfinite().all() on the values that led to it.",
        )


def regular(rng: Any) -> list[Sample]:
    """Samples: matrices that can be inverted, a batch of them, none."""
    return [((rng.normal(size=s) * 0.3 + xp.eye(s[-1]) * 2.0,), {}) for s in ((3, 3), (2, 3, 3), (0, 3, 3))]


def definite(rng: Any) -> list[Sample]:
    """Samples: the same, symmetric and positive definite."""
    return [((a @ a.mT,), params) for (a,), params in regular(rng)]


def systems(rng: Any) -> list[Sample]:
    """Samples: matrices with right-hand sides, and batches on either side."""
    (one,), (two,), (none,) = (args for args, _ in regular(rng))
    pairs = ((one, (3, 2)), (two, (3, 1)), (one, (2, 3, 2)), (none, (3, 2)), (one, (3, 0)))
    return [((a, rng.normal(size=b)), {}) for a, b in pairs]
