"""What users call. A function declared with `@function` is `ml.name(x, ...)`; with `@method` it is `x.name(...)` too.

Keywords are PyTorch's. A keyword that the call does not take is answered with the one that was probably meant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from ..array import is_number
from ..errors import ArgumentError
from .into import written
from .misfit import answer, plainer

if TYPE_CHECKING:
    from .op import Op

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}


def taught(fn: F) -> F:
    """`fn`, answering a call that it cannot run with what was wrong in it instead of an error from deep inside.

    A call that fails is tried once more if that could help: with `out=` taken out, or with Python's own numbers.

    Raises:
        ArgumentError: The call does not fit the signature, or an argument is of a type that `fn` does not know.
    """

    @wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except Exception as error:
            into = isinstance(error, TypeError) and takes_out(fn, call, kwargs)
            plain = None if into else plainer(args, kwargs)
            if not into and plain is None:
                if (told := answer(fn, args, kwargs, error)) is error:
                    raise
                raise told from None
        return written(fn, args, kwargs) if plain is None else call(*plain[0], **plain[1])

    return call  # pyright: ignore[reportReturnType]


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
