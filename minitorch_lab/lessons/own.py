"""The reader's own op: a real op of the engine, with the reader's rules. The views show it like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from ..errors import ArgumentError, GradientError
from ..ops.families import elementwise, floating
from ..ops.op import OPS, Op


def own_op(
    name: str, impl: Callable[..., Any], *rules: Callable[..., Any], push: Callable[..., Any] | None = None
) -> Op:
    """Make an op that works entry by entry.

    It lives in the reader's variable and not in the registry, so that the cell can be run again.

    Args:
        name: What the views call it; no name of an op that is there already.
        impl: From the arrays of its inputs to the array of its result.
        rules: One per input, `rule(g, ...)`: from the cotangent of the result to the cotangent of that input. Its
            further parameters say what the tape keeps: `x` and `y` are the inputs, `out` is the result.
        push: The forward rule, `push(dx, dy, x, y)`: from the tangents of the inputs to the tangent of the result. It
            gets one tangent per input, then the inputs. Without it forward mode makes do with `rules`.

    Raises:
        ArgumentError: The name is taken, or there is no rule.

    Example:
        >>> import minitorch_lab as ml
        >>> double = own_op("double", lambda x: x * 2, lambda g: g * 2)
        >>> x = ml.tensor(3.0, requires_grad=True)
        >>> double(x).backward()
        >>> x.grad
        tensor(2.)
    """
    if name in OPS:
        raise ArgumentError(
            f"own_op got the name {name!r}.",
            "An op with this name is there already, and every view knows it by the name.",
            f"Did you mean own_op('my_{name}', ...)?",
        )
    if not rules:
        raise ArgumentError(f"own_op({name!r}) got no rule.", "An op has one rule per input.")
    op = elementwise(name, impl, vjp=tuple(answering(name, rule) for rule in rules), casts=floating)
    return unlisted(op if push is None else replace(unlisted(op), jvp=pushing(name, push)))


def unlisted(op: Op) -> Op:
    """`op`, taken out of the registry: it is the reader's, and the next run of the cell declares it anew."""
    del OPS[op.name]
    return op


def pushing(name: str, push: Callable[..., Any]) -> Callable[..., Any]:
    """The reader's forward rule as the engine calls it; a constant has the tangent 0.

    Raises:
        GradientError: The rule returned nothing, or something of another shape.
    """

    def jvp(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
        moved = push(*(0.0 if t is None else t for t in tangents), *args)
        shape = getattr(moved, "shape", None)
        if shape is not None and tuple(shape) == tuple(out.shape):
            return moved
        returned = type(moved).__name__ if shape is None else f"something of shape {tuple(shape)}"
        raise GradientError(
            f"The forward rule of {name} returned {returned if moved is not None else 'None'}.",
            f"A forward rule returns one tangent, of the shape of the result, which is {tuple(out.shape)} here.",
            "Did you forget the return?" if moved is None else "Did you mean to add the parts of the inputs?",
        )

    return jvp


def answering(name: str, rule: Callable[..., Any]) -> Callable[..., Any]:
    """`rule`, held to answer with one number per entry of g.

    Raises:
        GradientError: The rule returned nothing, or something of another shape.
    """

    @wraps(rule)
    def pull(g: Any, *kept: Any) -> Any:
        part = rule(g, *kept)
        shape = getattr(part, "shape", None)
        if shape == g.shape:
            return part
        returned = type(part).__name__ if shape is None else f"something of shape {shape}"
        raise GradientError(
            f"A rule of {name} returned {returned if part is not None else 'None'}.",
            f"A rule returns one number per entry of g, which has the shape {g.shape} here.",
            "Did you forget the return?" if part is None else "Did you mean g * ...?",
        )

    return pull
