"""What is told of a module that was written wrong: a part of another kind, or too early, or a slip in a name."""

from __future__ import annotations

from difflib import get_close_matches
from inspect import isfunction
from typing import Any

from ..errors import ArgumentError
from ..ops.absent import unknown
from ..ops.meant import describe_value, is_batch
from ..tensors.tensor import Tensor

PACKAGE = f"{__name__.partition('.')[0]}."


class NoAttributeError(AttributeError):
    """The error of an attribute that a module lacks, made of the two. Its words are found when it is read."""

    def __str__(self) -> str:
        """What was probably meant."""
        module, name = self.args
        if slip := misspelt_init(type(module)):
            return f"{type(module).__name__} has no {name!r}. {slip}"
        return str(unknown(type(module).__name__, "model", name, lambda: (*vars(module), *dir(type(module)))))

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        """In another process, or stored: an error with the same words."""
        return AttributeError, (str(self),)


NoAttributeError.__name__ = NoAttributeError.__qualname__ = "AttributeError"  # what Python's readers know


def meant_for(cls: type, name: str) -> str:
    """The method that a user has written with a slip in the name `name`; "" if there is none."""
    own = [
        k
        for base in cls.__mro__
        if not base.__module__.startswith(PACKAGE)
        for k, v in vars(base).items()
        if isfunction(v)
    ]
    return next(iter(get_close_matches(name, [k for k in own if k != name], 1, 0.8)), "")


def misspelt_init(cls: type) -> str:
    """What is told of a class whose `__init__` has a slip in its name, so that Python never calls it; "" of others."""
    near = meant_for(cls, "__init__") if (cls.__init__.__module__ or "").startswith(PACKAGE) else ""
    return f"Did you mean __init__, with two underscores on each side, by {cls.__name__}.{near}?" if near else ""


def unasked(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ArgumentError:
    """Arguments have reached Module.__init__, which takes none."""
    cls = type(module)
    given = describe_value(args[0]) if args else f"the keyword {next(iter(kwargs))}"
    return ArgumentError(
        f"{cls.__name__} got {given}, and no __init__ of its own takes it.",
        "Module.__init__ takes no arguments: a subclass takes its own, and calls super().__init__() without them.",
        misspelt_init(cls) or f"Write def __init__(self, ...): super().__init__() in class {cls.__name__}.",
    )


def not_begun(module: Any) -> ArgumentError:
    """A module has no room for parts: nobody called `super().__init__()`."""
    cls = type(module).__name__
    return ArgumentError(
        f"{cls} has no parameters, buffers or modules yet: Module.__init__ has not run.",
        "A module collects its parts only after super().__init__().",
        f"Make super().__init__() the first line of {cls}.__init__.",
    )


def too_early(module: Any, name: str) -> ArgumentError:
    """A part is assigned before the module has room for it."""
    cls = type(module).__name__
    return ArgumentError(
        f"{cls} assigns {name!r} before Module.__init__ has run.",
        "A module can collect its parameters, buffers and modules only after super().__init__().",
        f"Make super().__init__() the first line of {cls}.__init__.",
    )


def misfit(module: Any, home: str, name: str, value: Any) -> ArgumentError:
    """Something of the wrong kind is assigned to the name of a part."""
    kind = {"_parameters": "Parameter", "_buffers": "Tensor", "_modules": "Module"}[home]
    hint = f"Give a {kind} or None, or del module.{name} first."
    # Of a tensor it is said here, which a compiled call can follow: it needs no more than the shape.
    given = f"a tensor of shape {tuple(value.shape)}" if isinstance(value, Tensor) else describe_value(value)
    if isinstance(value, Tensor) or (home == "_parameters" and is_batch(value)):
        inner = "value" if isinstance(value, Tensor) else "ml.tensor(value)"
        hint = f"Did you mean nn.Parameter({inner}), or del module.{name} first?"
    return ArgumentError(
        f"{type(module).__name__}.{name} got {given}.",
        f"{name!r} belongs to a {kind} of this module.",
        hint,
    )
