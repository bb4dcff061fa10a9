"""Reverse mode as a transform: one more tape above whatever is running. After JAX's `vjp` and `grad`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..array import is_float
from ..autograd.node import Leaf, Node
from ..autograd.pullback import OnArrays
from ..autograd.tape import finish, record
from ..autograd.walk import walk
from ..errors import GradientError
from ..interpret import grad_enabled, grad_mode, interpreting, stack
from ..ops.factory import full
from ..ops.front import taught
from ..ops.op import Op
from ..tensor import Tensor
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
        node = record(op, args, params, self.level) if grad_mode.get() else None
        out = self.box(value, node)
        if node is not None:
            finish(node, out)
        return out

    def become(self, x: Traced, new: Traced) -> None:
        """Take over value and, if gradients are on, history."""
        x.value = new.value
        if grad_mode.get():
            x.node = new.node


class Arriving(OnArrays):
    """Rules whose cotangents are tensors of the level below, computed by whoever is in force when they are pulled."""

    def __init__(self) -> None:
        super().__init__(stack.get(), retain=True)
        self.ground = stack.get()
        self.found: dict[Node, Any] = {}

    def arrive(self, leaf: Node, g: Any) -> None:
        """Keep what reaches a leaf."""
        self.found[leaf] = g

    def own(self, g: Any) -> Any:
        """Tensors of a transform are never written behind one's back."""
        return g


@taught
def vjp(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """The value of `func(*primals)`, and the function that pulls a cotangent of it back to one of each primal.

    Primals and result may be nested in tuples, lists and dicts.

    Raises:
        GradientError: A primal is no tensor of floats.

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
        outs, rebuild = flatten(result)
        outs = [tape.own(out) for out in outs]

    def pull(cotangents: Any) -> tuple[Any, ...]:
        rules = Arriving()
        seeds: dict[Node, Any] = {}
        for out, g in zip(outs, flatten(cotangents)[0], strict=True):
            if out.node is not None:
                g = as_tensor(g)
                seeds[out.node] = seeds[out.node] + g if out.node in seeds else g
        for _ in walk(seeds, rules):
            pass
        found: Any = rules.found
        return tuple(build([found[x.node] if x.node in found else zeros(x) for x in leaves]))

    return rebuild([out.value for out in outs]), pull


def leaf_of(tape: Tape, x: Tensor) -> Traced:
    """A leaf of the tape around `x`."""
    if not is_float(x.dtype):
        raise GradientError(
            f"A derivative by a tensor of dtype {x.dtype}.",
            "Only float32 and float64 can change by a little.",
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
            "Did you mean argnums=0?",
        )
    return tuple(args[i] for i in wanted)


def with_chosen(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Any
) -> Callable[..., Any]:
    """`func` as a function of the chosen arguments alone."""
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

    def both(*args: Any, **kwargs: Any) -> Any:
        inner = with_chosen(func, args, kwargs, argnums)
        y, pull = vjp(inner, *chosen(args, argnums))
        value = y[0] if has_aux else y
        if not isinstance(value, Tensor) or tuple(value.shape) != () or not is_float(value.dtype):
            shape = tuple(value.shape) if isinstance(value, Tensor) else type(value).__name__
            raise GradientError(
                f"grad of a function whose result is {shape}.",
                "A gradient is that of one number.",
                "Did you mean f(x).sum()? Or ml.func.jacrev for all outputs.",
            )
        seed = full(shape=(), value=1.0, dtype=value.dtype).to(device=value.device)
        aux = [zeros(a) for a in flatten(y[1])[0]] if has_aux else []
        grads = pull([seed, *aux])
        return y, grads[0] if isinstance(argnums, int) else grads

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
    both = value_and_grad(func, argnums, has_aux)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, grads = both(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads

    return gradient
