"""Arrays of other packages as tensors, without a copy: NumPy's directly, the others' by DLPack.

Both sides then look at one memory, and a write on either is seen on both. Only a write through a tensor is counted in
its version, as in PyTorch.
"""

from __future__ import annotations

from typing import Any

from ...core.array import Array, as_dtype, cuda, device_of, xp
from ...errors import ArgumentError, DeviceError, DTypeError
from ...ops.front import taught
from ..factories import tensor
from ..tensor import Tensor

ON_CPU, ON_CUDA = {1, 3}, {2, 13}  # DLPack's numbers of devices: plain and pinned memory; CUDA's own and managed memory


@taught
def from_numpy(ndarray: Any) -> Tensor:
    """A tensor on the memory of a NumPy array: writes are seen on both sides. Shape, dtype and strides are the array's.

    Raises:
        ArgumentError: This is no array, or one that may only be read.
        DTypeError: Its dtype is none of ours, or its bytes stand in the other order.

    Example:
        >>> import numpy as np
        >>> a = np.zeros(3)
        >>> x = from_numpy(a)
        >>> x[0] = 7.0
        >>> a.tolist()
        [7.0, 0.0, 0.0]
    """
    if not isinstance(ndarray, xp.ndarray):
        raise ArgumentError(
            f"from_numpy got a {type(ndarray).__name__}.",
            "It takes a NumPy array, whose memory the tensor then shares.",
            "Did you mean ml.tensor(data)? That copies.",
        )
    if not ndarray.flags.writeable:
        raise ArgumentError(
            f"from_numpy got an array of shape {ndarray.shape} that may only be read.",
            "A tensor can be written, and would write into memory that its owner holds for constant.",
            "Did you mean ml.tensor(a)? That copies.",
        )
    return Tensor(native(ndarray))


def native(array: Array) -> Array:
    """`array`, if its dtype is one of ours.

    Raises:
        DTypeError: It is not, or its bytes stand in the other order.
    """
    dtype = as_dtype(array.dtype)
    if array.dtype != dtype:
        raise DTypeError(
            f"An array of dtype {array.dtype.str!r}, whose bytes stand in the other order.",
            "A tensor's numbers stand in the order of this machine.",
            f"Did you mean a.astype({dtype.name!r})? That copies.",
        )
    return array if array.dtype is dtype else array.view(dtype)


@taught
def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor on the memory of another package's array: PyTorch's, JAX's, CuPy's, NumPy's, or any other with DLPack.

    What its owner holds for constant (a JAX array) can be read, and refuses to be written.

    Raises:
        ArgumentError: The object does not speak DLPack.
        DeviceError: Its memory is neither the CPU's nor CUDA's.
        DTypeError: Its dtype is none of ours.

    Example:
        >>> import numpy as np
        >>> from_dlpack(np.ones(2, "float32"))
        tensor([1., 1.])
    """
    if not hasattr(ext_tensor, "__dlpack__") or not hasattr(ext_tensor, "__dlpack_device__"):
        raise ArgumentError(
            f"from_dlpack got a {type(ext_tensor).__name__}.",
            "It takes an array that has __dlpack__ and __dlpack_device__.",
            "Did you mean ml.tensor(data)? That copies numbers and lists.",
        )
    device = int(ext_tensor.__dlpack_device__()[0])
    if device not in ON_CPU | ON_CUDA:
        raise DeviceError(
            f"from_dlpack got memory on DLPack's device {device}.",
            'Tensors live on "cpu" (1) and "cuda" (2).',
            "Move the array to the CPU first, with the package that it comes from.",
        )
    try:
        array = (xp if device in ON_CPU else cuda()).from_dlpack(ext_tensor)
    except RuntimeError as error:
        if "dtype" not in str(error):
            raise
        raise DTypeError(
            f"from_dlpack got an array of dtype {getattr(ext_tensor, 'dtype', 'unknown')}.",
            "NumPy has no such element type to share.",
            "Convert it to float32 first, with the package that it comes from.",
        ) from None
    return Tensor(native(array))


@taught
def as_tensor(data: Any, dtype: Any = None, device: str | None = None) -> Tensor:
    """`data` as a tensor, copied only where it must be.

    A tensor is given back as it is, and a NumPy or CuPy array shares its memory. A list, an array that may only be
    read, and whatever has to change its dtype or device, is copied.

    Raises:
        DTypeError: The data are not numbers, or there is no such dtype.
        DeviceError: There is no such device here.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.ones(2)
        >>> as_tensor(x) is x, as_tensor([1.0, 2.0]).tolist()
        (True, [1.0, 2.0])
    """
    if not isinstance(data, Tensor):
        if device_of(data) == "cuda":
            data = Tensor(native(data))
        elif isinstance(data, xp.ndarray) and data.flags.writeable and data.dtype.isnative:
            data = from_numpy(data)
        else:
            data = tensor(data, dtype)
    return data.to(dtype=dtype, device=device)


@taught
def asarray(
    obj: Any, dtype: Any = None, device: str | None = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """As `as_tensor`, for whatever speaks DLPack as well. `copy` says whether it must (True) or must not (False) copy.

    Raises:
        ArgumentError: `copy` is False, and only a copy would do.
        DTypeError: The data are not numbers, or there is no such dtype.
        DeviceError: There is no such device here.
        GradientError: A gradient is asked for, of integers.
    """
    speaks = hasattr(obj, "__dlpack__") and not isinstance(obj, (Tensor, xp.ndarray))
    source = from_dlpack(obj) if speaks else obj
    found = as_tensor(source, dtype, device)
    alike = isinstance(source, Tensor) and found is source
    if copy is False and not (alike or (isinstance(obj, xp.ndarray) and found.numpy() is obj)):
        raise ArgumentError(
            f"asarray got a {type(obj).__name__} and copy=False.",
            "To get the dtype and the device that are asked for, or to be written, it must be copied.",
            "Leave copy out.",
        )
    found = found.clone() if copy and (alike or isinstance(obj, xp.ndarray)) else found
    return found.detach().requires_grad_() if requires_grad else found
