"""The ways to make a tensor: from data, from a constant, from a range. Random numbers stand in random.py."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, pi
from typing import Any

from ..core.array import (
    NUMBERS,
    DType,
    Shape,
    as_array,
    as_dtype,
    check_held,
    default_dtype,
    device_of,
    float64,
    int64,
    is_float,
    is_number,
    to_device,
    xp,
)
from ..core.device import CPU
from ..errors import ArgumentError, ShapeError
from ..ops import factory
from ..ops.axes import WHOLE, are_lengths
from ..ops.front import taught
from ..ops.meant import describe_value, is_batch, shown
from ..ops.misfit import check_flag
from ..ops.movement import to
from .tensor import Tensor


def finished(x: Tensor, device: str | None, requires_grad: bool) -> Tensor:
    """`x` on its device, the CPU unless it is named, as a leaf if it is to have a gradient."""
    x = x if device is None or device is CPU else x.to(device=device)
    if requires_grad is False:
        return x
    check_flag("requires_grad", requires_grad, "requires_grad=True")
    return x.requires_grad_() if requires_grad else x


@taught
def tensor(data: Any, dtype: Any = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
    """A new tensor with a copy of `data`: a number, nested sequences of numbers, or an array.

    Python floats become float32, ints int64, truth values bool; arrays keep their dtype.

    Raises:
        ArgumentError: The numbers come one by one, or a flag stands where the dtype does.
        DTypeError: The data are not numbers, or there is no such dtype.
        DeviceError: There is no such device here.
        GradientError: A gradient is asked for, of integers.

    Example:
        >>> tensor([[1.0, 2.0], [3.0, 4.0]]).shape
        (2, 2)
    """
    if dtype is not None and is_number(dtype):
        raise no_list([data, dtype, *(v for v in (device, requires_grad) if v is not None and v is not False)])
    if isinstance(data, Tensor):
        data, device = data.detach().to("cpu").numpy(), device or data.device
    elif device_of(data) == "cuda":
        data, device = to_device(data, "cpu"), device or "cuda"
    return finished(Tensor(as_array(data, dtype)), device, requires_grad)


def no_list(given: list[Any]) -> ArgumentError:
    """The error of numbers that are handed to `tensor` one by one, or of a flag that stands second."""
    flag = isinstance(given[1], bool)
    meant = f"ml.tensor({shown(given[0])}, requires_grad={given[1]})" if flag else f"ml.tensor({shown(given)})"
    return ArgumentError(
        f"tensor got {describe_value(given[1])} as dtype.",
        "tensor takes the data as one argument: a number, a list or an array. After it come dtype and device.",
        f"Did you mean {meant}?",
    )


def nearest_length(n: Any) -> int | None:
    """The length that was probably meant by something else: 3 by "3", 3.0 and -3; None if none was."""
    try:
        return abs(int(n))
    except (TypeError, ValueError, OverflowError):
        return None


def sizes(name: str, size: tuple[Any, ...]) -> Shape:
    """Lengths given one by one or as one sequence.

    Raises:
        ShapeError: A length is negative or no whole number.
    """
    if are_lengths(size):
        return size
    flat = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    if any(map(is_batch, size)):
        raise ShapeError(
            f"{name} got {describe_value(next(filter(is_batch, size)))} as a size.",
            "Lengths are whole numbers, 0 or more.",
            f"Did you mean ml.{name}_like(x), or ml.{name}(*x.shape)?",
        )
    flat = tuple(n.__index__() if isinstance(n, (xp.integer, Tensor)) else n for n in flat)
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in flat):
        near = [nearest_length(n) for n in flat]
        one = name in ("eye", "randperm")  # made from one length
        meant = (3,) if one and None in near else (2, 3) if None in near else near[:1] if one else near
        raise ShapeError(
            f"{name} got the size {flat}.",
            "Lengths are whole numbers, 0 or more.",
            f"Did you mean ml.{name}({', '.join(map(str, meant))})?",
        )
    return flat


def filled(shape: Shape, value: float, dtype: Any, device: str | None, requires_grad: bool) -> Tensor:
    """A tensor of `shape` with one number everywhere."""
    return finished(factory.full(shape=shape, value=value, dtype=as_dtype(dtype)), device, requires_grad)


def constant(name: str, value: float) -> tuple[Callable[..., Tensor], Callable[..., Tensor]]:
    """`ml.zeros` and `ml.zeros_like`, or the same of ones."""

    def fill(*size: Any, dtype: Any = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
        return filled(sizes(name, size), value, dtype or default_dtype(), device, requires_grad)

    def like(x: Tensor, dtype: Any = None, device: str | None = None, requires_grad: bool = False) -> Tensor:
        return filled(x.shape, value, dtype or x.dtype, device or x.device, requires_grad)

    fill.__name__, fill.__doc__ = name, f"A tensor of {name}, of the default dtype unless `dtype` says otherwise."
    like.__name__, like.__doc__ = f"{name}_like", f"A tensor of {name} with the shape, dtype and device of `x`."
    return taught(fill), taught(like)


@taught
def full(
    size: Any, fill_value: float, dtype: Any = None, device: str | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of `size` with one number everywhere, of the dtype that the number suggests."""
    number = fill_value.item() if isinstance(fill_value, xp.generic) else fill_value
    wanted = dtype if dtype is not None else NUMBERS.get(type(number)) or as_array(number).dtype
    shape = sizes("full", (size,) if isinstance(size, int) else tuple(size))
    return filled(shape, fill_value, wanted, device, requires_grad)


zeros, zeros_like = constant("zeros", 0)
ones, ones_like = constant("ones", 1)


@taught
def full_like(
    x: Tensor, fill_value: float, dtype: Any = None, device: str | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor with the shape, dtype and device of `x`, and one number everywhere."""
    return full(x.shape, fill_value, dtype or x.dtype, device or x.device, requires_grad)


@taught
def inclusive_range(
    start: float,
    end: float | None = None,
    step: float = 1,
    dtype: Any = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """start, start + step, … up to `end`, which is among them if a step meets it; floats, unless `dtype` says so.

    PyTorch's older `torch.range`; `arange` leaves the end out, as Python does.

    Raises:
        ArgumentError: The step is 0 or leads away from the end.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.range(1, 4)
        tensor([1., 2., 3., 4.])
    """
    first, last = (0, start) if end is None else (start, end)
    if not step or (last - first) * step < 0:
        raise ArgumentError(
            f"range got the ends {first} and {last} and step={step}.",
            "Steps lead from the first end to the other.",
            "Did you mean ml.range(1, 4)?",
        )
    count = int((last - first) / step) + 1
    found = arange(count, dtype=float64) * step + first
    return finished(to(found, as_dtype(dtype) if dtype is not None else default_dtype()), device, requires_grad)


@taught
def hann_window(
    window_length: int,
    periodic: bool = True,
    dtype: Any = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """sin²(πk/n), a bell that begins at 0; with `periodic` as one period, so that n is the length, else it is one less.

    Raises:
        ArgumentError: The length is negative.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.hann_window(4)
        tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    if window_length < 0:
        raise ArgumentError(
            f"hann_window got window_length={window_length}.", "A length is 0 or more.", "Did you mean 8?"
        )
    if window_length < 2:
        return ones(window_length, dtype=dtype, device=device, requires_grad=requires_grad)
    angles = arange(window_length, dtype=float64) * (pi / (window_length if periodic else window_length - 1))
    found = 1.0 - angles.cos() ** 2
    return finished(to(found, as_dtype(dtype) if dtype is not None else default_dtype()), device, requires_grad)


@taught
def arange(
    start: float,
    end: float | None = None,
    step: float = 1,
    dtype: Any = None,
    device: str | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """start, start + step, … below `end`; with one argument, 0 to it. int64 unless a bound is a float.

    Raises:
        ArgumentError: The step is 0 or leads away from the end, or a bound is infinite.
    """
    given: tuple[Any, ...] = (0, start, step) if end is None else (start, end, step)
    if whole := WHOLE.issuperset(map(type, given)):
        first, last, step = given
    else:
        first, last, step = (v.item() if isinstance(v, (Tensor, xp.generic)) else v for v in given)
        if any(isinstance(v, float) and not isfinite(v) for v in (first, last)):
            raise ArgumentError(f"arange got {first} and {last}.", "Both ends are finite.", "Did you mean arange(10)?")
        whole = all(isinstance(v, int) for v in (first, last, step))
    wanted = as_dtype(dtype) if dtype is not None else int64 if whole else default_dtype()
    if not whole and not is_float(wanted):  # fractions are cut off the bounds, not off what lies between, as in PyTorch
        first, last, step = int(first), int(last), int(step)
    if step == 0 or (last - first) * step < 0:
        raise ArgumentError(
            f"arange got {first}, {last} and step {step}.",
            "The step must lead from the start to the end.",
            f"Did you mean step={-step or 1}?",
        )
    return finished(factory.arange(start=first, end=last, step=step, dtype=wanted), device, requires_grad)


@taught
def linspace(
    start: float, end: float, steps: int, dtype: Any = None, device: str | None = None, requires_grad: bool = False
) -> Tensor:
    """`steps` numbers at even distances from `start` to `end`, both included. Whole dtypes cut the fractions off.

    Raises:
        ArgumentError: The number of steps is negative.
        DTypeError: The dtype cannot hold a bound.
        ShapeError: A bound is a tensor of more than one number.
    """
    if not isinstance(steps, int) or steps < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ArgumentError(
            f"linspace got steps={steps!r}.", "The number of steps is whole, 0 or more.", "Did you mean steps=100?"
        )
    wanted = as_dtype(dtype or default_dtype())
    first, last = (bound(v, wanted) for v in (start, end))
    middle = -(-steps // 2)  # counted from the nearer end, so that both are met exactly
    step = (last - first) / max(steps - 1, 1)
    ahead = first + step * xp.arange(middle)
    behind = last - step * xp.arange(steps - middle)[::-1]
    return finished(Tensor(xp.concatenate([ahead, behind]).astype(wanted)), device, requires_grad)


def bound(value: Any, dtype: DType) -> float:
    """An end of a range as a Python number, whole for a whole dtype.

    Raises:
        DTypeError: The dtype cannot hold it.
        ShapeError: It is a tensor of more than one number.
    """
    if getattr(value, "shape", ()) != ():
        raise ShapeError(
            f"linspace got a bound of shape {tuple(value.shape)}.", "A bound is one number.", "Did you mean x[0]?"
        )
    number = value.item() if hasattr(value, "item") else value
    check_held("linspace", number, dtype)
    return number if is_float(dtype) else int(number)


@taught
def eye(
    n: int, m: int | None = None, dtype: Any = None, device: str | None = None, requires_grad: bool = False
) -> Tensor:
    """The identity matrix, n by m (n by n if `m` is left out).

    Raises:
        ShapeError: A length is negative.
    """
    rows, columns = sizes("eye", (n, n if m is None else m))
    return finished(Tensor(xp.eye(rows, columns, dtype=as_dtype(dtype or default_dtype()))), device, requires_grad)


@taught
def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = int64, device: str | None = None) -> Tensor:
    """The rows and columns of the entries on and below the diagonal `offset` of a matrix: (2, how many).

    Example:
        >>> tril_indices(2, 2).tolist()
        [[0, 1, 1], [0, 0, 1]]
    """
    return finished(Tensor(xp.stack(xp.tril_indices(row, offset, col)).astype(as_dtype(dtype))), device, False)


@taught
def triu_indices(row: int, col: int, offset: int = 0, dtype: Any = int64, device: str | None = None) -> Tensor:
    """The rows and columns of the entries on and above the diagonal `offset` of a matrix: (2, how many)."""
    return finished(Tensor(xp.stack(xp.triu_indices(row, offset, col)).astype(as_dtype(dtype))), device, False)
