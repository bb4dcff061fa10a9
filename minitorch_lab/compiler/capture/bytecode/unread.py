"""Floats of which nobody knows the value: what a function of the engine does with them is noted, and nothing else goes.

Such a function hands a number to ops, computes another one with it, or compares it. What it computes becomes a line of
the program, what it compares a guard; anything else is refused, and the number is then asked for.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from ....core.array import NUMBERS, is_number

BINARY = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow)
UNARY = (operator.neg, operator.pos, operator.abs)
COMPARING = {
    operator.eq: "==", operator.ne: "!=", operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=",
}  # fmt: skip


class Looked(TypeError):  # noqa: N818 (it is no error: the number is asked for)
    """A float that was to be handed on is looked at."""


@dataclass(eq=False)
class Account:
    """What is done with the floats of one call.

    `made` holds the numbers that are computed, by how they are: in the order in which they were. `asked` holds what was
    compared: how many numbers had been computed by then, a number, the sign, the other side, and whether it holds.
    """

    made: dict[Any, Unread] = field(default_factory=dict)
    asked: list[tuple[int, Unread, str, Any, bool]] = field(default_factory=list)

    def steps(self, given: list[Any]) -> tuple[Any, ...]:
        """How the numbers are computed: functions, and operands by their places among what is given or computed."""
        places = {id(x): i for i, x in enumerate(given)}
        at = {id(x): i for i, x in enumerate(self.made.values())}

        def place(x: Any) -> tuple[str, Any]:
            if type(x) is not Unread:
                return "constant", x
            return ("given", places[id(x.number)]) if x.how is None else ("made", at[id(x)])

        return tuple((x.how[0], *map(place, x.how[1])) for x in self.made.values())


def carried_out(
    steps: tuple[Any, ...], given: list[Any], do: Callable[..., Any], ask: Callable[[list[Any]], None]
) -> None:
    """Compute numbers in some steps, by `do`, from those that are given; `ask` is told of them before each and at last.

    What was compared before a number was computed decided that it was: it is to be compared before that again.
    """
    made = list[Any]()
    for function, *operands in steps:
        ask(made)
        held = {"given": given, "made": made}
        made.append(do(function, *[held[kind][x] if kind in held else x for kind, x in operands]))
    ask(made)


def named(x: Any) -> Any:
    """The number that stands behind one which a function could not read."""
    return x.number if type(x) is Unread else x


class Unread:
    """A float that is handed on, computed with and compared: what else a function does with it is an error."""

    __slots__ = ("account", "how", "number")
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self, number: float, account: Account, how: Any = None) -> None:
        self.number, self.account, self.how = number, account, how  # `how` is a function and its operands

    def __bool__(self) -> bool:
        """Whether it is not 0."""
        return compared("!=", operator.ne, self, 0)


def computed(function: Callable[..., Any], *operands: Any) -> Unread:
    """What a function gives of floats, one of them unread; the same one if it has been computed."""
    if any(type(x) not in (int, float, Unread) for x in operands):
        raise Looked
    account = next(x.account for x in operands if type(x) is Unread)
    key = function, *(id(x) if type(x) is Unread else (type(x), repr(x)) for x in operands)
    if key not in account.made:
        number = function(*map(named, operands))
        if type(number) is not float:
            raise Looked
        account.made[key] = Unread(number, account, (function, operands))
    return account.made[key]


def compared(sign: str, function: Callable[..., bool], x: Unread, other: Any) -> bool:
    """Note a comparison, and answer it."""
    if type(other) not in (int, float, Unread) or (type(other) is not Unread and other - other != 0):
        raise Looked
    holds = function(x.number, named(other))
    x.account.asked.append((len(x.account.made), x, sign, other, holds))
    return holds


def binary(function: Callable[..., Any], swapped: bool) -> Any:
    """The method of an operator of two operands; a tensor on the other side has its own."""

    def method(self: Unread, other: Any) -> Any:
        if not is_number(other):
            return NotImplemented
        return computed(function, *((other, self) if swapped else (self, other)))

    return method


def unary(function: Callable[..., Any]) -> Any:
    """The method of an operator of one operand."""
    return lambda self: computed(function, self)


def comparing(sign: str, function: Callable[..., bool]) -> Any:
    """The method of a comparison."""

    def method(self: Unread, other: Any) -> Any:
        return compared(sign, function, self, other) if is_number(other) else NotImplemented

    return method


class Held(float):
    """The same float where it is an instance of `float` as any other. What is computed of it is one too."""


def held(name: str) -> Any:
    """The method of an operator."""
    method = getattr(float, name)

    def call(*operands: Any) -> Any:
        found = method(*operands)
        return Held(found) if type(found) is float else found

    return call


for _function in BINARY:
    _name = _function.__name__
    setattr(Unread, f"__{_name}__", binary(_function, swapped=False))
    setattr(Unread, f"__r{_name}__", binary(_function, swapped=True))
    setattr(Held, f"__{_name}__", held(f"__{_name}__"))
    setattr(Held, f"__r{_name}__", held(f"__r{_name}__"))
for _function in UNARY:
    setattr(Unread, f"__{_function.__name__}__", unary(_function))
    setattr(Held, f"__{_function.__name__}__", held(f"__{_function.__name__}__"))
for _function, _sign in COMPARING.items():
    setattr(Unread, f"__{_function.__name__}__", comparing(_sign, _function))
NUMBERS[Unread] = NUMBERS[Held] = NUMBERS[float]
Real.register(Unread)
