"""What follows from the transforms: Jacobians, row by row or column by column, and the Hessian."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..array import beside, xp
from ..ops.axes import numel
from ..ops.front import taught
from ..ops.movement import permute_op, reshape_op
from ..tensor import Tensor
from .batch import vmap
from .boxing import as_tensor
from .forward import jvp
from .reverse import chosen, vjp, with_chosen


def basis(x: Any) -> Any:
    """The unit tensors of the shape of `x`, one per entry, along axis 0."""
    n = numel(tuple(x.shape))
    return Tensor(beside(xp.eye(n, dtype=x.dtype), x).reshape(n, *x.shape))


@taught
def jacrev(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """The Jacobian of `func` by reverse mode: one walk per output. Cheap where the outputs are few.

    The result has the shape of the output followed by that of the argument.
    """

    def jacobian(*args: Any) -> Any:
        y, pull = vjp(with_chosen(func, args, {}, argnums), *chosen(args, argnums))
        rows = vmap(lambda g: pull(g)[0])(basis(y))
        return reshape_op(rows, shape=(*y.shape, *rows.shape[1:]))

    return jacobian


@taught
def jacfwd(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """The Jacobian of `func` by forward mode: one pass per input entry. Cheap where the inputs are few.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.jacfwd(lambda x: ml.stack([x[0] * x[1], x[1]]))(ml.tensor([2.0, 3.0]))
        tensor([[3., 2.],
                [0., 1.]])
    """

    def jacobian(*args: Any) -> Any:
        inner = with_chosen(func, args, {}, argnums)
        (x,) = (as_tensor(a) for a in chosen(args, argnums))
        columns = vmap(lambda t: jvp(inner, (x,), (t,))[1])(basis(x))
        n = len(columns.shape)
        moved = permute_op(columns, axes=(*range(1, n), 0))
        return reshape_op(moved, shape=(*columns.shape[1:], *x.shape))

    return jacobian


@taught
def hessian(func: Callable[..., Any], argnums: int = 0) -> Callable[..., Any]:
    """The second derivatives of a number: forward mode over reverse mode.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.hessian(lambda x: (x**3).sum())(ml.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)
