"""Forward mode: a tensor carries its tangent along (dual numbers). After JAX's `jvp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from ..autograd.custom import Call, Flat
from ..core.interpret import grad_enabled, grad_mode, interpreting
from ..errors import ArgumentError, ShapeError
from ..ops.broadcast import expand_op
from ..ops.front import taught
from ..ops.meant import describe_value
from ..ops.op import Op
from ..tensors.tensor import Tensor
from .boxing import Box, Boxing, as_tensor, zeros
from .reverse import split, traced_parts, vjp
from .trees import flatten, form


class Dual(Box):
    """A value and its tangent; no tangent is the tangent 0."""

    __slots__ = ("tangent",)


class Forward(Boxing):
    """Pushes tangents along with the values."""

    name = "jvp"

    def box(self, value: Any, tangent: Any = None) -> Dual:
        """A tensor of this level; without a tangent it is a constant."""
        out = Dual(value)
        out.tangent, out.level, out.link = tangent, self.level, None
        return out

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Dual:
        """Compute the value below, and its tangent by the op's rule."""
        assert self.below is not None
        values = self.opened(args)
        tangents = [a.tangent if self.mine(a) else None for a in args]
        with interpreting(self.below):
            out = op(*values, **params)
            moves = grad_mode.get() and any(t is not None for t in tangents) and not op.stops(params)
            tangent = (op.jvp or pushed)(op, tangents, values, out, params) if moves else None
            if tangent is not None and tuple(tangent.shape) != tuple(out.shape):
                tangent = expand_op(tangent, shape=tuple(out.shape))
        return self.box(out, tangent)

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Compute the values below, and their tangents by the user's rule."""
        assert self.below is not None
        call.enter(self.name)
        values = self.opened(tuple(args))
        tangents = [a.tangent if self.mine(a) else None for a in args]
        with interpreting(self.below):
            if grad_mode.get() and any(t is not None for t in tangents):
                outs, moved = call.push(values, tangents)
            else:
                outs, moved = self.below.custom(call, values), ()
        pairs = zip_longest(outs, moved)
        return [self.box(x, t) if isinstance(x, Tensor) else x for x, t in pairs]

    def become(self, x: Dual, new: Dual) -> None:
        """Take over value and tangent; no_grad() means the same in both modes."""
        x.value = new.value
        if grad_mode.get():
            x.tangent = new.tangent


def pushed(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
    """The jvp of an op that declares none.

    Its pullback is linear in the cotangent u; so the pullback of the pullback, applied to the tangent, is the jvp,
    whatever u is (J. Townsend's trick, 2017).
    """
    total = None
    rules = op.rules(len(args))
    for i, tangent in enumerate(tangents):
        if tangent is None or rules[i] is None:
            continue

        def along(x: Any, i: int = i) -> Any:
            return op(*args[:i], x, *args[i + 1 :], **params)

        def pull(u: Any, along: Any = along, i: int = i) -> Any:
            return vjp(along, args[i])[1](u)[0]

        (term,) = vjp(pull, zeros(out))[1](as_tensor(tangent))
        total = term if total is None else total + term
    return total


@taught
def jvp(
    func: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
) -> tuple[Any, ...]:
    """The value of `func(*primals)`, and how it moves when the primals move along the tangents.

    Args:
        func: A function whose result may be nested; with `has_aux`, a pair of that and anything else.
        primals: Its arguments, nested in tuples, lists and dicts as it takes them.
        tangents: One per primal, nested like them.
        has_aux: Whether `func` returns (result, other); the other is then a third result.

    Raises:
        ArgumentError: Primals or tangents are no tuple, or are nested in different ways.
        ShapeError: A tangent has not the shape of its primal.
        GradientError: The function returned a Python number.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.jvp(lambda x: x**2 * x.sin(), (ml.tensor(2.0),), (ml.tensor(1.0),))
        (tensor(3.6372), tensor(1.9726))
    """
    check_tuples(primals=primals, tangents=tangents)
    points, build = flatten(list(primals))
    points = [as_tensor(p) for p in points]
    moves = matched("jvp", list(primals), list(tangents))
    forward = Forward()
    with interpreting(forward), grad_enabled(True):
        result = func(*build([forward.box(p, t) for p, t in zip(points, moves, strict=True)]))
        result, aux = split(result) if has_aux else (result, None)
        outs, rebuild = traced_parts(result)
        outs = [forward.own(out) for out in outs]
        aux = forward.without(aux)
    values = [out.value for out in outs]
    moved = [zeros(v) if out.tangent is None else out.tangent for out, v in zip(outs, values, strict=True)]
    return (rebuild(values), rebuild(moved), aux)[: 3 if has_aux else 2]


def check_tuples(**given: Any) -> None:
    """Refuse a bare tensor where a tuple with one entry per argument stands: it would be taken apart into its rows.

    Raises:
        ArgumentError: One is no tuple or list.
    """
    for name, value in given.items():
        if not isinstance(value, (tuple, list)):
            raise ArgumentError(
                f"jvp got {describe_value(value)} as {name}.",
                f"{name} is a tuple with one entry for each argument of the function, even if there is only one.",
                "Did you mean jvp(f, (x,), (v,))?",
            )


def matched(what: str, primals: Any, tangents: Any) -> list[Any]:
    """The leaves of `tangents`, one for each of `primals`.

    Raises:
        ArgumentError: The two are nested in different ways.
        ShapeError: A tangent has not the shape of its primal.
    """
    points, moves = flatten(primals)[0], [as_tensor(t) for t in flatten(tangents)[0]]
    if form(primals) != form(tangents):
        raise ArgumentError(
            f"{what} got {len(moves)} tangents for {len(points)} primals, or nested in another way.",
            "Every primal has one tangent, at the same place of the same structure.",
            "Did you mean (x,), a tuple with one entry? ml.zeros_like is the tangent of what does not move.",
        )
    for p, t in zip(map(as_tensor, points), moves, strict=True):
        if tuple(p.shape) != tuple(t.shape):
            raise ShapeError(
                f"{what} got a tangent of shape {tuple(t.shape)} for a primal of shape {tuple(p.shape)}.",
                "A tangent says how each entry moves, so the shapes are equal.",
                "Did you mean ml.ones_like(x)?",
            )
    return moves
