"""Sequential: modules in a row, each fed what the one before it gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, overload

from ..errors import ShapeError
from .module import Module


class Sequential(Module):
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
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> Sequential:
        """Put `module` at the end."""
        self.add_module(str(len(self)), module)
        return self

    def forward(self, x: Any) -> Any:
        """Pass `x` through all modules in order."""
        for module in self:
            x = module(x)
        return x

    def __len__(self) -> int:
        """How many modules there are."""
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        """The modules in order."""
        return self.children()

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> Sequential: ...
    def __getitem__(self, index: int | slice) -> Module:
        """The module at a position, or a `Sequential` of a range of them."""
        modules = list(self)
        return Sequential(*modules[index]) if isinstance(index, slice) else modules[self._position(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        """Put another module at a position."""
        setattr(self, str(self._position(index)), module)

    def _position(self, index: int) -> int:
        n = len(self)
        if not -n <= index < n:
            raise ShapeError(
                f"Sequential got the index {index}.",
                f"It has {n} modules: positions {-n} to {n - 1}.",
                "Use len(model) to count them.",
            )
        return index % n
