"""Whole numbers as rows of bits; truth values are single bits. Nothing here changes by a little: no gradient flows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.array import Array, DType, bool_, is_float, promote, xp
from ..errors import DTypeError
from .families import elementwise
from .op import Op, Sample
from .word import TRUTH, WHOLE, Word


def of_bits(name: str, least: str = "whole numbers or truth values") -> Callable[..., DType]:
    """The dtype rule of ops on bits: as `promoted`, and floats have none.

    Raises:
        DTypeError: An input holds floats; or all hold truth values, and `least` says that those are too few.
    """

    def meet(*operands: Any) -> DType:
        dtype = promote(*operands)
        if is_float(dtype) or (dtype == bool_ and "truth" not in least):
            raise DTypeError(
                f"{name} got inputs that meet in {dtype}.",
                f"{name} works on the bits of {least}.",
                "Did you mean x.long()? Or logical_and, logical_or, logical_xor, logical_not: they take anything.",
            )
        return dtype

    return meet


def numbers(count: int) -> Callable[[Any], list[Sample]]:
    """Samples: whole numbers on both sides of 0, a second input that stretches, nothing."""

    def samples(rng: Any) -> list[Sample]:
        inputs = tuple(rng.integers(-9, 9, s) for s in ((3, 4), (4,))[:count])
        return [(inputs, {}), ((inputs[0][:0], *inputs[1:]), {})]

    return samples


def bits(
    name: str,
    impl: Callable[..., Array],
    count: int,
    casts: Any,
    doc: tuple[str, ...],
    word: Word | None = None,
    places: str = "one place",
) -> Op:
    """An op on the bits of `count` inputs."""
    return elementwise(
        name, impl, vjp=(None,) * count, casts=casts, samples=numbers(count), numbers=places, doc=doc, word=word
    )


ONLY_NUMBERS, BITS = "whole numbers", WHOLE | TRUTH
bitwise_and = bits(
    "bitwise_and",
    xp.bitwise_and,
    2,
    of_bits("bitwise_and"),
    ("The bits that both have: x & y.", "ml.bitwise_and(ml.tensor([6, 5, 4]), 3)", "tensor([2, 1, 0])"),
    word=Word(BITS, "&", of_truth="logical_and"),
)
bitwise_or = bits(
    "bitwise_or",
    xp.bitwise_or,
    2,
    of_bits("bitwise_or"),
    ("The bits that one of the two has: x | y.", "ml.bitwise_or(ml.tensor([6, 5, 4]), 3)", "tensor([7, 7, 7])"),
    word=Word(BITS, "|", of_truth="logical_or"),
)
bitwise_xor = bits(
    "bitwise_xor",
    xp.bitwise_xor,
    2,
    of_bits("bitwise_xor"),
    ("The bits in which they differ: x ^ y.", "ml.bitwise_xor(ml.tensor([6, 5, 4]), 3)", "tensor([5, 6, 7])"),
    word=Word(BITS, "^", of_truth="ne"),
)
bitwise_not = bits(
    "bitwise_not",
    xp.invert,
    1,
    of_bits("bitwise_not"),
    ("All bits turned over: ~x, which is -x - 1.", "ml.bitwise_not(ml.tensor([0, 5]))", "tensor([-1, -6])"),
    word=Word(BITS, c="(~{0})", of_truth="logical_not"),
)
bitwise_left_shift = bits(
    "bitwise_left_shift",
    xp.left_shift,
    2,
    of_bits("bitwise_left_shift", ONLY_NUMBERS),
    (
        "The bits moved up by y places: x << y, which is x times 2 to the y.",
        "ml.bitwise_left_shift(ml.tensor([1, 3]), 2)",
        "tensor([ 4, 12])",
    ),
)
bitwise_right_shift = bits(
    "bitwise_right_shift",
    xp.right_shift,
    2,
    of_bits("bitwise_right_shift", ONLY_NUMBERS),
    (
        "The bits moved down by y places, the sign kept: x >> y, which is x // 2**y.",
        "ml.bitwise_right_shift(ml.tensor([12, -12]), 2)",
        "tensor([ 3, -3])",
    ),
)
gcd = bits(
    "gcd",
    xp.gcd,
    2,
    of_bits("gcd", ONLY_NUMBERS),
    ("The largest number that divides both.", "ml.gcd(ml.tensor([6, 10]), ml.tensor(4))", "tensor([2, 2])"),
    places="nowhere",
)
lcm = bits(
    "lcm",
    xp.lcm,
    2,
    of_bits("lcm", ONLY_NUMBERS),
    ("The smallest number that both divide.", "ml.lcm(ml.tensor([6, 10]), ml.tensor(4))", "tensor([12, 20])"),
    places="nowhere",
)
