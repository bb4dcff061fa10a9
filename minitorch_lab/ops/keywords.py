"""Keywords under their other names: a call that does not fit its function's signature is read once more.

PyTorch takes NumPy's `axis=` and `keepdims=` beside its own names, and the operands as `input=` and `other=`. What sums
takes `dtype=`: the operand is brought to it first. None of it costs a call anything that fits as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

SYNONYMS: dict[str, tuple[str, ...]] = {
    "axis": ("dim", "dims"),
    "axes": ("dim", "dims"),
    "keepdims": ("keepdim",),
    "dims": ("dim",),
    "dim": ("dims",),
    "a_min": ("min",),
    "a_max": ("max",),
    "unbiased": ("correction",),
    "shape": ("size",),
    "size": ("shape",),
    "value": ("src",),
    "in_dims": ("in_axes",),
    "out_dims": ("out_axes",),
}
OPERANDS = {"input": 0, "self": 0, "other": 1}  # by their place
PLAIN_LAYOUTS = ("contiguous_format", "preserve_format", "strided")  # tensors lie in row order, whoever asks
OTHER_LAYOUTS = ("channels_last", "channels_last_3d")  # who asks for one gets a copy, as in PyTorch
MEANINGLESS: dict[str, Callable[[Any], bool]] = {
    "memory_format": lambda value: value is None or layout(value) in (*PLAIN_LAYOUTS, *OTHER_LAYOUTS),
    "layout": lambda value: value is None or layout(value) in PLAIN_LAYOUTS,
    "non_blocking": lambda value: True,
    "pin_memory": lambda value: True,
    "out": lambda value: value is None,
}


def layout(value: Any) -> str:
    """The name of a layout, of ours or of another package."""
    return str(value).rpartition(".")[2]


def in_dtype(fn: F) -> F:
    """Let `fn(x, ...)` take `dtype=` too: `x` is brought to it first, and so is the result."""
    fn.takes_dtype = True  # pyright: ignore[reportFunctionMemberAccess]
    return fn


def read_again(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], Any] | None:
    """The arguments in the names that `fn` knows, and the dtype asked for; None if that is no other call.

    Example:
        >>> def total(x, dim=None, keepdim=False): ...
        >>> read_again(total, (), {"input": 7, "axis": 1})
        ((7,), {'dim': 1}, None)
        >>> read_again(total, (7,), {"dmi": 1})
    """
    parameters = signature(fn).parameters
    if any(p.kind is Parameter.VAR_KEYWORD for p in parameters.values()):
        return None
    places = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    named: dict[str, Any] = {}
    dtype, changed = None, False
    for name, value in kwargs.items():
        if name == "dtype" and hasattr(fn, "takes_dtype"):
            dtype, changed = value, True
            continue
        known = meant(name, value, places, parameters)
        if known is None:
            return None
        changed = changed or known != name or parameters[known].kind is Parameter.VAR_POSITIONAL
        if known:
            named[known] = value
    if not changed:
        return None
    starred = next((n for n, p in parameters.items() if p.kind is p.VAR_POSITIONAL and n in named), None)
    args = (*args, *leading(places[len(args) :], named))
    if starred is not None:
        given = named.pop(starred)
        args = (*args, *(given if isinstance(given, (tuple, list)) else (given,)))
    return args, named, dtype


def leading(places: list[str], named: dict[str, Any]) -> list[Any]:
    """The arguments that stand for the next `places`, taken out of `named`: a first operand comes by its place."""
    found: list[Any] = []
    for place in places:
        if place not in named or place in SPOKEN:
            break
        found.append(named.pop(place))
    return found


SPOKEN = frozenset(name for names in SYNONYMS.values() for name in names)  # these stay keywords


def meant(name: str, value: Any, places: list[str], parameters: Mapping[str, Parameter]) -> str | None:
    """What a function calls the keyword `name`: "" if it means nothing here, None if there is no such keyword."""
    if name in parameters:
        return name
    if name in OPERANDS and OPERANDS[name] < len(places):
        return places[OPERANDS[name]]
    if name in MEANINGLESS and MEANINGLESS[name](value):
        return ""
    return next((known for known in SYNONYMS.get(name, ()) if known in parameters), None)
