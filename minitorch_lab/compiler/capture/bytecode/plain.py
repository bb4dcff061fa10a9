"""The world as it is. With it the machine is a slow Python, and can be tested as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from . import inpython
from .generators import Generator
from .lookup import own_dict
from .machine import Machine


class World:
    """What every machine asks besides `do`; a world that records has more to say to most of it."""

    records = False

    def do(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """Do it: the door."""
        raise NotImplementedError

    def real(self, x: Any) -> Any:
        """`x` as code outside the machine may see it."""
        return x.whole() if isinstance(x, Generator) else x

    def literal(self, v: Any) -> Any:
        """A constant of the code."""
        return v

    def look(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """What a function gives that changes nothing."""
        return self.do(f, *args, **kwargs)

    def misfit(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call whose arguments do not fit."""
        return self.do(f, *args, **kwargs)

    def fixed(self, xs: Any) -> bool:
        """Whether values are the same in every call."""
        return False

    def unknown(self, f: Any) -> bool:
        """Whether nothing is known of `f` but that it can be called."""
        return False

    def opaque(self, f: Any) -> bool:
        """Whether `f` is never entered."""
        return False

    def untaught(self, f: Any) -> Any:
        """The function inside one that words its errors."""
        return f

    def enters(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether the Python version of a builtin is entered."""
        return True

    def polyfill(self, f: Any) -> bool:
        """Whether `f` is one of the Python versions of builtins."""
        return str(f.__module__).startswith(inpython.__name__)

    def one_by_one(self, xs: Any, x: Any) -> bool:
        """Whether `x in xs` is found out by comparing with one entry after the other."""
        return isinstance(xs, Generator)

    def within(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function that `f` only wraps."""
        return f

    def remembered(self, f: Any, part: str) -> Any:
        """The defaults of a function."""
        return getattr(f, part)

    def cells(self, f: FunctionType) -> Sequence[Any]:
        """The cells of a function."""
        return f.__closure__ or ()

    def goes_on(self, generator: Any) -> None:
        """A generator is about to go on."""

    def drop_unheld(self) -> None:
        """A call of the machine's is over, and what it alone held is gone."""

    def owns(self, x: Any, name: str) -> bool:
        """Whether an object has an entry of its own."""
        return name in (own_dict(x) or ())

    def repeats(self, f: Any, *args: Any) -> bool:
        """Whether `f(*args)` has been done already, as one step: then what classes say of it by now is no matter."""
        return False

    def origin(self, view: Any) -> Any:
        """The dict that a view of one shows, if it is known."""
        return None

    def relies(self, cls: type, name: str) -> None:
        """The machine has gone by what a class says of a name."""

    def relies_on(self, f: Any) -> None:
        """The machine is about to enter `f`."""


class Plain(World):
    """The world as it is."""

    def do(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """Do it."""
        return f(*map(self.real, args), **{k: self.real(v) for k, v in kwargs.items()})


def interpreted(f: Callable[..., Any], world: type[World] = Plain) -> Callable[..., Any]:
    """`f`, run by the machine in a world.

    Example:
        >>> interpreted(lambda n: [i * i for i in range(n) if i % 2])(8)
        [1, 9, 25, 49]
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        machine = Machine(world())
        try:
            return machine.world.real(machine.call(f, *args, **kwargs))
        except Exception as error:
            raise machine.leaving(error) from error.__cause__

    return run
