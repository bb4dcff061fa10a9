"""Names that are not here: what PyTorch has under them, and what to write instead; or the nearest name that is here.

All that is said of PyTorch's names stands in one table, absent.toml. The book's page *Coming from PyTorch* shows it.
It is read when a name is missing and somebody reads the error.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from .meant import nearest_name


class Reason(NamedTuple):
    """Why some names of PyTorch's are not here, what to write instead, the names, and what to write for some alone."""

    why: str
    write: str
    names: tuple[str, ...]
    here: dict[str, str]

    def instead(self, name: str) -> str:
        """What to write for a name.

        Example:
            >>> Reason("Only methods write in place", "x.{name}(...)", ("exp_",), {}).instead("exp_")
            'x.exp_(...)'
        """
        base = name.rstrip("_")
        short = {
            "view": name.removesuffix("_copy"),
            "python": name.removeprefix("sym_"),
        }
        return self.here.get(name) or self.write.format(name=name, base=base, **short)


@cache
def reasons() -> tuple[Reason, ...]:
    """The table."""
    table = tomllib.loads(Path(__file__).with_name("absent.toml").read_text("utf-8"))
    rows = table.values()
    return tuple(Reason(row["why"], row["write"], tuple(row["names"].split()), row.get("here", {})) for row in rows)


@cache
def elsewhere() -> dict[str, dict[str, str]]:
    """What other libraries call something, by where they look for it: what to write here."""
    return tomllib.loads(Path(__file__).with_name("elsewhere.toml").read_text("utf-8"))


def sentence(short: str, name: str) -> str:
    """What there is to say of a name of PyTorch's that is not here; "" of others.

    Example:
        >>> sentence("ml", "exp_")
        'In PyTorch, not here: ml.exp_. Only methods write in place. Write x.exp_(...) instead.'
    """
    for reason in reasons():
        if name in reason.names:
            return f"In PyTorch, not here: {short}.{name}. {reason.why}. Write {reason.instead(name)} instead."
    return ""


class MissingNameError(AttributeError):
    """The error of a name that a module or a class lacks. Its words are found when it is read: most only ask."""

    def __init__(self, owner: str, short: str, missing: str, names: Callable[[], Iterable[str]]) -> None:
        super().__init__(owner, short, missing, names)
        self.owner, self.short, self.missing, self.names = owner, short, missing, names

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        """In another process, or stored: an error with the same words."""
        return AttributeError, (str(self),)

    def __str__(self) -> str:
        """The sentence of the table, or the nearest name."""
        if told := sentence(self.short, self.missing):
            return told
        said = elsewhere().get(self.short, {}).get(self.missing)
        near = said or nearest_name(self.missing, (name for name in self.names() if not name.startswith("_")))
        near = near if said or near is None else f"{self.short}.{near}"
        return f"{self.owner} has no {self.missing!r}." + (f" Did you mean {near}?" if near else "")


# What a traceback and a verdict call it: the class that Python's readers know.
MissingNameError.__name__, MissingNameError.__module__ = "AttributeError", "builtins"


def unknown(owner: str, short: str, missing: str, names: Callable[[], Iterable[str]]) -> AttributeError:
    """The error of a name that a module or a class lacks."""
    return MissingNameError(owner, short, missing, names)


def answering(module: str, short: str) -> Callable[[str], NoReturn]:
    """The `__getattr__` of a module: it says what became of a name that the module lacks."""

    def missing(name: str) -> NoReturn:
        raise unknown(module, short, name, partial(vars, sys.modules[module]))

    return missing


def no_such_attribute(x: Any, name: str) -> NoReturn:
    """Say what became of an attribute that a tensor lacks."""
    raise unknown(type(x).__name__, "x", name, partial(dir, type(x)))
