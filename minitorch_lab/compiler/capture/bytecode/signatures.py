"""What a callable runs, and with which parameters: as the program writes them in its head."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from ....autograd.scope import Scope
from .door import as_python
from .engine import decorated, mode_begun, room

TRANSFORMS = {"grad", "value_and_grad", "grad_and_value", "vmap", "jacrev", "jacfwd"}  # what makes a function of one
UNSET = inspect.Parameter.empty  # a parameter that a call leaves to its default


def optional(f: Any) -> dict[str, str]:
    """The parameters of a function that have a default, and how a program reads it: as it is in each call."""
    names, count = f.__code__.co_varnames, f.__code__.co_argcount
    given, named = f.__defaults__ or (), f.__kwdefaults__ or {}
    same, there = "function.__defaults__ is DEFAULTS", "function.__kwdefaults__ is KWDEFAULTS"
    read = {name: f"DEFAULTS[{i}] if {same}" for i, name in enumerate(names[count - len(given) : count])}
    read |= {name: f"KWDEFAULTS[{name!r}] if {there} and {name!r} in KWDEFAULTS" for name in named}
    return {name: f"{text} else default({name!r})" for name, text in read.items()}


def known_of(f: FunctionType) -> dict[str, Any]:
    """What the head of a program asks whether it still holds of the function, by the names that it has there."""
    known = {"CODE": f.__code__, "DEFAULTS": f.__defaults__, "KWDEFAULTS": f.__kwdefaults__}
    return known | {"default": partial(default_of, f)}


def default_of(f: FunctionType, name: str) -> Any:
    """What a parameter is now that a call leaves out.

    Raises:
        TypeError: It has had a default, and has none any more.
    """
    found = inspect.signature(f, follow_wrapped=False).parameters[name]
    if found.default is UNSET:
        kind = "keyword-only" if found.kind is found.KEYWORD_ONLY else "positional"
        raise as_python(TypeError, f"{f.__qualname__}() missing 1 required {kind} argument: '{name}'")
    return found.default


def free_prefix(parameters: set[str], prefixes: tuple[str, ...]) -> str:
    """What the names of values begin with, so that no parameter has such a name."""
    return next(p for p in prefixes if not any(re.match(rf"{p}[\d_]", n) for n in parameters))


def transformed(f: Any) -> bool:
    """Whether a function is what a transform has made of another: `vmap(f)`, or what that is made of."""
    ours = (room(f) or "").startswith("func.") and bool(f.__closure__)
    return ours and f.__qualname__.partition(".<locals>.")[0] in TRANSFORMS


def target(f: Any) -> tuple[Any, tuple[Any, ...]]:
    """The function that a callable runs, and what it is bound to."""
    if isinstance(f, MethodType):
        return f.__func__, (f.__self__,)
    if type(f) is partial or transformed(f):
        return lambda *args, **kwargs: f(*args, **kwargs), ()
    if not isinstance(f, FunctionType) and not isinstance(f, type):
        call = inspect.getattr_static(type(f), "__call__", None)
        if isinstance(call, FunctionType):
            return call, (f,)
    return f, ()


def bound(f: Any) -> Callable[..., Any]:
    """What a callable runs, with what it is bound to."""
    function, me = target(f)
    return MethodType(function, me[0]) if me else function


def peeled(f: Any, blocks: list[Any]) -> tuple[Any, tuple[Any, ...]]:
    """As `target`, without decorators that run a call under another interpreter; what begins such joins `blocks`.

    So `ml.compile(ml.inference_mode()(f))` is the program of `f`, called in inference mode.
    """
    function, me = target(f)
    begin = decorated(function)
    if begin is None or mode_begun(begin) is not None or inspect.isgeneratorfunction(function):
        return function, me
    blocks.append(begin)
    function, inner = peeled(inspect.getclosurevars(function).nonlocals["fn"], blocks)
    return function, (*inner, *me)


def within(blocks: list[Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """A call inside such decorators, the first one outermost."""
    for begin in reversed(blocks):
        call = Scope(begin)(call)
    return call


def names_of_parameters(f: Any) -> set[str]:
    """The parameters of a function by name. Its other variables are not those of the program."""
    return set(inspect.signature(f, follow_wrapped=False).parameters) if isinstance(f, FunctionType) else set()


def parameters_of(f: FunctionType) -> tuple[str, str]:
    """The parameters of a function as they are written in its head, and as a call hands them on."""
    kinds = inspect.Parameter
    head, handed = list[str](), list[str]()
    parameters = list(inspect.signature(f, follow_wrapped=False).parameters.values())
    for i, p in enumerate(parameters):
        if p.kind is kinds.KEYWORD_ONLY and not any(s.startswith("*") for s in head):
            head.append("*")
        star = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(p.kind, "")
        head.append(star + p.name)
        handed.append(f"{p.name}={p.name}" if p.kind is kinds.KEYWORD_ONLY else star + p.name)
        following = parameters[i + 1].kind if i + 1 < len(parameters) else None
        if p.kind is kinds.POSITIONAL_ONLY and following is not kinds.POSITIONAL_ONLY:
            head.append("/")
    return ", ".join(head), ", ".join(handed)
