"""`ml.cuda`: whether there is a GPU, under PyTorch's names. Tensors go there by `x.to("cuda")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core import array
from ..errors import DeviceError
from ..ops.absent import answering
from ..ops.random import DEFAULT


def is_available() -> bool:
    """Whether CuPy is installed and finds a GPU."""
    try:
        array.cuda()
    except DeviceError:
        return False
    return True


def device_count() -> int:
    """How many GPUs tensors can lie on: the first one, if there is one."""
    return int(is_available())


def current_device() -> int:
    """The number of the GPU that is used: 0.

    Raises:
        DeviceError: There is none.
    """
    array.cuda()
    return 0


def get_device_name(device: object = None) -> str:
    """What the GPU is called.

    Raises:
        DeviceError: There is none.
    """
    return str(array.cuda().cuda.runtime.getDeviceProperties(0)["name"].decode())


def synchronize(device: object = None) -> None:
    """Wait until the GPU has done all that was asked of it; without one there is nothing to wait for."""
    if is_available():
        array.cuda().cuda.Device().synchronize()


def empty_cache() -> None:
    """Give memory that no tensor holds back to the driver; without a GPU there is none."""
    if is_available():
        array.cuda().get_default_memory_pool().free_all_blocks()


def manual_seed(seed: int) -> None:
    """Start the sequence of random numbers: it is the same one on every device, `ml.manual_seed`."""
    DEFAULT.manual_seed(seed)


manual_seed_all = manual_seed

__all__ = [
    "current_device", "device_count", "empty_cache", "get_device_name", "is_available", "manual_seed",
    "manual_seed_all", "synchronize",
]  # fmt: skip


if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.cuda")
