"""Formats of floats: what each can hold, a number as its bits, and the check of a reader's rounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import copysign, floor, frexp, inf, isfinite, isnan, ldexp
from typing import Any, NamedTuple

from ..charts import BLUE, ORANGE, Chart
from ..values import described, plain
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Rounding = Callable[[float, int, int], Any]  # a number, bits of the exponent, bits of the mantissa
GREEN = "#009E73"


class Format(NamedTuple):
    """A format with a sign, an exponent and a mantissa, as IEEE 754 has them.

    Example:
        >>> half = Format(5, 10)
        >>> half.bits, half.largest, half.smallest_normal, half.smallest
        (16, 65504.0, 6.103515625e-05, 5.960464477539063e-08)
    """

    exponent: int
    mantissa: int

    @property
    def bits(self) -> int:
        """All of them, with that of the sign."""
        return 1 + self.exponent + self.mantissa

    @property
    def top(self) -> int:
        """The largest exponent of a finite number; the smallest of a normal one is 1 minus it."""
        return 2 ** (self.exponent - 1) - 1

    @property
    def largest(self) -> float:
        """The largest finite number."""
        return (2.0 - self.spacing) * 2.0**self.top

    @property
    def smallest_normal(self) -> float:
        """The smallest number with all bits of the mantissa."""
        return 2.0 ** (1 - self.top)

    @property
    def smallest(self) -> float:
        """The smallest number above 0, which is subnormal: only the last bit of its mantissa is set."""
        return self.smallest_normal * self.spacing

    @property
    def spacing(self) -> float:
        """From 1 to the next number above it."""
        return 2.0**-self.mantissa


FORMATS = {"float32": Format(8, 23), "TF32": Format(8, 10), "float16": Format(5, 10), "bfloat16": Format(8, 7)}


def format_table() -> str:
    """The four formats of deep learning, as a table.

    Example:
        >>> print(format_table().partition("TF32")[0])
        format    bits  exponent  mantissa  largest   normal from  above 0 from  spacing at 1
        float32     32         8        23  3.4e+38       1.2e-38       1.4e-45       1.2e-07
        <BLANKLINE>
    """
    head = "format    bits  exponent  mantissa  largest   normal from  above 0 from  spacing at 1"
    rows = [
        f"{name:8}  {f.bits:4}  {f.exponent:8}  {f.mantissa:8}  {f.largest:7.2g}  {f.smallest_normal:12.2g}"
        f"  {f.smallest:12.2g}  {f.spacing:12.2g}"
        for name, f in FORMATS.items()
    ]
    return "\n".join([head, *rows])


def bits(x: float, name: str) -> str:
    """A number in a format: its sign, its exponent and its mantissa as bits, and what they mean.

    Example:
        >>> bits(0.1, "float16")
        '0 01011 1001100110 = 1.6 × 2^-4 = 0.09998'
        >>> bits(-1e-7, "float16"), bits(1e-8, "float16")
        ('1 00000 0000000010 = -2 × 2^-24 = -1.192e-07', '0 00000 0000000000 = 0')
        >>> bits(1e5, "float16")
        '0 11111 0000000000 = inf'
    """
    form = FORMATS[name]
    value = rounded_to(x, *form)
    sign = int(copysign(1.0, value) < 0)
    if not isfinite(value):
        field, rest, means = 2**form.exponent - 1, 2 ** (form.mantissa - 1) * isnan(value), f"{value}"
    elif abs(value) < form.smallest_normal:
        field, rest = 0, round(abs(value) / form.smallest)
        means = f"{'-' * sign}{rest} × 2^{1 - form.top - form.mantissa} = {value:.4g}" if rest else "0"
    else:
        part, power = frexp(abs(value))
        field, rest = power - 1 + form.top, round((2 * part - 1) / form.spacing)
        means = f"{'-' * sign}{2 * part:.4g} × 2^{power - 1} = {value:.4g}"
    return f"{sign} {field:0{form.exponent}b} {rest:0{form.mantissa}b} = {means}"


# ---- rounding -------------------------------------------------------------------------------------------------------
def rounded_to(
    x: float,
    exponent: int,
    mantissa: int,
    nearest: Callable[[float], float] = round,
    lowest: int | None = None,
    beyond: Callable[[float, float], float] = lambda y, largest: copysign(inf, y),
) -> float:
    """The number of a format that is nearest to `x`, and of two that are as near the one whose last bit is 0.

    Args:
        x: Any float.
        exponent: Bits of the exponent, at most 10.
        mantissa: Bits of the mantissa.
        nearest: From a number of steps to a whole number of steps.
        lowest: The exponent below which numbers lie no closer together, if it is not that of the format.
        beyond: What becomes of a number beyond the largest, which comes with it.

    Example:
        >>> rounded_to(2049.0, 5, 10), rounded_to(1e-8, 5, 10), rounded_to(70000.0, 5, 10), rounded_to(0.1, 8, 7)
        (2048.0, 0.0, inf, 0.10009765625)
    """
    if x == 0 or not isfinite(x):
        return x
    form = Format(exponent, mantissa)
    power = max(frexp(x)[1] - 1, 1 - form.top if lowest is None else lowest)
    step = ldexp(1.0, power - mantissa)
    y = nearest(x / step) * step
    return copysign(y, x) if abs(y) <= form.largest else beyond(y, form.largest)


def away(steps: float) -> float:
    """The nearest whole number, and away from 0 where two are as near."""
    return copysign(floor(abs(steps) + 0.5), steps)


def flushed(x: float, exponent: int, mantissa: int) -> float:
    """As rounded_to, without subnormal numbers."""
    found = rounded_to(x, exponent, mantissa)
    return found if abs(found) >= Format(exponent, mantissa).smallest_normal else 0.0


THOUGHTS: list[tuple[Callable[[float, int, int], float], str]] = [
    (lambda x, e, m: rounded_to(x, e, m, int),
     "You cut off what does not fit. The nearest number may be the next one above."),
    (lambda x, e, m: rounded_to(x, e, m, floor),
     "You go down in any case. The nearest number may be above, and down is away from 0 where x is negative."),
    (lambda x, e, m: rounded_to(x, e, m, away),
     "Two numbers are as near, and you take the larger one each time, so that sums drift. Take the one whose last bit "
     "is 0: an even number of steps."),
    (flushed,
     "Below the smallest normal number there are more: the subnormal ones. They lie as far apart as those just above "
     "it, down to 0."),
    (lambda x, e, m: rounded_to(x, e, m, lowest=-10_000),
     "Below the smallest normal number your steps go on getting smaller. The exponent has no lower value there, so the "
     "steps stay as they are."),
    (lambda x, e, m: rounded_to(x, e, m, beyond=lambda y, largest: copysign(largest, y)),
     "Beyond the largest number comes infinity, not the largest number once more."),
    (lambda x, e, m: rounded_to(x, e, m, beyond=lambda y, largest: y),
     "The exponent has a largest value, too: beyond it there is only infinity."),
    (lambda x, e, m: rounded_to(x, e, m - 1),
     "One bit too few: the 1 before the point is not stored, so all bits of the mantissa are behind it."),
    (lambda x, e, m: rounded_to(x, e, m + 1), "One bit too many: your steps are half as large as the format's."),
    (lambda x, e, m: rounded_to(x, e, m, lowest=2 - 2 ** (e - 1) - 1),
     "Your smallest normal exponent is one too low. It is 1 − (2^(bits − 1) − 1), because the field 0 stands for "
     "subnormal numbers."),
    (lambda x, e, m: rounded_to(x, e, m, lowest=3 - 2 ** (e - 1)),
     "Your smallest normal exponent is one too high. It is 1 − (2^(bits − 1) − 1)."),
    (lambda x, e, m: copysign(rounded_to(x, e, m), 1.0), "You have lost the sign."),
]  # fmt: skip


def asked(form: Format) -> Iterator[float]:
    """Numbers that show what a rounding to a format does, the easy ones first."""
    step, tiny = form.spacing, form.smallest
    yield from (1.0, 1 + 0.25 * step, 1 + 0.75 * step, 0.1, -3.7, 2 - step / 4)
    yield from (1 + 0.5 * step, 1 + 1.5 * step, -(1 + 2.5 * step))  # between two
    yield from (form.smallest_normal * 1.3, 5.3 * tiny, -0.7 * tiny, 0.3 * tiny, 0.5 * tiny, 2.5 * tiny)
    yield form.smallest_normal - 0.3 * tiny
    last = form.largest * step / (2 - step)  # the last step below the largest
    yield from (form.largest, form.largest + 0.4 * last, form.largest + 0.5 * last, -2 * form.largest)
    yield from (0.0, inf, -inf, float("nan"))


def number(answer: Any) -> float | None:
    """The number that an answer is, in whatever type; None if it is none."""
    known = plain(answer)
    while isinstance(known, list) and len(known) == 1:  # pyright: ignore[reportUnknownArgumentType]
        known = known[0]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(known, float | int):
        return None
    try:
        return float(known)
    except OverflowError:
        return inf if known > 0 else -inf


def same(a: float, b: float) -> bool:
    """Equal, NaN too."""
    return a == b or (isnan(a) and isnan(b))


ASKED = {name: FORMATS[name] for name in ("float16", "bfloat16", "TF32", "float32")}
ASKED["8 bits, 5 of exponent"] = Format(5, 2)


@answering
def check_rounded(rounded: Rounding) -> Verdict:
    """Check the reader's rounding in five formats."""
    tried = [x for x in asked(FORMATS["float16"]) if isfinite(x)]
    answers, _ = attempt(lambda: [number(rounded(x, 5, 10)) for x in tried])
    if answers == tried:
        return unwritten("every number comes back as it was.")
    for name, form in ASKED.items():
        for x in asked(form):
            found, error = attempt(rounded, x, form.exponent, form.mantissa)
            if error is not None:
                return stopped(f"for x = {x}, your function", error)
            given, right = number(found), rounded_to(x, *form)
            if given is None:
                return not_yet(f"for x = {x} you give {described(found)}. It is one number, a float.")
            if not same(given, right):
                return not_yet(f"{x} in {name} is {right}, and you give {given}. {why(rounded, x, form)}".rstrip())
    return done("five formats, numbers between two, below the smallest and beyond the largest. No table was needed: "
                "two numbers say all that there is to know of a format.")  # fmt: skip


def why(rounded: Rounding, x: float, form: Format) -> str:
    """The thought that leads to the wrong answer for `x`, if one is known; of several, that which explains most."""
    if not isfinite(x):
        return "Infinity and NaN stay what they are."
    tried = [each for each in asked(form) if isfinite(each)]
    given = {each: attempt(lambda each=each: number(rounded(each, *form)))[0] for each in tried}

    def explained(idea: Callable[[float, int, int], float], each: float) -> bool:
        answer = given[each]
        return answer is not None and same(idea(each, *form), answer)

    fitting = [thought for thought in THOUGHTS if explained(thought[0], x)]
    return max(fitting, key=lambda t: sum(explained(t[0], each) for each in tried), default=(None, ""))[1]


# ---- a picture of rounding ------------------------------------------------------------------------------------------
def errors(rounded: Rounding, form: Format, powers: range) -> list[float]:
    """The largest relative error of a rounding among 24 numbers from each power of two to the next; 1 is the most.

    Example:
        >>> errors(rounded_to, Format(5, 10), range(-27, -25)), errors(rounded_to, Format(5, 10), range(16, 17))
        ([1.0, 1.0], [1.0])
    """
    found: list[float] = []
    for power in powers:
        xs = [ldexp(1 + (k + 0.37) / 24, power) for k in range(24)]
        values = [number(rounded(x, *form)) for x in xs]
        most = [1.0 if y is None or not isfinite(y) else abs(y - x) / x for x, y in zip(xs, values, strict=True)]
        found.append(min(1.0, max(most)))
    return found


def roundoff(rounded: Rounding) -> Any:
    """What the reader's rounding loses of a number, by how large it is: three formats."""
    import plotly.graph_objects as go

    powers = range(-40, 24)
    names = ("bfloat16", "float16", "TF32")
    curves, error = attempt(lambda: {name: errors(rounded, FORMATS[name], powers) for name in names})
    if error is not None or curves is None:
        return stopped("your function", error or ValueError())
    if not any(map(any, curves.values())):
        return unwritten("nothing is lost in any of the formats. Write the rounding first.")
    figure: Any = go.Figure()
    looks = zip((GREEN, ORANGE, BLUE), ("dot", "dash", "solid"), strict=True)
    for (name, lost), (colour, dash) in zip(curves.items(), looks, strict=True):
        shown = [part or None for part in lost]
        figure.add_scatter(
            x=[2.0**k for k in powers], y=shown, name=name, mode="lines",
            line={"color": colour, "dash": dash, "shape": "hv"},
        )  # fmt: skip
    figure.update_layout(
        template="plotly_white", title={"text": "What rounding loses", "font": {"size": 14}}, height=340,
        xaxis={"title": {"text": "the number"}, "type": "log", "exponentformat": "power"},
        yaxis={"title": {"text": "lost, as a part of it"}, "type": "log", "exponentformat": "power"},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 70, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    said = ", ".join(f"{name} {max(lost[38:42]):.2%}" for name, lost in curves.items())
    return Chart(figure, f"Near 1 you lose up to: {said}. Of 2^-30: {curves['float16'][10]:.0%} in float16.")
