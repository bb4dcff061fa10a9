"""What the machine asks before it enters a function: whether it may, in whose place, and what it relies on then."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Sequence
from functools import wraps
from types import FunctionType
from typing import Any

from ....ops.misfit import suits
from .engine import entered, room, untaught
from .known import SCALED
from .names import GiveUp
from .plain import World
from .protocols import VIEWS
from .walks import Walks


def while_recording(ask: Callable[..., Any]) -> Callable[..., Any]:
    """What the machine asks without the door: where nothing is written down any more, the plain world answers."""

    @wraps(ask)
    def answer(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not self.off:
            try:
                return ask(self, *args, **kwargs)
            except GiveUp as why:
                self.stop(str(why))
        return getattr(World, ask.__name__)(self, *args, **kwargs)

    return answer


class Entering(Walks):
    """The part of the recorder that knows functions."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.worded: dict[Any, Any] = {}  # who words the errors of a function of the engine

    def unknown(self, f: Any) -> bool:
        """Whether a function is one of this package's, made anew in every call: what it does is not in its code."""
        return type(f) is FunctionType and room(f) is not None and self.made_anew(f)

    def opaque(self, f: Any) -> bool:
        """Whether a function is never entered."""
        return isinstance(f, FunctionType) and (not entered(f) or "__opaque__" in f.__dict__)

    def untaught(self, f: Any) -> Any:
        """The function inside one that words its errors: a call that fits runs that."""
        return untaught(f)

    @while_recording
    def look(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """What a function gives that changes nothing: asked in every call."""
        if isinstance(f, type) and self.fixed(args):
            return f(*args, **kwargs)
        if isinstance(f, type) or not self.fixed((*args, *kwargs.values())):
            return self.do(f, *args, **kwargs)
        return self.perform(f, args, kwargs, renew="text")

    @while_recording
    def misfit(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call whose arguments do not fit: no code of the function runs, and the error is always this one."""
        if not isinstance(f, FunctionType) or self.machine.bind(f, args, kwargs) is not None:
            return self.do(f, *args, **kwargs)
        self.relies_on_defaults(f)
        return f(*args, **kwargs)

    def relies_on_defaults(self, f: Any) -> None:
        """Guard which parameters of a function have defaults, where a call fits it or does not for them."""
        for part in ("__defaults__", "__kwdefaults__"):
            self.guard(f"{self.c.pool(f)}.{part} is {self.c.entry(getattr(f, part))}", True, ())

    def fixed(self, xs: Any) -> bool:
        """Whether values are the same in every call."""
        return not self.off and not any(map(self.tracked, xs))

    def enters(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether the Python version of a builtin is entered: not where it only moves constants."""
        return self.off or any(self.tracked(a) or type(a) is FunctionType for a in args)

    @while_recording
    def one_by_one(self, xs: Any, x: Any) -> bool:
        """Whether `x in xs` is found out by comparing with one entry after the other."""
        if type(xs) in (*VIEWS, deque):
            return True
        if type(xs) in (list, tuple):
            return self.tracked(x) or any(map(self.tracked, self.inside(xs)))
        return super().one_by_one(xs, x)

    def within(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function only wraps: a taught one what it answers right calls with."""
        if not isinstance(f, FunctionType):
            return f
        if f in SCALED and any(id(a) in self.names for a in (*args[2:], kwargs.get("alpha"))):
            return SCALED[f]
        f = f if kwargs else vars(f).get("__plain__", f)
        inner = untaught(f)
        fits = inner is f or self.machine.bind(inspect.unwrap(inner), args, kwargs) is not None
        if not fits or (inner is not f and not suits(inner, args, kwargs)):
            return f
        self.worded[inner] = f
        return inner

    @while_recording
    def owns(self, x: Any, name: str) -> bool:
        """Whether an object has an entry of its own."""
        return super().owns(x, name)

    @while_recording
    def remembered(self, f: Any, part: str) -> Any:
        """The defaults of a function."""
        return super().remembered(f, part)

    @while_recording
    def cells(self, f: FunctionType) -> Sequence[Any]:
        """The cells of a function."""
        return super().cells(f)

    @while_recording
    def relies(self, cls: type, name: str) -> None:
        """The machine has gone by what a class says of a name."""
        super().relies(cls, name)

    @while_recording
    def relies_on(self, f: Any) -> None:
        """The machine is about to enter a function."""
        super().relies_on(f)
