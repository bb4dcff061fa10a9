"""Whether an answer is the one that was wanted: no shape is stretched, and no kind of thing taken for another."""

from __future__ import annotations

from typing import Any

from ...array import xp


def close(got: Any, want: Any, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    """Say whether an answer is what was wanted, up to rounding.

    Shapes and lengths must be the same. Whole and other numbers may stand for each other, truth values for nothing
    else. Not-a-number and infinities must be where they are wanted, and nowhere else.

    Args:
        got: What the submission gave. A handle is never close to anything.
        want: Numbers, arrays, strings, None, or lists, tuples and dicts of these.
        rtol: How far off a number may be, by the number that is wanted.
        atol: How far off it may be besides.

    Example:
        >>> close(xp.ones(3), xp.ones(3)), close(xp.ones(1), xp.ones(3)), close(True, 1.0)
        (True, False, False)
        >>> close([1, "a"], (1.0, "a")), close([1, "a"], [1.0, "a"])
        (False, True)
    """
    if isinstance(want, list | tuple):
        return (
            type(got) is type(want)
            and len(got) == len(want)
            and all(close(one, other, rtol, atol) for one, other in zip(got, want, strict=True))
        )
    if isinstance(want, dict):
        return type(got) is dict and got.keys() == want.keys() and all(close(got[k], want[k], rtol, atol) for k in want)
    if want is None or isinstance(want, str):
        return type(got) is type(want) and got == want
    if type(got) not in (bool, int, float) and not isinstance(got, xp.ndarray):
        return False
    return numbers_close(xp.asarray(got), xp.asarray(want), rtol, atol)


def numbers_close(got: Any, want: Any, rtol: float, atol: float) -> bool:
    """The same for two arrays."""
    if got.shape != want.shape or family(got) != family(want):
        return False
    if family(want) == "truth":
        return bool((got == want).all())
    wide = xp.complex128 if family(want) == "complex" else xp.float64
    try:
        got, want = got.astype(wide), want.astype(wide)
    except OverflowError:  # a whole number beyond all floats
        return False
    with xp.errstate(all="ignore"):
        return bool(xp.allclose(got, want, rtol, atol, equal_nan=True))


def family(array: Any) -> str:
    """Return which numbers an array holds: truth values, complex numbers, or others."""
    return {"b": "truth", "c": "complex"}.get(array.dtype.kind, "number")
