"""What users call. A function declared with `@function` is `ml.name(x, ...)`; with `@method` it is `x.name(...)` too.

Keywords are PyTorch's. A keyword that the call does not take is answered with the one that was probably meant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

from ..core.array import is_number
from ..errors import ArgumentError
from .into import write_out
from .keywords import OTHER_LAYOUTS, layout, read_again
from .misfit import answer, plainer
from .op import Op, call_of

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: dict[str, Callable[..., Any]] = {}
METHODS: dict[str, Callable[..., Any]] = {}
OPTIONS: dict[str, Callable[..., Any]] = {}  # what an op that is called as it is does with further arguments
IN_PLACE: dict[str, Callable[..., Any]] = {}  # those whose result has the shape and the dtype of their first input


def taught(fn: F) -> F:
    """`fn`, answering a call that it cannot run with what was wrong in it instead of an error from deep inside.

    A call that fails is tried once more if that could help: with `out=` taken out, with the keywords that `fn` knows,
    or with Python's own numbers.

    Raises:
        ArgumentError: The call does not fit the signature, or an argument is of a type that `fn` does not know.
    """

    @wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except Exception as error:
            again = otherwise(fn, call, args, kwargs, error)
            if again is None:
                if (told := answer(fn, args, kwargs, error)) is error:
                    raise
                raise told from None
        return again()

    return call  # pyright: ignore[reportReturnType]


def otherwise(
    fn: Callable[..., Any], call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception
) -> Callable[[], Any] | None:
    """The call that was meant by one that failed; None if it is not seen what could be done about it."""
    more = OPTIONS.get(fn.__name__, call)
    if isinstance(error, TypeError) and more is not call and fits(more, args, kwargs):
        return lambda: more(*args, **kwargs)
    if isinstance(error, TypeError):
        if takes_out(fn, kwargs):
            return lambda: write_out(call, args, kwargs)
        if kwargs and (found := read_again(fn if more is call else more, args, kwargs)) is not None:
            positional, named, dtype = found
            if layout(kwargs.get("memory_format")) in OTHER_LAYOUTS:
                return lambda: more(*positional, **named).clone()
            if dtype is None:
                return lambda: more(*positional, **named)
            return lambda: call(positional[0].to(dtype), *positional[1:], **named).to(dtype)
    plain = plainer(args, kwargs)
    return None if plain is None else lambda: call(*plain[0], **plain[1])


def takes_out(fn: Callable[..., Any], kwargs: dict[str, Any]) -> bool:
    """Whether the call failed because `fn` does not know `out`, which functions of ops and makers of tensors take."""
    of_ops = fn.__module__.startswith(f"{__package__}.")
    return "out" in kwargs and (of_ops or "requires_grad" in signature(fn).parameters)


def entrywise(op: Op) -> None:
    """Publish an op that users call as it is, with a docstring made from its `doc`: a sentence, a call, its result."""
    sentence, example, result = op.doc
    fn = op.call
    if op.numbers != "anywhere" and len(op.vjp) == 2:
        fn = call_of(op, checked)
    shapes = "" if len(op.vjp) == 1 else " Shapes broadcast.\n\n    Raises:\n        ShapeError: The shapes do not fit."
    fn.__doc__ = f"{sentence}{shapes}\n\n    Example:\n        >>> {example}\n        {result}\n    "
    if op.name in OPTIONS:
        fn.__doc__ = OPTIONS[op.name].__doc__
    wrapped, more = taught(fn), OPTIONS.get(op.name)
    FUNCTIONS[op.name] = wrapped if more is None else showing(wrapped, more)


def showing(fn: F, of: Callable[..., Any]) -> F:
    """`fn`, for which `inspect.signature` and `help` show what `of` takes."""
    fn.__signature__ = signature(of)  # pyright: ignore[reportFunctionMemberAccess]
    return fn


op: Any = None  # in the copy of a function that an op has: the op


def checked(x: Any, y: Any) -> Any:
    """The call of an op that takes numbers in some places only. `op` is a global of the copy that the op has."""
    return op(*with_tensors(op, x, y))


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


def method_alone(fn: F) -> F:
    """Publish `fn` as a method of Tensor: its name is that of a room, or of something else."""
    METHODS[fn.__name__] = wrapped = taught(fn)
    return wrapped


def options(fn: F) -> F:
    """Let `fn` answer the calls of the op of its name that have more arguments than the op."""
    OPTIONS[fn.__name__] = wrapped = taught(fn)
    return wrapped


def fits(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call has the arguments that `fn` takes."""
    try:
        signature(fn).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def writable(fn: F) -> F:
    """Publish `fn` as `method` does, and as `x.<name>_(...)` too: its result fits into `x`, and is written there."""
    IN_PLACE[fn.__name__] = wrapped = method(fn)
    return wrapped


def alias(fn: Callable[..., Any], *names: str) -> None:
    """Publish a published function under further names, wherever it stands."""
    for book in (FUNCTIONS, METHODS, IN_PLACE):
        if book.get(fn.__name__) is fn:
            book.update(dict.fromkeys(names, fn))
