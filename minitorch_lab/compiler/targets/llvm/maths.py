"""exp, log, tanh, erf and their kin as a dozen instructions each.

Stated bounds, against the value of the function rounded to float32, over all of float32 and held by
`tests/compile/test_llvm_math.py`: at most 4 units in the last place, results below the normal numbers included. NaN
gives NaN, infinities give the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import pieces, polynomials
from .builder import Builder
from .pieces import Pieces
from .polynomials import ERF_EDGE, ERFC_END, STEPS
from .tables import LOWERED, POWERS, UP
from .types import I32, ir, is_vector, like, row, whole

LOG2_E = 1.4426950408889634
LOG2_HIGH, LOG2_LOW = 0.693359375, -2.1219444005469058e-4  # their sum is log 2; the first has nine bits
MAGIC = 12582912.0  # 1.5 · 2²³: what is added to it is rounded to a whole number, which is then in the low bits
LOWEST = -104.665  # where 2ⁿ⁺²⁴ has no bit set for the first time: e to this power is 0, as it is from -104 on
INFINITY, NAN = float("inf"), float("nan")


class Maths:
    """Functions of float32.

    Attributes:
        quotients: Values that are a quotient, each with its parts. What is below lies between 1 and 10¹⁶.
    """

    def __init__(self, build: Builder) -> None:
        self.build, self.b = build, build.b
        self.c, self.call, self.cast, self.intrinsic, self.fma = (
            build.c,
            build.call,
            build.cast,
            build.intrinsic,
            build.fma,
        )
        self.where, self.compare, self.above, self.below = build.where, build.compare, build.above, build.below
        self.quotients: dict[Any, tuple[Any, Any]] = {}

    # ---- bits and polynomials ----------------------------------------------------------------------------------------
    def poly(self, x: Any, coefficients: Sequence[float]) -> Any:
        """Horner's rule."""
        p = self.c(coefficients[0], x.type)
        for k in coefficients[1:]:
            p = self.fma(p, x, self.c(k, x.type))
        return p

    def ints(self, x: int, t: Any) -> Any:
        """A whole number of 32 bits in the lanes of the type `t`."""
        return self.c(x, like(I32, t))

    def bits(self, x: Any) -> Any:
        """The bits of a float."""
        return self.b.bitcast(x, like(I32, x.type))

    def inverse(self, y: Any) -> tuple[Any, Any]:
        """Two numbers whose product is 1/y; the second is 1 unless 1/y would lose digits."""
        t, size = y.type, self.intrinsic("fabs", y)
        small = self.where(self.compare("<", size, self.c(2.0**-126, t)), self.c(2.0**64, t), self.c(1.0, t))
        scale = self.where(self.compare(">", size, self.c(2.0**126, t)), self.c(2.0**-64, t), small)
        return self.b.fdiv(self.c(1.0, t), self.b.fmul(y, scale)), scale

    def quotient(self, above: Any, below: Any) -> Any:
        """Their quotient, of which the parts are kept."""
        out = self.b.fdiv(above, below)
        self.quotients[out] = above, below
        return out

    def one_quotient(self, x: Any, y: Any) -> Any:
        """The product of two quotients that nobody else reads, by one division: in an LSTM each gate asks for one.

        The two have been written already; LLVM leaves out what nobody reads.
        """
        (a, b), (c, d) = self.quotients[x], self.quotients[y]
        return self.b.fdiv(self.b.fmul(a, c), self.b.fmul(b, d))

    # ---- exp ---------------------------------------------------------------------------------------------------------
    def wide(self, x: Any) -> bool:
        """Whether it is a vector of AVX-512, of which one instruction picks entries by the lanes of another."""
        return self.build.target.avx512 and is_vector(x.type)

    def parted(self, x: Any, steps: int = 1) -> tuple[Any, Any, Any]:
        """n, n · steps again as the low bits of a float, and r, with x = n log 2 + r and |r| at most log(2)/2/steps.

        n is a whole number of `steps`: of ones, or of sixteenths.
        """
        t = x.type
        magic = self.c(MAGIC / steps, t)
        shifted = self.fma(x, self.c(LOG2_E, t), magic)
        n = self.b.fsub(shifted, magic)
        r = self.fma(n, self.c(-LOG2_HIGH, t), x)
        return n, shifted, self.fma(n, self.c(-LOG2_LOW, t), r)

    def power_of_two(self, shifted: Any, more: int = 0) -> Any:
        """2ⁿ times 2 to the power `more`, where that is a normal number: what is above the low bits falls out."""
        t = shifted.type
        exponent = self.b.shl(self.bits(shifted), self.ints(23, t))
        return self.b.bitcast(self.b.add(exponent, self.ints((127 + more) << 23, t)), t)

    def entry(self, table: tuple[int, ...], which: Any) -> Any:
        """The entry of a table of sixteen that the low bits of whole numbers name."""
        return self.call("llvm.x86.avx512.permvar.si.512", which.type, row(table), which)

    def exp(self, x: Any) -> Any:
        """Infinite where x is large. Where it is 0, it is not computed.

        Some processors take a hundred times as long for what is below the normal numbers, and masks (-∞ in attention)
        ask for much of it.
        """
        x = self.below(self.c(89.0, x.type), x)
        return self.exp_scaled(x) if self.wide(x) else self.exp_there_and_back(x)

    def exp_up_to_0(self, x: Any) -> Any:
        """The same for x up to 0."""
        if self.wide(x):
            return self.exp_scaled(x)
        return self.b.fmul(self.raised_exp(self.above(self.c(LOWEST, x.type), x)), self.c(2.0**-UP, x.type))

    def exp_scaled(self, x: Any) -> Any:
        """2ⁿ eʳ for x up to 89, where "times 2ⁿ" is an instruction, of which lanes can be left out. n is in sixteenths.

        The powers of 2 between 1 and 2 lie in a register, and r is so small that three terms less will do.
        """
        t = x.type
        there = self.b.bitcast(self.b.fcmp_unordered(">=", x, self.c(LOWEST, t)), ir.IntType(16))  # or NaN
        n, shifted, r = self.parted(x, STEPS)
        power = self.b.bitcast(self.entry(POWERS, self.bits(shifted)), t)
        y = self.fma(power, self.b.fmul(self.poly(r, polynomials.exp_step()), r), power)
        return self.call("llvm.x86.avx512.mask.scalef.ps.512", t, y, n, self.c(0.0, t), there, whole(4, I32))

    def exp_there_and_back(self, x: Any) -> Any:
        """2ⁿ eʳ for x up to 89: 2ⁿ may be too large for a float, or too small, but 2ⁿ⁻²⁴ or 2ⁿ⁺²⁴ is not."""
        t = x.type
        x = self.above(self.c(LOWEST, t), x)
        negative = self.b.ashr(self.bits(x), self.ints(31, t))
        down = self.b.and_(self.b.not_(negative), self.ints(2 * UP << 23, t))
        _, shifted, r = self.parted(x)
        power = self.b.bitcast(self.b.sub(self.bits(self.power_of_two(shifted, UP)), down), t)
        back = self.b.bitcast(self.b.add(down, self.ints((127 - UP) << 23, t)), t)
        return self.b.fmul(self.b.fmul(self.poly(r, polynomials.exp()), power), back)

    def raised_exp(self, x: Any) -> Any:
        """2²⁴ eˣ, for x from `LOWEST`, where it is 0, to 60: always a normal number."""
        _, shifted, r = self.parted(x)
        return self.b.fmul(self.poly(r, polynomials.exp()), self.power_of_two(shifted, UP))

    def expm1(self, x: Any) -> Any:
        """2ⁿ (eʳ - 1) + (2ⁿ - 1), each half as large and then doubled, for 2¹²⁸ is too large."""
        t = x.type
        x = self.above(self.c(-18.0, t), self.below(self.c(89.0, t), x))
        _, shifted, r = self.parted(x)
        y = self.fma(self.b.fmul(r, r), self.poly(r, polynomials.expm1()), r)
        s = self.power_of_two(shifted, -1)
        out = self.b.fmul(self.fma(s, y, self.b.fsub(s, self.c(0.5, t))), self.c(2.0, t))
        return self.where(self.compare("<", self.intrinsic("fabs", x), self.c(1e-7, t)), x, out)

    def sigmoid(self, x: Any) -> Any:
        """From x = 18 on it is 1, and up to `LOWEST` 0."""
        x = self.above(self.c(LOWEST, x.type), self.below(self.c(18.0, x.type), x))
        return self.sigmoid_by_inverse(x) if self.wide(x) else self.sigmoid_by_exp(x)

    def sigmoid_by_exp(self, x: Any) -> Any:
        """eˣ / (eˣ + 1), which keeps the digits of small results, both 2²⁴ times as large."""
        e = self.raised_exp(x)
        return self.quotient(e, self.b.fadd(e, self.c(2.0**UP, x.type)))

    def sigmoid_by_inverse(self, x: Any) -> Any:
        """eʳ / (eʳ + 2⁻ⁿ), both 2²⁴ times as small, for 2⁻ⁿ may be too large: no power is multiplied by another."""
        _, shifted, r = self.parted(x, STEPS)
        k, small = self.bits(shifted), [2.0**-UP * c for c in (*polynomials.exp_step(), 1.0)]
        e = self.poly(r, small)
        inverse = self.b.sub(self.entry(LOWERED, k), self.b.shl(k, self.ints(23 - 4, x.type)))
        return self.b.fdiv(e, self.b.fadd(e, self.b.bitcast(inverse, x.type)))

    # ---- log ---------------------------------------------------------------------------------------------------------
    def log(self, x: Any) -> Any:
        """e log 2 + log m for x = 2ᵉ m with m near 1; what lies below the normal numbers is brought up first."""
        t = x.type
        tiny = self.compare("<", x, self.c(1.1754943508222875e-38, t))
        y = self.logarithm(self.where(tiny, self.b.fmul(x, self.c(2.0**24, t)), x), tiny)
        low = self.where(self.compare("<", x, self.c(0.0, t)), self.c(NAN, t), x)
        special = self.where(self.compare("==", x, self.c(0.0, t)), self.c(-INFINITY, t), low)
        usual = self.b.and_(self.compare(">", x, self.c(0.0, t)), self.compare("<", x, self.c(INFINITY, t)))
        return self.where(usual, y, special)

    def logarithm(self, x: Any, tiny: Any) -> Any:
        """The logarithm of a normal number; of 2⁻²⁴ times it where `tiny` says so."""
        t = x.type
        off = self.b.sub(self.bits(x), self.ints(0x3F3504F3, t))  # the bits of √½
        e = self.b.sitofp(self.b.ashr(off, self.ints(23, t)), t)
        e = self.where(tiny, self.b.fsub(e, self.c(24.0, t)), e)
        inside = self.b.add(self.b.and_(off, self.ints(0x007FFFFF, t)), self.ints(0x3F3504F3, t))
        m = self.b.fsub(self.b.bitcast(inside, t), self.c(1.0, t))
        square = self.b.fmul(m, m)
        y = self.b.fmul(self.b.fmul(self.poly(m, polynomials.log()), m), square)
        y = self.fma(e, self.c(LOG2_LOW, t), y)
        y = self.fma(square, self.c(-0.5, t), y)
        return self.fma(e, self.c(LOG2_HIGH, t), self.b.fadd(m, y))

    def log1p(self, x: Any) -> Any:
        """log u, with u = 1 + x rounded, and what the rounding took away: (x - (u - 1)) / u."""
        t, one = x.type, self.c(1.0, x.type)
        u = self.b.fadd(x, one)
        lost = self.b.fdiv(self.b.fsub(x, self.b.fsub(u, one)), u)
        usual = self.b.and_(self.compare(">", x, self.c(-1.0, t)), self.compare("<", x, self.c(2.0**24, t)))
        out = self.b.fadd(self.log(u), self.where(usual, lost, self.c(0.0, t)))
        return self.where(self.compare("<", self.intrinsic("fabs", x), self.c(1e-8, t)), x, out)

    # ---- tanh, erf ---------------------------------------------------------------------------------------------------
    def signed(self, size: Any, x: Any) -> Any:
        """`size` with the sign of `x`."""
        return self.intrinsic("copysign", size, x)

    def by_pieces(self, x: Any, f: Pieces) -> Any:
        """The polynomial of the piece that |x| lies in, with the sign of x: neither exp nor a division."""
        t = x.type
        size = self.below(self.c(f.end, t), self.intrinsic("fabs", x))
        which = self.b.lshr(self.bits(self.b.fadd(size, self.c(f.offset, t))), self.ints(pieces.DROPPED, t))
        middle, highest, *others = (self.b.bitcast(self.entry(e, which), t) for e in (f.middles, *f.coefficients))
        r, out = self.b.fsub(size, middle), highest
        for k in others:
            out = self.fma(out, r, k)
        return self.signed(out, x)

    def tanh(self, x: Any) -> Any:
        """From 9.02 on it is 1."""
        return self.by_pieces(x, pieces.tanh()) if self.wide(x) else self.tanh_by_exp(x)

    def tanh_by_exp(self, x: Any) -> Any:
        """-m / (m + 2) with m = exp(-2|x|) - 1, which keeps the digits of small x; with the sign of x.

        exp(-2|x|) = 2ⁿ 2ᶠ, and f is rounded but once: its error is as small beside x as that of x itself.
        """
        t, scale = x.type, self.c(-2.0 * LOG2_E, x.type)
        size = self.below(self.c(9.1, t), self.intrinsic("fabs", x))
        shifted = self.fma(size, scale, self.c(MAGIC, t))
        f = self.fma(size, scale, self.b.fsub(self.c(MAGIC, t), shifted))
        y = self.b.fmul(self.poly(f, polynomials.exp2()), f)
        s = self.power_of_two(shifted)
        m = self.fma(s, y, self.b.fsub(s, self.c(1.0, t)))
        return self.quotient(self.signed(m, x), self.b.fadd(m, self.c(2.0, t)))

    def erf(self, x: Any) -> Any:
        """From 3.83 on it is 1."""
        return self.by_pieces(x, pieces.erf()) if self.wide(x) else self.erf_near_and_far(x)

    def erf_near_and_far(self, x: Any) -> Any:
        """Near 0 x + x P(x²), elsewhere 1 - P(|x|)⁻⁸ with the sign of x."""
        t, one = x.type, self.c(1.0, x.type)
        size = self.intrinsic("fabs", x)
        far = self.poly(self.below(self.c(ERFC_END, t), size), polynomials.erfc())
        for _ in range(3):
            far = self.b.fmul(far, far)
        far = self.b.fsub(one, self.b.fdiv(one, far))
        near = self.fma(self.poly(self.b.fmul(x, x), polynomials.erf()), x, x)
        return self.where(self.compare("<", size, self.c(ERF_EDGE, t)), near, self.signed(far, x))
