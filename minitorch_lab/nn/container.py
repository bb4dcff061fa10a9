"""Modules that hold modules: Sequential runs them in a row, ModuleList and ModuleDict only keep them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self, overload

from ..errors import ArgumentError, ShapeError
from ..ops.misfit import called
from .module import Module


class Numbered(Module):
    """What `Sequential` and `ModuleList` share: modules under the names "0", "1", ..., found by position."""

    def append(self, module: Module) -> Self:
        """Put `module` at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Put all of `modules` at the end."""
        if not hasattr(modules, "__iter__"):
            raise ArgumentError(
                f"{type(self).__name__} got {called(modules)}.", "It takes a list of modules.", "Did you mean [module]?"
            )
        for module in modules:
            self.append(module)
        return self

    def __len__(self) -> int:
        """How many modules there are."""
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        """The modules in order."""
        held: Any = self._modules  # not children(): a module that stands here twice is given twice
        return iter(held.values())

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Module:
        """The module at a position, or a container of the same kind with a range of them."""
        modules = list(self)
        return type(self)().extend(modules[index]) if isinstance(index, slice) else modules[self._position(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        """Put another module at a position."""
        setattr(self, str(self._position(index)), module)

    def _position(self, index: int) -> int:
        n = len(self)
        if not -n <= index < n:
            raise ShapeError(
                f"{type(self).__name__} got the index {index}.",
                f"It has {n} modules: positions {-n} to {n - 1}.",
                "Use len(model) to count them.",
            )
        return index % n


class Sequential(Numbered):
    """`Sequential(f, g, h)(x)` is `h(g(f(x)))`. Index it by position; a slice is a `Sequential` of the same modules.

    Raises:
        ArgumentError: Something that is given is not a `Module`.
        ShapeError: The index is out of range.

    Example:
        >>> from minitorch_lab import nn
        >>> model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
        >>> model[0].out_features, len(model[:2])
        (128, 2)
        >>> model
        Sequential(
          (0): Linear(in_features=64, out_features=128, bias=True)
          (1): ReLU()
          (2): Linear(in_features=128, out_features=10, bias=True)
        )
    """

    def __init__(self, *modules: Module) -> None:
        """Keep the modules under the names "0", "1", ..."""
        super().__init__()
        self.extend(modules)

    def forward(self, x: Any) -> Any:
        """Pass `x` through all modules in order."""
        for module in self:
            x = module(x)
        return x


class ModuleList(Numbered):
    """A list of modules whose parameters are found. It has no `forward`: loop over it.

    Raises:
        ArgumentError: Something that is given is not a `Module`.
        ShapeError: The index is out of range.

    Example:
        >>> from minitorch_lab import nn
        >>> layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
        >>> len(layers), [name for name, _ in layers.named_parameters()][:2]
        (3, ['0.weight', '0.bias'])
    """

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        """Keep the modules under the names "0", "1", ..."""
        super().__init__()
        self.extend(modules)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Refused.

        Raises:
            ArgumentError: Always: a list says not how its modules are run.
        """
        raise ArgumentError(
            "A ModuleList was called.",
            "It keeps modules, and says not in which order they run.",
            "Did you mean nn.Sequential(*modules), or: for layer in modules: x = layer(x)?",
        )


class ModuleDict(Module):
    """Modules by name, whose parameters are found. It has no `forward`.

    Raises:
        ArgumentError: Something that is given is not a `Module`, or there is none of a name.

    Example:
        >>> from minitorch_lab import nn
        >>> parts = nn.ModuleDict({"relu": nn.ReLU(), "tanh": nn.Tanh()})
        >>> list(parts), parts["tanh"]
        (['relu', 'tanh'], Tanh())
    """

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        """Keep the modules under their names."""
        super().__init__()
        if not hasattr(modules or {}, "items"):
            raise ArgumentError(f"ModuleDict got {called(modules)}.", "It takes a dict of modules by their names.")
        for name, module in (modules or {}).items():
            self[name] = module

    def __setitem__(self, name: str, module: Module) -> None:
        """Keep `module` under `name`, in place of what was there."""
        if name in self._modules:
            setattr(self, name, module)
        else:
            self.add_module(name, module)

    def __getitem__(self, name: str) -> Any:
        """The module called `name`."""
        return vars(self)[self._known(name)]

    def __delitem__(self, name: str) -> None:
        """Forget the module called `name`."""
        delattr(self, self._known(name))

    def _known(self, name: str) -> str:
        if name not in self._modules:
            raise ArgumentError(
                f"ModuleDict got the name {name!r}.",
                f"It has {', '.join(map(repr, self._modules)) or 'no modules'}.",
                "Check the spelling.",
            )
        return name

    def __contains__(self, name: object) -> bool:
        """Whether there is a module called `name`."""
        return name in self._modules

    def __len__(self) -> int:
        """How many modules there are."""
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(self._modules)

    def keys(self) -> Iterable[str]:
        """The names in order."""
        return self._modules.keys()

    def values(self) -> Iterable[Any]:
        """The modules in order."""
        return self._modules.values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and modules in order."""
        return self._modules.items()
