"""FunctionLayer: the base of layers that are a function and its settings, without parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from .module import Module


class FunctionLayer(Module):
    """A layer whose `forward` is `function(*inputs, **settings)`. The settings are attributes, which may be changed.

    Example:
        >>> from minitorch_lab import nn, tensor
        >>> layer = nn.LeakyReLU(0.5)
        >>> layer.negative_slope = 0.25
        >>> layer(tensor([-4.0])).tolist(), layer
        ([-1.0], LeakyReLU(negative_slope=0.25))
    """

    function: ClassVar[Callable[..., Any]]
    settings: tuple[str, ...] = ()

    def configure(self, **settings: Any) -> None:
        """Keep the settings as attributes; `forward` hands them on in this order."""
        for name, value in settings.items():
            setattr(self, name, value)
        self.settings = tuple(settings)

    def arguments(self) -> dict[str, Any]:
        """The settings by name."""
        return {name: getattr(self, name) for name in self.settings}

    def forward(self, *inputs: Any, **named: Any) -> Any:
        """The function of the inputs, under the settings."""
        return type(self).function(*inputs, **named, **self.arguments())

    def extra_repr(self) -> str:
        """The settings; `inplace` where it is on."""
        shown = {name: value for name, value in self.arguments().items() if name != "inplace" or value}
        return ", ".join(f"{name}={value}" for name, value in shown.items())
