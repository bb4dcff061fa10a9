"""What users call. A function declared with `@function` is `ml.name(x, ...)`; with `@method` it is `x.name(...)` too.

Keywords are PyTorch's. A keyword that the call does not take is answered with the one that was probably meant.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeVar

from ..array import is_number
from ..errors import ArgumentError
from .into import written

if TYPE_CHECKING:
    from .op import Op

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
SYNONYMS = {"axis": "dim", "axes": "dim", "keepdims": "keepdim", "a_min": "min", "a_max": "max", "shape": "size"}


def taught(fn: F) -> F:
    """`fn`, answering a wrong call with its signature and the nearest keyword instead of a bare TypeError.

    Raises:
        ArgumentError: The call does not fit the signature.
    """

    @wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except TypeError:
            problem = None if (into := takes_out(fn, call, kwargs)) else misfit(fn, args, kwargs)
            if problem is None and not into:
                raise
        if problem is None:
            return written(fn, args, kwargs)
        raise problem

    return call  # pyright: ignore[reportReturnType]


def misfit(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> ArgumentError | None:
    """What is wrong with the call `fn(*args, **kwargs)`, if its arguments do not fit the signature."""
    spec = signature(fn)
    try:
        spec.bind(*args, **kwargs)
    except TypeError as error:
        takes = [p for p, kind in spec.parameters.items() if kind.kind is not Parameter.VAR_KEYWORD]
        listing = ", ".join(p for p in takes if p not in ("self", "x", "input"))
        name = fn.__name__ if fn.__name__ != "__init__" else fn.__qualname__.split(".")[0]
        unknown = next((k for k in kwargs if k not in takes), None)
        if unknown is None:
            return ArgumentError(f"{name}: {error}.", f"{name} takes {listing or 'nothing more'}.")
        nearest = SYNONYMS.get(unknown)
        if nearest not in takes:
            nearest = next(iter(get_close_matches(unknown, takes, 1, 0.5)), None)
        hint = f"Did you mean {nearest}={kwargs[unknown]!r}?" if nearest else ""
        return ArgumentError(f"{name} got the keyword {unknown}.", f"{name} takes {listing or 'no keywords'}.", hint)
    return None


def takes_out(fn: Callable[..., Any], call: Callable[..., Any], kwargs: dict[str, Any]) -> bool:
    """Whether the call failed because `fn` does not know `out`, which every published function takes."""
    return "out" in kwargs and FUNCTIONS.get(fn.__name__) is call


def entrywise(op: Op) -> None:
    """Publish an op that users call as it is, with a docstring made from its `doc`: a sentence, a call, its result."""
    sentence, example, result = op.doc
    calls: tuple[Callable[..., Any], ...] = (lambda x: op(x), lambda x, y: op(x, y), lambda x, y, z: op(x, y, z))
    fn = calls[len(op.vjp) - 1]
    if op.numbers != "anywhere" and len(op.vjp) == 2:
        fn = lambda x, y: op(*with_tensors(op, x, y))  # noqa: E731
    shapes = "" if len(op.vjp) == 1 else " Shapes broadcast.\n\n    Raises:\n        ShapeError: The shapes do not fit."
    fn.__name__ = fn.__qualname__ = op.name
    fn.__doc__ = f"{sentence}{shapes}\n\n    Example:\n        >>> {example}\n        {result}\n    "
    FUNCTIONS[op.name] = taught(fn)


NUMBERS = {"nowhere": (), "second": ((False, True),), "one place": ((False, True), (True, False))}
TAKES = {"nowhere": "tensors", "second": "a tensor first", "one place": "a tensor in one place"}


def with_tensors(op: Op, x: Any, y: Any) -> tuple[Any, Any]:
    """The inputs, if Python numbers stand only where `op` takes them, as PyTorch's does.

    Raises:
        ArgumentError: One stands where a tensor must.
    """
    given = is_number(x), is_number(y)
    if any(given) and given not in NUMBERS[op.numbers]:
        refuse_number(op.name, x if given[0] else y, TAKES[op.numbers])
    return x, y


def check_tensors(name: str, *args: Any) -> None:
    """Refuse Python numbers.

    Raises:
        ArgumentError: One is among `args`.
    """
    for x in args:
        if is_number(x):
            refuse_number(name, x, "tensors")


def refuse_number(name: str, x: Any, takes: str) -> None:
    """Say that a number is no tensor."""
    hint = f"Did you mean ml.tensor({x!r})? Its shape () stretches to any other."
    raise ArgumentError(f"{name} got the number {x!r}.", f"{name} takes {takes}.", hint)


def function(fn: F) -> F:
    """Publish `fn` as `ml.<name>`."""
    FUNCTIONS[fn.__name__] = wrapped = taught(fn)
    return wrapped


def method(fn: F) -> F:
    """Publish `fn` as `ml.<name>` and as a method of Tensor, under its own name."""
    METHODS[fn.__name__] = wrapped = function(fn)
    return wrapped
