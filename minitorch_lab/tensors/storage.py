"""Storage: what tensors that share memory share."""

from __future__ import annotations

from typing import Any

from ..core.array import address, offset_of, room_of, solid
from ..core.interpret import stack
from ..errors import GradientError


class Storage:
    """What tensors that share memory share: the memory, and how many times it was written.

    The version counter is how a backward pass knows that a saved value is still the one that was saved.
    """

    version = 0  # a class attribute until the first write: most storages are never written
    relaid = False  # whether a tensor that lies in it became another view of it (`t_`), while others may hang on it
    memory: Any = None  # an array that lies in it

    @property
    def nbytes(self) -> int:
        """Bytes of the memory, whatever part of it a tensor shows."""
        return 0 if self.memory is None else room_of(self.memory) * self.memory.itemsize

    def data_ptr(self) -> int:
        """The address where the memory begins, in bytes: the same for all tensors that share it; 0 without memory."""
        return 0 if self.memory is None else address(self.memory) - offset_of(self.memory) * self.memory.itemsize

    def __repr__(self) -> str:
        """Size and version."""
        return f"Storage({self.nbytes} bytes, version {self.version})"


class Unversioned(Storage):
    """The storage of what `inference_mode()` made: its writes are not counted, so no tape may rely on it."""

    @property
    def version(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Always 0, and asked for only in inference mode.

        Raises:
            GradientError: Elsewhere: a tape was about to save the tensor, or a write to be counted.
        """
        if stack.get().counts_writes:
            raise GradientError(
                "A tensor made in inference_mode() was to be saved for a gradient, or written in place.",
                "It has no version counter, so a write to it after it was saved could not be noticed.",
                "Did you mean x.clone()? Or no_grad() instead of inference_mode().",
            )
        return 0

    @version.setter
    def version(self, value: int) -> None:
        """Nobody counts."""

    def __repr__(self) -> str:
        """Size alone."""
        return f"Storage({self.nbytes} bytes, no version)"


def storage_of(x: Any) -> Storage:
    """The storage of `x`, made when first needed: most temporaries never need one."""
    if x.storage is None:
        x.storage = Storage()
    return x.storage


def grounded(x: Any) -> Any:
    """`x` with a value that is an array: NumPy hands 0-d results back as numbers, which have no memory to share."""
    if not hasattr(x.value, "__setitem__"):
        x.value = solid(x.value)
    return x
