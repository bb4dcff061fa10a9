"""Calls that need work before they run, or that fail: dtypes brought together, and errors that teach."""

from __future__ import annotations

from typing import Any

from ..core.array import (
    beyond,
    bool_,
    can_write,
    check_held,
    converted,
    device_of,
    float32,
    float64,
    is_float,
    is_number,
    overlaps,
    xp,
)
from ..core.interpret import Interpreter
from ..errors import ArgumentError, DeviceError, DTypeError, MinitorchError, ShapeError
from ..ops.front import check_tensors
from ..ops.meant import describe_value
from ..ops.misfit import plain
from ..ops.movement import cast
from ..ops.op import Op, as_given
from ..tensors.tensor import Tensor
from .tape import held, shape_of

MASK = (1 << 64) - 1  # what a whole number of 64 bits keeps of a larger one


def alike(args: tuple[Any, ...]) -> bool:
    """Whether all inputs are tensors of float32, or all of float64, or numbers: then there is nothing to reconcile."""
    dtype = None
    for a in args:
        if not isinstance(a, Tensor):
            if not is_number(a):
                return False
        elif dtype is None:
            dtype = a.value.dtype
        elif a.value.dtype is not dtype:
            return False
    return dtype is float32 or dtype is float64


def met(op: Op, args: tuple[Any, ...], runner: Interpreter) -> tuple[Any, ...]:
    """The inputs brought to the dtype in which they meet, by casts that are recorded too.

    Raises:
        ArgumentError: An input is neither a tensor, an array nor a number.
    """
    args = operands(op, args)
    dtype = op.casts(*args)
    if dtype is None:
        return args
    rules = op.rules(len(args))
    moving = any(rules)
    return tuple(
        number_in(a, dtype, op.gives is bool_)
        if is_number(a)
        else a
        if (moving and rule is None) or a.dtype == dtype
        else as_dtype_of(a, dtype, runner)
        for a, rule in zip(args, rules, strict=True)
    )


def operands(op: Op, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs, with Python's own numbers for those of its subclasses, such as an IntEnum.

    Raises:
        ArgumentError: One is neither a tensor, an array nor a number.
    """
    if all(is_number(a) or hasattr(a, "dtype") for a in args):
        return args
    found = tuple(a if hasattr(a, "dtype") else plain(a) for a in args)
    for a in found:
        if not is_number(a) and not hasattr(a, "dtype"):
            raise ArgumentError(
                f"{op.name} got {describe_value(a)}.",
                "Its inputs are tensors and numbers.",
                f"Did you mean ml.tensor({a!r})?" if isinstance(a, (list, tuple)) else "",
            )
    return found


def number_in(a: Any, dtype: Any, compared: bool) -> Any:
    """A Python number as `dtype` holds it: whole ones wrap around in arithmetic, and are compared as they are."""
    if is_float(dtype) or compared or not isinstance(a, int) or dtype == bool_:
        return a
    return int(converted(xp.asarray(a & MASK, "uint64"), dtype))


def as_dtype_of(a: Any, dtype: Any, runner: Interpreter) -> Any:
    """A tensor cast on the tape, an array cast at once."""
    return runner.run(cast, (a,), {"dtype": dtype}) if isinstance(a, Tensor) else a.astype(dtype)


def elsewhere(op: Op, x: Tensor, args: tuple[Any, ...]) -> Any:
    """The dtype in which a write into `x` computes, if it is not that of `x`."""
    dtype = op.casts(x, *args)
    return None if dtype is None or dtype == x.dtype else dtype


def fitted(op: Op, x: Tensor, args: tuple[Any, ...], runner: Interpreter) -> tuple[Any, ...]:
    """The inputs of a write, in the dtype that is written; index arrays stay.

    Raises:
        DTypeError: A number that is to stand in `x` is none that it can hold.
    """
    real = len(args) if op.rest is None else op.rest - 1
    if op.casts is as_given:
        for a in filter(is_number, args):
            check_held(op.name, a, x.dtype)
    return tuple(
        a
        if i >= real or (not is_number(a) and a.dtype == x.dtype)
        else number_in(a, x.dtype, False)
        if is_number(a)
        else as_dtype_of(a, x.dtype, runner)
        for i, a in enumerate(args)
    )


def explained(op: Op, args: tuple[Any, ...], params: dict[str, Any], error: Exception) -> Exception:
    """The error that teaches what was wrong with a call that failed; the original one if there is nothing to add."""
    if isinstance(error, MinitorchError):
        return error
    devices = [device_of(held(a)) for a in args if isinstance(a, Tensor)]
    if len(set(devices)) > 1:
        return DeviceError(
            f"{op.name} got tensors on {' and '.join(devices)}.",
            "An op runs where its inputs lie, so they must lie on one device.",
            f'Did you mean y.to("{devices[0]}")?',
        )
    try:
        op.shape(*[shape_of(a) for a in args], **params)
        op.casts(*args)
        if isinstance(error, AttributeError):
            check_tensors(op.name, *args)
    except (ShapeError, DTypeError, ArgumentError) as taught:
        return taught
    if isinstance(error, OverflowError):
        return unheld(op, args, params)
    return error


def unheld(op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> DTypeError:
    """The error of a Python number that does not fit into a whole dtype."""
    numbers = [n for n in (*args, *params.values()) if is_number(n)]
    dtype = params.get("dtype") or next(a.dtype for a in args if hasattr(a, "dtype"))
    return beyond(op.name, f"the number {' or '.join(map(str, numbers))}", dtype)


def misfit(op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any], error: Exception) -> Exception:
    """The same for a write: its result must also fit into what is written to."""
    taught = explained(op, (x, *args), params, error)
    if taught is not error or isinstance(error, MinitorchError):
        return taught
    if not can_write(x.value):
        why = "It was expanded (stride 0), so" if 0 in x.stride() else "Its windows overlap, so"
        return ShapeError(
            f"{op.name}_ on a tensor of shape {x.shape} and strides {x.stride()} that cannot be written.",
            f"{why} many of its entries are one number in memory."
            if overlaps(x.shape, x.stride())
            else "Its memory belongs to an array that was lent for reading only.",
            "Did you mean x.clone()? Then write to the copy.",
        )
    if isinstance(error, TypeError):
        return DTypeError(
            f"{op.name}_ would write fractions into a tensor of dtype {x.dtype}.",
            "A write in place keeps the dtype of what is written to.",
            f"Did you mean x = x.{op.name}(...)? Or x.float() first.",
        )
    shape = op.shape(*[shape_of(a) for a in (x, *args)], **params)
    if shape == x.shape:
        return error
    return ShapeError(
        f"{op.name}_ would write a result of shape {shape} into a tensor of shape {x.shape}.",
        "A write in place keeps the shape: the other operand may stretch, the written one may not.",
        f"Did you mean x = x.{op.name}(y)?",
    )
