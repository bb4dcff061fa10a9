"""Reverse mode as a transform: one more tape above whatever is running. After JAX's `vjp` and `grad`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.context import FunctionContext
from ..autograd.custom import Call, Flat, ends, history, node_of
from ..autograd.hooks import kind_of
from ..autograd.node import Leaf, Node
from ..autograd.pullback import OnArrays
from ..autograd.tape import finish, record
from ..autograd.walk import walk
from ..core.array import is_float, is_number
from ..core.interpret import grad_enabled, grad_mode, interpreting, stack, uncast
from ..errors import ArgumentError, GradientError, ShapeError
from ..ops.factory import full
from ..ops.front import taught
from ..ops.meant import shown
from ..ops.misfit import check_callable
from ..ops.narrow import suited
from ..ops.op import Op
from ..tensors.tensor import Tensor
from .boxing import Box, Boxing, as_tensor, zeros
from .trees import flatten


class Traced(Box):
    """A tensor of `vjp` or `grad`: a value of the level below and a node of this level's tape."""

    __slots__ = ()


class Tape(Boxing):
    """Records what is needed to pull cotangents back. Its values are whatever the level below computes with."""

    name = "vjp"

    def box(self, value: Any, node: Node | None = None) -> Traced:
        """A tensor of this level; without a node it is a constant."""
        out = Traced(value, node)
        out.level, out.link = self.level, None
        return out

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Traced:
        """Compute below, and record here."""
        assert self.below is not None
        value = self.below.run(op, tuple(self.opened(args)), params)
        node = record(suited(op, args), args, params, self.level) if grad_mode.get() else None
        out = self.box(value, node)
        if node is not None:
            finish(node, out)
        return out

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run the call's forward below, and leave one node here."""
        assert self.below is not None
        call.enter(self.name)
        below, values = self.below, self.opened(tuple(args))
        ctx = FunctionContext([history(a, self.level) is not None for a in args])
        node = node_of(call, ctx, args, self.level)
        with interpreting(below):
            if node is None:
                return [self.box(x) if isinstance(x, Tensor) else x for x in below.custom(call, values)]
            outs = call.forward(ctx, values, lambda given: below.custom(call, given))
        pairs = zip(outs, ends(node, outs, ctx), strict=True)
        return [self.box(x, end) if isinstance(x, Tensor) else x for x, end in pairs]

    def become(self, x: Traced, new: Traced) -> None:
        """Take over value and, if gradients are on, history."""
        x.value = new.value
        if grad_mode.get():
            x.node = new.node


class Arriving(OnArrays):
    """Rules whose cotangents are tensors of the level below, computed by whoever is in force when they are pulled."""

    lifted = True

    def __init__(self) -> None:
        super().__init__(stack.get(), retain=True)
        self.ground = stack.get()
        self.found: dict[Node, Any] = {}

    def arrive(self, leaf: Node, g: Any) -> None:
        """Keep what reaches a leaf."""
        self.found[leaf] = g if leaf.hooks is None else self.of_tensor(leaf, g)

    def called(self, hook: Any, *args: Any) -> Any:
        """Call the user's code at the level in force: whoever differentiates the walk sees what it does."""
        return hook(*args)

    def boxed(self, g: Any) -> Any:
        """It is a tensor."""
        return g

    def opened(self, x: Any) -> Any:
        """It stays one."""
        return x

    def own(self, g: Any) -> Any:
        """Tensors of a transform are never written behind one's back."""
        return g


@taught
def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of `func(*primals)`, and the function that pulls a cotangent of it back to one of each primal.

    Args:
        func: A function whose result may be nested; with `has_aux`, a pair of that and anything else.
        primals: Its arguments, nested in tuples, lists and dicts as it takes them.
        has_aux: Whether `func` returns (result, other); the other is then a third result.

    Raises:
        ArgumentError: With `has_aux`, the result is no pair; or a cotangent is nested in another way than the value.
        GradientError: A primal is no tensor of floats, or the function returned a Python number.
        ShapeError: A cotangent has not the shape of the value.

    Example:
        >>> import minitorch_lab as ml
        >>> y, pull = ml.func.vjp(lambda x: x.sin(), ml.tensor(0.0))
        >>> y, pull(ml.tensor(2.0))
        (tensor(0.), (tensor(2.),))
    """
    flat, build = flatten(list(primals))
    tape = Tape()
    leaves = [leaf_of(tape, as_tensor(x)) for x in flat]
    with interpreting(tape), grad_enabled(True):
        result = func(*build([tape.box(x.value, x.node) for x in leaves]))
        result, aux = split(result) if has_aux else (result, None)
        outs, rebuild = traced_parts(result)
        outs = [tape.own(out) for out in outs]
        aux = tape.without(aux)
    values = [out.value for out in outs]

    def pull(cotangents: Any) -> tuple[Any, ...]:
        return tuple(build(arrived(outs, seeds_of(values, cotangents), leaves, Arriving())))

    return (rebuild(values), pull, aux)[: 3 if has_aux else 2]


def arrived(outs: list[Any], cotangents: list[Any], leaves: list[Traced], rules: Arriving) -> list[Any]:
    """What reaches the leaves of a tape when the cotangents of `outs` are pulled back by `rules`."""
    seeds: dict[Node, Any] = {}
    for out, g in zip(outs, cotangents, strict=True):
        if out.node is not None:
            seeds[out.node] = seeds[out.node] + g if out.node in seeds else g
    with uncast():
        for _ in walk(seeds, rules):
            pass
    found: Any = rules.found
    return [found[x.node] if x.node in found else zeros(x) for x in leaves]


def seeds_of(values: list[Any], cotangents: Any) -> list[Any]:
    """One cotangent per value, checked.

    Raises:
        ArgumentError: There are more, or fewer.
        ShapeError: One has another shape.
    """
    given = [as_tensor(g) for g in flatten(cotangents)[0]]
    if len(given) != len(values):
        raise ArgumentError(
            f"A pullback got {len(given)} cotangents for {len(values)} values.",
            "Every tensor in the result has one cotangent, at the same place of the same structure.",
            "Did you mean one argument, nested like the result of the function?",
        )
    for y, g in zip(values, given, strict=True):
        if tuple(y.shape) != tuple(g.shape):
            raise ShapeError(
                f"A pullback got a cotangent of shape {tuple(g.shape)} for a value of shape {tuple(y.shape)}.",
                "The cotangent has one number per entry of the value.",
                "Did you mean ml.ones_like(y)?",
            )
    return given


def traced_parts(result: Any) -> tuple[list[Any], Callable[..., Any]]:
    """The parts of what a function returned, and what puts others in their places.

    Raises:
        GradientError: One is a Python number: how it was computed is not known any more.
    """
    parts, rebuild = flatten(result)
    for part in parts:
        if is_number(part):
            raise GradientError(
                f"The derivative of a function that returned the number {shown(part)}.",
                "A number of Python does not know what it was computed from, as .item() and float() leave it.",
                "Did you mean to return the tensor? A constant is ml.tensor(number).",
            )
    return parts, rebuild


def split(result: Any) -> tuple[Any, Any]:
    """The result and the rest, of a function with `has_aux`.

    Raises:
        ArgumentError: It returned no pair.
    """
    if isinstance(result, tuple) and len(result) == 2:
        return result
    raise ArgumentError(
        f"has_aux of a function that returned {kind_of(result)}.",
        "It returns a pair: what is differentiated, and anything else.",
        "Did you mean return loss, other?",
    )


def leaf_of(tape: Tape, x: Tensor) -> Traced:
    """A leaf of the tape around `x`."""
    if not is_float(x.dtype):
        raise GradientError(
            f"A derivative by a tensor of dtype {x.dtype}.",
            "Only floats can change by a little.",
            "Did you mean x.float()? Or leave it out with argnums.",
        )
    return tape.box(x, Leaf(tuple(x.shape)))


def chosen(args: tuple[Any, ...], argnums: int | tuple[int, ...]) -> tuple[Any, ...]:
    """The arguments to differentiate by."""
    wanted = (argnums,) if isinstance(argnums, int) else argnums
    if any(not -len(args) <= i < len(args) for i in wanted):
        raise GradientError(
            f"argnums={argnums} for a call with {len(args)} arguments.",
            "argnums counts positional arguments from 0.",
            "Did you mean argnums=0?" if args else "Give it the arguments of the function.",
        )
    return tuple(args[i] for i in wanted)


def with_chosen(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Any
) -> Callable[..., Any]:
    """`func` as a function of the chosen arguments alone."""
    chosen(args, argnums)
    wanted = [i % len(args) for i in ((argnums,) if isinstance(argnums, int) else argnums)]

    def of_chosen(*new: Any) -> Any:
        filled = list(args)
        for i, value in zip(wanted, new, strict=True):
            filled[i] = value
        return func(*filled, **kwargs)

    return of_chosen


@taught
def value_and_grad(
    func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """The function that returns the value of `func` and its gradient by the arguments `argnums`.

    Args:
        func: A function whose result is a single number; with `has_aux`, a pair of that and anything else.
        argnums: The position of the argument to differentiate by, or a tuple of positions.
        has_aux: Whether `func` returns (number, other).

    Raises:
        GradientError: The result is no single number of floats.
    """
    check_callable("value_and_grad", func)

    def both(*args: Any, **kwargs: Any) -> Any:
        inner = with_chosen(func, args, kwargs, argnums)
        value, pull, *aux = vjp(inner, *chosen(args, argnums), has_aux=has_aux)
        if isinstance(value, Tensor) and not is_float(value.dtype):
            raise GradientError(
                f"grad of a function whose result is of dtype {value.dtype}.",
                "Whole numbers and truth values change in jumps, so they have no derivative.",
                "Did you mean a smooth stand-in, such as softmax for argmax?",
            )
        if not isinstance(value, Tensor) or tuple(value.shape) != ():
            shape = tuple(value.shape) if isinstance(value, Tensor) else type(value).__name__
            raise GradientError(
                f"grad of a function whose result is {shape}.",
                "A gradient is that of one number.",
                "Did you mean f(x).sum()? Or ml.func.jacrev for all outputs.",
            )
        grads = pull(full(shape=(), value=1.0, dtype=value.dtype).to(device=value.device))
        return (value, *aux) if has_aux else value, grads[0] if isinstance(argnums, int) else grads

    return both


@taught
def grad(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The function that returns the gradient of `func` by the arguments `argnums`; with `has_aux`, the rest as well.

    Raises:
        GradientError: The result is no single number of floats.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.grad(lambda x: x**3)(ml.tensor(2.0))
        tensor(12.)
        >>> ml.func.grad(ml.func.grad(lambda x: x**3))(ml.tensor(2.0))
        tensor(12.)
    """
    check_callable("grad", func)
    both = value_and_grad(func, argnums, has_aux)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, grads = both(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads

    return gradient


def grad_and_value(func: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Any:
    """The function that returns the gradient of `func` and its value, in this order: `value_and_grad` the other way.

    Raises:
        GradientError: The result is no single number of floats.
    """
    both = value_and_grad(func, argnums, has_aux)
    return lambda *args, **kwargs: both(*args, **kwargs)[::-1]
