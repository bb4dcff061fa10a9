"""Modules that hold modules: Sequential runs them in a row, ModuleList and ModuleDict only keep them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import ArgumentError
from .collection import Named, Numbered
from .module import Module


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

    def __init__(self, *modules: Module | Mapping[str, Module]) -> None:
        """Keep the modules under the names "0", "1", ...; those of a dict under their own."""
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            for name, module in modules[0].items():
                self.keep(name, module)
        else:
            self.extend(modules)  # pyright: ignore[reportArgumentType]

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


class ModuleDict(Named):
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
        self.update(modules or {})
