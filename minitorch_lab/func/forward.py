"""Forward mode: a tensor carries its tangent along (dual numbers). After JAX's `jvp`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import ShapeError
from ..interpret import grad_enabled, grad_mode, interpreting
from ..ops.broadcast import expand_op
from ..ops.front import taught
from ..ops.op import Op
from .boxing import Box, Boxing, as_tensor, zeros
from .reverse import vjp
from .trees import flatten


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
            moves = grad_mode.get() and any(t is not None for t in tangents)
            tangent = (op.jvp or pushed)(op, tangents, values, out, params) if moves else None
            if tangent is not None and tuple(tangent.shape) != tuple(out.shape):
                tangent = expand_op(tangent, shape=tuple(out.shape))
        return self.box(out, tangent)

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
def jvp(func: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """The value of `func(*primals)`, and how it moves when the primals move along the tangents.

    Raises:
        ShapeError: A tangent has not the shape of its primal.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.func.jvp(lambda x: x**2 * x.sin(), (ml.tensor(2.0),), (ml.tensor(1.0),))
        (tensor(3.6372), tensor(1.9726))
    """
    points, build = flatten(list(primals))
    moves = [as_tensor(t) for t in flatten(list(tangents))[0]]
    points = [as_tensor(p) for p in points]
    for p, t in zip(points, moves, strict=True):
        if tuple(p.shape) != tuple(t.shape):
            raise ShapeError(
                f"jvp got a tangent of shape {tuple(t.shape)} for a primal of shape {tuple(p.shape)}.",
                "A tangent says how each entry moves, so the shapes are equal.",
                "Did you mean ml.ones_like(x)?",
            )
    forward = Forward()
    with interpreting(forward), grad_enabled(True):
        result = func(*build([forward.box(p, t) for p, t in zip(points, moves, strict=True)]))
        outs, rebuild = flatten(result)
        outs = [forward.own(out) for out in outs]
    values = [out.value for out in outs]
    return rebuild(values), rebuild(
        [zeros(v) if out.tangent is None else out.tangent for out, v in zip(outs, values, strict=True)]
    )
