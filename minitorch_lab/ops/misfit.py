"""What a call that failed is told: which keyword was meant, or which argument is none that the function knows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from inspect import Parameter, Signature, signature
from traceback import walk_tb
from typing import Any

from ..array import is_number, xp
from ..errors import ArgumentError, MinitorchError

SYNONYMS = {"axis": "dim", "axes": "dim", "keepdims": "keepdim", "a_min": "min", "a_max": "max", "shape": "size"}
OURS = {__name__.partition(".")[0], "numpy", "cupy", "ml_dtypes", *sys.stdlib_module_names}
RAW = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
KINDS: dict[str, tuple[Any, str]] = {
    "int": (lambda v: isinstance(v, int), "a whole number"),
    "float": (lambda v: isinstance(v, (int, float)) or hasattr(v, "dtype"), "a number"),
    "bool": (lambda v: isinstance(v, (bool, int)), "True or False"),
    "str": (lambda v: isinstance(v, str), "a string"),
    "Tensor": (lambda v: hasattr(v, "dtype"), "a tensor"),
    "Callable": (callable, "a function"),
    "tuple": (lambda v: isinstance(v, tuple), "a tuple"),
    "list": (lambda v: isinstance(v, list), "a list"),
    "Sequence": (lambda v: isinstance(v, Sequence), "a list"),
    "Iterable": (lambda v: isinstance(v, Iterable) and not hasattr(v, "parameters"), "a list"),
    "Mapping": (lambda v: isinstance(v, Mapping), "a dict"),
    "Generator": (lambda v: hasattr(v, "get_state"), "a Generator"),
    "Any": (lambda v: is_number(v) or hasattr(v, "dtype") or isinstance(v, xp.dtype), "a tensor"),
}
ELSEWHERE = {"hstack": "cat", "vstack": "cat", "concatenate": "cat", "expand_dims": "unsqueeze", "array": "tensor"}
PLAIN = KINDS.keys() - {"Any"}
ANYTHING: tuple[Any, str] = (lambda v: True, "of another type")
NAMED = {
    "dtype": "a dtype", "device": "a device", "params": "the tensors to train", "model": "a module", "size": "a length",
    "shape": "a length", "dim": "a whole number", "dims": "whole numbers", "equation": "a string", "mask": "a mask",
}  # fmt: skip


def plainer(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """The arguments with Python's own numbers for those of NumPy and of subclasses (an IntEnum); None without any.

    Example:
        >>> plainer((xp.int64(3), 1.0), {"dim": (xp.int8(0),)})
        ((3, 1.0), {'dim': (0,)})
    """
    found = tuple(map(plain, args)), {name: plain(value) for name, value in kwargs.items()}
    pairs = zip((*found[0], *found[1].values()), (*args, *kwargs.values()), strict=True)
    return found if any(new is not old for new, old in pairs) else None


def plain(x: Any) -> Any:
    """`x`, as Python's own number if it is another kind of one."""
    if type(x) in (tuple, list):
        parts = [plain(part) for part in x]
        return type(x)(parts) if any(new is not old for new, old in zip(parts, x, strict=True)) else x
    if isinstance(x, xp.generic):
        return x.item()
    if is_number(x) or not isinstance(x, (int, float)):
        return x
    return int(x) if isinstance(x, int) else float(x)


def answer(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """The error that teaches what was wrong with `fn(*args, **kwargs)`; `error` itself if that says it, or is not ours.

    An inner function may have answered already: the outer one says it again in the words of its own arguments.
    """
    raw = getattr(error, "raw", error)
    if not isinstance(raw, RAW) or isinstance(raw, MinitorchError):
        return error
    spec, name = signature(fn), fn.__name__.lstrip("_") if fn.__name__ != "__init__" else fn.__qualname__.split(".")[0]
    try:
        given = dict(each_of(spec, args, kwargs))
    except TypeError as misfit:
        return unbound(name, spec, kwargs, misfit)
    if any(module_of(frame) not in OURS for frame, _ in walk_tb(error.__traceback__)):
        return error
    odd = [k for k, value in given.items() if value is getattr(raw, "obj", given)]
    odd += [k for k, value in given.items() if not fits(spec.parameters[k.partition("[")[0]], value)]
    odd += [k for k, value in given.items() if complains_of(raw, value)]
    if not odd and (raw is not error or isinstance(raw, AttributeError)):
        return error
    told = strange(name, spec, odd[0], given[odd[0]]) if odd else ArgumentError(f"{name}: {raw}.", takes(name, spec))
    told.raw = raw
    return told


def complains_of(error: Exception, value: Any) -> bool:
    """Whether an error speaks of the type of `value`, which is that of no tensor."""
    return f"'{type(value).__name__}' object" in str(error) and not hasattr(value, "dtype")


def module_of(frame: Any) -> str:
    """The package whose code runs in a frame."""
    return frame.f_globals.get("__name__", "").partition(".")[0]


def each_of(spec: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments by name: `dim`, or `size[1]` for one of several.

    Raises:
        TypeError: They do not fit the signature.
    """
    for name, value in spec.bind(*args, **kwargs).arguments.items():
        kind = spec.parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            yield from ((f"{name}[{i}]", part) for i, part in enumerate(value))
        elif kind is not Parameter.VAR_KEYWORD and name != "self":
            yield name, value


def fits(parameter: Parameter, value: Any) -> bool:
    """Whether a value is of a type that stands in the annotation; one that is the default always is."""
    if value is parameter.default:
        return True
    if isinstance(value, (tuple, list)) and value:
        return all(fits(parameter, part) for part in value)
    return any(known(value) for _, known, _ in kinds(parameter))


def kinds(parameter: Parameter) -> list[tuple[str, Any, str]]:
    """The types in an annotation, each with its test and in words. One that is not known here may be anything."""
    text = "Any" if parameter.annotation is Parameter.empty else str(parameter.annotation)
    while (outer := re.sub(r"\[[^\[\]]*\]", "", text)) != text:  # of list[int] only the list
        text = outer
    found = [(kind, *KINDS.get(kind, ANYTHING)) for kind in re.findall(r"\w+", text) if kind != "None"]
    return [(kind, known, words if kind in PLAIN else NAMED.get(parameter.name, words)) for kind, known, words in found]


def strange(name: str, spec: Signature, place: str, value: Any) -> ArgumentError:
    """The error of a value that is of no type that its parameter knows."""
    words = " or ".join(dict.fromkeys(words for *_, words in kinds(spec.parameters[place.partition("[")[0]])))
    hint = takes(name, spec)
    if place == "params" and hasattr(value, "parameters"):
        hint = "Did you mean model.parameters()?"
    return ArgumentError(f"{name} got {called(value)} as {place}.", f"{place} is {words}.", hint)


def called(value: Any) -> str:
    """A value in a sentence.

    Example:
        >>> called(None), called(1j), called([]), called(object())
        ('None', 'the complex 1j', 'a list', 'an object')
    """
    kind = type(value).__name__
    if isinstance(value, (str, int, float, complex)):
        return f"the {kind} {value!r}"
    return "None" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def unknown(module: str, short: str, name: str, names: Iterable[str]) -> AttributeError:
    """The error of a name that a module lacks, with the nearest one that it has.

    Example:
        >>> unknown("minitorch_lab", "ml", "sofmax", ["softmax"])
        AttributeError("minitorch_lab has no 'sofmax'. Did you mean ml.softmax?")
    """
    public = [found for found in names if not found.startswith("_")]
    near = get_close_matches(ELSEWHERE.get(name, name), public, 1, 0.76)
    return AttributeError(f"{module} has no {name!r}." + (f" Did you mean {short}.{near[0]}?" if near else ""))


def check_flag(name: str, value: Any) -> None:
    """Refuse what is neither True nor False.

    Raises:
        ArgumentError: It is.
    """
    if not isinstance(value, (bool, int)):
        raise ArgumentError(f"{name} got {called(value)}.", "It takes True or False.", f"Did you mean {name}(True)?")


def check_callable(name: str, value: Any) -> None:
    """Refuse what cannot be called.

    Raises:
        ArgumentError: It cannot.
    """
    if not callable(value):
        raise ArgumentError(f"{name} got {called(value)}.", "It takes a function.", "Give it a function of tensors.")


def takes(name: str, spec: Signature) -> str:
    """What `name` takes, in words."""
    found = [p for p, kind in spec.parameters.items() if kind.kind is not Parameter.VAR_KEYWORD]
    listing = ", ".join(p for i, p in enumerate(found) if i or p not in ("self", "x", "input"))
    return f"{name} takes {listing or 'nothing more'}."


def unbound(name: str, spec: Signature, kwargs: dict[str, Any], error: TypeError) -> ArgumentError:
    """The error of arguments that do not fit the signature, with the nearest keyword."""
    known = [p for p, kind in spec.parameters.items() if kind.kind is not Parameter.VAR_KEYWORD]
    unknown = next((k for k in kwargs if k not in known), None)
    if unknown is None:
        return ArgumentError(f"{name}: {error}.", takes(name, spec))
    nearest = SYNONYMS.get(unknown)
    if nearest not in known:
        nearest = next(iter(get_close_matches(unknown, known, 1, 0.62)), None)
    hint = f"Did you mean {nearest}={kwargs[unknown]!r}?" if nearest else ""
    listing = takes(name, spec).replace("nothing more", "no keywords")
    return ArgumentError(f"{name} got the keyword {unknown}.", listing, hint)
