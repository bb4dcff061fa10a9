"""`autograd.functional`: Jacobians, Hessians and their products with vectors, by walks over the tape.

`func.jacrev`, `func.hessian` and their kin are the same as transforms; these take tensors and give tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import beside, xp
from ..errors import ArgumentError, GradientError, ShapeError
from ..ops import FUNCTIONS
from ..ops.front import taught
from ..tensors.tensor import Tensor
from .gradients import grad
from .modes import enable_grad

Tensors = Tensor | tuple[Tensor, ...]


def several(x: Any) -> tuple[Any, ...]:
    """One or several, as a tuple."""
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def like(given: Any, found: tuple[Any, ...]) -> Any:
    """A tuple if one was given, else its only part."""
    return found if isinstance(given, (tuple, list)) else found[0]


def leaves(inputs: Any, create_graph: bool) -> tuple[Tensor, ...]:
    """The inputs, as tensors that gradients reach: new leaves, or views that keep their history."""
    return tuple(
        x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_() for x in several(inputs)
    )


def zeros_like(x: Tensor) -> Tensor:
    """Zeros in the shape and the dtype of `x`."""
    return Tensor(beside(xp.zeros(tuple(x.shape), x.dtype), x))


def slopes(outs: tuple[Any, ...], xs: tuple[Any, ...], gs: Any, create_graph: bool, strict: bool) -> tuple[Any, ...]:
    """The gradients of the outputs, weighted by `gs`; zeros for an input that they do not depend on.

    Raises:
        GradientError: There is one, under `strict`.
    """
    pairs = [(out, g) for out, g in zip(outs, gs, strict=True) if out.requires_grad]
    found: Any = (None,) * len(xs)
    if pairs:
        tops, weights = zip(*pairs, strict=True)
        found = grad(tops, xs, weights, retain_graph=True, create_graph=create_graph, allow_unused=True)
    if strict and any(g is None for g in found):
        raise GradientError(
            f"The outputs do not depend on input {found.index(None)}.", "Under strict=True they must.", "Leave it away."
        )
    return tuple(zeros_like(x) if g is None else g for g, x in zip(found, xs, strict=True))


def entry(out: Tensor, k: int) -> Tensor:
    """The cotangent that asks for entry `k` of the flattened output."""
    seed = xp.zeros(out.numel(), out.dtype)
    seed[k] = 1
    return Tensor(beside(seed.reshape(tuple(out.shape)), out))


def finish(found: tuple[Any, ...], create_graph: bool) -> tuple[Any, ...]:
    """The results, without history unless it was asked for."""
    return found if create_graph else tuple(x.detach() for x in found)


@taught
def jacobian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivatives of all entries of the outputs of `func` by all entries of its inputs, one walk for each output.

    Args:
        func: A function of tensors; its result is a tensor or a tuple of them.
        inputs: A tensor or a tuple of them.
        create_graph: Whether the derivatives can be differentiated.
        strict: Whether an input that the outputs do not depend on is an error; else its derivatives are 0.
        vectorize: Taken, and changes nothing.
        strategy: Taken, and changes nothing.

    Returns:
        A tensor of shape (*output.shape, *input.shape); a tuple of them for a tuple of inputs, and a tuple of those for
        a tuple of outputs.

    Raises:
        GradientError: Under `strict`, the outputs do not depend on an input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.autograd.functional.jacobian(lambda x: x * x, ml.tensor([1.0, 2.0])).tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """
    with enable_grad():
        xs = leaves(inputs, create_graph)
        result = func(*xs)
        outs = several(result)
        rows: list[Any] = []
        for out in outs:
            parts = [slopes((out,), xs, (entry(out, k),), create_graph, strict) for k in range(out.numel())]
            columns = zip(*parts, strict=True) if parts else ([] for _ in xs)
            found = tuple(assembled(list(c), out, x) for c, x in zip(columns, xs, strict=True))
            rows.append(like(inputs, finish(found, create_graph)))
    return like(result, tuple(rows))


def assembled(column: list[Tensor], out: Tensor, x: Tensor) -> Tensor:
    """The gradients of single entries as one tensor."""
    shape = (*out.shape, *x.shape)
    return FUNCTIONS["stack"](column).reshape(*shape) if column else zeros_like(x).reshape(-1)[:0].reshape(*shape)


@taught
def hessian(
    func: Callable[..., Any],
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function whose result is a single number, by all pairs of entries of its inputs.

    Returns:
        A tensor of shape (*input.shape, *input.shape); a tuple of tuples of them for a tuple of inputs.

    Raises:
        ShapeError: The result is no single number.
        GradientError: Under `strict`, it does not depend on an input.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.autograd.functional.hessian(lambda x: (x**3).sum(), ml.tensor([1.0, 2.0])).tolist()
        [[6.0, 0.0], [0.0, 12.0]]
    """

    def gradient(*xs: Tensor) -> Any:
        return like(inputs, slopes((one_number("hessian", func(*xs)),), xs, (None,), True, strict))

    return jacobian(gradient, inputs, create_graph, strict)


def one_number(name: str, out: Any) -> Tensor:
    """The result of a function, if it is a single number.

    Raises:
        ShapeError: It is not.
    """
    if not isinstance(out, Tensor) or out.numel() != 1:
        raise ShapeError(
            f"{name} of a function whose result is {tuple(getattr(out, 'shape', ()))}.",
            "Second derivatives are those of one number.",
            "Did you mean f(x).sum()?",
        )
    return out


def cotangents(name: str, outs: tuple[Tensor, ...], v: Any) -> tuple[Any, ...]:
    """The vector of a product, one part for each of `outs`.

    Raises:
        ArgumentError: There is none, and one is needed.
        ShapeError: It does not fit.
    """
    if v is None:
        if len(outs) == 1 and outs[0].numel() == 1:
            return (FUNCTIONS["clone"](outs[0].detach() * 0 + 1),)
        raise ArgumentError(f"{name} got no v.", "Only a single number needs no vector.", "Give one like the outputs.")
    parts = several(v)
    if [tuple(p.shape) for p in parts] != [tuple(out.shape) for out in outs]:
        raise ShapeError(
            f"{name} got v of the shapes {[tuple(p.shape) for p in parts]}.",
            f"Its parts have the shapes {[tuple(out.shape) for out in outs]}.",
            "Compare them one by one.",
        )
    return parts


@taught
def vjp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The result of `func`, and the product of the vector `v` with its Jacobian: one walk.

    Raises:
        ArgumentError: The result is no single number, and there is no `v`.
        ShapeError: `v` has another shape than the result.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.autograd.functional.vjp(lambda x: x * x, ml.tensor([1.0, 2.0]), ml.tensor([1.0, 1.0]))
        (tensor([1., 4.]), tensor([2., 4.]))
    """
    with enable_grad():
        xs = leaves(inputs, create_graph)
        result = func(*xs)
        outs = several(result)
        found = slopes(outs, xs, cotangents("vjp", outs, v), create_graph, strict)
    return like(result, finish(outs, create_graph)), like(inputs, finish(found, create_graph))


@taught
def jvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The result of `func`, and the product of its Jacobian with the vector `v`: the derivative of a vjp by its vector.

    Raises:
        ArgumentError: The input is no single number, and there is no `v`.
        ShapeError: `v` has another shape than the inputs.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.autograd.functional.jvp(lambda x: x * x, ml.tensor([1.0, 2.0]), ml.tensor([1.0, -1.0]))
        (tensor([1., 4.]), tensor([ 2., -4.]))
    """
    with enable_grad():
        xs = leaves(inputs, create_graph)
        result = func(*xs)
        outs = several(result)
        weights = tuple(zeros_like(out).requires_grad_() for out in outs)
        pulled = slopes(outs, xs, weights, True, strict)
        found = slopes(pulled, weights, cotangents("jvp", xs, v), create_graph, False)
    return like(result, finish(outs, create_graph)), like(result, finish(found, create_graph))


@taught
def vhp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The result of `func`, a single number, and the product of the vector `v` with its Hessian.

    Raises:
        ArgumentError: The input is no single number, and there is no `v`.
        ShapeError: The result is no single number, or `v` has another shape than the inputs.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.autograd.functional.vhp(lambda x: (x**3).sum(), ml.tensor([1.0, 2.0]), ml.tensor([1.0, 1.0]))
        (tensor(9.), tensor([ 6., 12.]))
    """
    with enable_grad():
        xs = leaves(inputs, create_graph)
        out = one_number("vhp", func(*xs))
        first = slopes((out,), xs, (None,), True, strict)
        found = slopes(first, xs, cotangents("vhp", xs, v), create_graph, strict)
    return finish((out,), create_graph)[0], like(inputs, finish(found, create_graph))


@taught
def hvp(
    func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The result of `func`, a single number, and the product of its Hessian, which is symmetric, with the vector `v`.

    Raises:
        ArgumentError: The input is no single number, and there is no `v`.
        ShapeError: The result is no single number, or `v` has another shape than the inputs.
    """
    return vhp(func, inputs, v, create_graph, strict)


__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
