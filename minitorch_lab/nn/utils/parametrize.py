"""Parametrizations: a parameter that is computed from others whenever it is read.

A module with one belongs to a class of its own, in which the parameter's name is a property. What it is computed from
stands in `module.parametrizations.NAME`, a module like others, so that optimizers and states find it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from ...autograd import no_grad
from ...errors import ArgumentError
from ...tensors.tensor import Tensor
from ..module import Module
from ..parameter import Parameter


class Cache:
    """The values that are kept while a `cached()` block runs, and how many such blocks are open."""

    def __init__(self) -> None:
        self.depth = 0
        self.values: dict[tuple[int, str], Tensor] = {}


CACHE = Cache()


@contextmanager
def cached() -> Generator[None]:
    """While the block runs, compute each parametrized tensor once, when it is first read.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.nn.utils import parametrize, parametrizations
        >>> layer = parametrizations.weight_norm(ml.nn.Linear(2, 3))
        >>> with parametrize.cached():
        ...     layer.weight is layer.weight
        True
    """
    CACHE.depth += 1
    try:
        yield
    finally:
        CACHE.depth -= 1
        if not CACHE.depth:
            CACHE.values.clear()


class ParametrizationList(Module):
    """What one tensor is computed from, and the modules that compute it, one after the other.

    Attributes:
        original: The parameter; or `original0`, `original1`, ... where `right_inverse` gives several tensors.
        is_tensor: Whether there is one.
    """

    def __init__(self, modules: list[Module], value: Tensor) -> None:
        super().__init__()
        for number, module in enumerate(modules):
            self.add_module(str(number), module)
        self.trained = isinstance(value, Parameter)
        found = self.inverted(value)
        self.is_tensor = isinstance(found, Tensor)
        for name, tensor in zip(self.names(found), as_tuple(found), strict=True):
            if self.trained:
                kept = value if tensor is value else Parameter(tensor.detach(), value.requires_grad)
                self.register_parameter(name, kept)
            else:
                self.register_buffer(name, tensor)

    def names(self, found: Any) -> list[str]:
        """The names of the tensors that it is computed from."""
        return ["original"] if isinstance(found, Tensor) else [f"original{k}" for k in range(len(found))]

    def originals(self) -> tuple[Tensor, ...]:
        """The tensors that it is computed from."""
        home = self._parameters if self.trained else self._buffers
        return tuple(tensor for tensor in home.values() if tensor is not None)

    def inverted(self, value: Tensor) -> Any:
        """What the tensors must be for `value` to come out, as far as the modules can say: `right_inverse`."""
        found: Any = value
        with no_grad():
            for module in reversed(list(self.children())):
                found = module.right_inverse(found) if hasattr(type(module), "right_inverse") else found
        return found

    def right_inverse(self, value: Tensor) -> None:
        """Change the originals such that `value` comes out."""
        with no_grad():
            for original, new in zip(self.originals(), as_tuple(self.inverted(value)), strict=True):
                original.copy_(new)

    def forward(self) -> Tensor:
        """The tensor."""
        first, *rest = self.children()
        value = first(*self.originals())
        for module in rest:
            value = module(value)
        return value

    def __getitem__(self, index: int) -> Module:
        """One of the modules that compute it."""
        return list(self.children())[index]

    def __len__(self) -> int:
        """How many modules compute it."""
        return len(self._modules)


class Parametrizations(Module):
    """The parametrizations of one module, by the name of the tensor."""

    def __getitem__(self, name: str) -> ParametrizationList:
        """That of one tensor."""
        return vars(self)["_modules"][name]

    def __contains__(self, name: str) -> bool:
        """Whether a tensor has one."""
        return name in self._modules

    def __iter__(self) -> Iterator[str]:
        """The names of the tensors."""
        return iter(self._modules)

    def __len__(self) -> int:
        """How many tensors have one."""
        return len(self._modules)


def as_tuple(found: Any) -> tuple[Tensor, ...]:
    """One tensor, or several, as a tuple."""
    return (found,) if isinstance(found, Tensor) else tuple(found)


def computed(name: str) -> property:
    """The property that stands for a tensor in a class of parametrized modules."""

    def get(self: Module) -> Tensor:
        if not CACHE.depth:
            return self.parametrizations[name]()
        key = id(self), name
        if key not in CACHE.values:
            CACHE.values[key] = self.parametrizations[name]()
        return CACHE.values[key]

    def put(self: Module, value: Tensor) -> None:
        CACHE.values.pop((id(self), name), None)
        self.parametrizations[name].right_inverse(value)

    return property(get, put, doc=f"{name}, computed from `parametrizations.{name}`.")


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module computes a tensor, or one of this name, by a parametrization."""
    found = vars(module).get("parametrizations")
    return isinstance(found, Parametrizations) and (len(found) > 0 if tensor_name is None else tensor_name in found)


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Have `module.<tensor_name>` computed by `parametrization` from now on, whenever it is read.

    Args:
        module: The module, which is changed and returned.
        tensor_name: The name of one of its parameters or buffers.
        parametrization: From the original tensor to the one that the module uses. If it has `right_inverse`, the
            original is set such that assigned values come out; it may give several tensors, which `forward` takes.
        unsafe: Let the result have another shape or dtype.

    Raises:
        ArgumentError: There is no such tensor, or the parametrization changes its shape or dtype.

    Example:
        >>> import minitorch_lab as ml
        >>> class Positive(ml.nn.Module):
        ...     def forward(self, x):
        ...         return x.exp()
        >>> layer = ml.nn.Linear(2, 1)
        >>> _ = ml.nn.utils.parametrize.register_parametrization(layer, "weight", Positive())
        >>> bool((layer.weight > 0).all()), [name for name, _ in layer.named_parameters()]
        (True, ['bias', 'parametrizations.weight.original'])
    """
    if is_parametrized(module, tensor_name):
        module.parametrizations[tensor_name].add_module(str(len(module.parametrizations[tensor_name])), parametrization)
        return module
    held = [name for home in ("_parameters", "_buffers") for name in vars(module)[home]]
    if tensor_name not in held:
        raise ArgumentError(
            f"register_parametrization got the name {tensor_name!r} for a {type(module).__name__}.",
            "It names a parameter or a buffer of the module.",
            f"It has {', '.join(held) or 'none'}.",
        )
    value: Tensor = getattr(module, tensor_name)
    made = ParametrizationList([parametrization], value)
    found = made()
    if not unsafe and (found.shape, found.dtype) != (value.shape, value.dtype):
        raise ArgumentError(
            f"A parametrization gives {tuple(found.shape)}, {found.dtype}, of {tuple(value.shape)}, {value.dtype}.",
            "What it gives stands where the parameter stood, so shape and dtype stay.",
            "Did you mean unsafe=True?",
        )
    if not is_parametrized(module):
        cls = type(module)
        module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), {"__module__": cls.__module__})
        module.parametrizations = Parametrizations()
    delattr(module, tensor_name)
    module.parametrizations.add_module(tensor_name, made)
    setattr(type(module), tensor_name, computed(tensor_name))
    return module


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make `module.<tensor_name>` an ordinary parameter again.

    Args:
        module: The module, which is changed and returned.
        tensor_name: The name of the tensor.
        leave_parametrized: Whether it gets the value that was computed; False: that of the original.

    Raises:
        ArgumentError: It has no parametrization, or there are several originals to go back to.
    """
    if not is_parametrized(module, tensor_name):
        raise ArgumentError(
            f"remove_parametrizations got the name {tensor_name!r} for a {type(module).__name__}.",
            "It names a tensor that has a parametrization.",
            "Did you mean is_parametrized(module, name)? It asks.",
        )
    made = module.parametrizations[tensor_name]
    if not (leave_parametrized or made.is_tensor):
        raise ArgumentError(
            f"{tensor_name} is computed from {len(made.originals())} tensors.",
            "Only a single original can take its place.",
            "Did you mean leave_parametrized=True?",
        )
    with no_grad():
        value = made().clone() if leave_parametrized else made.originals()[0]
    delattr(type(module), tensor_name)
    delattr(module.parametrizations, tensor_name)
    if not len(module.parametrizations):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__mro__[1]
    first = made.originals()[0]
    if made.is_tensor:
        first.data = value  # the parameter that an optimizer has may stay
    if made.trained:
        module.register_parameter(tensor_name, first if made.is_tensor else Parameter(value, first.requires_grad))
    else:
        module.register_buffer(tensor_name, value)
    return module
