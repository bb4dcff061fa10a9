"""What follows from the transforms: Jacobians, row by row or column by column, and the Hessian."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import beside, xp
from ..ops.axes import numel
from ..ops.front import taught
from ..ops.misfit import check_callable
from ..ops.movement import reshape_op
from ..tensors.tensor import Tensor
from .batch import vmap
from .boxing import as_tensor, zeros
from .forward import jvp
from .reverse import chosen, vjp, with_chosen
from .trees import flatten, mapped


def basis(x: Any) -> Any:
    """The unit tensors of the shape of `x`, one per entry, along axis 0."""
    n = numel(tuple(x.shape))
    return Tensor(beside(xp.eye(n, dtype=x.dtype), x).reshape(n, *x.shape))


@taught
def jacrev(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The Jacobian of `func` by reverse mode: one walk per output. Cheap where the outputs are few.

    Nested as the result of `func`; in the place of each of its tensors, the argument's structure (a tuple of them, if
    `argnums` is a tuple), with tensors of the shape of that output followed by that of the input.

    Args:
        func: The function; its arguments and result may be nested.
        argnums: The argument to differentiate by, or several.
        has_aux: Whether `func` returns (result, other); the Jacobian then comes as (Jacobian, other).

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.jacrev(lambda p: {"y": p["w"] * 2})({"w": ml.tensor([1.0, 3.0])})
        {'y': {'w': tensor([[2., 0.],
                [0., 2.]])}}
    """
    check_callable("jacrev", func)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        inner = with_chosen(func, args, kwargs, argnums)
        y, pull, *aux = vjp(inner, *chosen(args, argnums), has_aux=has_aux)
        outs, build = flatten(y)

        def rows(i: int) -> Any:
            others = [zeros(out) for out in outs]
            found = vmap(lambda g: pull(build([*others[:i], g, *others[i + 1 :]])))(basis(outs[i]))
            shaped = mapped(lambda d: reshape_op(d, shape=(*outs[i].shape, *d.shape[1:])), found)
            return shaped[0] if isinstance(argnums, int) else shaped

        found = build([rows(i) for i in range(len(outs))])
        return (found, *aux) if has_aux else found

    return jacobian


@taught
def jacfwd(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The Jacobian of `func` by forward mode: one pass per input entry. Cheap where the inputs are few.

    Args:
        func: As in `jacrev`, and so is the result.
        argnums: As in `jacrev`.
        has_aux: As in `jacrev`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.jacfwd(lambda x: ml.stack([x[0] * x[1], x[1]]))(ml.tensor([2.0, 3.0]))
        tensor([[3., 2.],
                [0., 1.]])
    """
    check_callable("jacfwd", func)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        inner = with_chosen(func, args, kwargs, argnums)
        flat, build = flatten(list(chosen(args, argnums)))
        points = [as_tensor(x) for x in flat]
        still = [zeros(x) for x in points]

        def columns(i: int) -> Any:
            moved = lambda t: jvp(inner, build(points), build([*still[:i], t, *still[i + 1 :]]), has_aux)[1:]  # noqa: E731
            axes = (-1, None) if has_aux else (-1,)
            return vmap(moved, out_axes=axes)(basis(points[i]))

        passes = [columns(i) for i in range(len(points))]
        rebuild, by_input = flatten(passes[0][0])[1], [flatten(one[0])[0] for one in passes]

        def entry(k: int) -> Any:
            shaped = [
                reshape_op(d[k], shape=(*d[k].shape[:-1], *x.shape)) for d, x in zip(by_input, points, strict=True)
            ]
            found = build(shaped)
            return found[0] if isinstance(argnums, int) else tuple(found)

        found = rebuild([entry(k) for k in range(len(by_input[0]))])
        return (found, passes[0][1]) if has_aux else found

    return jacobian


@taught
def hessian(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The second derivatives of a function: forward mode over reverse mode.

    Args:
        func: As in `jacrev`.
        argnums: As in `jacrev`. The result is nested twice: by the first derivative, then by the second.
        has_aux: As in `jacrev`.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.hessian(lambda x: (x**3).sum())(ml.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    check_callable("hessian", func)
    return jacfwd(jacrev(func, argnums, has_aux), argnums, has_aux)
