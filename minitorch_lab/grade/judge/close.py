"""Whether an answer is the one that was wanted: by value, in whatever type a program writes a value down."""

from __future__ import annotations

from typing import Any

from ...core.array import xp

SEQUENCES = (list, tuple, xp.ndarray)
NUMBERS = (bool, int, float, complex, xp.generic, xp.ndarray)


def close(got: Any, want: Any, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    """Say whether an answer is what was wanted, up to rounding.

    Values count, not types: lists, tuples and arrays may stand for each other, 0 and 1 for truth values, NumPy's
    numbers for Python's. Shapes and lengths must be the same, and strings exactly so. Not-a-number and infinities must
    be where they are wanted, and nowhere else.

    Args:
        got: What the submission gave. A handle is never close to anything.
        want: Numbers, arrays, strings, None, or lists, tuples and dicts of these.
        rtol: How far off a number may be, by the number that is wanted.
        atol: How far off it may be besides.

    Example:
        >>> close(xp.ones(3), xp.ones(3)), close(xp.ones(1), xp.ones(3)), close(1, True)
        (True, False, True)
        >>> close([1, "a"], (1.0, "a")), close([1, "a"], [1.0, "b"]), close([1, 2.5], xp.array([1, 2.5]))
        (True, False, True)
    """
    if want is None:
        return got is None
    if isinstance(want, str):
        return isinstance(got, str) and got == want
    if isinstance(want, dict):
        return isinstance(got, dict) and got.keys() == want.keys() and all(
            close(got[k], want[k], rtol, atol) for k in want
        )  # fmt: skip
    if (wanted := as_numbers(want)) is not None:
        return (found := as_numbers(got)) is not None and numbers_close(found, wanted, rtol, atol)
    return (
        isinstance(want, SEQUENCES)
        and isinstance(got, SEQUENCES)
        and len(got) == len(want)
        and all(close(one, other, rtol, atol) for one, other in zip(got, want, strict=True))
    )


def as_numbers(value: Any) -> Any:
    """Return a number, or a nest of numbers that is as long everywhere, as an array; None for anything else."""
    if not only_numbers(value):
        return None
    try:
        return xp.asarray(value)
    except ValueError:  # rows of different lengths
        return None


def only_numbers(value: Any) -> bool:
    """Say whether something is a number or a nest of numbers, and asks nothing of what it is not."""
    if isinstance(value, (list, tuple)):
        return all(map(only_numbers, value))
    return isinstance(value, NUMBERS) and getattr(value, "dtype", xp.dtype(int)).kind not in "OUS"


def numbers_close(got: Any, want: Any, rtol: float, atol: float) -> bool:
    """The same for two arrays."""
    if got.shape != want.shape:
        return False
    wide = xp.complex128 if "c" in (got.dtype.kind, want.dtype.kind) else xp.float64
    try:
        got, want = got.astype(wide), want.astype(wide)
    except OverflowError:  # a whole number beyond all floats
        return False
    with xp.errstate(all="ignore"):
        return bool(xp.allclose(got, want, rtol, atol, equal_nan=True))
