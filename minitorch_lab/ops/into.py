"""`out=`: the result of a function, written into a tensor that is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import DType, can_write, ground, is_float, tangled
from ..core.interpret import grad_mode
from ..errors import ArgumentError, DTypeError, GradientError, ShapeError


def write_out(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`fn(*args, **kwargs)`, its result written into the tensor `kwargs["out"]`, which is returned.

    The result is computed first and then written, as one write in place. Of several results each has its own tensor.

    Raises:
        ArgumentError: `out` is no tensor, or there is not one for each result.
        GradientError: An input or `out` requires a gradient: a write into a given tensor has no place on the tape.
        ShapeError: `out` has another shape, shows an entry twice, or shares part of its memory with an input.
        DTypeError: The result would lose its fractions, or its size.
    """
    out = kwargs["out"]
    plain = {name: value for name, value in kwargs.items() if name != "out"}
    if out is None:
        return fn(*args, **plain)
    name, inputs = fn.__name__, list(tensors_in([*args, *plain.values()]))
    outs = tuple(out) if isinstance(out, (tuple, list)) else (out,)
    for one in outs:
        if not hasattr(one, "copy_"):
            raise ArgumentError(
                f"{name} got a {type(one).__name__} as out.", "The result is written into a tensor.", "Leave out= away."
            )
        if grad_mode.get() and any(x.requires_grad for x in (*inputs, one)):
            raise GradientError(
                f"{name} got out=, and {'out' if one.requires_grad else 'an input'} requires a gradient.",
                "What is written into a given tensor leaves no node on the tape, so the gradient would silently stop.",
                f"Did you mean out = {name}(...)? Or call it inside ml.no_grad().",
            )
        check_memory(name, one, inputs)
    result = fn(*args, **plain)
    several = isinstance(result, tuple)
    results: tuple[Any, ...] = tuple(result) if several else (result,)
    if len(results) != len(outs) or several != isinstance(out, (tuple, list)):
        raise ArgumentError(
            f"{name} got {described(out, outs)} as out, and gives {described(result, results)}.",
            "Each result is written into a tensor of its own.",
            f"Did you mean out=({', '.join(f'y{i}' for i in range(len(results)))})?" if several else "Name one tensor.",
        )
    for one, value in zip(outs, results, strict=True):
        check_fit(name, one, value)
    for one, value in zip(outs, results, strict=True):
        one.copy_(value)
    if not several:
        return out
    return type(result)(*outs) if hasattr(result, "_fields") else outs


def described(given: Any, parts: tuple[Any, ...]) -> str:
    """How many tensors stand there."""
    return f"a tuple of {len(parts)}" if isinstance(given, (tuple, list)) else "one tensor"


def tensors_in(values: Any) -> Any:
    """The tensors among the arguments, those in lists too."""
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from tensors_in(value)
        elif hasattr(value, "requires_grad"):
            yield value


def check_memory(name: str, out: Any, inputs: list[Any]) -> None:
    """Refuse an `out` whose entries are not its own: two of them are one, or some are an input's at another place."""
    target = ground(out)
    if not can_write(target):
        raise ShapeError(
            f"{name} got out= of shape {tuple(out.shape)} and strides {out.stride()}, which cannot be written.",
            "Each entry of out needs a place of its own.",
            "Did you mean out=x.clone()?",
        )
    for x in inputs:
        if x is not out and tangled(ground(x), target):
            raise ShapeError(
                f"{name} got out= on memory that an input shows at other places.",
                "Writing one entry of out would change an input that is still to be read.",
                "Did you mean out=x.clone()? The very same tensor as input and out is fine.",
            )


def check_fit(name: str, out: Any, result: Any) -> None:
    """Refuse a result that has another shape, or that `out` could only hold in part."""
    if not hasattr(result, "requires_grad"):
        raise ArgumentError(f"{name} got out=, and gives a {type(result).__name__}.", "Only one tensor has one out.")
    if tuple(result.shape) != tuple(out.shape):
        raise ShapeError(
            f"{name} gives a tensor of shape {tuple(result.shape)}, and out has the shape {tuple(out.shape)}.",
            "out is written in place, and keeps its shape.",
            f"Did you mean out=ml.zeros({', '.join(map(str, result.shape)) or '()'})?",
        )
    if breadth(result.dtype) > breadth(out.dtype):
        raise DTypeError(
            f"{name} gives {result.dtype.name}, and out holds {out.dtype.name}.",
            "Fractions do not fit into whole numbers, nor numbers into truth values.",
            f"Did you mean out of dtype {result.dtype.name}?",
        )


def breadth(dtype: DType) -> int:
    """Truth values fit into whole numbers, and those into real ones."""
    return 2 if is_float(dtype) else int(dtype.kind != "b")
