"""What `ml.compile` returns: the function, module or other object itself, with a call that runs its program.

It is not another object that forwards a few names. It has the same `__dict__`, and where Python allows it is of a
subclass of the same class. So a compiled module is a module: its parameters are those of the original, it can stand in
other modules, be copied, pickled and told to train, by the methods that every module has.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from copy import copy, deepcopy
from types import FunctionType, MethodType, new_class
from typing import Any

# What the compiler tells of itself under its own name, unless the function or module has an attribute of that name.
TOLD = ("text", "graphs", "breaks", "recompiles", "captures", "reason")


class Optimized:
    """A function, module or other callable object, compiled. Each one is the only one of its class.

    `__wrapped__`, and `_orig_mod` as in PyTorch, is what was given to `ml.compile`; `_compiled` is the compiler's
    part. All other names are those of what was given, to read and to write. A name that it does not have may be one
    that the compiler tells: `text`, the program; `graphs`; `breaks`; `captures`, and `recompiles`, why there is more
    than one; `reason`, why it stays eager.
    """

    def __init_subclass__(cls, **_: Any) -> None:
        """A class made for one object is no subclass that anybody asked to be told of."""

    def __getattr__(self: Any, name: str) -> Any:
        """What is not in the `__dict__` or the class: a slot, an attribute of functions, a name of the compiler."""
        try:
            return getattr(self.__wrapped__, name)
        except AttributeError:
            if name not in TOLD:
                raise
        return getattr(self._compiled, name)

    def __setattr__(self: Any, name: str, value: Any) -> None:
        """Write to what was given."""
        setattr(self.__wrapped__, name, value)

    def __delattr__(self: Any, name: str) -> None:
        """Delete from what was given."""
        delattr(self.__wrapped__, name)

    # ---- copies -----------------------------------------------------------------------------------------------------
    def __copy__(self: Any) -> Any:
        """A shallow copy, compiled under the same settings, with no program yet."""
        return compiled_again(copy(self.__wrapped__), self)

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        """A deep copy likewise. Functions are not copied, as everywhere in Python."""
        return compiled_again(deepcopy(self.__wrapped__, memo), self)

    def __reduce_ex__(self: Any, protocol: Any) -> Any:
        """As a global if it is one, else what was given and the settings; never code."""
        found: Any = sys.modules.get(getattr(self, "__module__", None) or "")
        path = getattr(self.__wrapped__, "__qualname__", None)
        for part in (path or "").split("."):
            found = getattr(found, part, None)
        return path if found is self and path else (self._compiled.again, (self.__wrapped__,))


class OptimizedFunction(Optimized):
    """A function or method, compiled."""

    def __get__(self: Any, instance: Any, owner: Any = None) -> Any:
        """As a method."""
        bound = self.__wrapped__.__get__(instance, owner)
        return self if bound is self.__wrapped__ else MethodType(self, instance)

    def __repr__(self: Any) -> str:
        return f"<compiled {self.__wrapped__!r}>"


def optimized(compiled: Any) -> Any:
    """The callable that runs the program of `compiled`."""
    given = compiled.__wrapped__
    cls = class_of(given, compiled)
    made: Any = object.__new__(cls)
    if isinstance(shared := getattr(given, "__dict__", None), dict):
        object.__setattr__(made, "__dict__", shared)
    compiled.called_as(cls)
    return made


def class_of(given: Any, compiled: Any) -> type:
    """The class of one compiled object: of the class of `given` too, where Python allows.

    Made anew by `type(self)(...)`, say in a method, an object is one of the original class.
    """
    original = type(given)
    name = getattr(given, "__name__", "") if isinstance(given, FunctionType | MethodType) else original.__name__
    namespace: dict[str, Any] = {
        "__wrapped__": property(lambda self: given), "_orig_mod": property(lambda self: given),
        "_compiled": property(lambda self: compiled), "__new__": lambda cls, *args, **kwargs: original(*args, **kwargs),
        "__doc__": given.__doc__, "__module__": getattr(given, "__module__", None) or __name__,
    }  # fmt: skip
    if hasattr(original, "__del__"):
        namespace["__del__"] = lambda self: None  # the original runs it
    if compiled.me and compiled.me[0] is given:
        with suppress(TypeError):  # a class that cannot be a base, or whose objects have memory of their own kind
            cls = new_class(name, (Optimized, original), {}, lambda made: made.update(namespace))
            object.__new__(cls)
            return cls
    base = OptimizedFunction if hasattr(original, "__get__") else Optimized
    return new_class(name, (base,), {}, lambda made: made.update(namespace))


def compiled_again(copied: Any, of: Any) -> Any:
    """A copy of what was compiled, compiled; the compiled object itself if there is no other."""
    return of if copied is of.__wrapped__ else of._compiled.again(copied)


def original_of(x: Any, name: str) -> Any:
    """Whose attribute `x.name` is: of a compiled object the original's, so that a capture knows one of the two."""
    if not isinstance(x, Optimized) or name in TOLD or name in vars(type(x)):
        return x
    return x.__wrapped__  # pyright: ignore[reportAttributeAccessIssue]


def compiled_part(of: Any) -> Any:
    """The compiler's part of a compiled function or module; anything else as it is."""
    return of._compiled if isinstance(of, Optimized) else of
