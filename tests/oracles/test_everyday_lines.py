"""Everyday lines, at the edges: what is shared, what is refused, what is wrapped around, beside PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

from .alike import assert_alike

pytestmark = pytest.mark.oracle


def lines(text: str) -> list[str]:
    """The lines of a table, which are parted by semicolons."""
    return text.strip().replace("\n", " ; ").split(" ; ")


WHOLE = {
    "x": np.array([6, 5, -4, 0]),
    "s": np.array([1, 2, 70, -1]),
    "u": np.array([6, 255, 4, 0], "uint8"),
    "i": np.array([-7], "int8"),
    "b": np.array([True, False, True, False]),
    "f": np.array([1.0, 2.0, 3.0, 4.0]),
}
BITS = """
x & 3 ; x | 3 ; x ^ 3 ; ~x ; x << 1 ; x >> 1 ; 3 & x ; 3 | x ; 3 ^ x ; 1 << x ; 100 >> x ; x & b ; b & b ; b | b
b ^ b ; ~b ; b & 3 ; b ^ True ; True & b ; u & 300 ; u | -1 ; u ^ x ; ~u ; u << 7 ; u >> 9 ; i << 6 ; i >> 70 ; i & u
x << s ; x >> s ; 1 << s ; b << 1 ; b << b ; f & 1 ; x & 1.0 ; ~f ; f << 1 ; x << f ; x & f ; b | f ; 1.5 ^ x
L.bitwise_and(x, s) ; L.bitwise_or(x, u) ; L.bitwise_xor(x, i) ; L.bitwise_not(u) ; L.bitwise_left_shift(x, 2)
L.bitwise_right_shift(x, 2) ; x.bitwise_and_(u) ; x.bitwise_xor_(3) ; b.bitwise_and_(x) ; u.bitwise_not_() ; u // 300
L.logical_xor(f, b) ; x.logical_and(f) ; u % 300 ; x.where(b, s) ; L.where(b, x, s) ; f.where(b, 1)
f.where(f, f) ; x.where(x, s) ; x[b & (f > 2)] ; x.where(b, f)
"""
INPLACE = "x &= 3 ; x |= u ; x ^= b ; x <<= 2 ; x >>= 1 ; b &= b ; b |= True ; b ^= True ; b &= x ; u &= x ; x &= f"


@pytest.mark.parametrize("line", lines(BITS))
def test_bits(line: str) -> None:
    assert_alike(line, **WHOLE)


@pytest.mark.parametrize("line", lines(INPLACE))
def test_bits_in_place(line: str) -> None:
    assert_alike(f"{line}; {line[0]}", **WHOLE)


X = {"x": np.arange(12.0).reshape(3, 4), "s": np.array(1.5), "i": np.array([10])}
PAST_THE_END = """
x[3] ; x[-4] ; x[0, 4] ; x[0, 0, 0] ; x[i] ; x[[0, 3]] ; x[:, i] ; x[t([0, -4])] ; x[s] ; x[1.0] ; x["a"] ; x[t([1.0])]
x.select(0, 3) ; x.select(2, 0) ; x.index_select(0, i) ; x.index_select(0, -i) ; x.sum(2) ; x.transpose(0, 2)
x.unsqueeze(4) ; L.cat([x, x], 2) ; L.stack([x, x], 3) ; s[0] ; s[:] ; s[i] ; len(s) ; iter(s) ; list(s) ; [*s]
x[::0] ; x[t([[True]])] ; x.squeeze(2) ; x.flip(2) ; x.softmax(2) ; x.argmax(2) ; x.cumsum(-3) ; x.sort(2)
x.roll(1, 2) ; x.gather(0, t([[10]])) ; x[i] = 0 ; x[3] = 0 ; x[0, 0, 0] = 1 ; x["a"] = 1 ; x.unbind(2)
x.chunk(2, 2) ; bool(x)
"""


@pytest.mark.parametrize("line", lines(PAST_THE_END))
def test_past_the_end(line: str) -> None:
    assert_alike(f"{line}; x" if " = " in line else line, **X)
