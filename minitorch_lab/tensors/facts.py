"""What PyTorch's code asks of a tensor, and has one answer here: no complex numbers, no sparse layouts, two devices.

A part of `Tensor`, which has the memory and the history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from ..core.array import is_float
from ..ops import movement
from ..ops.absent import no_such_attribute
from ..ops.front import METHODS, taught
from ..ops.keywords import PLAIN_LAYOUTS

STRIDED = PLAIN_LAYOUTS[-1]


def always(answer: Any, doc: str) -> Any:
    """A property that is the same of every tensor."""
    return property(lambda self: answer, doc=doc)


class Facts:
    """Facts under PyTorch's names."""

    __slots__ = ()
    if not TYPE_CHECKING:
        __getattr__ = no_such_attribute

    is_sparse = always(False, "Whether entries are left out: none are.")
    is_quantized = always(False, "Whether the entries are quantized: none are.")
    is_meta = always(False, "Whether there are no entries: they always are.")
    is_mps = always(False, "Whether the memory lies on Apple's GPU: it never does.")
    is_nested = always(False, "Whether it is several tensors: it never is.")
    is_mkldnn = always(False, "Whether the layout is that of oneDNN: it never is.")
    layout = always(STRIDED, "How the entries lie: by strides.")

    @property
    def ndim(self: Any) -> int:
        """The number of axes."""
        return self.value.ndim

    @property
    def nbytes(self: Any) -> int:
        """Bytes of the entries this tensor shows."""
        return self.value.nbytes

    @property
    def itemsize(self: Any) -> int:
        """Bytes of one entry."""
        return self.value.dtype.itemsize

    def dim(self: Any) -> int:
        """The number of axes."""
        return self.value.ndim

    @property
    def T(self) -> Self:
        """A view with the axes in reverse order."""
        x: Any = self
        return movement.permute_op(x, axes=tuple(range(x.ndim))[::-1])

    @property
    def mT(self) -> Self:
        """A view with the last two axes swapped."""
        return movement.matrix_transpose(self)

    @property
    def is_cuda(self: Any) -> bool:
        """Whether the memory lies on the GPU."""
        return self.device == "cuda"

    @property
    def is_cpu(self: Any) -> bool:
        """Whether the memory lies on the CPU."""
        return self.device == "cpu"

    @property
    def real(self) -> Self:
        """The real part: the tensor itself."""
        return self

    @property
    def H(self) -> Self:  # noqa: N802
        """The matrix with its axes swapped."""
        return self.mT if self.ndim > 1 else self.T

    @property
    def mH(self) -> Self:  # noqa: N802
        """A view with the last two axes swapped."""
        return self.mT

    def adjoint(self) -> Self:
        """A view with the last two axes swapped."""
        return self.mT

    def conj(self) -> Self:
        """The conjugate: the tensor itself."""
        return self

    def is_complex(self) -> bool:
        """Whether the entries are complex: they never are."""
        return False

    def is_floating_point(self: Any) -> bool:
        """Whether the entries are floats."""
        return is_float(self.dtype)

    def is_signed(self: Any) -> bool:
        """Whether the dtype holds numbers below 0."""
        return self.dtype.kind not in "bu"

    def is_nonzero(self: Any) -> bool:
        """Whether the only entry is not 0.

        Raises:
            ShapeError: There is not exactly one entry.
        """
        return bool(self.item())

    def is_pinned(self) -> bool:
        """Whether the memory is locked for copies to a GPU: it never is."""
        return False

    def is_shared(self) -> bool:
        """Whether other processes see the memory: they never do."""
        return False

    @taught
    def is_same_size(self: Any, other: Any) -> bool:
        """Whether another tensor has the same shape."""
        return tuple(self.shape) == tuple(other.shape)

    def pin_memory(self) -> Self:
        """The tensor itself: no memory is locked here."""
        return self

    def share_memory_(self) -> Self:
        """The tensor itself. Other processes get copies."""
        return self

    def ndimension(self: Any) -> int:
        """The number of axes."""
        return self.ndim

    def nelement(self: Any) -> int:
        """The number of entries."""
        return self.numel()

    def element_size(self: Any) -> int:
        """Bytes of one entry."""
        return self.itemsize

    def get_device(self: Any) -> int:
        """The number of the GPU on which the memory lies; -1 on the CPU."""
        return 0 if self.device == "cuda" else -1

    @taught
    def type_as(self: Any, other: Any) -> Any:
        """The tensor in the dtype, and on the device, of another."""
        return METHODS["to"](self, other)

    @taught
    def sum_to_size(self: Any, *size: Any) -> Any:
        """The sums over the axes that were stretched from `size`.

        Raises:
            ShapeError: `size` does not stretch to this shape.
        """
        shape = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
        lead = self.ndim - len(shape)
        stretched = [i + lead for i, n in enumerate(shape) if n == 1 and self.shape[i + lead] != 1]
        if not (lead or stretched):
            return METHODS["reshape"](self, *shape) if shape else METHODS["sum"](self)
        out = METHODS["sum"](self, tuple(range(lead)) + tuple(stretched), True)
        return METHODS["reshape"](out, *shape)
