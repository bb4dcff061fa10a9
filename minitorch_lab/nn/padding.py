"""Frames around sequences, images and volumes, as layers: `nn.functional.pad` with its widths."""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentError
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .module import Module


class Frame(Module):
    """What the padding layers share: widths for `axes` axes, and a mode."""

    axes = 1
    mode = "constant"
    value: float | None = None

    def __init__(self, padding: Any) -> None:
        """Remember the widths: one number for all, or pairs (before, after) from the last axis to the first."""
        super().__init__()
        self.padding = (padding,) * (2 * self.axes) if isinstance(padding, int) else tuple(padding)
        if len(self.padding) != 2 * self.axes:
            raise ArgumentError(
                f"{type(self).__name__} got the widths {padding!r}.",
                f"It takes one number, or {2 * self.axes}: before and after each axis, the last axis first.",
                f"Did you mean {type(self).__name__}(1)?",
            )

    def forward(self, x: Tensor) -> Tensor:
        """A tensor in, the same in its frame out."""
        return F.pad(x, self.padding, self.mode, self.value)

    def extra_repr(self) -> str:
        """The widths."""
        return str(self.padding)


class ConstantPad1d(Frame):
    """A frame of one number around the last axis.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.
        value: The number.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ConstantPad1d(1, 0.5)(ml.rand(1, 4)).shape
        (1, 6)
    """

    axes = 1

    def __init__(self, padding: Any, value: float) -> None:
        """Remember the widths and the number."""
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        """The widths and the number."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad2d(Frame):
    """A frame of one number around the last two axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.
        value: The number.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ConstantPad2d(1, 0.5)(ml.rand(1, 4, 4)).shape
        (1, 6, 6)
    """

    axes = 2

    def __init__(self, padding: Any, value: float) -> None:
        """Remember the widths and the number."""
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        """The widths and the number."""
        return f"padding={self.padding}, value={self.value}"


class ConstantPad3d(Frame):
    """A frame of one number around the last three axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.
        value: The number.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ConstantPad3d(1, 0.5)(ml.rand(1, 4, 4, 4)).shape
        (1, 6, 6, 6)
    """

    axes = 3

    def __init__(self, padding: Any, value: float) -> None:
        """Remember the widths and the number."""
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        """The widths and the number."""
        return f"padding={self.padding}, value={self.value}"


class ZeroPad1d(Frame):
    """A frame of zeros around the last axis.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ZeroPad1d(1)(ml.rand(1, 4)).shape
        (1, 6)
    """

    axes = 1
    value = 0.0


class ZeroPad2d(Frame):
    """A frame of zeros around the last two axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ZeroPad2d(1)(ml.rand(1, 4, 4)).shape
        (1, 6, 6)
    """

    axes = 2
    value = 0.0


class ZeroPad3d(Frame):
    """A frame of zeros around the last three axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ZeroPad3d(1)(ml.rand(1, 4, 4, 4)).shape
        (1, 6, 6, 6)
    """

    axes = 3
    value = 0.0


class ReflectionPad1d(Frame):
    """A frame of the entries mirrored at the ends of the last axis.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReflectionPad1d(1)(ml.rand(1, 4)).shape
        (1, 6)
    """

    axes = 1
    mode = "reflect"


class ReflectionPad2d(Frame):
    """A frame of the entries mirrored at the ends of the last two axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReflectionPad2d(1)(ml.rand(1, 4, 4)).shape
        (1, 6, 6)
    """

    axes = 2
    mode = "reflect"


class ReflectionPad3d(Frame):
    """A frame of the entries mirrored at the ends of the last three axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReflectionPad3d(1)(ml.rand(1, 4, 4, 4)).shape
        (1, 6, 6, 6)
    """

    axes = 3
    mode = "reflect"


class ReplicationPad1d(Frame):
    """A frame of the outermost entries again, around the last axis.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReplicationPad1d(1)(ml.rand(1, 4)).shape
        (1, 6)
    """

    axes = 1
    mode = "replicate"


class ReplicationPad2d(Frame):
    """A frame of the outermost entries again, around the last two axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReplicationPad2d(1)(ml.rand(1, 4, 4)).shape
        (1, 6, 6)
    """

    axes = 2
    mode = "replicate"


class ReplicationPad3d(Frame):
    """A frame of the outermost entries again, around the last three axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.ReplicationPad3d(1)(ml.rand(1, 4, 4, 4)).shape
        (1, 6, 6, 6)
    """

    axes = 3
    mode = "replicate"


class CircularPad1d(Frame):
    """A frame of the entries of the other end, around the last axis.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.CircularPad1d(1)(ml.rand(1, 4)).shape
        (1, 6)
    """

    axes = 1
    mode = "circular"


class CircularPad2d(Frame):
    """A frame of the entries of the other end, around the last two axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.CircularPad2d(1)(ml.rand(1, 4, 4)).shape
        (1, 6, 6)
    """

    axes = 2
    mode = "circular"


class CircularPad3d(Frame):
    """A frame of the entries of the other end, around the last three axes.

    Args:
        padding: One width for all sides, or pairs (before, after) from the last axis to the first.

    Raises:
        ArgumentError: There are too few or too many widths.
        ShapeError: An axis is too short for them.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.CircularPad3d(1)(ml.rand(1, 4, 4, 4)).shape
        (1, 6, 6, 6)
    """

    axes = 3
    mode = "circular"
