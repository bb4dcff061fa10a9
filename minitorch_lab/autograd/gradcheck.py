"""gradcheck: gradients by the rules against central differences, with an explanation where they differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.array import Array, as_array, is_float, to_device, xp
from ..errors import ArgumentError, GradientError
from ..ops.front import taught
from ..tensors.tensor import Tensor, grounded
from .diagnosis import Case, Tolerance, explained
from .gradients import as_tuple, grad

Func = Callable[..., Any]


@taught
def gradcheck(
    func: Func,
    inputs: Any,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether backward() gives what differences of `func` give: |rule - difference| ≤ atol + rtol·|difference|.

    Args:
        func: A function of tensors, whose result is a tensor or several.
        inputs: Its arguments. Those that require a gradient are checked; float64, or rounding drowns the differences.
        eps: How far each entry is moved, up and down.
        atol: The absolute part of what is allowed.
        rtol: The relative part.
        raise_exception: Explain a difference in an error; otherwise the answer is False.

    Raises:
        ArgumentError: No input requires a gradient, or `func` returned something else than tensors of floats.
        GradientError: A gradient is wrong: which, where, by how much, and the likely cause.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([0.5, 2.0], dtype=ml.float64, requires_grad=True)
        >>> ml.autograd.gradcheck(lambda x: x.log() * x, (x,))
        True
    """
    args = as_tuple(inputs)
    checked = [i for i, a in enumerate(args) if isinstance(a, Tensor) and a.requires_grad]
    if not checked:
        raise ArgumentError(
            "gradcheck got no input that requires a gradient.",
            "Only those are checked.",
            "Did you mean ml.tensor(..., dtype=ml.float64, requires_grad=True)?",
        )
    try:
        for case in cases(func, args, checked, eps):
            if (error := explained(case, Tolerance(eps, atol, rtol))) is not None:
                raise error
    except GradientError:
        if raise_exception:
            raise
        return False
    return True


@taught
def gradgradcheck(
    func: Func,
    inputs: Any,
    grad_outputs: Any = None,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """The same for the gradients of `func`, as functions of its inputs and of the cotangents.

    Args:
        func: As in `gradcheck`.
        inputs: As in `gradcheck`.
        grad_outputs: The cotangents to check at; random ones if left out.
        eps: As in `gradcheck`.
        atol: As in `gradcheck`.
        rtol: As in `gradcheck`.
        raise_exception: As in `gradcheck`.

    Raises:
        ArgumentError: As in `gradcheck`.
        GradientError: A second derivative is wrong.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([0.5, 2.0], dtype=ml.float64, requires_grad=True)
        >>> ml.autograd.gradgradcheck(lambda x: x.log() * x, (x,))
        True
    """
    args = as_tuple(inputs)
    if grad_outputs is None:
        rng = xp.random.default_rng(0)
        outs = results(func, args)
        grad_outputs = [Tensor(to_device(as_array(rng.normal(size=y.shape), y.dtype), y.device)) for y in outs]
    seeds = [leaf(g) for g in as_tuple(grad_outputs)]

    def gradients(*both: Any) -> tuple[Tensor, ...]:
        xs, gs = both[: len(args)], both[len(args) :]
        wanted = [x for x in xs if isinstance(x, Tensor) and x.requires_grad]
        pairs = [(y, g) for y, g in zip(results(func, xs), gs, strict=True) if y.requires_grad]
        if not pairs:
            return tuple(zeros(x) for x in wanted)
        found = grad([y for y, _ in pairs], wanted, [g for _, g in pairs], create_graph=True, allow_unused=True)
        return tuple(zeros(x) if d is None else d for x, d in zip(wanted, found, strict=True))

    return gradcheck(gradients, (*args, *seeds), eps, atol, rtol, raise_exception)


def cases(func: Func, args: Sequence[Any], checked: list[int], eps: float) -> Any:
    """For every input and output: both Jacobians, the input's entries down, the output's across.

    Raises:
        GradientError: The function gives another value each time.
    """
    leaves = fresh(args, checked)
    outs = results(func, leaves)
    base = [flat(y) for y in outs]
    again = [flat(y) for y in results(func, fresh(args, checked))]
    if not all(xp.array_equal(a, b, equal_nan=True) for a, b in zip(base, again, strict=True)):
        raise GradientError(
            "gradcheck: the function gave two values for the same inputs.",
            "Differences between its values say nothing then.",
            "Is there dropout or another random number in it? Call ml.manual_seed(0) at its start.",
        )
    analytic = [pulled(y, [leaves[i] for i in checked]) for y in outs]
    for place, i in enumerate(checked):
        steps = [perturb(func, args, i, k, eps) for k in range(leaves[i].numel())]
        for o, value in enumerate(base):
            ups = xp.stack([up[o] for up, _ in steps]) if steps else xp.zeros((0, value.size))
            downs = xp.stack([down[o] for _, down in steps]) if steps else xp.zeros((0, value.size))
            again = lambda o=o, place=place: pulled(outs[o], [leaves[i] for i in checked])[place]  # noqa: E731
            yield Case(i, o, leaves[i], outs[o].shape, analytic[o][place], ups, downs, value, again)


def pulled(y: Tensor, leaves: list[Any]) -> list[Array]:
    """The Jacobian of `y` by each leaf, from one walk per entry of `y`."""
    columns: list[list[Array]] = [[] for _ in leaves]
    for k in range(y.numel()):
        seed = xp.zeros(y.numel(), y.dtype)
        seed[k] = 1
        g = Tensor(to_device(seed.reshape(y.shape), y.device))
        found = grad(y, leaves, g, retain_graph=True, allow_unused=True) if y.requires_grad else [None] * len(leaves)
        for column, x, d in zip(columns, leaves, found, strict=True):
            column.append(xp.zeros(x.numel()) if d is None else flat(d))
    return [
        xp.stack(column, axis=1) if column else xp.zeros((x.numel(), 0))
        for column, x in zip(columns, leaves, strict=True)
    ]


def perturb(func: Func, args: Sequence[Any], i: int, k: int, eps: float) -> tuple[list[Array], list[Array]]:
    """The values with entry `k` of input `i` a little larger, and a little smaller."""
    sides: list[list[Array]] = []
    for step in (eps, -eps):
        values = grounded(args[i].detach()).value.copy()
        values.reshape(-1)[k] += step
        sides.append([flat(y) for y in results(func, [*args[:i], leaf(Tensor(values)), *args[i + 1 :]])])
    return sides[0], sides[1]


def results(func: Func, args: Sequence[Any]) -> list[Tensor]:
    """The tensors that `func` returns.

    Raises:
        ArgumentError: It returned something else.
    """
    result = func(*args)
    outs = list(result) if isinstance(result, (tuple, list)) else [result]
    for y in outs:
        if not isinstance(y, Tensor) or not is_float(y.dtype):
            raise ArgumentError(
                f"gradcheck: the function returned {f'a {y.dtype} tensor' if isinstance(y, Tensor) else repr(y)}.",
                "Only tensors of floats have gradients.",
                "Return a tensor, or a tuple of tensors.",
            )
    return outs


def fresh(args: Sequence[Any], checked: Sequence[int]) -> list[Any]:
    """The arguments, with copies of those that are checked: a function may write to what it gets."""
    return [leaf(a) if i in checked else a for i, a in enumerate(args)]


def leaf(x: Tensor) -> Tensor:
    """A copy that asks for a gradient."""
    return Tensor(grounded(x.detach()).value.copy()).requires_grad_()


def flat(x: Tensor) -> Array:
    """The entries in a row, as float64."""
    return xp.array(to_device(grounded(x.detach()).value, "cpu"), dtype="float64").reshape(-1)


def zeros(x: Tensor) -> Tensor:
    """The gradient of what does not matter."""
    return Tensor(to_device(xp.zeros(x.shape, x.dtype), x.device))
