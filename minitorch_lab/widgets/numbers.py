"""How views write numbers: four significant digits, a true minus sign, shapes for what is too large to show."""

from __future__ import annotations

import math

from ..core.words import plural as plural  # where the views look for it
from ..recording.values import Number, Value

LONG = 36  # characters
FIRST = 8  # elements of a large tensor that the details show
SHOWN = 6  # a tensor of more elements shows its shape, its mean and its range


def number(x: Number) -> str:
    """`x` with four significant digits; whole numbers in full up to a million.

    Example:
        >>> number(0.693147), number(-3.0), number(1234567.8), number(0.00001234), number(802816)
        ('0.6931', '−3', '1.235e6', '1.234e−5', '802,816')
    """
    if isinstance(x, bool):
        return str(x)
    if not math.isfinite(x):
        return "nan" if math.isnan(x) else "∞" if x > 0 else "−∞"
    if abs(x) < 1e7 and (x == int(x) or isinstance(x, int)):
        return f"{int(x):,}".replace("-", "−")
    text = f"{x:.4g}"
    if "e" in text:
        mantissa, power = text.split("e")
        size = int(power)
        text = f"{float(text):,.0f}" if 0 <= size < 6 else f"{mantissa}e{size}" if size else mantissa
    elif abs(x) >= 1000:
        text = f"{float(text):,.0f}"
    return text.replace("-", "−")


def shape(dims: tuple[int, ...]) -> str:
    """A shape as Python writes it: (32, 784) or (8,)."""
    return str(dims)


def elements(value: Value) -> str:
    """All elements, nested in brackets by axis: [[1, 2], [3, 4]]."""
    assert value.data is not None
    return _nested(value.shape, [number(x) for x in value.data])


def _nested(dims: tuple[int, ...], texts: list[str]) -> str:
    if not dims:
        return texts[0]
    size = len(texts) // dims[0] if dims[0] else 0
    return "[" + ", ".join(_nested(dims[1:], texts[k * size : (k + 1) * size]) for k in range(dims[0])) + "]"


def small(value: Value) -> bool:
    """Whether the elements themselves are shown: they are few, and not too long to read in a sentence."""
    few = value.data is not None and 0 < value.numel <= SHOWN
    return few and (value.numel == 1 or len(elements(value)) <= LONG)


def several(value: Value) -> bool:
    """Whether this stands for the results of a Function that has several, or for their cotangents, together."""
    return value.dtype == "tuple"


def short(value: Value) -> str:
    """What fits into a pill: a number, a few numbers, else the shape.

    Example:
        >>> short(Value((), "float32", 2.0, 2.0, 2.0, (2.0,))), short(Value((32, 784), "float32", 0.0, 0.0, 1.0, None))
        ('2', '(32, 784)')
    """
    if value.scalar is not None:
        return number(value.scalar)
    if several(value):
        return "(…)"
    text = elements(value) if small(value) else ""
    return text if 0 < len(text) <= 14 else shape(value.shape)


def describe_numbers(value: Value) -> str:
    """What a sentence says: the number or numbers, else shape and mean.

    Example:
        >>> describe_numbers(Value((32, 10), "float32", 0.0125, -1.0, 1.0, None))
        '(32, 10) with mean 0.0125'
    """
    if value.scalar is not None:
        return number(value.scalar)
    if several(value):
        return "one part for each result"
    return elements(value) if small(value) else f"{shape(value.shape)} with mean {number(value.mean)}"


def spread(value: Value) -> str:
    """Where the elements of a tensor lie: between two numbers, or all at one.

    Example:
        >>> spread(Value((9,), "float32", 0.5, 0.25, 0.75, None)), spread(Value((9,), "float32", 0.5, 0.5, 0.5, None))
        ('between 0.25 and 0.75', 'all 0.5')
        >>> spread(Value((9,), "float32", 1.0, 1.00001, 1.00002, None))
        'all about 1'
    """
    low, high = number(value.low), number(value.high)
    if low != high:
        return f"between {low} and {high}"
    return f"all {low}" if value.low == value.high else f"all about {low}"


def facts(value: Value) -> str:
    """What the details strip says: dtype, shape, the elements or, of a large tensor, mean, range and the first ones."""
    if value.scalar is not None:
        return f"{value.dtype} · {number(value.scalar)}"
    if several(value):
        return describe_numbers(value)
    kind = f"{value.dtype} · shape {shape(value.shape)}"
    if small(value):
        return f"{kind} · {elements(value)}"
    told = f"{kind} · mean {number(value.mean)} · from {number(value.low)} to {number(value.high)}"
    first = ", ".join(number(x) for x in (value.data or ())[:FIRST])
    return f"{told} · begins {first}, …" if first else told


def ordinal(k: int) -> str:
    """The word for the k-th: second, third, 11th.

    Example:
        >>> ordinal(2), ordinal(11), ordinal(22)
        ('second', '11th', '22nd')
    """
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    if k <= len(words):
        return words[k - 1]
    return f"{k}{'th' if 10 <= k % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(k % 10, 'th')}"


def times(k: int) -> str:
    """How often, in words: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(k, f"{k:,} times")


def listed(words: list[str]) -> str:
    """a; a and b; a, b and c."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else "nothing"


def span(ns: float) -> str:
    """A time in ns, µs, ms or s, with three significant digits and a thin space.

    Example:
        >>> span(850), span(14_320), span(88_639_865)
        ('850\u2009ns', '14.3\u2009µs', '88.6\u2009ms')
    """
    value, unit = next(
        (ns / k, unit) for k, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns")) if ns >= k or k == 1
    )
    return f"{float(f'{value:.3g}'):g}\u2009{unit}"


def size(count: int) -> str:
    """Bytes in B, KiB or MiB, with four significant digits and a thin space.

    Example:
        >>> size(12), size(802816)
        ('12\u2009B', '784\u2009KiB')
    """
    value, unit = (
        (count, "B") if count < 1024 else (count / 1024, "KiB") if count < 1024**2 else (count / 1024**2, "MiB")
    )
    return f"{number(value)}\u2009{unit}"
