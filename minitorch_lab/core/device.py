"""The name of a device: a string, which knows its kind and its number."""

from __future__ import annotations

from typing import Any

from ..errors import DeviceError

KINDS = ("cpu", "cuda")


class device(str):  # noqa: N801 - PyTorch's name
    """A device: `"cpu"`, `"cuda"` or `"cuda:0"`. It is the string itself, so `x.device == "cpu"` holds.

    Args:
        type: The kind, with or without the number; or the number of a GPU.
        index: The number.

    Raises:
        DeviceError: There is no such kind of device.

    Example:
        >>> d = device("cuda", 0)
        >>> d, d.type, d.index
        ('cuda:0', 'cuda', 0)
    """

    __slots__ = ()

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        """The string."""
        name = f"cuda:{type}" if isinstance(type, int) else str(type)
        kind, _, number = name.partition(":")
        if kind not in KINDS or not (number.isdecimal() or not number):
            raise no_device(name)
        return super().__new__(cls, name if index is None else f"{kind}:{index}")

    @property
    def type(self) -> str:
        """The kind: `"cpu"` or `"cuda"`."""
        return self.partition(":")[0]

    @property
    def index(self) -> int | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The number, if it has one."""
        number = self.partition(":")[2]
        return int(number) if number else None


def no_device(device: object) -> DeviceError:
    """The error of a device that there is none of: other words for a GPU mean "cuda"."""
    gpu = str(device).partition(":")[0].lower() in ("cuda", "gpu", "nvidia", "xpu", "mps", "metal", "0")
    near = '"cuda", the GPU, or "cpu"' if gpu else '"cpu"'
    return DeviceError(
        f"There is no device {str(device)!r}.", 'The devices are "cpu" and "cuda".', f"Did you mean {near}?"
    )


CPU, CUDA = device("cpu"), device("cuda")


class Size(tuple[int, ...]):
    """A shape. `x.shape` is a plain tuple of ints, which equals it; `ml.Size` also counts the entries.

    Example:
        >>> Size([2, 3]).numel(), Size([2, 3]) == (2, 3)
        (6, True)
    """

    __slots__ = ()

    def numel(self) -> int:
        """How many entries a tensor of this shape has."""
        total = 1
        for n in self:
            total *= n
        return total
