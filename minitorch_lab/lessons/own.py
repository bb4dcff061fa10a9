"""The reader's own op: a real op of the engine, with the reader's rules. The views show it like any other."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..errors import ArgumentError, GradientError
from ..ops.families import elementwise, floating
from ..ops.op import OPS, Op


def own_op(name: str, impl: Callable[..., Any], *rules: Callable[..., Any]) -> Op:
    """Make an op that works entry by entry.

    It lives in the reader's variable and not in the registry, so that the cell can be run again.

    Args:
        name: What the views call it; no name of an op that is there already.
        impl: From the arrays of its inputs to the array of its result.
        rules: One per input, `rule(g, ...)`: from the cotangent of the result to the cotangent of that input. Its
            further parameters say what the tape keeps: `x` and `y` are the inputs, `out` is the result.

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
    del OPS[name]
    return op


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
