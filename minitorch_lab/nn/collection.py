"""What the containers share: parts of one kind, modules or parameters, found by their position or by their name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from inspect import isclass, signature
from typing import Any, ClassVar, Self, overload

from ..errors import ArgumentError, BoundsError
from ..ops.meant import describe_value
from ..ops.misfit import completed
from .blame import PACKAGE
from .module import Module


class Collection(Module):
    """A module that keeps parts of one kind."""

    home: ClassVar[str] = "_modules"
    kind: ClassVar[str] = "modules"

    def parts(self) -> dict[str, Any]:
        """The parts by name, in order."""
        return vars(self)[self.home]

    def made(self, value: Any) -> Any:
        """A part of the kind from what a user gives.

        Raises:
            ArgumentError: It is no module.
        """
        if value is not None and not isinstance(value, Module):
            raise no_module(type(self).__name__, value)
        return value

    def keep(self, name: str, value: Any) -> None:
        """Keep a part under a name, in place of what was there."""
        if name in self.parts():
            setattr(self, name, self.made(value))
        else:
            self._new(self.home, name, self.made(value))

    def __len__(self) -> int:
        """How many parts there are."""
        return len(self.parts())

    def clear(self) -> None:
        """Forget all parts."""
        for name in list(self.parts()):
            delattr(self, name)


def no_module(owner: str, value: Any) -> ArgumentError:
    """The error of something that is no module, among the modules of a container."""
    hint = "Write class Layer(nn.Module) with a forward that does it."
    named = value if isinstance(value, str) else getattr(value, "__name__", "")
    layer = next((name for name in layers() if name.lower() == named.replace("_", "").lower()), "")
    if isinstance(value, (list, tuple)):
        hint = f"Did you mean {owner}(*layers)?"
    elif isclass(value) and issubclass(value, Module):
        settings = completed(value.__name__, signature(value), (), {})
        hint = f"Did you mean {'nn.' if value.__module__.startswith(PACKAGE) else ''}{settings}?"
    elif layer:
        hint = f"Did you mean nn.{layer}()?"
    return ArgumentError(f"{owner} got {describe_value(value)}.", "Its parts are modules: layers that were made.", hint)


def layers() -> list[str]:
    """The names of the layers that `nn` has."""
    return import_module(__name__.rpartition(".")[0]).__all__


class Numbered(Collection):
    """Parts under the names "0", "1", ..., found by position."""

    def append(self, module: Any) -> Self:
        """Put a part at the end."""
        self.keep(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Any]) -> Self:
        """Put all of these at the end."""
        if not hasattr(modules, "__iter__"):
            raise ArgumentError(
                f"{type(self).__name__} got {describe_value(modules)}.",
                f"It takes a list of {self.kind}.",
                f"Did you mean [{self.kind.removesuffix('s')}]?",
            )
        for module in modules:
            self.append(module)
        return self

    def __iter__(self) -> Iterator[Any]:
        """The parts in order; one that stands here twice is given twice."""
        return iter(self.parts().values())

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Any:
        """The part at a position, or a container of the same kind with a range of them."""
        held = list(self)
        return type(self)().extend(held[index]) if isinstance(index, slice) else held[self._position(index)]

    def __setitem__(self, index: int, module: Any) -> None:
        """Put another part at a position."""
        self.keep(list(self.parts())[self._position(index)], module)

    def __delitem__(self, index: int | slice) -> None:
        """Forget the part at a position, or a range of them; those behind move up."""
        held = list(self)
        del held[index if isinstance(index, slice) else self._position(index)]
        self._anew(held)

    def pop(self, index: int = -1) -> Any:
        """Take out the part at a position, and return it.

        Example:
            >>> from minitorch_lab import nn
            >>> model = nn.Sequential(nn.ReLU(), nn.Tanh())
            >>> model.pop(), len(model)
            (Tanh(), 1)
        """
        part = self[index]
        del self[index]
        return part

    def insert(self, index: int, module: Any) -> Self:
        """Put a part before a position; those behind it move up by one, and are named anew."""
        held = list(self)
        held.insert(index, module)
        return self._anew(held)

    def __iadd__(self, modules: Iterable[Any]) -> Self:
        """Put all of these at the end."""
        return self.extend(modules)

    def _anew(self, parts: list[Any]) -> Self:
        self.clear()
        return self.extend(parts)

    def _position(self, index: int) -> int:
        n = len(self)
        if isinstance(index, str):
            raise ArgumentError(
                f"{type(self).__name__} got the str {index!r} as an index.",
                f"Its {self.kind} are found by position, a whole number or a slice.",
                f"Did you mean [{index}]?" if index.isdigit() else "Parts with names stand in a dict.",
            )
        if not -n <= index < n:
            raise BoundsError(
                f"{type(self).__name__} got the index {index}.",
                f"It has {n} {self.kind if n != 1 else self.kind.removesuffix('s')}: positions {-n} to {n - 1}."
                if n
                else f"It has no {self.kind}.",
                f"Use len({'model' if self.kind == 'modules' else self.kind}) to count them.",
            )
        return index % n


class Named(Collection):
    """Parts by name, as in a dict."""

    def update(self, parts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Keep these under their names.

        Raises:
            ArgumentError: They have none.
        """
        if not hasattr(parts, "__iter__"):
            raise ArgumentError(
                f"{type(self).__name__} got {describe_value(parts)}.",
                f"It takes a dict of {self.kind} by their names.",
                f"Did you mean {{'first': {self.kind.removesuffix('s')}}}?",
            )
        for name, part in dict(parts).items():
            self[name] = part

    def __setitem__(self, name: str, part: Any) -> None:
        """Keep a part under `name`, in place of what was there."""
        self.keep(name, part)

    def __getitem__(self, name: str) -> Any:
        """The part called `name`."""
        return self.parts()[self._known(name)]

    def __delitem__(self, name: str) -> None:
        """Forget the part called `name`."""
        delattr(self, self._known(name))

    def get(self, name: str, default: Any = None) -> Any:
        """The part called `name`, or `default` if there is none."""
        return self.parts().get(name, default)

    def setdefault(self, name: str, default: Any = None) -> Any:
        """The part called `name`, which is `default` if there was none."""
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name: str) -> Any:
        """Take out the part called `name`, and return it."""
        part = self[name]
        del self[name]
        return part

    def popitem(self) -> tuple[str, Any]:
        """Take out the last part, and return its name and it."""
        name = list(self)[-1]
        return name, self.pop(name)

    def _known(self, name: str) -> str:
        if name not in self.parts():
            raise ArgumentError(
                f"{type(self).__name__} got the name {name!r}.",
                f"It has {', '.join(map(repr, self.parts())) or 'no ' + self.kind}.",
                "Check the spelling.",
            )
        return name

    def __contains__(self, name: object) -> bool:
        """Whether there is a part called `name`."""
        return name in self.parts()

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(self.parts())

    def keys(self) -> Iterable[str]:
        """The names in order."""
        return self.parts().keys()

    def values(self) -> Iterable[Any]:
        """The parts in order."""
        return self.parts().values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and parts in order."""
        return self.parts().items()
