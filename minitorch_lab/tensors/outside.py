"""What other packages see of a tensor: Python numbers, arrays, NumPy's functions and DLPack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.array import Array, is_float, is_number, xp
from ..errors import ArgumentError, DeviceError, DTypeError, GradientError, ShapeError
from ..ops.front import FUNCTIONS
from ..ops.op import OPS, Op
from .storage import grounded

if TYPE_CHECKING:  # the methods and operators that follow from the ops' records, as methods.pyi lists them
    from .methods import Methods  # pyright: ignore[reportMissingModuleSource]
else:
    Methods = object


class Outside(Methods):
    """The ways out of the laboratory. A part of `Tensor`, which has the memory and the history."""

    __slots__ = ()

    def item(self: Any) -> Any:
        """The only entry, as a Python number.

        Raises:
            ShapeError: There is not exactly one entry.
        """
        if self.numel() != 1:
            raise ShapeError(
                f"item() of a tensor of shape {self.shape}.",
                "Only a single number has an item.",
                "Did you mean tolist()?",
            )
        return self.value.item()

    def tolist(self: Any) -> Any:
        """The entries as nested lists of Python numbers."""
        return self.value.tolist()

    def numpy(self: Any, *, force: bool = False) -> Array:
        """The array itself: it shares memory with the tensor, and writes to it are not counted.

        With `force` a tensor that has a history is detached first, and one on the GPU is copied to the CPU.

        Raises:
            GradientError: The tensor requires a gradient, which an array could not carry on.
            DeviceError: The tensor lies on the GPU.
        """
        if force:
            return self.detach().cpu().numpy()
        if self.device != "cpu":
            raise DeviceError(
                f"numpy() of a tensor on {self.device}.",
                "NumPy's arrays lie in the memory of the CPU.",
                "Did you mean x.cpu().numpy()? That copies.",
            )
        if self.requires_grad:
            raise GradientError(
                "numpy() of a tensor that requires a gradient.",
                "An array has no history, so the gradient would silently stop.",
                "Did you mean x.detach().numpy()?",
            )
        return grounded(self).value

    def __float__(self: Any) -> float:
        """A single number as a float."""
        each = "Write x.exp() for math.exp(x), x.tolist() for a list of numbers, x[0] for the first."
        return float(single(self, "float()", each))

    def __int__(self: Any) -> int:
        """A single number as an int."""
        each = "Write x.long() for a tensor of whole numbers, x.tolist() for a list of them, x[0] for the first."
        return int(single(self, "int()", each))

    def __index__(self: Any) -> int:
        """A single whole number may count or index."""
        each = "Take one of its entries, or go through x.tolist()."
        if is_float(self.dtype):
            hint = "Did you mean int(x)?" if self.numel() == 1 else each
            raise DTypeError(f"An index of dtype {self.dtype}.", "Only whole numbers count.", hint)
        return int(single(self, "An index or a count", each))

    def __format__(self: Any, spec: str) -> str:
        """A single number prints as Python's and takes a format; other tensors print whole.

        Raises:
            ArgumentError: A format for a tensor with axes.
        """
        if spec and self.ndim:
            numbers = "x.tolist()" if self.ndim == 1 else "x.flatten().tolist()"
            raise ArgumentError(
                f"The format {spec!r} for a tensor of shape {self.shape}.",
                "A format is for a single number.",
                "Did you mean x.item()?"
                if self.numel() == 1
                else f'Did you mean [f"{{v:{spec}}}" for v in {numbers}]? It formats each entry.',
            )
        return repr(self) if self.ndim else format(self.item(), spec)

    def __reversed__(self: Any) -> Any:
        """The parts along axis 0, the last one first, as one tensor."""
        return FUNCTIONS["flip"](self, 0)

    def __contains__(self: Any, number: Any) -> bool:
        """Whether an entry equals a number; or one of a tensor, which stretches.

        Raises:
            ArgumentError: It is neither a number nor a tensor.
        """
        if not (is_number(number) or hasattr(number, "dtype")):
            raise ArgumentError(
                f"`in` a tensor got a {type(number).__name__}.",
                "Entries are numbers.",
                "Did you mean ml.isin(ml.tensor(numbers), x)?",
            )
        return bool(OPS["eq"](self, number).any())

    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> Array:
        """What NumPy functions that are not ufuncs see."""
        return xp.array(self.numpy(), dtype=dtype, copy=copy)

    def __array_ufunc__(self: Any, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        """NumPy's functions of tensors are ops: `np.exp(x)` is `x.exp()`."""
        op, into = ufuncs().get(ufunc), kwargs.pop("out", None)
        if op is None or method != "__call__" or kwargs:
            return NotImplemented
        return op(*args) if into is None else FUNCTIONS[op.name](*args, out=into[0])

    def __dlpack__(self: Any, **options: Any) -> Any:
        """The memory, for any package that speaks DLPack: `torch.from_dlpack(x)` shares it.

        Raises:
            GradientError: The tensor requires a gradient, which the other package could not carry on.
        """
        if self.requires_grad:
            raise GradientError(
                "__dlpack__ of a tensor that requires a gradient.",
                "Another package sees the memory and no history, so the gradient would silently stop.",
                "Did you mean x.detach()?",
            )
        return grounded(self).value.__dlpack__(**options)

    def __dlpack_device__(self: Any) -> tuple[int, int]:
        """Where the memory lies, in DLPack's numbers: (1, 0) is the CPU, (2, 0) the first GPU."""
        return grounded(self).value.__dlpack_device__()


def ufuncs() -> dict[Any, Op]:
    """NumPy's functions that are ops here."""
    if not UFUNCS:
        UFUNCS.update({op.impl: op for op in OPS.values() if isinstance(op.impl, xp.ufunc)})
    return UFUNCS


UFUNCS: dict[Any, Op] = {}

def single(x: Any, what: str, each: str) -> Any:
    """The only entry, where `what` needs one number; `each` says what does the same for several.

    Raises:
        ShapeError: There is not exactly one.
    """
    try:
        return x.item()
    except ShapeError:
        raise ShapeError(f"{what} of a tensor of shape {x.shape}.", "Python needs one number.", each) from None
