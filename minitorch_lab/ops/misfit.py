"""What a call that failed is told: which keyword was meant, or which argument is none that the function knows."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from inspect import Parameter, Signature, signature
from os import PathLike
from traceback import walk_tb
from typing import Any

from ..core.array import is_number, xp
from ..errors import ArgumentError, MinitorchError, ShapeError
from .meant import describe_value, is_batch, nearest_keyword, remedy, shown

OURS = {__name__.partition(".")[0], "numpy", "cupy", "ml_dtypes", *sys.stdlib_module_names}
RAW = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
CALLED = re.compile(r"([\w.<>]+)\(\) (?:missing|takes|got) (?!an invalid)")  # a call that failed, in Python's words
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
    "Parameters": (lambda v: isinstance(v, Iterable), "the tensors to train"),
    "Generator": (lambda v: hasattr(v, "get_state"), "a Generator"),
    "Any": (lambda v: is_number(v) or hasattr(v, "dtype") or isinstance(v, xp.dtype), "a tensor"),
}
HOLD_TENSORS = {"Tensor", "Iterable", "Sequence", "Mapping", "Module"}  # in an annotation
PARAMETERS = ("params", "parameters", "tensors")  # parameters that are the tensors to train
TENSORS = ("x", "input", "target")  # parameters that are one tensor, wherever they stand
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
    truth = isinstance(raw, ShapeError) and str(raw).startswith("The truth of")  # of a tensor where a flag stands
    if not isinstance(raw, RAW) or (isinstance(raw, MinitorchError) and not truth):
        return error
    spec, name = signature(fn), fn.__name__.lstrip("_") if fn.__name__ != "__init__" else class_made(fn, args)
    try:
        given = dict(each_of(spec, args, kwargs))
    except TypeError as misfit:
        return unbound(name, spec, args, kwargs, misfit)
    if any(module_of(frame) not in OURS for frame, _ in walk_tb(error.__traceback__)) or of_another(raw, fn):
        return error
    if truth:
        odd = [k for k, value in given.items() if is_batch(value) and takes_only(spec.parameters, k, ("bool",))]
        return strange(name, spec, odd[0], given[odd[0]]) if odd else error
    odd = [k for k, value in given.items() if value is getattr(raw, "obj", given)]
    unfit = [k for k, value in given.items() if not fits(spec.parameters[k.partition("[")[0]], value)]
    odd += [k for k in unfit if not takes_only(spec.parameters, k, ("Any",))]
    odd += [k for k, value in given.items() if complains_of(raw, value)]
    odd += [k for k in unfit if k.partition("[")[0] in NAMED or not spoken_of(raw)]
    if not odd and (raw is not error or isinstance(raw, AttributeError)):
        return error
    if odd:
        told = exchanged(name, spec, given, odd[0]) or strange(name, spec, odd[0], given[odd[0]])
    else:
        told = ArgumentError(f"{name}: {raw}.", takes(name, spec))
    told.raw = raw
    return told


def class_made(init: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The class that a constructor was called for: it may be inherited by the one that the user knows."""
    heirs = type(args[0]).__mro__ if args else ()
    names = [cls.__name__ for cls in heirs if getattr(cls.__init__, "__wrapped__", None) is init]
    return names[0] if names else init.__qualname__.split(".")[0]


def of_another(error: Exception, fn: Callable[..., Any]) -> bool:
    """Whether an error says how another function than `fn` was called: one that the caller has handed over.

    Example:
        >>> of_another(TypeError("push() missing 1 required positional argument: 'out'"), sum)
        True
    """
    called = CALLED.match(str(error)) if isinstance(error, TypeError) else None
    return called is not None and called[1].rpartition(".")[2] not in (fn.__name__, "__init__")


def complains_of(error: Exception, value: Any) -> bool:
    """Whether an error speaks of the type of `value`, which is that of no tensor."""
    return f"'{type(value).__name__}' object" in str(error) and not hasattr(value, "dtype")


def spoken_of(error: Exception) -> bool:
    """Whether an error says what it is about, other than an attribute or an item that something lacks."""
    return bool(str(error)) and isinstance(error, (TypeError, ValueError))


def takes_only(parameters: Mapping[str, Parameter], place: str, words: tuple[str, ...]) -> bool:
    """Whether the types of a parameter are these alone."""
    return {kind for kind, *_ in kinds(parameters[place.partition("[")[0]])} <= set(words)


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


def suits(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the arguments of a call are of the types that `fn` writes down; a call that is not may work all the same.

    Example:
        >>> def total(x: Any, dim: int = 0, keepdim: bool = False):
        ...     return x
        >>> suits(total, (xp.ones(2),), {"keepdim": True}), suits(total, (xp.ones(2),), {"keepdim": "yes"})
        (True, False)
    """
    known = parameters_of(fn)
    pairs = [*zip(known.values(), args, strict=False), *((known[k], v) for k, v in kwargs.items() if k in known)]
    if fn.__name__ == "__init__" and any(is_batch(value) and settles(known, p.name) for p, value in pairs):
        return False
    return all(suited(p, value) for p, value in pairs)


def suited(parameter: Parameter, value: Any) -> bool:
    """Whether a value is of a type that is written down, or, where any is, not plainly of a wrong one."""
    if parameter.name == "params":
        return hasattr(value, "__iter__") and not callable(value)
    if not any(kind == "Any" for kind, *_ in kinds(parameter)):
        return parameter.kind is parameter.VAR_POSITIONAL or fits(parameter, value)
    if parameter.kind is parameter.VAR_POSITIONAL or parameter.name in ("size", "pad"):
        return not isinstance(value, (str, float, type(None)))
    return parameter.name not in TENSORS or not isinstance(value, (str, list, int, type(None)))


@lru_cache(maxsize=1024)
def parameters_of(fn: Callable[..., Any]) -> Mapping[str, Parameter]:
    """The parameters of a function."""
    return signature(fn).parameters


@lru_cache(maxsize=1024)
def kinds(parameter: Parameter) -> list[tuple[str, Any, str]]:
    """The types in an annotation, each with its test and in words. One that is not known here may be anything."""
    text = "Any" if parameter.annotation is Parameter.empty else str(parameter.annotation)
    while (outer := re.sub(r"\[[^\[\]]*\]", "", text)) != text:  # of list[int] only the list
        text = outer
    found = [(kind, *KINDS.get(kind, ANYTHING)) for kind in re.findall(r"\w+", text) if kind != "None"]
    return [(kind, known, words if kind in PLAIN else NAMED.get(parameter.name, words)) for kind, known, words in found]


def exchanged(name: str, spec: Signature, given: dict[str, Any], place: str) -> ArgumentError | None:
    """The error of two arguments of which each stands where the other belongs; None if no other one fits at `place`."""
    known = spec.parameters
    for other in given.keys() & known.keys() - {place}:
        if place not in known or fits(known[other], given[other]) or not fits(known[other], given[place]):
            continue
        if fits(known[place], given[other]):
            right = {**given, place: given[other], other: given[place]}
            parts = ("model.parameters()" if k in PARAMETERS else written(k, v) for k, v in right.items())
            return ArgumentError(
                f"{name} got {describe_value(given[place])} as {place}, and {describe_value(given[other])} as {other}.",
                takes(name, spec),
                f"Did you mean {name}({', '.join(parts)})?",
            )
    return None


def written(place: str, value: Any) -> str:
    """A value as it stands in a call: a number or a string as it is, anything else by the name of its place."""
    return repr(value) if is_number(value) or isinstance(value, str) else place


def strange(name: str, spec: Signature, place: str, value: Any) -> ArgumentError:
    """The error of a value that is of no type that its parameter knows."""
    parameter = spec.parameters[place.partition("[")[0]]
    words = " or ".join(dict.fromkeys(words for *_, words in kinds(parameter)))
    takes_tensor = any(kind == "Tensor" or parameter.name in (*TENSORS, "y") for kind, *_ in kinds(parameter))
    hint = remedy(value, takes_tensor) or takes(name, spec)
    if place == "pad" and isinstance(value, int):
        hint = f"Did you mean ({value}, {value})? Before and after, last axis first."
    if place == "params":
        hint = remedy(value, False) or hint
    if hasattr(value, "parameters"):  # a model where its tensors stand
        hint = "Did you mean layer.weight?" if takes_tensor else hint
        hint = "Did you mean model.parameters()?" if place in PARAMETERS else hint
    if place == "state_dict":
        file = f"Did you mean {name}(ml.load({value!r}))? It reads the file."
        hint = file if isinstance(value, (str, PathLike)) else hint
        hint = "Did you mean model.state_dict()?" if hasattr(value, "state_dict") else hint
    subject = "It" if words == f"a {place}" else place
    return ArgumentError(f"{name} got {describe_value(value)} as {place}.", f"{subject} is {words}.", hint)


def check_flag(name: str, value: Any, meant: str = "") -> None:
    """Refuse what is neither True nor False; `meant` is what to write, unless it is a call.

    Raises:
        ArgumentError: It is.
    """
    if not isinstance(value, (bool, int)):
        raise ArgumentError(
            f"{name} got {describe_value(value)}.",
            "It takes True or False.",
            f"Did you mean {meant or f'{name}(True)'}?",
        )


def check_callable(name: str, value: Any) -> None:
    """Refuse what cannot be called.

    Raises:
        ArgumentError: It cannot.
    """
    if not callable(value):
        raise ArgumentError(
            f"{name} got {describe_value(value)}.", "It takes a function.", "Give it a function of tensors."
        )


def takes(name: str, spec: Signature) -> str:
    """What `name` takes, in words."""
    found = [p for p, kind in spec.parameters.items() if kind.kind is not Parameter.VAR_KEYWORD]
    listing = ", ".join(p for i, p in enumerate(found) if i or p not in ("self", "x"))
    return f"{name} takes {listing or 'nothing more'}."


def unbound(
    name: str, spec: Signature, args: tuple[Any, ...], kwargs: dict[str, Any], error: TypeError
) -> ArgumentError:
    """The error of arguments that do not fit the signature, with the nearest keyword or the call that lacks nothing."""
    known = [p for p, kind in spec.parameters.items() if kind.kind is not Parameter.VAR_KEYWORD]
    unknown = next((k for k in kwargs if k not in known), None)
    if unknown is not None:
        nearest = nearest_keyword(unknown, (p for p in known if p not in kwargs and p != "self"))
        hint = f"Did you mean {nearest}={value_for(spec.parameters[nearest], kwargs[unknown])}?" if nearest else ""
        listing = takes(name, spec).replace("nothing more", "no keywords")
        return ArgumentError(f"{name} got the keyword {unknown}.", listing, hint)
    places = [
        p for p in known if spec.parameters[p].kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    ]
    if len(args) <= len(places):
        lacks = str(error).startswith("missing")
        hint = f"Did you mean {completed(name, spec, args, kwargs)}?" if lacks else ""
        return ArgumentError(f"{name}: {error}.", takes(name, spec), hint)
    extra = args[len(places) :]
    hint, first = "", args[len(places) - 1] if places else None
    if places[:1] == ["data"] and all(map(is_number, args)):
        hint = f"Did you mean one list, {name}({shown(list(args))})?"
    elif (
        places
        and "list" in " ".join(words for *_, words in kinds(spec.parameters[places[-1]]))
        and type(first) is type(extra[0])
    ):
        hint = f"Did you mean one list, {name}([...])?"
    many = "1 argument" if len(extra) == 1 else f"{len(extra)} arguments"
    return ArgumentError(f"{name} got {many} too many: {describe_value(extra[0])}.", takes(name, spec), hint)


def value_for(parameter: Parameter, value: Any) -> str:
    """A value as the parameter takes it: the default, or dots, if this one does not fit."""
    alike = isinstance(value, tuple) if isinstance(parameter.default, tuple) else fits(parameter, value)
    if alike:
        return shown(value)
    return repr(parameter.default) if isinstance(parameter.default, (tuple, int, float, str)) else "..."


def completed(name: str, spec: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call with the names of what it lacks in their places.

    Example:
        >>> completed("Linear", signature(lambda self, inside, outside, bias=True: 0), (None, 3), {})
        'Linear(3, outside)'
    """
    given = spec.bind_partial(*args, **kwargs).arguments
    parts, gap = list[str](), False
    for place, parameter in spec.parameters.items():
        lacking = parameter.default is Parameter.empty and place not in given
        if place == "self" or parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            continue
        if lacking or not same(given.get(place, parameter.default), parameter.default):
            written = repr(given[place]) if place in given else place
            if place in given and place in PARAMETERS and hasattr(given[place], "parameters"):
                written = "model.parameters()"
            part = place if len(written) > 40 or "<" in written or "tensor" in written else written
            parts.append(f"{place}={part}" if gap or parameter.kind is Parameter.KEYWORD_ONLY else part)
        else:
            gap = True
    return f"{name}({', '.join(parts)})"


def same(value: Any, default: Any) -> bool:
    """Whether a value is the default."""
    return value is default or (is_number(value) and is_number(default) and value == default)


def check_settings(name: str, spec: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse tensors among the settings of what is made first and called with tensors then, such as a layer.

    Raises:
        ArgumentError: One is there, at the place of a setting that is none.
    """
    tensors = [value for value in (*args, *kwargs.values()) if is_batch(value)]
    if not tensors:
        return
    try:
        given = dict(each_of(spec, (None, *args), kwargs))
    except TypeError:
        if not any(map(is_batch, args)):
            return  # the keyword that there is none of has words of its own
        given = {"": tensors[0]}
    place = next((k for k, v in given.items() if is_batch(v) and (not k or settles(spec.parameters, k))), None)
    if place is not None:
        spoken = "" if place.startswith("args[") else place
        inputs = "x" if len(tensors) == 1 else "input, target" if name.endswith("Loss") else "x, y"
        raise ArgumentError(
            f"{name} got {describe_value(given[place])}{' as ' * bool(spoken)}{spoken}.",
            f"{name} is made from its settings first, and the result is called with tensors.",
            f"Did you mean {completed(name, spec, (), {})}({inputs})?",
        )


def settles(parameters: Mapping[str, Parameter], place: str) -> bool:
    """Whether a parameter is a setting, and holds no tensor."""
    return not HOLD_TENSORS & {kind for kind, *_ in kinds(parameters[place.partition("[")[0]])}
