"""einops on our tensors: what its patterns need of a framework, under the names that einops calls.

einops asks every subclass of its `AbstractBackend` whether a tensor is its own. Ours is made when einops is imported,
before or after this package: neither imports the other, and who never asks for einops never needs it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ...core.array import is_float
from ...errors import ArgumentError
from ...ops.broadcast import expand
from ...ops.einsum import einsum
from ...ops.front import METHODS
from ...ops.join import cat, stack
from ...ops.movement import permute, unsqueeze
from ...ops.views import repeat
from ..factories import arange
from ..tensor import Tensor
from .arrays import from_numpy

MODULE = "einops._backends"


class Backend:
    """The methods of einops' backends. Axes, shapes and patterns are checked by einops before they come here."""

    framework_name = "minitorch_lab"

    def is_appropriate_type(self, tensor: Any) -> bool:
        """Whether this backend takes the tensor."""
        return isinstance(tensor, Tensor)

    def from_numpy(self, x: Any) -> Tensor:
        """An array as a tensor, a leaf with a gradient where it can have one: einops' own tests ask for that."""
        found = from_numpy(x)
        return found.requires_grad_() if is_float(found.dtype) else found

    def to_numpy(self, x: Tensor) -> Any:
        """A tensor as an array."""
        return x.detach().to("cpu").numpy()

    def arange(self, start: int, stop: int) -> Tensor:
        """start, start + 1, … below stop."""
        return arange(start, stop)

    def transpose(self, x: Tensor, axes: Sequence[int]) -> Tensor:
        """The axes in another order."""
        return permute(x, *axes)

    def reduce(self, x: Tensor, operation: str, axes: Sequence[int]) -> Tensor:
        """The named summary over `axes`.

        Raises:
            ArgumentError: There is no such summary here.
        """
        found = METHODS.get({"min": "amin", "max": "amax"}.get(operation, operation))
        if found is None:
            raise ArgumentError(
                f"einops asked for the reduction {operation!r}.",
                "Tensors here have min, max, sum, mean, any and all.",
                'Did you mean "mean"?',
            )
        if operation != "prod":
            return found(x, tuple(axes))
        for axis in sorted(axes, reverse=True):  # one at a time, as in PyTorch
            x = found(x, axis)
        return x

    def stack_on_zeroth_dimension(self, tensors: list[Tensor]) -> Tensor:
        """A list of tensors on a new first axis."""
        return stack(tensors)

    def add_axis(self, x: Tensor, new_position: int) -> Tensor:
        """A new axis of length 1."""
        return unsqueeze(x, new_position)

    def add_axes(self, x: Tensor, n_axes: int, pos2len: dict[int, int]) -> Tensor:
        """New axes of the given lengths at the given places, without copying."""
        lengths = [-1] * n_axes
        for place, length in pos2len.items():
            x, lengths[place] = unsqueeze(x, place), length
        return expand(x, *lengths)

    def tile(self, x: Tensor, repeats: Sequence[int]) -> Tensor:
        """Copies side by side."""
        return repeat(x, *repeats)

    def concat(self, tensors: list[Tensor], axis: int) -> Tensor:
        """One after the other."""
        return cat(tensors, axis)

    def is_float_type(self, x: Tensor) -> bool:
        """Whether a mean of it makes sense."""
        return is_float(x.dtype)

    def einsum(self, pattern: str, *x: Tensor) -> Tensor:
        """Products, summed as the letters say."""
        return einsum(pattern, *x)


def register(backends: ModuleType) -> None:
    """Make the class that einops finds among the subclasses of its own base, and keep it beside the others."""
    vars(backends)["MinitorchBackend"] = type("MinitorchBackend", (Backend, backends.AbstractBackend), {})


class AfterEinops(MetaPathFinder):
    """Waits for einops to be imported, then registers the backend and steps aside."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Nothing for other modules; for einops' backends what Python finds, with a loader that registers ours too."""
        if fullname != MODULE:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = Registering(spec.loader)
        return spec


class Registering(Loader):
    """A loader that loads as another one does, and registers the backend in what it has loaded."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the other loader."""
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, then register."""
        self.loader.exec_module(module)
        register(module)


def offer() -> None:
    """Register now if einops is there, else when it comes."""
    if MODULE in sys.modules:
        register(sys.modules[MODULE])
    else:
        sys.meta_path.insert(0, AfterEinops())
