"""What a guard says of a tensor's lengths: numbers, or that an axis may have any length from 2 on.

A length of 0 or 1 is always guarded as that, as in PyTorch: an axis of length 1 stretches, one of length 0 is empty.
"""

from __future__ import annotations

from typing import Any

from ....core.array import device_of

ANY = None  # a length in an answer that stands for any from 2 on
Step = Any  # a stride: bytes, or (bytes, axes): so many for each entry of those axes


def patterned(x: Any, lengths: tuple[Any, ...]) -> tuple[Any, ...]:
    """The facts about a tensor, with these lengths: numbers, ANY, or the text of one that is known by other names."""
    array = x.value
    strides = steps(
        array.shape, array.strides, array.itemsize, {i for i, n in enumerate(lengths) if type(n) is not int}
    )
    return ("tensor", type(x), array.dtype, lengths, strides, device_of(array), x.requires_grad)


def steps(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, moving: set[int]) -> tuple[Step, ...]:
    """Strides, those of dense memory said by the lengths of the axes that lie further in.

    Example:
        >>> steps((5, 6, 3), (72, 12, 4), 4, {0, 1})
        ((12, (1,)), 12, 4)
    """
    found: list[Step] = list(strides)
    each, axes, step = itemsize, (), itemsize
    for i in sorted(range(len(shape)), key=lambda i: (strides[i], -i)):
        if strides[i] == 0:
            continue
        if strides[i] != step:
            break
        found[i] = (each, axes) if axes else each
        each, axes, step = (
            (each, (*axes, i), step * shape[i]) if i in moving else (each * shape[i], axes, step * shape[i])
        )
    return tuple(found)


def measured(strides: tuple[Step, ...], shape: tuple[Any, ...]) -> tuple[Any, ...]:
    """Strides as numbers or sizes, for a shape of numbers or sizes."""
    out: list[Any] = []
    for step in strides:
        each, axes = step if isinstance(step, tuple) else (step, ())
        for axis in axes:
            each = each * shape[axis]
        out.append(each)
    return tuple(out)


def is_open(key: tuple[Any, ...]) -> bool:
    """Whether an answer leaves lengths open."""
    return key[0] == "tensor" and any(type(n) is not int for n in key[3])


def lengths_test(array: str, shape: tuple[Any, ...], strides: tuple[Step, ...]) -> str:
    """The expression that is true of an array with these lengths and strides."""
    if ANY in shape:
        parts = [f"len({array}.shape) == {len(shape)}"]
        parts += [f"{array}.shape[{i}] {'>= 2' if n is ANY else f'== {n}'}" for i, n in enumerate(shape)]
    else:
        parts = [f"{array}.shape == {tupled([str(n) for n in shape])}"]
    return " and ".join([*parts, f"{array}.strides == {tupled([worded(array, s) for s in strides])}"])


def worded(array: str, step: Step) -> str:
    """A stride in Python."""
    if not isinstance(step, tuple):
        return str(step)
    each, axes = step
    return " * ".join([str(each), *(f"{array}.shape[{i}]" for i in axes)])


def tupled(parts: list[str]) -> str:
    """A tuple in Python."""
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def differs(name: str, old: Any, new: Any, shape: tuple[int, ...]) -> bool:
    """Whether a fact about a tensor is another than a guard has asked for."""
    if name == "shape":
        return len(old) != len(new) or not all(
            n == m or (type(n) is not int and m > 1) for n, m in zip(old, new, strict=True)
        )
    if name == "strides":
        return len(old) == len(shape) and measured(old, shape) != new
    return old != new


def shape_text(shape: tuple[Any, ...]) -> str:
    """`(≥2, 10)`."""
    return tupled(["≥2" if n is ANY else str(n) for n in shape])
