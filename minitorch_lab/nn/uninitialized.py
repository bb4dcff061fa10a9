"""Tensors that a lazy layer has before its first input: they know their dtype and device, and no shape yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

from ..autograd import no_grad
from ..autograd.node import Leaf
from ..core.array import DType, default_dtype
from ..core.array import as_dtype as known_dtype
from ..errors import ArgumentError
from ..ops.movement import asked
from ..tensors.like import empty
from ..tensors.tensor import Tensor
from .parameter import Parameter

if TYPE_CHECKING:
    Part = Tensor
else:
    Part = object  # a part of a tensor's class: the memory of its objects is laid out as that of what it becomes
SLOT: Any = Tensor.__dict__["value"]  # where a tensor keeps its array


class Promise(NamedTuple):
    """What is known of a tensor before its shape."""

    dtype: DType
    device: str


class Uninitialized(Part):
    """What uninitialized parameters and buffers share. Whoever asks for the array is told that there is none yet.

    `materialize` gives it one, and makes the same object an ordinary tensor, so that those who hold it go on with it.
    """

    __slots__ = ()
    becomes: type[Tensor] = Tensor

    def __init__(self, requires_grad: bool = False, dtype: Any = None, device: Any = None) -> None:
        self.node, self.storage = None, None
        width = default_dtype() if dtype is None else known_dtype(dtype)
        SLOT.__set__(self, Promise(width, str(empty(0, device=device).device)))
        self.requires_grad_(requires_grad)

    @property
    def value(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The array, which is not there: every op, shape and count comes by here.

        Raises:
            ArgumentError: Always.
        """
        raise ArgumentError(
            f"This {type(self).__name__} has no shape and no entries yet.",
            "A lazy layer makes its parameters in its first call, which tells how long the input is.",
            "Call the model once, model(x), or load a state; then count, change or copy its parameters.",
        )

    @property
    def dtype(self) -> DType:
        """The type that the entries will have."""
        return SLOT.__get__(self).dtype

    @property
    def device(self) -> Any:
        """Where the memory will lie."""
        return SLOT.__get__(self).device

    @property
    def data(self) -> Tensor:
        """The memory, which is not there."""
        return self.value

    @data.setter
    def data(self, other: Tensor) -> None:
        """Take over dtype and device of another uninitialized tensor."""
        SLOT.__set__(self, Promise(other.dtype, str(other.device)))

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Ask for a gradient, or stop asking. It stays so when the shape is known."""
        self.node = Leaf(()) if requires_grad else None
        return self

    def detach(self) -> Self:
        """The same object: there is no history to leave behind."""
        return self

    def to(self, *target: Any, dtype: Any = None, device: Any = None, **_: Any) -> Self:
        """One that will have another dtype or lie on another device."""
        dtype, device = asked(target, dtype, device)
        promise = SLOT.__get__(self)
        return type(self)(
            self.requires_grad,
            promise.dtype if dtype is None else dtype,
            promise.device if device is None else device,
        )

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary tensor of `shape`, whose entries have yet to be written.

        Args:
            shape: The length of each axis.
            device: Where the memory lies; where it was promised to be if left out.
            dtype: The type of the entries; the promised one if left out.

        Example:
            >>> from minitorch_lab import nn
            >>> p = nn.UninitializedParameter()
            >>> p.materialize((2, 3))
            >>> type(p) is nn.Parameter, p.shape, p.requires_grad
            (True, (2, 3), True)
        """
        promise = SLOT.__get__(self.to(dtype=dtype, device=device))
        made = empty(*shape, dtype=promise.dtype, device=promise.device)
        self.__class__ = self.becomes  # pyright: ignore[reportAttributeAccessIssue]
        SLOT.__set__(self, made.value)
        if self.node is not None:
            self.node.shape = made.shape

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """One that waits for a shape of its own."""
        memo[id(self)] = twin = self.to()
        return twin

    def __copy__(self) -> Self:
        """As a deep copy: there is no memory to share."""
        return self.to()

    def __reduce_ex__(self, protocol: Any) -> Any:
        """What pickle keeps: the promise."""
        return type(self), (self.requires_grad, str(self.dtype), self.device)

    def __repr__(self) -> str:
        """The name of the class, as PyTorch's."""
        return f"<{type(self).__name__}>"


class UninitializedParameter(Uninitialized, Parameter):
    """A parameter whose shape is not known yet: the parameters of a lazy layer before its first call.

    It has a dtype, a device and `requires_grad`; `to`, `state_dict` and `load_state_dict` of a module take it as any
    other parameter. `materialize(shape)` makes the same object a `Parameter`.

    Args:
        requires_grad: False makes a parameter that is frozen from the start.
        dtype: The type that the entries will have; the default dtype if left out.
        device: Where the memory will lie.

    Raises:
        ArgumentError: Its shape, its entries or their number are asked for.

    Example:
        >>> from minitorch_lab import nn
        >>> layer = nn.LazyLinear(3)
        >>> layer.weight, layer.weight.dtype
        (<UninitializedParameter>, dtype('float32'))
        >>> layer.weight.numel()
        Traceback (most recent call last):
        minitorch_lab.errors.ArgumentError: This UninitializedParameter has no shape and no entries yet.
          A lazy layer makes its parameters in its first call, which tells how long the input is.
          Call the model once, model(x), or load a state; then count, change or copy its parameters.
    """

    __slots__ = ()
    becomes = Parameter

    def __init__(self, requires_grad: bool = True, dtype: Any = None, device: Any = None) -> None:
        super().__init__(requires_grad, dtype, device)


class UninitializedBuffer(Uninitialized, Tensor):
    """A buffer whose shape is not known yet, such as the running mean of a lazy layer before its first call.

    Args:
        requires_grad: Whether it requires a gradient.
        dtype: The type that the entries will have; the default dtype if left out.
        device: Where the memory will lie.

    Raises:
        ArgumentError: Its shape, its entries or their number are asked for.

    Example:
        >>> from minitorch_lab import nn
        >>> nn.LazyBatchNorm1d().running_mean
        <UninitializedBuffer>
    """

    __slots__ = ()


def filled(own: Tensor, source: Tensor) -> None:
    """Write `source` into `own`, where it is; what has no shape yet takes that of `source`, if that has one."""
    if isinstance(own, Uninitialized):
        if isinstance(source, Uninitialized):
            return
        own.materialize(tuple(source.shape))
    with no_grad():
        own.copy_(source)
