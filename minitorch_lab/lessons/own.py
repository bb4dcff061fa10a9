"""The reader's own op: a real op of the engine, with the reader's rules. The views show it like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from ..errors import ArgumentError, GradientError
from ..ops.families import elementwise, floating
from ..ops.op import OPS, Op
from ..tensors.tensor import Tensor
from .values import described

MEANT = {
    type(None): "Did you forget the return?",
    tuple: "Did you mean the part alone? Parentheses with a comma make a tuple.",
    Tensor: "Did you mean g * ...? g is a bare array here, and a new tensor knows nothing of it.",
}  # what was meant by what a rule has returned
INPUTS = ("x", "y", "z")  # what the inputs of an op are called in its rules


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
    if can_take(impl, len(rules)) is False and (takes := parameters_of(impl)):
        raise ArgumentError(
            f"own_op({name!r}) got {len(rules)} rule{'s' * (len(rules) > 1)}, and {taken(impl)} takes {len(takes)}.",
            "An op has one rule per input: from the cotangent of the result to the cotangent of that input.",
            f"Did you mean own_op({name!r}, impl, {', '.join(f'rule_for_{x}' for x in takes)})?",
        )
    for rule in rules:
        check_rule(rule, len(rules))
    if push is not None:
        check_push(push, len(rules))
    op = elementwise(name, impl, vjp=tuple(answering(name, rule) for rule in rules), casts=floating)
    return unlisted(op if push is None else replace(unlisted(op), jvp=pushing(name, push)))


def check_rule(rule: Callable[..., Any], inputs: int) -> None:
    """Refuse a rule that the walk could not call: what comes after g is found by its name.

    Raises:
        ArgumentError: It takes nothing, or a name that the tape does not keep.
    """
    known = [*INPUTS[:inputs], "out"]
    facts = {f"{name}_{fact}" for name in INPUTS[:inputs] for fact in ("shape", "dtype")} | {"shapes", "i"}
    first, *kept = parameters_of(rule) or [""]
    if (not first and not can_take(rule, 1)) or not {*kept} <= {*known, *facts}:
        raise ArgumentError(
            f"The rule {taken(rule)} cannot be called.",
            f"A rule takes g first, and then any of {', '.join(known)}: inputs and result are found by these names.",
            f"Did you mean {getattr(rule, '__name__', 'rule')}(g, {', '.join(INPUTS[:inputs])})?",
        )


def check_push(push: Callable[..., Any], inputs: int) -> None:
    """Refuse a forward rule that cannot be called with a tangent per input, and then the inputs.

    Raises:
        ArgumentError: It takes more or fewer.
    """
    wanted = [*(f"d{name}" for name in INPUTS[:inputs]), *INPUTS[:inputs]]
    if not can_take(push, len(wanted)):
        raise ArgumentError(
            f"The forward rule {taken(push)} cannot be called with ({', '.join(wanted)}).",
            "A forward rule gets a tangent per input, in their order, and then the inputs, and nothing else.",
            f"Did you mean {getattr(push, '__name__', 'push')}({', '.join(wanted)})?",
        )


def turned(push: Any, inputs: int) -> str:
    """What to say of a forward rule whose parameters are the right ones in another order; "" where they are not."""
    wanted = [*(f"d{name}" for name in INPUTS[:inputs]), *INPUTS[:inputs]]
    names = parameters_of(push)
    if names == wanted or sorted(names) != sorted(wanted):
        return ""
    return f"your rule is {taken(push)}, and it is called with ({', '.join(wanted)}): the tangents come first."


def taken(fn: Any) -> str:
    """A function with the names of what it takes, as one would call it."""
    return f"{getattr(fn, '__name__', repr(fn))}({', '.join(parameters_of(fn))})" if callable(fn) else repr(fn)


def parameters_of(fn: Any) -> list[str]:
    """The names of what a function takes by position; a starred one takes whatever comes."""
    if not callable(fn):
        return []
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, each in signature(fn).parameters.items() if each.kind in places]


def can_take(fn: Any, count: int) -> bool:
    """Whether something can be called with so many arguments."""
    if not callable(fn):
        return False
    try:
        signature(fn).bind(*[None] * count)
    except TypeError:
        return False
    return True


def unlisted(op: Op) -> Op:
    """`op`, taken out of the registry: it is the reader's, and the next run of the cell declares it anew."""
    del OPS[op.name]
    return op


def pushing(name: str, push: Callable[..., Any]) -> Callable[..., Any]:
    """The reader's forward rule as the engine calls it; a constant has the tangent 0.

    Raises:
        GradientError: The rule returned nothing, or something of another shape.
    """

    @wraps(push)
    def jvp(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
        moved = push(*(0.0 if t is None else t for t in tangents), *args)
        shape = getattr(moved, "shape", None)
        if shape is not None and tuple(shape) == tuple(out.shape):
            return moved
        returned = described(moved) if shape is None else f"something of shape {tuple(shape)}"
        raise GradientError(
            f"The forward rule of {name} returned {returned}.",
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
        if isinstance(part, float | int) and not g.shape:
            return g * 0 + part
        shape = getattr(part, "shape", None)
        foreign = isinstance(part, Tensor) and not any(isinstance(each, Tensor) for each in (g, *kept))
        if shape == g.shape and not foreign:
            return part
        made = shape == g.shape or shape is None
        returned = described(part) if made else f"something of shape {shape}"
        raise GradientError(
            f"A rule of {name} returned {returned}.",
            f"A rule returns one number per entry of g, which has the shape {g.shape} here.",
            next((said for kind, said in MEANT.items() if isinstance(part, kind)), "Did you mean g * ...?"),
        )

    return pull
